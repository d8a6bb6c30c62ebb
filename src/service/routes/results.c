/* results.c - what may be concluded so far: the last result, or the results as they come. */
#include "live/lines.h"
#include "report/status.h"
#include "service/pages/pages.h"
#include "service/server.h"
#include "service/stream/stream.h"

#include <stdlib.h>
#include <string.h>

void spar__read_status(spar__call *call, spar_experiment *experiment)
{
    (void)experiment;
    if (spar__call_wants_stream(call))
        spar__feed_open(call, SPAR__FEED_STATUS, 0);
    else
        call->passed = !spar__result_reply(call);
}

/* The log, event by event: a part of it at once, or all that comes as a stream. */

enum { MOST_EVENTS = 1000, MOST_BYTES = 1 << 20 }; /* of a reply */

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

void spar__read_events(spar__call *call, spar_experiment *experiment)
{
    uint64_t from = number_of(spar__call_query(call, "from"), 1), next = 0;
    spar_error err = {0};
    if (spar__call_wants_stream(call)) {
        uint64_t last = number_of(spar__call_header(call, "Last-Event-ID"), 0);
        spar__feed_open(call, SPAR__FEED_EVENTS, last ? last + 1 : from ? from : 1);
        return;
    }
    spar_status status =
        spar__live_lines(experiment, from, MOST_EVENTS, MOST_BYTES, add_line, &call->reply.body, &next, &err);
    if (status) {
        spar__reply_failure(&call->reply, status, &err);
        return;
    }
    call->reply.type = "application/jsonl";
    call->reply.status = 200;
}

/* What is known: the dashboard of managers, the same for those who may see results, and a stream that
 * tells when there is more. A page shows the last result that was computed; before there is one it shows what needs no
 * computing, so that no page waits. */

static size_t language_of(const spar__call *call)
{
    const char *language = spar__page_language(call);
    for (size_t i = 0; i < SPAR__WEB_LANGUAGES; i++)
        if (strcmp(spar__web_language[i], language) == 0)
            return i;
    return 0;
}

/* The last result, or the verdict and the records alone. */
static spar_status find_view(spar__call *call, spar_experiment *experiment, spar__buf *out, bool *pending, bool *newer,
                             spar_error *err)
{
    uint64_t events = spar_experiment_sequence(experiment), sequence = 0;
    size_t language = language_of(call);
    spar__status_report report;
    *pending = !spar__result_view(call->service, call->place, language, events, out, &sequence);
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

static void add_view(spar__page *page, const spar__buf *view, bool pending, bool newer)
{
    spar_status disk = spar__disk_check(page->call->service, NULL);
    spar__json_key(&page->json, "view");
    spar__buf_add(page->json.out, view->text, view->length); /* an object */
    page->json.comma = true;
    spar__json_add_boolean(&page->json, "pending", pending);
    spar__json_add_boolean(&page->json, "newer", newer);
    spar__json_add_boolean(&page->json, "full", disk == SPAR_FULL);
    spar__json_add_boolean(&page->json, "gone_file", disk && disk != SPAR_FULL);
}

/* Where people vote, as they would type it. */
static void add_share(spar__page *page)
{
    spar__buf url = {0};
    spar__manage_base(page->call, &url);
    bool at_home =
        url.text && (strstr(url.text, "//127.") || strstr(url.text, "//localhost") || strstr(url.text, "//[::1]"));
    spar__buf_adds(&url, "/e/");
    spar__url_encode(page->call->place->name, &url);
    page->data.failed |= url.failed;
    spar__json_add_string(&page->json, "share_url", url.failed ? "" : url.text);
    spar__json_add_boolean(&page->json, "at_home", at_home);
    spar__buf_free(&url);
}

static void add_formats(spar__json *json, bool items)
{
    static const char *const format[] = {"jsonl", "csv", "arena", "preflib", "dpo"};
    spar__json_key(json, "formats");
    spar__json_begin_array(json);
    for (size_t i = 0; i < sizeof format / sizeof *format - !items; i++)
        spar__json_string(json, format[i]);
    spar__json_end_array(json);
}

static void show(spar__call *call, spar_experiment *experiment, bool manage)
{
    spar__buf view = {0};
    spar__page page;
    spar_error err = {0};
    bool pending = false, newer = false;
    spar_status status = find_view(call, experiment, &view, &pending, &newer, &err);
    if (status) {
        spar__reply_failure(&call->reply, status, &err);
    } else {
        spar__manage_begin(&page, call, experiment);
        add_view(&page, &view, pending, newer);
        spar__json_add_boolean(&page.json, "open_poll",
                               manage && spar_experiment_access(experiment) == SPAR_ACCESS_OPEN);
        spar__json_add_boolean(&page.json, "on_results", true);
        if (manage) {
            add_share(&page);
            add_formats(&page.json, spar_experiment_items(experiment) > 0);
        }
        spar__page_end(&page, manage ? "dashboard" : "results", 200);
    }
    spar__buf_free(&view);
}

void spar__read_page_dashboard(spar__call *call, spar_experiment *experiment)
{
    show(call, experiment, true);
}

void spar__read_page_results(spar__call *call, spar_experiment *experiment)
{
    show(call, experiment, false);
}

void spar__read_page_news(spar__call *call, spar_experiment *experiment)
{
    (void)experiment;
    spar__feed_open(call, SPAR__FEED_NEWS, 0);
}
