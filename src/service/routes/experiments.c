/* experiments.c - see page_manage.h; and the list of all experiments. */
#include "base/alloc.h"
#include "base/buf.h"
#include "live/images.h"
#include "live/setup.h"
#include "live/text_json.h"
#include "service/pages/pages.h"
#include "service/server.h"
#include "text/base64.h"

#include <inttypes.h>
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

/* Choices of a form: is_open, is_invited, is_managers, is_after_vote, is_public, sizes. */
static void manage_choices(spar__json *json, const char *access, const char *results, uint64_t m)
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

static void page_manage_add_entry(const spar__place *place, const spar_experiment *experiment, spar__json *json)
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
            page_manage_add_entry(place, experiment, &page.json);
    }
    spar__json_end_array(&page.json);
    spar__page_end(&page, "manage", 200);
}

/* Which there are, and what they ask. Managers see all of an experiment; voters what they need to vote;
 * and who was not invited, where that is needed, not the options. */

static const char *results_name(spar_results_for results)
{
    return results == SPAR_RESULTS_PUBLIC ? "public" : results == SPAR_RESULTS_AFTER_VOTE ? "after_vote" : "managers";
}

/* Managers see all; others those that everybody can vote in. */
static void experiments_add_entry(const spar__place *place, const spar_experiment *experiment, spar__json *json)
{
    spar__json_begin_object(json);
    spar__json_add_string(json, "name", place->name);
    spar__json_add_string(json, "question", spar_experiment_question(experiment));
    spar__json_add_boolean(json, "closed", spar_experiment_is_closed(experiment));
    spar__json_end_object(json);
}

void spar__read_list_experiments(spar__call *call, spar_experiment *none)
{
    spar__places *places = &call->service->places;
    spar__json json = {.out = &call->reply.body};
    (void)none;
    spar__json_begin_object(&json);
    spar__json_key(&json, "experiments");
    spar__json_begin_array(&json);
    for (size_t i = 0; i < spar__places_count(places); i++) {
        spar_experiment *experiment = NULL;
        spar__place *place = spar__places_get(places, i);
        if (spar__place_open(place, SPAR__BY_READER, &experiment, NULL))
            continue;
        if (call->caller.manager || spar_experiment_access(experiment) == SPAR_ACCESS_OPEN)
            experiments_add_entry(place, experiment, &json);
    }
    spar__json_end_array(&json);
    spar__json_end_object(&json);
    spar__reply_json(&call->reply, 200);
}

/* --- options --- */

void spar__image_url_json(const spar__place *place, spar_experiment *experiment, size_t arm, const char *id,
                          spar__json *json)
{
    const unsigned char *hash = spar__live_image_hash(experiment, arm);
    spar__buf url = {0};
    if (!hash)
        return;
    spar__buf_adds(&url, "/v1/experiments/");
    spar__url_encode(place->name, &url);
    spar__buf_adds(&url, "/options/");
    spar__url_encode(id, &url);
    spar__buf_adds(&url, "/image?content=");
    spar__hex_add(&url, hash, SPAR_HASH_SIZE);
    json->out->failed |= url.failed;
    if (!url.failed)
        spar__json_add_string(json, "image_url", url.text);
    spar__buf_free(&url);
}

void spar__option_json(const spar__place *place, spar_experiment *experiment, size_t arm, bool manager,
                       spar__json *json)
{
    const spar_option *option = spar_experiment_option(experiment, arm);
    bool live = spar_experiment_is_live(experiment, arm);
    if (!option || (!live && !manager))
        return; /* redacted, or retired */
    spar__json_begin_object(json);
    spar__json_add_string(json, "id", spar_option_id(option));
    spar__json_add_string(json, "title", spar_option_title(option));
    if (spar_option_body(option))
        spar__json_add_string(json, "body", spar_option_body(option));
    if (spar_option_image_type(option)) {
        spar__json_add_string(json, "image", spar_option_image_type(option));
        spar__image_url_json(place, experiment, arm, spar_option_id(option), json);
    }
    if (manager)
        spar__features_json(json, option);
    spar__json_add_boolean(json, "live", live);
    spar__json_end_object(json);
}

/* --- one experiment --- */

static void add_counts(const spar_experiment *experiment, spar__json *json)
{
    uint64_t screens = 0, answers = 0, undone = 0, imported = 0;
    spar_experiment_counts(experiment, &screens, &answers, &undone, &imported);
    spar__json_key(json, "counts");
    spar__json_begin_object(json);
    spar__json_add_unsigned(json, "screens", screens);
    spar__json_add_unsigned(json, "answers", answers);
    spar__json_add_unsigned(json, "imported", imported);
    spar__json_add_unsigned(json, "undone", undone);
    spar__json_add_unsigned(json, "open_screens", spar_experiment_open_screens(experiment, NULL, 0, NULL));
    spar__json_add_unsigned(json, "events", spar_experiment_sequence(experiment));
    spar__json_end_object(json);
}

