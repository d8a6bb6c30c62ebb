/* soak.c - a long run over HTTP: does anybody wait too long, does memory grow?
 *
 *     soak_serve SPAR ANSWERS [FOLDER]
 *
 * 64 connections answer and get the next screen, on and on. Nobody may wait more than a second beyond the longest
 * commit. At the end memory is what it was after a fifth or after half of the answers, whichever is less: what is kept
 * of answers reaches its bound in between.
 * Ends with status 1 if a goal is missed. */
#include "client.h"
#include "server.h"

#include "base/alloc.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CONNECTIONS = 64, MOST_GROWTH = 4 }; /* megabytes, of some 40 */

typedef struct soak_run {
    unsigned port;
    const char *authorization;
    uint64_t open[CONNECTIONS]; /* the screen of each connection; 0: none yet */
    size_t left;
    uint64_t bad;
} soak_run;

static bool write_soak(void *context, size_t connection, spar__buf *request)
{
    soak_run *run = context;
    char body[100];
    uint64_t screen = run->open[connection];
    if (!run->left)
        return false;
    run->left--; /* asks count, too: if nothing works it ends */
    (void)snprintf(body, sizeof body, "{\"screen\": %llu, \"winner\": \"%c\", \"next\": true}",
                   (unsigned long long)screen, "AB"[run->left % 2]);
    spar__load_post(request, screen ? "/v1/experiments/soak/answers" : "/v1/experiments/soak/screens",
                    run->authorization, screen ? body : "{}", run->port);
    return true;
}

static void read_soak(void *context, size_t connection, unsigned status, const char *body, size_t length)
{
    soak_run *run = context;
    if (status / 100 != 2 && run->bad++ == 0)
        (void)fprintf(stderr, "soak_serve: status %u: %.*s\n", status, (int)length, body);
    const char *next = run->open[connection] ? strstr(body, "\"next\":") : body;
    const char *at = next ? strstr(next, "\"screen\":") : NULL;
    run->open[connection] = at ? strtoull(at + 9, NULL, 10) : 0;
}

typedef struct metric_read {
    const soak_run *run;
    double value;
    bool asked;
} metric_read;

static bool write_metrics(void *context, size_t connection, spar__buf *request)
{
    metric_read *metric = context;
    (void)connection;
    if (metric->asked)
        return false;
    metric->asked = true;
    spar__buf_printf(request, "GET /metrics HTTP/1.1\r\nHost: 127.0.0.1:%u\r\nAuthorization: %s\r\n\r\n",
                     metric->run->port, metric->run->authorization);
    return true;
}

static void read_metrics(void *context, size_t connection, unsigned status, const char *body, size_t length)
{
    static const char line[] = "\nspar_commit_seconds_max ";
    metric_read *metric = context;
    (void)connection, (void)status, (void)length;
    const char *at = strstr(body, line);
    metric->value = at ? strtod(at + sizeof line - 1, NULL) : 0;
}

static double longest_commit(const soak_run *run)
{
    metric_read metric = {.run = run};
    spar__load load = {write_metrics, read_metrics, &metric};
    spar__load_result result;
    (void)spar__load_run(run->port, 1, 10, &load, &result);
    spar__free(result.latency);
    return metric.value;
}

/* The longest wait; failures are added up. */
static double play(soak_run *run, size_t answers, uint64_t *failures)
{
    spar__load load = {write_soak, read_soak, run};
    spar__load_result result;
    run->left = answers;
    memset(run->open, 0, sizeof run->open);
    if (!spar__load_run(run->port, CONNECTIONS, 1e6, &load, &result))
        spar__bench_fail("spar serve", "cannot be reached");
    double longest = result.replies ? result.latency[result.replies - 1] : 0;
    *failures += result.failures;
    spar__free(result.latency);
    return longest;
}

static int verdict(const char *what, double value, double limit)
{
    (void)printf("%-4s %s: %.4g (<= %.4g)\n", value <= limit ? "ok" : "MISS", what, value, limit);
    return value > limit;
}

int main(int argc, char **argv)
{
    char token[SPAR__TOKEN_LENGTH + 1], authorization[SPAR__TOKEN_LENGTH + 16];
    spar__buf file = {0};
    uint64_t failures = 0;
    size_t answers = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
    if (!answers)
        spar__bench_fail("usage", "soak_serve SPAR ANSWERS [FOLDER]");
    spar__buf_printf(&file, "%s/soak.db", argc > 3 ? argv[3] : ".");
    spar__bench_file(file.text, 16, token);
    (void)snprintf(authorization, sizeof authorization, "Bearer %s", token);
    soak_run run = {.authorization = authorization};
    pid_t child = spar__bench_serve(argv[1], file.text, &run.port);
    double longest = 0, memory[3];
    static const double share[] = {0.2, 0.3, 0.5};
    for (size_t i = 0; i < 3; i++) {
        double wait = play(&run, (size_t)(share[i] * (double)answers), &failures);
        longest = wait > longest ? wait : longest;
        memory[i] = spar__bench_memory(child);
    }
    double commit = longest_commit(&run), least = memory[0] < memory[1] ? memory[0] : memory[1];
    spar__bench_stop(child, SIGTERM);
    spar__bench_remove(&file);
    spar__buf_free(&file);
    (void)printf("%zu answers: longest wait %.3f s, longest commit %.3f s; "
                 "%.1f MB after a fifth, %.1f MB after half, %.1f MB at the end\n",
                 answers, longest, commit, memory[0], memory[1], memory[2]);
    int missed = verdict("longest wait beyond its commit, s", longest - commit, 1);
    missed += verdict("growth of memory to the end, MB", memory[2] - least, MOST_GROWTH);
    return missed + verdict("requests that failed", (double)(failures + run.bad), 0) > 0;
}
