/* replay.c - a session from its whole log, without the answers that were undone. */
#include "base/alloc.h"
#include "session/session.h"
#include "types/event.h"

#include <inttypes.h>
#include <stdlib.h>

/* What an undo names. */
typedef struct undone_answer {
    uint64_t number;
    uint32_t revision;
} undone_answer;

typedef struct undone_answers {
    undone_answer *item;
    size_t n;
} undone_answers;

static int compare(const void *a, const void *b)
{
    const undone_answer *x = a, *y = b;
    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    return (x->revision > y->revision) - (x->revision < y->revision);
}

static spar_status find_undone(size_t n, const spar_event *const *event, undone_answers *out)
{
    for (size_t i = 0; i < n; i++)
        out->n += event[i]->kind == SPAR_EVENT_UNDO;
    out->item = spar__alloc(out->n, sizeof *out->item);
    if (!out->item)
        return SPAR_NOMEM;
    for (size_t i = 0, at = 0; i < n; i++)
        if (event[i]->kind == SPAR_EVENT_UNDO)
            out->item[at++] = (undone_answer){event[i]->is.number, event[i]->is.revision};
    qsort(out->item, out->n, sizeof *out->item, compare);
    return SPAR_OK;
}

static bool is_undone(const undone_answers *undone, const spar_event *event)
{
    undone_answer key = {event->is.number, event->is.revision};
    return event->kind == SPAR_EVENT_ANSWER && bsearch(&key, undone->item, undone->n, sizeof key, compare);
}

/* In a continuous space an answer makes options: later events count them, so all are applied, and the undo is refused.
 * Where it has axes they never do. */
static bool can_leave_out(const spar_session *session)
{
    const spar_arms *arms = spar__session_arms(session);
    return arms && (session->axes || !spar__arms_continuous(arms));
}

static spar_status replay(size_t n, const spar_event *const *event, spar_session *session, spar_error *err)
{
    undone_answers undone = {0};
    if (find_undone(n, event, &undone))
        return spar__fail_memory(err);
    spar_status status = SPAR_OK;
    for (size_t i = 0; !status && i < n; i++) {
        if (event[i]->sequence != i + 1)
            status = spar__fail(err, SPAR_CORRUPT, "event %zu of the log has the number %" PRIu64, i + 1,
                                event[i]->sequence);
        else if (!can_leave_out(session) || !is_undone(&undone, event[i]))
            status = spar_session_apply(session, event[i], err);
    }
    spar__free(undone.item);
    return status;
}

spar_status spar_session_replay(size_t n, const spar_event *const *event, spar_session **out, spar_error *err)
{
    if (!SPAR__CLEAR(out) || (n && !event))
        return spar__fail_null(err);
    for (size_t i = 0; i < n; i++)
        if (!event[i])
            return spar__fail_null(err);
    spar_status status = spar_session_new_empty(out) ? spar__fail_memory(err) : replay(n, event, *out, err);
    if (status) {
        spar_session_free(*out);
        *out = NULL;
    }
    return status;
}
