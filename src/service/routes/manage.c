/* manage.c - experiments are made, set, closed and opened again. */
#include "service/routes/experiment_json.h"

#include "base/buf.h"
#include "live/live.h"

#include <string.h>

static spar_results_for results_of(const char *name)
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
    spar_setup_set_results(setup, results_of(results ? results : "managers"));
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
    spar__experiment_reply(call, experiment, 201);
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
        status = spar_experiment_set_results(experiment, results_of(results), err);
    if (!status && access)
        status = spar_experiment_set_access(experiment, access_of(access), err);
    return status;
}

static void reply(spar__call *call, spar_experiment *experiment, spar_status status, const spar_error *err)
{
    if (status)
        spar__reply_failure(&call->reply, status, err);
    else
        spar__experiment_reply(call, experiment, 200);
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
