/* experiments.c - experiments are listed, shown, made, set, closed and opened again: for programs, and as pages.
 *
 * Managers see all of an experiment; voters what they need to vote; and who was not invited, where that is needed, not
 * the options. A form of a page becomes the JSON body of the program's route, whose function is called; the reply
 * becomes a page, or leads to one. */
#include "base/alloc.h"
#include "base/buf.h"
#include "live/exchange/exchange.h"
#include "live/live.h"
#include "service/server.h"
#include "text/escape.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* --- names of settings --- */

static const char *const results_names[] = {
    [SPAR_RESULTS_MANAGERS] = "managers", [SPAR_RESULTS_AFTER_VOTE] = "after_vote", [SPAR_RESULTS_PUBLIC] = "public"};

static spar_results_for results_of(const char *name)
{
    spar_results_for results = SPAR_RESULTS_PUBLIC;
    while (results > SPAR_RESULTS_MANAGERS && strcmp(results_names[results], name) != 0)
        results--;
    return results;
}

static const char *access_name(const spar_experiment *experiment)
{
    return spar_experiment_access(experiment) == SPAR_ACCESS_INVITED ? "invited" : "open";
}

static spar_access access_of(const char *name)
{
    return strcmp(name, "invited") == 0 ? SPAR_ACCESS_INVITED : SPAR_ACCESS_OPEN;
}

/* --- what the pages of managers share --- */

void spar__manage_begin(spar__page *page, spar__call *call, const spar_experiment *experiment)
{
    const char *name = experiment ? call->hosted->name : NULL;
    spar__page_begin(page, call);
    spar__json_add_url(&page->json, "manage_url", "/manage/", name);
    spar__json_add_url(&page->json, "api_path", "/v1/experiments/", name);
    if (!experiment)
        return;
    const char *question = spar_experiment_question(experiment);
    bool invited = spar_experiment_access(experiment) == SPAR_ACCESS_INVITED;
    spar__json_add_string(&page->json, "title", question && *question ? question : name);
    spar__json_add_string(&page->json, "question", question);
    spar__json_add_string(&page->json, "axes_text", spar_axes_text(spar_experiment_axes(experiment)));
    spar__json_add_boolean(&page->json, "closed", spar_experiment_is_closed(experiment));
    spar__json_add_boolean(&page->json, "is_open", !invited);
    spar__json_add_boolean(&page->json, "is_invited", invited);
}

void spar__manage_base(const spar__call *call, spar__buf *out)
{
    const char *base = call->service->settings.base_url, *host = spar__call_header(call, "Host"); /* a known one */
    spar__buf_printf(out, "%s%s", base ? "" : "http://", base ? base : host ? host : call->service->host[0]);
}

bool spar__manage_do(spar__call *call, spar_experiment *experiment, const spar__buf *body, spar__route_fn *route)
{
    spar_error err = {0};
    spar__json_tree form = call->json;
    call->json = (spar__json_tree){0};
    spar_status status = body->failed ? spar__fail_memory(&err)
                                      : spar__json_tree_parse(&call->json, body->text, body->length, "form", 1, &err);
    if (!status)
        status = route(call, experiment, &err);
    if (status)
        spar__reply_failure(&call->reply, status, &err);
    spar__json_tree_free(&call->json);
    call->json = form;
    if (call->reply.status >= 300)
        return false;
    spar__reply_clear(&call->reply);
    return true;
}

spar_status spar__manage_end(spar__call *call, spar_experiment *experiment, bool done, const char *after,
                             spar__manage_show *show, spar_error *err)
{
    if (done)
        return spar__page_go(call, "/manage/", call->hosted->name, after);
    spar__json_tree problem = {0};
    unsigned status = call->reply.status;
    spar_status shown = SPAR_OK;
    /* About what was entered: the form is shown again, with the sentence of the problem. */
    if ((status == 400 || status == 409) && call->reply.body.text &&
        !spar__json_tree_parse(&problem, call->reply.body.text, call->reply.body.length, "problem", 1, NULL)) {
        const char *text = spar__json_text(&problem, spar__json_member(&problem, spar__json_root(&problem), "detail"));
        spar__reply_clear(&call->reply);
        shown = show(call, experiment, status, text ? text : "", err);
        spar__json_tree_free(&problem);
    }
    return shown;
}

