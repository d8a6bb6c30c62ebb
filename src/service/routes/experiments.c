/* experiments.c - which there are, and what they ask. */
#include "service/server.h"

#include "text/json.h"

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

static void add_option(const spar_experiment *experiment, size_t arm, spar__json *json)
{
    const spar_option *option = spar_experiment_option(experiment, arm);
    if (!option)
        return; /* redacted */
    spar__json_begin_object(json);
    spar__json_add_string(json, "id", spar_option_id(option));
    spar__json_add_string(json, "title", spar_option_title(option));
    if (spar_option_body(option))
        spar__json_add_string(json, "body", spar_option_body(option));
    if (spar_option_image_type(option))
        spar__json_add_string(json, "image", spar_option_image_type(option));
    spar__json_add_boolean(json, "live", spar_experiment_is_live(experiment, arm));
    spar__json_end_object(json);
}

void spar__read_read_experiment(spar__call *call, spar_experiment *experiment)
{
    spar__json json = {.out = &call->reply.body};
    spar__json_begin_object(&json);
    spar__json_add_string(&json, "name", call->place->name);
    spar__json_add_string(&json, "question", spar_experiment_question(experiment));
    spar__json_add_string(&json, "answer", spar_answer_kind_name(spar_experiment_asks(experiment)));
    spar__json_add_unsigned(&json, "m", spar_experiment_slots(experiment));
    spar__json_add_boolean(&json, "closed", spar_experiment_is_closed(experiment));
    spar__json_key(&json, "options");
    spar__json_begin_array(&json);
    for (size_t arm = 0; arm < spar_experiment_options(experiment); arm++)
        add_option(experiment, arm, &json);
    spar__json_end_array(&json);
    spar__json_end_object(&json);
    spar__reply_json(&call->reply, 200);
}
