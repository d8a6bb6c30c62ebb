/* The Plackett-Luce beliefs against the mode found by another method, and in the cases that a reader would try. */
#include "posterior/pl/pl.h"

#include "posterior/belief.h"
#include "posterior/stat.h"

enum { K = 5, MOST = 4, EVENTS = 400 };

typedef struct event { /* a round of m arms with a kind of answer */
    size_t m, arm[MOST];
    enum { PAIRS, WINNER, RANKING, BEST_WORST, KINDS } kind;
    unsigned order[MOST]; /* slots, best first */
} event;

static unsigned below(unsigned n)
{
    static uint32_t state = 5;
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % n;
}

static void make_event(event *e, int kind, size_t arms)
{
    e->m = kind == PAIRS ? 3 : MOST;
    e->kind = kind;
    for (unsigned j = 0; j < e->m; j++) {
        e->arm[j] = below((unsigned)arms);
        e->order[j] = j;
    }
    for (unsigned j = 0; j < e->m; j++) { /* lower arms tend to be better */
        unsigned k = j + below((unsigned)e->m - j), held = e->order[j];
        if (e->arm[e->order[k]] <= e->arm[held] || below(3) == 0) {
            e->order[j] = e->order[k];
            e->order[k] = held;
        }
    }
}

static void tell(spar__posterior *self, const event *e, const size_t *renamed)
{
    spar_round *round = NULL;
    spar_feedback *feedback = NULL;
    size_t slot[MOST];
    if (spar_round_new(MOST, &round) || spar_feedback_new(e->m, &feedback) || self->cls->reserve(self, e->m))
        abort();
    round->m = e->m;
    for (size_t j = 0; j < e->m; j++) {
        round->arm[j] = renamed ? renamed[e->arm[j]] : e->arm[j];
        slot[j] = e->order[j];
    }
    if (e->kind == WINNER)
        (void)spar_feedback_winner(feedback, slot[0]);
    else if (e->kind == RANKING)
        (void)spar_feedback_ranking(feedback, e->m, slot, NULL);
    else if (e->kind == BEST_WORST)
        (void)spar_feedback_best_worst(feedback, slot[0], slot[e->m - 1]);
    for (size_t j = 0; e->kind == PAIRS && j + 1 < e->m; j++)
        (void)spar_feedback_set(feedback, slot[j], slot[j + 1], SPAR_WIN);
    self->cls->observe_round(self, round, feedback, 1);
    self->cls->settle(self);
    spar_round_free(round);
    spar_feedback_free(feedback);
}

/* One choice: the slots still there, of which `slot` is taken, with exp(sign theta). */
static double one_choice(const event *e, const double *theta, const bool *left, size_t slot, double sign)
{
    double sum = 0;
    for (size_t j = 0; j < e->m; j++)
        sum += left[j] ? exp(sign * theta[e->arm[j]]) : 0;
    return sign * theta[e->arm[slot]] - log(sum);
}

static double log_of(const event *e, const double *theta)
{
    bool left[MOST] = {true, true, true, true};
    double value = 0;
    for (size_t j = 0; e->kind == PAIRS && j + 1 < e->m; j++) {
        double gap = theta[e->arm[e->order[j]]] - theta[e->arm[e->order[j + 1]]];
        value -= log1p(exp(-gap));
    }
    for (size_t j = 0; e->kind != PAIRS && j < (e->kind == RANKING ? e->m : 1); j++) {
        value += one_choice(e, theta, left, e->order[j], 1);
        left[e->order[j]] = false;
    }
    return e->kind == BEST_WORST ? value + one_choice(e, theta, left, e->order[e->m - 1], -1) : value;
}

static double log_posterior(size_t n, const event *e, const double *theta)
{
    double value = 0;
    for (size_t i = 0; i < K; i++)
        value -= theta[i] * theta[i] / 2;
    for (size_t i = 0; i < n; i++)
        value += log_of(&e[i], theta);
    return value;
}

/* The mode one arm at a time: golden section along each, again and again. */
static void by_coordinates(size_t n, const event *e, double *theta)
{
    const double golden = 0.6180339887498949;
    for (int sweep = 0; sweep < 200; sweep++)
        for (size_t i = 0; i < K; i++) {
            double radius = sweep < 20 ? 1 : 1e-3, low = theta[i] - radius, high = theta[i] + radius;
            for (int step = 0; step < 60; step++) {
                double a = high - golden * (high - low), b = low + golden * (high - low), value[2];
                theta[i] = a;
                value[0] = log_posterior(n, e, theta);
                theta[i] = b;
                value[1] = log_posterior(n, e, theta);
                *(value[0] > value[1] ? &high : &low) = value[0] > value[1] ? b : a;
            }
            theta[i] = (low + high) / 2;
        }
}