/* Choices of a form: is_open, is_invited, is_managers, is_after_vote, is_public, sizes. */
static void add_choices(spar__json *json, const char *access, const char *results, uint64_t m)
{
    char key[40];
    for (size_t i = 0; i < sizeof results_names / sizeof *results_names; i++) {
        (void)snprintf(key, sizeof key, "is_%s", results_names[i]);
        spar__json_add_boolean(json, key, strcmp(results, results_names[i]) == 0);
    }
    spar__json_add_boolean(json, "is_open", access_of(access) == SPAR_ACCESS_OPEN);
    spar__json_add_boolean(json, "is_invited", access_of(access) == SPAR_ACCESS_INVITED);
    spar__json_begin_list(json, "sizes");
    for (uint64_t size = 2; size <= 12; size++) {
        spar__json_begin_object(json);
        spar__json_add_unsigned(json, "size", size);
        spar__json_add_boolean(json, "selected", size == m);
        spar__json_end_object(json);
    }
    spar__json_end_array(json);
}

/* --- all experiments --- */

/* Managers see all; others those that everybody can vote in. url: what addresses of pages begin with, NULL: none. */
static void add_experiments(spar__call *call, const char *url, spar__json *json)
{
    spar__hosting *hosting = &call->service->hosting;
    spar__json_begin_list(json, "experiments");
    for (size_t i = 0; i < spar__hosting_count(hosting); i++) {
        spar_experiment *experiment = NULL;
        spar__hosted *hosted = spar__hosting_get(hosting, i);
        uint64_t answers = 0;
        if (spar__hosted_open(hosted, SPAR__BY_READER, &experiment, NULL))
            continue;
        if (call->caller.manager || spar_experiment_access(experiment) == SPAR_ACCESS_OPEN) {
            spar_experiment_counts(experiment, NULL, &answers, NULL, NULL);
            spar__json_begin_object(json);
            spar__json_add_string(json, "name", hosted->name);
            spar__json_add_string(json, "question", spar_experiment_question(experiment));
            spar__json_add_boolean(json, "closed", spar_experiment_is_closed(experiment));
            if (url) {
                spar__json_add_url(json, "url", url, hosted->name);
                spar__json_add_unsigned(json, "answers", answers);
            }
            spar__json_end_object(json);
        }
        spar__hosted_release(hosted, SPAR__BY_READER);
    }
    spar__json_end_array(json);
}

spar_status spar__route_list_experiments(spar__call *call, spar_experiment *experiment, spar_error *err)
{
    spar__json json = {.out = &call->reply.body};
    (void)experiment;
    (void)err;
    spar__json_begin_object(&json);
    add_experiments(call, NULL, &json);
    spar__json_end_object(&json);
    return spar__reply_json(&call->reply, 200);
}

spar_status spar__route_page_home(spar__call *call, spar_experiment *experiment, spar_error *err)
{
    spar__page page;
    (void)experiment;
    spar__page_begin(&page, call);
    add_experiments(call, "/e/", &page.json);
    return spar__page_end(&page, "home", 200, err);
}

spar_status spar__route_page_manage(spar__call *call, spar_experiment *experiment, spar_error *err)
{
    spar__page page;
    (void)experiment;
    spar__manage_begin(&page, call, NULL);
    add_experiments(call, "/manage/", &page.json);
    return spar__page_end(&page, "manage", 200, err);
}

/* --- one experiment --- */

static void add_head(spar__json *json, const char *key, const spar_experiment *experiment)
{
    unsigned char hash[SPAR_HASH_SIZE];
    char head[2 * SPAR_HASH_SIZE + 1];
    spar_experiment_head(experiment, hash);
    spar__hex_write(hash, sizeof hash, head);
    spar__json_add_string(json, key, head);
}

