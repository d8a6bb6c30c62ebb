/* Every allocation fails once, in every kind of store: no damage, no leak, no false acknowledgement, and it goes on. */
#include "live/world.h"

#include "base/alloc.h"
#include "base/file.h"
#include "live/log/batch.h"

static spar_setup *setup;
static spar_option *extra;
static spar_answer *answer;
static spar_remarks *remarks;

typedef spar_status (*deed_fn)(const char *place, spar_error *why);

static spar_status do_ask_tell(spar_experiment *experiment, spar_error *why)
{
    spar_screen *screen = NULL;
    bool again = false;
    spar_status status = spar_experiment_ask(experiment, "ann", &screen, why);
    if (!status)
        status = spar_experiment_tell(experiment, spar_screen_number(screen), "ann", answer, remarks, NULL, why);
    if (!status)
        status = spar_experiment_tell(experiment, spar_screen_number(screen), "ann", answer, NULL, &again, why);
    if (!status && !again)
        abort();
    spar_screen_free(screen);
    return status;
}

static spar_status do_import(spar_experiment *experiment, spar_error *why)
{
    spar_import *import = NULL;
    unsigned char key[SPAR_HASH_SIZE] = {1};
    size_t arm[] = {0, 1};
    uint64_t added, known;
    spar_status status = spar_import_new(experiment, &import, why);
    for (unsigned char i = 0; i < 3 && !status; i++) {
        key[1] = i;
        status = spar_import_add(import, key, 2, arm, answer, i ? "cid" : "dan", 0, i ? "line 3" : NULL, why);
    }
    if (!status)
        status = spar_import_finish(import, &added, &known, why);
    spar_import_free(import);
    return status;
}

static spar_status do_changes(spar_experiment *experiment, spar_error *why)
{
    spar_status status = spar_experiment_add(experiment, extra, NULL, why);
    if (!status)
        status = spar_experiment_set_question(experiment, "Still?", why);
    if (!status)
        status = spar_experiment_end(experiment, why);
    if (!status)
        status = spar_experiment_reopen(experiment, why);
    return status;
}

static spar_status do_undo(spar_experiment *experiment, spar_error *why)
{
    uint64_t last = spar_experiment_last_answered(experiment, NULL);
    return last ? spar_experiment_undo(experiment, last, NULL, SPAR_ANY_REVISION, NULL, why) : SPAR_OK;
}

/* All of it, in a place where an experiment is. */
static spar_status work(const char *place, spar_error *why)
{
    spar_experiment *experiment = NULL;
    spar_verification *verification = NULL;
    spar_status status = spar_experiment_open(place, SPAR_EXPERIMENT_WRITE, &experiment, why);
    if (!status)
        status = spar_experiment_reopen(experiment, why); /* the last try may have come as far as the end */
    if (!status)
        status = do_ask_tell(experiment, why);
    if (!status)
        status = do_import(experiment, why);
    if (!status)
        status = do_changes(experiment, why);
    if (!status)
        status = do_undo(experiment, why);
    if (!status)
        status = spar_experiment_replay(experiment, NULL, NULL, why);
    if (!status)
        status = spar_experiment_verify(place, NULL, NULL, NULL, &verification, why);
    if (!status && !spar_verification_holds(verification)) {
        printf("# %s\n", spar_verification_finding(verification, 0));
        abort();
    }
    if ((status != SPAR_OK) != (verification == NULL))
        abort();
    spar_verification_free(verification);
    spar_experiment_close(experiment);
    return status;
}

/* Three are asked; one answers, with a comment, and asks again; another one, who is new, answers. */
static spar_status do_batch(spar_experiment *experiment, spar_error *why)
{
    static const char *const voter[] = {"ann", "", "bob"};
    spar__batch *batch = NULL;
    spar_screen *screen = NULL;
    uint64_t number[3];
    size_t ticket[3], next;
    bool again = false;
    spar_status status = spar__batch_begin(experiment, &batch, why);
    for (size_t i = 0; i < 3 && !status; i++)
        status = spar__batch_ask(batch, voter[i], &ticket[i], why);
    if (!status)
        status = spar__batch_commit(batch, why);
    for (size_t i = 0; i < 3 && !status; i++)
        status = spar__batch_result(batch, ticket[i], &number[i], why);
    spar__batch_free(batch);
    batch = NULL;
    if (!status)
        status = spar__batch_begin(experiment, &batch, why);
    if (!status)
        status = spar__batch_tell(batch, number[0], "ann", answer, remarks, &again, &ticket[0], why);
    if (!status)
        status = spar__batch_tell(batch, number[1], "eve", answer, remarks, &again, &ticket[1], why);
    if (!status)
        status = spar__batch_ask(batch, "ann", &next, why);
    if (!status)
        status = spar__batch_commit(batch, why);
    if (!status)
        status = spar__batch_screen(batch, next, &screen, why);
    if ((status != SPAR_OK) != (screen == NULL))
        abort();
    spar_screen_free(screen);
    spar__batch_free(batch);
    return status;
}

