/* A belief that learns duels in a continuous space: its fits, draws that explore less, points that are apart. */
#include "posterior/gp/box.h"

#include "posterior/belief.h"

#include <math.h>
#include <string.h>

enum { DIM = 2 };

static belief open_box(const char *spec)
{
    belief b;
    spar_arms *arms = NULL;
    spar_error err = {0};
    if (spar_arms_new_box(DIM, (double[]){0, 0}, (double[]){1, 1}, &arms) || belief_over(&b, spec, arms, &err)) {
        printf("Bail out! %s: %s\n", spec, err.text);
        exit(1);
    }
    return b;
}

static spar__gp_box *box_of(const belief *b)
{
    return (spar__gp_box *)b->self;
}

static size_t add(belief *b, const double *x)
{
    size_t arm = 0;
    if (spar_arms_add(b->arms, x, NULL, &arm) || b->self->cls->resize(b->self))
        abort();
    return arm;
}

/* Steep along the first axis, nearly flat along the second; from 0 to 8 log-odds. */
static double utility(const double *x)
{
    double u = (x[0] - 0.3) / 0.12, v = (x[1] - 0.6) / 1.5;
    return 8 * exp(-0.5 * (u * u + v * v));
}

/* Duels of random points, answered by that utility. */
static void play(belief *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double x[2][DIM];
        for (size_t d = 0; d < 2 * DIM; d++)
            x[d / DIM][d % DIM] = spar_rng_uniform(&b->rng);
        size_t first = add(b, x[0]), second = add(b, x[1]);
        double won = spar_rng_uniform(&b->rng) < 1 / (1 + exp(utility(x[1]) - utility(x[0])));
        if (b->self->cls->reserve(b->self, 2))
            abort();
        b->self->cls->observe(b->self, first, won, 1);
        b->self->cls->observe(b->self, second, 1 - won, 1);
        b->self->cls->settle(b->self);
    }
}

static void test_lengths(void)
{
    belief b = open_box("gp(duels=1,length=0.35,variance=9,fit=10)");
    const spar__gp_box *box = box_of(&b);
    play(&b, 9);
    ok(box->fitted == 0 && box->length[0] == 0.35 && box->kernel.variance == 9, "9 duels: as given");
    play(&b, 141);
    ok(box->length[0] < 0.25 && box->length[1] > 2 * box->length[0],
       "150 duels: the steep axis has a short length, the flat one a long one: %.2f, %.2f", box->length[0],
       box->length[1]);
    ok(box->kernel.variance > 1.5 && box->kernel.variance < 40, "and the scale is that of the utility: %.2f",
       sqrt(box->kernel.variance));
    b.self->cls->forget(b.self);
    ok(box->length[0] == 0.35 && box->length[1] == 0.35 && box->kernel.variance == 9 && !box->fitted && !box->n_duels,
       "forgotten: as given");
    belief_close(&b);
}

/* Every 10 duels, then when a quarter has come. */
static void test_when(void)
{
    static const size_t expected[] = {10, 20, 30, 40, 50, 62, 77, 96};
    belief b = open_box("gp(duels=1,fit=10)");
    size_t n = 0, right = 0, last = 0;
    for (size_t i = 0; i < 100; i++) {
        play(&b, 1);
        if (box_of(&b)->fitted != last) {
            last = box_of(&b)->fitted;
            right += n < sizeof expected / sizeof *expected && last == expected[n] && last == i + 1;
            n++;
        }
    }
    ok(n == sizeof expected / sizeof *expected && right == n, "%zu fits in 100 duels, %zu where expected", n, right);
    belief_close(&b);
}

/* What a belief says after a fit, and when it has learned more. */
typedef struct said {
    double x[DIM], mean, number[512];
    size_t n;
} said;

static said ask(belief *b)
{
    said s = {.mean = NAN};
    size_t arm;
    if (b->self->cls->best(b->self, b->scratch, &b->rng, 1, &arm, s.x) ||
        b->self->cls->moments_at(b->self, b->scratch, (double[]){0.3, 0.6}, &s.mean, NULL))
        abort();
    play(b, 2);
    s.n = belief_numbers(b, 512, s.number);
    return s;
}

/* A fit is due at the next settle, which needs no memory for anything else; allocation k fails. False: there was none.
 */
static bool fit_without(belief *b, size_t k)
{
    *b = open_box("gp(duels=1,fit=1000)");
    play(b, 10);
    box_of(b)->fit = 10;
    spar__alloc_fail_at(k);
    b->self->cls->settle(b->self);
    bool failed = spar__alloc_count() >= k;
    spar__alloc_fail_at(0);
    return failed;
}

