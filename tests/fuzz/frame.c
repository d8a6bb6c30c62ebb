/* Any bytes as a frame, of a kind with a section of state and one of caches: refused with a sentence, or all sections
 * lie inside, aligned and apart. The input is taken as it is, and again with the checksum made right. */
#include "base/archive.h"

#include "base/hash.h"
#include "fuzz.h"

static const spar__frame_kind kind = {
    .name = "saved thing", .tag = "thng", .version = 3, .section = {{"stat", 0}, {"fast", 2}, {"more", 0}}};

static void check(const unsigned char *bytes, size_t length)
{
    spar__frame frame;
    spar_error err = {0};
    spar_status status = spar__frame_read(&kind, bytes, length, &frame, &err);
    fuzz_refused(status, &err, NULL);
    require(!status || status == SPAR_CORRUPT || status == SPAR_UNSUPPORTED);
    require(status || spar__frame_is(&kind, bytes, length));
    for (size_t i = 0; !status && i < SPAR__FRAME_SECTIONS; i++) {
        const unsigned char *at = frame.section[i].bytes;
        require(!at || (at >= bytes + 32 && (at - bytes) % 8 == 0));
        require(!at || frame.section[i].length <= (size_t)(bytes + length - 24 - at));
        for (size_t j = 0; j < i; j++)
            require(!at || at != frame.section[j].bytes);
    }
}

void fuzz_frame(const uint8_t *data, size_t size)
{
    check(data, size);
    if (size < 40)
        return;
    unsigned char *bytes = malloc(size);
    require(bytes != NULL);
    memcpy(bytes, data, size);
    spar__put_u64(bytes + size - 8, spar__hash_of(bytes, size - 8));
    check(bytes, size);
    free(bytes);
}
