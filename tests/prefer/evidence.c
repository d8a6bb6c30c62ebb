/* Against the slow reference on random logs; known values; saving; memory; cost. */
#include "prefer/evidence.h"

#include "base/alloc.h"
#include "prefer/logs.h"
#include "tap.h"

#include <stdlib.h>
#include <time.h>

enum { EVENTS = 160 };

static const logs_kind kinds[] = {
    {"two options", 2, 2, 2, 0.4, 0, 0, 0, 0.1, 0.05, 0, 0, false},
    {"five, well apart", 5, 5, 4, 2.0, 0, 0, 0, 0.05, 0.05, 0, 0, false},
    {"four alike", 4, 4, 5, 0.0, 0, 0, 0, 0.1, 0, 0, 0, false},
    {"some come and go", 3, 9, 4, 1.5, 0.04, 0.1, 0, 0.05, 0.05, 0, 0, false},
    {"copies on the screen", 4, 4, 5, 1.0, 0, 0, 0.5, 0.1, 0, 0, 0, false},
    {"independent duels with copies", 3, 6, 5, 0.7, 0.02, 0.02, 0.5, 0.1, 0, 0, 0, true},
    {"weights", 3, 5, 3, 1.5, 0.02, 0.05, 0, 0.05, 0, 1, 0, false},
};

static void answer_of(const ref_event *e, unsigned char *outcome)
{
    for (size_t j = 0; j < e->m; j++)
        for (size_t k = 0; k < e->m; k++)
            outcome[j * e->m + k] = (unsigned char)e->outcome[j][k];
}

static void take(spar__evidence *ev, const ref_event *e)
{
    unsigned char outcome[REF_SLOTS * REF_SLOTS];
    spar__stated stated[REF_SLOTS * REF_SLOTS];
    answer_of(e, outcome);
    if (e->kind == REF_EVENT_ADD)
        (void)spar__evidence_add(ev);
    else if (e->kind == REF_EVENT_RETIRE)
        spar__evidence_retire(ev, e->option);
    else if (e->weight == 1)
        (void)spar__evidence_answer(ev, e->m, e->slot, outcome, e->duels);
    else
        (void)spar__evidence_learn(ev, spar__stated_of(e->m, e->slot, outcome, e->duels, e->weight, stated), stated);
}

/* The largest relative difference of any logarithm (absolute below 1), and whether all statements agree. */
typedef struct agreement {
    double worst;
    bool statements;
    size_t best, practical, equal, out; /* how often they were made */
} agreement;

static void differ(agreement *a, double got, double wanted)
{
    double error = got == wanted ? 0 : fabs(got - wanted) / fmax(1, fabs(wanted));
    a->worst = fmax(a->worst, isnan(error) ? (double)INFINITY : error);
}

static void compare_pairs(agreement *a, const spar__evidence *ev, const ref_conclusion *c)
{
    for (size_t x = 0; x < c->n; x++)
        for (size_t j = 0; j < c->n; j++) {
            if (x == j)
                continue;
            spar__against got = spar__evidence_against(ev, x, j);
            differ(a, got.won, c->w[x][j]);
            differ(a, got.lost, c->w[j][x]);
            differ(a, got.log_e, c->log_e[x][j]);
            differ(a, got.log_max, c->log_m[x][j]);
            differ(a, got.log_near, c->log_eps[x][j]);
            if (ev->started && c->alive[x] && c->alive[j])
                differ(a, spar__evidence_threshold(ev, x, j), log(c->threshold[x][j]));
        }
}

static size_t wanted_option(const ref_conclusion *c, ref_verdict verdict)
{
    return c->verdict == verdict ? c->option : SPAR__NO_OPTION;
}

