/* serve.c - spar serve: experiments over HTTP, until SIGINT or SIGTERM. */
#include "base/alloc.h"
#include "base/file.h"
#include "cli/common.h"
#include "cli/experiment.h"
#include "service/service.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

/* --- what a service manager wants to hear (systemd, Type=notify); without one nothing happens --- */

/* state: "READY=1", "STOPPING=1", "WATCHDOG=1"; several with line breaks between them. The protocol is one datagram to
 * the Unix socket that NOTIFY_SOCKET names; "@" at its start means an abstract one. */
static void notify(const char *state)
{
    const char *path = getenv("NOTIFY_SOCKET");
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t length = path ? strlen(path) : 0;
    if (length < 2 || length >= sizeof address.sun_path || (*path != '/' && *path != '@'))
        return;
    memcpy(address.sun_path, path, length);
    if (*path == '@')
        address.sun_path[0] = '\0';
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return;
    socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length);
    (void)sendto(fd, state, strlen(state), MSG_NOSIGNAL, (const struct sockaddr *)&address, size);
    (void)close(fd);
}

/* Seconds within which the manager wants to hear WATCHDOG=1; 0: it does not. */
static double notify_watchdog(void)
{
    const char *time = getenv("WATCHDOG_USEC"), *pid = getenv("WATCHDOG_PID");
    if (!time || (pid && strtol(pid, NULL, 10) != (long)getpid()))
        return 0;
    double seconds = 1e-6 * (double)strtoull(time, NULL, 10);
    return seconds < 1e9 ? seconds : 0;
}

/* --- options --- */

static spar_status set_limit(spar__service_limits *limits, const char *text, spar_error *err)
{
    const struct {
        const char *name;
        double *rate;
        size_t *count;
    } known[] = {
        {"connections", NULL, &limits->connections},
        {"address-connections", NULL, &limits->address_connections},
        {"voter-rate", &limits->voter_rate, NULL},
        {"voter-burst", &limits->voter_burst, NULL},
        {"address-rate", &limits->address_rate, NULL},
        {"login-rate", &limits->login_rate, NULL},
        {"image-rate", &limits->image_rate, NULL},
        {"streams", NULL, &limits->streams},
        {"address-streams", NULL, &limits->address_streams},
    };
    const char *equals = strchr(text, '=');
    char *end = NULL;
    unsigned long value = equals && equals[1] >= '0' && equals[1] <= '9' ? strtoul(equals + 1, &end, 10) : 0;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        size_t length = strlen(known[i].name);
        if (!end || *end || value > 65535 || strncmp(text, known[i].name, length) != 0 || text[length] != '=')
            continue;
        if (known[i].rate)
            *known[i].rate = (double)value;
        else
            *known[i].count = value;
        return SPAR_OK;
    }
    return spar__fail(
        err, SPAR_INVALID,
        "--limit '%.80s': expected NAME=N, N up to 65535, 0 for none, NAME one of connections, "
        "address-connections, streams, address-streams, voter-rate, voter-burst, address-rate, login-rate, "
        "image-rate",
        text);
}

/* --- running --- */

/* Until a signal ends it. Meanwhile the service manager hears that it is alive; a server that is stuck is silent.
 * SIGHUP is for the log, where there is one in a file; else it ends the server, as a terminal that is closed means. */
static void watch_over(const spar__service_settings *settings, spar__service *service, const sigset_t *signals)
{
    double watchdog = notify_watchdog(), wait = watchdog > 0 ? watchdog / 4 : 3600;
    bool logs = settings->log && strcmp(settings->log, "-") != 0;
    for (;;) {
        struct timespec most = {.tv_sec = (time_t)wait};
        most.tv_nsec = (long)(1e9 * (wait - (double)most.tv_sec));
        int signal = sigtimedwait(signals, NULL, &most);
        if (signal == SIGHUP && logs) {
            spar_error err = {0};
            if (spar__service_reopen(service, &err))
                (void)fprintf(stderr, "spar: warning: %s; the old log stays in use\n", err.text);
        } else if (signal > 0) {
            return;
        }
        if (watchdog > 0 && spar__service_stalled(service) < watchdog / 2 + 2)
            notify("WATCHDOG=1");
    }
}

/* The threads take no signals; this one waits for them. A second one, while it ends, kills it: nothing that was
 * acknowledged is lost by that. */
