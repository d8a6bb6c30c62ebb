/* health.c - is it alive, and can it store? */
#include "service/server.h"

#include <inttypes.h>

void spar__here_health(spar__call *call)
{
    spar__buf_adds(&call->reply.body, "ok\n");
    call->reply.type = "text/plain; charset=utf-8";
    call->reply.status = 200;
}

/* Answered by the writer's thread: it is not stuck; the disk has space (or this call was answered before it came here),
 * and the store can be read. Anybody may ask, as often as it likes: a hundred thousand invitations are not read here.
 */
void spar__change_ready(spar__call *call, spar_experiment *experiment)
{
    spar_error err = {0};
    (void)experiment;
    spar_status status = spar__secrets_check(call->service, &err);
    if (status)
        spar__reply_failure(&call->reply, status, &err);
    else
        spar__here_health(call);
}

/* How it is doing, in the text format of Prometheus. */

static void add_metric(spar__buf *out, const char *name, const char *kind, const char *help, double value)
{
    spar__buf_printf(out, "# HELP spar_%s %s\n# TYPE spar_%s %s\nspar_%s %.17g\n", name, help, name, kind, name, value);
}

static void add_requests(spar__buf *out, const spar__metrics *metrics)
{
    spar__buf_adds(out, "# HELP spar_requests_total Requests answered, by the first digit of the status.\n"
                        "# TYPE spar_requests_total counter\n");
    for (int i = 2; i < 6; i++)
        spar__buf_printf(out, "spar_requests_total{status=\"%dxx\"} %" PRIu64 "\n", i, metrics->requests[i]);
}

void spar__read_metrics(spar__call *call, spar_experiment *experiment)
{
    (void)experiment;
    spar__service *service = call->service;
    const spar__metrics *metrics = &service->metrics;
    spar__buf *out = &call->reply.body;
    add_requests(out, metrics);
    add_metric(out, "answers_total", "counter", "Answers that are on disk.", (double)metrics->answers);
    add_metric(out, "answers_repeated_total", "counter", "Answers told again, which changed nothing.",
               (double)metrics->again);
    add_metric(out, "screens_total", "counter", "Screens handed out.", (double)metrics->asks);
    add_metric(out, "undos_total", "counter", "Answers taken back.", (double)metrics->undos);
    add_metric(out, "limited_total", "counter", "Requests refused for their rate.", (double)metrics->limited);
    add_metric(out, "connections_refused_total", "counter", "Connections refused: too many from one address.",
               (double)metrics->refused_connections);
    add_metric(out, "commits_total", "counter", "Commits, each of many answers.", (double)metrics->commits);
    add_metric(out, "commit_failures_total", "counter", "Commits that failed.", (double)metrics->commit_failures);
    add_metric(out, "commit_seconds_total", "counter", "Time spent in commits.",
               1e-9 * (double)metrics->commit_nanoseconds);
    add_metric(out, "commit_seconds_max", "gauge", "The longest commit since the start.",
               1e-9 * (double)metrics->longest_commit);
    add_metric(out, "results_total", "counter", "Results computed: standings, forecasts.", (double)metrics->results);
    add_metric(out, "streams", "gauge", "Streams of events and results.",
               (double)spar__audience_count(&service->watch));
    add_metric(out, "connections", "gauge", "Open connections.", (double)spar__peers_count(service));
    add_metric(out, "waiting", "gauge", "Requests that wait for the writer.",
               (double)spar__worker_waiting(&service->writer));
    add_metric(out, "experiments", "gauge", "Experiments served.", (double)spar__places_count(&service->places));
    add_metric(out, "uptime_seconds", "gauge", "Time since the start.", spar__seconds() - service->started);
    call->reply.type = "text/plain; version=0.0.4; charset=utf-8";
    call->reply.status = 200;
}
