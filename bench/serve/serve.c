/* serve.c - what an answer costs over HTTP: durable answers a second beside a bare libmicrohttpd server in the same
 * run, and how long a screen takes to come. The client is one thread on the same machine.
 *
 *     bench_serve SPAR [FOLDER]      SPAR is the command; the database is made in FOLDER (default: .)
 *
 * Ends with status 1 if a goal is missed. */
#include "client.h"
#include "server.h"

#include "base/alloc.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CONNECTIONS = 64, CROWD = 256 /* for throughput */ };

/* --- what is asked --- */

typedef struct bench_run {
    unsigned port;
    const char *ask, *tell, *authorization;
    uint64_t *screen; /* that were asked */
    size_t asked, told, wanted;
    uint64_t bad;
    bool next;               /* the next screen with each answer */
    spar__load_result *pool; /* what is measured is added to it; NULL: to nothing */
} bench_run;

static bool write_hello(void *context, size_t connection, spar__buf *request)
{
    bench_run *run = context;
    (void)connection;
    spar__load_post(request, "/v1/experiments/bench/answers", run->authorization,
                    "{\"screen\": 1000, \"winner\": \"A\"}", run->port);
    return true;
}

static void read_any(void *context, size_t connection, unsigned status, const char *body, size_t length)
{
    bench_run *run = context;
    (void)connection, (void)length;
    if (status / 100 != 2 && run->bad++ == 0)
        (void)fprintf(stderr, "bench_serve: status %u: %.*s\n", status, (int)length, body);
}

static bool write_ask(void *context, size_t connection, spar__buf *request)
{
    bench_run *run = context;
    (void)connection;
    spar__load_post(request, run->ask, run->authorization, "{}", run->port);
    return run->asked++ < run->wanted;
}

static void read_ask(void *context, size_t connection, unsigned status, const char *body, size_t length)
{
    bench_run *run = context;
    read_any(context, connection, status, body, length);
    const char *at = strstr(body, "\"screen\":");
    if (at && run->told < run->wanted)
        run->screen[run->told++] = strtoull(at + 9, NULL, 10);
}

static bool write_tell(void *context, size_t connection, spar__buf *request)
{
    bench_run *run = context;
    char body[100];
    (void)connection;
    if (run->asked == run->told)
        return false;
    (void)snprintf(body, sizeof body, "{\"screen\": %llu, \"winner\": \"%c\"%s}",
                   (unsigned long long)run->screen[run->asked], "AB"[run->asked % 2],
                   run -> next ? ", \"next\": true" : "");
    run->asked++;
    spar__load_post(request, run->tell, run->authorization, body, run->port);
    return true;
}

/* The 99th percentile of one small write and fsync there. */
static double sync_time(const char *folder)
{
    spar__buf path = {0};
    spar__load_result times = {0};
    double latency[200];
    spar__buf_printf(&path, "%s/bench_serve.sync", folder);
    int fd = open(path.text, O_CREAT | O_TRUNC | O_WRONLY, 0600);
    if (fd < 0)
        spar__bench_fail(path.text, "cannot be made");
    for (size_t i = 0; i < 200; i++) {
        char page[4096] = {(char)i};
        double start = spar__load_now();
        if (write(fd, page, sizeof page) != sizeof page || fsync(fd))
            spar__bench_fail(path.text, "cannot be written");
        latency[i] = spar__load_now() - start;
    }
    (void)close(fd);
    (void)unlink(path.text);
    spar__buf_free(&path);
    for (size_t i = 1; i < 200; i++)
        for (size_t j = i; j && latency[j - 1] > latency[j]; j--) {
            double swap = latency[j];
            latency[j] = latency[j - 1];
            latency[j - 1] = swap;
        }
    times.latency = latency;
    times.replies = 200;
    return spar__load_quantile(&times, 0.99);
}

/* --- the runs --- */

typedef struct bare_rates {
    double replies, seconds, cpu;
} bare_rates;

