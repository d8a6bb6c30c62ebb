/* weight.h - how many bytes an event takes in the file, and how long it takes to write and read it. */
#ifndef SPAR_TESTS_STORE_WEIGHT_H
#define SPAR_TESTS_STORE_WEIGHT_H

#include "base/clock.h"
#include "events.h"

#include <sys/resource.h>

enum { BATCH = 4096 };

static double cpu_seconds(void)
{
    struct rusage used;
    (void)getrusage(RUSAGE_SELF, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

static double file_bytes(const char *path)
{
    struct stat info;
    need(stat(path, &info) == 0);
    return (double)info.st_size;
}

typedef void (*weigh_fn)(spar_event *event, uint64_t number); /* number: 0, 1, 2, ... */

static void import_of_4(spar_event *event, uint64_t number)
{
    set_import(event, number, 4);
}

static void asked_of_4(spar_event *event, uint64_t number)
{
    if (number % 2)
        set_answer(event, number / 2 + 1, 0);
    else
        set_screen(event, number / 2 + 1, 4);
}

/* Appends n events in batches; gives the seconds of the appends alone and of a reading of all. */
static void weigh(const char *path, weigh_fn make, uint64_t n, double *append, double *reading)
{
    static spar__store_entry entry[BATCH];
    spar__store *store;
    spar_error err = {0};
    uint64_t e;
    double cpu = 0;
    *append = 0;
    need(!spar__store_open(path, SPAR__STORE_CREATE, &store, &err) && !spar__store_create(store, "", &e, &err));
    for (uint64_t at = 0; at < n; at += BATCH) {
        size_t size = n - at < BATCH ? (size_t)(n - at) : BATCH;
        for (size_t i = 0; i < size; i++) {
            if (!entry[i].event)
                entry[i].event = new_event();
            make(entry[i].event, at + i);
        }
        double start = spar__clock(CLOCK_MONOTONIC), before = cpu_seconds();
        spar_status status = spar__store_append(store, e, size, entry, &err);
        *append += (spar__clock(CLOCK_MONOTONIC) - start) / 1e9;
        cpu += cpu_seconds() - before;
        if (status || entry[size - 1].status)
            ok(false, "append: %s", err.text);
    }
    double start = spar__clock(CLOCK_MONOTONIC), before = cpu_seconds();
    follower f = {.event = new_event(), .whole = true};
    uint64_t last;
    unsigned char hash[SPAR_HASH_SIZE];
    need(!spar__store_head(store, e, &last, hash, &err));
    spar_status status = spar__store_read(store, e, 1, 0, follow, &f, &err);
    *reading = (spar__clock(CLOCK_MONOTONIC) - start) / 1e9;
    ok(!status && f.whole && f.n == n && last == n && !memcmp(hash, f.hash, sizeof hash), "%llu events are read",
       (unsigned long long)n);
    printf("# append: %.2f s (CPU %.2f s), read and check the chain: %.2f s (CPU %.2f s)\n", *append, cpu, *reading,
           cpu_seconds() - before);
    spar_event_free(f.event);
    spar__store_close(store);
}

static void weigh_both(uint64_t n, double most_append, double most_reading)
{
    char folder[64], path[100];
    double append, reading;
    (void)snprintf(path, sizeof path, "%s/weight.db", new_folder(folder));
    weigh(path, import_of_4, n, &append, &reading);
    double each = file_bytes(path) / (double)n;
    ok(each <= 200, "an imported answer takes %.1f bytes, at most 200", each);
    ok(append < most_append && reading < most_reading, "%.2f s to append, %.2f s to read", append, reading);
    empty_folder(folder);
    weigh(path, asked_of_4, n, &append, &reading);
    each = 2 * file_bytes(path) / (double)n;
    ok(each <= 450, "an asked answer (screen and answer) takes %.1f bytes, at most 450", each);
    remove_folder(folder);
}

#endif