static spar_status reply_experiment(spar__call *call, spar_experiment *experiment, unsigned status)
{
    spar__json json = {.out = &call->reply.body};
    bool manager = call->caller.manager;
    spar__json_begin_object(&json);
    spar__json_add_string(&json, "name", call->hosted->name);
    spar__json_add_string(&json, "question", spar_experiment_question(experiment));
    spar__json_add_string(&json, "answer", spar_answer_kind_name(spar_experiment_asks(experiment)));
    spar__json_add_unsigned(&json, "m", spar_experiment_slots(experiment));
    spar__json_add_string(&json, "access", access_name(experiment));
    spar__json_add_string(&json, "results", results_names[spar_experiment_results(experiment)]);
    spar__json_add_boolean(&json, "closed", spar_experiment_is_closed(experiment));
    if (spar_experiment_axes(experiment)) {
        spar__json_add_string(&json, "space", spar_axes_text(spar_experiment_axes(experiment)));
        spar__json_add_boolean(&json, "against_last", spar_experiment_against_last(experiment));
    }
    if (spar__may_vote(call->service, call->hosted, &call->caller, experiment)) {
        spar__json_begin_list(&json, "options");
        for (size_t arm = 0; arm < spar_experiment_options(experiment); arm++)
            spar__option_json(call->hosted, experiment, arm, manager, &json);
        spar__json_end_array(&json);
    }
    if (manager) {
        char seed[24];
        uint64_t screens = 0, answers = 0, undone = 0, imported = 0;
        (void)snprintf(seed, sizeof seed, "%" PRIu64, spar_experiment_seed(experiment));
        spar_experiment_counts(experiment, &screens, &answers, &undone, &imported);
        spar__json_add_string(&json, "policy", spar_experiment_policy(experiment));
        spar__json_add_string(&json, "seed", seed);
        spar__json_begin_member(&json, "counts");
        spar__json_add_unsigned(&json, "screens", screens);
        spar__json_add_unsigned(&json, "answers", answers);
        spar__json_add_unsigned(&json, "imported", imported);
        spar__json_add_unsigned(&json, "undone", undone);
        spar__json_add_unsigned(&json, "open_screens", spar_experiment_open_screens(experiment, NULL, 0, NULL));
        spar__json_add_unsigned(&json, "events", spar_experiment_sequence(experiment));
        spar__json_end_object(&json);
        add_head(&json, "head", experiment);
    }
    spar__json_end_object(&json);
    return spar__reply_json(&call->reply, status);
}

spar_status spar__route_read_experiment(spar__call *call, spar_experiment *experiment, spar_error *err)
{
    (void)err;
    return reply_experiment(call, experiment, 200);
}

/* --- a new one --- */

static spar_status add_options(spar__call *call, spar_setup *setup, spar_error *err)
{
    const spar__json_tree *tree = &call->json;
    const spar__json_node *list = spar__json_member(tree, spar__json_root(tree), "options");
    spar_status status = SPAR_OK;
    for (const spar__json_node *node = spar__json_first(tree, list); node && !status;
         node = spar__json_next(tree, node)) {
        spar_option *option = NULL;
        status = spar__option_of_json(tree, node, &option, err);
        if (!status)
            status = spar_setup_add_option(setup, option, err);
        spar_option_free(option);
    }
    return status;
}

static spar_status fill_setup(spar__call *call, spar_setup *setup, spar_error *err)
{
    const char *question = spar__body_text(call, "question"), *policy = spar__body_text(call, "policy");
    const char *answer = spar__form_text(call, "answer"), *space = spar__body_text(call, "space");
    spar_answer_kind kind = strcmp(answer, "ranking") == 0 ? SPAR_ANSWER_RANKING
                            : strcmp(answer, "pairs") == 0 ? SPAR_ANSWER_PAIRS
                                                           : SPAR_ANSWER_WINNER;
    bool against_last = spar__body_flag(call, "against_last");
    uint64_t m = SPAR_ANY_REVISION, seed = 0;
    spar_status status = spar__body_number(call, "m", UINT32_MAX - 1, &m, err);
    if (!status)
        status = spar__body_number(call, "seed", UINT64_MAX, &seed, err);
    if (!status && question)
        status = spar_setup_set_question(setup, question, err);
    if (!status && against_last && !space)
        status = spar__fail(err, SPAR_INVALID, "'against_last' needs a 'space'");
    if (!status && space)
        status = spar_setup_set_space(setup, space, against_last, err);
    if (status == SPAR_PARSE)
        status = SPAR_INVALID;
    if (!status && policy)
        status = spar_setup_set_policy(setup, policy, err);
    if (!status && m != SPAR_ANY_REVISION)
        status = spar_setup_set_slots(setup, (size_t)m, err);
    if (!status)
        status = spar_setup_set_answer(setup, kind, err);
    if (spar__json_member(&call->json, spar__json_root(&call->json), "seed"))
        spar_setup_set_seed(setup, seed);
    spar_setup_set_results(setup, results_of(spar__form_text(call, "results")));
    spar_setup_set_access(setup, access_of(spar__form_text(call, "access")));
    return status ? status : add_options(call, setup, err);
}

