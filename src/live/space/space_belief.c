/* space_belief.c - the answers of an experiment as a belief over the settings of its space, and which of them is best.
 *
 * The belief is computed from the whole log. The mean is cheap to evaluate: it is looked at where answers were given
 * and at SPREAD settings an axis all over the space; from the STARTS best of these each axis is changed in turn, by
 * steps that are halved, as long as that helps.
 */
#include "base/alloc.h"
#include "base/order.h"
#include "live/exchange/rows.h"
#include "live/live.h"
#include "live/space/space.h"
#include "session/axes.h"

#include <string.h>

/* --- the setting of highest mean, of all or of those that differ in one axis from a given one --- */

enum { SPREAD = 256, MOST_SPREAD = 1024, STARTS = 5 };

typedef struct setting_search {
    const spar_axes *axes;
    const spar_taste *taste;
    double *x;           /* dim: of the setting that is looked at */
    size_t axis, unlike; /* SPAR__ANY_AXIS, or an axis and the value that it must not have */
    struct {
        double mean;
        size_t value[SPAR__AXES_MOST];
    } top[STARTS]; /* best first */
    size_t n;
} setting_search;

static double mean_of(setting_search *s, const size_t *value)
{
    spar_axes_point(s->axes, value, s->x);
    return spar_taste_mean(s->taste, s->x);
}

static void consider(setting_search *s, const size_t *value)
{
    double mean = mean_of(s, value);
    size_t size = sizeof s->top[0].value;
    for (size_t i = 0; i < s->n; i++)
        if (memcmp(s->top[i].value, value, spar_axes_count(s->axes) * sizeof *value) == 0)
            return;
    if (s->n == STARTS && mean <= s->top[STARTS - 1].mean)
        return;
    size_t at = s->n < STARTS ? s->n++ : STARTS - 1;
    for (; at > 0 && s->top[at - 1].mean < mean; at--)
        s->top[at] = s->top[at - 1];
    s->top[at].mean = mean;
    memcpy(s->top[at].value, value, size);
}

/* Tries the values of one axis that are `step` away, of a choice all; true if one is better. */
static bool improve_axis(setting_search *s, size_t a, size_t step, size_t *value, double *mean)
{
    size_t n = spar_axes_values(s->axes, a), was = value[a], best = was;
    bool all = spar_axes_kind(s->axes, a) == SPAR_AXIS_CHOICE;
    for (size_t v = all ? 0 : was >= step ? was - step : 0; v < n && (all || v <= was + step); v += all ? 1 : step) {
        if (a == s->axis && v == s->unlike)
            continue;
        value[a] = v;
        double here = v == was ? *mean : mean_of(s, value);
        if (here > *mean) {
            *mean = here;
            best = v;
        }
    }
    value[a] = best;
    return best != was;
}

static void climb(setting_search *s, size_t *value, double *mean)
{
    size_t step = 1;
    for (size_t a = 0; a < spar_axes_count(s->axes); a++)
        while (4 * step < spar_axes_values(s->axes, a))
            step *= 2;
    for (; step > 0; step /= 2)
        for (bool better = true; better;) {
            better = false;
            for (size_t a = 0; a < spar_axes_count(s->axes); a++)
                better |= improve_axis(s, a, step, value, mean);
        }
}

static spar_status space_best(const spar_axes *axes, const spar_taste *taste, size_t axis, size_t unlike, size_t *value)
{
    setting_search s = {.axes = axes, .taste = taste, .axis = axis, .unlike = unlike};
    const double *told;
    size_t n = spar_taste_points(taste, &told), at[SPAR__AXES_MOST] = {0}, best = 0;
    size_t spread = spar_axes_count(axes) * SPREAD < MOST_SPREAD ? spar_axes_count(axes) * SPREAD : MOST_SPREAD;
    s.x = spar__alloc(spar_axes_dim(axes), sizeof *s.x);
    if (!s.x)
        return SPAR_NOMEM;
    for (size_t i = 0; i < n + spread; i++) {
        if (i < n)
            spar_axes_nearest(axes, told + i * spar_axes_dim(axes), at);
        else
            spar_axes_spread(axes, i - n, at);
        if (axis != SPAR__ANY_AXIS && at[axis] == unlike)
            at[axis] = (unlike + 1) % spar_axes_values(axes, axis);
        consider(&s, at);
    }
    for (size_t i = 0; i < s.n; i++) {
        climb(&s, s.top[i].value, &s.top[i].mean);
        best = s.top[i].mean > s.top[best].mean ? i : best;
    }
    memcpy(value, s.top[best].value, spar_axes_count(axes) * sizeof *value);
    spar__free(s.x);
    return SPAR_OK;
}

