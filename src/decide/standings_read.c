/* From draws to statements. */
#include "decide/standings.h"

#include "base/alloc.h"
#include "base/error.h"
#include "num/elementary.h"
#include "num/linear.h"
#include "sampler/sampler.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double group_share = 0.95;

spar_status spar__draws_reserve(spar_standings *st, size_t draws)
{
    size_t wanted = draws * spar__draw_width(st);
    if (wanted <= st->draw_room)
        return SPAR_OK;
    double *draw = spar__alloc(wanted, sizeof *draw);
    if (!draw)
        return SPAR_NOMEM;
    spar__free(st->draw);
    st->draw = draw;
    st->draw_room = wanted;
    return SPAR_OK;
}

void spar__normal_run(spar_standings *st, spar_rng *rng, size_t draws)
{
    const spar__strength_mode *mode = &st->mode;
    size_t width = spar__draw_width(st);
    for (size_t i = 0; i < draws; i += SPAR__WIDTH) {
        spar__normal_batch(rng, mode->d * SPAR__WIDTH, mode->columns);
        spar__triangle_back(mode->d, mode->stride, mode->R, SPAR__WIDTH, mode->columns);
        for (size_t j = 0; j < SPAR__WIDTH && i + j < draws; j++) {
            double *row = st->draw + (i + j) * width;
            for (size_t k = 0; k < mode->d; k++)
                row[k] = mode->at[k] + mode->columns[k * SPAR__WIDTH + j];
            row[mode->d] = mode->sd;
        }
    }
    st->draws = draws;
}

static spar_status reserve(spar_standings *st)
{
    size_t n = st->n + 1, places = st->places + 1;
    if (n > st->summary_room) {
        spar__standing_range *strength = spar__realloc(st->strength, st->summary_room, n, sizeof *strength);
        st->strength = strength ? strength : st->strength;
        double *best = strength ? spar__realloc(st->best, st->summary_room, n, sizeof *best) : NULL;
        st->best = best ? best : st->best;
        double *loss = best ? spar__realloc(st->loss, st->summary_room, n, sizeof *loss) : NULL;
        st->loss = loss ? loss : st->loss;
        size_t *group = loss ? spar__realloc(st->group, st->summary_room, n, sizeof *group) : NULL;
        st->group = group ? group : st->group;
        if (!group)
            return SPAR_NOMEM;
        st->summary_room = n;
    }
    if (places > st->effect_room) {
        spar__standing_range *effect = spar__realloc(st->effect, st->effect_room, places, sizeof *effect);
        if (!effect)
            return SPAR_NOMEM;
        st->effect = effect;
        st->effect_room = places;
    }
    return SPAR_OK;
}

