/* result.c - the thread of the standings: results that are computed while somebody looks, and what streams are filled
 * with (stream.h).
 *
 * It has experiments of its own: a result takes up to a second, for which nobody may keep the state that the writer
 * changes and the reader looks at (hosting.h). It folds what is new since the last result. */
#include "base/alloc.h"
#include "live/exchange/exchange.h"
#include "report/view.h"
#include "service/server.h"
#include "service/stream/stream.h"

#include <inttypes.h>
#include <string.h>

enum { UPDATE_EVENTS = 1000, UPDATE_BYTES = 1 << 20 }; /* in one update of a stream */
enum { PACE_EVENTS = 200000 };                         /* that are read for one result */
static const double UPDATE_EVERY = 0.5;

/* --- results --- */

static const char *option_name(void *context, size_t option)
{
    return ((const spar__verdict_report *)context)->name[option];
}

/* The names of voters are for those who have the file: the warning says what it says without. */
static spar_status hide_voter(spar__verdict_report *verdict)
{
    char **warning = &verdict->warning[SPAR_WARNING_ONE_VOTER], text[2000];
    const spar_decision_names names = {sizeof names, verdict, option_name, NULL};
    size_t length = 0;
    if (!*warning)
        return SPAR_OK;
    spar__free(*warning);
    *warning = NULL;
    spar_status status =
        spar_decision_warning(verdict->decision, SPAR_WARNING_ONE_VOTER, &names, text, sizeof text, &length);
    if (!status && length && !(*warning = spar__strdup(text)))
        status = SPAR_NOMEM;
    return status;
}

void spar__result_view_of(const spar__status_report *report, const spar__pace *pace, size_t language, spar__buf *out)
{
    spar__json json = {.out = out};
    const char *name = spar__web_language[language];
    spar__view view = {.report = report,
                       .pace = pace,
                       .comma = strcmp(name, "de") == 0,
                       .pace_name = spar__web_text_find(name, "known.pace_name"),
                       .space = {.strength = spar__web_text_find(name, "space.how_strong"),
                                 .others = spar__web_text_find(name, "space.others"),
                                 .belief = spar__web_text_find(name, "space.belief"),
                                 .chosen = spar__web_text_find(name, "space.chosen")}};
    spar__json_begin_object(&json);
    spar__view_json(&view, &json);
    spar__json_end_object(&json);
}

static spar_status compute(spar_experiment *experiment, spar__hosted *hosted, spar__result *out, spar_error *err)
{
    spar__status_report report;
    spar__json json = {.out = &out->json};
    spar_status status = spar__status_make(experiment, false, SPAR__STANDINGS_AUTO, &report, err);
    if (status)
        return status;
    report.name = hosted->name;
    if (hide_voter(&report.verdict))
        status = spar__fail_memory(err);
    if (!status)
        status = spar__pace_read(&hosted->result.pace, experiment, PACE_EVENTS, err);
    spar__json_begin_object(&json);
    spar__status_members(&report, &json);
    spar__json_end_object(&json);
    bool failed = out->json.failed;
    for (size_t i = 0; i < SPAR__WEB_LANGUAGES && !status; i++) {
        spar__result_view_of(&report, &hosted->result.pace, i, &out->view[i]);
        failed |= out->view[i].failed;
    }
    spar__status_free(&report);
    return !status && failed ? spar__fail_memory(err) : status;
}

static void exchange(spar__buf *a, spar__buf *b)
{
    spar__buf kept = *a;
    *a = *b;
    *b = kept;
}

/* Takes what is new, gives what is old; NULL: it failed, and is tried again later. */
static void keep(spar__service *service, spar__hosted *hosted, spar__result *news, const spar_experiment *experiment)
{
    spar__result *result = &hosted->result;
    (void)pthread_mutex_lock(&service->sse.lock);
    result->made = spar__seconds();
    if (news) {
        exchange(&result->json, &news->json);
        for (size_t i = 0; i < SPAR__WEB_LANGUAGES; i++)
            exchange(&result->view[i], &news->view[i]);
        result->sequence = spar_experiment_sequence(experiment);
        spar_experiment_head(experiment, result->head);
        result->number++;
    }
    (void)pthread_mutex_unlock(&service->sse.lock);
}

/* Computes it if the log is a new one, not more often than allowed. */
static spar_status update(spar__service *service, spar__hosted *hosted, spar_error *err)
{
    spar__result *result = &hosted->result; /* only this thread writes it, but for `asked` */
    spar_experiment *experiment = NULL;
    unsigned char head[SPAR_HASH_SIZE];
    spar__result news = {.number = 0};
    if (result->number && spar__seconds() - result->made < SPAR__RESULT_EVERY)
        return SPAR_OK;
    spar_status status = spar__hosted_open(hosted, SPAR__BY_STANDINGS, &experiment, err);
    if (status)
        return status;
    /* Another log than that of the last result: it has grown, or the file was replaced. Or its times are not read yet.
     */
    spar_experiment_head(experiment, head);
    if (result->number && memcmp(head, result->head, sizeof head) == 0 &&
        result->pace.read >= spar_experiment_sequence(experiment))
        return SPAR_OK;
    status = compute(experiment, hosted, &news, err);
    atomic_fetch_add(&service->metrics.results, 1);
    keep(service, hosted, status ? NULL : &news, experiment);
    spar__buf_free(&news.json);
    for (size_t i = 0; i < SPAR__WEB_LANGUAGES; i++)
        spar__buf_free(&news.view[i]);
    return status;
}

