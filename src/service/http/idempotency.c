/* idempotency.c - replies that are kept for requests with an Idempotency-Key (http.h): a hash table whose entries are
 * also in the order in which they came. A request with a key costs two hashes. */
#include "base/alloc.h"
#include "base/hash.h"
#include "service/http/http.h"
#include "service/server.h"
#include "store/digest.h"

#include <inttypes.h>
#include <string.h>

enum { BUCKETS = 16384 }; /* a power of two */

void spar__idempotency_init(spar__idempotency *table, size_t most, size_t room)
{
    *table = (spar__idempotency){.most = most, .room = room};
}

void spar__idempotency_fini(spar__idempotency *table)
{
    for (size_t i = 1; table->entry && i <= table->most; i++)
        spar__reply_free(&table->entry[i].reply);
    spar__free(table->entry);
    spar__free(table->bucket);
    *table = (spar__idempotency){0};
}

/* --- the table --- */

/* Memory is taken when the first key comes. */
static bool reserve(spar__idempotency *table)
{
    if (table->entry)
        return true;
    table->entry = spar__alloc(table->most + 1, sizeof *table->entry);
    table->bucket = spar__alloc(BUCKETS, sizeof *table->bucket);
    if (!table->entry || !table->bucket) {
        spar__idempotency_fini(&(spar__idempotency){.entry = table->entry, .bucket = table->bucket});
        table->entry = NULL;
        table->bucket = NULL;
        return false;
    }
    for (size_t i = 1; i <= table->most; i++)
        table->entry[i].next = i < table->most ? i + 1 : 0;
    table->unused = 1;
    return true;
}

static size_t *bucket_of(const spar__idempotency *table, const unsigned char *id)
{
    return &table->bucket[spar__hash_of(id, SPAR_HASH_SIZE) & (BUCKETS - 1)];
}

static void drop(spar__idempotency *table, size_t i)
{
    spar__idempotency_entry *entry = &table->entry[i];
    size_t *link = bucket_of(table, entry->id);
    while (*link != i)
        link = &table->entry[*link].next;
    *link = entry->next;
    if (entry->older)
        table->entry[entry->older].younger = entry->younger;
    else
        table->oldest = entry->younger;
    if (entry->younger)
        table->entry[entry->younger].older = entry->older;
    else
        table->youngest = entry->older;
    table->bytes -= entry->bytes;
    table->n--;
    spar__reply_free(&entry->reply);
    *entry = (spar__idempotency_entry){.next = table->unused};
    table->unused = i;
}

/* Drops the oldest that has its reply; false if there is none. */
static bool drop_oldest(spar__idempotency *table)
{
    size_t i = table->oldest;
    while (i && !table->entry[i].done)
        i = table->entry[i].younger;
    if (i)
        drop(table, i);
    return i != 0;
}

/* A new entry; 0 if there is no room. */
static size_t add(spar__idempotency *table, const unsigned char *id, const unsigned char *body, double now)
{
    if (!table->unused && !drop_oldest(table))
        return 0;
    size_t i = table->unused;
    spar__idempotency_entry *entry = &table->entry[i];
    table->unused = entry->next;
    *entry = (spar__idempotency_entry){.begun = now, .older = table->youngest, .next = *bucket_of(table, id)};
    memcpy(entry->id, id, SPAR_HASH_SIZE);
    memcpy(entry->body, body, SPAR_HASH_SIZE);
    *bucket_of(table, id) = i;
    if (table->youngest)
        table->entry[table->youngest].younger = i;
    else
        table->oldest = i;
    table->youngest = i;
    table->n++;
    return i;
}

/* --- calls --- */

static void add_part(spar__buf *out, const char *text)
{
    spar__buf_adds(out, text ? text : "");
    spar__buf_add(out, "", 1); /* a zero byte: parts cannot run together */
}