/* The list is read again by a store of its own: that of the service is the writer's. */
static spar_status create(spar__call *call, const char *name, const spar_setup *setup, spar_error *err)
{
    const char *location = call->service->settings.place;
    spar_experiment *experiment = NULL;
    spar__store *store = NULL;
    spar__buf where = {0};
    spar__buf_printf(&where, "%s#%s", location, name);
    spar_status status =
        where.failed ? spar__fail_memory(err) : spar_experiment_create(where.text, setup, &experiment, err);
    spar__buf_free(&where);
    spar_experiment_close(experiment);
    if (!status)
        status = spar__store_open(location, SPAR__STORE_READ, &store, err);
    if (!status)
        status = spar__hosting_load(&call->service->hosting, store, err);
    spar__store_close(store);
    return status;
}

spar_status spar__route_new_experiment(spar__call *call, spar_experiment *none, spar_error *err)
{
    spar_setup *setup = NULL;
    spar__buf where = {0};
    /* A name that needs no escapes in a URL and is never taken for a part of a path. */
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
    const char *name = spar__form_text(call, "name");
    size_t length = strlen(name);
    if (length < 1 || length > 100 || strspn(name, letters) != length || strchr("-_.", *name))
        return spar__reply_problem(
            &call->reply, 400, "invalid",
            "'name' is not 1 to 100 letters, digits, '-', '_' and '.', the first a letter or digit");
    if (spar__hosting_find(&call->service->hosting, name))
        return spar__reply_problem(&call->reply, 409, "conflict", "there is an experiment '%s' already", name);
    spar_status status = spar_setup_new(&setup) ? spar__fail_memory(err) : SPAR_OK;
    if (!status)
        status = fill_setup(call, setup, err);
    if (status == SPAR_UNKNOWN || status == SPAR_UNSUPPORTED || status == SPAR_CONFLICT)
        status = SPAR_INVALID; /* the policy, or two options with one id: the body is at fault */
    if (!status)
        status = create(call, name, setup, err);
    spar_setup_free(setup);
    if (status)
        return status;
    call->hosted = spar__hosting_find(&call->service->hosting, name);
    status = call->hosted ? spar__hosted_open(call->hosted, SPAR__BY_TRANSFER, &none, err) : spar__fail_memory(err);
    if (status)
        return status;
    spar__buf_printf(&where, "/v1/experiments/%s", name);
    call->reply.location = where.text; /* NULL without memory */
    return reply_experiment(call, none, 201);
}

/* --- one that is there --- */

spar_status spar__route_set_experiment(spar__call *call, spar_experiment *experiment, spar_error *err)
{
    const spar__json_node *root = spar__json_root(&call->json);
    const char *question = spar__body_text(call, "question"), *results = spar__body_text(call, "results");
    const char *access = spar__body_text(call, "access");
    uint64_t m = SPAR_ANY_REVISION;
    spar_status status = spar__body_number(call, "m", UINT32_MAX - 1, &m, err);
    if (!status && spar__json_member(&call->json, root, "space"))
        status = spar__fail(err, SPAR_UNSUPPORTED, "%s", spar__axes_fixed);
    if (!status && question)
        status = spar__question_check(question, err);
    if (!status && m != SPAR_ANY_REVISION) /* what can be refused comes first, so that all or nothing is changed */
        status = spar_experiment_set_slots(experiment, (size_t)m, err);
    if (!status && spar__json_member(&call->json, root, "question"))
        status = spar_experiment_set_question(experiment, question, err);
    if (!status && results)
        status = spar_experiment_set_results(experiment, results_of(results), err);
    if (!status && access)
        status = spar_experiment_set_access(experiment, access_of(access), err);
    return status ? status : reply_experiment(call, experiment, 200);
}

