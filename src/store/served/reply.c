/* reply.c - replies as bytes, and back (wire.h). */
#include "base/alloc.h"
#include "store/served/cursor.h"

#include <string.h>

enum { RESULT_SIZE = 12 };

void spar__wire_reply_write(const spar__wire_reply *reply, spar__buf *out)
{
    size_t start = out->length;
    spar__wire_add_head(out, (unsigned)reply->op, reply->lapsed, 0);
    spar__wire_add_u32(out, (uint32_t) - (int)reply->err.status);
    spar__wire_add_u64(out, reply->number);
    spar__wire_add_u8(out, reply->completed);
    spar__wire_add_bytes(out, reply->err.text, strlen(reply->err.text));
    spar__wire_add_u32(out, (uint32_t)reply->n);
    for (size_t i = 0; i < reply->n; i++) {
        spar__wire_add_u32(out, (uint32_t) - (int)reply->result[i].status);
        spar__wire_add_u64(out, reply->result[i].sequence);
    }
    spar__wire_set_length(out, start);
}

static spar_status take_status(spar__cursor *in)
{
    uint32_t number = spar__cursor_u32(in);
    switch (number) {
#define CASE(name, value, text)                                                                                        \
    case -(value):                                                                                                     \
        return SPAR_##name;
        SPAR_STATUS_MAP(CASE)
#undef CASE
    default:
        in->bad = true;
        return SPAR_OK;
    }
}

/* A status other than SPAR_OK has a sentence. */
static void take_error(spar__cursor *in, spar_error *err)
{
    size_t length = spar__cursor_count(in, 1);
    const unsigned char *text = spar__cursor_take(in, length);
    in->bad = in->bad || length >= sizeof err->text || memchr(text, 0, length) || (err->status && !length);
    if (!in->bad)
        memcpy(err->text, text, length);
}

static spar_status take_results(spar__cursor *in, spar__wire_reply *reply)
{
    reply->n = spar__cursor_count(in, RESULT_SIZE);
    reply->result = spar__alloc(reply->n, sizeof *reply->result);
    for (size_t i = 0; reply->result && i < reply->n; i++) {
        reply->result[i].status = take_status(in);
        reply->result[i].sequence = spar__cursor_u64(in);
        in->bad = in->bad || (reply->result[i].status == SPAR_OK) != (reply->result[i].sequence > 0);
    }
    return reply->result ? SPAR_OK : SPAR_NOMEM;
}

spar_status spar__wire_reply_read(const unsigned char *frame, size_t length, spar__wire_reply *reply, spar_error *err)
{
    spar__cursor in = {frame, length, false};
    *reply = (spar__wire_reply){0};
    size_t body = spar__cursor_u32(&in);
    unsigned char version = spar__cursor_u8(&in);
    reply->op = (spar__wire_op)spar__cursor_u8(&in);
    reply->lapsed = spar__cursor_flag(&in);
    in.bad = spar__cursor_u8(&in) || in.bad || body != in.left || version != SPAR__WIRE_VERSION;
    reply->err.status = take_status(&in);
    reply->number = spar__cursor_u64(&in);
    reply->completed = spar__cursor_flag(&in);
    take_error(&in, &reply->err);
    spar_status status = in.bad ? SPAR_OK : take_results(&in, reply);
    if (!status && !in.bad && !in.left)
        return SPAR_OK;
    spar__wire_reply_fini(reply);
    return status ? spar__fail_memory(err) : spar__fail(err, SPAR_CORRUPT, "this is no reply");
}

void spar__wire_reply_fini(spar__wire_reply *reply)
{
    spar__free(reply->result);
    *reply = (spar__wire_reply){0};
}
