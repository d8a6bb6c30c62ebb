/* compare_taste.c - utilities over a space, and the lengths that a belief takes from them, against the reference.
 *
 * What may differ, and by how much it did in 150 sets of 12 to 220 duels: the library leaves out lengths and scales
 * that are less than e^-7 times as likely as the best, and of each function what is below 1e-5 of the variance (means
 * by 0.0013, ends of intervals by 0.006, lengths and scales by 0.13 %; with four choices alone, where nothing is left
 * out, 1e-10); and the chance of a duel takes a normal law for the logistic one (0.009). */
#include "reference/parts.h"
#include "reference/taste.h"

#include "posterior/belief.h"
#include "posterior/gp/box.h"
#include <spar/taste.h>

enum { REFERENCES = 16, LOOKS = 12 };

/* A space of ranges and perhaps a choice. */
typedef struct plane {
    size_t ranges, choices;
    double width; /* of the part of each range where most points are */
} plane;

static double uniform(gsl_rng *rng)
{
    return gsl_rng_uniform(rng);
}

static void draw_point(const plane *p, double width, gsl_rng *rng, double *x)
{
    for (size_t d = 0; d < p->ranges; d++)
        x[d] = 0.6 + width * (uniform(rng) - 0.6);
    size_t chosen = p->choices ? (size_t)((double)p->choices * uniform(rng)) : 0;
    for (size_t i = 0; i < p->choices; i++)
        x[p->ranges + i] = i == chosen ? 0.75 : 0;
}

/* Steep along the first axis. */
static double utility(const plane *p, const double *x)
{
    double sum = 0;
    for (size_t d = 0; d < p->ranges; d++)
        sum += (x[d] - 0.5) * (x[d] - 0.5) / (d == 0 ? 0.04 : 0.5);
    return (p->choices && x[p->ranges] > 0 ? 8 : 5) * exp(-sum);
}

static void name_axes(const plane *p, ref_taste *t)
{
    t->dim = p->ranges + p->choices;
    for (size_t d = 0; d < t->dim; d++)
        t->axis[d] = d < p->ranges ? d : p->ranges;
}

static void add_duel(ref_taste *t, const double *x, const double *y, double won, double lost)
{
    ref_taste_duel *duel = &t->duel[t->n++];
    memcpy(duel->x, x, t->dim * sizeof *x);
    memcpy(duel->y, y, t->dim * sizeof *y);
    duel->won = won;
    duel->lost = lost;
}

/* Three points, all in one answer: a choice, a ranking or a tie. */
static void answer_three(ref_taste *t, double (*x)[REF_TASTE_DIM], const size_t *order, size_t kind, spar_answer *out)
{
    const double *first = x[order[0]], *second = x[order[1]], *third = x[order[2]];
    double won = kind < 2 ? 2.0 / 3 : 1.0 / 3, lost = kind < 2 ? 0 : 1.0 / 3;
    add_duel(t, first, second, won, lost);
    add_duel(t, first, third, won, lost);
    if (kind > 0)
        add_duel(t, second, third, kind == 1 ? 1 : won, lost);
    if (kind == 0)
        spar_answer_set_winner(out, order[0]);
    else if (kind == 2)
        spar_answer_set_tie(out);
    else if (spar_answer_set_ranking(out, 3, order, (size_t[]){0, 1, 2}, NULL))
        abort();
}

static void answer_two(const plane *p, ref_taste *t, double (*x)[REF_TASTE_DIM], bool tie, gsl_rng *rng,
                       spar_answer *out)
{
    bool first = uniform(rng) < 1 / (1 + exp(utility(p, x[1]) - utility(p, x[0])));
    add_duel(t, x[0], x[1], tie ? 0.5 : first, tie ? 0.5 : !first);
    if (tie)
        spar_answer_set_tie(out);
    else
        spar_answer_set_winner(out, first ? 0 : 1);
}

/* About n duels, told to both. Points come back; some answers are about three. */
static void tell(const plane *p, size_t n, gsl_rng *rng, ref_taste *t, spar_taste *taste)
{
    double x[3][REF_TASTE_DIM], told[3 * REF_TASTE_DIM];
    spar_answer *answer = NULL;
    if (spar_answer_new(&answer))
        abort();
    for (size_t i = 0; t->n < n; i++) {
        size_t m = i % 8 == 5 ? 3 : 2;
        for (size_t j = i % 5 == 4 ? 1 : 0; j < m; j++) /* x[0] stays */
            draw_point(p, i % 4 == 0 ? 1 : p->width, rng, x[j]);
        if (m == 3)
            answer_three(t, x, (size_t[][3]){{2, 0, 1}, {0, 1, 2}, {1, 2, 0}}[i % 3], i / 8 % 3, answer);
        else
            answer_two(p, t, x, i % 9 == 3, rng, answer);
        for (size_t j = 0; j < m; j++)
            memcpy(told + j * t->dim, x[j], t->dim * sizeof *told);
        if (spar_taste_tell(taste, m, told, answer, NULL))
            abort();
    }
    spar_answer_free(answer);
}

/* The largest differences found. */
typedef struct gaps {
    double mean, interval, chance, near_by;
} gaps;