/* --- the belief --- */

struct spar_belief {
    spar_axes *axes;
    spar_taste *taste;
    uint64_t answers, skipped; /* that say something, and that do not */
    uint64_t flagged;          /* that were left out because of their flags */
    bool won;                  /* somebody won: */
    size_t winner[SPAR__AXES_MOST], best[SPAR__AXES_MOST];
};

typedef struct belief_fold {
    spar_belief *belief;
    spar__key_table screens; /* of each screen the first of its numbers in x */
    double *x;
    size_t n, room, m; /* numbers; slots of every screen */
    bool without;      /* answers with flags */
} belief_fold;

static spar_status keep_screen(void *context, const spar__history_entry *entry, spar_error *err)
{
    belief_fold *f = context;
    const spar_event *event = entry->event;
    if (spar_event_kind_of(event) != SPAR_EVENT_SCREEN)
        return SPAR_OK;
    const spar_round *round = spar_event_round(event);
    size_t dim = spar_axes_dim(f->belief->axes), more = dim * spar_round_slots(round);
    if (!spar__reserve(&f->x, &f->room, f->n + more, 16 * more, sizeof *f->x) ||
        spar__key_table_reserve(&f->screens, 1))
        return spar__fail_memory(err);
    f->screens.entry[spar__key_get(&f->screens, spar_event_number(event), 0)].count = f->n;
    for (size_t j = 0; j < spar_round_slots(round); j++, f->n += dim)
        memcpy(f->x + f->n, spar_round_point(round, j), dim * sizeof *f->x);
    f->m = spar_round_slots(round);
    return SPAR_OK;
}

static spar_status take_answer(void *context, const spar__answered *a, spar_error *err)
{
    belief_fold *f = context;
    spar_belief *belief = f->belief;
    spar_answer_kind kind = spar_answer_kind_of(a->given);
    bool flagged = f->without && spar_event_flags(a->entry->event),
         skipped = kind == SPAR_ANSWER_BAD || kind == SPAR_ANSWER_SKIP;
    if (!a->screen)
        return SPAR_OK;
    belief->flagged += flagged;
    belief->skipped += skipped && !flagged;
    if (flagged || skipped)
        return SPAR_OK;
    const double *x = f->x + f->screens.entry[spar__key_find(&f->screens, a->screen, 0)].count;
    spar_status status = spar_taste_tell(belief->taste, f->m, x, a->given, err);
    if (status)
        return status;
    belief->answers++;
    size_t first = spar_answer_winner(a->given), ranked = spar_answer_count(a->given);
    if (kind == SPAR_ANSWER_RANKING && ranked) /* the slot that came first, if it did so alone */
        first = ranked > 1 && spar_answer_level(a->given, 1) == 0 ? SPAR_NO_SLOT : spar_answer_slot(a->given, 0);
    if (first < f->m) {
        belief->won = true;
        spar_axes_nearest(belief->axes, x + first * spar_axes_dim(belief->axes), belief->winner);
    }
    return SPAR_OK;
}

/* Settings all over the space. */
static spar_status make_taste(const spar_axes *axes, spar_taste **out)
{
    size_t dim = spar_axes_dim(axes), value[SPAR__AXES_MOST], *axis = spar__alloc(dim, sizeof *axis), d = 0;
    double *x = spar__alloc(SPAR__SPACE_REFERENCES * dim, sizeof *x);
    *out = NULL;
    for (size_t a = 0; axis && a < spar_axes_count(axes); a++)
        for (size_t i = 0; i < (spar_axes_kind(axes, a) == SPAR_AXIS_CHOICE ? spar_axes_values(axes, a) : 1); i++)
            axis[d++] = a;
    for (size_t i = 0; i < SPAR__SPACE_REFERENCES && x; i++) {
        spar_axes_spread(axes, i, value);
        spar_axes_point(axes, value, x + i * dim);
    }
    spar_status status = x && axis ? spar_taste_new(dim, axis, SPAR__SPACE_REFERENCES, x, out) : SPAR_NOMEM;
    spar__free(x);
    spar__free(axis);
    return status;
}

