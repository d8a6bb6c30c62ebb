/* reply.c - what goes back: a status, headers, a body; failures of the library as problems (RFC 9457). */
#include "base/alloc.h"
#include "base/clock.h"
#include "service/hosting/hosting.h"
#include "service/http/http.h"
#include "text/json.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void spar__reply_clear(spar__reply *reply)
{
    spar__buf body = reply->body;
    spar__buf_clear(&body);
    body.failed = false;
    spar__free(reply->location);
    spar__free(reply->allow);
    spar__free(reply->etag);
    if (reply->file)
        (void)fclose(reply->file);
    for (size_t i = 0; i < SPAR__REPLY_COOKIES; i++)
        spar__free(reply->cookie[i]);
    *reply = (spar__reply){.body = body, .hidden = reply->hidden, .storage_errors = reply->storage_errors};
}

void spar__reply_free(spar__reply *reply)
{
    spar__reply_clear(reply);
    spar__buf_free(&reply->body);
}

static const struct {
    unsigned status;
    const char *reason;
} reasons[] = {
    {200, "OK"},
    {201, "Created"},
    {202, "Accepted"},
    {204, "No Content"},
    {303, "See Other"},
    {304, "Not Modified"},
    {400, "Bad Request"},
    {401, "Unauthorized"},
    {403, "Forbidden"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {406, "Not Acceptable"},
    {408, "Request Timeout"},
    {409, "Conflict"},
    {410, "Gone"},
    {413, "Content Too Large"},
    {414, "URI Too Long"},
    {415, "Unsupported Media Type"},
    {421, "Misdirected Request"},
    {422, "Unprocessable Content"},
    {429, "Too Many Requests"},
    {431, "Request Header Fields Too Large"},
    {500, "Internal Server Error"},
    {503, "Service Unavailable"},
    {507, "Insufficient Storage"},
};

const char *spar__http_reason(unsigned status)
{
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (reasons[i].status == status)
            return reasons[i].reason;
    return "Unknown";
}

/* The sentence without the place: strangers need not know where files are. "/srv/tea.db#x: is full" becomes "this
 * experiment: is full". */
static void add_detail(spar__buf *out, const char *sentence, const char *place)
{
    spar__buf text = {0};
    const char *found = place ? strstr(sentence, place) : NULL;
    for (; found; found = strstr(sentence, place)) {
        spar__buf_add(&text, sentence, (size_t)(found - sentence));
        spar__buf_adds(&text, "this experiment");
        sentence = found + strlen(place);
        if (*sentence == '#')
            sentence += strcspn(sentence, ": ");
    }
    spar__buf_adds(&text, sentence);
    spar__json json = {.out = out};
    spar__json_string(&json, text.failed ? "out of memory" : text.text);
    spar__buf_free(&text);
}

spar_status spar__reply_problem(spar__reply *reply, unsigned status, const char *code, const char *format, ...)
{
    char detail[sizeof((spar_error *)NULL)->text];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(detail, sizeof detail, format, args);
    va_end(args);
    unsigned wait = reply->retry_after;
    char *allow = reply->allow;
    reply->allow = NULL;
    spar__reply_clear(reply);
    reply->retry_after = wait;
    reply->allow = allow;
    reply->status = status;
    reply->type = "application/problem+json";
    spar__buf_printf(&reply->body, "{\"type\":\"urn:spar:problem:%s\",\"title\":\"%s\",\"status\":%u,\"detail\":", code,
                     spar__http_reason(status), status);
    add_detail(&reply->body, detail, reply->hidden);
    spar__buf_adds(&reply->body, "}\n");
    return SPAR_OK;
}

void spar__reply_failure(spar__reply *reply, spar_status status, const spar_error *err)
{
    static const struct {
        spar_status status;
        unsigned http;
        const char *code;
    } map[] = {
        {SPAR_INVALID, 400, "invalid"},      {SPAR_PARSE, 400, "malformed"},     {SPAR_UNKNOWN, 404, "unknown"},
        {SPAR_UNSUPPORTED, 409, "not_now"},  {SPAR_CONFLICT, 409, "conflict"},   {SPAR_BUSY, 503, "busy"},
        {SPAR_FULL, 507, "no_space"},        {SPAR_NOMEM, 503, "out_of_memory"}, {SPAR_IO, 503, "storage"},
        {SPAR_INTERRUPTED, 503, "stopping"}, {SPAR_CORRUPT, 500, "damaged"},     {SPAR_ALL_SEEN, 409, "all_seen"},
    };
    /* What libpq says has the address of the database, which strangers need not know; standard error has it. */
    bool remote = status == SPAR_IO && reply->hidden && strstr(reply->hidden, "://");
    const char *said = err->text[0] ? err->text : spar_status_text(status);
    const char *sentence = remote ? "the database does not answer; try again" : said;
    spar__storage_errors_add(reply->storage_errors, status, err, 1e-9 * spar__clock_wall());
    for (size_t i = 0; i < sizeof map / sizeof *map; i++)
        if (map[i].status == status) {
            if (map[i].http == 503)
                reply->retry_after = 1;
            spar__reply_problem(reply, map[i].http, map[i].code, "%s", sentence);
            reply->failure = status;
            return;
        }
    spar__reply_problem(reply, 500, "internal", "%s", said);
}

spar_status spar__reply_json(spar__reply *reply, unsigned status)
{
    reply->status = status;
    reply->type = "application/json";
    return SPAR_OK;
}