static void look(const plane *p, gsl_rng *rng, const ref_taste *t, const spar_taste *taste, gaps *worst)
{
    for (size_t i = 0; i < LOOKS; i++) {
        double x[REF_TASTE_DIM], y[REF_TASTE_DIM], mean, low, high, got_mean, got_low, got_high, chance;
        draw_point(p, 1, rng, x);
        draw_point(p, 1, rng, y);
        if (i % 3 == 0)
            memcpy(x, t->duel[i].x, sizeof x);
        for (size_t d = 0; d < t->dim && i % 4 == 1; d++)
            y[d] = d < p->ranges ? x[d] + 0.05 : x[d];
        ref_taste_at(t, x, &mean, &low, &high);
        if (spar_taste_at(taste, x, &got_mean, &got_low, &got_high) || spar_taste_against(taste, x, y, &chance))
            abort();
        worst->mean = fmax(worst->mean, fmax(fabs(got_mean - mean), fabs(spar_taste_mean(taste, x) - mean)));
        worst->interval = fmax(worst->interval, fmax(fabs(got_low - low), fabs(got_high - high)));
        double *gap = i % 4 == 1 ? &worst->near_by : &worst->chance;
        *gap = fmax(*gap, fabs(chance - ref_taste_against(t, x, y)));
    }
}

static void compare(const plane *p, size_t n, uint64_t seed)
{
    static ref_taste t;
    gsl_rng *rng = ref_rng_open(seed);
    double reference[REFERENCES * REF_TASTE_DIM];
    spar_taste *taste = NULL;
    gaps worst = {0};
    t = (ref_taste){.references = REFERENCES, .reference = reference};
    name_axes(p, &t);
    for (size_t i = 0; i < REFERENCES; i++)
        draw_point(p, 1, rng, reference + i * t.dim);
    if (spar_taste_new(t.dim, t.axis, REFERENCES, reference, &taste))
        abort();
    tell(p, n, rng, &t, taste);
    ref_taste_compute(&t);
    if (spar_taste_compute(taste, NULL))
        abort();
    look(p, rng, &t, taste, &worst);
    double length = spar_taste_length(taste) / ref_taste_length(&t) - 1;
    double scale = spar_taste_scale(taste) / ref_taste_scale(&t) - 1;
    ok(worst.mean < 0.003 && worst.interval < 0.012 && worst.chance < 0.012 && worst.near_by < 0.002 &&
           fabs(length) < 0.002 && fabs(scale) < 0.002,
       "%zu ranges, %zu choices, %zu duels: mean %.1e, interval %.1e, chance %.1e, of near ones %.1e, length %.1e, "
       "scale %.1e",
       p->ranges, p->choices, t.n, worst.mean, worst.interval, worst.chance, worst.near_by, length, scale);
    spar_taste_free(taste);
    ref_taste_close(&t);
    gsl_rng_free(rng);
}

static belief open_belief(const plane *p)
{
    belief b;
    spar_space *space = NULL;
    spar_arms *arms = NULL;
    spar_status status = spar_space_new(&space);
    for (size_t d = 0; d < p->ranges && !status; d++)
        status = spar_space_add_range(space, 0, 1);
    if (!status && p->choices)
        status = spar_space_add_choice(space, p->choices, 0.75);
    if (status || spar_arms_new_space(space, &arms) || belief_over(&b, "gp(duels=1,fit=10)", arms, NULL))
        abort();
    spar_space_free(space);
    return b;
}

static void learn(belief *b, const ref_taste_duel *duel)
{
    size_t arm[2];
    const double *x[2] = {duel->x, duel->y};
    for (size_t j = 0; j < 2; j++)
        if (spar_arms_add(b->arms, x[j], NULL, &arm[j]) || b->self->cls->resize(b->self))
            abort();
    if (b->self->cls->reserve(b->self, 2))
        abort();
    b->self->cls->observe(b->self, arm[0], duel->won, 1);
    b->self->cls->observe(b->self, arm[1], duel->lost, 1);
    b->self->cls->settle(b->self);
}

/* After each of these fits the belief has the lengths and the variance of the reference. */
static void compare_fits(const plane *p, uint64_t seed)
{
    static const size_t when[] = {10, 30, 40, 96};
    static ref_taste t;
    gsl_rng *rng = ref_rng_open(seed);
    belief b = open_belief(p);
    const spar__gp_box *box = (const spar__gp_box *)b.self;
    spar_answer *ignored = NULL;
    t = (ref_taste){0};
    name_axes(p, &t);
    if (spar_answer_new(&ignored))
        abort();
    for (size_t w = 0; w < sizeof when / sizeof *when; w++) {
        double x[2][REF_TASTE_DIM], worst = 0;
        while (t.n < when[w]) {
            draw_point(p, p->width, rng, x[0]);
            draw_point(p, p->width, rng, x[1]);
            answer_two(p, &t, x, t.n % 9 == 3, rng, ignored);
            learn(&b, &t.duel[t.n - 1]);
        }
        ref_taste_compute(&t);
        for (size_t d = 0; d < t.dim; d++)
            worst = fmax(worst, fabs(box->length[d] / (ref_taste_length(&t) * t.shape[t.axis[d]]) - 1));
        double scale = sqrt(box->kernel.variance) / fmax(1, ref_taste_scale(&t)) - 1;
        ok(box->fitted == when[w] && worst < 0.002 && fabs(scale) < 0.002,
           "%zu ranges, %zu choices, fit at %zu: lengths %.1e, scale %.1e", p->ranges, p->choices, box->fitted, worst,
           scale);
        ref_taste_close(&t);
    }
    spar_answer_free(ignored);
    gsl_rng_free(rng);
    belief_close(&b);
}

int main(void)
{
    static const plane planes[] = {{1, 0, 1}, {2, 0, 0.2}, {3, 0, 1}, {2, 3, 0.5}, {0, 4, 1}};
    bool all = !getenv("SPAR_SHORT");
    for (size_t i = 0; i < sizeof planes / sizeof *planes; i++) {
        for (uint64_t seed = 1; seed <= (all ? 10 : 1); seed++) {
            compare(&planes[i], 12, seed);
            compare(&planes[i], 45, seed);
            compare(&planes[i], all ? 220 : 90, seed);
        }
        if (planes[i].ranges > 0)
            compare_fits(&planes[i], 7);
    }
    return done();
}