static void add_for_managers(const spar_experiment *experiment, spar__json *json)
{
    unsigned char hash[SPAR_HASH_SIZE];
    char head[2 * SPAR_HASH_SIZE + 1], seed[24];
    spar_experiment_head(experiment, hash);
    spar__hex_write(hash, sizeof hash, head);
    (void)snprintf(seed, sizeof seed, "%" PRIu64, spar_experiment_seed(experiment));
    spar__json_add_string(json, "policy", spar_experiment_policy(experiment));
    spar__json_add_string(json, "seed", seed);
    add_counts(experiment, json);
    spar__json_add_string(json, "head", head);
}

static void add_settings(const spar__place *place, const spar_experiment *experiment, spar__json *json)
{
    bool invited = spar_experiment_access(experiment) == SPAR_ACCESS_INVITED;
    spar__json_add_string(json, "name", place->name);
    spar__json_add_string(json, "question", spar_experiment_question(experiment));
    spar__json_add_string(json, "answer", spar_answer_kind_name(spar_experiment_asks(experiment)));
    spar__json_add_unsigned(json, "m", spar_experiment_slots(experiment));
    spar__json_add_string(json, "access", invited ? "invited" : "open");
    spar__json_add_string(json, "results", results_name(spar_experiment_results(experiment)));
    spar__json_add_boolean(json, "closed", spar_experiment_is_closed(experiment));
    if (spar_experiment_axes(experiment)) {
        spar__json_add_string(json, "space", spar_axes_text(spar_experiment_axes(experiment)));
        spar__json_add_boolean(json, "against_last", spar_experiment_against_last(experiment));
    }
}

static void experiment_reply(spar__call *call, spar_experiment *experiment, unsigned status)
{
    spar__json json = {.out = &call->reply.body};
    bool manager = call->caller.manager;
    spar__json_begin_object(&json);
    add_settings(call->place, experiment, &json);
    if (spar__may_vote(call->service, call->place, &call->caller, experiment)) {
        spar__json_key(&json, "options");
        spar__json_begin_array(&json);
        for (size_t arm = 0; arm < spar_experiment_options(experiment); arm++)
            spar__option_json(call->place, experiment, arm, manager, &json);
        spar__json_end_array(&json);
    }
    if (manager)
        add_for_managers(experiment, &json);
    spar__json_end_object(&json);
    spar__reply_json(&call->reply, status);
}

void spar__read_read_experiment(spar__call *call, spar_experiment *experiment)
{
    experiment_reply(call, experiment, 200);
}

/* Experiments are made, set, closed and opened again. */

static spar_results_for manage_results_of(const char *name)
{
    return strcmp(name, "public") == 0       ? SPAR_RESULTS_PUBLIC
           : strcmp(name, "after_vote") == 0 ? SPAR_RESULTS_AFTER_VOTE
                                             : SPAR_RESULTS_MANAGERS;
}

static spar_access access_of(const char *name)
{
    return strcmp(name, "invited") == 0 ? SPAR_ACCESS_INVITED : SPAR_ACCESS_OPEN;
}

static spar_answer_kind answer_of(const char *name)
{
    return strcmp(name, "ranking") == 0 ? SPAR_ANSWER_RANKING
           : strcmp(name, "pairs") == 0 ? SPAR_ANSWER_PAIRS
                                        : SPAR_ANSWER_WINNER;
}

/* --- a new one --- */

/* A name that needs no escapes in a URL and is never taken for a part of a path. */
static bool is_name(const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
    size_t length = strlen(name);
    return length > 0 && length <= 100 && strspn(name, letters) == length && !strchr("-_.", *name);
}

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
    bool good = true; /* kinds were checked, sizes of numbers were not */
    const char *question = spar__body_text(call, "question", &good), *policy = spar__body_text(call, "policy", &good);
    const char *answer = spar__body_text(call, "answer", &good), *results = spar__body_text(call, "results", &good);
    const char *access = spar__body_text(call, "access", &good);
    uint64_t m = spar__body_number(call, "m", UINT32_MAX - 1, SPAR_ANY_REVISION, &good);
    uint64_t seed = spar__body_number(call, "seed", UINT64_MAX, 0, &good);
    if (!good)
        return spar__fail(err, SPAR_INVALID, "'m' or 'seed' is too large a number");
    const char *space = spar__body_text(call, "space", &good);
    bool against_last = spar__body_flag(call, "against_last", &good);
    spar_status status = question ? spar_setup_set_question(setup, question, err) : SPAR_OK;
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
        status = spar_setup_set_answer(setup, answer_of(answer ? answer : "winner"), err);
    if (spar__json_member(&call->json, spar__json_root(&call->json), "seed"))
        spar_setup_set_seed(setup, seed);
    spar_setup_set_results(setup, manage_results_of(results ? results : "managers"));
    spar_setup_set_access(setup, access_of(access ? access : "open"));
    return status ? status : add_options(call, setup, err);
}

