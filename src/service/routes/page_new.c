/* page_new.c - a new experiment, from a form. */
#include "service/routes/page_manage.h"

#include "base/alloc.h"

#include <string.h>

static bool is_space(const spar__call *call)
{
    return strcmp(spar__manage_text(call, "compare"), "space") == 0;
}

/* The form as it was filled in, but for files, which browsers do not let us fill in again. */
static void add_fields(const spar__call *call, spar__json *json)
{
    bool good = true;
    const char *answer = spar__manage_text(call, "answer"), *results = spar__manage_text(call, "results");
    uint64_t m = spar__body_number((spar__call *)call, "m", 12, 2, &good);
    spar__json_key(json, "fields");
    spar__json_begin_object(json);
    spar__json_add_string(json, "question", spar__manage_text(call, "question"));
    spar__json_add_string(json, "lines", spar__manage_text(call, "lines"));
    spar__json_add_boolean(json, "is_space", is_space(call));
    spar__json_add_string(json, "space", spar__manage_text(call, "space"));
    spar__json_add_boolean(json, "against_last", spar__body_flag((spar__call *)call, "against_last", &good));
    spar__json_add_string(json, "name", spar__manage_text(call, "name"));
    spar__json_add_boolean(json, "is_winner", strcmp(answer, "ranking") != 0);
    spar__json_add_boolean(json, "is_ranking", strcmp(answer, "ranking") == 0);
    spar__manage_choices(json, spar__manage_text(call, "access"), *results ? results : "managers", m);
    spar__json_end_object(json);
}

static void show(spar__call *call, unsigned status, const char *error)
{
    spar__page page;
    spar__manage_begin(&page, call, NULL);
    spar__json_add_string(&page.json, "title", spar__page_text(call, "new.heading"));
    spar__json_add_string(&page.json, "error", error);
    add_fields(call, &page.json);
    spar__page_end(&page, "new", status);
}

void spar__here_page_new(spar__call *call)
{
    show(call, 200, NULL);
}

static void add_text(const spar__call *call, const char *name, spar__json *json)
{
    const char *text = spar__manage_text(call, name);
    if (*text)
        spar__json_add_string(json, name, text);
}

/* The text of a space has commas between its axes, the form may have lines; one may end in a comma, or be empty. */
static void add_space(const spar__call *call, spar__json *json)
{
    spar__buf space = {0};
    for (const char *line = spar__manage_text(call, "space"); *line;) {
        size_t length = strcspn(line, "\n"), kept = length;
        while (kept && strchr(" \t", line[kept - 1]))
            kept--;
        if (kept && space.length)
            spar__buf_adds(&space, space.text[space.length - 1] == ',' ? " " : ", ");
        spar__buf_add(&space, line, kept);
        line += length + (line[length] != '\0');
    }
    json->out->failed |= space.failed;
    spar__json_add_string(json, "space", space.text ? space.text : "");
    spar__buf_free(&space);
}

static void add_compared(spar__call *call, spar__json *json)
{
    bool good = true;
    if (is_space(call)) {
        add_space(call, json);
        spar__json_add_boolean(json, "against_last", spar__body_flag(call, "against_last", &good));
        return;
    }
    spar__json_key(json, "options");
    spar__json_begin_array(json);
    spar__manage_options(call, json);
    spar__json_end_array(json);
}

/* The body of POST /v1/experiments. */
static void write_body(spar__call *call, spar__buf *out)
{
    static const char *const texts[] = {"question", "answer", "results", "access"};
    spar__json json = {.out = out};
    bool good = true;
    uint64_t m = spar__body_number(call, "m", 1000, 0, &good);
    spar__json_begin_object(&json);
    spar__json_add_string(&json, "name", spar__manage_text(call, "name"));
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        add_text(call, texts[i], &json);
    if (m)
        spar__json_add_unsigned(&json, "m", m);
    add_compared(call, &json);
    spar__json_end_object(&json);
}

/* Was what is to be compared filled in, and not the other? True: the call has no reply. */
static bool check(spar__call *call)
{
    bool options =
        *spar__manage_text(call, "lines") || spar__json_member(&call->json, spar__json_root(&call->json), "images");
    bool axes = *spar__manage_text(call, "space");
    if (is_space(call) && !axes)
        return spar__refuse(call, 400, "invalid", "the space has no axes, expected 'speed 0.1..2 m/s' or the like");
    if (!is_space(call) && axes && !options)
        return spar__refuse(call, 400, "invalid", "axes of a space are filled in, but options are to be compared");
    return true;
}

void spar__slow_page_create(spar__call *call, spar_experiment *none)
{
    spar__buf body = {0};
    unsigned status = 0;
    char *detail = NULL;
    write_body(call, &body);
    if (call->reply.status == 0 && check(call) && spar__manage_do(call, none, &body, spar__slow_new_experiment))
        spar__manage_go(call, "");
    else if (spar__manage_failed(call, &status, &detail))
        show(call, status, detail);
    spar__free(detail);
    spar__buf_free(&body);
}