static spar_status serve_until_told(const spar__service_settings *settings, spar_error *err)
{
    static const int all[] = {SIGINT, SIGTERM, SIGHUP};
    sigset_t signals, before;
    spar__service *service = NULL;
    spar__buf text = {0};
    (void)sigemptyset(&signals);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        (void)sigaddset(&signals, all[i]);
    (void)signal(SIGPIPE, SIG_IGN);
    (void)pthread_sigmask(SIG_BLOCK, &signals, &before);
    spar_status status = spar__service_start(settings, &service, err);
    if (!status) { /* what to open; on standard output at once: scripts wait for it */
        spar__service_describe(service, &text);
        spar__buf_adds(&text, "Ctrl-C ends it\n");
        status = text.failed ? spar__fail_memory(err) : spar__file_write("-", text.text, text.length, err);
    }
    spar__buf_free(&text);
    if (!status) {
        notify("READY=1");
        watch_over(settings, service, &signals);
        notify("STOPPING=1");
    }
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    spar__service_stop(service);
    return status;
}

/* --- what is wrong before it begins --- */

/* A file that is not there is made, with the first experiment in a browser. */
static spar_status check_place(const char *place, bool *create, spar_error *err)
{
    *create = false;
    const char *file = strncmp(place, "sqlite:", 7) == 0 ? place + 7 : place;
    struct stat info;
    if (strstr(place, "://") && strchr(place, '#')) /* which is not shown: a password may have one */
        return spar__fail(err, SPAR_INVALID, "all experiments of a database are served: leave out '#' and the name");
    if (strstr(place, "://") || strncmp(place, "memory:", 7) == 0 || stat(file, &info) == 0 || errno != ENOENT)
        return SPAR_OK;
    const char *hash = strrchr(file, '#');
    if (hash && hash != file)
        return spar__fail(err, SPAR_IO, "%s: there is no such file; all experiments of a file are served: leave out %s",
                          place, hash);
    *create = true;
    return SPAR_OK;
}

static spar_status serve(const spar__settings *settings, spar__buf *out, spar_error *err)
{
    spar__network *trusted = NULL;
    spar__service_settings service = {.listen = spar__setting_text(settings, "listen"),
                                      .base_url = spar__setting_text(settings, "base-url"),
                                      .log = spar__setting_text(settings, "log"),
                                      .limits = spar__service_standard};
    if (spar__setting_number(settings, "openapi")) {
        spar__service_openapi(out);
        return SPAR_OK;
    }
    const spar__setting *limits = spar__setting_of(settings, "limit"),
                        *proxies = spar__setting_of(settings, "trust-proxy");
    spar_status status = spar__need_operands(settings, 1, err);
    for (size_t i = 0; i < limits->n && !status; i++)
        status = set_limit(&service.limits, limits->text[i], err);
    if (!status && proxies->n && !(trusted = spar__alloc(proxies->n, sizeof *trusted)))
        status = spar__fail_memory(err);
    for (size_t i = 0; i < proxies->n && !status; i++)
        status = spar__network_parse(proxies->text[i], &trusted[i], err);
    service.trusted = trusted;
    service.n_trusted = proxies->n;
    if (!status) {
        service.place = settings->operand[0];
        status = spar__target_check(service.place, service.log, err);
    }
    if (!status)
        status = check_place(service.place, &service.create, err);
    if (!status)
        status = serve_until_told(&service, err);
    spar__free(trusted);
    return status;
}

static const spar__option options[] = {
    {.name = "listen",
     .kind = SPAR__OPTION_TEXT,
     .metavar = "ADDRESS:PORT",
     .standard = "127.0.0.1:8080",
     .help = "where to listen; port 0 is any free one; 0.0.0.0:8080 lets other machines in, without encryption"},
    SPAR__TEXT_OPTION("base-url", "URL", "the address that people use, such as https://vote.example.org"),
    SPAR__LIST_OPTION("trust-proxy", "trust-proxies", "CIDR",
                      "a reverse proxy, such as 127.0.0.1 or 10.0.0.0/8, whose X-Forwarded-For is believed"),
    SPAR__TEXT_OPTION("log", "FILE",
                      "a line for each request goes to this file, - is standard output (default: nowhere)"),
    SPAR__LIST_OPTION("limit", "limits", "NAME=N",
                      "change a limit; 0 is none: connections=4096, address-connections=64, streams=256, "
                      "address-streams=4, voter-rate=30, voter-burst=10, address-rate=300, login-rate=10, "
                      "image-rate=1200 (rates are per minute)"),
    SPAR__SWITCH_OPTION("openapi", "print the description of the interface (OpenAPI 3.1) and serve nothing"),
    {.name = NULL},
};

const spar__command spar__command_serve = {
    .name = "serve",
    .brief = "Serve the experiments of a file or a database over HTTP",
    .operands = "FILE [OPTIONS]",
    .max_operands = 1,
    .options = options,
    .notes =
        "The interface is described at /openapi.json and in doc/http.md, running it in doc/operating.md. Other\n"
        "commands may be used on the file meanwhile. SIGTERM ends it after the requests that are there; a second one\n"
        "at once. SIGHUP opens the log anew, for logrotate.\n"
        "FILE may be a URL (postgresql://...): then any number of servers, here and elsewhere, serve one database.",
    .example = "spar serve tea.db",
    .run = serve,
};