static int by_value(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

/* The value at a share of n sorted ones, between two by proportion. */
static double quantile(size_t n, const double *sorted, double share)
{
    double at = share * (double)(n - 1);
    size_t below = (size_t)at;
    double part = at - (double)below;
    return below + 1 < n ? sorted[below] * (1 - part) + sorted[below + 1] * part : sorted[n - 1];
}

/* Of draws in value, which are sorted; of the normal law from mean and deviation. */
static spar__standing_range summarize(const spar_standings *st, double *value)
{
    double sum = 0, square = 0, n = (double)st->draws;
    for (size_t i = 0; i < st->draws; i++)
        sum += value[i];
    for (size_t i = 0; i < st->draws; i++)
        square += (value[i] - sum / n) * (value[i] - sum / n);
    double half = 1.959963984540054 * sqrt(square / (n - 1));
    if (st->approximate)
        return (spar__standing_range){sum / n, sum / n - half, sum / n + half};
    qsort(value, st->draws, sizeof *value, by_value);
    return (spar__standing_range){sum / n, quantile(st->draws, value, 0.025), quantile(st->draws, value, 0.975)};
}

/* Strengths in the draws become those against the average live option; who is best, and what the others lose. */
static void center_draws(spar_standings *st)
{
    size_t width = spar__draw_width(st), n = st->n;
    memset(st->best, 0, n * sizeof *st->best);
    memset(st->loss, 0, n * sizeof *st->loss);
    for (size_t i = 0; i < st->draws; i++) {
        double *row = st->draw + i * width, sum = 0, top = -INFINITY, live = 0;
        size_t best = n;
        for (size_t k = 0; k < n; k++)
            if (st->live[k]) {
                sum += row[k];
                live += 1;
                best = row[k] > top ? k : best;
                top = row[k] > top ? row[k] : top;
            }
        for (size_t k = 0; k < n && live > 0; k++) {
            st->loss[k] += (top - row[k]) / (double)st->draws;
            row[k] -= sum / live;
        }
        if (best < n)
            st->best[best] += 1 / (double)st->draws;
    }
}

static void exact_means(spar_standings *st)
{
    double sum = 0, live = 0;
    for (size_t k = 0; k < st->n; k++)
        if (st->live[k]) {
            sum += st->mode.at[k];
            live += 1;
        }
    for (size_t k = 0; k < st->n; k++) {
        double shift = st->mode.at[k] - (live > 0 ? sum / live : 0) - st->strength[k].mean;
        st->strength[k].mean += shift;
        st->strength[k].low += shift;
        st->strength[k].high += shift;
    }
}

static void find_strengths(spar_standings *st, double *value)
{
    size_t width = spar__draw_width(st);
    for (size_t k = 0; k < st->n; k++) {
        for (size_t i = 0; i < st->draws; i++)
            value[i] = st->draw[i * width + k];
        st->strength[k] = summarize(st, value);
    }
    if (st->approximate) /* the mode is known without chance */
        exact_means(st);
    st->leader = SPAR__NO_STANDING;
    for (size_t k = 0; k < st->n; k++)
        if (st->live[k] && (st->leader == SPAR__NO_STANDING || st->strength[k].mean > st->strength[st->leader].mean))
            st->leader = k;
}

static void find_rest(spar_standings *st, double *value)
{
    size_t width = spar__draw_width(st), d = st->mode.d;
    st->tie = (spar__standing_range){NAN, NAN, NAN};
    for (size_t place = 0; place < st->places; place++) {
        for (size_t i = 0; i < st->draws; i++)
            value[i] = place ? st->draw[i * width + st->n + place - 1] : 0;
        st->effect[place] = summarize(st, value);
    }
    for (size_t i = 0; st->ties && i < st->draws; i++)
        value[i] = spar__exp(st->draw[i * width + d - 1]);
    if (st->ties)
        st->tie = summarize(st, value);
    for (size_t i = 0; i < st->draws; i++)
        value[i] = st->draw[i * width + d];
    st->spread = summarize(st, value);
}

static double share_before(const spar_standings *st, size_t a, size_t b)
{
    size_t width = spar__draw_width(st), count = 0;
    for (size_t i = 0; i < st->draws; i++)
        count += st->draw[i * width + a] > st->draw[i * width + b];
    return (double)count / (double)st->draws;
}

/* The strongest of those that have no group begins one. */
static void find_groups(spar_standings *st)
{
    for (size_t k = 0; k < st->n; k++)
        st->group[k] = SPAR__NO_STANDING;
    for (size_t group = 0; group < st->n; group++) {
        size_t first = SPAR__NO_STANDING;
        for (size_t k = 0; k < st->n; k++)
            if (st->live[k] && st->group[k] == SPAR__NO_STANDING &&
                (first == SPAR__NO_STANDING || st->strength[k].mean > st->strength[first].mean))
                first = k;
        if (first == SPAR__NO_STANDING)
            return;
        for (size_t k = 0; k < st->n; k++)
            if (st->live[k] && st->group[k] == SPAR__NO_STANDING &&
                (k == first || share_before(st, first, k) < group_share))
                st->group[k] = group;
    }
}

spar_status spar__standings_summarize(spar_standings *st)
{
    double *value = spar__alloc(st->draws, sizeof *value);
    if (!value || reserve(st)) {
        spar__free(value);
        return SPAR_NOMEM;
    }
    center_draws(st);
    find_strengths(st, value);
    find_rest(st, value);
    find_groups(st);
    spar__free(value);
    return SPAR_OK;
}

static bool knows(const spar_standings *st, size_t option)
{
    return st && st->computed && option < st->computed_n;
}

static spar_status give(const spar__standing_range *from, double *mean, double *low, double *high)
{
    if (mean)
        *mean = from ? from->mean : NAN;
    if (low)
        *low = from ? from->low : NAN;
    if (high)
        *high = from ? from->high : NAN;
    return from ? SPAR_OK : SPAR_INVALID;
}

size_t spar_standings_options(const spar_standings *st)
{
    return st ? st->n : 0;
}

uint64_t spar_standings_answers(const spar_standings *st)
{
    return st ? st->answers : 0;
}

uint64_t spar_standings_tied(const spar_standings *st)
{
    return st ? st->tied : 0;
}

uint64_t spar_standings_all_bad(const spar_standings *st)
{
    return st ? st->all_bad : 0;
}

uint64_t spar_standings_bad(const spar_standings *st, size_t option)
{
    return st && option < st->n ? st->bad[option] : 0;
}

int spar_standings_is_approximate(const spar_standings *st)
{
    return st && st->computed && st->approximate;
}

spar_status spar_standings_strength(const spar_standings *st, size_t option, double *mean, double *low, double *high)
{
    if (!st)
        return SPAR_INVALID;
    return give(knows(st, option) ? &st->strength[option] : NULL, mean, low, high);
}

size_t spar_standings_leader(const spar_standings *st)
{
    return st ? st->leader : (size_t)-1;
}

double spar_standings_best(const spar_standings *st, size_t option)
{
    return st && knows(st, option) ? st->best[option] : NAN;
}

double spar_standings_loss(const spar_standings *st, size_t option)
{
    return st && knows(st, option) ? st->loss[option] : NAN;
}

double spar_standings_before(const spar_standings *st, size_t a, size_t b)
{
    return st && knows(st, a) && knows(st, b) ? share_before(st, a, b) : NAN;
}

size_t spar_standings_group(const spar_standings *st, size_t option)
{
    if (!st)
        return (size_t)-1;
    return knows(st, option) ? st->group[option] : SPAR__NO_STANDING;
}

size_t spar_standings_places(const spar_standings *st)
{
    return st && st->computed ? st->space.places : 0;
}

spar_status spar_standings_place(const spar_standings *st, size_t place, double *mean, double *low, double *high)
{
    if (!st)
        return SPAR_INVALID;
    return give(st->computed && place < st->space.places ? &st->effect[place] : NULL, mean, low, high);
}

spar_status spar_standings_tie(const spar_standings *st, double *mean, double *low, double *high)
{
    if (!st)
        return SPAR_INVALID;
    return give(st->computed ? &st->tie : NULL, mean, low, high);
}

spar_status spar_standings_spread(const spar_standings *st, double *mean, double *low, double *high)
{
    if (!st)
        return SPAR_INVALID;
    return give(st->computed ? &st->spread : NULL, mean, low, high);
}
