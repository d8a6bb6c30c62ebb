/* serve.c - what an answer costs over HTTP: durable answers a second beside a bare libmicrohttpd server in the same run,
 * and how long a screen takes to come. The client is one thread on the same machine.
 *
 *     bench_serve SPAR [FOLDER]      SPAR is the command; the database is made in FOLDER (default: .)
 *
 * Ends with status 1 if a goal is missed. */
#include "client.h"

#include "base/alloc.h"
#include "service/tokens.h"

#include <spar/experiment.h>

#include <fcntl.h>
#include <microhttpd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { CONNECTIONS = 64 };

static void fail(const char *what, const char *why)
{
    (void)fprintf(stderr, "bench_serve: %s: %s\n", what, why);
    exit(2);
}

/* --- the bare server --- */

static enum MHD_Result hello(void *context, struct MHD_Connection *connection, const char *url, const char *method,
                             const char *version, const char *upload, size_t *size, void **request)
{
    static int seen;
    (void)context, (void)url, (void)method, (void)version, (void)upload;
    if (!*request) {
        *request = &seen;
        return MHD_YES;
    }
    if (*size) {
        *size = 0;
        return MHD_YES;
    }
    struct MHD_Response *response = MHD_create_response_from_buffer(5, (void *)"hello", MHD_RESPMEM_PERSISTENT);
    enum MHD_Result result = MHD_queue_response(connection, 200, response);
    MHD_destroy_response(response);
    return result;
}

/* In a process of its own, as the other one is. */
static pid_t start_bare(unsigned *port)
{
    int ends[2];
    if (pipe(ends))
        fail("pipe", "no more");
    pid_t child = fork();
    if (child == 0) {
        struct MHD_Daemon *daemon =
            MHD_start_daemon(MHD_USE_EPOLL_INTERNAL_THREAD, 0, NULL, NULL, hello, NULL, MHD_OPTION_END);
        const union MHD_DaemonInfo *info = daemon ? MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT) : NULL;
        unsigned found = info ? info->port : 0;
        if (write(ends[1], &found, sizeof found) != sizeof found)
            _exit(1);
        for (;;)
            (void)pause();
    }
    if (read(ends[0], port, sizeof *port) != sizeof *port || !*port)
        fail("bare server", "did not start");
    (void)close(ends[0]);
    (void)close(ends[1]);
    return child;
}

/* --- the server --- */

static pid_t start_spar(const char *spar, const char *file, unsigned *port)
{
    int ends[2];
    char line[512] = "";
    size_t n = 0;
    if (pipe(ends))
        fail("pipe", "no more");
    pid_t child = fork();
    if (child == 0) {
        (void)dup2(ends[1], 1);
        (void)execl(spar, spar, "serve", file, "--listen", "127.0.0.1:0", "--limit", "address-rate=0", "--limit",
                    "address-connections=0", (char *)NULL);
        _exit(127);
    }
    (void)close(ends[1]);
    while (n + 1 < sizeof line && !strchr(line, '\n') && read(ends[0], line + n, 1) == 1)
        n++;
    const char *colon = strrchr(line, ':');
    *port = colon ? (unsigned)strtoul(colon + 1, NULL, 10) : 0;
    if (!*port)
        fail(spar, "serve did not say where it listens");
    return child;
}

/* CPU time that a process has used. */
static double cpu_of(pid_t child)
{
    clockid_t clock;
    struct timespec t = {0};
    if (clock_getcpuclockid(child, &clock) == 0)
        (void)clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void stop(pid_t child, int signal)
{
    int status;
    (void)kill(child, signal);
    (void)waitpid(child, &status, 0);
}

/* --- what is asked --- */

typedef struct bench_run {
    unsigned port;
    const char *ask, *tell, *authorization;
    uint64_t *screen; /* that were asked */
    size_t asked, told, wanted;
    uint64_t bad;
    bool next; /* the next screen with each answer */
} bench_run;

static bool write_hello(void *context, size_t connection, spar__buf *request)
{
    bench_run *run = context;
    (void)connection;
    spar__load_post(request, "/v1/experiments/bench/answers", run->authorization, "{\"screen\": 1000, \"winner\": \"A\"}",
                    run->port);
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
                   (unsigned long long)run->screen[run->asked], "AB"[run->asked % 2], run->next ? ", \"next\": true" : "");
    run->asked++;
    spar__load_post(request, run->tell, run->authorization, body, run->port);
    return true;
}

/* --- a file with an experiment and a token --- */

