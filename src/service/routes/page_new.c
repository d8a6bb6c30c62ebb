/* page_new.c - a new experiment, from a form. */
#include "service/routes/page_manage.h"

#include "base/alloc.h"

#include <string.h>

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
    spar__json_key(&json, "options");
    spar__json_begin_array(&json);
    spar__manage_options(call, &json);
    spar__json_end_array(&json);
    spar__json_end_object(&json);
}

void spar__slow_page_create(spar__call *call, spar_experiment *none)
{
    spar__buf body = {0};
    unsigned status = 0;
    char *detail = NULL;
    write_body(call, &body);
    if (call->reply.status == 0 && spar__manage_do(call, none, &body, spar__slow_new_experiment))
        spar__manage_go(call, "");
    else if (spar__manage_failed(call, &status, &detail))
        show(call, status, detail);
    spar__free(detail);
    spar__buf_free(&body);
}
