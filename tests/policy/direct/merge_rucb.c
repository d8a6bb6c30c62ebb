/* Round by round beside a transcription of the rule. How ties between batches are broken when they merge cannot be
 * seen, so the transcription follows every way it may have gone, and drops those that what is played refutes. */
#include "policy/direct/counted.h"

enum { MOST_WORLDS = 1000, BATCHES = MOST };

/* What is known of the batches. */
typedef struct world {
    size_t n, visited, merges;
    size_t hidden[BATCHES];
    int home[MOST]; /* batch, or: */
} world;

enum { POOL = -1, GONE = -2 };

static double bound(const counted *d, size_t i, size_t j, double alpha, double c)
{
    double n = played(d, i, j);
    return n == 0 ? 2 : d->w[i][j] / n + sqrt(alpha * log(d->t + c) / n);
}

static world world_new(size_t k, size_t batch)
{
    world w = {.n = (k + batch - 1) / batch};
    for (size_t i = 0; i < k; i++) {
        w.home[i] = POOL;
        w.hidden[i / batch]++;
    }
    return w;
}

static size_t size_of(const world *w, size_t k, size_t b)
{
    size_t size = w->hidden[b];
    for (size_t i = 0; i < k; i++)
        size += w->home[i] == (int)b;
    return size;
}

/* The hidden arms of the batch are any of the pool, all alike; so are the unmet. */
static void rule(const counted *d, const world *w, double alpha, double c, double law[MOST][MOST])
{
    double size = (double)size_of(w, d->k, w->visited), hidden = (double)w->hidden[w->visited], pool = 0;
    for (size_t i = 0; i < d->k; i++)
        pool += w->home[i] == POOL;
    for (size_t i = 0; i < d->k; i++) {
        bool shown = w->home[i] == (int)w->visited, fresh = w->home[i] == POOL && hidden > 0;
        double first = shown ? 1 / size : fresh ? hidden / size / pool : 0;
        double other_hidden = hidden - fresh, other_pool = pool - fresh, most = other_hidden > 0 ? 2 : -1, ties = 0;
        for (size_t j = 0; j < d->k; j++)
            if (j != i && w->home[j] == (int)w->visited)
                most = fmax(most, bound(d, j, i, alpha, c));
        for (size_t j = 0; j < d->k; j++)
            ties += j != i && w->home[j] == (int)w->visited && bound(d, j, i, alpha, c) > most - 1e-12;
        ties += most == 2 ? other_hidden : 0;
        for (size_t j = 0; j < d->k; j++) {
            law[i][j] = 0;
            if (first > 0 && size == 1)
                law[i][j] = j == i ? first : 0;
            else if (first > 0 && j != i && w->home[j] == (int)w->visited && bound(d, j, i, alpha, c) > most - 1e-12)
                law[i][j] = first / ties;
            else if (first > 0 && j != i && w->home[j] == POOL && most == 2 && other_hidden > 0)
                law[i][j] = first * other_hidden / ties / other_pool;
        }
    }
}

static void show(world *w, size_t arm)
{
    if (w->home[arm] != POOL)
        return;
    w->home[arm] = (int)w->visited;
    w->hidden[w->visited]--;
}

static void eliminate(const counted *d, world *w, double alpha, double c)
{
    world before = *w;
    for (size_t i = 0; i < d->k; i++)
        for (size_t j = 0; j < d->k; j++)
            if (j != i && before.home[i] == (int)w->visited && before.home[j] == (int)w->visited &&
                bound(d, i, j, alpha, c) < 0.5)
                w->home[i] = GONE;
}

static size_t arms_left(const world *w, size_t k)
{
    size_t left = 0;
    for (size_t i = 0; i < k; i++)
        left += w->home[i] != GONE;
    return left;
}

static bool next_order(size_t *order, size_t n)
{
    size_t i = n, j = n - 1;
    for (i = n - 1; i > 0 && order[i - 1] > order[i]; i--)
        continue;
    if (i == 0)
        return false;
    while (order[j] < order[i - 1])
        j--;
    size_t keep = order[j];
    order[j] = order[i - 1];
    order[i - 1] = keep;
    for (j = n - 1; i < j; i++, j--) {
        keep = order[i];
        order[i] = order[j];
        order[j] = keep;
    }
    return true;
}

