/* Every sentence, from logs small enough to read; files that say little. */
#include "fold.h"
#include "tap.h"

#include <spar/policy.h>

static const char *name_of(void *context, size_t option)
{
    static const char *const letter[] = {"A", "B", "C", "D", "E", "F", "G", "H", "I", "J"};
    (void)context;
    return option < 10 ? letter[option] : NULL;
}

static const char *voter_of(void *context, uint64_t voter)
{
    (void)context;
    return voter == 7 ? "Ada" : NULL;
}

static const spar_decision_names names = {sizeof names, NULL, name_of, voter_of};

static spar_decision *make(size_t options)
{
    ref_rules rules = {options, 0, 0, true, false};
    return fold_new(&rules);
}

static void says(const spar_decision *d, spar_verdict verdict, const char *sentence)
{
    char text[200];
    ok(spar_decision_verdict(d) == verdict, "the verdict is %s", spar_verdict_name(verdict));
    size_t length = spar_decision_sentence(d, &names, text, sizeof text);
    same_text(text, sentence, "in words");
    ok(length == strlen(sentence), "of that length");
}

static void warns(const spar_decision *d, spar_warning warning, const char *sentence)
{
    char text[200];
    size_t length = 99;
    ok(spar_decision_warning(d, warning, &names, text, sizeof text, &length) == SPAR_OK && length == strlen(sentence),
       "warning %d", (int)warning);
    same_text(text, sentence, "in words");
}

/* A screen of two that orders nothing. */
static void undecided(spar_decision *d, size_t a, size_t b, int outcome, size_t count)
{
    ref_event e = {.kind = REF_EVENT_ANSWER, .m = 2, .slot = {a, b}, .weight = 1};
    logs_set(&e, 0, 1, outcome);
    for (size_t i = 0; i < count; i++)
        (void)fold_event(d, &e);
}

static void beginning(void)
{
    spar_decision *d = make(3);
    says(d, SPAR_VERDICT_NONE, "no answers yet");
    warns(d, SPAR_WARNING_NEVER_SHOWN, "A, B and C have never been shown");
    undecided(d, 0, 1, 0, 1);
    says(d, SPAR_VERDICT_NONE, "no answers yet; 1 screen was skipped");
    undecided(d, 0, 1, 0, 20);
    says(d, SPAR_VERDICT_NONE, "no answers yet; 21 screens were skipped");
    warns(d, SPAR_WARNING_NEVER_SHOWN, "C has never been shown");
    warns(d, SPAR_WARNING_DISCONNECTED, "the options fall into 2 parts that were never compared with each other");
    fold_duels(d, 0, 1, 1, 0);
    says(d, SPAR_VERDICT_EARLY, "1 answer so far; a verdict needs at least 10");
    fold_duels(d, 0, 1, 8, 0);
    says(d, SPAR_VERDICT_EARLY, "9 answers so far; a verdict needs at least 10");
    fold_duels(d, 1, 0, 1, 0);
    says(d, SPAR_VERDICT_OPEN, "A leads; B and C are still in the running");
    uint64_t shown, chosen;
    ok(spar_decision_record(d, 0, &shown, &chosen) == SPAR_OK && shown == 31 && chosen == 9, "chosen 9 of 31");
    spar_decision_free(d);
}

static void best(void)
{
    spar_decision *d = make(3);
    fold_duels(d, 0, 1, 30, 0);
    says(d, SPAR_VERDICT_OPEN, "A leads; C is still in the running");
    fold_duels(d, 2, 1, 30, 0);
    says(d, SPAR_VERDICT_OPEN, "no option leads; A and C are still in the running");
    fold_duels(d, 2, 0, 30, 0);
    says(d, SPAR_VERDICT_BEST, "C is best (error at most 5 %)");
    ok(spar_decision_leader(d) == 2 && spar_decision_running(d) == 1, "C alone is in the running");
    warns(d, SPAR_WARNING_NO_SCALE, "");
    (void)spar_decision_add(d, NULL, NULL);
    says(d, SPAR_VERDICT_OPEN, "C leads; D is still in the running");
    warns(d, SPAR_WARNING_NEVER_SHOWN, "D has never been shown");
    fold_duels(d, 2, 3, 12, 0);
    ok(spar_decision_verdict(d) == SPAR_VERDICT_PRACTICAL || spar_decision_verdict(d) == SPAR_VERDICT_OPEN,
       "a newcomer needs more answers than the first");
    fold_duels(d, 2, 3, 30, 0);
    says(d, SPAR_VERDICT_BEST, "C is best (error at most 5 %)");
    (void)spar_decision_retire(d, 2, NULL);
    says(d, SPAR_VERDICT_OPEN, "A leads; D is still in the running");
    (void)spar_decision_retire(d, 0, NULL);
    (void)spar_decision_retire(d, 1, NULL);
    says(d, SPAR_VERDICT_OPEN, "only D is still in the running");
    (void)spar_decision_retire(d, 3, NULL);
    says(d, SPAR_VERDICT_OPEN, "no option is left");
    spar_decision_free(d);
}

