/* hint.h - the next step after an error. The library says what is wrong and does not know the command; what to type
 * instead is added here. */
#ifndef SPAR_CLI_HINT_H
#define SPAR_CLI_HINT_H

#include "base/buf.h"

/* Adds " (...)" with a hint for the sentence of an error, if there is one. */
void spar__hint(const char *sentence, spar__buf *out);

#endif
