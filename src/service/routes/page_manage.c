/* page_manage.c - see page_manage.h; and the list of all experiments. */
#include "service/routes/page_manage.h"

#include "base/alloc.h"

#include <stdio.h>
#include <string.h>

/* --- pages --- */

static void add_url(spar__json *json, const char *key, const char *before, const char *name)
{
    spar__buf url = {0};
    spar__buf_adds(&url, before);
    if (name)
        spar__url_encode(name, &url);
    json->out->failed |= url.failed;
    spar__json_add_string(json, key, url.failed ? "" : url.text);
    spar__buf_free(&url);
}

void spar__manage_begin(spar__page *page, spar__call *call, const spar_experiment *experiment)
{
    const char *name = experiment ? call->place->name : NULL;
    spar__page_begin(page, call);
    add_url(&page->json, "manage_url", "/manage/", name);
    add_url(&page->json, "api_path", "/v1/experiments/", name);
    if (!experiment)
        return;
    const char *question = spar_experiment_question(experiment);
    spar__json_add_string(&page->json, "title", question && *question ? question : name);
    spar__json_add_string(&page->json, "question", question);
    spar__json_add_string(&page->json, "axes_text", spar_axes_text(spar_experiment_axes(experiment)));
    spar__json_add_boolean(&page->json, "closed", spar_experiment_is_closed(experiment));
    spar__json_add_boolean(&page->json, "is_open", spar_experiment_access(experiment) == SPAR_ACCESS_OPEN);
    spar__json_add_boolean(&page->json, "is_invited", spar_experiment_access(experiment) == SPAR_ACCESS_INVITED);
}

void spar__manage_base(const spar__call *call, spar__buf *out)
{
    const char *base = call->service->settings.base_url, *host = spar__call_header(call, "Host"); /* a known one */
    spar__buf_printf(out, "%s%s", base ? "" : "http://", base ? base : host ? host : call->service->host[0]);
}

void spar__manage_go(spar__call *call, const char *rest)
{
    spar__buf path = {0};
    spar__buf_adds(&path, "/manage/");
    spar__url_encode(call->place->name, &path);
    spar__buf_adds(&path, rest);
    if (path.failed)
        spar__reply_problem(&call->reply, 503, "out_of_memory", "out of memory");
    else
        spar__page_go(call, path.text);
    spar__buf_free(&path);
}

/* --- forms --- */

const char *spar__manage_text(const spar__call *call, const char *name)
{
    const char *text = spar__json_text(&call->json, spar__json_member(&call->json, spar__json_root(&call->json), name));
    return text ? text : "";
}

bool spar__manage_do(spar__call *call, spar_experiment *experiment, const spar__buf *body, spar__change_fn *change)
{
    spar_error err = {0};
    spar__json_tree form = call->json;
    call->json = (spar__json_tree){0};
    spar_status status = body->failed ? spar__fail_memory(&err)
                                      : spar__json_tree_parse(&call->json, body->text, body->length, "form", 1, &err);
    if (status)
        spar__reply_failure(&call->reply, status, &err);
    else
        change(call, experiment);
    spar__json_tree_free(&call->json);
    call->json = form;
    if (call->reply.status >= 300)
        return false;
    spar__reply_clear(&call->reply);
    return true;
}

bool spar__manage_failed(spar__call *call, unsigned *status, char **detail)
{
    spar__json_tree problem = {0};
    *status = call->reply.status;
    *detail = NULL;
    if ((*status != 400 && *status != 409) || !call->reply.body.text ||
        spar__json_tree_parse(&problem, call->reply.body.text, call->reply.body.length, "problem", 1, NULL))
        return false;
    const char *text = spar__json_text(&problem, spar__json_member(&problem, spar__json_root(&problem), "detail"));
    *detail = spar__strdup(text ? text : "");
    spar__json_tree_free(&problem);
    if (*detail)
        spar__reply_clear(&call->reply);
    return *detail != NULL;
}

