/* invite.h - the parts of spar invite. */
#ifndef SPAR_CLI_INVITE_H
#define SPAR_CLI_INVITE_H

#include "cli/verbs.h"
#include "service/auth/auth.h"

#define SPAR__INVITE_MOST 100000 /* links at once */

/* new.c */
spar_status spar__invite_new(const spar__verb_call *call, spar__buf *out, spar_error *err);

/* As JSON or CSV. link: the text of each, or NULL: they are not known any more. */
void spar__invitations_print(const spar__verb_call *call, size_t n, const spar__invitation *invitation,
                             char *const *link, spar__buf *out);

#endif