static void one_left(void)
{
    spar_decision *d = make(3);
    fold_duels(d, 0, 1, 30, 0);
    fold_duels(d, 1, 2, 30, 0);
    says(d, SPAR_VERDICT_OPEN, "only A is still in the running");
    fold_duels(d, 2, 0, 30, 0);
    says(d, SPAR_VERDICT_NO_SCALE, "every option is beaten by another one: preferences go in a circle");
    ok(spar_decision_leader(d) == SPAR_NO_OPTION && spar_decision_running(d) == 0, "nothing is in the running");
    fold_duels(d, 0, 2, 200, 0);
    says(d, SPAR_VERDICT_BEST, "A is best (error at most 5 %)");
    warns(d, SPAR_WARNING_NO_SCALE, "every option is beaten by another one: preferences go in a circle");
    spar_decision_free(d);
}

static void alike(void)
{
    spar_decision *d = make(3);
    for (int i = 0; i < 1500; i++) {
        fold_duels(d, 0, 1, 1, 0);
        fold_duels(d, 1, 0, 1, 0);
    }
    fold_duels(d, 0, 2, 40, 0);
    says(d, SPAR_VERDICT_EQUAL, "the options still in the running are practically equal");
    spar_decision_free(d);
    d = make(3);
    for (int i = 0; i < 700; i++)
        for (size_t j = 1; j < 3; j++) {
            fold_duels(d, 0, j, 1, 0);
            fold_duels(d, j, 0, 1, 0);
        }
    says(d, SPAR_VERDICT_PRACTICAL, "A is within 0.2 of the best, if it is not the best");
    spar_decision_free(d);
}

static void many(void)
{
    spar_decision *d = make(12);
    undecided(d, 0, 1, 2, 40);
    says(d, SPAR_VERDICT_OPEN, "no option leads; A, B, C, D, E and 7 others are still in the running");
    warns(d, SPAR_WARNING_NEVER_SHOWN, "C, D, E, F, G and 5 others have never been shown");
    fold_duels(d, 11, 0, 1, 0);
    says(d, SPAR_VERDICT_OPEN, "option 12 leads; A, B, C, D, E and 6 others are still in the running");
    char small[10], all[200];
    size_t length = spar_decision_sentence(d, &names, all, sizeof all);
    ok(spar_decision_sentence(d, &names, small, sizeof small) == length && strlen(small) == 9 &&
           strncmp(small, all, 9) == 0,
       "what fits into a small room");
    ok(spar_decision_sentence(d, &names, NULL, 0) == length, "no room at all");
    spar_decision_free(d);
}

static void voters(void)
{
    spar_decision *d = make(2);
    fold_duels(d, 0, 1, 30, 7);
    warns(d, SPAR_WARNING_FEW_VOTERS, "1 voter gave 30 of 30 answers: the verdict may be about their tastes");
    warns(d, SPAR_WARNING_ONE_VOTER, "");
    fold_duels(d, 1, 0, 1, 9);
    warns(d, SPAR_WARNING_ONE_VOTER, "without Ada there would be another verdict");
    for (uint64_t v = 100; v < 200; v++)
        fold_duels(d, 0, 1, 1, v);
    warns(d, SPAR_WARNING_FEW_VOTERS, "");
    warns(d, SPAR_WARNING_ONE_VOTER, "");
    for (uint64_t v = 100; v < 200; v++)
        fold_duels(d, 1, 0, 1, v);
    fold_duels(d, 0, 1, 170, 9);
    says(d, SPAR_VERDICT_BEST, "A is best (error at most 5 %)");
    ref_event e = {.kind = REF_EVENT_ANSWER, .m = 2, .slot = {0, 1}, .weight = 1};
    warns(d, SPAR_WARNING_ONE_ITEM, "");
    logs_set(&e, 0, 1, 2);
    e.item = 4;
    for (int i = 0; i < 600; i++)
        (void)fold_event(d, &e);
    warns(d, SPAR_WARNING_ONE_ITEM, "one item had 600 of 1001 answers: the verdict may be about that item");
    spar_decision_free(d);
}

