/* idempotency.c - see once.h. */
#include "base/alloc.h"
#include "base/hash.h"
#include "service/http/http.h"
#include "service/server.h"
#include "store/digest.h"

#include <inttypes.h>
#include <string.h>

enum { BUCKETS = 16384 }; /* a power of two */

void spar__once_init(spar__once_table *once, size_t most, size_t room)
{
    *once = (spar__once_table){.most = most, .room = room};
}

void spar__once_fini(spar__once_table *once)
{
    for (size_t i = 1; once->entry && i <= once->most; i++)
        spar__reply_free(&once->entry[i].reply);
    spar__free(once->entry);
    spar__free(once->bucket);
    *once = (spar__once_table){0};
}

/* --- the table --- */

/* Memory is taken when the first key comes. */
static bool reserve(spar__once_table *once)
{
    if (once->entry)
        return true;
    once->entry = spar__alloc(once->most + 1, sizeof *once->entry);
    once->bucket = spar__alloc(BUCKETS, sizeof *once->bucket);
    if (!once->entry || !once->bucket) {
        spar__once_fini(&(spar__once_table){.entry = once->entry, .bucket = once->bucket});
        once->entry = NULL;
        once->bucket = NULL;
        return false;
    }
    for (size_t i = 1; i <= once->most; i++)
        once->entry[i].next = i < once->most ? i + 1 : 0;
    once->unused = 1;
    return true;
}

static size_t *bucket_of(const spar__once_table *once, const unsigned char *id)
{
    return &once->bucket[spar__hash_of(id, SPAR_HASH_SIZE) & (BUCKETS - 1)];
}

static size_t find(const spar__once_table *once, const unsigned char *id)
{
    size_t i = *bucket_of(once, id);
    while (i && memcmp(once->entry[i].id, id, SPAR_HASH_SIZE) != 0)
        i = once->entry[i].next;
    return i;
}

static void drop(spar__once_table *once, size_t i)
{
    spar__once_entry *entry = &once->entry[i];
    size_t *link = bucket_of(once, entry->id);
    while (*link != i)
        link = &once->entry[*link].next;
    *link = entry->next;
    if (entry->older)
        once->entry[entry->older].younger = entry->younger;
    else
        once->oldest = entry->younger;
    if (entry->younger)
        once->entry[entry->younger].older = entry->older;
    else
        once->youngest = entry->older;
    once->bytes -= entry->bytes;
    once->n--;
    spar__reply_free(&entry->reply);
    *entry = (spar__once_entry){.next = once->unused};
    once->unused = i;
}

/* Drops the oldest that has its reply; false if there is none. */
static bool drop_oldest(spar__once_table *once)
{
    size_t i = once->oldest;
    while (i && !once->entry[i].done)
        i = once->entry[i].younger;
    if (i)
        drop(once, i);
    return i != 0;
}

static void drop_old(spar__once_table *once, double now)
{
    while (once->oldest && once->entry[once->oldest].done && now - once->entry[once->oldest].begun > SPAR__ONCE_SECONDS)
        drop(once, once->oldest);
}

/* A new entry; 0 if there is no room. */
static size_t add(spar__once_table *once, const unsigned char *id, const unsigned char *body, double now)
{
    if (!once->unused && !drop_oldest(once))
        return 0;
    size_t i = once->unused;
    spar__once_entry *entry = &once->entry[i];
    once->unused = entry->next;
    *entry = (spar__once_entry){.begun = now, .older = once->youngest, .next = *bucket_of(once, id)};
    memcpy(entry->id, id, SPAR_HASH_SIZE);
    memcpy(entry->body, body, SPAR_HASH_SIZE);
    *bucket_of(once, id) = i;
    if (once->youngest)
        once->entry[once->youngest].younger = i;
    else
        once->oldest = i;
    once->youngest = i;
    once->n++;
    return i;
}

/* --- calls --- */

static void add_part(spar__buf *out, const char *text)
{
    spar__buf_adds(out, text ? text : "");
    spar__buf_add(out, "", 1); /* a zero byte: parts cannot run together */
}

