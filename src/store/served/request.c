/* request.c - requests as bytes, and back (wire.h). */
#include "store/served/wire.h"

#include "base/alloc.h"
#include "store/class.h"
#include "store/served/cursor.h"

#include <string.h>

enum {
    EVENT_LEAST = 30, /* bytes of an entry: the lengths of its two parts, and the smallest event */
    TEXT_LEAST = 17 + SPAR__SALT_SIZE,
    KEY_SIZE = 13,
    SEQUENCE_SIZE = 8,
    SECRET_LEAST = 9, /* two lengths, and the 0 byte of an empty name */
};

/* --- writing --- */

static void add_text(spar__buf *out, const spar__store_text *text)
{
    spar__wire_add_u8(out, (unsigned)text->kind);
    spar__wire_add_u64(out, text->owner);
    spar__wire_add_u32(out, text->version);
    spar__wire_add_raw(out, text->salt, sizeof text->salt);
    spar__wire_add_bytes(out, text->bytes, text->length);
}

/* False: it cannot be encoded. */
static bool add_entry(spar__buf *out, spar__store_entry *entry)
{
    unsigned char *bytes = NULL;
    size_t length = 0;
    spar_status status = spar__entry_encode(entry, 1, &bytes, &length);
    if (status == SPAR_NOMEM)
        out->failed = true;
    spar__entry_refuse(entry, status == SPAR_NOMEM ? SPAR_OK : status);
    if (status)
        return false;
    spar__wire_add_bytes(out, bytes, length);
    spar__wire_add_u32(out, (uint32_t)entry->n_texts);
    for (size_t i = 0; i < entry->n_texts; i++)
        add_text(out, &entry->text[i]);
    spar_bytes_free(bytes);
    return true;
}

static void add_entries(spar__buf *out, const spar__wire_request *request)
{
    size_t at = out->length;
    uint32_t n = 0;
    spar__wire_add_u32(out, 0);
    for (size_t i = 0; i < request->n; i++)
        n += add_entry(out, &request->entry[i]);
    if (!out->failed)
        spar__put_u32((unsigned char *)out->text + at, n);
}

static void add_keys(spar__buf *out, const spar__wire_request *request)
{
    spar__wire_add_u32(out, (uint32_t)request->n);
    for (size_t i = 0; i < request->n; i++) {
        spar__wire_add_u8(out, (unsigned)request->key[i].kind);
        spar__wire_add_u64(out, request->key[i].owner);
        spar__wire_add_u32(out, request->key[i].version);
    }
}

static void add_sequences(spar__buf *out, const spar__wire_request *request)
{
    spar__wire_add_u32(out, (uint32_t)request->n);
    for (size_t i = 0; i < request->n; i++)
        spar__wire_add_u64(out, request->sequence[i]);
}

static void add_secret(spar__buf *out, const char *name, const unsigned char *bytes, size_t length)
{
    spar__wire_add_bytes(out, name, strlen(name) + 1);
    spar__wire_add_bytes(out, bytes, length);
}

static void add_secrets(spar__buf *out, const spar__wire_request *request)
{
    spar__wire_add_u32(out, (uint32_t)request->n);
    for (size_t i = 0; i < request->n; i++)
        add_secret(out, request->secret[i].name, request->secret[i].bytes, request->secret[i].length);
}

static void add_snapshot(spar__buf *out, const spar__wire_request *request)
{
    spar__wire_add_u64(out, request->snapshot.sequence);
    spar__wire_add_u32(out, request->snapshot.engine);
    spar__wire_add_raw(out, request->snapshot.hash, sizeof request->snapshot.hash);
    spar__wire_add_bytes(out, request->bytes, request->length);
}

static void add_body(spar__buf *out, const spar__wire_request *request)
{
    switch (request->op) {
    case SPAR__WIRE_HELLO:
    case SPAR__WIRE_LOCK:
    case SPAR__WIRE_NEXT_SCREEN:
        return;
    case SPAR__WIRE_CREATE:
    case SPAR__WIRE_SECRET_DROP:
        spar__wire_add_bytes(out, request->name, strlen(request->name) + 1);
        return;
    case SPAR__WIRE_SECRET_PUT:
        add_secret(out, request->name, request->bytes, request->length);
        return;
    case SPAR__WIRE_SECRET_ADD:
    case SPAR__WIRE_SECRET_SWAP:
        add_secrets(out, request);
        return;
    case SPAR__WIRE_APPEND:
        add_entries(out, request);
        return;
    case SPAR__WIRE_TEXT_PUT:
        add_text(out, &request->text);
        return;
    case SPAR__WIRE_TEXT_DROP:
        add_keys(out, request);
        return;
    case SPAR__WIRE_SNAPSHOT_PUT:
        add_snapshot(out, request);
        return;
    case SPAR__WIRE_SNAPSHOT_KEEP:
        add_sequences(out, request);
        return;
    }
}