static void finds_the_mode(const char *what, int kind)
{
    static event e[30];
    belief b = belief_open("pl", K);
    double mean[K], theta[K] = {0}, worst = 0;
    for (size_t i = 0; i < 30; i++) { /* refits only */
        make_event(&e[i], kind == KINDS ? (int)below(KINDS) : kind, K);
        tell(b.self, &e[i], NULL);
    }
    by_coordinates(30, e, theta);
    (void)b.self->cls->moments(b.self, b.scratch, mean, NULL);
    for (size_t i = 0; i < K; i++)
        worst = fmax(worst, fabs(mean[i] - theta[i]));
    ok(worst < 1e-6, "%s: the mean is the mode, %.0e", what, worst);
    belief_close(&b);
}

/* R'R, by arms. */
static void precision_of(const spar__pl *self, double out[K][K])
{
    for (size_t i = 0; i < K; i++)
        for (size_t j = 0; j < K; j++) {
            size_t a = self->position[i] - 1, b = self->position[j] - 1;
            out[i][j] = 0;
            for (size_t k = 0; k <= (a < b ? a : b); k++)
                out[i][j] += self->R[k * self->stride + a] * self->R[k * self->stride + b];
        }
}

/* log_of at theta moved along two arms. */
static double moved(const event *e, const double *theta, size_t i, double by_i, size_t j, double by_j)
{
    double at[K];
    memcpy(at, theta, sizeof at);
    at[i] += by_i;
    at[j] += by_j;
    return log_of(e, at);
}

/* A round between refits adds its curvature at the old mean, and makes one Newton step. */
static void learns_online(const char *what, int kind, int last)
{
    belief b = belief_open("pl", K);
    const spar__pl *self = (const spar__pl *)b.self;
    double before[K][K], after[K][K], mean[K], next[K], h = 1e-4, worst = 0;
    event e;
    for (size_t i = 0; i < 30; i++) {
        make_event(&e, kind, K);
        tell(b.self, &e, NULL);
    }
    precision_of(self, before);
    (void)b.self->cls->moments(b.self, b.scratch, mean, NULL);
    make_event(&e, last, K);
    tell(b.self, &e, NULL);
    precision_of(self, after);
    (void)b.self->cls->moments(b.self, b.scratch, next, NULL);
    for (size_t i = 0; i < K; i++) {
        double pull = (moved(&e, mean, i, h, i, 0) - moved(&e, mean, i, -h, i, 0)) / (2 * h), got = 0;
        for (size_t j = 0; j < K; j++) {
            double bend = -(moved(&e, mean, i, h, j, h) - moved(&e, mean, i, h, j, -h) - moved(&e, mean, i, -h, j, h) +
                            moved(&e, mean, i, -h, j, -h)) /
                          (4 * h * h);
            worst = fmax(worst, fabs(after[i][j] - before[i][j] - bend));
            got += after[i][j] * (next[j] - mean[j]);
        }
        worst = fmax(worst, fabs(got - pull));
    }
    ok(self->online && worst < 1e-6, "%s: a round is learned by one Newton step, %.0e", what, worst);
    belief_close(&b);
}

/* The inverse of the second differences of the log posterior has the covariance of the draws. */
static void knows_its_spread(void)
{
    static event e[25];
    belief b = belief_open("pl", K);
    double mean[K], sd[K], h = 1e-3, worst = 0;
    for (size_t i = 0; i < 25; i++) {
        make_event(&e[i], (int)below(KINDS), K);
        tell(b.self, &e[i], NULL);
    }
    (void)b.self->cls->moments(b.self, b.scratch, mean, sd);
    const spar__pl *pl = (const spar__pl *)b.self;
    for (size_t i = 0; i < pl->r; i++)
        for (size_t j = i; j < pl->r; j++) {
            double sum = 0, bend = 0, curve = 0;
            for (size_t k = 0; k < pl->r; k++)
                sum += pl->R[k * pl->stride + i] * pl->R[k * pl->stride + j];
            for (int s = 0; s < 4; s++) {
                double at[K];
                memcpy(at, mean, sizeof at);
                at[pl->arm[i]] += s & 1 ? h : -h;
                at[pl->arm[j]] += s & 2 ? h : -h;
                curve += (s == 0 || s == 3 ? -1 : 1) * log_posterior(25, e, at);
            }
            bend = curve / (4 * h * h);
            worst = fmax(worst, fabs(bend - sum));
        }
    ok(worst < 1e-3, "R'R is the curvature at the mode, %.0e", worst);
    belief_close(&b);
}