static world merged(const world *w, size_t k, const size_t *order)
{
    world out = *w;
    out.n = (w->n + 1) / 2;
    memset(out.hidden, 0, sizeof out.hidden);
    for (size_t b = 0; b < w->n; b++) {
        size_t to = b < w->n - 1 - b ? b : w->n - 1 - b;
        out.hidden[to] += w->hidden[order[b]];
        for (size_t i = 0; i < k; i++)
            if (w->home[i] == (int)order[b])
                out.home[i] = (int)to;
    }
    out.visited = 0;
    out.merges++;
    return out;
}

/* Every world that may follow: its batches sorted by size in every possible way. */
static size_t after_merging(const counted *d, const world *w, world *out, size_t room)
{
    size_t order[BATCHES], found = 0;
    for (size_t b = 0; b < w->n; b++)
        order[b] = b;
    do {
        bool sorted = true;
        for (size_t b = 1; b < w->n; b++)
            sorted &= size_of(w, d->k, order[b - 1]) <= size_of(w, d->k, order[b]);
        if (sorted && found < room)
            out[found++] = merged(w, d->k, order);
    } while (next_order(order, w->n));
    return found;
}

/* The worlds after the round in the setup. */
static size_t advance(const counted *d, world *worlds, size_t n, double alpha, double c)
{
    static world next[MOST_WORLDS];
    size_t found = 0;
    for (size_t i = 0; i < n; i++) {
        world *w = &worlds[i];
        show(w, d->setup.round->arm[0]);
        show(w, d->setup.round->arm[1]);
        size_t start = found;
        if (w->n > 1 && (double)arms_left(w, d->k) <= (double)d->k / pow(2, (double)w->merges + 1)) {
            found += after_merging(d, w, next + found, MOST_WORLDS - found);
        } else if (found < MOST_WORLDS) {
            w->visited = (w->visited + 1) % w->n;
            next[found++] = *w;
        }
        for (size_t j = start; j < found; j++)
            eliminate(d, &next[j], alpha, c);
    }
    memcpy(worlds, next, found * sizeof *worlds);
    return found;
}

/* Drops the worlds in which the round in the setup could not have been asked. */
static size_t refute(const counted *d, world *worlds, size_t n, double alpha, double c)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        double law[MOST][MOST];
        rule(d, &worlds[i], alpha, c, law);
        if (law[d->setup.round->arm[0]][d->setup.round->arm[1]] > 0)
            worlds[kept++] = worlds[i];
    }
    return kept;
}

typedef struct shape {
    const char *spec;
    size_t k, batch, kind;
    double alpha, c;
    size_t merges, gone; /* at least, by the end */
} shape;

static void follow(const shape *s)
{
    static world worlds[MOST_WORLDS];
    tally sum = {0};
    bool possible = true;
    size_t merges = 0, gone = 0;
    for (uint64_t trial = 0; trial < 12; trial++) {
        counted d = counted_new(s->spec, s->k, 1, trial);
        double p[MOST][MOST], law[MOST][MOST];
        spar_rng luck;
        spar_rng_seed(&luck, trial, s->k, 3);
        make_matrix(s->kind, d.k, &luck, p);
        worlds[0] = world_new(d.k, s->batch);
        tell_of(&d, 0, 0, SPAR_TIE); /* before anything was asked: moves neither turn nor batch */
        size_t n = 1;
        for (size_t r = 0; n > 0 && r < 1500; r++) {
            for (size_t extra = 0; n > 1 && extra < 30; extra++) {
                ask(&d);
                n = refute(&d, worlds, n, s->alpha, s->c);
            }
            if (n == 1 && (r < 20 || r % 41 == 0)) {
                rule(&d, &worlds[0], s->alpha, s->c, law);
                compare_law(&d, law, 400, &sum);
            }
            ask(&d);
            n = refute(&d, worlds, n, s->alpha, s->c);
            tell(&d, draw_answer(p[d.setup.round->arm[0]][d.setup.round->arm[1]], 0.05, &luck));
            n = advance(&d, worlds, n, s->alpha, s->c);
            if (r % 7 == 0) { /* and so later */
                size_t i = (size_t)spar_rng_below(&luck, d.k);
                tell_of(&d, i, i, SPAR_TIE);
            }
        }
        possible &= n > 0;
        merges += n ? worlds[0].merges : 0;
        gone += n ? d.k - arms_left(&worlds[0], d.k) : 0;
        counted_free(&d);
    }
    ok(possible, "%s, %zu arms: the batches that are played can be explained", s->spec, s->k);
    ok(merges >= s->merges && gone >= s->gone, "%s, %zu arms: %zu merges, %zu arms left", s->spec, s->k, merges, gone);
    judge(&sum, s->spec);
}