/* Allocations of a fit fail, each once (later ones by samples): what is believed is the same as with memory. */
static void test_no_memory(void)
{
    size_t tried = 0, kept = 0, same = 0;
    belief b;
    (void)fit_without(&b, SIZE_MAX);
    said expected = ask(&b), s;
    belief_close(&b);
    for (size_t k = 1; fit_without(&b, k); k += 1 + k / 8, tried++) {
        kept += box_of(&b)->behind && box_of(&b)->length[0] == 0.2 && box_of(&b)->kernel.variance == 1;
        s = ask(&b);
        same += s.n == expected.n && s.mean == expected.mean && memcmp(s.x, expected.x, sizeof s.x) == 0 &&
                memcmp(s.number, expected.number, s.n * sizeof *s.number) == 0;
        belief_close(&b);
    }
    belief_close(&b);
    ok(tried > 10 && kept == tried && same == tried && expected.n > 20,
       "without memory for a fit (%zu ways) nothing changes, %zu, and it is made up for, %zu", tried, kept, same);
}

/* While there is too little, questions and learning fail, and so does saving. */
static void test_still_none(void)
{
    belief b;
    double mean;
    spar__archive out = {.loading = false};
    (void)fit_without(&b, 1);
    spar__alloc_fail_at(1);
    spar_status asked = b.self->cls->moments_at(b.self, b.scratch, (double[]){0.3, 0.6}, &mean, NULL);
    spar__alloc_fail_at(1);
    spar_status reserved = b.self->cls->reserve(b.self, 2);
    spar__alloc_fail_at(1);
    b.self->cls->archive(b.self, &out);
    spar__alloc_fail_at(0);
    ok(asked == SPAR_NOMEM && reserved == SPAR_NOMEM && out.failed && box_of(&b)->behind,
       "while there is none, all that needs the fit fails");
    ok(!b.self->cls->reserve(b.self, 2) && !box_of(&b)->behind && box_of(&b)->length[0] != 0.2, "then it is made");
    spar__buf_free(&out.out);
    belief_close(&b);
}

/* The same luck: half as far from the mean, also where nothing was seen. */
static void test_explore(void)
{
    belief a = open_box("gp(duels=1,length=0.35,variance=9)"),
           b = open_box("gp(duels=1,length=0.35,variance=9,explore=0.5)");
    enum { DUELS = 12, ARMS = 2 * DUELS };
    double mean[ARMS + 2], far[ARMS + 2], near_by[ARMS + 2], worst = 0, most = 0;
    play(&a, DUELS);
    play(&b, DUELS);
    for (size_t i = 0; i < 2; i++) {
        const double unseen[DIM] = {(double)i, 0.5};
        (void)add(&a, unseen);
        (void)add(&b, unseen);
    }
    size_t n = a.arms->n;
    if (n > ARMS + 2 || a.self->cls->moments(a.self, a.scratch, mean, NULL) ||
        a.self->cls->draw(a.self, a.scratch, &a.rng, far) || b.self->cls->draw(b.self, b.scratch, &b.rng, near_by))
        abort();
    for (size_t i = 0; i < n; i++) {
        worst = fmax(worst, fabs(near_by[i] - mean[i] - 0.5 * (far[i] - mean[i])));
        most = fmax(most, fabs(far[i] - mean[i]));
    }
    ok(worst < 1e-9 && most > 0.5, "explore=0.5: half as far from the mean, within %g of %g", worst, most);
    belief_close(&a);
    belief_close(&b);
}

enum { SLOTS = 3 };

/* The points of a round, from a stream of its own. */
static void show(const belief *b, uint64_t round, double *x)
{
    spar_rng rng;
    size_t arm[SLOTS];
    spar_rng_seed(&rng, 5, round, 1);
    if (b->self->cls->best(b->self, b->scratch, &rng, SLOTS, arm, x))
        abort();
}

/* How far apart they are along the axis where that is most, in lengths; the nearest two. */
static double least_distance(const belief *b, const double *x)
{
    double least = INFINITY;
    for (size_t j = 1; j < SLOTS; j++)
        for (size_t k = 0; k < j; k++) {
            double most = 0;
            for (size_t d = 0; d < DIM; d++)
                most = fmax(most, fabs(x[j * DIM + d] - x[k * DIM + d]) / box_of(b)->length[d]);
            least = fmin(least, most);
        }
    return least;
}

/* All slots but the first keep away from those before; where that cannot be, they do not. */
static void test_apart(void)
{
    static const char *const specs[] = {"gp(duels=1,length=0.35,explore=0.3)",
                                        "gp(duels=1,length=0.35,explore=0.3,apart=0.5)",
                                        "gp(duels=1,length=0.35,explore=0.3,apart=100)"};
    enum { ROUNDS = 30 };
    belief b[3];
    double x[3][SLOTS * DIM], nearest[3] = {INFINITY, INFINITY, INFINITY};
    size_t first = 0, all = 0;
    for (size_t i = 0; i < 3; i++) {
        b[i] = open_box(specs[i]);
        play(&b[i], 40);
    }
    for (uint64_t round = 0; round < ROUNDS; round++) {
        for (size_t i = 0; i < 3; i++) {
            show(&b[i], round, x[i]);
            nearest[i] = fmin(nearest[i], least_distance(&b[i], x[i]));
        }
        first += memcmp(x[1], x[0], DIM * sizeof **x) == 0;
        all += memcmp(x[2], x[0], sizeof *x) == 0;
    }
    ok(nearest[0] < 0.1 && nearest[1] >= 0.5, "apart=0.5: at least %.3f lengths apart, and %.3f without", nearest[1],
       nearest[0]);
    ok(first == ROUNDS, "the first slot is as it was");
    ok(all == ROUNDS, "apart=100 in a space of 3 lengths: no difference");
    for (size_t i = 0; i < 3; i++)
        belief_close(&b[i]);
}

