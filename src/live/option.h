/* option.h - the record of an option: the one form in which its text is kept and hashed.
 *
 *     u8 1, version of the record; then id, title, body, type of the image, image: for each u8 0 (none) or 1, and after
 *     1 a u32 length and the bytes; then u32 n and n x f64, the features
 *
 * Numbers are little-endian. Every option has one record, and a record that was read would be written the same. */
#ifndef SPAR_LIVE_OPTION_H
#define SPAR_LIVE_OPTION_H

#include "base/archive.h"

#include <spar/option.h>

spar_status spar__option_record(const spar_option *option, spar__buf *out);
spar_status spar__option_read(const unsigned char *bytes, size_t length, spar_option **out, spar_error *err);

/* The same option for one more owner, who frees it, too; neither changes it. */
spar_option *spar__option_share(const spar_option *option);

/* Parts of the records of texts, for both directions: bytes with their u32 length, of which reading makes a copy
 * (spar__free) with a zero byte after its end; the same as a text, which has no zero byte; and one that may be missing.
 */
void spar__record_text(spar__archive *ar, char **text);
void spar__record_part(spar__archive *ar, char **text);
bool spar__record_has(spar__archive *ar, bool some); /* the u8 before a part */

#endif
