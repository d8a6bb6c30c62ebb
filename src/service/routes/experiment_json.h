/* experiment_json.h - what the routes about experiments and options share. */
#ifndef SPAR_SERVICE_EXPERIMENT_JSON_H
#define SPAR_SERVICE_EXPERIMENT_JSON_H

#include "service/server.h"

/* experiments.c: the experiment of the call as its reply; an option, nothing where it may not be seen. */
void spar__experiment_reply(spar__call *call, spar_experiment *experiment, unsigned status);
void spar__option_json(const spar__place *place, spar_experiment *experiment, size_t arm, bool manager,
                       spar__json *json);
/* The member image_url; nothing where the option has no image. */
void spar__image_url_json(const spar__place *place, spar_experiment *experiment, size_t arm, const char *id,
                          spar__json *json);

/* options.c: the option that an object of the schema new_option describes, new. */
spar_status spar__option_of_json(const spar__json_tree *tree, const spar__json_node *object, spar_option **out,
                                 spar_error *err);

#endif
