/* Opens, reads, writes, syncs ... under SQLite fail, one in each life, while batches are written: no answer that was
 * acknowledged is lost, none counts twice, and it goes on. */
#include "store/fault_vfs.h"

#include "live/log/batch.h"
#include "live/world.h" /* behind the other: its names are not for that */

enum { TURNS = 5, MANY = 6, ANSWERS = TURNS * MANY };

extern const spar__store_class spar__store_sqlite;

typedef struct faulty_life {
    const char *place;
    spar_experiment *experiment;
    uint64_t number[MANY];  /* of the screens of a turn */
    uint64_t told[ANSWERS]; /* screens whose answers were acknowledged */
    size_t n_told;
    size_t failures;
    char blame[700]; /* the first thing that should not have happened */
} faulty_life;

static spar_answer *answer;

/* Asks for the screens of a turn. Those of a commit that failed may be there, and stay open. */
static spar_status ask_many(faulty_life *life, spar_error *why)
{
    spar__batch *batch = NULL;
    size_t ticket[MANY];
    char name[24];
    spar_status status = spar__batch_begin(life->experiment, &batch, why);
    for (size_t i = 0; i < MANY && !status; i++) {
        (void)snprintf(name, sizeof name, "voter %zu", life->n_told + i);
        status = spar__batch_ask(batch, i % 2 ? name : NULL, &ticket[i], why);
    }
    if (!status)
        status = spar__batch_commit(batch, why);
    for (size_t i = 0; i < MANY && !status; i++)
        status = spar__batch_result(batch, ticket[i], &life->number[i], why);
    spar__batch_free(batch);
    return status;
}

/* Tells all of them. `known`: all are on disk, so that each is the same answer again. */
static spar_status tell_many(faulty_life *life, bool known, spar_error *why)
{
    spar__batch *batch = NULL;
    size_t ticket;
    bool again = false;
    spar_status status = spar__batch_begin(life->experiment, &batch, why);
    for (size_t i = 0; i < MANY && !status; i++) {
        status = spar__batch_tell(batch, life->number[i], NULL, answer, NULL, &again, &ticket, why);
        if (!status && known && !again)
            (void)snprintf(life->blame, sizeof life->blame, "screen %d lost its answer", (int)life->number[i]);
    }
    if (!status)
        status = spar__batch_commit(batch, why);
    spar__batch_free(batch);
    for (size_t i = 0; i < MANY && !status && !known; i++)
        life->told[life->n_told++] = life->number[i];
    return status;
}

/* Takes back the answer that was acknowledged last. */
static spar_status undo_one(faulty_life *life, spar_error *why)
{
    uint64_t last = life->told[life->n_told - 1];
    spar_status status = spar_experiment_undo(life->experiment, last, NULL, 0, NULL, why);
    life->n_told -= !status;
    return status;
}

static spar_status open_again(faulty_life *life, spar_error *why)
{
    spar_experiment_close(life->experiment);
    return spar_experiment_open(life->place, SPAR_EXPERIMENT_WRITE, &life->experiment, why);
}

/* Once more if it failed: the cause is gone by then. */
#define TWICE(life, call)                                                                                              \
    do {                                                                                                               \
        spar_error why = {0};                                                                                          \
        if (call) {                                                                                                    \
            (life)->failures++;                                                                                        \
            if (!why.text[0] || (call))                                                                                \
                (void)snprintf((life)->blame, sizeof(life)->blame, "%s: %s", #call, why.text);                         \
        }                                                                                                              \
    } while (0)

static void live_on(faulty_life *life)
{
    for (size_t turn = 0; turn < TURNS && !life->blame[0]; turn++) {
        TWICE(life, open_again(life, &why));
        TWICE(life, ask_many(life, &why));
        TWICE(life, tell_many(life, false, &why));
        TWICE(life, tell_many(life, true, &why));
        if (turn % 2)
            TWICE(life, undo_one(life, &why));
    }
}

static bool look(const faulty_life *life)
{
    uint64_t answers, undone;
    spar_experiment *experiment = open_at(life->place, SPAR_EXPERIMENT_WRITE);
    spar_experiment_counts(experiment, NULL, &answers, &undone, NULL);
    bool good = answers == life->n_told && undone == TURNS / 2;
    for (size_t i = 0; i < life->n_told; i++)
        good = good && spar_session_screen(experiment->state->session, life->told[i]) == NULL;
    if (!good)
        printf("# %d answers of %zu, %d undone\n", (int)answers, life->n_told, (int)undone);
    good = good && nothing_lost(experiment) && leaves_no_trace(experiment) && verifies(life->place, NULL);
    spar_experiment_close(experiment);
    return good;
}

static void test_each(fault_op op)
{
    size_t failures = 0, hits = 0;
    bool good = true, hit = true;
    for (uint64_t k = 1; hit && good; k += 1 + k / 8) {
        faulty_life life = {.place = new_place(&spar__store_sqlite)};
        life.experiment = new_experiment(life.place, 4, k);
        fault_at((int)op, k);
        live_on(&life);
        hit = fault.hit;
        fault_at(-1, 0);
        spar_experiment_close(life.experiment);
        if (life.blame[0])
            printf("# %s %d: %s\n", fault_names[op], (int)k, life.blame);
        good = !life.blame[0] && look(&life);
        failures += life.failures;
        hits += hit;
        fault_forget();
    }
    ok(good && hits > 0, "%zu calls of %s fail (%zu were told)", hits, fault_names[op], failures);
}

int main(void)
{
    must(spar_answer_new(&answer));
    spar_answer_set_winner(answer, 1);
    spar__snapshot_every = 10;
    fault_start();
    for (int op = 0; op < FAULT_OPS; op++)
        test_each((fault_op)op);
    spar_answer_free(answer);
    close_places();
    return done();
}
