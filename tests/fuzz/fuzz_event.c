/* Events from bytes: what is decoded is encoded to the same bytes, and a copy is equal. */
#include <spar/spar.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_encoding(const spar_event *event, const uint8_t *data, size_t size)
{
    unsigned char *bytes = NULL;
    size_t length = 0;
    if (spar_event_encode(event, &bytes, &length) || length != size || memcmp(bytes, data, size) != 0)
        abort();
    spar_bytes_free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    spar_event *event = NULL, *copy = NULL;
    spar_error err = {0};
    if (spar_event_new(&event))
        abort();
    spar_status status = spar_event_decode(event, data, size, &err);
    if (status && !err.text[0])
        abort();
    if (!status) {
        if (spar_event_dup(event, &copy))
            abort();
        check_encoding(event, data, size);
        check_encoding(copy, data, size);
    }
    spar_event_free(event);
    spar_event_free(copy);
    return 0;
}
