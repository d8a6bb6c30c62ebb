/* An experiment by a random walk through everything that can happen, in every kind of store: after every step it is
 * opened again, replayed, compared with a log in which undone answers never were, and verified. */
#include "live/world.h"

static uint64_t luck = 1;

static size_t below(size_t n)
{
    luck = luck * 6364136223846793005u + 1442695040888963407u;
    return (size_t)((luck >> 33) % n);
}

static const char *voter(void)
{
    static const char *const name[] = {"ann", "bob", NULL, "Zoë", ""};
    return name[below(5)];
}

static void random_answer(size_t m, spar_answer *answer)
{
    size_t slot[12];
    for (size_t i = 0; i < m; i++)
        slot[i] = i;
    switch (below(8)) {
    case 0:
        spar_answer_set_tie(answer);
        break;
    case 1:
        spar_answer_set_skip(answer);
        break;
    case 2:
        spar_answer_set_bad(answer);
        break;
    case 3:
        must(spar_answer_set_ranking(answer, 1 + below(m), slot, NULL, &err));
        break;
    case 4:
        spar_answer_set_skip(answer);
        must(spar_answer_add_pair(answer, 0, m - 1, SPAR_WIN, &err));
        break;
    default:
        spar_answer_set_winner(answer, below(m));
    }
}

/* Any open screen, 0 if there is none. */
static uint64_t some_open(const spar_experiment *experiment)
{
    uint64_t number[64];
    size_t n = spar_experiment_open_screens(experiment, NULL, 64, number);
    n = n < 64 ? n : 64;
    return n ? number[below(n)] : 0;
}

static void step_answer(spar_experiment *experiment)
{
    spar_answer *answer = NULL;
    spar_remarks *remarks = NULL;
    spar_screen *screen = NULL;
    uint64_t number = some_open(experiment);
    if (!number)
        return;
    must(spar_answer_new(&answer));
    must(spar_remarks_new(&remarks));
    must(spar_experiment_screen(experiment, number, &screen, &err));
    random_answer(spar_screen_slots(screen), answer);
    if (below(3) == 0)
        must(spar_remarks_set_comment(remarks, "a word\nor two", &err));
    spar_remarks_set_taken(remarks, (uint32_t)below(5000));
    bool again = true;
    must(spar_experiment_tell(experiment, number, NULL, answer, remarks, &again, &err));
    if (again)
        abort();
    must(spar_experiment_tell(experiment, number, NULL, answer, NULL, &again, &err));
    if (!again)
        abort();
    spar_screen_free(screen);
    spar_remarks_free(remarks);
    spar_answer_free(answer);
}

/* Undoes the answer to some screen, if that is allowed. */
static void step_undo(spar_experiment *experiment)
{
    uint64_t screens, number;
    spar_experiment_counts(experiment, &screens, NULL, NULL, NULL);
    number = below(2) ? spar_experiment_last_answered(experiment, NULL) : screens ? 1 + below(screens) : 0;
    spar_status status = spar_experiment_undo(experiment, number, NULL, SPAR_ANY_REVISION, NULL, &err);
    if (status && status != SPAR_CONFLICT && status != SPAR_UNSUPPORTED && status != SPAR_UNKNOWN)
        must(status);
}

static void step_import(spar_experiment *experiment)
{
    spar_import *import = NULL;
    spar_answer *answer = NULL;
    unsigned char key[SPAR_HASH_SIZE];
    size_t row = below(40), arm[2] = {0, 1 + row % 3};
    const char *voter = row % 4 < 2 ? "importer" : NULL;
    uint64_t added, known;
    spar_import_key(&row, sizeof row, key);
    must(spar_answer_new(&answer));
    spar_answer_set_winner(answer, row % 2);
    must(spar_import_new(experiment, &import, &err));
    must(spar_import_add(import, key, 2, arm, answer, voter, 0, "row 7", &err));
    must(spar_import_add(import, key, 2, arm, answer, voter, 0, NULL, &err));
    must(spar_import_finish(import, &added, &known, &err));
    if (added + known != 2 || known == 0)
        abort();
    spar_import_free(import);
    spar_answer_free(answer);
}