static void compare_statements(agreement *a, const spar__evidence *ev, const ref_conclusion *c)
{
    bool good = ev->n == c->n;
    for (size_t x = 0; x < c->n; x++) {
        good = good && spar__evidence_running(ev, x) == c->running[x];
        a->out += c->alive[x] && !c->running[x];
    }
    if (c->verdict >= REF_VERDICT_BEST) {
        good = good && spar__evidence_best(ev) == wanted_option(c, REF_VERDICT_BEST);
        if (c->verdict != REF_VERDICT_BEST)
            good = good && spar__evidence_equal(ev) == (c->verdict == REF_VERDICT_EQUAL);
        if (c->verdict >= REF_VERDICT_PRACTICAL)
            good = good && spar__evidence_practical(ev) == wanted_option(c, REF_VERDICT_PRACTICAL);
    }
    a->best += c->verdict == REF_VERDICT_BEST;
    a->equal += c->verdict == REF_VERDICT_EQUAL;
    a->practical += c->verdict == REF_VERDICT_PRACTICAL;
    a->statements = a->statements && good;
}

static void play(const logs_kind *kind, const ref_rules *rules, agreement *a)
{
    static ref_event event[EVENTS];
    ref_conclusion c;
    spar__evidence ev;
    logs_make(kind, EVENTS, event);
    (void)spar__evidence_init(&ev, rules->options, rules->delta, (rules->live ? 0.8 : 1) * rules->delta, rules->eps);
    for (size_t t = 0; t < EVENTS; t++) {
        take(&ev, &event[t]);
        if (t % 16 == 15 || t < 4 || event[t].kind != REF_EVENT_ANSWER) {
            ref_conclude(rules, t + 1, event, &c);
            compare_pairs(a, &ev, &c);
            compare_statements(a, &ev, &c);
        }
    }
    spar__evidence_fini(&ev);
}

/* Strict and lax rules: with lax ones, all statements are made within few answers. */
static void against_the_reference(void)
{
    agreement all = {.statements = true};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        agreement a = {.statements = true};
        for (int run = 0; run < 6; run++) {
            ref_rules rules = {kinds[k].options, run % 2 ? 0.05 : 0.6, run % 3 ? 0.2 : 1.2, run % 2, false};
            play(&kinds[k], &rules, &a);
        }
        ok(a.worst < 1e-9, "%s: every log E, maximum and threshold (%.1e)", kinds[k].name, a.worst);
        ok(a.statements, "%s: every statement (best %zu, equal %zu, practical %zu, out %zu)", kinds[k].name, a.best,
           a.equal, a.practical, a.out);
        all.best += a.best, all.equal += a.equal, all.practical += a.practical, all.out += a.out;
    }
    ok(all.best > 20 && all.equal > 20 && all.practical > 20 && all.out > 50, "each statement was made");
}

static void far_out(void)
{
    double worst = 0;
    static const double counts[][2] = {{0, 0}, {1, 0}, {0, 1}, {40, 3}, {0, 900}, {900, 0}, {4000, 4100}, {0.3, 7.7}};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        for (double p0 = 0.05; p0 < 1; p0 += 0.15) {
            double w = counts[i][0], l = counts[i][1], wanted = ref_log_e(w, l, p0), both[2];
            worst = fmax(worst, fabs(spar__log_evidence(w, l, p0) - wanted) / fmax(1, fabs(wanted)));
            spar__log_evidence_both(w, l, &both[0], &both[1]);
            worst = fmax(worst, fabs(both[0] - spar__log_evidence(w, l, 0.5)));
            worst = fmax(worst, fabs(both[1] - spar__log_evidence(l, w, 0.5)));
        }
    ok(worst < 1e-9, "log E by integration, large counts and far tails (%.1e)", worst);
    near(spar__log_evidence(0, 1e5, 0.5), -10.612, 0.001, "many losses: log E falls slowly");
    ok(isfinite(spar__log_evidence(1e6, 0, 0.5)), "a million wins are finite");
}

