/* Verdicts against the slow reference on random logs; one voter by folding again; saving; memory; cost. */
#include "decide/decide.h"

#include "base/alloc.h"
#include "fold.h"
#include "tap.h"

#include <spar/policy.h>

#include <stdlib.h>
#include <time.h>

enum { EVENTS = 160 };

static const logs_kind kinds[] = {
    {"two options", 2, 2, 2, 0.4, 0, 0, 0, 0.1, 0.05, 0, 0, false},
    {"five, well apart", 5, 5, 4, 2.0, 0, 0, 0, 0.05, 0.05, 0, 0, false},
    {"four alike", 4, 4, 5, 0.0, 0, 0, 0, 0.1, 0, 0, 0, false},
    {"some come and go", 3, 9, 4, 1.5, 0.04, 0.1, 0, 0.05, 0.05, 0, 0, false},
    {"independent duels with copies", 3, 6, 5, 0.7, 0.02, 0.02, 0.5, 0.1, 0, 0, 0, true},
    {"weights", 3, 5, 3, 1.5, 0.02, 0.05, 0, 0.05, 0, 1, 0, false},
    {"a few voters", 4, 6, 4, 1.5, 0.02, 0.03, 0, 0.1, 0.05, 0, 9, false},
    {"three voters, weights", 3, 3, 3, 1.0, 0, 0, 0, 0.1, 0, 0.5, 3, false},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static ref_event event[EVENTS];

static bool agrees(const spar_decision *d, const ref_conclusion *c)
{
    size_t option;
    bool good = (int)spar_decision_verdict(d) == (int)c->verdict && spar_decision_options(d) == c->n;
    (void)spar__evidence_verdict(&d->evidence, d->answers, &option);
    good = good && option == (c->option == REF_OPTIONS ? SPAR_NO_OPTION : c->option);
    for (size_t x = 0; x < c->n; x++) {
        good = good && spar_decision_in_running(d, x) == c->running[x] && spar_decision_is_live(d, x) == c->alive[x];
        for (size_t j = 0; j < c->n; j++) {
            double before, behind;
            if (x == j || spar_decision_pair(d, x, j, &before, &behind, NULL))
                continue;
            good = good && fabs(before - c->w[x][j]) < 1e-9 && fabs(behind - c->w[j][x]) < 1e-9;
        }
    }
    return good;
}

static bool play(const logs_kind *kind, const ref_rules *rules, size_t seen[7])
{
    ref_conclusion c;
    spar_decision *d = fold_new(rules);
    bool good = d != NULL;
    logs_make(kind, EVENTS, event);
    for (size_t t = 0; t < EVENTS; t++) {
        (void)fold_event(d, &event[t]);
        if (t % 16 != 15 && t > 12)
            continue;
        ref_conclude(rules, t + 1, event, &c);
        good = good && agrees(d, &c);
        seen[c.verdict]++;
    }
    spar_decision_free(d);
    return good;
}

static void against_the_reference(void)
{
    size_t seen[7] = {0};
    for (size_t k = 0; k < KINDS; k++)
        for (int first = 0; first < (kinds[k].voters ? 2 : 1); first++) {
            bool good = true;
            for (int run = 0; run < 4; run++) {
                ref_rules rules = {kinds[k].options, run % 2 ? 0.1 : 0.7, run > 1 ? 0.2 : 1.2, true, first};
                good = play(&kinds[k], &rules, seen) && good;
            }
            ok(good, "%s%s: every verdict", kinds[k].name, first ? ", first answers only" : "");
        }
    printf("# none %zu early %zu best %zu equal %zu practical %zu no_scale %zu open %zu\n", seen[0], seen[1], seen[2],
           seen[3], seen[4], seen[5], seen[6]);
    ok(seen[0] > 0 && seen[1] > 0 && seen[2] > 9 && seen[3] > 2 && seen[4] > 9 && seen[6] > 9, "many kinds came up");
}

/* Each voter left out in turn, in logs without changes of options (there thresholds stay as they are). */
static void one_voter(void)
{
    size_t named = 0, wrong = 0;
    for (int run = 0; run < 60; run++) {
        logs_kind kind = kinds[KINDS - 1];
        ref_rules rules = {kind.options, 0.3, 0.5, false, run % 3 == 0};
        kind.duels = run % 2, kind.copy = run % 2 ? 0.4 : 0;
        spar_decision *all = fold_new(&rules);
        logs_make(&kind, EVENTS, event);
        for (size_t t = 0; t < EVENTS; t++)
            (void)fold_event(all, &event[t]);
        uint64_t got = 0;
        bool some = false, right = false;
        (void)spar_decision_one_voter(all, &got);
        for (uint64_t v = 1; v <= kind.voters; v++) {
            spar_decision *rest = fold_new(&rules);
            for (size_t t = 0; t < EVENTS; t++)
                if (event[t].voter != v)
                    (void)fold_event(rest, &event[t]);
            size_t a, b;
            bool changes = spar__evidence_verdict(&all->evidence, all->answers, &a) !=
                               spar__evidence_verdict(&rest->evidence, rest->answers, &b) ||
                           a != b;
            some = some || changes;
            right = right || (changes && got == v);
            spar_decision_free(rest);
        }
        bool decided = spar_decision_verdict(all) != SPAR_VERDICT_OPEN;
        wrong += decided && some ? !right : got != 0;
        named += got != 0;
        spar_decision_free(all);
    }
    ok(wrong == 0 && named > 5, "a voter is named exactly where one decides (%zu of 60 logs, %zu wrong)", named, wrong);
}

/* An answer of many duels is looked at as a whole, also when the log is folded again: 400 wins and then 400 losses are
 * no proof. */
static void duels_as_a_whole(void)
{
    enum { SLOTS = 40 };
    size_t option[SLOTS];
    unsigned char outcome[SLOTS * SLOTS] = {0};
    for (size_t j = 0; j < SLOTS; j++)
        option[j] = j % 2;
    for (size_t j = 0; j < SLOTS; j++)
        for (size_t k = 0; k < j; k++) {
            outcome[j * SLOTS + k] = j % 4 < 2 ? 3 : 1;
            outcome[k * SLOTS + j] = j % 4 < 2 ? 1 : 3;
        }
    spar_ballot ballot = {.size = sizeof ballot, .m = SLOTS, .option = option, .outcome = outcome, .independent = 1};
    ref_rules rules = {2, 0.05, 0.2, false, false};
    spar_decision *d = fold_new(&rules);
    double before, behind;
    uint64_t voter = 99;
    for (int t = 0; t < 12; t++) {
        ballot.voter = t < 2 ? 5 : 0;
        (void)spar_decision_answer(d, &ballot, NULL);
    }
    (void)spar_decision_pair(d, 0, 1, &before, &behind, NULL);
    ok(before == 2400 && behind == 2400 && spar_decision_verdict(d) == SPAR_VERDICT_EQUAL,
       "many balanced duels: equal");
    ok(spar_decision_one_voter(d, &voter) == SPAR_OK && voter == 0, "without any voter");
    spar_decision_free(d);
}

static bool same_bytes(const spar_decision *a, const spar_decision *b)
{
    unsigned char *x, *y;
    size_t n, m;
    (void)spar_decision_save(a, &x, &n);
    (void)spar_decision_save(b, &y, &m);
    bool same = n == m && memcmp(x, y, n) == 0;
    spar_bytes_free(x);
    spar_bytes_free(y);
    return same;
}

static void damage(unsigned char *bytes, size_t length)
{
    spar_decision *d;
    spar_error err;
    size_t taken = 0;
    for (size_t cut = 0; cut < length; cut += 5) {
        taken += spar_decision_load(bytes, cut, &d, &err) == SPAR_OK;
        spar_decision_free(d);
    }
    for (size_t at = 0; at < length; at += 3) {
        bytes[at] ^= 0x41;
        taken += spar_decision_load(bytes, length, &d, &err) == SPAR_OK;
        spar_decision_free(d);
        bytes[at] ^= 0x41;
    }
    ok(taken == 0 && strstr(err.text, "saved decision"), "damage is found");
}

static void saved_and_loaded(void)
{
    for (size_t k = 0; k < KINDS; k++) {
        ref_rules rules = {kinds[k].options, 0.3, 0.2, true, k % 2};
        spar_decision *d = fold_new(&rules), *back;
        unsigned char *bytes;
        size_t length;
        logs_make(&kinds[k], EVENTS, event);
        for (size_t t = 0; t < EVENTS / 2; t++)
            (void)fold_event(d, &event[t]);
        (void)spar_decision_save(d, &bytes, &length);
        ok(spar_decision_load(bytes, length, &back, NULL) == SPAR_OK && same_bytes(d, back), "%s: saved and loaded",
           kinds[k].name);
        for (size_t t = EVENTS / 2; t < EVENTS; t++) {
            (void)fold_event(d, &event[t]);
            (void)fold_event(back, &event[t]);
        }
        ok(same_bytes(d, back) && spar_decision_verdict(d) == spar_decision_verdict(back), "and goes on the same");
        if (k == KINDS - 1)
            damage(bytes, length);
        spar_bytes_free(bytes);
        spar_decision_free(d);
        spar_decision_free(back);
    }
}

/* A live decision forgets who said what when there is too much of it, and says the same as one that has not. */
static void forgets_observations(void)
{
    enum { EACH = 6, ANSWERS = SPAR__MOST_OBSERVED / EACH + 2 };
    static const size_t option[] = {0, 1, 2, 3};
    static const unsigned char outcome[] = {0, 3, 3, 3, 1, 0, 3, 3, 1, 1, 0, 3, 1, 1, 1, 0};
    spar_ballot ballot = {.size = sizeof ballot, .m = 4, .option = option, .outcome = outcome, .voter = 7};
    spar_decision *d[2] = {0}, *back = NULL;
    unsigned char *bytes = NULL;
    size_t length = 0;
    uint64_t voter[2] = {0};
    for (int live = 0; live < 2; live++) {
        spar_decision_settings settings = {.size = sizeof settings, .live = live};
        (void)spar_decision_new(4, &settings, &d[live], NULL);
        for (size_t i = 0; i < ANSWERS; i++)
            (void)spar_decision_answer(d[live], &ballot, NULL);
        (void)spar_decision_one_voter(d[live], &voter[live]);
    }
    ok(!d[0]->log_dropped && d[0]->log_count == EACH * (size_t)ANSWERS && voter[0] == 7,
       "one that is not live keeps all");
    ok(d[1]->log_dropped && !d[1]->log && voter[1] == 0 && spar_decision_verdict(d[1]) == SPAR_VERDICT_BEST &&
           spar_decision_answers(d[1]) == ANSWERS,
       "a live one forgets who it was");
    ok(!spar_decision_save(d[1], &bytes, &length) && length < 5000 && !spar_decision_load(bytes, length, &back, NULL) &&
           back->log_dropped && same_bytes(d[1], back),
       "saved in %zu bytes and loaded", length);
    spar_bytes_free(bytes);
    spar_decision_free(back);
    spar_decision_free(d[0]);
    spar_decision_free(d[1]);
}

static void refuse(spar_decision *d, spar_ballot ballot, const char *sentence)
{
    spar_error err = {0};
    ok(spar_decision_answer(d, &ballot, &err) == SPAR_INVALID, "refused");
    same_text(err.text, sentence, "and says why");
}

/* 21 to 19, sorted: no verdict from totals, whatever the order, and with times as one by one. */
static void unordered(void)
{
    spar_decision *d[4];
    size_t pair[] = {0, 1};
    unsigned char first[] = {0, 3, 1, 0}, second[] = {0, 1, 3, 0};
    for (int k = 0; k < 4; k++) {
        spar_decision_settings settings = {.size = sizeof settings, .unordered = k > 0};
        (void)spar_decision_new(2, &settings, &d[k], NULL);
        spar_ballot a = {.size = sizeof a, .m = 2, .option = pair, .outcome = k == 2 ? second : first};
        spar_ballot b = {.size = sizeof b, .m = 2, .option = pair, .outcome = k == 2 ? first : second};
        size_t wins = k == 2 ? 19 : 21, one = k == 3 ? 1 : wins;
        a.times = k == 3 ? wins : 0;
        b.times = k == 3 ? 40 - wins : 0;
        for (size_t i = 0; i < one; i++)
            (void)spar_decision_answer(d[k], &a, NULL);
        for (size_t i = 0; i < (k == 3 ? 1 : 40 - one); i++)
            (void)spar_decision_answer(d[k], &b, NULL);
    }
    ok(spar_decision_verdict(d[0]) == SPAR_VERDICT_BEST, "21 wins in a row decide");
    for (int k = 1; k < 4; k++) {
        uint64_t shown, chosen;
        double before, behind;
        (void)spar_decision_record(d[k], 0, &shown, &chosen);
        (void)spar_decision_pair(d[k], 0, 1, &before, &behind, NULL);
        ok(spar_decision_verdict(d[k]) == SPAR_VERDICT_OPEN && spar_decision_answers(d[k]) == 40 && shown == 40 &&
               chosen == 21 && before == 21 && behind == 19,
           "21 of 40 in an unknown order do not, order %d", k);
    }
    unsigned char *bytes = NULL;
    size_t length;
    spar_decision *back = NULL;
    ok(!spar_decision_save(d[1], &bytes, &length) && !spar_decision_load(bytes, length, &back, NULL) &&
           same_bytes(d[1], back) && back->evidence.unordered,
       "which is saved too");
    spar_ballot many = {.size = sizeof many, .m = 2, .option = pair, .outcome = first, .times = UINT64_MAX};
    ok(spar_decision_answer(d[1], &many, NULL) == SPAR_INVALID, "too many at once are refused");
    spar_bytes_free(bytes);
    spar_decision_free(back);
    for (int k = 0; k < 4; k++)
        spar_decision_free(d[k]);
}

static void refused(void)
{
    spar_decision *d;
    spar_error err;
    spar_decision_settings s = {.size = 3};
    ok(spar_decision_new(2, &s, &d, &err) == SPAR_INVALID && !d, "settings of another size");
    s = (spar_decision_settings){.size = sizeof s, .delta = 1};
    ok(spar_decision_new(2, &s, &d, &err) == SPAR_INVALID, "delta is 1");
    same_text(err.text, "delta is 1, expected a number between 0 and 1", "it says so");
    s = (spar_decision_settings){.size = sizeof s, .eps = -1};
    ok(spar_decision_new(2, &s, &d, &err) == SPAR_INVALID, "eps below 0");
    ok(spar_decision_new(2, NULL, &d, &err) == SPAR_OK, "without settings");
    const size_t option[] = {0, 1}, far[] = {0, 2};
    const unsigned char win[] = {0, 3, 1, 0}, both[] = {0, 3, 3, 0}, much[] = {0, 7, 5, 0};
    spar_ballot b = {.size = sizeof b, .m = 2, .option = far, .outcome = win};
    refuse(d, b, "option 2 is not among the 2 options");
    b.option = option, b.outcome = both;
    refuse(d, b, "outcomes of slots 1 and 2 contradict each other");
    b.outcome = much;
    refuse(d, b, "outcomes of slots 1 and 2 contradict each other");
    b.outcome = win, b.weight = 1.5;
    refuse(d, b, "a weight is 1.5, expected a number above 0, at most 1");
    b.weight = 0, b.size = 1;
    ok(spar_decision_answer(d, &b, NULL) == SPAR_INVALID, "a ballot of another size");
    ok(spar_decision_answers(d) == 0, "nothing was counted");
    fold_duels(d, 0, 1, 1, 0);
    ok(spar_decision_add(d, NULL, &err) == SPAR_UNSUPPORTED, "an option too late");
    ok(spar_decision_retire(d, 2, &err) == SPAR_INVALID, "no such option");
    ok(!spar_decision_in_running(d, 9) && !spar_decision_is_live(d, 9), "an option out of range");
    ok(spar_decision_record(d, 9, NULL, NULL) == SPAR_INVALID && spar_decision_pair(d, 0, 0, NULL, NULL, NULL),
       "nor a record");
    spar_decision_free(d);
    spar_decision_free(NULL);
}

static bool fold_all(void)
{
    ref_rules rules = {4, 0.3, 0.2, true, true};
    spar_decision *d = fold_new(&rules), *back = NULL;
    unsigned char *bytes = NULL;
    size_t length = 0, whole = 0;
    char text[200];
    for (size_t t = 0; t < 60 && d; t++)
        whole += fold_event(d, &event[t]) == SPAR_OK;
    bool good = d && spar_decision_save(d, &bytes, &length) == SPAR_OK &&
                spar_decision_load(bytes, length, &back, NULL) == SPAR_OK;
    for (int w = 0; w < SPAR_WARNINGS && d; w++)
        good = spar_decision_warning(d, (spar_warning)w, NULL, text, sizeof text, &length) == SPAR_OK && good;
    spar_bytes_free(bytes);
    spar_decision_free(d);
    spar_decision_free(back);
    return good && whole == 60;
}

static void without_memory(void)
{
    logs_make(&kinds[6], 60, event);
    spar__alloc_fail_at(0);
    bool good = fold_all();
    size_t calls = spar__alloc_count(), unnoticed = 0;
    for (size_t k = 1; k <= calls; k++) {
        spar__alloc_fail_at(k);
        unnoticed += fold_all();
    }
    spar__alloc_fail_at(0);
    ok(good && unnoticed == 0, "each of %zu allocations fails once and is noticed (%zu not)", calls, unnoticed);
}

/* A failed answer changes nothing: the same answer again gives the same state. */
static void whole_or_not(void)
{
    ref_rules rules = {4, 0.3, 0.2, true, true};
    spar_decision *d = fold_new(&rules), *plain = fold_new(&rules);
    for (size_t t = 0; t < 60; t++) {
        for (size_t k = 1; k < 8; k++) {
            spar__alloc_fail_at(k);
            if (fold_event(d, &event[t]) == SPAR_OK)
                break;
        }
        spar__alloc_fail_at(0);
        (void)fold_event(plain, &event[t]);
    }
    ok(same_bytes(d, plain), "an answer counts as a whole or not at all");
    spar_decision_free(d);
    spar_decision_free(plain);
}

static double seconds(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Bounds are lax, for slow and busy machines; the aim is 2 s for 1e6 votes at K = 1000. */
static void cost(void)
{
    enum { OPTIONS = 1000, VOTES = 200000 };
    spar_decision *d;
    char text[300];
    size_t length;
    (void)spar_decision_new(OPTIONS, NULL, &d, NULL);
    double begun = seconds();
    for (size_t t = 0; t < VOTES; t++) {
        size_t a = logs_below(OPTIONS), b = (a + 1 + logs_below(OPTIONS - 1)) % OPTIONS;
        bool first = logs_uniform() < 1 / (1 + exp(((double)a - (double)b) / 100));
        fold_duels(d, first ? a : b, first ? b : a, 1, 1 + logs_below(30));
    }
    double folded = seconds() - begun;
    (void)spar_decision_sentence(d, NULL, text, sizeof text);
    for (int w = 0; w < SPAR_WARNINGS; w++)
        (void)spar_decision_warning(d, (spar_warning)w, NULL, text, sizeof text, &length);
    double judged = seconds() - begun - folded;
    ok(folded < 5 && judged < 5, "%d votes at K = %d: folded in %.3f s, judged in %.3f s", VOTES, OPTIONS, folded,
       judged);
    spar_decision_free(d);
}

int main(void)
{
    against_the_reference();
    one_voter();
    duels_as_a_whole();
    saved_and_loaded();
    forgets_observations();
    unordered();
    refused();
    without_memory();
    whole_or_not();
    cost();
    return done();
}
