/* space.h - experiments over a space of settings: what is believed of them, and which is best. */
#ifndef SPAR_LIVE_SPACE_SPACE_H
#define SPAR_LIVE_SPACE_SPACE_H

#include "base/buf.h"
#include "text/json.h"

#include <spar/axes.h>
#include <spar/experiment.h>
#include <spar/option.h>
#include <spar/taste.h>

enum { SPAR__SPACE_REFERENCES = 32 }; /* settings all over the space, to whose average strengths are relative */

/* A setting as people read it, "speed 0.35 m/s, mode b": appended; and as an option of which it is the title.
 * kept: it was on the screen before, which its body says. */
void spar__space_words(const spar_axes *axes, const size_t *value, spar__buf *out);
spar_status spar__space_option(const spar_axes *axes, const size_t *value, bool kept, spar_option **out,
                               spar_error *err);

/* The same for programs, an array: name, value (a number or a text), unit where there is one, and text, which is both.
 */
void spar__space_json(const spar_axes *axes, const size_t *value, spar__json *json);

/* Answers that say nothing: bad, or skipped. */
uint64_t spar__belief_skipped(const spar_belief *belief);

/* Answers that were left out because of their flags. */
uint64_t spar__belief_flagged(const spar_belief *belief);

/* The setting of highest mean, one value of each axis; of those whose value of `axis` is not `unlike`, if an axis is
 * named. */
#define SPAR__ANY_AXIS ((size_t)-1)

#endif
