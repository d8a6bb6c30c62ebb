/* Questions and answers as a log has them, against the same as ballots; counts that grow too large. */
#include "decide/decide.h"

#include "base/alloc.h"
#include "tap.h"

#include <spar/policy.h>

#include <string.h>

enum { SLOTS = 4, OPTIONS = 5 };

static spar_round *question;
static spar_answer *answer;

static spar_decision *make(int first_only)
{
    spar_decision_settings settings = {.size = sizeof settings, .live = 1, .first_only = first_only};
    spar_decision *d = NULL;
    (void)spar_decision_new(OPTIONS, &settings, &d, NULL);
    return d;
}

static bool same_state(const spar_decision *a, const spar_decision *b)
{
    unsigned char *x = NULL, *y = NULL;
    size_t n = 0, m = 0;
    (void)spar_decision_save(a, &x, &n);
    (void)spar_decision_save(b, &y, &m);
    bool same = n > 0 && n == m && memcmp(x, y, n) == 0;
    spar_bytes_free(x);
    spar_bytes_free(y);
    return same;
}

static void say(int kind)
{
    const size_t order[] = {3, 0, 1}, level[] = {0, 1, 1};
    if (kind == SPAR_ANSWER_WINNER)
        spar_answer_set_winner(answer, 2);
    else if (kind == SPAR_ANSWER_RANKING)
        (void)spar_answer_set_ranking(answer, 3, order, level, NULL);
    else if (kind == SPAR_ANSWER_TIE)
        spar_answer_set_tie(answer);
    else if (kind == SPAR_ANSWER_BAD)
        spar_answer_set_bad(answer);
    else
        spar_answer_set_skip(answer);
    if (kind == SPAR_ANSWER_PAIRS) {
        (void)spar_answer_add_pair(answer, 0, 3, SPAR_LOSS, NULL);
        (void)spar_answer_add_pair(answer, 1, 2, SPAR_TIE, NULL);
    }
}

/* What each kind says about the slots, written down by hand: row by row, 3 before, 1 behind, 2 level. */
static const unsigned char said[][SLOTS * SLOTS] = {
    [SPAR_ANSWER_WINNER] = {0, 0, 1, 0, 0, 0, 1, 0, 3, 3, 0, 3, 0, 0, 1, 0},
    [SPAR_ANSWER_RANKING] = {0, 2, 3, 1, 2, 0, 3, 1, 1, 1, 0, 1, 3, 3, 3, 0},
    [SPAR_ANSWER_PAIRS] = {0, 0, 0, 1, 0, 0, 2, 0, 0, 2, 0, 0, 3, 0, 0, 0},
    [SPAR_ANSWER_TIE] = {0, 2, 2, 2, 2, 0, 2, 2, 2, 2, 0, 2, 2, 2, 2, 0},
    [SPAR_ANSWER_BAD] = {0, 2, 2, 2, 2, 0, 2, 2, 2, 2, 0, 2, 2, 2, 2, 0},
    [SPAR_ANSWER_SKIP] = {0},
};

static void as_ballots(void)
{
    const size_t screens[][SLOTS] = {{0, 1, 2, 3}, {4, 2, 0, 1}, {1, 1, 4, 3}}; /* the last with a copy */
    for (int first_only = 0; first_only < 2; first_only++)
        for (int kind = SPAR_ANSWER_WINNER; kind <= SPAR_ANSWER_SKIP; kind++) {
            spar_decision *told = make(first_only), *given = make(first_only);
            bool good = true;
            say(kind);
            for (size_t t = 0; t < 40; t++) {
                spar_ballot b = {sizeof b, SLOTS, screens[t % 3], said[kind], 0, t % 4, t % 2 ? 8 : 0, 0, 0};
                good = good && !spar_round_set(question, SLOTS, screens[t % 3]) &&
                       !spar_decision_tell(told, question, answer, t % 4, t % 2 ? 7 : SPAR_NO_ITEM, NULL) &&
                       !spar_decision_answer(given, &b, NULL);
            }
            ok(good && same_state(told, given), "%s%s: as the same ballots",
               spar_answer_kind_name((spar_answer_kind)kind), first_only ? ", first answers only" : "");
            spar_decision_free(told);
            spar_decision_free(given);
        }
}