void spar__wire_request_write(const spar__wire_request *request, spar__buf *out)
{
    size_t start = out->length;
    spar__wire_add_head(out, (unsigned)request->op, request->locked, request->lapses);
    spar__wire_add_u32(out, request->patience);
    spar__wire_add_u64(out, request->experiment);
    add_body(out, request);
    spar__wire_set_length(out, start);
}

/* --- reading --- */

spar_status spar__wire_head(const unsigned char head[SPAR__WIRE_HEAD], size_t *length, spar_error *err)
{
    *length = spar__get_u32(head);
    if (head[4] != SPAR__WIRE_VERSION)
        return spar__fail(err, SPAR_IO, "the other side speaks version %d, this one %d", head[4], SPAR__WIRE_VERSION);
    if (*length > SPAR__WIRE_MOST)
        return spar__fail(err, SPAR_INVALID, "%zu MiB are too much at once, at most %zu", *length >> 20,
                          SPAR__WIRE_MOST >> 20);
    return SPAR_OK;
}

static const unsigned char *take_bytes(spar__cursor *in, size_t *length)
{
    *length = spar__cursor_u32(in);
    const unsigned char *bytes = spar__cursor_take(in, *length);
    *length = bytes ? *length : 0;
    return bytes;
}

/* Text, with the one 0 byte that ends it. */
static const char *take_name(spar__cursor *in)
{
    size_t length;
    const unsigned char *bytes = take_bytes(in, &length);
    in->bad = in->bad || !length || memchr(bytes, 0, length) != bytes + length - 1;
    return in->bad ? "" : (const char *)bytes;
}

static spar__text_kind take_kind(spar__cursor *in)
{
    unsigned char kind = spar__cursor_u8(in);
    in->bad = in->bad || kind < SPAR__TEXT_QUESTION || kind > SPAR__TEXT_SOURCE;
    return (spar__text_kind)kind;
}

static void take_text(spar__cursor *in, spar__store_text *text)
{
    text->kind = take_kind(in);
    text->owner = spar__cursor_u64(in);
    text->version = spar__cursor_u32(in);
    const unsigned char *salt = spar__cursor_take(in, SPAR__SALT_SIZE);
    if (salt)
        memcpy(text->salt, salt, SPAR__SALT_SIZE);
    text->bytes = take_bytes(in, &text->length);
}

static spar_status take_event(spar__cursor *in, spar_event **event)
{
    size_t length;
    const unsigned char *bytes = take_bytes(in, &length);
    if (in->bad)
        return SPAR_OK;
    if (spar_event_new(event))
        return SPAR_NOMEM;
    spar_status status = spar_event_decode(*event, bytes, length, NULL);
    if (status == SPAR_NOMEM)
        return status;
    in->bad = status || spar_event_sequence(*event) != 1;
    return SPAR_OK;
}

static spar_status take_entry(spar__cursor *in, spar__store_entry *entry)
{
    spar_status status = take_event(in, &entry->event);
    entry->n_texts = status ? 0 : spar__cursor_count(in, TEXT_LEAST);
    if (status || !entry->n_texts)
        return status;
    spar__store_text *text = spar__alloc(entry->n_texts, sizeof *text);
    entry->text = text;
    for (size_t i = 0; text && i < entry->n_texts; i++)
        take_text(in, &text[i]);
    return text ? SPAR_OK : SPAR_NOMEM;
}

static spar_status take_entries(spar__cursor *in, spar__wire_request *request)
{
    size_t n = spar__cursor_count(in, EVENT_LEAST);
    request->entry = spar__alloc(n, sizeof *request->entry);
    spar_status status = request->entry ? SPAR_OK : SPAR_NOMEM;
    for (request->n = 0; request->n < n && !status && !in->bad; request->n++)
        status = take_entry(in, &request->entry[request->n]);
    return status;
}