spar_status spar__route_close_experiment(spar__call *call, spar_experiment *experiment, spar_error *err)
{
    spar_status status = spar_experiment_end(experiment, err);
    return status ? status : reply_experiment(call, experiment, 200);
}

spar_status spar__route_reopen_experiment(spar__call *call, spar_experiment *experiment, spar_error *err)
{
    spar_status status = spar_experiment_reopen(experiment, err);
    return status ? status : reply_experiment(call, experiment, 200);
}

/* --- the page of a new one --- */

static bool is_space(const spar__call *call)
{
    return strcmp(spar__form_text(call, "compare"), "space") == 0;
}

static spar_status show_new(spar__call *call, spar_experiment *none, unsigned status, const char *error,
                            spar_error *err)
{
    static const char *const texts[] = {"question", "lines", "space", "name"};
    const char *results = spar__form_text(call, "results");
    bool ranking = strcmp(spar__form_text(call, "answer"), "ranking") == 0;
    uint64_t m = 2;
    spar__page page;
    spar__json *json = &page.json;
    (void)none;
    (void)spar__body_number(call, "m", 12, &m, NULL);
    spar__manage_begin(&page, call, NULL);
    spar__json_add_string(json, "title", spar__page_text(call, "new.heading"));
    spar__json_add_string(json, "error", error);
    /* The form as it was filled in, but for files, which browsers do not let us fill in again. */
    spar__json_begin_member(json, "fields");
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        spar__json_add_string(json, texts[i], spar__form_text(call, texts[i]));
    spar__json_add_boolean(json, "is_space", is_space(call));
    spar__json_add_boolean(json, "against_last", spar__body_flag(call, "against_last"));
    spar__json_add_boolean(json, "is_winner", !ranking);
    spar__json_add_boolean(json, "is_ranking", ranking);
    add_choices(json, spar__form_text(call, "access"), *results ? results : "managers", m);
    spar__json_end_object(json);
    return spar__page_end(&page, "new", status, err);
}

spar_status spar__route_page_new(spar__call *call, spar_experiment *none, spar_error *err)
{
    return show_new(call, none, 200, NULL, err);
}

/* The body of POST /v1/experiments. */
static void write_new(const spar__call *call, uint64_t m, spar__buf *out)
{
    static const char *const texts[] = {"question", "answer", "results", "access"};
    spar__json json = {.out = out};
    spar__json_begin_object(&json);
    spar__json_add_string(&json, "name", spar__form_text(call, "name"));
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (*spar__form_text(call, texts[i]))
            spar__json_add_string(&json, texts[i], spar__form_text(call, texts[i]));
    if (m)
        spar__json_add_unsigned(&json, "m", m);
    if (is_space(call)) {
        /* The text of a space has commas between its axes, the form may have lines; one may end in a comma, or be
         * empty. */
        spar__buf space = {0};
        for (const char *line = spar__form_text(call, "space"); *line;) {
            size_t length = strcspn(line, "\n"), kept = length;
            while (kept && strchr(" \t", line[kept - 1]))
                kept--;
            if (kept && space.length)
                spar__buf_adds(&space, space.text[space.length - 1] == ',' ? " " : ", ");
            spar__buf_add(&space, line, kept);
            line += length + (line[length] != '\0');
        }
        spar__json_add_buf(&json, "space", &space);
        spar__json_add_boolean(&json, "against_last", spar__body_flag(call, "against_last"));
    } else {
        spar__json_begin_list(&json, "options");
        spar__form_options(call, &json);
        spar__json_end_array(&json);
    }
    spar__json_end_object(&json);
}

/* Was what is to be compared filled in, and not the other? True: the call has no reply. */
static bool check_compared(spar__call *call)
{
    bool options =
        *spar__form_text(call, "lines") || spar__json_member(&call->json, spar__json_root(&call->json), "images");
    bool axes = *spar__form_text(call, "space");
    if (is_space(call) && !axes)
        return spar__refuse(call, 400, "invalid", "the space has no axes, expected 'speed 0.1..2 m/s' or the like");
    if (!is_space(call) && axes && !options)
        return spar__refuse(call, 400, "invalid", "axes of a space are filled in, but options are to be compared");
    return true;
}