/* Adds a part of the run to the rates: before and after the others, since machines become slower and faster. */
static void measure_bare(bare_rates *rates)
{
    unsigned port;
    bench_run run = {.authorization = "Bearer spar_0000000000000000000000000000000000000000000000000000000000000000"};
    spar__load load = {write_hello, read_any, &run};
    spar__load_result result;
    pid_t child = spar__bench_bare(&port);
    run.port = port;
    /* With more than 128 its own loop may stall. */
    if (!spar__load_run(port, CONNECTIONS, 1.5, &load, &result))
        spar__bench_fail("bare server", "cannot be reached");
    rates->replies += (double)result.replies;
    rates->seconds += result.seconds;
    rates->cpu += spar__bench_cpu(child);
    spar__bench_stop(child, SIGKILL);
    spar__free(result.latency);
}

typedef struct served_rates {
    double asks, ask_p99, ask_p99_least, ask_p99_most, answers, answer_p99, loops, ask_cpu, answer_cpu, loop_cpu;
    uint64_t failures;
} served_rates;

static spar__load_lines *open_lines(const bench_run *run, size_t connections)
{
    spar__load_lines *lines = spar__load_open(run->port, connections);
    if (!lines)
        spar__bench_fail("spar serve", "cannot be reached");
    return lines;
}

static void measure(bench_run *run, pid_t child, spar__load_lines *lines, bool asks, double *rate, double *p99,
                    double *cpu, uint64_t *failures)
{
    double before = spar__bench_cpu(child);
    spar__load load = {asks ? write_ask : write_tell, asks ? read_ask : read_any, run};
    spar__load_result result;
    run->asked = 0;
    run->told = asks ? 0 : run->told;
    spar__load_play(lines, 60, &load, &result);
    *rate = (double)result.replies / result.seconds;
    *p99 = spar__load_quantile(&result, 0.99);
    *cpu = (spar__bench_cpu(child) - before) / (double)result.replies;
    *failures += result.failures + run->bad;
    if (run->pool)
        spar__load_merge(run->pool, &result);
    spar__free(result.latency);
}

/* In portions, so that no more screens are open than there are people who look at one. */
static void measure_answers(bench_run *run, pid_t child, served_rates *rates)
{
    enum { PORTIONS = 10 };
    double seconds = 0, rate, p99, cpu, ignored;
    size_t all = run->wanted;
    spar__load_lines *crowd = open_lines(run, CROWD);
    run->wanted = all / PORTIONS;
    for (int i = 0; i < PORTIONS; i++) {
        measure(run, child, crowd, true, &ignored, &ignored, &ignored, &rates->failures);
        measure(run, child, crowd, false, &rate, &p99, &cpu, &rates->failures);
        seconds += 1 / rate;
        rates->answer_p99 = p99 > rates->answer_p99 ? p99 : rates->answer_p99;
        rates->answer_cpu += cpu / PORTIONS;
    }
    rates->answers = PORTIONS / seconds;
    run->wanted = all;
    spar__load_close(crowd);
}

/* In windows, each answered but the last. One is so short that what happens now and then (a snapshot, a checkpoint of
 * the write-ahead log, a disk that pauses) decides about its 99th percentile, or is not in it at all: the goal is about
 * all of them together, and the best and the worst are told. */
static void measure_asks(bench_run *run, pid_t child, served_rates *rates)
{
    enum { WINDOWS = 5 };
    double rate, p99, cpu, ignored;
    spar__load_result all = {0};
    spar__load_lines *some = open_lines(run, CONNECTIONS);
    for (int i = 0; i < WINDOWS; i++) {
        run->pool = NULL;
        if (i)
            measure(run, child, some, false, &ignored, &ignored, &ignored, &rates->failures);
        run->pool = &all;
        measure(run, child, some, true, &rate, &p99, &cpu, &rates->failures);
        rates->ask_p99_most = p99 > rates->ask_p99_most ? p99 : rates->ask_p99_most;
        rates->ask_p99_least = i && rates->ask_p99_least < p99 ? rates->ask_p99_least : p99;
        rates->ask_cpu += cpu / WINDOWS;
    }
    run->pool = NULL;
    rates->asks = (double)all.replies / all.seconds;
    rates->ask_p99 = spar__load_quantile(&all, 0.99);
    spar__free(all.latency);
    spar__load_close(some);
}

