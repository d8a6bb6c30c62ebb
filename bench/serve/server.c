/* server.c - see server.h. */
#include "server.h"

#include "base/alloc.h"

#include <spar/experiment.h>

#include <microhttpd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

void spar__bench_fail(const char *what, const char *why)
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
pid_t spar__bench_bare(unsigned *port)
{
    int ends[2];
    if (pipe(ends))
        spar__bench_fail("pipe", "no more");
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
        spar__bench_fail("bare server", "did not start");
    (void)close(ends[0]);
    (void)close(ends[1]);
    return child;
}

/* --- the server --- */

pid_t spar__bench_serve(const char *spar, const char *file, unsigned *port)
{
    int ends[2];
    char line[512] = "";
    size_t n = 0;
    if (pipe(ends))
        spar__bench_fail("pipe", "no more");
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
        spar__bench_fail(spar, "serve did not say where it listens");
    return child;
}

/* CPU time that a process has used. */
double spar__bench_cpu(pid_t child)
{
    clockid_t clock;
    struct timespec t = {0};
    if (clock_getcpuclockid(child, &clock) == 0)
        (void)clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void spar__bench_stop(pid_t child, int signal)
{
    int status;
    (void)kill(child, signal);
    (void)waitpid(child, &status, 0);
}

/* --- a file with an experiment and a token --- */

void spar__bench_file(const char *file, size_t options, char token[SPAR__TOKEN_LENGTH + 1])
{
    spar_setup *setup = NULL;
    spar_experiment *experiment = NULL;
    spar__store *store = NULL;
    spar_error err = {0};
    uint64_t number;
    spar__buf old = {0};
    spar__buf_adds(&old, file);
    spar__bench_remove(&old);
    spar__buf_free(&old);
    if (spar_setup_new(&setup))
        spar__bench_fail(file, "no memory");
    for (size_t i = 0; i < options; i++) {
        char id[32];
        spar_option *option = NULL;
        (void)snprintf(id, sizeof id, "option %zu", i + 1);
        if (spar_option_new(id, &option, &err) || spar_setup_add_option(setup, option, &err))
            spar__bench_fail(file, err.text);
        spar_option_free(option);
    }
    spar_setup_set_seed(setup, 1);
    if (spar_experiment_create(file, setup, &experiment, &err))
        spar__bench_fail(file, err.text);
    spar_setup_free(setup);
    spar_experiment_close(experiment);
    if (spar__store_open(file, SPAR__STORE_WRITE, &store, &err) ||
        spar__token_new(store, "bench", (int64_t)time(NULL), 0, token, &number, &err))
        spar__bench_fail(file, err.text);
    spar__store_close(store);
}

double spar__bench_memory(pid_t child)
{
    char path[64], line[256];
    double kb = 0;
    (void)snprintf(path, sizeof path, "/proc/%ld/status", (long)child);
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, "VmRSS:", 6) == 0)
            kb = strtod(line + 6, NULL);
    if (file)
        (void)fclose(file);
    return kb / 1024;
}

void spar__bench_remove(spar__buf *file)
{
    size_t length = file->length;
    static const char *const ends[] = {"", "-wal", "-shm", "-serve", "-socket"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        spar__buf_adds(file, ends[i]);
        (void)unlink(file->text);
        file->length = length;
        file->text[length] = '\0';
    }
}