spar_status spar__route_page_create(spar__call *call, spar_experiment *none, spar_error *err)
{
    spar__buf body = {0};
    uint64_t m = 0;
    spar_status status = spar__body_number(call, "m", 1000, &m, err);
    if (status)
        spar__reply_failure(&call->reply, status, err);
    else
        write_new(call, m, &body);
    bool done = !status && check_compared(call) && spar__manage_do(call, none, &body, spar__route_new_experiment);
    spar__buf_free(&body);
    return spar__manage_end(call, none, done, "", show_new, err);
}

/* --- the page of the settings --- */

static spar_status show_settings(spar__call *call, spar_experiment *experiment, unsigned status, const char *error,
                                 spar_error *err)
{
    spar__page page;
    char key[40];
    (void)snprintf(key, sizeof key, "answer.%.20s", spar_answer_kind_name(spar_experiment_asks(experiment)));
    spar__manage_begin(&page, call, experiment);
    spar__json_add_string(&page.json, "error", error);
    spar__json_add_boolean(&page.json, "saved", spar__call_query_flag(call, "saved"));
    spar__json_add_boolean(&page.json, "on_settings", true);
    const char *question = spar_experiment_question(experiment);
    uint64_t screens = 0, answers = 0;
    spar_experiment_counts(experiment, &screens, &answers, NULL, NULL);
    spar__json_begin_member(&page.json, "fields");
    spar__json_add_string(&page.json, "question", question ? question : "");
    spar__json_add_boolean(&page.json, "fresh", screens == 0 && answers == 0);
    spar__json_add_unsigned(&page.json, "m", spar_experiment_slots(experiment));
    add_choices(&page.json, access_name(experiment), results_names[spar_experiment_results(experiment)],
                spar_experiment_slots(experiment));
    spar__json_end_object(&page.json);
    spar__json_add_string(&page.json, "answer", spar__page_text(call, key));
    spar__json_add_string(&page.json, "policy", spar_experiment_policy(experiment));
    add_head(&page.json, "log_head", experiment);
    return spar__page_end(&page, "settings", status, err);
}

spar_status spar__route_page_settings(spar__call *call, spar_experiment *experiment, spar_error *err)
{
    return show_settings(call, experiment, 200, NULL, err);
}

/* The body of PATCH /v1/experiments/NAME: a question that was emptied is removed. */
spar_status spar__route_page_set(spar__call *call, spar_experiment *experiment, spar_error *err)
{
    spar__buf body = {0};
    spar__json json = {.out = &body};
    const char *question = spar__form_text(call, "question"), *results = spar__form_text(call, "results"),
               *access = spar__form_text(call, "access");
    uint64_t m = 0;
    spar_status status = spar__body_number(call, "m", 1000, &m, err);
    if (status)
        spar__reply_failure(&call->reply, status, err);
    spar__json_begin_object(&json);
    spar__json_add_string(&json, "question", *question ? question : NULL);
    if (m && m != spar_experiment_slots(experiment))
        spar__json_add_unsigned(&json, "m", m);
    if (*results)
        spar__json_add_string(&json, "results", results);
    if (*access)
        spar__json_add_string(&json, "access", access);
    spar__json_end_object(&json);
    bool done = !status && spar__manage_do(call, experiment, &body, spar__route_set_experiment);
    spar__buf_free(&body);
    return spar__manage_end(call, experiment, done, "/settings?saved=true", show_settings, err);
}

/* Closed already, or open: it is as it was asked to be. */
spar_status spar__route_page_close(spar__call *call, spar_experiment *experiment, spar_error *err)
{
    spar_status status = spar_experiment_is_closed(experiment) ? SPAR_OK : spar_experiment_end(experiment, err);
    return status ? status : spar__page_go(call, "/manage/", call->hosted->name, "");
}

spar_status spar__route_page_reopen(spar__call *call, spar_experiment *experiment, spar_error *err)
{
    spar_status status = spar_experiment_is_closed(experiment) ? spar_experiment_reopen(experiment, err) : SPAR_OK;
    return status ? status : spar__page_go(call, "/manage/", call->hosted->name, "");
}
