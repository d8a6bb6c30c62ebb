/* server.c - what the server says about itself: is it alive, can it store, how is it doing; and the files of its pages.
 */
#include "service/server.h"

#include <inttypes.h>
#include <string.h>

spar_status spar__route_health(spar__call *call, spar_experiment *experiment, spar_error *err)
{
    (void)experiment;
    (void)err;
    spar__buf_adds(&call->reply.body, "ok\n");
    call->reply.type = "text/plain; charset=utf-8";
    call->reply.status = 200;
    return SPAR_OK;
}

/* Answered by the writer's thread: it is not stuck; the disk has space (or this call was answered before it came here),
 * and the store can be read. Anybody may ask, as often as it likes: a hundred thousand invitations are not read here.
 */
spar_status spar__route_ready(spar__call *call, spar_experiment *experiment, spar_error *err)
{
    spar__keyring keys;
    spar_status status = spar__keyring_load(call->service->store, &keys, err);
    return status ? status : spar__route_health(call, experiment, err);
}

/* In the text format of Prometheus. */
spar_status spar__route_metrics(spar__call *call, spar_experiment *experiment, spar_error *err)
{
    spar__service *service = call->service;
    const spar__metrics *metrics = &service->metrics;
    const struct {
        const char *name, *kind, *help;
        double value;
    } metric[] = {
        {"answers_total", "counter", "Answers that are on disk.", (double)metrics->answers},
        {"answers_repeated_total", "counter", "Answers told again, which changed nothing.", (double)metrics->again},
        {"screens_total", "counter", "Screens handed out.", (double)metrics->asks},
        {"undos_total", "counter", "Answers taken back.", (double)metrics->undos},
        {"limited_total", "counter", "Requests refused for their rate.", (double)metrics->limited},
        {"connections_refused_total", "counter", "Connections refused: too many from one address.",
         (double)metrics->refused_connections},
        {"commits_total", "counter", "Commits, each of many answers.", (double)metrics->commits},
        {"commit_failures_total", "counter", "Commits that failed.", (double)metrics->commit_failures},
        {"commit_seconds_total", "counter", "Time spent in commits.", 1e-9 * (double)metrics->commit_nanoseconds},
        {"commit_seconds_max", "gauge", "The longest commit since the start.", 1e-9 * (double)metrics->longest_commit},
        {"results_total", "counter", "Results computed: standings, forecasts.", (double)metrics->results},
        {"streams", "gauge", "Streams of events and results.", (double)service->sse.n},
        {"connections", "gauge", "Open connections.", (double)service->peers.n},
        {"waiting", "gauge", "Requests that wait for the writer.", (double)service->writer.waiting},
        {"experiments", "gauge", "Experiments served.", (double)spar__hosting_count(&service->hosting)},
        {"uptime_seconds", "gauge", "Time since the start.", spar__seconds() - service->started},
    };
    spar__buf *out = &call->reply.body;
    (void)experiment;
    (void)err;
    spar__buf_adds(out, "# HELP spar_requests_total Requests answered, by the first digit of the status.\n"
                        "# TYPE spar_requests_total counter\n");
    for (int i = 2; i < 6; i++)
        spar__buf_printf(out, "spar_requests_total{status=\"%dxx\"} %" PRIu64 "\n", i, metrics->requests[i]);
    for (size_t i = 0; i < sizeof metric / sizeof *metric; i++)
        spar__buf_printf(out, "# HELP spar_%s %s\n# TYPE spar_%s %s\nspar_%s %.17g\n", metric[i].name, metric[i].help,
                         metric[i].name, metric[i].kind, metric[i].name, metric[i].value);
    call->reply.type = "text/plain; version=0.0.4; charset=utf-8";
    call->reply.status = 200;
    return SPAR_OK;
}

spar_status spar__route_page_static(spar__call *call, spar_experiment *experiment, spar_error *err)
{
    const spar__web_file *file = spar__web_file_find(spar__call_param(call, 1));
    (void)experiment;
    (void)err;
    if (!file || strcmp(file->hash, spar__call_param(call, 0)) != 0)
        return spar__reply_problem(&call->reply, 404, "unknown", "there is no such file");
    call->reply.status = 200;
    call->reply.type = file->type;
    call->reply.cacheable = true;
    spar__buf_add(&call->reply.body, file->bytes, file->length);
    return SPAR_OK;
}
