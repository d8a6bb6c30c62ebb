/* local_work.c - what a client asks for, in its turn, and the lock that it may lose (local.h). */
#include "service/local_inside.h"

#include "base/alloc.h"
#include "base/clock.h"

#include <string.h>

enum {
    LONGER_MOST = 3,   /* times that the lease is doubled */
    DROP_WAITS = 1000, /* milliseconds for readers, who keep old bytes of a text: all who write wait with it */
};

unsigned spar__local_lease = 250;

/* --- the turn and the lock --- */

static void give(spar__local *local)
{
    spar__store_unlock(local->store);
    local->holder = NULL;
    spar__turn_give(local->turn);
}

void spar__local_release(spar__local *local)
{
    if (local->holder)
        give(local);
}

static spar_status take(spar__local *local, const spar__local_client *client, spar_error *err)
{
    double left = (client->since + client->patience - spar__clock_wall()) / 1e6;
    if (spar__turn_take(local->turn, left > 0 ? (unsigned)left : 0))
        return SPAR_OK;
    return spar__fail(err, SPAR_BUSY, "%s: cannot write: others have been using it for more than %g seconds",
                      spar__store_name(local->store), client->patience / 1e9);
}

static void lend(spar__local *local, const spar__local_client *client, const spar__wire_request *request)
{
    unsigned longer = request->lapses < LONGER_MOST ? request->lapses : LONGER_MOST;
    local->holder = client;
    local->lease_end = spar__clock_wall() + 1e6 * spar__local_lease * (1U << longer);
}

/* What the log is like now, under the lock. */
static spar_status note(spar__local *local, uint64_t experiment, spar__local_mark *mark, spar_error *err)
{
    *mark = (spar__local_mark){.experiment = experiment};
    spar_status status = spar__store_head(local->store, experiment, &mark->sequence, mark->hash, err);
    return status ? status : spar__store_text_drops(local->store, experiment, &mark->drops, err);
}

static spar_status do_lock(spar__local *local, spar__local_client *client, const spar__wire_request *request,
                           spar_error *err)
{
    spar_status status = spar__store_lock(local->store, request->experiment, err);
    return status ? status : note(local, request->experiment, &client->mark, err);
}

static bool same_mark(const spar__local_mark *a, const spar__local_mark *b)
{
    return a->sequence == b->sequence && a->drops == b->drops && memcmp(a->hash, b->hash, sizeof a->hash) == 0 &&
           a->screen == b->screen;
}

/* The numbers that it got are given again: are they the same? */
static spar_status give_again(spar__local *local, const spar__local_mark *before, spar__local_mark *now,
                              spar_error *err)
{
    spar_status status = SPAR_OK;
    for (now->screens = 0; now->screens < before->screens && !status; now->screens++)
        status = spar__store_next_screen(local->store, before->experiment, &now->screen, err);
    return status;
}

/* The client has lost the lock. It goes on if nothing was written since: then nothing tells that it was without. */
static spar_status resume(spar__local *local, spar__local_client *client, spar__wire_reply *reply)
{
    const spar__local_mark before = client->mark;
    spar__local_mark now = {0};
    spar_status status = spar__store_lock(local->store, before.experiment, &reply->err);
    if (!status)
        status = note(local, before.experiment, &now, &reply->err);
    if (!status)
        status = give_again(local, &before, &now, &reply->err);
    if (status || same_mark(&before, &now))
        return status;
    reply->lapsed = true;
    return spar__fail(&reply->err, SPAR_BUSY, "%s: this took so long that others have written first; do the same again",
                      spar__store_name(local->store));
}

/* Gets the client what its request needs. If it fails, it has neither the turn nor the lock. */
static spar_status enter(spar__local *local, spar__local_client *client, const spar__wire_request *request,
                         spar__wire_reply *reply)
{
    bool holds = local->holder == client;
    bool had = client->mark.experiment && request->experiment == client->mark.experiment;
    if (request->locked ? !had || request->op == SPAR__WIRE_LOCK : holds) {
        if (holds)
            give(local);
        return spar__fail(&reply->err, SPAR_INVALID, "the request does not fit the lock");
    }
    if (holds)
        return SPAR_OK;
    spar_status status = take(local, client, &reply->err);
    if (status || !request->locked)
        return status;
    status = resume(local, client, reply);
    if (status)
        give(local);
    return status;
}

/* --- what is asked for --- */

static spar_status do_append(spar__store *store, const spar__wire_request *request, spar__wire_reply *reply)
{
    reply->result = spar__alloc(request->n, sizeof *reply->result);
    if (!reply->result)
        return spar__fail_memory(&reply->err);
    spar_status status = spar__store_append(store, request->experiment, request->n, request->entry, &reply->err);
    if (status)
        return status;
    reply->n = request->n;
    for (size_t i = 0; i < request->n; i++)
        reply->result[i] = (spar__wire_result){request->entry[i].status, spar_event_sequence(request->entry[i].event)};
    return SPAR_OK;
}

