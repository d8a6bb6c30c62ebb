/* openapi_schema.h - the schemas of schemas.def as JSON Schema, for openapi.c. */
#ifndef SPAR_SERVICE_OPENAPI_SCHEMA_H
#define SPAR_SERVICE_OPENAPI_SCHEMA_H

#include "service/schema.h"
#include "text/json.h"

extern const spar__schema spar__openapi_problem; /* what every error is */

void spar__openapi_value(spar__json *json, const spar__member *member); /* of one member; NULL: a text */
void spar__openapi_ref(spar__json *json, const spar__schema *schema, const char *type); /* the type if it is NULL */
void spar__openapi_components(spar__json *json);                                        /* the member "components" */

#endif
