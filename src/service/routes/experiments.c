/* experiments.c - which there are, and what they ask. Managers see all of an experiment; voters what they need to vote;
 * and who was not invited, where that is needed, not the options. */
#include "service/routes/experiment_json.h"

#include "base/alloc.h"
#include "live/live.h"
#include "live/exchange/exchange.h"
#include "text/escape.h"

#include <inttypes.h>
#include <stdio.h>

static const char *results_name(spar_results_for results)
{
    return results == SPAR_RESULTS_PUBLIC ? "public" : results == SPAR_RESULTS_AFTER_VOTE ? "after_vote" : "managers";
}

/* Managers see all; others those that everybody can vote in. */
static void add_entry(const spar__place *place, const spar_experiment *experiment, spar__json *json)
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
            add_entry(place, experiment, &json);
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

void spar__experiment_reply(spar__call *call, spar_experiment *experiment, unsigned status)
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
    spar__experiment_reply(call, experiment, 200);
}