/* By a store of its own: that of the service is the writer's. */
static spar_status list_again(spar__service *service, spar_error *err)
{
    spar__store *store = NULL;
    spar_status status = spar__store_open(service->settings.place, SPAR__STORE_READ, &store, err);
    if (!status)
        status = spar__places_load(&service->places, service->settings.place, store, err);
    spar__store_close(store);
    return status;
}

static spar_status create(spar__call *call, const char *name, const spar_setup *setup, spar_error *err)
{
    spar__service *service = call->service;
    spar_experiment *experiment = NULL;
    spar__buf where = {0};
    spar__buf_printf(&where, "%s#%s", service->settings.place, name);
    spar_status status =
        where.failed ? spar__fail_memory(err) : spar_experiment_create(where.text, setup, &experiment, err);
    spar__buf_free(&where);
    spar_experiment_close(experiment);
    return status ? status : list_again(service, err);
}

static void reply_created(spar__call *call, const char *name)
{
    spar_experiment *experiment = NULL;
    spar_error err = {0};
    spar__buf where = {0};
    call->place = spar__places_find(&call->service->places, name);
    spar_status status =
        call->place ? spar__place_open(call->place, SPAR__BY_TRANSFER, &experiment, &err) : spar__fail_memory(&err);
    if (status) {
        spar__reply_failure(&call->reply, status, &err);
        return;
    }
    experiment_reply(call, experiment, 201);
    spar__buf_printf(&where, "/v1/experiments/%s", name);
    call->reply.location = where.text; /* NULL without memory */
}

void spar__slow_new_experiment(spar__call *call, spar_experiment *none)
{
    spar_setup *setup = NULL;
    spar_error err = {0};
    bool good = true;
    const char *name = spar__body_text(call, "name", &good);
    (void)none;
    if (!is_name(name)) {
        (void)spar__refuse(call, 400, "invalid",
                           "'name' is not 1 to 100 letters, digits, '-', '_' and '.', the first a letter or digit");
        return;
    }
    if (spar__places_find(&call->service->places, name)) {
        spar__reply_problem(&call->reply, 409, "conflict", "there is an experiment '%s' already", name);
        return;
    }
    spar_status status = spar_setup_new(&setup) ? spar__fail_memory(&err) : SPAR_OK;
    if (!status)
        status = fill_setup(call, setup, &err);
    if (status == SPAR_UNKNOWN || status == SPAR_UNSUPPORTED || status == SPAR_CONFLICT)
        status = SPAR_INVALID; /* the policy, or two options with one id: the body is at fault */
    if (!status)
        status = create(call, name, setup, &err);
    spar_setup_free(setup);
    if (status)
        spar__reply_failure(&call->reply, status, &err);
    else
        reply_created(call, name);
}

/* --- one that is there --- */

static spar_status change_settings(spar__call *call, spar_experiment *experiment, spar_error *err)
{
    bool good = true; /* kinds were checked, sizes of numbers were not */
    const spar__json_node *root = spar__json_root(&call->json);
    const char *question = spar__body_text(call, "question", &good), *results = spar__body_text(call, "results", &good);
    const char *access = spar__body_text(call, "access", &good);
    uint64_t m = spar__body_number(call, "m", UINT32_MAX - 1, SPAR_ANY_REVISION, &good);
    if (!good)
        return spar__fail(err, SPAR_INVALID, "'m' is too large a number");
    if (spar__json_member(&call->json, root, "space"))
        return spar__fail(err, SPAR_UNSUPPORTED, "%s", spar__axes_fixed);
    spar_status status = question ? spar__question_check(question, err) : SPAR_OK;
    if (!status && m != SPAR_ANY_REVISION) /* what can be refused comes first, so that all or nothing is changed */
        status = spar_experiment_set_slots(experiment, (size_t)m, err);
    if (!status && spar__json_member(&call->json, root, "question"))
        status = spar_experiment_set_question(experiment, question, err);
    if (!status && results)
        status = spar_experiment_set_results(experiment, manage_results_of(results), err);
    if (!status && access)
        status = spar_experiment_set_access(experiment, access_of(access), err);
    return status;
}

