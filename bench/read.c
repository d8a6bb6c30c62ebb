/* read.c - how fast learning-to-rank data are parsed, read into a cache, and opened again. Made-up data with 136
 * features: bench_read [MEGABYTES [FOLDER]]. */
#include "base/alloc.h"
#include "base/buf.h"
#include "rank/letor.h"
#include "rank/queries.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

static double seconds(clockid_t clock)
{
    struct timespec t;
    (void)clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct target {
    FILE *file;
    spar__buf first; /* the first megabytes, to parse over and over */
    size_t written, wanted;
} target;

static bool sink(void *context, const char *text, size_t length)
{
    target *t = context;
    if (t->first.length < 20000000)
        spar__buf_add(&t->first, text, length);
    t->written += fwrite(text, 1, length, t->file);
    return t->written < t->wanted;
}

/* The text holds many queries: each is parsed by itself. */
static void time_parser(const char *text, size_t length)
{
    spar__letor_rows rows = {0};
    spar_error err = {0};
    double best = 1e9;
    for (int repeat = 0; repeat < 5; repeat++) {
        double start = seconds(CLOCK_PROCESS_CPUTIME_ID);
        for (const char *at = text, *end = text + length; at < end;) {
            const char *stop = at, *where;
            uint64_t id = 0, first = 0;
            for (bool begun = false; stop < end; stop = memchr(stop, '\n', (size_t)(end - stop)), stop++) {
                if (!spar__letor_peek(stop, &id, &where))
                    continue;
                if (begun && id != first)
                    break;
                first = id;
                begun = true;
            }
            if (spar__letor_parse(at, (size_t)(stop - at), "made-up", 1, &rows, &err))
                (void)fprintf(stderr, "%s\n", err.text);
            at = stop;
        }
        double took = seconds(CLOCK_PROCESS_CPUTIME_ID) - start;
        best = took < best ? took : best;
    }
    printf("parse      %8.0f MB/s, one core\n", (double)length / best / 1e6);
    spar__letor_rows_free(&rows);
}

static void time_open(const char *path, size_t threads, const char *what, double megabytes)
{
    spar__queries *queries = NULL;
    spar_error err = {0};
    spar__queries_options options = {.path = &path, .paths = 1, .threads = threads};
    double start = seconds(CLOCK_MONOTONIC), start_cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
    if (spar__queries_open(&options, &queries, &err))
        (void)fprintf(stderr, "%s\n", err.text);
    double took = seconds(CLOCK_MONOTONIC) - start, cpu = seconds(CLOCK_PROCESS_CPUTIME_ID) - start_cpu;
    struct rusage usage;
    (void)getrusage(RUSAGE_SELF, &usage);
    printf("%-10s %8.0f MB/s, %.3f s (%.3f s of CPU) for %.0f MB, %zu queries; at most %ld MB of memory so far\n", what,
           megabytes / took, took, cpu, megabytes, queries ? spar__queries_count(queries) : 0, usage.ru_maxrss / 1024);
    spar__queries_free(queries);
}

int main(int argc, char **argv)
{
    target t = {.wanted = (argc > 1 ? strtoul(argv[1], NULL, 10) : 200) * 1000000};
    char path[4096], cache[4200];
    (void)snprintf(path, sizeof path, "%s/bench_read.txt", argc > 2 ? argv[2] : "/tmp");
    (void)snprintf(cache, sizeof cache, "%s.spar-cache", path);
    if (!(t.file = fopen(path, "wb")))
        return 1;
    double start = seconds(CLOCK_PROCESS_CPUTIME_ID);
    (void)spar__generate(&(spar__generate_options){1u << 30, 120, 136, 5, 1}, sink, &t, NULL);
    (void)fclose(t.file);
    double megabytes = (double)t.written / 1e6;
    printf("generate   %8.0f MB/s\n", megabytes / (seconds(CLOCK_PROCESS_CPUTIME_ID) - start));
    time_parser(t.first.text, t.first.length);
    spar__buf_free(&t.first);
    (void)remove(cache);
    time_open(path, 1, "1 thread", megabytes);
    (void)remove(cache);
    time_open(path, 2, "2 threads", megabytes);
    time_open(path, 1, "again", megabytes);
    (void)remove(cache);
    (void)remove(path);
    return 0;
}
