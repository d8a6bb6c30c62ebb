/* watch.h - what the answers of a run say, looked at after each of them: is there a decision, and who leads?
 *
 * The rule of --stop decides by pair evidence (prefer/evidence.h), whatever policy plays. The read-out of --identify
 * names the arm that beats most opponents: those against which its share of won duels is above 1/2, a tie half a win
 * to each. Of several with as many it is the one of lowest index, a random one, because labels are permuted in every
 * run. Looking changes nothing for the policy. */
#ifndef SPAR_SIM_WATCH_H
#define SPAR_SIM_WATCH_H

#include "env/env.h"
#include "prefer/evidence.h"

/* What --stop says: "best(delta=0.05)". */
typedef struct spar__stop_rule {
    bool near;         /* practically best is enough */
    double delta, eps; /* see spar__evidence_init */
    bool end;          /* the run ends with its decision */
} spar__stop_rule;

spar_status spar__stop_rule_parse(const char *spec, spar__stop_rule *out, spar_error *err);

/* Why there is nothing to decide or to name in such a world; NULL: there is. */
const char *spar__watch_refuses(const spar_world *world);

typedef struct spar__strongest spar__strongest; /* strongest.c */

typedef struct spar__readout {
    spar__pair_table pairs;
    size_t n, named; /* arms; SPAR__NO_OPTION: none yet */
    size_t *beats;   /* per arm: opponents */
    bool right;
    uint64_t *flip; /* rounds after which `right` changed; false before the first */
    size_t flips, room;
    spar__stated *stated;
    size_t stated_room;
    spar__strongest *strongest; /* NULL: who beats most opponents is named */
} spar__readout;

typedef struct spar__watch { /* all zero: nothing to watch */
    const spar_world *world;
    const spar__stop_rule *rule; /* NULL: none */
    bool identify;
    spar__evidence evidence;
    uint64_t decided; /* the round of the decision; 0: open */
    size_t option;    /* what was decided for */
    spar__readout readout;
} spar__watch;

spar_status spar__watch_init(spar__watch *watch, const spar_world *world, const spar__stop_rule *rule, bool identify,
                             bool strongest);
void spar__watch_fini(spar__watch *watch);

/* Round t and its answer. */
spar_status spar__watch_answer(spar__watch *watch, uint64_t t, const spar_round *round, const spar_feedback *feedback);

/* Is what the rule decided true? The best arm beats every other; the practically best loses to none by more than eps.
 */
bool spar__watch_right(const spar__watch *watch);

static inline bool spar__watch_ended(const spar__watch *watch)
{
    return watch->decided && watch->rule->end;
}

/* readout.c: the read-out of `watch`. */
spar_status spar__readout_init(spar__readout *readout, size_t n, bool strongest);
void spar__readout_fini(spar__readout *readout);
spar_status spar__readout_answer(spar__readout *readout, const spar_world *world, uint64_t t, const spar_round *round,
                                 const spar_feedback *feedback, bool independent);

/* strongest.c: the arm of highest strength, for n arms; *named is SPAR__NO_OPTION where several are equal. */
spar_status spar__strongest_new(size_t n, spar__strongest **out);
void spar__strongest_free(spar__strongest *strongest);
spar_status spar__strongest_answer(spar__strongest *strongest, const spar_round *round, const spar_feedback *feedback,
                                   size_t *named);

#endif