static double largest_gap(belief *a, belief *b, size_t arms)
{
    double x[64], y[64], sx[64], sy[64], worst = 0;
    (void)a->self->cls->moments(a->self, a->scratch, x, sx);
    (void)b->self->cls->moments(b->self, b->scratch, y, sy);
    for (size_t i = 0; i < arms; i++)
        worst = fmax(worst, fmax(fabs(x[i] - y[i]), fabs(sx[i] - sy[i])) / sy[i]);
    return worst;
}

/* Rounds learned online stay near the mode; a refit forgets in which order they came. */
static void goes_online(void)
{
    static event e[EVENTS];
    belief a = belief_open("pl", K), b = belief_open("pl", K);
    double worst = 0;
    for (size_t i = 0; i < EVENTS; i++)
        make_event(&e[i], (int)below(KINDS), K);
    size_t online = 0;
    for (size_t i = 0; i < EVENTS; i++) {
        tell(a.self, &e[i], NULL);
        online += ((spar__pl *)a.self)->online;
        if (((spar__pl *)a.self)->online && i % 7 == 0) { /* the same answers, with a refit at the end */
            b.self->cls->forget(b.self);
            for (size_t k = 0; k <= i; k++)
                tell(b.self, &e[i - k], NULL);
            spar__pl *pl = (spar__pl *)b.self;
            if (spar__choices_reserve_join(&pl->done, &pl->recent, 0))
                abort();
            spar__choices_join(&pl->done, &pl->recent);
            spar__choices_clear(&pl->recent);
            spar__pl_refit(pl);
            worst = fmax(worst, largest_gap(&a, &b, K));
        }
    }
    ok(online > EVENTS / 2 && worst < 0.05, "online rounds stay within %.4f sd of the mode", worst);
    spar__pl *pl = (spar__pl *)a.self;
    if (spar__choices_reserve_join(&pl->done, &pl->recent, 0))
        abort();
    spar__choices_join(&pl->done, &pl->recent);
    spar__choices_clear(&pl->recent);
    spar__pl_refit(pl);
    b.self->cls->forget(b.self);
    for (size_t k = 0; k < EVENTS; k++)
        tell(b.self, &e[EVENTS - 1 - k], NULL);
    pl = (spar__pl *)b.self;
    if (spar__choices_reserve_join(&pl->done, &pl->recent, 0))
        abort();
    spar__choices_join(&pl->done, &pl->recent);
    spar__choices_clear(&pl->recent);
    spar__pl_refit(pl);
    ok(largest_gap(&a, &b, K) < 1e-8, "after a refit the order of the log does not matter");
    belief_close(&a);
    belief_close(&b);
}

/* More than 64 arms with pairs: online, too. */
static void many_arms(void)
{
    enum { MANY = 70 };
    spar_arms *arms = NULL;
    belief b;
    if (spar_arms_new(MANY, 0, NULL, NULL, &arms) || belief_over(&b, "pl", arms, NULL))
        abort();
    for (size_t i = 0; i < 1500; i++) {
        event e;
        make_event(&e, PAIRS, MANY);
        tell(b.self, &e, NULL);
    }
    spar__pl *pl = (spar__pl *)b.self;
    double before[MANY], after[MANY], sd[MANY], worst = 0;
    (void)b.self->cls->moments(b.self, b.scratch, before, NULL);
    ok(pl->online && pl->r == MANY, "many arms are learned online");
    if (spar__choices_reserve_join(&pl->done, &pl->recent, 0))
        abort();
    spar__choices_join(&pl->done, &pl->recent);
    spar__pl_refit(pl);
    (void)b.self->cls->moments(b.self, b.scratch, after, sd);
    for (size_t i = 0; i < MANY; i++)
        worst = fmax(worst, fabs(before[i] - after[i]) / sd[i]);
    ok(worst < 0.05, "and stay within %.4f sd of the mode", worst);
    belief_close(&b);
}

