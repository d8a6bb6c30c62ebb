/* results.c - what may be concluded so far, the log event by event, and the pages that show what is known.
 *
 * A page shows the last result that was computed; before there is one it shows what needs no computing, so that no page
 * waits. Both come at once, or as a stream of server-sent events. */
#include "live/exchange/exchange.h"
#include "report/status_report.h"
#include "service/server.h"

#include <stdlib.h>
#include <string.h>

spar_status spar__route_status(spar__call *call, spar_experiment *experiment, spar_error *err)
{
    (void)experiment;
    (void)err;
    if (spar__call_wants_stream(call))
        return spar__sse_open(call, SPAR__SSE_STATUS, 0);
    call->passed = !spar__result_reply(call);
    return SPAR_OK;
}

/* --- the log --- */

enum { MAX_EVENTS = 1000, MAX_BYTES = 1 << 20 }; /* of a reply */

static void add_line(void *context, uint64_t sequence, const spar__buf *line)
{
    spar__buf *out = context;
    (void)sequence;
    spar__buf_add(out, line->text, line->length);
    spar__buf_adds(out, "\n");
}

static uint64_t number_of(const char *text, uint64_t missing)
{
    size_t length = text ? strlen(text) : 0;
    return length > 0 && length < 20 && strspn(text, "0123456789") == length ? strtoull(text, NULL, 10) : missing;
}

spar_status spar__route_events(spar__call *call, spar_experiment *experiment, spar_error *err)
{
    uint64_t from = number_of(spar__call_query(call, "from"), 1), next = 0;
    uint64_t last = number_of(spar__call_header(call, "Last-Event-ID"), 0);
    if (spar__call_wants_stream(call))
        return spar__sse_open(call, SPAR__SSE_EVENTS, last ? last + 1 : from ? from : 1);
    spar_status status =
        spar__live_lines(experiment, from, MAX_EVENTS, MAX_BYTES, add_line, &call->reply.body, &next, err);
    call->reply.type = "application/jsonl";
    call->reply.status = status ? 0 : 200;
    return status;
}

/* --- pages --- */

/* The last result, or the verdict and the records alone. */
static spar_status find_view(spar__call *call, spar_experiment *experiment, spar__buf *out, bool *pending, bool *newer,
                             spar_error *err)
{
    uint64_t events = spar_experiment_sequence(experiment), sequence = 0;
    size_t language = SPAR__WEB_LANGUAGES - 1;
    while (language && strcmp(spar__web_language[language], spar__page_language(call)) != 0)
        language--;
    spar__status_report report;
    *pending = !spar__result_view(call->service, call->hosted, language, events, out, &sequence);
    *newer = !*pending && sequence != events;
    if (!*pending)
        return out->failed ? spar__fail_memory(err) : SPAR_OK;
    spar_status status = spar__status_make(experiment, false, SPAR__STANDINGS_NONE, &report, err);
    if (status)
        return status;
    *pending = spar_decision_answers(spar_experiment_decision(experiment)) > 0;
    spar__result_view_of(&report, NULL, language, out);
    spar__status_free(&report);
    return out->failed ? spar__fail_memory(err) : SPAR_OK;
}

static spar_status show(spar__call *call, spar_experiment *experiment, bool manage, spar_error *err)
{
    spar__buf view = {0};
    spar__page page;
    bool pending = false, newer = false, open = spar_experiment_access(experiment) == SPAR_ACCESS_OPEN;
    spar_status status = find_view(call, experiment, &view, &pending, &newer, err);
    if (!status) {
        spar__manage_begin(&page, call, experiment);
        spar_status disk = spar__disk_check(page.call->service, NULL);
        spar__json_key(&page.json, "view");
        spar__buf_add(page.json.out, view.text, view.length); /* an object */
        page.json.comma = true;
        spar__json_add_boolean(&page.json, "pending", pending);
        spar__json_add_boolean(&page.json, "newer", newer);
        spar__json_add_boolean(&page.json, "full", disk == SPAR_FULL);
        spar__json_add_boolean(&page.json, "gone_file", disk && disk != SPAR_FULL);
        spar__json_add_boolean(&page.json, "open_poll", manage && open);
        spar__json_add_boolean(&page.json, "on_results", true);
        if (manage) {
            /* Where people vote, as they would type it. */
            spar__buf url = {0};
            spar__manage_base(page.call, &url);
            bool at_home = url.text && (strstr(url.text, "//127.") || strstr(url.text, "//localhost") ||
                                        strstr(url.text, "//[::1]"));
            spar__buf_adds(&url, "/e/");
            spar__url_encode(page.call->hosted->name, &url);
            spar__json_add_buf(&page.json, "share_url", &url);
            spar__json_add_boolean(&page.json, "at_home", at_home);
            static const char *const format[] = {"jsonl", "csv", "arena", "preflib", "dpo"};
            spar__json_begin_list(&page.json, "formats");
            for (size_t i = 0; i < sizeof format / sizeof *format - !spar_experiment_items(experiment); i++)
                spar__json_string(&page.json, format[i]);
            spar__json_end_array(&page.json);
        }
        status = spar__page_end(&page, manage ? "dashboard" : "results", 200, err);
    }
    spar__buf_free(&view);
    return status;
}

spar_status spar__route_page_dashboard(spar__call *call, spar_experiment *experiment, spar_error *err)
{
    return show(call, experiment, true, err);
}

spar_status spar__route_page_results(spar__call *call, spar_experiment *experiment, spar_error *err)
{
    return show(call, experiment, false, err);
}

spar_status spar__route_page_news(spar__call *call, spar_experiment *experiment, spar_error *err)
{
    (void)experiment;
    (void)err;
    return spar__sse_open(call, SPAR__SSE_NEWS, 0);
}