static void make_experiment(const char *file, size_t options, char token[SPAR__TOKEN_LENGTH + 1])
{
    spar_setup *setup = NULL;
    spar_experiment *experiment = NULL;
    spar__store *store = NULL;
    spar_error err = {0};
    uint64_t number;
    (void)unlink(file);
    if (spar_setup_new(&setup))
        fail(file, "no memory");
    for (size_t i = 0; i < options; i++) {
        char id[32];
        spar_option *option = NULL;
        (void)snprintf(id, sizeof id, "option %zu", i + 1);
        if (spar_option_new(id, &option, &err) || spar_setup_add_option(setup, option, &err))
            fail(file, err.text);
        spar_option_free(option);
    }
    spar_setup_set_seed(setup, 1);
    if (spar_experiment_create(file, setup, &experiment, &err))
        fail(file, err.text);
    spar_setup_free(setup);
    spar_experiment_close(experiment);
    if (spar__store_open(file, SPAR__STORE_WRITE, &store, &err) ||
        spar__token_new(store, "bench", (int64_t)time(NULL), 0, token, &number, &err))
        fail(file, err.text);
    spar__store_close(store);
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
        fail(path.text, "cannot be made");
    for (size_t i = 0; i < 200; i++) {
        char page[4096] = {(char)i};
        double start = spar__load_now();
        if (write(fd, page, sizeof page) != sizeof page || fsync(fd))
            fail(path.text, "cannot be written");
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

static double bare_rate(double *cpu)
{
    unsigned port;
    bench_run run = {.authorization = "Bearer spar_0000000000000000000000000000000000000000000000000000000000000000"};
    spar__load load = {write_hello, read_any, &run};
    spar__load_result result;
    pid_t child = start_bare(&port);
    run.port = port;
    if (!spar__load_run(port, CONNECTIONS, 3, &load, &result))
        fail("bare server", "cannot be reached");
    *cpu = cpu_of(child) / (double)result.replies;
    stop(child, SIGKILL);
    double rate = (double)result.replies / result.seconds;
    spar__free(result.latency);
    return rate;
}

typedef struct served_rates {
    double asks, ask_p99, answers, answer_p99, loops, ask_cpu, answer_cpu, loop_cpu;
    uint64_t failures;
} served_rates;

static void measure(bench_run *run, pid_t child, bool asks, double *rate, double *p99, double *cpu, uint64_t *failures)
{
    double before = cpu_of(child);
    spar__load load = {asks ? write_ask : write_tell, asks ? read_ask : read_any, run};
    spar__load_result result;
    run->asked = 0;
    run->told = asks ? 0 : run->told;
    if (!spar__load_run(run->port, CONNECTIONS, 60, &load, &result))
        fail("spar serve", "cannot be reached");
    *rate = (double)result.replies / result.seconds;
    *p99 = spar__load_quantile(&result, 0.99);
    *cpu = (cpu_of(child) - before) / (double)result.replies;
    *failures += result.failures + run->bad;
    spar__free(result.latency);
}

static served_rates served(const char *spar, const char *folder, size_t options, size_t answers)
{
    char token[SPAR__TOKEN_LENGTH + 1], authorization[SPAR__TOKEN_LENGTH + 16];
    spar__buf file = {0};
    served_rates rates = {0};
    double ignored;
    spar__buf_printf(&file, "%s/bench.db", folder);
    make_experiment(file.text, options, token);
    (void)snprintf(authorization, sizeof authorization, "Bearer %s", token);
    bench_run run = {.ask = "/v1/experiments/bench/screens",
                     .tell = "/v1/experiments/bench/answers",
                     .authorization = authorization,
                     .wanted = answers};
    run.screen = spar__alloc(answers, sizeof *run.screen);
    pid_t child = start_spar(spar, file.text, &run.port);
    measure(&run, child, true, &rates.asks, &rates.ask_p99, &rates.ask_cpu, &rates.failures);
    measure(&run, child, false, &rates.answers, &rates.answer_p99, &rates.answer_cpu, &rates.failures);
    measure(&run, child, true, &ignored, &ignored, &ignored, &rates.failures);
    run.next = true;
    measure(&run, child, false, &rates.loops, &ignored, &rates.loop_cpu, &rates.failures);
    stop(child, SIGTERM);
    spar__free(run.screen);
    for (const char *const *end = (const char *const[]){"", "-wal", "-shm", "-serve", "-socket", NULL}; *end; end++) {
        size_t length = file.length;
        spar__buf_adds(&file, *end);
        (void)unlink(file.text);
        file.length = length;
        file.text[length] = '\0';
    }
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
        fail("usage", "bench_serve SPAR [FOLDER]");
    double bare_cpu, sync = sync_time(folder), bare = bare_rate(&bare_cpu);
    served_rates few = served(argv[1], folder, 16, 20000), many = served(argv[1], folder, 1000, 5000);
    (void)printf("bare server: %.0f requests/s; fsync p99 %.2f ms; %d connections\n", bare, 1e3 * sync, CONNECTIONS);
    (void)printf("server's CPU time, us: bare request %.1f; ask %.1f, answer %.1f, answer with the next screen %.1f; "
                 "1000 options: %.1f, %.1f, %.1f\n",
                 1e6 * bare_cpu, 1e6 * few.ask_cpu, 1e6 * few.answer_cpu, 1e6 * few.loop_cpu, 1e6 * many.ask_cpu,
                 1e6 * many.answer_cpu, 1e6 * many.loop_cpu);
    (void)printf("16 options: %.0f asks/s, %.0f answers/s (p99 %.2f ms), %.0f answers/s each with the next screen\n",
                 few.asks, few.answers, 1e3 * few.answer_p99, few.loops);
    (void)printf("1000 options: %.0f asks/s (p99 %.2f ms), %.0f answers/s\n", many.asks, 1e3 * many.ask_p99,
                 many.answers);
    int missed = verdict("answers per bare request", few.answers / bare, 0.25, true);
    missed += verdict("ask p99 beyond fsync's, ms, 1000 options", 1e3 * (many.ask_p99 - sync), 10, false);
    missed += verdict("requests that failed", (double)(few.failures + many.failures), 0, false);
    return missed > 0;
}
