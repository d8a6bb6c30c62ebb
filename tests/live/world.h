/* world.h - experiments to try things on: places in every kind of store, options, voters, and what must always hold. */
#ifndef SPAR_TESTS_LIVE_WORLD_H
#define SPAR_TESTS_LIVE_WORLD_H

#include "live/live.h"
#include "store/class.h"
#include "tap.h"

#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

static spar_error err;

#define must(call) must_(call, #call, __LINE__)

__attribute__((unused)) static void must_(spar_status status, const char *call, int line)
{
    if (!status)
        return;
    printf("Bail out! line %d: %s: %s\n", line, call, err.text);
    (void)fflush(stdout);
    abort();
}

/* --- places --- */

static char folder[64];
static unsigned n_places;
static spar__store *keeper[4096]; /* a store in memory is gone with its last user */

/* The kinds of stores to try: PostgreSQL alone where SPAR_POSTGRES has the URL of a database, else all that need no
 * server of another program. */
__attribute__((unused)) static const spar__store_class *const *stores_here(void)
{
    static const spar__store_class *list[8];
    size_t n = 0;
    for (const spar__store_class *const *cls = spar__store_classes; *cls && n < 7; cls++)
        if ((strcmp((*cls)->name, "postgres") == 0) == (getenv("SPAR_POSTGRES") != NULL))
            list[n++] = *cls;
    list[n] = NULL;
    return list;
}

/* A new place; borrowed until the end. Memory stays until close_places. */
__attribute__((unused)) static const char *new_place(const spar__store_class *cls)
{
    static char place[4096][256];
    char *at = place[n_places];
    bool file = strcmp(cls->name, "memory") != 0;
    const char *url = getenv("SPAR_POSTGRES");
    if (url) {
        (void)snprintf(at, sizeof *place, "%s%cschema=live_%u", url, strchr(url, '?') ? '&' : '?', ++n_places);
        return at;
    }
    if (!folder[0]) {
        (void)snprintf(folder, sizeof folder, "/tmp/spar-live-XXXXXX");
        if (!mkdtemp(folder))
            abort();
    }
    (void)snprintf(at, sizeof *place, "%s:%s/%u", cls->scheme[0], file ? folder : "live", n_places + 1);
    if (!file)
        must(spar__store_open(at, SPAR__STORE_CREATE, &keeper[n_places], &err));
    n_places++;
    return at;
}

__attribute__((unused)) static void close_places(void)
{
    DIR *entries = folder[0] ? opendir(folder) : NULL;
    const struct dirent *entry;
    while (entries && (entry = readdir(entries))) {
        char path[400];
        (void)snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        (void)unlink(path);
    }
    if (entries)
        (void)closedir(entries);
    if (folder[0])
        (void)rmdir(folder);
    for (unsigned i = 0; i < n_places; i++)
        spar__store_close(keeper[i]);
}

/* --- experiments --- */

__attribute__((unused)) static spar_option *new_option(const char *id)
{
    spar_option *option = NULL;
    must(spar_option_new(id, &option, &err));
    return option;
}

/* n options tea0, tea1, ... */
__attribute__((unused)) static spar_setup *new_setup(size_t n, uint64_t seed)
{
    spar_setup *setup = NULL;
    must(spar_setup_new(&setup));
    for (size_t i = 0; i < n; i++) {
        char id[24];
        (void)snprintf(id, sizeof id, "tea%zu", i);
        spar_option *option = new_option(id);
        must(spar_setup_add_option(setup, option, &err));
        spar_option_free(option);
    }
    spar_setup_set_seed(setup, seed);
    return setup;
}

__attribute__((unused)) static spar_experiment *new_experiment(const char *place, size_t n, uint64_t seed)
{
    spar_setup *setup = new_setup(n, seed);
    spar_experiment *experiment = NULL;
    must(spar_setup_set_question(setup, "Which tea?", &err));
    must(spar_experiment_create(place, setup, &experiment, &err));
    spar_setup_free(setup);
    return experiment;
}

__attribute__((unused)) static spar_experiment *open_at(const char *place, spar_experiment_mode mode)
{
    spar_experiment *experiment = NULL;
    must(spar_experiment_open(place, mode, &experiment, &err));
    return experiment;
}

__attribute__((unused)) static uint64_t ask(spar_experiment *experiment, const char *voter)
{
    spar_screen *screen = NULL;
    must(spar_experiment_ask(experiment, voter, &screen, &err));
    uint64_t number = spar_screen_number(screen);
    spar_screen_free(screen);
    return number;
}

/* The status of telling a winner by place. */
__attribute__((unused)) static spar_status tell(spar_experiment *experiment, uint64_t number, const char *voter,
                                                size_t place)
{
    spar_answer *answer = NULL;
    must(spar_answer_new(&answer));
    spar_answer_set_winner(answer, place);
    spar_status status = spar_experiment_tell(experiment, number, voter, answer, NULL, NULL, &err);
    spar_answer_free(answer);
    return status;
}

/* --- what must always hold --- */

typedef struct saved_bytes {
    unsigned char *bytes;
    size_t length;
} saved_bytes;

__attribute__((unused)) static saved_bytes state_of(spar_experiment *experiment)
{
    saved_bytes saved = {0};
    must(spar_experiment_refresh(experiment, &err));
    must(spar__fold_save(experiment->state, &saved.bytes, &saved.length, &err));
    return saved;
}