static void intervals(void)
{
    static const double counts[][2] = {{0, 0}, {1, 0}, {9, 3}, {0, 30}, {300, 200}, {2.5, 0.5}};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        double low, high, slow_low, slow_high, w = counts[i][0], l = counts[i][1], back_low, back_high;
        spar__win_rate_interval(w, l, log(40), &low, &high);
        spar__win_rate_interval(l, w, log(40), &back_low, &back_high);
        ref_interval(w, l, 40, &slow_low, &slow_high);
        ok(low >= slow_low && low <= slow_low + 0.0005 && high <= slow_high && high >= slow_high - 0.0005,
           "%g : %g gives [%.4f, %.4f]", w, l, low, high);
        ok(fabs(low + back_high - 1) < 1e-12 && fabs(high + back_low - 1) < 1e-12, "mirrored");
    }
}

static void fill(spar__evidence *ev, const logs_kind *kind, size_t seed)
{
    static ref_event event[EVENTS];
    logs_state = seed;
    logs_make(kind, EVENTS, event);
    for (size_t t = 0; t < EVENTS; t++)
        take(ev, &event[t]);
}

static void save(spar__evidence *ev, spar__archive *ar)
{
    *ar = (spar__archive){0};
    spar__evidence_archive(ev, ar);
}

static bool same_option(const spar__option_evidence *a, const spar__option_evidence *b)
{
    return a->log_threshold == b->log_threshold && a->over == b->over && a->under == b->under && a->near == b->near &&
           a->level == b->level;
}

static bool same_state(spar__evidence *a, spar__evidence *b)
{
    spar__archive x, y;
    save(a, &x);
    save(b, &y);
    bool same = x.out.length == y.out.length && memcmp(x.out.text, y.out.text, x.out.length) == 0;
    for (size_t i = 0; i < a->n; i++)
        same = same && a->n == b->n && same_option(&a->option[i], &b->option[i]);
    spar__buf_free(&x.out);
    spar__buf_free(&y.out);
    return same;
}

static void saved_and_loaded(void)
{
    spar__evidence ev, back;
    spar__archive out;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        (void)spar__evidence_init(&ev, kinds[k].options, 0.3, 0.3, 0.2);
        (void)spar__evidence_init(&back, 1, 0.3, 0.3, 0.2);
        fill(&ev, &kinds[k], k);
        save(&ev, &out);
        spar__archive in = {.loading = true, .in = (unsigned char *)out.out.text, .left = out.out.length};
        spar__evidence_archive(&back, &in);
        ok(!in.failed && in.left == 0 && same_state(&ev, &back), "%s: saved and loaded", kinds[k].name);
        fill(&ev, &kinds[0], 99);
        fill(&back, &kinds[0], 99);
        ok(same_state(&ev, &back), "and goes on the same");
        size_t passed = 0;
        for (size_t cut = 0; cut < out.out.length; cut += 7) {
            spar__archive part = {.loading = true, .in = (unsigned char *)out.out.text, .left = cut};
            spar__evidence_archive(&back, &part);
            passed += !part.failed;
        }
        ok(passed == 0, "no part of it is taken for the whole");
        for (size_t at = 0; at < out.out.length; at += 3) { /* whatever is damaged: refused or usable */
            char old = out.out.text[at];
            out.out.text[at] = (char)(old ^ 0x55);
            spar__archive part = {.loading = true, .in = (unsigned char *)out.out.text, .left = out.out.length};
            spar__evidence_archive(&back, &part);
            if (!part.failed)
                (void)spar__evidence_best(&back), (void)spar__evidence_equal(&back);
            out.out.text[at] = old;
        }
        spar__buf_free(&out.out);
        spar__evidence_fini(&ev);
        spar__evidence_fini(&back);
    }
}