/* With 6 arms in batches of 4 and 2, two given arms share one in (6 + 1) / 15 of all cases. */
static void random_batches(void)
{
    enum { TRIALS = 4000 };
    size_t together = 0;
    for (uint64_t trial = 0; trial < TRIALS; trial++) {
        counted d = counted_new("merge_rucb", 6, 1, trial);
        bool met[MOST][MOST] = {{false}};
        for (size_t r = 0; r < 60; r++) {
            ask(&d);
            met[d.setup.round->arm[0]][d.setup.round->arm[1]] = met[d.setup.round->arm[1]][d.setup.round->arm[0]] =
                true;
            tell(&d, SPAR_TIE);
        }
        together += met[0][1];
        counted_free(&d);
    }
    near((double)together / TRIALS, 7.0 / 15, 5 * sqrt(7.0 / 15 * 8 / 15 / TRIALS), "batches are random");
}

/* Against one arm that always wins, the other leaves after 4 alpha log(t + c) duels. */
static void theory(void)
{
    counted d = counted_new("merge_rucb(theory=1)", 2, 1, 1);
    double log_c = 50 * log(1.04 * 4 / (0.02 * 0.01)), duels = 0;
    for (size_t r = 0; r < 2000; r++) {
        ask(&d);
        duels += d.setup.round->arm[0] != d.setup.round->arm[1];
        tell(&d, d.setup.round->arm[0] < d.setup.round->arm[1] ? SPAR_WIN : SPAR_LOSS);
    }
    near(duels, floor(4 * 0.51 * log_c) + 1, 0, "with the published c it takes 1015 defeats to leave");
    counted_free(&d);
    spar_policy *policy = NULL;
    spar_arms *arms = NULL;
    spar_error err = {0};
    spar_rng rng;
    spar_rng_seed(&rng, 1, 1, 1);
    ok(spar_arms_new(3, 0, NULL, NULL, &arms) == SPAR_OK &&
           spar_policy_new("merge_rucb(alpha=0.5,theory=1)", arms, 2, 0, &rng, &policy, &err) == SPAR_INVALID &&
           !policy && strstr(err.text, "alpha > 0.5"),
       "which needs alpha > 1/2");
    spar_arms_free(arms);
}

/* Only the first answer to a question moves the turn. */
static void late_answers(void)
{
    counted d = counted_new("merge_rucb", 8, 1, 9);
    bool own[MOST] = {false};
    size_t strangers = 0;
    for (size_t r = 0; r < 60; r++) { /* an even number: batch 0 is next */
        ask(&d);
        own[d.setup.round->arm[0]] |= r % 2 == 0;
        own[d.setup.round->arm[1]] |= r % 2 == 0;
        tell(&d, SPAR_TIE);
    }
    ask(&d);
    tell(&d, SPAR_TIE); /* batch 1 is next */
    tell(&d, SPAR_TIE);
    for (size_t r = 0; r < 100; r++) {
        ask(&d);
        strangers += !own[d.setup.round->arm[0]] && !own[d.setup.round->arm[1]];
    }
    ok(strangers == 100, "a repeated answer does not move the turn again");
    counted_free(&d);
}

int main(void)
{
    double small_c = pow((4 * 8 - 1) * 64 / ((2 * 8 - 1) * 0.01), 1.0 / 15), large_c = pow(1.04 * 64 / 0.0002, 50);
    const shape shapes[] = {
        {"merge_rucb", 8, 4, 3, 0.51, 0, 12, 60},
        {"merge_rucb", 6, 4, 3, 0.51, 0, 8, 30},
        {"merge_rucb", 12, 4, 0, 0.51, 0, 5, 50},
        {"merge_rucb", 16, 4, 3, 0.51, 0, 24, 120},
        {"merge_rucb", 7, 4, 2, 0.51, 0, 0, 20},
        {"merge_rucb", 9, 4, 1, 0.51, 0, 0, 0},
        {"merge_rucb(alpha=0)", 8, 4, 0, 0, 0, 12, 60},
        {"merge_rucb(batch=5)", 11, 5, 3, 0.51, 0, 12, 60},
        {"merge_rucb(c=50)", 16, 4, 3, 0.51, 50, 12, 60},
        {"merge_rucb(alpha=8,theory=1)", 8, 4, 3, 8, small_c, 0, 0},
        {"merge_rucb(theory=1)", 8, 4, 0, 0.51, large_c, 0, 0},
        {"merge_rucb(alpha=1,c=1e6)", 8, 4, 3, 1, 1e6, 12, 60},
    };
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        follow(&shapes[i]);
    random_batches();
    theory();
    late_answers();
    endures("merge_rucb");
    return done();
}
