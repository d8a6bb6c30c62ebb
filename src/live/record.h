/* record.h - reading the records of texts (option.h, item.h): numbers and bytes, one after the other. What is cut off
 * sets `failed`, and all that follows is nothing. */
#ifndef SPAR_LIVE_RECORD_H
#define SPAR_LIVE_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct spar__record_reader {
    const unsigned char *at;
    size_t left;
    bool failed, no_memory; /* no_memory: set by who copies */
} spar__record_reader;

const unsigned char *spar__record_take(spar__record_reader *in, size_t n); /* NULL after a failure */
uint32_t spar__record_u32(spar__record_reader *in);                        /* 0 after a failure */

#endif