/* Under the lock. */
static void copy_result(spar__call *call, const spar__result *result)
{
    spar__buf_clear(&call->reply.body);
    spar__buf_add(&call->reply.body, result->json.text, result->json.length);
    spar__buf_adds(&call->reply.body, "\n");
    spar__reply_json(&call->reply, 200);
}

bool spar__result_reply(spar__call *call)
{
    spar__sse_hub *hub = &call->service->sse;
    spar__result *result = &call->hosted->result;
    double now = spar__seconds();
    (void)pthread_mutex_lock(&hub->lock);
    bool fresh = result->number && now - result->asked < SPAR__RESULT_WATCHED;
    if (fresh)
        copy_result(call, result);
    result->asked = now;
    (void)pthread_mutex_unlock(&hub->lock);
    return fresh;
}

bool spar__result_view(spar__service *service, spar__hosted *hosted, size_t language, uint64_t events, spar__buf *out,
                       uint64_t *sequence)
{
    spar__result *result = &hosted->result;
    double now = spar__seconds();
    (void)pthread_mutex_lock(&service->sse.lock);
    bool good = result->number && (result->sequence == events || now - result->made < SPAR__RESULT_WATCHED);
    if (good)
        spar__buf_add(out, result->view[language].text, result->view[language].length);
    *sequence = result->sequence;
    result->asked = now;
    (void)pthread_mutex_unlock(&service->sse.lock);
    return good;
}

bool spar__standings_work(spar__service *service, spar__call *call)
{
    spar_error err = {0};
    spar_status status = update(service, call->hosted, &err);
    (void)pthread_mutex_lock(&service->sse.lock);
    if (!status)
        copy_result(call, &call->hosted->result);
    (void)pthread_mutex_unlock(&service->sse.lock);
    if (status)
        spar__reply_failure(&call->reply, status, &err);
    return true;
}

/* --- streams --- */

static void add_event(void *context, uint64_t sequence, const spar__buf *line)
{
    spar__buf *out = context;
    spar__buf_printf(out, "id: %" PRIu64 "\ndata: ", sequence);
    spar__buf_add(out, line->text, line->length);
    spar__buf_adds(out, "\n\n");
}

/* A result; for pages that load it themselves only that there is one. */
static void add_result(spar__service *service, spar__sse_stream *stream, spar__buf *out)
{
    const spar__result *result = &stream->hosted->result;
    (void)pthread_mutex_lock(&service->sse.lock);
    if (result->number && result->number != stream->next) {
        stream->next = result->number;
        if (stream->kind == SPAR__SSE_NEWS) {
            spar__buf_printf(out, "event: news\nid: %" PRIu64 "\ndata: %" PRIu64, result->number, result->sequence);
        } else {
            spar__buf_printf(out, "event: status\nid: %" PRIu64 "\ndata: ", result->sequence);
            spar__buf_add(out, result->json.text, result->json.length);
        }
        spar__buf_adds(out, "\n\n");
    }
    (void)pthread_mutex_unlock(&service->sse.lock);
}

/* Is what let it in still so? */
static bool may_stay(spar__service *service, const spar__sse_stream *stream, const spar_experiment *experiment)
{
    const spar__caller *caller = &stream->caller;
    if (caller->manager)
        return spar__tokens_alive(&service->tokens, caller->token, spar__now()) &&
               (!caller->until ||
                (spar__now() < caller->until && !spar__logouts_has(&service->logouts, caller->session)));
    return stream->kind != SPAR__SSE_EVENTS && spar__may_see_results(service, stream->hosted, caller, experiment);
}

static bool fill(spar__service *service, spar__sse_stream *stream, spar__buf *out)
{
    spar_experiment *experiment = NULL;
    double now = spar__seconds();
    if (spar__sse_is_gone(stream))
        return false;
    if (spar__hosted_open(stream->hosted, SPAR__BY_STANDINGS, &experiment, NULL)) {
        if (stream->caller.manager && !may_stay(service, stream, NULL))
            return false;
    } else {
        if (!may_stay(service, stream, experiment))
            return false;
        bool due = now - stream->sent >= UPDATE_EVERY;
        if (due && stream->kind != SPAR__SSE_EVENTS)
            add_result(service, stream, out);
        else if (due && stream->next <= spar_experiment_sequence(experiment)) /* what fails is tried again */
            (void)spar__live_lines(experiment, stream->next, UPDATE_EVENTS, UPDATE_BYTES, add_event, out, &stream->next,
                                   NULL);
    }
    if (!out->length && now - stream->sent >= SPAR__SSE_HEARTBEAT)
        spar__buf_adds(out, ":\n\n");
    if (out->length)
        stream->sent = now;
    return true;
}

/* --- both --- */

/* Streams are served after each result, so that none waits for all of them. */
void spar__standings_tick(spar__service *service)
{
    spar__hosting *hosting = &service->hosting;
    for (size_t i = 0; i < spar__hosting_count(hosting); i++) {
        spar__hosted *hosted = spar__hosting_get(hosting, i);
        uint64_t before = hosted->result.number;
        (void)pthread_mutex_lock(&service->sse.lock);
        bool watched = hosted->result.asked > 0 && spar__seconds() - hosted->result.asked < SPAR__RESULT_WATCHED;
        for (const spar__sse_stream *stream = service->sse.first; stream && !watched; stream = stream->after)
            watched = stream->kind != SPAR__SSE_EVENTS && stream->hosted == hosted;
        (void)pthread_mutex_unlock(&service->sse.lock);
        if (watched)
            (void)update(service, hosted, NULL); /* what fails is tried again */
        if (hosted->result.number != before)
            spar__sse_hub_each(service, fill);
    }
    spar__sse_hub_each(service, fill);
    spar__hosting_tidy(hosting, SPAR__BY_STANDINGS, spar__seconds());
}