/* Where lengths differ each axis has its own. */
static void test_apart_lengths(void)
{
    belief b = open_box("gp(duels=1,fit=10,explore=0.3,apart=0.5)");
    double x[SLOTS * DIM], nearest = INFINITY;
    play(&b, 62);
    for (uint64_t round = 0; round < 30; round++) {
        show(&b, round, x);
        nearest = fmin(nearest, least_distance(&b, x));
    }
    const double *length = box_of(&b)->length;
    ok(length[1] > 2 * length[0] && nearest >= 0.5, "lengths %.2f and %.2f: at least %.3f of them apart", length[0],
       length[1], nearest);
    belief_close(&b);
}

/* Is there a point in each third of each axis? */
static bool is_spread(const double *x)
{
    bool good = true;
    for (size_t d = 0; d < DIM; d++) {
        unsigned seen = 0;
        for (size_t j = 0; j < SLOTS; j++)
            seen |= 1U << (unsigned)fmin(x[j * DIM + d] * SLOTS, SLOTS - 1);
        good = good && seen == 7;
    }
    return good;
}

static void test_start(void)
{
    enum { START = 4, ROUNDS = 30 };
    belief a = open_box("gp(duels=1,length=0.35)"), b = open_box("gp(duels=1,length=0.35,start=4)");
    double x[SLOTS * DIM], y[SLOTS * DIM] = {0};
    size_t spread = 0, differ = 0;
    for (uint64_t round = 0; round < START * ROUNDS; round++) {
        if (round && round % ROUNDS == 0)
            play(&b, 1);
        show(&b, round, x);
        spread += is_spread(x);
        differ += memcmp(x, y, sizeof x) != 0;
        memcpy(y, x, sizeof x);
    }
    ok(spread == START * ROUNDS && differ == spread, "until 4 duels are known points are all over the space");
    play(&a, START);
    play(&b, 1);
    show(&a, 1, x);
    show(&b, 1, y);
    ok(memcmp(x, y, sizeof x) == 0, "then draws choose them");
    belief_close(&a);
    belief_close(&b);
}

/* How far the first points are from those seen, along the first axis: the nearest two, on average. */
static double first_distance(const belief *b, double first, double second)
{
    enum { ROUNDS = 200 };
    const spar__newton *seen = &box_of(b)->growth.basis;
    double x[SLOTS * DIM], sum = 0;
    box_of(b)->length[0] = first;
    box_of(b)->length[1] = second;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        double least = INFINITY;
        show(b, round, x);
        for (size_t j = 0; j < SLOTS; j++)
            for (size_t i = 0; i < seen->r; i++)
                least = fmin(least, fabs(x[j * DIM] - seen->u[i * DIM]));
        sum += least / ROUNDS;
    }
    return sum;
}

/* In lengths of each axis: where only one axis matters, points are far from those seen along that one. */
static void test_far(void)
{
    belief b = open_box("gp(duels=1,start=100)");
    play(&b, 3);
    double matters = first_distance(&b, 0.05, 5), other = first_distance(&b, 5, 0.05);
    ok(matters > 1.5 * other, "the first points are far from those seen: %.3f, and %.3f along an axis that is flat",
       matters, other);
    belief_close(&b);
}

static void test_refused(void)
{
    static const struct {
        const char *spec, *says;
        bool list;
    } cases[] = {{"gp(fit=10)", "duels=1", false},      {"gp(duels=1,fit=10,kernel=matern52)", "kernel=se", false},
                 {"gp(start=10)", "duels=1", false},    {"gp(explore=0.5)", "continuous", true},
                 {"gp(apart=0.5)", "continuous", true}, {"gp(start=10)", "continuous", true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        spar_arms *arms = NULL;
        spar_error err = {0};
        belief b;
        if (cases[i].list ? featured_arms(3, NULL, &arms)
                          : spar_arms_new_box(DIM, (double[]){0, 0}, (double[]){1, 1}, &arms))
            abort();
        ok(belief_over(&b, cases[i].spec, arms, &err) == SPAR_UNSUPPORTED && strstr(err.text, cases[i].says), "%s: %s",
           cases[i].spec, err.text);
    }
}

int main(void)
{
    test_lengths();
    test_when();
    test_no_memory();
    test_still_none();
    test_explore();
    test_apart();
    test_apart_lengths();
    test_start();
    test_far();
    test_refused();
    return done();
}
