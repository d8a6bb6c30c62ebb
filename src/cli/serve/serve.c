/* serve.c - spar serve: experiments over HTTP, until SIGINT or SIGTERM. */
#include "cli/common.h"
#include "cli/experiment/experiment.h"
#include "service/service.h"

#include "base/alloc.h"
#include "base/file.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- options --- */

static spar_status set_limit(spar__service_limits *limits, const char *text, spar_error *err)
{
    const struct {
        const char *name;
        double *rate;
        size_t *count;
    } known[] = {
        {"connections", NULL, &limits->connections},   {"address-connections", NULL, &limits->address_connections},
        {"voter-rate", &limits->voter_rate, NULL},     {"voter-burst", &limits->voter_burst, NULL},
        {"address-rate", &limits->address_rate, NULL}, {"login-rate", &limits->login_rate, NULL},
        {"streams", NULL, &limits->streams},           {"address-streams", NULL, &limits->address_streams},
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
        "address-connections, streams, address-streams, voter-rate, voter-burst, address-rate, login-rate",
        text);
}

static spar_status read_limits(const spar__settings *settings, spar__service_limits *limits, spar_error *err)
{
    const spar__setting *given = spar__setting_of(settings, "limit");
    spar_status status = SPAR_OK;
    *limits = spar__service_standard;
    for (size_t i = 0; i < given->n && !status; i++)
        status = set_limit(limits, given->text[i], err);
    return status;
}

static spar_status read_proxies(const spar__settings *settings, spar__network **out, size_t *n, spar_error *err)
{
    const spar__setting *given = spar__setting_of(settings, "trust-proxy");
    spar_status status = SPAR_OK;
    *n = given->n;
    *out = given->n ? spar__alloc(given->n, sizeof **out) : NULL;
    if (given->n && !*out)
        return spar__fail_memory(err);
    for (size_t i = 0; i < given->n && !status; i++)
        status = spar__network_parse(given->text[i], &(*out)[i], err);
    return status;
}

/* --- running --- */

/* What to open. On standard output at once: scripts wait for it. */
static spar_status announce(const spar__service_settings *settings, const spar__service *service, spar_error *err)
{
    spar__buf text = {0};
    spar__service_describe(service, &text);
    spar__buf_printf(&text, "manage tokens are made by: spar token new %s\nCtrl-C ends it\n", settings->place);
    spar_status status = text.failed ? spar__fail_memory(err) : spar__file_write("-", text.text, text.length, err);
    spar__buf_free(&text);
    return status;
}

/* The threads take no signals; this one waits for them. */
static spar_status serve_until_told(const spar__service_settings *settings, spar_error *err)
{
    sigset_t ends, before;
    int which = 0;
    spar__service *service = NULL;
    (void)sigemptyset(&ends);
    (void)sigaddset(&ends, SIGINT);
    (void)sigaddset(&ends, SIGTERM);
    (void)signal(SIGPIPE, SIG_IGN);
    (void)pthread_sigmask(SIG_BLOCK, &ends, &before);
    spar_status status = spar__service_start(settings, &service, err);
    if (!status)
        status = announce(settings, service, err);
    while (!status && sigwait(&ends, &which))
        ;
    spar__service_stop(service);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return status;
}

static spar_status serve(const spar__settings *settings, spar__buf *out, spar_error *err)
{
    spar__network *trusted = NULL;
    spar__service_settings service = {.listen = spar__setting_text(settings, "listen"),
                                      .base_url = spar__setting_text(settings, "base-url")};
    (void)out;
    spar_status status = spar__need_operands(settings, 1, err);
    if (!status)
        status = read_limits(settings, &service.limits, err);
    if (!status)
        status = read_proxies(settings, &trusted, &service.n_trusted, err);
    service.trusted = trusted;
    if (!status) {
        service.place = settings->operand[0];
        status = serve_until_told(&service, err);
    }
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
    SPAR__LIST_OPTION(
        "limit", "limits", "NAME=N",
        "change a limit; 0 is none: connections=4096, address-connections=64, streams=256, "
        "address-streams=4, voter-rate=30, voter-burst=10, address-rate=300, login-rate=10 (rates are per minute)"),
    {.name = NULL},
};

const spar__command spar__command_serve = {
    .name = "serve",
    .brief = "Serve the experiments of a file over HTTP",
    .operands = "FILE [OPTIONS]",
    .max_operands = 1,
    .options = options,
    .notes = "The interface is described at /openapi.json and in doc/http.md. Other commands may be used on the file\n"
             "meanwhile.",
    .example = "spar serve tea.db",
    .run = serve,
};