static void reply(spar__call *call, spar_experiment *experiment, spar_status status, const spar_error *err)
{
    if (status)
        spar__reply_failure(&call->reply, status, err);
    else
        experiment_reply(call, experiment, 200);
}

void spar__change_set_experiment(spar__call *call, spar_experiment *experiment)
{
    spar_error err = {0};
    reply(call, experiment, change_settings(call, experiment, &err), &err);
}

void spar__change_close_experiment(spar__call *call, spar_experiment *experiment)
{
    spar_error err = {0};
    reply(call, experiment, spar_experiment_end(experiment, &err), &err);
}

void spar__change_reopen_experiment(spar__call *call, spar_experiment *experiment)
{
    spar_error err = {0};
    reply(call, experiment, spar_experiment_reopen(experiment, &err), &err);
}

/* The first page: which experiments there are; and the files of the pages. */

static void page_home_add_entry(const spar__place *place, const spar_experiment *experiment, spar__json *json)
{
    spar__buf url = {0};
    spar__buf_adds(&url, "/e/");
    spar__url_encode(place->name, &url);
    json->out->failed |= url.failed;
    spar__json_begin_object(json);
    spar__json_add_string(json, "name", place->name);
    spar__json_add_string(json, "url", url.failed ? "" : url.text);
    spar__json_add_string(json, "question", spar_experiment_question(experiment));
    spar__json_add_boolean(json, "closed", spar_experiment_is_closed(experiment));
    spar__json_end_object(json);
    spar__buf_free(&url);
}

/* Managers see all; others those that everybody can vote in. */
void spar__read_page_home(spar__call *call, spar_experiment *none)
{
    spar__places *places = &call->service->places;
    spar__page page;
    (void)none;
    spar__page_begin(&page, call);
    spar__json_key(&page.json, "experiments");
    spar__json_begin_array(&page.json);
    for (size_t i = 0; i < spar__places_count(places); i++) {
        spar_experiment *experiment = NULL;
        spar__place *place = spar__places_get(places, i);
        if (!spar__place_open(place, SPAR__BY_READER, &experiment, NULL) &&
            (call->caller.manager || spar_experiment_access(experiment) == SPAR_ACCESS_OPEN))
            page_home_add_entry(place, experiment, &page.json);
    }
    spar__json_end_array(&page.json);
    spar__page_end(&page, "home", 200);
}

void spar__here_page_static(spar__call *call)
{
    const spar__web_file *file = spar__web_file_find(spar__call_param(call, 1));
    if (!file || strcmp(file->hash, spar__call_param(call, 0)) != 0) {
        spar__reply_problem(&call->reply, 404, "unknown", "there is no such file");
        return;
    }
    call->reply.status = 200;
    call->reply.type = file->type;
    call->reply.cacheable = true;
    spar__buf_add(&call->reply.body, file->bytes, file->length);
}

/* A new experiment, from a form. */

static bool is_space(const spar__call *call)
{
    return strcmp(spar__manage_text(call, "compare"), "space") == 0;
}

/* The form as it was filled in, but for files, which browsers do not let us fill in again. */
static void page_new_add_fields(const spar__call *call, spar__json *json)
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
    manage_choices(json, spar__manage_text(call, "access"), *results ? results : "managers", m);
    spar__json_end_object(json);
}

static void page_new_show(spar__call *call, unsigned status, const char *error)
{
    spar__page page;
    spar__manage_begin(&page, call, NULL);
    spar__json_add_string(&page.json, "title", spar__page_text(call, "new.heading"));
    spar__json_add_string(&page.json, "error", error);
    page_new_add_fields(call, &page.json);
    spar__page_end(&page, "new", status);
}

void spar__here_page_new(spar__call *call)
{
    page_new_show(call, 200, NULL);
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
static void page_new_write_body(spar__call *call, spar__buf *out)
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
    page_new_write_body(call, &body);
    if (call->reply.status == 0 && check(call) && spar__manage_do(call, none, &body, spar__slow_new_experiment))
        spar__manage_go(call, "");
    else if (spar__manage_failed(call, &status, &detail))
        page_new_show(call, status, detail);
    spar__free(detail);
    spar__buf_free(&body);
}

/* The settings of an experiment, its end, and its new beginning. */

static const char *page_settings_results_of(const spar_experiment *experiment)
{
    spar_results_for results = spar_experiment_results(experiment);
    return results == SPAR_RESULTS_PUBLIC ? "public" : results == SPAR_RESULTS_AFTER_VOTE ? "after_vote" : "managers";
}

