/* The ladder at thresholds that it would not choose: every branch of the draw is taken. Then arms that come and go. */
#include "posterior/beta/beta.h"

#include "posterior/beta/states.h"
#include "sampler/sampler.h"

static void set_rungs(spar__ladder *ladder, const state *s, const double *log_below)
{
    for (size_t l = 0; l < SPAR__LEVELS; l++)
        ladder->c[l] = 1 / (1 + exp(-where(s, log_below[l])));
    for (uint32_t g = 0; g < ladder->groups.used; g++)
        if (ladder->groups.group[g].members)
            spar__group_start(&ladder->groups.group[g], ladder->c);
    spar__ladder_sum(ladder);
}

/* Two different arms at the same rungs: the kinds of both against their law. Where the ladder leaves the second slot
 * open, all arms are drawn. */
static void check_second(const spar__ladder *ladder, const state *s, const size_t *of, const spar__beta_view *view,
                         const char *what)
{
    enum { MOST = 8 };
    double law[MOST * MOST] = {0}, count[MOST * MOST] = {0}, p[MOST_KINDS], q[MOST_KINDS];
    size_t arm[2], done, left = 0, twice = 0, n = s->kinds;
    spar_scratch *scratch;
    spar_rng rng;
    state_law(s, 2000, p);
    for (size_t g = 0; g < n; g++) {
        static state without;
        without = *s;
        without.kind[g].count--;
        state_law(&without, 2000, q);
        for (size_t h = 0; h < n; h++)
            law[g * n + h] = (double)s->kind[g].count * p[g] * (double)without.kind[h].count * q[h];
    }
    spar_rng_seed(&rng, 9, 1, 2);
    if (spar_scratch_new(&scratch))
        abort();
    for (size_t t = 0; t < 60000; t++) {
        if (spar__ladder_best_distinct(ladder, scratch, &rng, 2, arm, &done))
            abort();
        left += done < 2;
        for (double i = 0, top = -1; done < 2 && i < (double)view->n; i++) {
            double theta = (size_t)i == arm[0] ? -2 : spar__beta(&rng, view->a[(size_t)i], view->b[(size_t)i]);
            arm[1] = theta > top ? (size_t)i : arm[1];
            top = fmax(top, theta);
        }
        count[of[arm[0]] * n + of[arm[1]]]++;
        twice += arm[0] == arm[1];
    }
    double sigma = fit_sigma(n * n, count, law);
    ok(sigma < 5 && twice == 0, "%s: two different arms %.1f sigma (%zu second slots left open)", what, sigma, left);
    spar_scratch_free(scratch);
}

/* Rungs at which the largest of all has these logs of its distribution function, which are minus the total rates. */
static void check_rungs(const state *s, const char *what, const double *log_below)
{
    static double p[MOST_KINDS], a[MOST_KINDS], b[MOST_KINDS], count[MOST_KINDS];
    static bool alive[MOST_KINDS];
    size_t n = state_arms(s), of[MOST_KINDS], arm[3];
    spar_scratch *scratch;
    spar_rng rng;
    spar__ladder ladder = {0};
    for (size_t g = 0, i = 0; g < s->kinds; g++)
        for (size_t k = 0; k < s->kind[g].count; k++, i++) {
            a[i] = s->kind[g].a;
            b[i] = s->kind[g].b;
            alive[i] = true;
            of[i] = g;
        }
    spar__beta_view view = {n, n, a, b, alive, 0};
    spar_rng_seed(&rng, 8, 1, 2);
    if (spar__ladder_resize(&ladder, &view, n) || !ladder.on || spar_scratch_new(&scratch))
        abort();
    set_rungs(&ladder, s, log_below);
    memset(count, 0, sizeof count);
    for (size_t t = 0; t < 50000; t++) {
        if (spar__ladder_best(&ladder, scratch, &rng, 3, arm))
            abort();
        for (size_t j = 0; j < 3; j++)
            count[of[arm[j]]]++;
    }
    state_law(s, 2000, p);
    for (size_t g = 0; g < s->kinds; g++)
        p[g] *= (double)s->kind[g].count;
    double sigma = fit_sigma(s->kinds, count, p);
    near(ladder.total[3], -log_below[3], 1e-6 * fmax(1, -log_below[3]), "%s: the rate of a rung", what);
    ok(sigma < 5, "%s: %.1f sigma", what, sigma);
    check_second(&ladder, s, of, &view, what);
    spar_scratch_free(scratch);
    spar__ladder_free(&ladder);
}