static void blank(void)
{
    spar__evidence ev, empty;
    (void)spar__evidence_init(&ev, 3, 0.3, 0.3, 0.2);
    fill(&ev, &kinds[3], 5);
    ok(spar__evidence_blank(&ev, &empty) == SPAR_OK && empty.n == ev.n && empty.live == ev.live, "the same options");
    bool same = true;
    for (size_t i = 0; i < ev.n; i++)
        same = same && ev.option[i].log_threshold == empty.option[i].log_threshold;
    ok(same && empty.pairs.count == 0 && spar__evidence_running_count(&empty) == empty.live, "no answers");
    spar__evidence_fini(&empty);
    spar__evidence_fini(&ev);
}

static void refused(void)
{
    spar__evidence ev;
    const size_t arm[] = {0, 2};
    const unsigned char outcome[] = {0, 3, 1, 0}, missing[4] = {0};
    (void)spar__evidence_init(&ev, 2, 0.05, 0.05, 0.2);
    ok(spar__evidence_answer(&ev, 2, arm, outcome, false) == SPAR_INVALID && !ev.started,
       "an option that is not there");
    const size_t good[] = {0, 1};
    ok(spar__evidence_answer(&ev, 2, good, missing, false) == SPAR_OK && !ev.started, "a skip changes nothing");
    ok(spar__evidence_threshold(&ev, 0, 1) == (double)INFINITY, "before the first answer nothing reaches a threshold");
    spar__evidence_retire(&ev, 1);
    ok(spar__evidence_best(&ev) == SPAR__NO_OPTION, "one option without a rival is not best");
    spar__evidence_fini(&ev);
}

static void without_memory(void)
{
    spar__evidence ev;
    size_t done_with = 0;
    for (size_t k = 1; k < 60; k++) {
        spar__alloc_fail_at(k);
        if (spar__evidence_init(&ev, 4, 0.05, 0.05, 0.2) == SPAR_OK) {
            fill(&ev, &kinds[3], 7);
            spar__evidence_fini(&ev);
            done_with++;
        }
    }
    spar__alloc_fail_at(0);
    ok(done_with > 0, "every allocation fails once, nothing breaks");
}

static double seconds(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Seconds for an answer and a verdict. */
static double each_takes(size_t n, size_t m, size_t votes, size_t *told)
{
    spar__evidence ev;
    unsigned char outcome[25];
    (void)spar__evidence_init(&ev, n, 0.05, 0.05, 0.2);
    double begun = seconds();
    for (size_t t = 0; t < votes; t++) {
        size_t arm[5];
        for (size_t j = 0; j < m; j++)
            arm[j] = (logs_below(n / m) * m + j) % n;
        for (size_t j = 0; j < m; j++)
            for (size_t k = 0; k < m; k++)
                outcome[j * m + k] = j == k ? 0 : arm[j] + logs_below(n) < arm[k] + n / 2 ? 3 : 1;
        for (size_t j = 0; j < m; j++)
            for (size_t k = 0; k < j; k++)
                outcome[j * m + k] = (unsigned char)(4 - outcome[k * m + j]);
        *told += spar__evidence_answer(&ev, m, arm, outcome, false) == SPAR_OK;
        *told += spar__evidence_best(&ev) < n;
    }
    double each = (seconds() - begun) / (double)votes;
    spar__evidence_fini(&ev);
    return each;
}

/* A verdict after every answer. The bounds are lax, and the best of some tries counts: others only make it slower. */
static void cost(size_t n, size_t m, size_t votes, double bound)
{
    size_t told = 0;
    double each = each_takes(n, m, votes, &told);
    for (int i = 1; i < 5 && each >= bound; i++)
        each = fmin(each, each_takes(n, m, votes, &told));
    ok(told >= votes && each < bound, "K = %zu, m = %zu: an answer and a verdict take %.2f us", n, m, each * 1e6);
}

int main(void)
{
    against_the_reference();
    far_out();
    intervals();
    saved_and_loaded();
    blank();
    refused();
    without_memory();
    cost(100, 4, 20000, 100e-6);
    cost(1000, 2, 100000, 10e-6);
    return done();
}