spar_status spar_experiment_belief(spar_experiment *experiment, bool without_flagged, spar_belief **out,
                                   spar_error *err)
{
    if (out)
        *out = NULL;
    const spar_axes *axes = spar_experiment_axes(experiment);
    if (!out || !axes)
        return spar__fail(err, SPAR_UNSUPPORTED, "a belief is about the settings of a space, and needs a place to go");
    spar_belief *belief = spar__alloc(1, sizeof *belief);
    if (!belief || make_taste(axes, &belief->taste) || spar_axes_new(spar_axes_text(axes), &belief->axes, NULL)) {
        spar_belief_free(belief);
        return spar__fail_memory(err);
    }
    belief_fold f = {.belief = belief, .without = without_flagged};
    spar__answers answers = {.event = keep_screen, .answer = take_answer, .context = &f};
    spar_status status = spar__live_answers_each(experiment, &answers, err);
    if (!status && answers.lost)
        status = spar__fail(err, SPAR_CORRUPT, "the log has an answer to a screen that it does not have");
    if (!status)
        status = spar_taste_compute(belief->taste, err);
    if (!status && space_best(axes, belief->taste, SPAR__ANY_AXIS, 0, belief->best))
        status = spar__fail_memory(err);
    spar__key_table_fini(&f.screens);
    spar__free(f.x);
    if (status)
        spar_belief_free(belief);
    else
        *out = belief;
    return status;
}

void spar_belief_free(spar_belief *belief)
{
    if (!belief)
        return;
    spar_taste_free(belief->taste);
    spar_axes_free(belief->axes);
    spar__free(belief);
}

const spar_axes *spar_belief_axes(const spar_belief *belief)
{
    return belief ? belief->axes : NULL;
}

uint64_t spar_belief_answers(const spar_belief *belief)
{
    return belief ? belief->answers : 0;
}

uint64_t spar__belief_skipped(const spar_belief *belief)
{
    return belief->skipped;
}

uint64_t spar__belief_flagged(const spar_belief *belief)
{
    return belief->flagged;
}

const size_t *spar_belief_best(const spar_belief *belief)
{
    return belief ? belief->best : NULL;
}

const size_t *spar_belief_winner(const spar_belief *belief)
{
    return belief && belief->won ? belief->winner : NULL;
}

spar_status spar_belief_other(const spar_belief *belief, size_t axis, size_t *value)
{
    if (!belief || !value || axis >= spar_axes_count(belief->axes) ||
        spar_axes_kind(belief->axes, axis) != SPAR_AXIS_CHOICE)
        return SPAR_INVALID;
    return space_best(belief->axes, belief->taste, axis, belief->best[axis], value);
}

/* The points of settings, new; NULL without memory. */
static double *points_of(const spar_belief *belief, const size_t *value, const size_t *other)
{
    size_t dim = spar_axes_dim(belief->axes);
    double *x = spar__alloc(2 * dim, sizeof *x);
    if (x)
        spar_axes_point(belief->axes, value, x);
    if (x && other)
        spar_axes_point(belief->axes, other, x + dim);
    return x;
}

spar_status spar_belief_at(const spar_belief *belief, const size_t *value, double *mean, double *low, double *high)
{
    double *x = belief && value ? points_of(belief, value, NULL) : NULL;
    if (!x)
        return belief && value ? SPAR_NOMEM : SPAR_INVALID;
    spar_status status = spar_taste_at(belief->taste, x, mean, low, high);
    spar__free(x);
    return status;
}

spar_status spar_belief_chance(const spar_belief *belief, const size_t *value, const size_t *other, double *chance)
{
    double *x = belief && value && other ? points_of(belief, value, other) : NULL;
    if (!x || !chance)
        return belief && value && other && chance ? SPAR_NOMEM : SPAR_INVALID;
    spar_status status = spar_taste_against(belief->taste, x, x + spar_axes_dim(belief->axes), chance);
    spar__free(x);
    return status;
}

double spar_belief_length(const spar_belief *belief)
{
    return belief ? spar_taste_length(belief->taste) : 0;
}
