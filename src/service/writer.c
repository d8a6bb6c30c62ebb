/* writer.c - group commit: one thread changes the experiments and commits the events of many calls at once.
 *
 * A round takes the calls that wait, at most 512, experiment by experiment (they share the store's lock). Each is
 * prepared against the state as it is: it may be answered at once, or add events to the batch. Then the batch is
 * committed, and only then its calls are answered. While a commit waits for the disk the next calls gather, so the more
 * there is to do the larger the batches are. A call that depends on one of its own batch waits for the next.
 *
 * After a failed commit the state may not be what is on disk: the experiment is closed and its log read again. */
#include "service/server.h"

#include "live/batch.h"

/* Another program has the lock, and this round has waited for it: the others of the round do not wait again, one after
 * the other. A file has one lock, elsewhere each experiment has its own. */
static void note_busy(const spar__call *call)
{
    if (call->place && call->reply.failure == SPAR_BUSY)
        call->service->busy = call->place;
}

static bool refuse_busy(spar__call *call)
{
    const spar__service *service = call->service;
    spar_error err = {0};
    bool busy = service->busy && (service->file || service->busy == call->place);
    if (busy)
        spar__reply_failure(&call->reply, spar__fail(&err, SPAR_BUSY, "another program is writing: try again"), &err);
    return busy;
}

bool spar__call_batch(spar__call *call, spar__batch **out)
{
    spar_error err = {0};
    spar__place *place = call->place;
    *out = NULL;
    if (!place->batch) {
        if (refuse_busy(call))
            return false;
        spar_status status = spar__batch_begin(place->opened[SPAR__BY_WRITER].experiment, &place->batch, &err);
        if (status) {
            spar__reply_failure(&call->reply, status, &err);
            note_busy(call);
            spar__place_close(place, SPAR__BY_WRITER);
            return false;
        }
    }
    *out = place->batch;
    return true;
}

bool spar__call_batched(spar__call *call, spar_status status, const spar_error *err)
{
    if (status == SPAR_BUSY)
        call->deferred = true;
    else if (status)
        spar__reply_failure(&call->reply, status, err);
    else
        call->waiting = true;
    return !status;
}

/* The experiment of the call, NULL if it was answered. */
static spar_experiment *open_for(spar__call *call)
{
    spar_experiment *experiment = NULL;
    spar_error err = {0};
    spar_status status = spar__place_open(call->place, SPAR__BY_WRITER, &experiment, &err);
    if (status)
        spar__reply_failure(&call->reply, status, &err);
    return status || !spar__auth_check_here(call, experiment) ? NULL : experiment;
}

/* A change takes the store's lock by itself: not while the batch has it. */
static void change(spar__call *call)
{
    spar_experiment *experiment = NULL;
    if (call->place && (refuse_busy(call) || !(experiment = open_for(call))))
        return;
    call->route->change(call, experiment);
    note_busy(call);
}

static void prepare(spar__call *call)
{
    spar_experiment *experiment = open_for(call);
    if (experiment)
        call->route->prepare(call, experiment);
    if (!call->waiting && !call->deferred && !call->reply.status)
        spar__reply_problem(&call->reply, 500, "internal", "no answer");
}

static spar_status commit(spar__service *service, spar__place *place, spar_error *err)
{
    spar__metrics *metrics = &service->metrics;
    double start = spar__seconds();
    spar_status status = spar__batch_commit(place->batch, err);
    atomic_fetch_add(&metrics->commits, 1);
    uint64_t took = (uint64_t)(1e9 * (spar__seconds() - start));
    atomic_fetch_add(&metrics->commit_nanoseconds, took);
    if (took > atomic_load(&metrics->longest_commit)) /* only this thread writes it */
        atomic_store(&metrics->longest_commit, took);
    if (status)
        atomic_fetch_add(&metrics->commit_failures, 1);
    else
        spar__troubles_good(&service->troubles, spar__seconds());
    return status;
}