static bool is_fresh(const spar_experiment *experiment)
{
    uint64_t screens = 0, answers = 0;
    spar_experiment_counts(experiment, &screens, &answers, NULL, NULL);
    return screens == 0 && answers == 0;
}

static void page_settings_add_fields(const spar_experiment *experiment, spar__json *json)
{
    const char *question = spar_experiment_question(experiment);
    bool invited = spar_experiment_access(experiment) == SPAR_ACCESS_INVITED;
    spar__json_key(json, "fields");
    spar__json_begin_object(json);
    spar__json_add_string(json, "question", question ? question : "");
    spar__json_add_boolean(json, "fresh", is_fresh(experiment));
    spar__json_add_unsigned(json, "m", spar_experiment_slots(experiment));
    manage_choices(json, invited ? "invited" : "open", page_settings_results_of(experiment), spar_experiment_slots(experiment));
    spar__json_end_object(json);
}

static void add_fixed(const spar__call *call, const spar_experiment *experiment, spar__json *json)
{
    unsigned char hash[SPAR_HASH_SIZE];
    spar__buf head = {0}, key = {0};
    spar__buf_printf(&key, "answer.%s", spar_answer_kind_name(spar_experiment_asks(experiment)));
    spar_experiment_head(experiment, hash);
    spar__hex_add(&head, hash, sizeof hash);
    json->out->failed |= head.failed || key.failed;
    spar__json_add_string(json, "answer", key.text ? spar__page_text(call, key.text) : NULL);
    spar__json_add_string(json, "policy", spar_experiment_policy(experiment));
    spar__json_add_string(json, "log_head", head.text);
    spar__buf_free(&head);
    spar__buf_free(&key);
}

static void page_settings_show(spar__call *call, spar_experiment *experiment, unsigned status, const char *error)
{
    spar__page page;
    spar__manage_begin(&page, call, experiment);
    spar__json_add_string(&page.json, "error", error);
    spar__json_add_boolean(&page.json, "saved", spar__call_query_flag(call, "saved"));
    spar__json_add_boolean(&page.json, "on_settings", true);
    page_settings_add_fields(experiment, &page.json);
    add_fixed(call, experiment, &page.json);
    spar__page_end(&page, "settings", status);
}

void spar__read_page_settings(spar__call *call, spar_experiment *experiment)
{
    page_settings_show(call, experiment, 200, NULL);
}

/* The body of PATCH /v1/experiments/NAME: a question that was emptied is removed. */
static void page_settings_write_body(spar__call *call, const spar_experiment *experiment, spar__buf *out)
{
    spar__json json = {.out = out};
    bool good = true;
    const char *question = spar__manage_text(call, "question"), *results = spar__manage_text(call, "results"),
               *access = spar__manage_text(call, "access");
    uint64_t m = spar__body_number(call, "m", 1000, 0, &good);
    spar__json_begin_object(&json);
    spar__json_add_string(&json, "question", *question ? question : NULL);
    if (m && m != spar_experiment_slots(experiment))
        spar__json_add_unsigned(&json, "m", m);
    if (*results)
        spar__json_add_string(&json, "results", results);
    if (*access)
        spar__json_add_string(&json, "access", access);
    spar__json_end_object(&json);
}

void spar__change_page_set(spar__call *call, spar_experiment *experiment)
{
    spar__buf body = {0};
    unsigned status = 0;
    char *detail = NULL;
    page_settings_write_body(call, experiment, &body);
    if (call->reply.status == 0 && spar__manage_do(call, experiment, &body, spar__change_set_experiment))
        spar__manage_go(call, "/settings?saved=true");
    else if (spar__manage_failed(call, &status, &detail))
        page_settings_show(call, experiment, status, detail);
    spar__free(detail);
    spar__buf_free(&body);
}

/* Closed already, or open: it is as it was asked to be. */
static void end_or_begin(spar__call *call, spar_experiment *experiment, bool close, spar__change_fn *change)
{
    spar__buf nothing = {0};
    spar__buf_adds(&nothing, "{}");
    if (spar_experiment_is_closed(experiment) == close || spar__manage_do(call, experiment, &nothing, change))
        spar__manage_go(call, "");
    spar__buf_free(&nothing);
}

void spar__change_page_close(spar__call *call, spar_experiment *experiment)
{
    end_or_begin(call, experiment, true, spar__change_close_experiment);
}

void spar__change_page_reopen(spar__call *call, spar_experiment *experiment)
{
    end_or_begin(call, experiment, false, spar__change_reopen_experiment);
}
