/* page_home.c - the first page: which experiments there are; and the files of the pages. */
#include "service/page.h"
#include "service/web.h"

#include <string.h>

static void add_entry(const spar__place *place, const spar_experiment *experiment, spar__json *json)
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
            add_entry(place, experiment, &page.json);
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
