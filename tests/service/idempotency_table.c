/* The table of replies that are kept for repeated requests: bounded, and the oldest go first. */
#include "service/server.h"
#include "tap.h"

#include "base/alloc.h"

#include <microhttpd.h>
#include <string.h>

/* In place of libmicrohttpd's: the only header. */
static const char *key;

const char *MHD_lookup_connection_value(struct MHD_Connection *connection, enum MHD_ValueKind kind, const char *name)
{
    (void)connection;
    (void)kind;
    return strcmp(name, "Idempotency-Key") == 0 ? key : NULL;
}

enum { MOST = 4, BYTES = 100 };

static spar__service *service;
static const spar__route route = {.id = "ask", .method = SPAR__POST};

static spar__call *begin(const char *with, const char *body, bool *goes_on)
{
    spar__call *call = spar__alloc(1, sizeof *call);
    key = with;
    call->service = service;
    call->route = &route;
    call->shape = &route.shape;
    strcpy(call->caller.voter, "ann");
    spar__buf_adds(&call->body, body);
    *goes_on = spar__idempotency_begin(call);
    return call;
}

static void end(spar__call *call, unsigned status, const char *reply)
{
    call->reply.status = status;
    spar__buf_adds(&call->reply.body, reply);
    spar__idempotency_end(call);
    spar__reply_free(&call->reply);
    spar__buf_free(&call->body);
    spar__free(call);
}

/* The whole of a request: its reply if it has an effect. */
static bool has_effect(const char *with, unsigned status, const char *reply)
{
    bool goes_on;
    spar__call *call = begin(with, "{}", &goes_on);
    unsigned seen = goes_on ? status : call->reply.status;
    end(call, seen, goes_on ? reply : "");
    return goes_on;
}

static void test_order(void)
{
    static const char *const names[] = {"1", "2", "3", "4", "5"};
    bool all = true;
    for (int i = 0; i < 5; i++)
        all &= has_effect(names[i], 200, "x");
    ok(all, "five keys, each with its effect");
    ok(service->voters_replies.n == MOST, "four are kept");
    ok(!has_effect("2", 200, "") && !has_effect("5", 200, ""), "the youngest");
    ok(has_effect("1", 200, "x"), "the oldest was forgotten");
    ok(has_effect("2", 200, "x"), "and then the next one, for its sake");
}

static void test_flight(void)
{
    bool first, second, other;
    spar__call *waiting = begin("flight", "{}", &first);
    spar__call *again = begin("flight", "{}", &second), *body = begin("flight", "{ }", &other);
    ok(first && !second && again->reply.status == 409, "while the first one waits, the same key is refused");
    ok(!other && body->reply.status == 422, "with another body in another way");
    end(again, again->reply.status, "");
    end(body, body->reply.status, "");
    for (int i = 0; i < 20; i++) {
        char name[8];
        (void)snprintf(name, sizeof name, "n%d", i);
        (void)has_effect(name, 200, "x");
    }
    ok(service->voters_replies.n == MOST, "many others come");
    end(waiting, 200, "late");
    bool goes_on;
    spar__call *repeated = begin("flight", "{}", &goes_on);
    ok(!goes_on && strcmp(repeated->reply.body.text, "late") == 0, "who waits is not forgotten");
    end(repeated, repeated->reply.status, "");
}

static void test_full(void)
{
    spar__call *call[MOST + 1];
    bool goes_on[MOST + 1];
    char name[MOST + 1][8];
    for (int i = 0; i <= MOST; i++) {
        (void)snprintf(name[i], sizeof name[i], "f%d", i);
        call[i] = begin(name[i], "{}", &goes_on[i]);
    }
    ok(goes_on[MOST - 1] && !goes_on[MOST] && call[MOST]->reply.status == 503, "all wait: no more are taken");
    for (int i = 0; i <= MOST; i++)
        end(call[i], i == MOST ? 503 : 400, "");
    ok(service->voters_replies.n == 0, "refusals are not kept");
}

static void test_bytes(void)
{
    char large[BYTES + 2];
    memset(large, 'x', sizeof large);
    large[BYTES + 1] = '\0';
    ok(has_effect("small", 200, "x") && has_effect("large", 200, large) && has_effect("large", 200, large),
       "a reply that is too large is not kept");
    large[BYTES - 1] = '\0';
    ok(has_effect("fits", 200, large) && !has_effect("fits", 200, ""), "one that just fits is");
    ok(!has_effect("small", 200, "") && service->voters_replies.bytes == BYTES, "beside a small one");
    ok(has_effect("more", 200, "x") && has_effect("small", 200, "x"), "but one more makes the oldest go");
}

static void test_time(void)
{
    ok(has_effect("old", 200, "x") && !has_effect("old", 200, "x"), "a key");
    spar__idempotency *once = &service->voters_replies;
    for (size_t i = 1; i <= MOST; i++)
        once->entry[i].begun -= SPAR__IDEMPOTENCY_SECONDS + 1;
    ok(has_effect("old", 200, "x"), "is good for 24 hours");
    ok(once->n == 1, "and what is older is gone");
}

int main(void)
{
    service = spar__alloc(1, sizeof *service);
    spar__idempotency_init(&service->voters_replies, MOST, BYTES);
    test_order();
    test_flight();
    test_full();
    test_bytes();
    test_time();
    spar__idempotency_fini(&service->voters_replies);
    spar__free(service);
    return done();
}