static spar_status do_text_drop(spar__store *store, const spar__wire_request *request, spar__wire_reply *reply)
{
    spar__text_dropped dropped = {0};
    spar__store_set_patience(store, request->patience < DROP_WAITS ? request->patience + 1 : DROP_WAITS);
    spar_status status =
        spar__store_text_drop(store, request->experiment, request->n, request->key, &dropped, &reply->err);
    spar__store_set_patience(store, 0);
    reply->number = dropped.n;
    reply->completed = dropped.completed;
    return status;
}

static spar_status do_next_screen(spar__local *local, spar__local_client *client, const spar__wire_request *request,
                                  spar__wire_reply *reply)
{
    spar_status status = spar__store_next_screen(local->store, request->experiment, &reply->number, &reply->err);
    if (!status && request->locked) {
        client->mark.screens++;
        client->mark.screen = reply->number;
    }
    return status;
}

static spar_status perform(spar__local *local, spar__local_client *client, const spar__wire_request *r,
                           spar__wire_reply *reply)
{
    spar__store *store = local->store;
    switch (r->op) {
    case SPAR__WIRE_HELLO:
        return SPAR_OK;
    case SPAR__WIRE_CREATE:
        return spar__store_create(store, r->name, &reply->number, &reply->err);
    case SPAR__WIRE_LOCK:
        return do_lock(local, client, r, &reply->err);
    case SPAR__WIRE_APPEND:
        return do_append(store, r, reply);
    case SPAR__WIRE_NEXT_SCREEN:
        return do_next_screen(local, client, r, reply);
    case SPAR__WIRE_TEXT_PUT:
        return spar__store_text_put(store, r->experiment, &r->text, &reply->err);
    case SPAR__WIRE_TEXT_DROP:
        return do_text_drop(store, r, reply);
    case SPAR__WIRE_SNAPSHOT_PUT:
        return spar__store_snapshot_put(store, r->experiment, &r->snapshot, r->bytes, r->length, &reply->err);
    case SPAR__WIRE_SNAPSHOT_KEEP:
        return spar__store_snapshot_keep(store, r->experiment, r->n, r->sequence, &reply->err);
    case SPAR__WIRE_SECRET_PUT:
        return spar__store_secret_put(store, r->name, r->bytes, r->length, &reply->err);
    case SPAR__WIRE_SECRET_ADD:
        return spar__store_secret_add(store, r->n, r->secret, &reply->err);
    case SPAR__WIRE_SECRET_SWAP:
        return r->n == 2 ? spar__store_secret_swap(store, r->secret, &reply->err)
                         : spar__fail(&reply->err, SPAR_INVALID, "two secrets are swapped, not %zu", r->n);
    case SPAR__WIRE_SECRET_DROP:
        return spar__store_secret_drop(store, r->name, &reply->err);
    }
    return spar__fail(&reply->err, SPAR_INVALID, "this cannot be asked for");
}

/* Tells the server what was written, also by a call that failed behind that. */
static void tell_change(const spar__local *local, const spar__wire_request *request, const spar__wire_reply *reply)
{
    bool good = reply->err.status == SPAR_OK;
    if (!local->changed)
        return;
    if (request->op == SPAR__WIRE_APPEND && good)
        local->changed(local->context, SPAR__LOCAL_EVENTS, request->experiment);
    if ((request->op == SPAR__WIRE_TEXT_PUT && good) || (request->op == SPAR__WIRE_TEXT_DROP && reply->number))
        local->changed(local->context, SPAR__LOCAL_TEXTS, request->experiment);
    if ((request->op == SPAR__WIRE_SECRET_PUT || request->op == SPAR__WIRE_SECRET_ADD ||
         request->op == SPAR__WIRE_SECRET_SWAP || request->op == SPAR__WIRE_SECRET_DROP) &&
        good)
        local->changed(local->context, SPAR__LOCAL_SECRETS, 0);
    if (request->op == SPAR__WIRE_CREATE && good)
        local->changed(local->context, SPAR__LOCAL_EXPERIMENTS, reply->number);
}

void spar__local_do(spar__local *local, spar__local_client *client, spar__wire_request *request,
                    spar__wire_reply *reply)
{
    reply->op = request->op;
    if (request->op == SPAR__WIRE_HELLO)
        return;
    spar_status status = enter(local, client, request, reply);
    if (status)
        return;
    status = perform(local, client, request, reply);
    if (!status && (request->op == SPAR__WIRE_LOCK || (request->op == SPAR__WIRE_NEXT_SCREEN && request->locked))) {
        if (local->holder != client)
            lend(local, client, request);
        return;
    }
    client->mark = (spar__local_mark){0};
    give(local);
    tell_change(local, request, reply);
}