static void step_option(spar_experiment *experiment)
{
    char id[24];
    (void)snprintf(id, sizeof id, "tea%zu", below(9));
    spar_option *option = new_option(id);
    must(spar_option_set_body(option, "strong *tea*", &err));
    must(spar_experiment_add(experiment, option, NULL, &err));
    spar_option_free(option);
}

static void step_retire(spar_experiment *experiment)
{
    char id[24];
    (void)snprintf(id, sizeof id, "tea%zu", 3 + below(6));
    spar_status status = spar_experiment_retire(experiment, id, &err);
    if (status && status != SPAR_UNKNOWN && status != SPAR_CONFLICT)
        must(status);
}

static void step(spar_experiment *experiment)
{
    switch (below(24)) {
    case 0:
        step_option(experiment);
        break;
    case 1:
        step_retire(experiment);
        break;
    case 2:
        must(spar_experiment_set_question(experiment, below(2) ? "And which now?" : NULL, &err));
        break;
    case 3:
        must(below(3) ? spar_experiment_reopen(experiment, &err) : spar_experiment_end(experiment, &err));
        break;
    case 4:
        step_import(experiment);
        break;
    case 5:
    case 6:
    case 7:
        step_undo(experiment);
        break;
    case 8:
        must(spar_experiment_set_results(experiment, SPAR_RESULTS_PUBLIC, &err));
        break;
    default:
        if (below(2) && !spar_experiment_is_closed(experiment))
            (void)ask(experiment, voter());
        else
            step_answer(experiment);
    }
}

/* Two programs take turns. */
static void walk(const spar__store_class *cls, size_t steps, uint64_t seed)
{
    const char *place = new_place(cls);
    luck = seed;
    spar__snapshot_every = seed == 1 ? 4096 : 3 * seed; /* none, some, many */
    spar_experiment *a = new_experiment(place, 4, seed), *b = open_at(place, SPAR_EXPERIMENT_WRITE);
    bool lost = false, trace = false, false_alarm = false;
    unsigned char head[SPAR_HASH_SIZE];
    spar_experiment_head(a, head);
    for (size_t i = 0; i < steps; i++) {
        spar_experiment *who = below(2) ? a : b;
        step(who);
        lost = lost || !nothing_lost(who) || !same_bytes(state_of(a), state_of(b));
        trace = trace || !leaves_no_trace(who);
        if (i % 8 == 0)
            false_alarm = false_alarm || !verifies(place, head);
    }
    uint64_t screens, answers, undone, imported;
    spar_experiment_counts(a, &screens, &answers, &undone, &imported);
    printf("# %d screens, %d answers, %d undone, %d imported, %d events\n", (int)screens, (int)answers, (int)undone,
           (int)imported, (int)spar_experiment_sequence(a));
    ok(!lost, "%s, seed %d: opened again and replayed it is the same after every step", cls->name, (int)seed);
    ok(!trace, "undone answers leave no trace");
    ok(!false_alarm && verifies(place, head), "it verifies");
    size_t n = 0;
    uint64_t sequence[32];
    must(spar__store_snapshot_list(a->store, a->id, 32, sequence, &n, &err));
    ok(seed == 1 ? n == 0 : n > 1 && n < 12, "%zu snapshots are kept", n);
    ok(undone > 1 && answers > 5, "the walk went everywhere");
    spar_experiment_close(a);
    spar_experiment_close(b);
}

int main(void)
{
    for (const spar__store_class *const *cls = stores_here(); *cls; cls++)
        for (uint64_t seed = 1; seed <= 3; seed++)
            walk(*cls, strcmp((*cls)->name, "memory") == 0 ? 200 : 60, seed); /* a disk takes its time */
    close_places();
    return done();
}