void spar__manage_choices(spar__json *json, const char *access, const char *results, uint64_t m)
{
    static const char *const who[] = {"managers", "after_vote", "public"};
    char key[40];
    for (size_t i = 0; i < sizeof who / sizeof *who; i++) {
        (void)snprintf(key, sizeof key, "is_%s", who[i]);
        spar__json_add_boolean(json, key, strcmp(results, who[i]) == 0);
    }
    spar__json_add_boolean(json, "is_open", strcmp(access, "invited") != 0);
    spar__json_add_boolean(json, "is_invited", strcmp(access, "invited") == 0);
    spar__json_key(json, "sizes");
    spar__json_begin_array(json);
    for (uint64_t size = 2; size <= 12; size++) {
        spar__json_begin_object(json);
        spar__json_add_unsigned(json, "size", size);
        spar__json_add_boolean(json, "selected", size == m);
        spar__json_end_object(json);
    }
    spar__json_end_array(json);
}

/* --- options --- */

static void add_line(const char *line, size_t length, spar__json *json)
{
    while (length && strchr(" \t\r", line[length - 1]))
        length--;
    while (length && strchr(" \t", *line)) {
        line++;
        length--;
    }
    char *text = length ? spar__alloc(length + 1, 1) : NULL;
    json->out->failed |= length && !text;
    if (!text)
        return;
    memcpy(text, line, length);
    spar__json_begin_object(json);
    spar__json_add_string(json, "id", text);
    spar__json_end_object(json);
    spar__free(text);
}

/* The name of a file, without folders and ending. */
static char *name_of(const char *file)
{
    const char *slash = strrchr(file, '/'), *back = strrchr(file, '\\');
    file = slash ? slash + 1 : file;
    file = back && back >= file ? back + 1 : file;
    const char *dot = strrchr(file, '.');
    char *name = spar__strdup(*file ? file : "image");
    if (name && dot && dot > file)
        name[dot - file] = '\0';
    return name;
}

static void add_image(const spar__json_tree *tree, const spar__json_node *node, spar__json *json)
{
    const char *file = spar__json_text(tree, spar__json_member(tree, node, "file"));
    const char *bytes = spar__json_text(tree, spar__json_member(tree, node, "bytes"));
    char *name = name_of(file ? file : "");
    json->out->failed |= !name;
    spar__json_begin_object(json);
    spar__json_add_string(json, "id", name);
    spar__json_add_string(json, "image", bytes);
    spar__json_end_object(json);
    spar__free(name);
}

void spar__manage_options(const spar__call *call, spar__json *json)
{
    const spar__json_tree *tree = &call->json;
    const spar__json_node *images = spar__json_member(tree, spar__json_root(tree), "images");
    for (const char *line = spar__manage_text(call, "lines"); *line;) {
        size_t length = strcspn(line, "\n");
        add_line(line, length, json);
        line += length + (line[length] != '\0');
    }
    for (const spar__json_node *node = spar__json_first(tree, images); node; node = spar__json_next(tree, node))
        add_image(tree, node, json);
}

/* --- all experiments --- */

static void add_entry(const spar__place *place, const spar_experiment *experiment, spar__json *json)
{
    uint64_t answers = 0;
    spar_experiment_counts(experiment, NULL, &answers, NULL, NULL);
    spar__json_begin_object(json);
    spar__json_add_string(json, "name", place->name);
    add_url(json, "url", "/manage/", place->name);
    spar__json_add_string(json, "question", spar_experiment_question(experiment));
    spar__json_add_boolean(json, "closed", spar_experiment_is_closed(experiment));
    spar__json_add_unsigned(json, "answers", answers);
    spar__json_end_object(json);
}

void spar__read_page_manage(spar__call *call, spar_experiment *none)
{
    spar__places *places = &call->service->places;
    spar__page page;
    (void)none;
    spar__manage_begin(&page, call, NULL);
    spar__json_key(&page.json, "experiments");
    spar__json_begin_array(&page.json);
    for (size_t i = 0; i < spar__places_count(places); i++) {
        spar_experiment *experiment = NULL;
        spar__place *place = spar__places_get(places, i);
        if (!spar__place_open(place, SPAR__BY_READER, &experiment, NULL))
            add_entry(place, experiment, &page.json);
    }
    spar__json_end_array(&page.json);
    spar__page_end(&page, "manage", 200);
}
