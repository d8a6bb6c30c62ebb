/* preflib.h - orders from PrefLib (preflib.org, the format of 2022): soc, soi, toc, toi.
 *
 *     # DATA TYPE: toi
 *     # NUMBER ALTERNATIVES: 3
 *     # ALTERNATIVE NAME 1: cat
 *     ...
 *     41: 2,{1,3}             41 people have 2 first, then 1 and 3 together
 *
 * Options are in the order of their numbers, and named by them where they have no name. Those that a voter left out
 * (soi, toi) have the last place together. The file has the orders by how often they came, not by when. */
#ifndef SPAR_TEXT_PREFLIB_H
#define SPAR_TEXT_PREFLIB_H

#include "text/votes.h"

/* The whole of text[length]; path is only for errors. Nothing needs freeing after a failure. */
spar_status spar__preflib_parse(const char *text, size_t length, const char *path, spar__votes *out, spar_error *err);

#endif
