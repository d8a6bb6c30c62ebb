/* fault_life.h - a life of a store in which things fail: what was acknowledged is there, once. */
#ifndef SPAR_TESTS_STORE_FAULT_LIFE_H
#define SPAR_TESTS_STORE_FAULT_LIFE_H

#include "fault_vfs.h"

enum { ROUNDS = 12, ANSWERS = 1 + 3 * ROUNDS };

typedef struct fault_life {
    char path[100];
    spar__store *store;
    uint64_t e;
    bool acknowledged[ANSWERS]; /* answer i */
    size_t failures;            /* calls that failed */
    char fault[700];            /* the first thing that went wrong in the test's eyes */
} fault_life;

static void blame(fault_life *life, const char *what, const char *why)
{
    if (!life->fault[0])
        (void)snprintf(life->fault, sizeof life->fault, "%s: %s", what, why);
}

/* After a failure there is a sentence with the path, and a status that says what kind of trouble it was. */
static bool failed(fault_life *life, spar_status status, const spar_error *err, const char *what)
{
    if (!status)
        return false;
    life->failures++;
    bool named = strstr(err->text, life->path) || status == SPAR_NOMEM;
    if (!named || (status != SPAR_IO && status != SPAR_FULL && status != SPAR_NOMEM && status != SPAR_CORRUPT))
        blame(life, what, err->text);
    return true;
}

/* Opens the store and finds or makes the experiment. */
static spar_status try_begin(fault_life *life, spar_error *err)
{
    spar_status status = spar__store_open(life->path, SPAR__STORE_CREATE, &life->store, err);
    if (!status && spar__store_find(life->store, "x", &life->e, err)) {
        status = err->status == SPAR_UNKNOWN ? spar__store_create(life->store, "x", &life->e, err) : err->status;
        if (status == SPAR_CONFLICT) /* it was made, though that was not acknowledged */
            status = spar__store_find(life->store, "x", &life->e, err);
    }
    if (status) {
        spar__store_close(life->store);
        life->store = NULL;
    }
    return status;
}

static spar_status try_append(fault_life *life, size_t first, size_t n, spar_error *err)
{
    spar__store_entry entry[3];
    char words[3][40];
    spar__store_text text[3];
    for (size_t i = 0; i < n; i++) {
        (void)snprintf(words[i], sizeof words[i], "comment on %zu", first + i);
        text[i] = (spar__store_text){SPAR__TEXT_COMMENT, first + i, 1, {1}, (const unsigned char *)words[i],
                                     strlen(words[i])};
        entry[i] = (spar__store_entry){new_event(), &text[i], 1, SPAR_OK, {0}};
        set_answer(entry[i].event, first + i, 0);
    }
    spar_status status = spar__store_append(life->store, life->e, n, entry, err);
    for (size_t i = 0; i < n; i++) {
        if (!status && entry[i].status && entry[i].status != SPAR_CONFLICT)
            blame(life, "an entry was refused", spar_status_text(entry[i].status));
        if (!status)
            life->acknowledged[first + i] = true;
        spar_event_free(entry[i].event);
    }
    return status;
}

/* The other things that write: each may fail as well. */
static spar_status try_rest(fault_life *life, size_t round, spar_error *err)
{
    const spar__store_snapshot about = {.sequence = round};
    unsigned char bytes[3000] = {(unsigned char)round};
    uint64_t keep[] = {round, round - 1}, number;
    if (round % 4 == 0)
        return spar__store_snapshot_put(life->store, life->e, &about, bytes, sizeof bytes, err);
    if (round % 4 == 1)
        return spar__store_snapshot_keep(life->store, life->e, 2, keep, err);
    if (round % 4 == 2)
        return spar__store_text_drop(life->store, life->e, 1, &(spar__text_key){SPAR__TEXT_COMMENT, 1, 0}, NULL, err);
    return spar__store_next_screen(life->store, life->e, &number, err);
}

/* Does it, and once more if it failed: the cause is gone by then, unless the power is. */
#define TWICE(life, call, what)                                                                                        \
    do {                                                                                                               \
        spar_error twice_err = {0};                                                                                    \
        spar_error *err = &twice_err;                                                                                  \
        if (!fault.dead && failed(life, (call), err, what) && !fault.dead && failed(life, (call), err, what) &&        \
            !fault.dead)                                                                                               \
            blame(life, "failed again after " what, twice_err.text);                                                   \
    } while (0)

static void live_on(fault_life *life)
{
    TWICE(life, try_begin(life, err), "open");
    for (size_t round = 0; round < ROUNDS && life->store && !fault.dead; round++) {
        size_t first = 1 + 3 * round;
        TWICE(life, try_append(life, first, 1 + round % 3, err), "append");
        TWICE(life, try_rest(life, round + 4, err), "the rest");
        if (round % 5 == 4) {
            spar__store_close(life->store);
            life->store = NULL;
            TWICE(life, try_begin(life, err), "open again");
        }
    }
    spar__store_close(life->store);
    life->store = NULL;
}

static void count_finding(void *context, const char *sentence)
{
    printf("# found: %s\n", sentence);
    ++*(size_t *)context;
}

/* Opens what is left, without faults: nothing that was acknowledged is lost, nothing is there twice. */
static void look(fault_life *life)
{
    uint32_t times[ANSWERS] = {0};
    follower f = {.event = new_event(), .whole = true, .times = times, .room = ANSWERS};
    spar_error err = {0};
    size_t findings = 0;
    if (try_begin(life, &err) || spar__store_read(life->store, life->e, 1, 0, follow, &f, &err) || !f.whole)
        blame(life, "what is left cannot be read", err.text);
    for (size_t i = 0; i < ANSWERS; i++)
        if (times[i] > 1 || (life->acknowledged[i] && times[i] == 0)) {
            char which[40];
            (void)snprintf(which, sizeof which, "answer %zu is there %u times", i, times[i]);
            blame(life, "acknowledged or not", which);
        }
    if (life->store && (spar__store_check(life->store, count_finding, &findings, &err) || findings))
        blame(life, "check", err.text);
    spar_event_free(f.event);
    spar__store_close(life->store);
    life->store = NULL;
}

#endif