/* One answer of each voter is taken back. */
static spar_status do_undos(spar_experiment *experiment, spar_error *why)
{
    spar__batch *batch = NULL;
    size_t ticket;
    bool again;
    spar_status status = spar__batch_begin(experiment, &batch, why);
    for (uint64_t number = 1; number < 30 && !status; number++) {
        status = spar__batch_undo(batch, number, NULL, 0, &again, &ticket, why);
        if (status == SPAR_UNKNOWN || status == SPAR_CONFLICT || status == SPAR_BUSY)
            status = SPAR_OK;
    }
    if (!status)
        status = spar__batch_commit(batch, why);
    spar__batch_free(batch);
    return status;
}

static spar_status work_in_batches(const char *place, spar_error *why)
{
    spar_experiment *experiment = NULL;
    spar_status status = spar_experiment_open(place, SPAR_EXPERIMENT_WRITE, &experiment, why);
    if (!status)
        status = do_batch(experiment, why);
    if (!status)
        status = do_batch(experiment, why);
    if (!status)
        status = do_undos(experiment, why);
    spar_experiment_close(experiment);
    return status;
}

static spar_status create(const char *place, spar_error *why)
{
    spar_experiment *experiment = NULL;
    spar_status status = spar_experiment_create(place, setup, &experiment, why);
    if ((status != SPAR_OK) != (experiment == NULL))
        abort();
    spar_experiment_close(experiment);
    return status;
}

/* Fails every `every`-th allocation of the deed, each in a new place; then it is done again without failures. */
static void try(const spar__store_class *cls, const char *what, deed_fn deed, size_t every)
{
    size_t failed = 0, others = 0;
    bool reached = true;
    for (size_t k = 1; reached; k += every) {
        const char *place = new_place(cls);
        spar_error why = {0};
        if (deed != create)
            must(create(place, &err));
        spar__alloc_fail_at(k);
        spar_status status = deed(place, &why);
        reached = spar__alloc_count() >= k;
        spar__alloc_fail_at(0);
        failed += status == SPAR_NOMEM;
        if (status && (status != SPAR_NOMEM || !why.text[0])) {
            printf("# allocation %zu: %s: %s\n", k, spar_status_text(status), why.text);
            others++;
        }
        spar_status again = deed(place, &err);
        if (again && (deed != create || again != SPAR_CONFLICT)) /* it was on disk before memory ran out */
            must(again);
        spar_experiment *experiment = open_at(place, SPAR_EXPERIMENT_WRITE);
        others += !verifies(place, NULL) || !nothing_lost(experiment) || !leaves_no_trace(experiment);
        spar_experiment_close(experiment);
    }
    ok(failed > 50 / every && others == 0, "%s: %s: %zu failures, and all is well after each", cls->name, what, failed);
}

int main(void)
{
    setup = new_setup(3, 5);
    extra = new_option("more");
    spar__snapshot_every = 5;
    must(spar_setup_set_question(setup, "Which?", &err));
    must(spar_answer_new(&answer));
    spar_answer_set_winner(answer, 1);
    must(spar_remarks_new(&remarks));
    must(spar_remarks_set_comment(remarks, "well", &err));
    for (const spar__store_class *const *cls = stores_here(); *cls; cls++) {
        bool file = strcmp((*cls)->name, "memory") != 0;
        try(*cls, "creating", create, file ? 17 : 1);
        try(*cls, "batches", work_in_batches, file ? 31 : 1);
        try(*cls, "everything else", work, file ? 199 : 2);
    }
    spar_setup_free(setup);
    spar_option_free(extra);
    spar_answer_free(answer);
    spar_remarks_free(remarks);
    close_places();
    return done();
}
