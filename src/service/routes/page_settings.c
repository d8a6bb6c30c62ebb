/* page_settings.c - the settings of an experiment, its end, and its new beginning. */
#include "service/routes/page_manage.h"

#include "base/alloc.h"
#include "text/escape.h"

static const char *results_of(const spar_experiment *experiment)
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

static void add_fields(const spar_experiment *experiment, spar__json *json)
{
    const char *question = spar_experiment_question(experiment);
    bool invited = spar_experiment_access(experiment) == SPAR_ACCESS_INVITED;
    spar__json_key(json, "fields");
    spar__json_begin_object(json);
    spar__json_add_string(json, "question", question ? question : "");
    spar__json_add_boolean(json, "fresh", is_fresh(experiment));
    spar__json_add_unsigned(json, "m", spar_experiment_slots(experiment));
    spar__manage_choices(json, invited ? "invited" : "open", results_of(experiment), spar_experiment_slots(experiment));
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

static void show(spar__call *call, spar_experiment *experiment, unsigned status, const char *error)
{
    spar__page page;
    spar__manage_begin(&page, call, experiment);
    spar__json_add_string(&page.json, "error", error);
    spar__json_add_boolean(&page.json, "saved", spar__call_query_flag(call, "saved"));
    spar__json_add_boolean(&page.json, "on_settings", true);
    add_fields(experiment, &page.json);
    add_fixed(call, experiment, &page.json);
    spar__page_end(&page, "settings", status);
}

void spar__read_page_settings(spar__call *call, spar_experiment *experiment)
{
    show(call, experiment, 200, NULL);
}

/* The body of PATCH /v1/experiments/NAME: a question that was emptied is removed. */
static void write_body(spar__call *call, const spar_experiment *experiment, spar__buf *out)
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
    write_body(call, experiment, &body);
    if (call->reply.status == 0 && spar__manage_do(call, experiment, &body, spar__change_set_experiment))
        spar__manage_go(call, "/settings?saved=true");
    else if (spar__manage_failed(call, &status, &detail))
        show(call, experiment, status, detail);
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
