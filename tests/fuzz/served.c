/* Requests and replies of the socket of a served file: what can be read is written as the same bytes.
 *
 * The first byte chooses: 0 and 1 a request, 2 and 3 a reply, more a head. For 0 and 2 the length in the frame is made
 * right, so that inputs get further. */
#include "fuzz.h"

#include "base/hash.h"
#include "store/served/wire.h"

static void check_same(const spar__buf *written, const unsigned char *frame, size_t size)
{
    require(!written->failed && written->length == size && memcmp(written->text, frame, size) == 0);
}

static void try_request(const unsigned char *frame, size_t size)
{
    spar__wire_request request;
    spar_error err = {0};
    spar__buf written = {0};
    spar_status status = spar__wire_request_read(frame, size, &request, &err);
    fuzz_refused(status, &err, "this is no request");
    if (status) {
        require(!request.entry && !request.key && !request.sequence);
        return;
    }
    spar__wire_request_write(&request, &written);
    check_same(&written, frame, size);
    spar__wire_request_fini(&request);
    spar__buf_free(&written);
}

static void try_reply(const unsigned char *frame, size_t size)
{
    spar__wire_reply reply;
    spar_error err = {0};
    spar__buf written = {0};
    spar_status status = spar__wire_reply_read(frame, size, &reply, &err);
    fuzz_refused(status, &err, "this is no reply");
    if (status) {
        require(!reply.result);
        return;
    }
    spar__wire_reply_write(&reply, &written);
    check_same(&written, frame, size);
    spar__wire_reply_fini(&reply);
    spar__buf_free(&written);
}

static void try_head(const unsigned char *head)
{
    size_t length = 0;
    spar_error err = {0};
    spar_status status = spar__wire_head(head, &length, &err);
    fuzz_refused(status, &err, NULL);
    require(status || length <= SPAR__WIRE_MOST);
}

void fuzz_served(const uint8_t *data, size_t size)
{
    if (size < 1)
        return;
    char *frame = fuzz_text(data + 1, size - 1); /* nothing behind it but a 0 byte */
    unsigned char *bytes = (unsigned char *)frame;
    size--;
    if (size >= SPAR__WIRE_HEAD && (data[0] == 0 || data[0] == 2))
        spar__put_u32(bytes, (uint32_t)(size - SPAR__WIRE_HEAD));
    if (data[0] < 2)
        try_request(bytes, size);
    else if (data[0] < 4)
        try_reply(bytes, size);
    else if (size >= SPAR__WIRE_HEAD)
        try_head(bytes);
    free(frame);
}
