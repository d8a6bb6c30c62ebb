/* roles.h - who plays in more than one scene. */
#ifndef SPAR_PAPER_ROLES_H
#define SPAR_PAPER_ROLES_H

#include "paper/paper.h"

enum { SPAR__VANILLA_ROLES = 9, SPAR__MULTI_ROLES = 3, SPAR__KERNEL_ROLES = 3 };

extern const spar__role spar__vanilla_roles[SPAR__VANILLA_ROLES]; /* two arms a round */
extern const spar__role spar__multi_roles[SPAR__MULTI_ROLES];     /* several */
extern const spar__role spar__kernel_roles[SPAR__KERNEL_ROLES]; /* dependent arms; the last one only for two a round */

#endif