/* Commits the batch of the place and answers the calls that waited for it. The batch is freed later. */
static void settle(spar__service *service, spar__place *place, spar__call *calls)
{
    spar_error err = {0};
    if (!place->batch)
        return;
    spar_status status = commit(service, place, &err);
    for (spar__call *call = calls; call; call = call->next) {
        if (!call->waiting || call->place != place)
            continue;
        call->waiting = false;
        if (status)
            spar__reply_failure(&call->reply, status, &err);
        else
            call->route->finish(call, place->opened[SPAR__BY_WRITER].experiment);
    }
    place->failed = status != SPAR_OK;
}

/* When the replies are on their way: a batch may write a snapshot when it is freed, which takes time. */
static void free_batches(spar__service *service)
{
    for (size_t i = 0; i < spar__places_count(&service->places); i++) {
        spar__place *place = spar__places_get(&service->places, i);
        spar__batch_free(place->batch);
        place->batch = NULL;
        if (place->failed)
            spar__place_close(place, SPAR__BY_WRITER);
        place->failed = false;
    }
}

/* All calls about one place, from the first of them on. */
static void work_on(spar__service *service, spar__place *place, spar__call *calls)
{
    for (spar__call *call = calls; call; call = call->next)
        if (call->place == place && call->route->change && !call->reply.status)
            change(call);
    for (spar__call *call = calls; call; call = call->next)
        if (call->place == place && call->route->prepare && !call->reply.status)
            prepare(call);
    if (place)
        settle(service, place, calls);
}

static bool is_done(const spar__call *call)
{
    return call->reply.status || call->deferred;
}

/* Calls that wait for the next batch go to the front of the queue, in their order. */
static void finish(spar__service *service, spar__call *call)
{
    if (!call)
        return;
    spar__call *next = call->next; /* after the resume the call is the other thread's */
    bool deferred = call->deferred;
    if (!deferred)
        spar__call_resume(call);
    finish(service, next);
    if (deferred) {
        call->deferred = false;
        spar__worker_return(&service->writer, call);
    }
}

void spar__writer_work(spar__service *service, spar__call *calls)
{
    spar_error err = {0};
    service->busy = NULL;
    spar_status status = spar__disk_check(service, &err);
    for (spar__call *call = calls; call; call = call->next) {
        if (status)
            spar__reply_failure(&call->reply, status, &err);
        else
            (void)spar__call_find_place(call, SPAR__BY_WRITER);
    }
    for (spar__call *call = calls; call; call = call->next)
        if (!is_done(call))
            work_on(service, call->place, call);
    finish(service, calls);
    free_batches(service);
}

/* There may be a hundred thousand invitations, and we change them, too: they are not read most of the time. */
static spar_status reload_secrets(spar__service *service, spar_error *err)
{
    enum { SHARE = 50 };
    uint64_t version;
    spar_status status = spar__store_secret_version(service->store, &version, err);
    bool soon = spar__seconds() - service->secrets_loaded < SHARE * service->secrets_took;
    return status || version == service->secrets_version || soon ? status : spar__secrets_load(service, err);
}

/* What the server stores by itself; as before a batch, not in a file that was replaced, nor where there is no space. */
static spar_status keep(spar__service *service, spar_error *err)
{
    spar_status status = spar__disk_check(service, err);
    if (status)
        return status;
    spar__places_keep(&service->places);
    return spar__logouts_keep(&service->logouts, service->store, spar__now(), err);
}

/* And what other programs have changed: tokens, invitations, experiments. The next second tries again. */
static spar_status follow(spar__service *service, spar_error *err)
{
    spar_status kept = keep(service, err);
    spar_status status = kept == SPAR_FULL ? SPAR_OK : kept; /* a full disk can be read */
    if (!status)
        status = reload_secrets(service, err);
    if (!status)
        status = spar__places_load(&service->places, service->settings.place, service->store, err);
    return status ? status : kept;
}

void spar__writer_tick(spar__service *service)
{
    spar_error err = {0};
    spar__peers_sweep(service);
    spar__places_tidy(&service->places, SPAR__BY_WRITER, spar__seconds());
    spar__places_follow(&service->places, SPAR__BY_WRITER);
    spar__troubles_add(&service->troubles, follow(service, &err), &err, spar__seconds());
}