static void measure_loops(bench_run *run, pid_t child, served_rates *rates)
{
    double ignored;
    spar__load_lines *crowd = open_lines(run, CROWD);
    run->next = true;
    measure(run, child, crowd, false, &rates->loops, &ignored, &rates->loop_cpu, &rates->failures);
    spar__load_close(crowd);
}

static served_rates served(const char *spar, const char *folder, size_t options, size_t answers)
{
    char token[SPAR__TOKEN_LENGTH + 1], authorization[SPAR__TOKEN_LENGTH + 16];
    spar__buf file = {0};
    served_rates rates = {0};
    spar__buf_printf(&file, "%s/bench.db", folder);
    spar__bench_file(file.text, options, token);
    (void)snprintf(authorization, sizeof authorization, "Bearer %s", token);
    bench_run run = {.ask = "/v1/experiments/bench/screens",
                     .tell = "/v1/experiments/bench/answers",
                     .authorization = authorization,
                     .wanted = answers};
    run.screen = spar__alloc(answers, sizeof *run.screen);
    pid_t child = spar__bench_serve(spar, file.text, &run.port);
    measure_answers(&run, child, &rates);
    measure_asks(&run, child, &rates);
    measure_loops(&run, child, &rates);
    spar__bench_stop(child, SIGTERM);
    spar__free(run.screen);
    spar__bench_remove(&file);
    spar__buf_free(&file);
    return rates;
}

static int verdict(const char *what, double value, double limit, bool at_least)
{
    bool good = at_least ? value >= limit : value <= limit;
    (void)printf("%-4s %s: %.4g (%s %.4g)\n", good ? "ok" : "MISS", what, value, at_least ? ">=" : "<=", limit);
    return !good;
}

int main(int argc, char **argv)
{
    const char *folder = argc > 2 ? argv[2] : ".";
    if (argc < 2)
        spar__bench_fail("usage", "bench_serve SPAR [FOLDER]");
    bare_rates hello = {0};
    double sync = sync_time(folder);
    measure_bare(&hello);
    served_rates few = served(argv[1], folder, 16, 20000), many = served(argv[1], folder, 1000, 5000);
    measure_bare(&hello);
    double bare = hello.replies / hello.seconds;
    (void)printf("bare server: %.0f requests/s; fsync p99 %.2f ms; %d connections (%d for the p99 of asks)\n", bare,
                 1e3 * sync, CROWD, CONNECTIONS);
    (void)printf("server's CPU time, us: bare request %.1f; ask %.1f, answer %.1f, answer with the next screen %.1f; "
                 "1000 options: %.1f, %.1f, %.1f\n",
                 1e6 * hello.cpu / hello.replies, 1e6 * few.ask_cpu, 1e6 * few.answer_cpu, 1e6 * few.loop_cpu,
                 1e6 * many.ask_cpu, 1e6 * many.answer_cpu, 1e6 * many.loop_cpu);
    (void)printf("16 options: %.0f asks/s, %.0f answers/s (p99 %.2f ms), %.0f answers/s each with the next screen\n",
                 few.asks, few.answers, 1e3 * few.answer_p99, few.loops);
    (void)printf("1000 options: %.0f asks/s (p99 %.2f ms; of windows %.2f to %.2f ms), %.0f answers/s\n", many.asks,
                 1e3 * many.ask_p99, 1e3 * many.ask_p99_least, 1e3 * many.ask_p99_most, many.answers);
    int missed = verdict("answers per bare request", few.answers / bare, 0.25, true);
    missed += verdict("ask p99 beyond fsync's, ms, 1000 options", 1e3 * (many.ask_p99 - sync), 10, false);
    missed += verdict("requests that failed", (double)(few.failures + many.failures), 0, false);
    return missed > 0;
}
