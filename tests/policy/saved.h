/* saved.h - the bytes of a saved policy: its sections, and making its checksum good again. Needs base/frame.h's form.
 */
#ifndef SPAR_TESTS_POLICY_SAVED_H
#define SPAR_TESTS_POLICY_SAVED_H

#include "base/hash.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { SAVED_HEAD = 16, SAVED_END = 24 }; /* of the file and each section; the last section */

__attribute__((unused)) static void saved_seal(unsigned char *saved, size_t length)
{
    spar__put_u64(saved + length - 8, spar__hash_of(saved, length - 8));
}

/* The section of this tag, with its head and padding; false: there is none. */
__attribute__((unused)) static bool saved_section(const unsigned char *saved, size_t length, const char *tag,
                                                  size_t *at, size_t *size)
{
    for (*at = SAVED_HEAD; *at + SAVED_END < length; *at += *size) {
        *size = SAVED_HEAD + (((size_t)spar__get_u64(saved + *at + 8) + 7) & ~(size_t)7);
        if (memcmp(saved + *at, tag, 4) == 0)
            return true;
    }
    return false;
}

/* Without its caches; returns the new length. */
__attribute__((unused)) static size_t saved_drop_cache(unsigned char *saved, size_t length)
{
    size_t at, size;
    if (!saved_section(saved, length, "fast", &at, &size))
        return length;
    memmove(saved + at, saved + at + size, length - at - size);
    saved_seal(saved, length - size);
    return length - size;
}

#endif