/* The belief with arms retired and arms that came, against the same one started afresh. */
static void test_changes(void)
{
    enum { N = 70 };
    static double p[MOST_KINDS];
    state s = {"after changes", 4, {{30, 10, 3}, {9, 5, 20}, {1, 1, 20}, {2, 5, 27}}};
    belief b = state_belief(&s);
    for (size_t i = 0; i < 2; i++) /* two of the three leaders go, five fresh ones come */
        if (spar_arms_retire(b.arms, i) || b.self->cls->resize(b.self))
            abort();
    for (size_t i = 0; i < 5; i++)
        if (spar_arms_add(b.arms, NULL, NULL, NULL) || b.self->cls->resize(b.self))
            abort();
    state after = {"after changes", 5, {{30, 10, 1}, {9, 5, 20}, {1, 1, 20}, {2, 5, 27}, {1, 1, 5}}};
    state_law(&after, 2000, p);
    for (int settled = 0; settled < 2; settled++) {
        double count[6] = {0}, law[6] = {0}; /* the last: retired */
        for (size_t t = 0; t < 50000; t++) {
            size_t arm[2];
            if (b.self->cls->best(b.self, b.scratch, &b.rng, 2, arm, NULL))
                abort();
            for (size_t j = 0; j < 2; j++)
                count[arm[j] < 2 ? 5 : arm[j] < 3 ? 0 : arm[j] < 23 ? 1 : arm[j] < 43 ? 2 : arm[j] < N ? 3 : 4]++;
        }
        for (size_t g = 0; g < 5; g++)
            law[g] = p[g] * (double)after.kind[g].count;
        double sigma = fit_sigma(6, count, law);
        ok(sigma < 5, "arms came and went%s: %.1f sigma", settled ? ", and it has settled" : "", sigma);
        for (int t = 0; t < 100; t++)
            b.self->cls->settle(b.self);
    }
    belief_close(&b);
}

/* Fresh arms come to weak ones, or the strong ones go: until it settles, all arms are better drawn. */
static void test_stale(void)
{
    enum { KNOWN = 100, ALL = 2100 };
    static double a[ALL], b[ALL];
    static bool alive[ALL];
    spar__ladder ladder = {0};
    for (size_t i = 0; i < ALL; i++) {
        a[i] = i < 5 ? 900 : i < KNOWN ? 100 : 1;
        b[i] = i < KNOWN ? 400 : 1;
        alive[i] = true;
    }
    spar__beta_view view = {KNOWN, KNOWN, a, b, alive, 0};
    if (spar__ladder_resize(&ladder, &view, ALL))
        abort();
    ok(spar__ladder_pays(&ladder), "a new ladder pays");
    for (size_t i = 0; i < 5; i++)
        alive[i] = false;
    view.live -= 5;
    ok(!spar__ladder_resize(&ladder, &view, ALL) && !spar__ladder_pays(&ladder), "not when the best have gone");
    for (int t = 0; t < 200; t++)
        spar__ladder_settle(&ladder, &view);
    ok(spar__ladder_pays(&ladder), "it does when it has settled");
    view.n = ALL;
    view.live = ALL - 5;
    ok(!spar__ladder_resize(&ladder, &view, ALL) && !spar__ladder_pays(&ladder), "not when better ones have come");
    spar__ladder_settle(&ladder, &view);
    ok(spar__ladder_pays(&ladder), "it does when it has settled");
    spar__ladder_free(&ladder);
}

/* Steps that are not whole cost more than a ladder of 70 arms saves: it rests, goes on where it was saved, and comes
 * back when whole steps are all there is. */
static void test_rest(void)
{
    enum { N = 70 };
    double a[N], b[N];
    bool alive[N];
    spar__ladder ladder = {0};
    for (size_t i = 0; i < N; i++) {
        a[i] = b[i] = 1;
        alive[i] = true;
    }
    spar__beta_view view = {N, N, a, b, alive, 0};
    size_t t = 0, rested = 0;
    if (spar__ladder_resize(&ladder, &view, N) || spar__ladder_reserve(&ladder, 1))
        abort();
    for (; ladder.on && t < 10000; t++) {
        spar__ladder_touch(&ladder, &view, 7);
        a[7] += 0.375;
        spar__ladder_settle(&ladder, &view);
    }
    ok(t < 1000 && ladder.pause > 0, "steps that are not whole: it rests from round %zu on", t);
    a[N - 1] += 1;
    alive[0] = false;
    view.live--;
    ok(!spar__ladder_resize(&ladder, &view, N) && !ladder.on, "also when an arm goes");
    spar__archive saved = {0};
    spar__ladder_archive(&ladder, &view, &saved);
    spar__ladder twin = {0};
    spar__archive in = {.loading = true, .in = (const unsigned char *)saved.out.text, .left = saved.out.length};
    if (spar__ladder_resize(&twin, &view, N))
        abort();
    spar__ladder_archive(&twin, &view, &in);
    ok(!in.failed && in.left == 0 && !twin.on && twin.pause == ladder.pause, "and when it is saved");
    for (; !ladder.on && rested < 1000; rested++) {
        spar__ladder_settle(&ladder, &view);
        spar__ladder_settle(&twin, &view);
    }
    ok(twin.on && rested == SPAR__LADDER_PAUSE && memcmp(ladder.c, twin.c, sizeof twin.c) == 0, "%zu rounds", rested);
    for (t = 1; t < 10000; t++) {
        spar__ladder_touch(&ladder, &view, t % N);
        b[t % N] += 1;
        spar__ladder_settle(&ladder, &view);
    }
    ok(ladder.on, "whole steps let it work");
    spar__buf_free(&saved.out);
    spar__ladder_free(&twin);
    spar__ladder_free(&ladder);
}

