/* option.h - the record of an option: the one form in which its text is kept and hashed.
 *
 *     u8 1, version of the record; then id, title, body, type of the image, image: for each u8 0 (none) or 1, and after
 *     1 a u32 length and the bytes; then u32 n and n x f64, the features
 *
 * Numbers are little-endian. Every option has one record, and a record that was read would be written the same. */
#ifndef SPAR_LIVE_OPTION_H
#define SPAR_LIVE_OPTION_H

#include "base/buf.h"

#include <spar/option.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

spar_status spar__option_record(const spar_option *option, spar__buf *out);
/* The same option for one more owner, who frees it, too; neither changes it. */
spar_option *spar__option_share(const spar_option *option);

spar_status spar__option_read(const unsigned char *bytes, size_t length, spar_option **out, spar_error *err);

/* Reading the records of texts (option.h, item.h): numbers and bytes, one after the other. What is cut off
 * sets `failed`, and all that follows is nothing. */

typedef struct spar__record_reader {
    const unsigned char *at;
    size_t left;
    bool failed, no_memory; /* no_memory: set by who copies */
} spar__record_reader;

const unsigned char *spar__record_take(spar__record_reader *in, size_t n); /* NULL after a failure */
uint32_t spar__record_u32(spar__record_reader *in);                        /* 0 after a failure */

#endif
