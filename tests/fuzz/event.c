/* Events from bytes: what is decoded is encoded to the same bytes, and a copy is equal. */
#include "fuzz.h"

#include <spar/spar.h>

static void check_encoding(const spar_event *event, const uint8_t *data, size_t size)
{
    unsigned char *bytes = NULL;
    size_t length = 0;
    require(!spar_event_encode(event, &bytes, &length) && length == size && memcmp(bytes, data, size) == 0);
    spar_bytes_free(bytes);
}

void fuzz_event(const uint8_t *data, size_t size)
{
    spar_event *event = NULL, *copy = NULL;
    spar_error err = {0};
    require(!spar_event_new(&event));
    spar_status status = spar_event_decode(event, data, size, &err);
    fuzz_refused(status, &err, NULL);
    if (!status) {
        require(!spar_event_dup(event, &copy));
        check_encoding(event, data, size);
        check_encoding(copy, data, size);
    }
    spar_event_free(event);
    spar_event_free(copy);
}
