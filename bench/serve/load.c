/* load.c - what one server of a fleet does: asks screens, answers them, or both in one request, and says how it went as
 * a line of JSON. bench/fleet.py starts one for each server.
 *
 *     load_serve PORT EXPERIMENT CONNECTIONS REQUESTS       SPAR_TOKEN has a manage token
 *
 * After the asks and after the answers it waits for a line on standard input, so that several begin together. */
#include "client.h"
#include "server.h"

#include "base/alloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct load_run {
    unsigned port;
    char ask[200], tell[200], authorization[200];
    uint64_t *screen; /* that are open */
    size_t n, sent, wanted;
    uint64_t bad;
    bool next; /* the next screen with each answer */
} load_run;

static bool write_ask(void *context, size_t connection, spar__buf *request)
{
    load_run *run = context;
    (void)connection;
    spar__load_post(request, run->ask, run->authorization, "{}", run->port);
    return run->sent++ < run->wanted;
}

static void read_reply(void *context, size_t connection, unsigned status, const char *body, size_t length)
{
    load_run *run = context;
    (void)connection;
    if (status / 100 != 2 && run->bad++ == 0)
        (void)fprintf(stderr, "load_serve: status %u: %.*s\n", status, (int)length, body);
    const char *next = run->next ? strstr(body, "\"next\":") : body, *at = next ? strstr(next, "\"screen\":") : NULL;
    if (at && run->n < run->wanted)
        run->screen[run->n++] = strtoull(at + 9, NULL, 10);
}

static void read_told(void *context, size_t connection, unsigned status, const char *body, size_t length)
{
    load_run *run = context;
    size_t before = run->n;
    read_reply(context, connection, status, body, length);
    run->n = before;
}

static bool write_tell(void *context, size_t connection, spar__buf *request)
{
    load_run *run = context;
    char body[100];
    const char *more = run->next ? ", \"next\": true" : "";
    (void)connection;
    if (run->sent == run->n)
        return false;
    (void)snprintf(body, sizeof body, "{\"screen\": %llu, \"winner\": \"%c\"%s}",
                   (unsigned long long)run->screen[run->sent], "AB"[run->sent % 2], more);
    run->sent++;
    spar__load_post(request, run->tell, run->authorization, body, run->port);
    return true;
}

static void measure(load_run *run, const char *name, size_t connections, const spar__load *load)
{
    spar__load_result result;
    char line[16];
    run->sent = 0;
    if (!spar__load_run(run->port, connections, 120, load, &result))
        spar__bench_fail("spar serve", "cannot be reached");
    (void)printf(
        "{\"what\": \"%s\", \"replies\": %llu, \"seconds\": %.6f, \"p50\": %.6f, \"p99\": %.6f, \"bad\": %llu}\n", name,
        (unsigned long long)result.replies, result.seconds, spar__load_quantile(&result, 0.5),
        spar__load_quantile(&result, 0.99), (unsigned long long)(result.failures + run->bad));
    (void)fflush(stdout);
    spar__free(result.latency);
    if (!fgets(line, sizeof line, stdin))
        exit(0);
}

int main(int argc, char **argv)
{
    const char *token = getenv("SPAR_TOKEN");
    if (argc != 5 || !token)
        spar__bench_fail("usage", "SPAR_TOKEN=... load_serve PORT EXPERIMENT CONNECTIONS REQUESTS");
    load_run run = {.port = (unsigned)strtoul(argv[1], NULL, 10), .wanted = strtoul(argv[4], NULL, 10)};
    size_t connections = strtoul(argv[3], NULL, 10);
    run.screen = spar__alloc(run.wanted, sizeof *run.screen);
    (void)snprintf(run.ask, sizeof run.ask, "/v1/experiments/%s/screens", argv[2]);
    (void)snprintf(run.tell, sizeof run.tell, "/v1/experiments/%s/answers", argv[2]);
    (void)snprintf(run.authorization, sizeof run.authorization, "Bearer %s", token);
    measure(&run, "asks", connections, &(spar__load){write_ask, read_reply, &run});
    measure(&run, "answers", connections, &(spar__load){write_tell, read_told, &run});
    run.n = 0;
    measure(&run, "asks again", connections, &(spar__load){write_ask, read_reply, &run});
    run.next = true;
    measure(&run, "answers with the next screen", connections, &(spar__load){write_tell, read_told, &run});
    spar__free(run.screen);
    return run.bad > 0;
}
