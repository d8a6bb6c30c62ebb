/* knob.h - one parameter of a policy, to be set to one value after the other. */
#ifndef SPAR_POLICY_KNOB_H
#define SPAR_POLICY_KNOB_H

#include "base/buf.h"
#include "base/spec.h"

enum { SPAR__KNOB_STAGES = 8 };

typedef struct spar__knob {
    const spar_param *param;                 /* what the registry says of it */
    spar__spec spec;                         /* the policy without it */
    size_t stage;                            /* where it goes; may lie behind the stages that were written */
    const char *standard[SPAR__KNOB_STAGES]; /* names of the stages, written or not */
} spar__knob;

/* The parameter is that of the first stage of the path that knows the name, as with an alias. Refuses a policy that can
 * not be, a name that no stage knows (naming the nearest that one does) and a parameter that is given already. */
spar_status spar__knob_new(const char *policy, const char *name, spar__knob *out, spar_error *err);
void spar__knob_free(spar__knob *knob);

/* Appends the policy with the parameter at a value: "ind_self_sparring(eta=2.5)". */
void spar__knob_write(const spar__knob *knob, double value, spar__buf *out);

#endif
