/* points.c - questions in a space that has axes: every slot shows a point that people can read, and no two are equal.
 *
 * Slots are points, never arms by number: so an answer can be left out of a replay, and all later events keep their
 * meaning. */
#include "session/session.h"

#include "base/alloc.h"
#include "types/arms.h"
#include "types/event.h"
#include "types/round.h"

#include <string.h>

enum { DRAWS = 9 }; /* a question with equal points is drawn again 8 times */

/* As people see them. */
static void make_readable(spar_session *session)
{
    spar_round *round = session->round;
    size_t dim = round->dim;
    if (session->against_last && session->has_last && round->m == 2) {
        memcpy(round->x + dim, session->last, dim * sizeof *round->x);
        round->prob[1] = 1;
    }
    for (size_t j = 0; j < round->m; j++) {
        round->arm[j] = SPAR_FRESH;
        spar__axes_round(session->axes, round->x + j * dim);
    }
}

static bool all_differ(const spar_round *round)
{
    size_t size = round->dim * sizeof *round->x;
    for (size_t j = 1; j < round->m; j++)
        for (size_t k = 0; k < j; k++)
            if (memcmp(round->x + j * round->dim, round->x + k * round->dim, size) == 0)
                return false;
    return true;
}

/* Points that are equal move to the nearest free ones. The last slot of two stays where it is: it may have to. */
static spar_status separate(const spar_axes *axes, spar_round *round, spar_error *err)
{
    bool there = true;
    size_t dim = round->dim;
    if (round->m == 2)
        there = spar__axes_separate(axes, 1, round->x + dim, round->x);
    for (size_t j = 1; there && j < round->m; j++)
        there = spar__axes_separate(axes, j, round->x, round->x + j * dim);
    return there ? SPAR_OK
                 : spar__fail(err, SPAR_UNSUPPORTED, "the space has fewer points than the %zu that are to be shown",
                              round->m);
}

spar_status spar__session_choose_points(spar_session *session, spar_rng *rng, spar_error *err)
{
    for (int i = 0; i < DRAWS; i++) {
        spar_status status = spar_policy_choose(session->policy, session->scratch, rng, session->round, err);
        if (status)
            return status;
        make_readable(session);
        if (all_differ(session->round))
            return SPAR_OK;
    }
    return separate(session->axes, session->round, err);
}

void spar__session_keep_last(spar_session *session, const spar_round *round)
{
    if (!session->last)
        return;
    memcpy(session->last, round->x, round->dim * sizeof *round->x);
    session->has_last = true;
}

static bool same_space(const spar_arms *a, const spar_arms *b)
{
    bool same = a && b && a->dim == b->dim && a->space.n_axes == b->space.n_axes;
    for (size_t i = 0; same && i < a->space.n_axes; i++) {
        const spar__space_axis *x = &a->space.axis[i], *y = &b->space.axis[i];
        same = x->kind == y->kind && x->lo == y->lo && x->hi == y->hi && x->n == y->n;
    }
    return same;
}

spar_status spar__session_check_axes(const spar_event *created, spar_error *err)
{
    spar_axes *axes = NULL;
    spar_arms *arms = NULL;
    spar_status status = spar_axes_new(created->axes, &axes, err);
    if (!status && spar_axes_arms(axes, &arms))
        status = spar__fail_memory(err);
    if (!status && !same_space(arms, created->space))
        status = spar__fail(err, SPAR_INVALID, "the space '%.80s' is not that of the points", created->axes);
    spar_arms_free(arms);
    spar_axes_free(axes);
    return status;
}

spar_status spar__session_check_point(const spar_session *session, const spar_round *round, size_t slot,
                                      spar_error *err)
{
    size_t dim = session->axes->dim, value[SPAR__AXES_MOST];
    if (round->arm[slot] != SPAR_FRESH || round->dim != dim)
        return spar__fail(err, SPAR_INVALID, "slot %zu shows an option by its number, expected a point of the space",
                          slot);
    double *x = spar__alloc(dim, sizeof *x);
    spar_status status = x ? SPAR_OK : spar__fail_memory(err);
    if (!status) {
        spar_axes_nearest(session->axes, round->x + slot * dim, value);
        spar_axes_point(session->axes, value, x);
        if (memcmp(x, round->x + slot * dim, dim * sizeof *x) != 0)
            status =
                spar__fail(err, SPAR_INVALID, "slot %zu shows a point that is none of the settings of the space", slot);
    }
    spar__free(x);
    return status;
}

/* What was kept of the space, behind all the rest. */
void spar__session_archive_axes(spar_session *session, spar__archive *ar)
{
    char *text = ar->loading ? NULL : session->axes->text;
    spar__archive_text(ar, &text);
    spar__archive_bool(ar, &session->against_last);
    spar__archive_bool(ar, &session->has_last);
    if (ar->loading && !ar->failed)
        spar__archive_step(ar, text ? spar_axes_new(text, &session->axes, NULL) : SPAR_INVALID);
    if (ar->loading)
        spar__free(text);
    if (ar->loading && !ar->failed && session->against_last) {
        session->last = spar__alloc(session->axes->dim, sizeof *session->last);
        spar__archive_step(ar, session->last ? SPAR_OK : SPAR_NOMEM);
    }
    spar__archive_check(ar, !session->has_last || session->against_last);
    if (!ar->failed && session->has_last)
        spar__archive_f64s(ar, session->last, session->axes->dim);
    const spar_arms *arms = spar__session_arms(session);
    spar__archive_check(ar, ar->failed || (arms && arms->dim == session->axes->dim));
}
