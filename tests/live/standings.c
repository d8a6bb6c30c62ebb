/* The answers of an experiment as standings, against standings that were told the same by hand. */
#include "base/alloc.h"
#include "live/world.h"

enum { OPTIONS = 4, ANSWERS = 24 };

/* What an answer is: a tie, a skip, bad, or a winner. */
static void make_answer(size_t i, size_t m, spar_answer *answer)
{
    if (i % 8 == 3)
        spar_answer_set_tie(answer);
    else if (i % 8 == 5)
        spar_answer_set_skip(answer);
    else if (i % 8 == 6)
        spar_answer_set_bad(answer);
    else
        spar_answer_set_winner(answer, i * i % m);
}

/* One screen, answered in the experiment and by hand. */
static void answer_both(spar_experiment *experiment, size_t i, spar_standings *hand)
{
    static const size_t place[OPTIONS] = {0, 1, 2, 3};
    spar_screen *screen = NULL;
    spar_answer *answer = NULL;
    size_t arm[OPTIONS];
    must(spar_answer_new(&answer));
    must(spar_experiment_ask(experiment, "ann", &screen, &err));
    size_t m = spar_screen_slots(screen);
    for (size_t j = 0; j < m; j++)
        arm[j] = spar_screen_arm(screen, j);
    make_answer(i, m, answer);
    must(spar_experiment_tell(experiment, spar_screen_number(screen), "ann", answer, NULL, NULL, &err));
    must(spar_standings_answer(hand, m, arm, place, answer, 1, 1, &err));
    spar_screen_free(screen);
    spar_answer_free(answer);
}

/* An answer that is taken back, and one that was given elsewhere: nobody knows the places of that. */
static void undo_and_import(spar_experiment *experiment, spar_standings *hand)
{
    unsigned char key[SPAR_HASH_SIZE];
    const size_t arm[2] = {2, 0};
    spar_import *import = NULL;
    spar_answer *answer = NULL;
    must(spar_answer_new(&answer));
    spar_answer_set_winner(answer, 1);
    uint64_t number = ask(experiment, "bob");
    must(tell(experiment, number, "bob", 0));
    must(spar_experiment_undo(experiment, number, "bob", SPAR_ANY_REVISION, NULL, &err));
    must(spar_import_new(experiment, &import, &err));
    spar_import_key("a row", 5, key);
    must(spar_import_add(import, key, 2, arm, answer, NULL, 0, NULL, &err));
    must(spar_import_finish(import, NULL, NULL, &err));
    must(spar_standings_answer(hand, 2, arm, NULL, answer, 1, 1, &err));
    spar_import_free(import);
    spar_answer_free(answer);
}

static bool same_standings(spar_standings *a, spar_standings *b)
{
    must(spar_standings_compute(a, &err));
    must(spar_standings_compute(b, &err));
    bool same = spar_standings_answers(a) == spar_standings_answers(b) &&
                spar_standings_tied(a) == spar_standings_tied(b) &&
                spar_standings_places(a) == spar_standings_places(b);
    for (size_t i = 0; i < OPTIONS; i++) {
        double x[3], y[3];
        (void)spar_standings_strength(a, i, &x[0], &x[1], &x[2]);
        (void)spar_standings_strength(b, i, &y[0], &y[1], &y[2]);
        same &= memcmp(x, y, sizeof x) == 0 && spar_standings_bad(a, i) == spar_standings_bad(b, i) &&
                spar_standings_group(a, i) == spar_standings_group(b, i);
    }
    return same;
}

static void test_same(const spar__store_class *cls)
{
    const char *place = new_place(cls);
    spar_experiment *experiment = new_experiment(place, OPTIONS, 5);
    spar_standings *hand = NULL, *got = NULL;
    must(spar_standings_new(OPTIONS, &hand, &err));
    must(spar_experiment_standings(experiment, false, &got, &err));
    ok(spar_standings_options(got) == OPTIONS && spar_standings_answers(got) == 0, "%s: no answers yet", cls->name);
    spar_standings_free(got);
    for (size_t i = 0; i < ANSWERS; i++)
        answer_both(experiment, i, hand);
    undo_and_import(experiment, hand);
    must(spar_experiment_retire(experiment, "tea3", &err));
    must(spar_standings_retire(hand, 3, &err));
    spar_experiment *reader = open_at(place, SPAR_EXPERIMENT_READ);
    must(tell(experiment, ask(experiment, "ann"), "ann", 0)); /* which the reader has not folded */
    must(spar_experiment_standings(reader, false, &got, &err));
    ok(same_standings(got, hand), "%s: standings are those of the answers", cls->name);
    spar_standings_free(got);
    must(spar_experiment_refresh(reader, &err));
    must(spar_experiment_standings(reader, false, &got, &err));
    ok(spar_standings_answers(got) == spar_standings_answers(hand) + 1, "%s: and of the next one", cls->name);
    spar_standings_free(got);
    spar_standings_free(hand);
    spar_experiment_close(reader);
    spar_experiment_close(experiment);
}

static void test_hardship(const spar__store_class *cls)
{
    spar_experiment *experiment = new_experiment(new_place(cls), OPTIONS, 6);
    spar_standings *hand = NULL, *got = NULL;
    must(spar_standings_new(OPTIONS, &hand, &err));
    for (size_t i = 0; i < ANSWERS; i++)
        answer_both(experiment, i, hand);
    spar_status status = SPAR_NOMEM;
    size_t k = 0, wrong = 0;
    while (status && k < 5000) {
        spar__alloc_fail_at(++k);
        status = spar_experiment_standings(experiment, true, &got, &err);
        spar__alloc_fail_at(0);
        wrong += status && (got || status != SPAR_NOMEM);
    }
    ok(!status && k > 10 && !wrong, "%s: each of %zu allocations fails once", cls->name, k - 1);
    ok(same_standings(got, hand), "%s: and then it goes on", cls->name);
    spar_standings_free(got);
    spar_standings_free(hand);
    got = hand = NULL;
    ok(spar_experiment_standings(NULL, false, &got, &err) == SPAR_INVALID && !got, "refused: %s", err.text);
    ok(spar_experiment_standings(experiment, false, NULL, &err) == SPAR_INVALID, "refused: %s", err.text);
    spar_experiment_close(experiment);
}

int main(void)
{
    for (const spar__store_class *const *cls = stores_here(); *cls; cls++) {
        test_same(*cls);
        test_hardship(*cls);
    }
    close_places();
    return done();
}