/* Whose key it is, for what; and what was sent. */
static bool hash_call(const spar__call *call, const char *key, unsigned char id[SPAR_HASH_SIZE],
                      unsigned char body[SPAR_HASH_SIZE])
{
    spar__buf whose = {0}, sent = {0};
    add_part(&whose, call->route->id);
    for (size_t i = 0; i < SPAR__ROUTE_PARAMS; i++)
        add_part(&whose, call->match.param[i]);
    spar__buf_printf(&whose, "%" PRIu64, call->caller.token);
    add_part(&whose, "");
    add_part(&whose, call->caller.voter); /* a session may vote by the cookie of its browser */
    add_part(&whose, key);
    for (size_t i = 0; i < call->n_query; i++) {
        add_part(&sent, call->query[i].name);
        add_part(&sent, call->query[i].value);
    }
    add_part(&sent, "");
    spar__buf_add(&sent, call->body.text ? call->body.text : "", call->body.length);
    bool good = !whose.failed && !sent.failed;
    if (good) {
        spar__sha256(whose.text, whose.length, id);
        spar__sha256(sent.text, sent.length, body);
    }
    spar__buf_free(&whose);
    spar__buf_free(&sent);
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

static spar__idempotency *table_of_caller(const spar__call *call)
{
    return call->caller.manager ? &call->service->managers_replies : &call->service->voters_replies;
}

bool spar__idempotency_begin(spar__call *call)
{
    unsigned char id[SPAR_HASH_SIZE], body[SPAR_HASH_SIZE];
    const char *key = call->route->method == SPAR__GET ? NULL : spar__call_header(call, "Idempotency-Key");
    spar__idempotency *table = table_of_caller(call);
    if (!key || (!call->caller.manager && !*call->caller.voter))
        return true; /* nobody's */
    size_t visible = 0;
    while (key[visible] > ' ' && key[visible] <= '~')
        visible++;
    if (key[visible] || visible < 1 || visible > SPAR__IDEMPOTENCY_KEY_BYTES)
        return spar__refuse(call, 400, "key", "Idempotency-Key is not 1 to 255 visible characters");
    if (!reserve(table) || !hash_call(call, key, id, body))
        return spar__refuse(call, 503, "out_of_memory", "out of memory");
    double now = spar__seconds();
    while (table->oldest && table->entry[table->oldest].done &&
           now - table->entry[table->oldest].begun > SPAR__IDEMPOTENCY_SECONDS)
        drop(table, table->oldest);
    size_t i = *bucket_of(table, id);
    while (i && memcmp(table->entry[i].id, id, SPAR_HASH_SIZE) != 0)
        i = table->entry[i].next;
    if (i) { /* the key was seen before */
        const spar__idempotency_entry *entry = &table->entry[i];
        if (memcmp(entry->body, body, SPAR_HASH_SIZE) != 0)
            return spar__refuse(call, 422, "key_reused", "this Idempotency-Key was used with another body");
        if (!entry->done) {
            call->reply.retry_after = 1;
            return spar__refuse(call, 409, "in_flight", "the first request with this Idempotency-Key has no reply yet");
        }
        copy_reply(&call->reply, &entry->reply);
        return false;
    }
    call->idempotency = add(table, id, body, spar__seconds());
    return call->idempotency || spar__refuse(call, 503, "busy", "too many requests wait; try again");
}

void spar__idempotency_end(spar__call *call)
{
    spar__idempotency *table = table_of_caller(call);
    if (!call->idempotency)
        return;
    spar__idempotency_entry *entry = &table->entry[call->idempotency];
    const spar__reply *reply = &call->reply;
    if (reply->status < 200 || reply->status > 299 || reply->file || reply->stream ||
        reply->body.length > table->room) {
        drop(table, call->idempotency);
    } else {
        copy_reply(&entry->reply, reply);
        entry->done = true;
        entry->bytes = reply->body.length;
        table->bytes += entry->bytes;
        while (table->bytes > table->room && drop_oldest(table))
            ;
    }
    call->idempotency = 0;
}
