/* writer.c - group commit: one thread changes the experiments and commits the events of many calls at once.
 *
 * A round takes the calls that wait, at most 512, experiment by experiment (they share the store's lock). Each is
 * prepared against the state as it is: it may be answered at once, or add events to the batch. Then the batch is
 * committed, and only then its calls are answered. While a commit waits for the disk the next calls gather, so the more
 * there is to do the larger the batches are. A call that depends on one of its own batch waits for the next.
 *
 * After a failed commit the state may not be what is on disk: the experiment is closed and its log read again. */
#include "live/log/batch.h"
#include "service/server.h"

/* Another program has the lock, and this round has waited for it: the others of the round do not wait again, one after
 * the other. A file has one lock, elsewhere each experiment has its own. */
static spar_status check_busy(const spar__call *call, spar_error *err)
{
    const spar__service *service = call->service;
    bool busy = call->hosted && service->busy && (service->file || service->busy == call->hosted);
    return busy ? spar__fail(err, SPAR_BUSY, "another program is writing: try again") : SPAR_OK;
}

spar_status spar__call_batch(spar__call *call, spar__batch **out, spar_error *err)
{
    spar__hosted *hosted = call->hosted;
    spar_status status = hosted->batch ? SPAR_OK : check_busy(call, err);
    if (!status && !hosted->batch) {
        status = spar__batch_begin(hosted->opened[SPAR__BY_WRITER].experiment, &hosted->batch, err);
        if (status)
            spar__hosted_close(hosted, SPAR__BY_WRITER);
        if (status == SPAR_BUSY)
            call->service->busy = hosted;
    }
    *out = hosted->batch;
    return status;
}

spar_status spar__call_batched(spar__call *call, spar_status status)
{
    call->deferred = status == SPAR_BUSY;
    call->waiting = status == SPAR_OK;
    return call->deferred ? SPAR_OK : status;
}

/* The function of the route, with its experiment. */
static spar_status answer(spar__call *call, spar_experiment *experiment, spar_error *err)
{
    bool changes = call->route->kind == SPAR__WRITER;
    spar_status status = changes ? check_busy(call, err) : SPAR_OK;
    if (!status && call->hosted)
        status = spar__hosted_open(call->hosted, SPAR__BY_WRITER, &experiment, err);
    if (status || (call->hosted && !spar__auth_check_here(call, experiment)))
        return status;
    status = call->route->answer(call, experiment, err);
    if (changes && call->hosted && status == SPAR_BUSY)
        call->service->busy = call->hosted;
    if (!status && !changes && !call->waiting && !call->deferred && !call->reply.status)
        return spar__reply_problem(&call->reply, 500, "internal", "no answer");
    return status;
}

/* All calls about one experiment, from the first of them on. A change takes the store's lock by itself: not while the
 * batch has it. Then the batch is committed, and the calls that waited for it are answered; it is freed later. */
static void work_on(spar__service *service, spar__hosted *hosted, spar__call *calls)
{
    static const spar__route_kind order[] = {SPAR__WRITER, SPAR__BATCHED};
    spar__metrics *metrics = &service->metrics;
    spar_error err = {0};
    for (size_t i = 0; i < 2; i++)
        for (spar__call *call = calls; call; call = call->next)
            if (call->hosted == hosted && call->route->kind == order[i] && !call->reply.status)
                spar__call_answer(call, answer, NULL);
    if (!hosted || !hosted->batch)
        return;
    double start = spar__seconds();
    spar_status status = spar__batch_commit(hosted->batch, &err);
    atomic_fetch_add(&metrics->commits, 1);
    uint64_t took = (uint64_t)(1e9 * (spar__seconds() - start));
    atomic_fetch_add(&metrics->commit_nanoseconds, took);
    if (took > atomic_load(&metrics->longest_commit)) /* only this thread writes it */
        atomic_store(&metrics->longest_commit, took);
    if (status)
        atomic_fetch_add(&metrics->commit_failures, 1);
    else
        spar__storage_errors_good(&service->storage_errors, spar__seconds());
    for (spar__call *call = calls; call; call = call->next) {
        if (!call->waiting || call->hosted != hosted)
            continue;
        call->waiting = false;
        if (status)
            spar__reply_failure(&call->reply, status, &err);
        else
            spar__call_answer(call, call->route->finish, hosted->opened[SPAR__BY_WRITER].experiment);
    }
    hosted->failed = status != SPAR_OK;
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
            (void)spar__call_find_hosted(call, SPAR__BY_WRITER);
    }
    for (spar__call *call = calls; call; call = call->next)
        if (!call->reply.status && !call->deferred)
            work_on(service, call->hosted, call);
    finish(service, calls);
    /* When the replies are on their way: a batch may write a snapshot when it is freed, which takes time. */
    for (size_t i = 0; i < spar__hosting_count(&service->hosting); i++) {
        spar__hosted *hosted = spar__hosting_get(&service->hosting, i);
        spar__batch_free(hosted->batch);
        hosted->batch = NULL;
        if (hosted->failed)
            spar__hosted_close(hosted, SPAR__BY_WRITER);
        hosted->failed = false;
        spar__hosted_release(hosted, SPAR__BY_WRITER);
    }
}

void spar__writer_tick(spar__service *service)
{
    enum { SHARE = 50 };
    spar_error err = {0};
    uint64_t version = 0;
    spar__peers_sweep(service);
    spar__hosting_tidy(&service->hosting, SPAR__BY_WRITER, spar__seconds());
    /* What the server stores by itself; as before a batch, not in a file that was replaced, nor without space. */
    spar_status kept = spar__disk_check(service, &err);
    spar__hosting_follow(&service->hosting, !kept);
    if (!kept)
        kept = spar__logouts_keep(&service->logouts, service->store, spar__now(), &err);
    /* And what other programs have changed: tokens, invitations, experiments. There may be a hundred thousand
     * invitations, and we change them, too: they are not read most of the time. Tokens are few: one that was revoked
     * ends at once. The next second tries again. */
    spar_status status = kept == SPAR_FULL ? SPAR_OK : kept; /* a full disk can be read */
    if (!status)
        status = spar__store_secret_version(service->store, &version, &err);
    bool changed = !status && version != service->secrets_version;
    bool soon = spar__seconds() - service->secrets_loaded < SHARE * service->secrets_took;
    if (changed && !soon) {
        status = spar__secrets_load(service, &err);
    } else if (changed && version != service->tokens_version) {
        status = spar__tokens_load(&service->tokens, service->store, &err);
        service->tokens_version = status ? 0 : version;
    }
    if (!status)
        status = spar__hosting_load(&service->hosting, service->store, &err);
    spar__storage_errors_add(&service->storage_errors, status ? status : kept, &err, spar__seconds());
}