/* One feature for each arm: linear_pl is pl. */
static void one_feature_each(void)
{
    double x[K * K] = {0};
    spar_arms *arms = NULL;
    belief linear, free_one = belief_open("pl(sd=1.5)", K);
    for (size_t i = 0; i < K; i++)
        x[i * K + i] = 1;
    if (spar_arms_new(K, K, x, NULL, &arms) || belief_over(&linear, "linear_pl(sd=1.5)", arms, NULL))
        abort();
    for (size_t i = 0; i < 28; i++) {
        event e;
        make_event(&e, (int)below(KINDS), K);
        tell(linear.self, &e, NULL);
        tell(free_one.self, &e, NULL);
    }
    ok(largest_gap(&linear, &free_one, K) < 1e-8, "linear_pl with a feature for each arm is pl");
    belief_close(&linear);
    belief_close(&free_one);
    spar_error err = {0};
    if (spar_arms_new(K, 0, NULL, NULL, &arms))
        abort();
    ok(belief_over(&linear, "linear_pl", arms, &err) == SPAR_UNSUPPORTED && strstr(err.text, "features"),
       "linear_pl needs features: %s", err.text);
}

/* Equal arms, whatever is asked: each is best as often. */
static void treats_alike(void)
{
    belief b = belief_open("pl", K);
    for (size_t i = 0; i < K; i++)
        for (size_t j = 0; j < K; j++) {
            event e = {2, {i, j}, PAIRS, {0, 1}};
            if (i != j)
                tell(b.self, &e, NULL);
        }
    double count[K] = {0}, even[K], worst = 0;
    for (int t = 0; t < 20000; t++) {
        size_t arm[1];
        if (b.self->cls->best(b.self, b.scratch, &b.rng, 1, arm, NULL))
            abort();
        count[arm[0]]++;
    }
    for (size_t i = 0; i < K; i++)
        even[i] = 20000.0 / K;
    for (size_t i = 0; i < K; i++)
        worst = fmax(worst, fabs(count[i] - even[i]) / sqrt(even[i]));
    ok(worst < 5, "equal arms are best equally often (%.1f sigma)", worst);
    belief_close(&b);
}

/* A state after online rounds goes on the same when it was saved and loaded. */
static void saves_online(const char *name)
{
    belief a = belief_open(name, K), b = belief_open(name, K);
    event e;
    for (size_t i = 0; i < 100; i++) {
        make_event(&e, WINNER, K);
        tell(a.self, &e, NULL);
    }
    spar__archive out = {0};
    a.self->cls->archive(a.self, &out);
    spar__archive in = {.loading = true, .in = (const unsigned char *)out.out.text, .left = out.out.length};
    b.self->cls->archive(b.self, &in);
    bool same = !in.failed && in.left == 0 && ((spar__pl *)a.self)->online;
    for (size_t i = 0; i < 40; i++) {
        make_event(&e, RANKING, K);
        tell(a.self, &e, NULL);
        tell(b.self, &e, NULL);
    }
    ok(same && largest_gap(&a, &b, K) == 0, "%s: goes on the same after a load", name);
    spar__buf_free(&out.out);
    belief_close(&a);
    belief_close(&b);
}

static void extremes(void)
{
    belief b = belief_open("pl(sd=1000)", K);
    for (size_t i = 0; i < 2000; i++) { /* one always wins, by choice of all */
        event e = {4, {0, 1, 2, 3}, WINNER, {0, 1, 2, 3}};
        tell(b.self, &e, NULL);
    }
    double mean[K], sd[K];
    (void)b.self->cls->moments(b.self, b.scratch, mean, sd);
    bool finite = true;
    for (size_t i = 0; i < K; i++)
        finite &= isfinite(mean[i]) && isfinite(sd[i]) && sd[i] > 0;
    ok(finite && mean[0] > mean[1], "one that always wins under a wide prior: all stays finite");
    belief_close(&b);
}

int main(void)
{
    finds_the_mode("pairs", PAIRS);
    finds_the_mode("winner", WINNER);
    finds_the_mode("ranking", RANKING);
    finds_the_mode("best and worst", BEST_WORST);
    finds_the_mode("all kinds", KINDS);
    learns_online("winner", WINNER, WINNER);
    learns_online("ranking", RANKING, RANKING);
    learns_online("best and worst", BEST_WORST, BEST_WORST);
    learns_online("pairs after rankings", RANKING, PAIRS);
    knows_its_spread();
    goes_online();
    many_arms();
    one_feature_each();
    treats_alike();
    saves_online("pl");
    saves_online("linear_pl");
    extremes();
    return done();
}