static spar_status take_keys(spar__cursor *in, spar__wire_request *request)
{
    request->n = spar__cursor_count(in, KEY_SIZE);
    request->key = spar__alloc(request->n, sizeof *request->key);
    for (size_t i = 0; request->key && i < request->n; i++) {
        spar__text_kind kind = take_kind(in);
        uint64_t owner = spar__cursor_u64(in);
        request->key[i] = (spar__text_key){kind, owner, spar__cursor_u32(in)};
    }
    return request->key ? SPAR_OK : SPAR_NOMEM;
}

static spar_status take_sequences(spar__cursor *in, spar__wire_request *request)
{
    request->n = spar__cursor_count(in, SEQUENCE_SIZE);
    request->sequence = spar__alloc(request->n, sizeof *request->sequence);
    for (size_t i = 0; request->sequence && i < request->n; i++)
        request->sequence[i] = spar__cursor_u64(in);
    return request->sequence ? SPAR_OK : SPAR_NOMEM;
}

static spar_status take_secrets(spar__cursor *in, spar__wire_request *request)
{
    request->n = spar__cursor_count(in, SECRET_LEAST);
    request->secret = spar__alloc(request->n, sizeof *request->secret);
    for (size_t i = 0; request->secret && i < request->n; i++) {
        request->secret[i].name = take_name(in);
        request->secret[i].bytes = take_bytes(in, &request->secret[i].length);
    }
    return request->secret ? SPAR_OK : SPAR_NOMEM;
}

static void take_snapshot(spar__cursor *in, spar__wire_request *request)
{
    request->snapshot.sequence = spar__cursor_u64(in);
    request->snapshot.engine = spar__cursor_u32(in);
    const unsigned char *hash = spar__cursor_take(in, SPAR_HASH_SIZE);
    if (hash)
        memcpy(request->snapshot.hash, hash, SPAR_HASH_SIZE);
    request->bytes = take_bytes(in, &request->length);
}

static spar_status take_body(spar__cursor *in, spar__wire_request *request)
{
    switch (request->op) {
    case SPAR__WIRE_HELLO:
    case SPAR__WIRE_LOCK:
    case SPAR__WIRE_NEXT_SCREEN:
        return SPAR_OK;
    case SPAR__WIRE_CREATE:
    case SPAR__WIRE_SECRET_DROP:
        request->name = take_name(in);
        return SPAR_OK;
    case SPAR__WIRE_SECRET_PUT:
        request->name = take_name(in);
        request->bytes = take_bytes(in, &request->length);
        return SPAR_OK;
    case SPAR__WIRE_SECRET_ADD:
    case SPAR__WIRE_SECRET_SWAP:
        return take_secrets(in, request);
    case SPAR__WIRE_APPEND:
        return take_entries(in, request);
    case SPAR__WIRE_TEXT_PUT:
        take_text(in, &request->text);
        return SPAR_OK;
    case SPAR__WIRE_TEXT_DROP:
        return take_keys(in, request);
    case SPAR__WIRE_SNAPSHOT_PUT:
        take_snapshot(in, request);
        return SPAR_OK;
    case SPAR__WIRE_SNAPSHOT_KEEP:
        return take_sequences(in, request);
    }
    in->bad = true;
    return SPAR_OK;
}

spar_status spar__wire_request_read(const unsigned char *frame, size_t length, spar__wire_request *request,
                                    spar_error *err)
{
    spar__cursor in = {frame, length, false};
    *request = (spar__wire_request){0};
    size_t body = spar__cursor_u32(&in);
    unsigned char version = spar__cursor_u8(&in);
    request->op = (spar__wire_op)spar__cursor_u8(&in);
    request->locked = spar__cursor_flag(&in);
    request->lapses = spar__cursor_u8(&in);
    in.bad = in.bad || body != in.left || version != SPAR__WIRE_VERSION;
    request->patience = spar__cursor_u32(&in);
    request->experiment = spar__cursor_u64(&in);
    spar_status status = in.bad ? SPAR_OK : take_body(&in, request);
    if (!status && !in.bad && !in.left)
        return SPAR_OK;
    spar__wire_request_fini(request);
    return status ? spar__fail_memory(err) : spar__fail(err, SPAR_CORRUPT, "this is no request");
}

void spar__wire_request_fini(spar__wire_request *request)
{
    for (size_t i = 0; request->entry && i < request->n; i++) {
        spar_event_free(request->entry[i].event);
        spar__free((void *)(uintptr_t)request->entry[i].text);
    }
    spar__free(request->entry);
    spar__free(request->key);
    spar__free(request->sequence);
    spar__free(request->secret);
    *request = (spar__wire_request){0};
}