static void refused(void)
{
    spar_decision *d = make(0), *fresh = make(0);
    spar_error err = {0};
    const size_t two[] = {0, 1}, far[] = {0, OPTIONS};
    const double points[] = {0.1, 0.9};
    (void)spar_round_set(question, 2, two);
    spar_answer_set_winner(answer, 2);
    ok(spar_decision_tell(d, question, answer, 0, SPAR_NO_ITEM, &err) == SPAR_INVALID, "a slot that is not there");
    same_text(err.text, "the answer names slot 2, but the question has 2 (from 0)", "which it says");
    spar_answer_set_winner(answer, 1);
    (void)spar_round_set(question, 2, far);
    ok(spar_decision_tell(d, question, answer, 0, SPAR_NO_ITEM, &err) == SPAR_INVALID, "an option that is not there");
    (void)spar_round_set_points(question, 2, 1, points);
    ok(spar_decision_tell(d, question, answer, 0, SPAR_NO_ITEM, &err) == SPAR_UNSUPPORTED, "points of a space");
    same_text(err.text, "a decision is about a list of options, not about a continuous space", "which it says");
    ok(same_state(d, fresh), "nothing was counted");
    (void)spar_round_free(question), question = NULL;
    (void)spar_round_new(SLOTS, &question);
    (void)spar_round_set(question, 2, two);
    spar__alloc_fail_at(1);
    ok(spar_decision_tell(fresh, question, answer, 0, SPAR_NO_ITEM, &err) == SPAR_NOMEM, "no memory");
    spar__alloc_fail_at(0);
    spar_decision_free(d);
    spar_decision_free(fresh);
}

/* As often as it is taken, the same huge answer: what was taken can be saved and loaded. */
static bool stays_loadable(const spar_ballot *b, uint64_t *answers)
{
    spar_decision *d = make(0), *back = NULL;
    spar_error err = {0};
    unsigned char *bytes = NULL;
    size_t length = 0;
    for (int t = 0; t < 3000 && spar_decision_answer(d, b, &err) == SPAR_OK; t++)
        continue;
    bool good = !spar_decision_save(d, &bytes, &length) && !spar_decision_load(bytes, length, &back, NULL) &&
                same_state(d, back) && spar_decision_answer(back, b, NULL) == SPAR_INVALID;
    good = good && strcmp(err.text, "the answers add up to more than 2^49 statements about pairs") == 0;
    *answers = spar_decision_answers(d) + spar_decision_skipped(d);
    spar_bytes_free(bytes);
    spar_decision_free(d);
    spar_decision_free(back);
    return good;
}

static void too_many(void)
{
    const size_t two[] = {0, 1}, same[] = {0, 1, 0, 1}, four[] = {0, 1, 2, 3};
    const unsigned char win[] = {0, 3, 1, 0}, none[] = {0, 0, 0, 0};
    const unsigned char first[] = {0, 3, 3, 3, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
    const uint64_t most = (uint64_t)1 << 40;
    uint64_t n;
    spar_ballot b = {.size = sizeof b, .m = 2, .option = two, .outcome = win, .times = most};
    ok(stays_loadable(&b, &n) && n == (uint64_t)512 << 40, "2^49 duels and no more");
    b.outcome = none;
    ok(stays_loadable(&b, &n) && n == (uint64_t)512 << 40, "2^49 skips and no more");
    b.m = SLOTS, b.option = four, b.outcome = first;
    ok(stays_loadable(&b, &n) && n == (uint64_t)170 << 40, "a winner of four says three things");
    b.option = same, b.outcome = said[SPAR_ANSWER_TIE], b.independent = 1;
    ok(stays_loadable(&b, &n) && n == (uint64_t)128 << 40, "four duels of the same pair");
}

int main(void)
{
    (void)spar_round_new(SLOTS, &question);
    (void)spar_answer_new(&answer);
    as_ballots();
    refused();
    too_many();
    spar_round_free(question);
    spar_answer_free(answer);
    return done();
}
