/* policies.h - the policies of several settings. */
#ifndef SPAR_PAPER_POLICIES_H
#define SPAR_PAPER_POLICIES_H

#include "paper/paper.h"

enum { SPAR__VANILLA_POLICIES = 9, SPAR__MULTI_POLICIES = 3, SPAR__KERNEL_POLICIES = 3 };

extern const spar__paper_policy spar__vanilla_policies[SPAR__VANILLA_POLICIES]; /* two arms a round */
extern const spar__paper_policy spar__multi_policies[SPAR__MULTI_POLICIES];     /* several */
extern const spar__paper_policy
    spar__kernel_policies[SPAR__KERNEL_POLICIES]; /* dependent arms; the last one only for two a round */

#endif