/* Files that say little: finite, honest words. */
static void degenerate(void)
{
    char text[200];
    size_t a[2], b[2], length;
    double low, high;
    for (size_t options = 0; options < 3; options++) {
        spar_decision *d = make(options);
        bool good =
            d && spar_decision_sentence(d, NULL, text, sizeof text) > 0 && spar_decision_closest(d, 2, a, b) == 0;
        for (int w = 0; w < SPAR_WARNINGS; w++)
            good = good && spar_decision_warning(d, (spar_warning)w, NULL, text, sizeof text, &length) == SPAR_OK;
        ok(good && spar_decision_next(d, 2, a, b) == (options == 2), "%zu options, no answers", options);
        spar_decision_free(d);
    }
    spar_decision *d = make(2);
    undecided(d, 0, 1, 2, 500);
    says(d, SPAR_VERDICT_OPEN, "no option leads; A and B are still in the running");
    ok(spar_decision_interval(d, 0, 1, 0, &low, &high) == SPAR_OK && low == 0 && high == 1, "ties say nothing");
    spar_decision_free(d);
    d = make(4);
    fold_duels(d, 0, 1, 40, 0);
    fold_duels(d, 2, 3, 40, 0);
    says(d, SPAR_VERDICT_OPEN, "no option leads; A and C are still in the running");
    warns(d, SPAR_WARNING_DISCONNECTED, "the options fall into 2 parts that were never compared with each other");
    ok(spar_decision_next(d, 2, a, b) == 2 && a[0] == 0 && b[0] == 2 && b[1] == 3, "ask A against C, then D");
    spar_decision_free(d);
    ok(strcmp(spar_verdict_name((spar_verdict)77), "unknown") == 0, "no such verdict");
}

static void pairs(void)
{
    spar_decision *d = make(4);
    size_t a[9], b[9];
    double low, high, wide_low, wide_high;
    fold_duels(d, 0, 1, 3, 0);
    fold_duels(d, 1, 2, 5, 0);
    fold_duels(d, 2, 1, 4, 0);
    fold_duels(d, 0, 2, 2, 0);
    ok(spar_decision_closest(d, 9, a, b) == 3 && a[0] == 1 && b[0] == 2 && a[1] == 0 && b[1] == 2 && b[2] == 1,
       "the closest pairs in order");
    ok(spar_decision_closest(d, 1, a, b) == 1 && a[0] == 1 && spar_decision_closest(d, 0, NULL, NULL) == 0,
       "no more than asked for");
    ok(spar_decision_leader(d) == 0 && spar_decision_next(d, 9, a, b) == 3 && b[0] == 3 && b[1] == 2 && b[2] == 1,
       "ask the leader and the rival that is nearest");
    (void)spar_decision_interval(d, 1, 2, 1, &low, &high);
    (void)spar_decision_interval(d, 1, 2, 0, &wide_low, &wide_high);
    ok(low > wide_low && high < wide_high && low < 5.0 / 9 && high > 5.0 / 9, "one pair has the narrower interval");
    spar_decision_free(d);
}

/* What the ends of all intervals, of options now and later, may miss comes to delta. */
static void newcomers(void)
{
    spar_decision *d = make(3);
    double low, high, slow[2], missed = 0.04; /* the first three pairs */
    fold_duels(d, 0, 1, 30, 0);
    fold_duels(d, 1, 0, 10, 0);
    (void)spar_decision_interval(d, 0, 1, 0, &low, &high);
    ref_interval(30, 10, 2 * 3 / 0.04, &slow[0], &slow[1]);
    ok(fabs(low - slow[0]) < 6e-4 && fabs(high - slow[1]) < 6e-4, "of the first, each 0.8 delta / 3");
    for (size_t i = 1; i <= 40; i++) {
        size_t n = 3 + i;
        double threshold = 2 * (double)(n - 1) * (double)(i * (i + 1)) / 0.01;
        (void)spar_decision_add(d, NULL, NULL);
        fold_duels(d, 0, n - 1, 30, 0);
        fold_duels(d, n - 1, 0, 10, 0);
        (void)spar_decision_interval(d, n - 1, 0, 0, &low, &high);
        ref_interval(10, 30, threshold, &slow[0], &slow[1]);
        missed += 2 * (double)(n - 1) / threshold;
        if (i % 13 == 1)
            ok(fabs(low - slow[0]) < 6e-4 && fabs(high - slow[1]) < 6e-4, "of newcomer %zu", i);
    }
    ok(missed <= 0.05, "together %.4f", missed);
    (void)spar_decision_interval(d, 0, 1, 0, &low, &high);
    ref_interval(30, 10, 2 * 3 / 0.04, &slow[0], &slow[1]);
    ok(fabs(low - slow[0]) < 6e-4, "those of the first stay as they were");
    spar_decision_free(d);
}

int main(void)
{
    beginning();
    best();
    one_left();
    alike();
    many();
    voters();
    degenerate();
    pairs();
    newcomers();
    return done();
}
