/* events.h - events and folders for the tests of stores. What cannot fail in a test ends it when it does. */
#ifndef SPAR_TESTS_STORE_EVENTS_H
#define SPAR_TESTS_STORE_EVENTS_H

#include "../tap.h"
#include "base/hash.h"
#include "store/class.h"
#include "store/digest.h"
#include "store/sqlite/sqlite.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAYBE_UNUSED __attribute__((unused))

MAYBE_UNUSED static void need(bool good)
{
    if (!good)
        abort();
}

MAYBE_UNUSED static spar_event *new_event(void)
{
    spar_event *event;
    need(!spar_event_new(&event));
    return event;
}

MAYBE_UNUSED static void set_import(spar_event *event, uint64_t number, size_t m)
{
    static const size_t arm[] = {0, 1, 2, 3};
    unsigned char key[SPAR_HASH_SIZE] = {0};
    spar_round *round = NULL;
    spar_answer *answer = NULL;
    need(!spar_round_new(m, &round) && !spar_round_set(round, m, arm) && !spar_answer_new(&answer));
    spar_answer_set_winner(answer, number % m);
    spar__put_u64(key, number);
    spar__sha256(key, 8, key);
    need(!spar_event_set_imported(event, key, round, answer));
    spar_event_set_stamp(event, 0, 1700000000000000 + (int64_t)number);
    spar_answer_free(answer);
    spar_round_free(round);
}

MAYBE_UNUSED static void set_screen(spar_event *event, uint64_t number, size_t m)
{
    static const size_t arm[] = {3, 1, 2, 0}, place[] = {0, 1, 2, 3};
    spar_round *round;
    need(!spar_round_new(m, &round) && !spar_round_set(round, m, arm));
    need(!spar_event_set_screen(event, number, round, place));
    spar_event_set_voter(event, number * UINT64_C(0x9e3779b97f4a7c15));
    spar_round_free(round);
}

MAYBE_UNUSED static void set_answer(spar_event *event, uint64_t number, uint32_t revision)
{
    spar_answer *answer;
    need(!spar_answer_new(&answer));
    spar_answer_set_winner(answer, number % 2);
    need(!spar_event_set_answer(event, number, revision, answer));
    spar_answer_free(answer);
}

/* A new folder in /tmp, and its end with all files in it. */
MAYBE_UNUSED static char *new_folder(char folder[64])
{
    (void)strcpy(folder, "/tmp/spar-store-XXXXXX");
    need(mkdtemp(folder) != NULL);
    return folder;
}

MAYBE_UNUSED static void empty_folder(const char *folder)
{
    DIR *entries = opendir(folder);
    const struct dirent *entry;
    char path[400];
    while (entries && (entry = readdir(entries))) {
        (void)snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        (void)unlink(path);
    }
    if (entries)
        (void)closedir(entries);
}

MAYBE_UNUSED static void remove_folder(const char *folder)
{
    empty_folder(folder);
    (void)rmdir(folder);
}

/* Follows a log and its chain; keeps for each screen or import what it saw of it. */
typedef struct follower {
    uint64_t n; /* events seen */
    unsigned char hash[SPAR_HASH_SIZE];
    spar_event *event;
    bool whole;      /* the chain holds, every event can be decoded */
    uint32_t *times; /* how often answer number i was there, i < room; NULL: not counted */
    size_t room;
} follower;

MAYBE_UNUSED static spar_status follow(void *context, uint64_t sequence, const unsigned char *bytes, size_t length,
                                       const unsigned char hash[SPAR_HASH_SIZE], spar_error *err)
{
    follower *f = context;
    spar__chain_next(f->hash, bytes, length, f->hash);
    f->n++;
    f->whole = f->whole && sequence == f->n && !memcmp(hash, f->hash, SPAR_HASH_SIZE) &&
               !spar_event_decode(f->event, bytes, length, err);
    uint64_t number = spar_event_number(f->event);
    if (f->whole && f->times && spar_event_kind_of(f->event) == SPAR_EVENT_ANSWER && number < f->room)
        f->times[number]++;
    return SPAR_OK;
}

#endif