/* Whose key it is, for what. */
static bool make_id(const spar__call *call, const char *key, unsigned char id[SPAR_HASH_SIZE])
{
    spar__buf text = {0};
    add_part(&text, call->route->id);
    for (size_t i = 0; i < SPAR__ROUTE_PARAMS; i++)
        add_part(&text, call->match.param[i]);
    spar__buf_printf(&text, "%" PRIu64, call->caller.token);
    add_part(&text, "");
    add_part(&text, call->caller.voter); /* a session may vote by the cookie of its browser */
    add_part(&text, key);
    if (!text.failed)
        spar__sha256(text.text, text.length, id);
    bool good = !text.failed;
    spar__buf_free(&text);
    return good;
}

static bool make_body(const spar__call *call, unsigned char hash[SPAR_HASH_SIZE])
{
    spar__buf text = {0};
    for (size_t i = 0; i < call->n_query; i++) {
        add_part(&text, call->query[i].name);
        add_part(&text, call->query[i].value);
    }
    add_part(&text, "");
    spar__buf_add(&text, call->body.text ? call->body.text : "", call->body.length);
    if (!text.failed)
        spar__sha256(text.text, text.length, hash);
    bool good = !text.failed;
    spar__buf_free(&text);
    return good;
}

static char *copy_text(const char *text)
{
    return text ? spar__strdup(text) : NULL;
}

static void copy_reply(spar__reply *to, const spar__reply *from)
{
    spar__reply_clear(to);
    to->status = from->status;
    to->type = from->type;
    to->location = copy_text(from->location);
    for (size_t i = 0; i < SPAR__REPLY_COOKIES; i++)
        to->cookie[i] = copy_text(from->cookie[i]);
    spar__buf_add(&to->body, from->body.text ? from->body.text : "", from->body.length);
}

static bool is_good(const char *key)
{
    size_t length = strlen(key);
    for (size_t i = 0; i < length; i++)
        if (key[i] <= ' ' || key[i] > '~')
            return false;
    return length > 0 && length <= SPAR__ONCE_KEY;
}

static spar__once_table *table_of(const spar__call *call)
{
    return call->caller.manager ? &call->service->managers_once : &call->service->voters_once;
}

/* The key was seen before. */
static bool repeat(spar__call *call, const spar__once_entry *entry, const unsigned char *body)
{
    if (memcmp(entry->body, body, SPAR_HASH_SIZE) != 0)
        return spar__refuse(call, 422, "key_reused", "this Idempotency-Key was used with another body");
    if (!entry->done) {
        call->reply.retry_after = 1;
        return spar__refuse(call, 409, "in_flight", "the first request with this Idempotency-Key has no reply yet");
    }
    copy_reply(&call->reply, &entry->reply);
    return false;
}

bool spar__once_begin(spar__call *call)
{
    unsigned char id[SPAR_HASH_SIZE], body[SPAR_HASH_SIZE];
    const char *key = call->route->method == SPAR__GET ? NULL : spar__call_header(call, "Idempotency-Key");
    spar__once_table *once = table_of(call);
    if (!key || (!call->caller.manager && !*call->caller.voter))
        return true; /* nobody's */
    if (!is_good(key))
        return spar__refuse(call, 400, "key", "Idempotency-Key is not 1 to 255 visible characters");
    if (!reserve(once) || !make_id(call, key, id) || !make_body(call, body))
        return spar__refuse(call, 503, "out_of_memory", "out of memory");
    drop_old(once, spar__seconds());
    size_t i = find(once, id);
    if (i)
        return repeat(call, &once->entry[i], body);
    call->once = add(once, id, body, spar__seconds());
    return call->once || spar__refuse(call, 503, "busy", "too many requests wait; try again");
}

void spar__once_end(spar__call *call)
{
    spar__once_table *once = table_of(call);
    if (!call->once)
        return;
    spar__once_entry *entry = &once->entry[call->once];
    const spar__reply *reply = &call->reply;
    if (reply->status < 200 || reply->status > 299 || reply->file || reply->stream || reply->body.length > once->room) {
        drop(once, call->once);
    } else {
        copy_reply(&entry->reply, reply);
        entry->done = true;
        entry->bytes = reply->body.length;
        once->bytes += entry->bytes;
        while (once->bytes > once->room && drop_oldest(once))
            ;
    }
    call->once = 0;
}