/* Are they equal? Both are freed. */
__attribute__((unused)) static bool same_bytes(saved_bytes a, saved_bytes b)
{
    bool same = a.length == b.length && memcmp(a.bytes, b.bytes, a.length) == 0;
    spar_bytes_free(a.bytes);
    spar_bytes_free(b.bytes);
    return same;
}

__attribute__((unused)) static saved_bytes policy_of(spar__fold *state)
{
    saved_bytes saved = {0};
    const spar_policy *policy = spar_session_policy(state->session);
    if (policy)
        must(spar_policy_save(policy, &saved.bytes, &saved.length));
    return saved;
}

__attribute__((unused)) static saved_bytes decision_of(const spar__fold *state)
{
    saved_bytes saved = {0};
    must(spar_decision_save(state->decision, &saved.bytes, &saved.length));
    return saved;
}

/* A state from the events of a log, without undos and the answers they name: as if those had never been given. */
typedef struct plain_fold {
    spar__fold *state;
    spar_event **event;
    size_t n, room;
} plain_fold;

__attribute__((unused)) static spar_status plain_add(void *context, const spar_event *event, const unsigned char *hash,
                                                     spar_error *why)
{
    plain_fold *fold = context;
    (void)hash;
    (void)why;
    if (fold->n == fold->room) {
        fold->room = 2 * fold->room + 64;
        fold->event = realloc(fold->event, fold->room * sizeof *fold->event);
        if (!fold->event)
            abort();
    }
    return spar_event_dup(event, &fold->event[fold->n++]);
}

__attribute__((unused)) static bool plain_skips(const plain_fold *fold, size_t i)
{
    const spar_event *event = fold->event[i];
    if (spar_event_kind_of(event) == SPAR_EVENT_UNDO)
        return true;
    for (size_t k = i + 1; k < fold->n && spar_event_kind_of(event) == SPAR_EVENT_ANSWER; k++)
        if (spar_event_kind_of(fold->event[k]) == SPAR_EVENT_UNDO &&
            spar_event_number(fold->event[k]) == spar_event_number(event) &&
            spar_event_revision(fold->event[k]) == spar_event_revision(event))
            return true;
    return false;
}

/* Answers are given their revision anew: there was no undo. */
__attribute__((unused)) static spar__fold *plain_state(spar_experiment *experiment)
{
    static const unsigned char zeros[SPAR_HASH_SIZE];
    plain_fold fold = {0};
    must(spar__fold_new(&fold.state));
    must(spar_experiment_each(experiment, 1, plain_add, &fold, &err));
    for (size_t i = 0; i < fold.n; i++) {
        spar_event *event = fold.event[i];
        if (plain_skips(&fold, i))
            continue;
        if (spar_event_kind_of(event) == SPAR_EVENT_ANSWER) {
            uint64_t voter = spar_event_voter(event);
            must(spar_event_set_answer(event, spar_event_number(event), 0, spar_event_answer(event)));
            spar_event_set_voter(event, voter);
        }
        must(spar__fold_apply(fold.state, event, zeros, &err));
    }
    for (size_t i = 0; i < fold.n; i++)
        spar_event_free(fold.event[i]);
    free(fold.event);
    return fold.state;
}

/* No trace of undone answers: the same policy, decision, open screens and voters. */
__attribute__((unused)) static bool leaves_no_trace(spar_experiment *experiment)
{
    spar__fold *plain = plain_state(experiment), *state = experiment->state;
    bool same = same_bytes(policy_of(plain), policy_of(state)) && same_bytes(decision_of(plain), decision_of(state));
    same = same && plain->n_open == state->n_open && plain->last == state->last && plain->answers == state->answers &&
           plain->imported == state->imported && plain->screens == state->screens;
    for (size_t i = 0; same && i < plain->n_open; i++)
        same = plain->open[i].number == state->open[i].number && plain->open[i].voter == state->open[i].voter;
    for (size_t i = 0; same && i < plain->voters.n; i++) {
        const spar__keyed *voter = &plain->voters.entry[i];
        size_t k = spar__key_find(&state->voters, voter->high, 0);
        same = k != SPAR__NO_KEY && state->voters.entry[k].count == voter->count;
    }
    spar__fold_free(plain);
    return same;
}

/* Prints the findings. */
__attribute__((unused)) static bool verifies(const char *place, const unsigned char *head)
{
    spar_verification *verification = NULL;
    if (spar_experiment_verify(place, head, NULL, NULL, &verification, &err)) {
        printf("# %s\n", err.text);
        return false;
    }
    bool holds = spar_verification_holds(verification);
    for (size_t i = 0; i < spar_verification_findings(verification); i++)
        printf("# found: %s\n", spar_verification_finding(verification, i));
    spar_verification_free(verification);
    return holds;
}

/* What is open, what is opened anew and what is replayed are the same, byte for byte. */
__attribute__((unused)) static bool nothing_lost(spar_experiment *experiment)
{
    spar_experiment *other = open_at(spar_experiment_place(experiment), SPAR_EXPERIMENT_READ);
    bool same = same_bytes(state_of(experiment), state_of(other)) && !spar_experiment_replay(other, NULL, NULL, &err) &&
                same_bytes(state_of(experiment), state_of(other));
    spar_experiment_close(other);
    return same;
}

#endif
