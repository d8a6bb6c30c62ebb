/* json_members.h - the members of a request: of the object at the root of a tree, by name. What is null is not there.
 */
#ifndef SPAR_TEXT_JSON_MEMBERS_H
#define SPAR_TEXT_JSON_MEMBERS_H

#include "text/json_tree.h"

/* SPAR_PARSE with a sentence if the member is something else. A text, or a number as it was written; borrowed like the
 * tree; NULL: it is not there. */
spar_status spar__json_read_text(const spar__json_tree *tree, const char *key, const char **out, spar_error *err);

/* A whole number from 0 to `most`; *has: it is there. */
spar_status spar__json_read_number(const spar__json_tree *tree, const char *key, uint64_t most, bool *has,
                                   uint64_t *out, spar_error *err);

/* true or false, which it is also where it is not there. */
spar_status spar__json_read_flag(const spar__json_tree *tree, const char *key, bool *out, spar_error *err);

#endif
