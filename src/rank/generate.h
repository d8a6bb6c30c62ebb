/* generate.h - random learning-to-rank data that resemble real ones: many irrelevant documents, queries with few or no
 * relevant ones, short lists, features more or less correlated with the grade and with each other, counts and flags
 * with many ties, features that are mostly or always zero. The same bytes on every machine. */
#ifndef SPAR_RANK_GENERATE_H
#define SPAR_RANK_GENERATE_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct spar__generate_options {
    size_t queries;
    size_t docs; /* of a query, on average; some have one or a few, none more than 1.5 times as many */
    size_t features;
    unsigned grades; /* 3 or 5 */
    uint64_t seed;
} spar__generate_options;

/* Takes the text, query by query and in pieces of about a megabyte; false stops it (SPAR_INTERRUPTED). */
typedef bool spar__generate_sink(void *context, const char *text, size_t length);

spar_status spar__generate(const spar__generate_options *options, spar__generate_sink *sink, void *context,
                           spar_error *err);

#endif