/* Without memory for the groups it is off, and tries again. */
static void test_memory(void)
{
    enum { N = 70 };
    double a[N], b[N];
    bool alive[N];
    for (size_t i = 0; i < N; i++) {
        a[i] = 1 + (double)i;
        b[i] = 1;
        alive[i] = true;
    }
    spar__beta_view view = {N, N, a, b, alive, 0};
    size_t refused = 0, off = 0, back = 0;
    for (size_t k = 1; k < 40; k++) {
        spar__ladder ladder = {0};
        spar__alloc_fail_at(k);
        spar_status status = spar__ladder_resize(&ladder, &view, N);
        spar__alloc_fail_at(0);
        refused += status == SPAR_NOMEM;
        off += !status && !ladder.on;
        for (int t = 0; !status && !ladder.on && t < SPAR__LADDER_PAUSE; t++) {
            spar__ladder_settle(&ladder, &view);
            back += ladder.on;
        }
        spar__ladder_free(&ladder);
    }
    ok(refused > 0 && off > 0 && back == off, "no memory: %zu times refused, %zu times off, %zu times back", refused,
       off, back);
}

/* Up to 64 arms it is the lazy way, from 65 on the ladder; back again when the newest is taken back. */
static void test_border(void)
{
    belief b = plain_arms("beta", 60);
    bool good = true;
    size_t arm[2];
    for (size_t n = 61; n < 100; n++) {
        good &= !spar_arms_add(b.arms, NULL, NULL, NULL) && !b.self->cls->resize(b.self);
        if (n == 65) {
            b.arms->n--; /* as a policy does that had no room for it */
            b.arms->live--;
            good &= !b.self->cls->resize(b.self);
            tell(&b, 3, 2, 1);
            b.self->cls->settle(b.self);
            b.arms->n++;
            b.arms->live++;
            b.arms->alive[64] = true;
            good &= !b.self->cls->resize(b.self);
        }
        for (int t = 0; t < 50; t++) {
            good &= !b.self->cls->best(b.self, b.scratch, &b.rng, 2, arm, NULL) && arm[0] < n && arm[1] < n;
            tell(&b, arm[0], 1, 0);
            tell(&b, arm[1], 0, 1);
            b.self->cls->settle(b.self);
        }
    }
    double ab[198];
    (void)belief_numbers(&b, 198, ab);
    double sum = 0;
    for (size_t i = 0; i < 198; i++)
        sum += ab[i];
    ok(good && sum == 2 * 99 + 3 + 39 * 100, "from few arms to many");
    belief_close(&b);
}

/* More observations between two settles than were announced: slower perhaps, but not wrong. */
static void test_unannounced(void)
{
    static double p[MOST_KINDS];
    state s = {"unannounced", 2, {{4.25, 2.5, 50}, {3, 3, 50}}};
    belief b = plain_arms("beta", 100);
    for (size_t i = 0; i < 100; i++) {
        b.self->cls->observe(b.self, i, 1, s.kind[i / 50].a - 1);
        b.self->cls->observe(b.self, i, 0, s.kind[i / 50].b - 1);
    }
    b.self->cls->settle(b.self);
    state_law(&s, 2000, p);
    fit f = state_fit(&s, &b, p, 100000);
    ok(fits(f), "more arms observed than announced: arms %.1f, pairs %.1f sigma", f.arms, f.pairs);
    belief_close(&b);
}

int main(void)
{
    static const double high[] = {-0.01, -0.02, -0.05, -0.1, -0.15, -0.2, -0.3, -0.4};
    static const double low[] = {-9, -10, -11, -12, -13, -14, -15, -16};
    static const double wide[] = {-1.5, -1.6, -2, -3, -5, -9, -15, -25};
    static const double close[] = {-0.3, -0.4, -0.6, -0.9, -1.19, -1.25, -1.4, -2};
    static const state mixed = {"mixed", 5, {{300, 200, 1}, {50, 42, 5}, {12, 11, 40}, {4, 5, 40}, {1, 1, 3}}};
    static const state led = {"led", 3, {{3000, 2000, 1}, {2900, 2010, 1}, {50, 42, 80}}};
    (void)gsl_set_error_handler_off();
    check_rungs(&mixed, "rungs too high", high);
    check_rungs(&mixed, "rungs too low", low);
    check_rungs(&mixed, "rungs far apart", wide);
    check_rungs(&mixed, "rungs close together", close);
    check_rungs(&led, "leaders, rungs too high", high);
    check_rungs(&led, "leaders, rungs far apart", wide);
    check_rungs(&led, "leaders, rungs close together", close);
    test_changes();
    test_stale();
    test_rest();
    test_memory();
    test_border();
    test_unannounced();
    return done();
}
