/* json_scan.h - the words of JSON, for the readers of this folder: strict JSON, of which bytes that are no UTF-8 pass
 * through. */
#ifndef SPAR_TEXT_JSON_SCAN_H
#define SPAR_TEXT_JSON_SCAN_H

#include "base/buf.h"

typedef struct spar__json_scan {
    const char *path; /* for errors */
    const char *at, *end;
    size_t number;  /* of the line at `at`, from 1 */
    spar__buf word; /* the string or other value last read */
} spar__json_scan;

/* Skips white space. What comes then, '\0' at the end. */
char spar__scan_space(spar__json_scan *scan);

/* Is this the next character behind white space? Then it is taken. */
bool spar__scan_take(spar__json_scan *scan, char c);

/* SPAR_PARSE: "file:3: expected a colon at '1}'". */
spar_status spar__scan_refuse(const spar__json_scan *scan, const char *expected, spar_error *err);

/* The string at `at`, behind its quote, into word. */
spar_status spar__scan_string(spar__json_scan *scan, spar_error *err);

/* A string, or a number, true, false or null as it is written, into word. */
spar_status spar__scan_scalar(spar__json_scan *scan, bool *null, spar_error *err);

#endif
