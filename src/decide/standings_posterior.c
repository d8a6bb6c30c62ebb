/* standings_posterior.c - from answers to strengths: the mode of the posterior, draws from it, and what they say.
 *
 * Up to SPAR__STANDINGS_SAMPLED options the draws come from a Markov chain, which takes less than a second where
 * answers are not too many; of more options from the normal law at the mode. Each part below says how, and what it
 * costs. */
#include "base/alloc.h"
#include "decide/decide.h"
#include "num/elementary.h"
#include "num/kernel.h"
#include "num/linear.h"
#include "sampler/sampler.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- The mode for a given spread of strengths, and the most probable spread ---
 *
 * Newton's method from where the last search ended. Without shared levels in rankings the log posterior is concave;
 * with them it is so near the mode, and the steps are made with a larger curvature where it is not. Of two spreads that
 * one is better for which the answers have, in Laplace's approximation, the larger probability times its prior: at the
 * best
 *
 *     |theta|^2 + sum of the variances = K s^2 + s^4 / 4,
 *
 * which is solved by secants in log s. Cost: d^3 a step, and a pass over the answers. */

enum { MOST_STEPS = 200, MOST_SECANTS = 30, NORMAL_DRAWS = 1000, CHAIN_DRAWS = 4000 };

static const double place_precision = 4, tie_precision = 0.25; /* 1 / 0.5^2, 1 / 2^2 */
static const double least_sd = 0.02, most_sd = 20, far = 100;

void spar__mode_free(spar__strength_mode *mode)
{
    double *const arrays[] = {mode->at, mode->R, mode->step, mode->trial, mode->work, mode->columns};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        spar__free(arrays[i]);
    *mode = (spar__strength_mode){0};
}

/* Another number of parameters: what is known of the strengths is kept as the place to search from. */
spar_status spar__mode_reserve(spar_standings *st)
{
    spar__strength_mode *old = &st->mode;
    size_t d = spar__choice_parameters(&st->space), stride = spar__padded(d + 1);
    if (old->at && old->d == d)
        return SPAR_OK;
    spar__strength_mode mode = {.d = d, .stride = stride, .sd = 1};
    mode.at = spar__alloc(stride, sizeof *mode.at);
    mode.R = spar__alloc(stride, stride * sizeof *mode.R);
    mode.step = spar__alloc(stride, sizeof *mode.step);
    mode.trial = spar__alloc(stride, sizeof *mode.trial);
    mode.work = spar__alloc(spar__cholesky_work(stride), sizeof *mode.work);
    mode.columns = spar__alloc(stride, SPAR__WIDTH * sizeof *mode.columns);
    if (!mode.at || !mode.R || !mode.step || !mode.trial || !mode.work || !mode.columns) {
        spar__mode_free(&mode);
        return SPAR_NOMEM;
    }
    spar__mode_free(old);
    *old = mode;
    return SPAR_OK;
}

/* The prior precision of parameter k. */
static double precision_of(const spar_standings *st, size_t k, double sd)
{
    if (k < st->space.options)
        return 1 / (sd * sd); /* 0 for a flat prior */
    return st->space.ties && k + 1 == st->mode.d ? tie_precision : place_precision;
}

static double mode_log_posterior(const spar_standings *st, const double *at, double sd)
{
    double sum = 0;
    for (size_t k = 0; k < st->mode.d; k++)
        sum += precision_of(st, k, sd) * at[k] * at[k];
    return spar__choices_value(&st->list, &st->space, at) - sum / 2;
}

/* Gradient into step, curvature into R. */
static void find_slope(spar_standings *st, double sd)
{
    spar__strength_mode *mode = &st->mode;
    size_t n = st->space.options;
    for (size_t k = 0; k < mode->d; k++) {
        memset(mode->R + k * mode->stride, 0, mode->stride * sizeof *mode->R);
        mode->R[k * mode->stride + k] = precision_of(st, k, sd);
        mode->step[k] = -precision_of(st, k, sd) * mode->at[k];
    }
    spar__choices_slope(&st->list, &st->space, mode->at, mode->step, mode->stride, mode->R);
    for (size_t i = 0; isinf(sd) && i < n; i++) /* only differences are known: their sum stays 0 */
        for (size_t j = i; j < n; j++)
            mode->R[i * mode->stride + j] += 1 / (double)n;
}

/* R <- its triangle; where it is not positive definite, with more and more on the diagonal. Returns what was added. */
static double factor(spar_standings *st, double sd)
{
    spar__strength_mode *mode = &st->mode;
    double more = 0, scale = 0;
    for (size_t k = 0; k < mode->d; k++)
        scale = fmax(scale, mode->R[k * mode->stride + k]);
    while (!spar__cholesky_factor(mode->d, mode->stride, mode->R, mode->work) && more < 1e6) {
        more = more > 0 ? 4 * more : 1e-3;
        find_slope(st, sd);
        for (size_t k = 0; k < mode->d; k++)
            mode->R[k * mode->stride + k] += more * (1 + scale);
    }
    return more;
}

/* Along the step, halved until it climbs; false where it never does. */
static bool climb(spar_standings *st, double sd, double length)
{
    spar__strength_mode *mode = &st->mode;
    double from = length < 0.01 ? -INFINITY : mode_log_posterior(st, mode->at, sd);
    for (double part = 1; part > 1e-10; part /= 2) {
        for (size_t k = 0; k < mode->d; k++)
            mode->trial[k] = mode->at[k] + part * mode->step[k];
        if (length < 0.01 || mode_log_posterior(st, mode->trial, sd) >= from - 1e-13 * fabs(from)) {
            memcpy(mode->at, mode->trial, mode->d * sizeof *mode->at);
            return true;
        }
    }
    return false;
}

/* Is a strength that nothing holds on its way to infinity? */
static bool is_unbounded(const spar_standings *st, double sd)
{
    const spar__strength_mode *mode = &st->mode;
    bool loose = false;
    for (size_t k = 0; isinf(sd) && k < st->space.options; k++)
        loose |= fabs(mode->at[k]) > far || mode->R[k * mode->stride + k] < 1e-6;
    return loose;
}

spar_status spar__mode_find(spar_standings *st, double sd)
{
    spar__strength_mode *mode = &st->mode;
    mode->sd = sd;
    for (size_t i = 0; i < MOST_STEPS; i++) {
        find_slope(st, sd);
        double more = factor(st, sd), length = 0;
        /* step <- (R^T R)^-1 step, and its squared length in standard deviations. */
        spar__triangle_forward(mode->d, mode->stride, mode->R, 1, mode->step);
        for (size_t k = 0; k < mode->d; k++)
            length += mode->step[k] * mode->step[k];
        spar__triangle_back(mode->d, mode->stride, mode->R, 1, mode->step);
        if (is_unbounded(st, sd))
            return SPAR_UNSUPPORTED;
        if (!climb(st, sd, length) || (length < 1e-20 && more == 0))
            break;
    }
    find_slope(st, sd);
    (void)factor(st, sd);
    return is_unbounded(st, sd) ? SPAR_UNSUPPORTED : SPAR_OK;
}

/* How far log s is from where the equation puts it. An approximation, which keeps this s, takes the mode of log s,
 * whose density is s times that of s: the mode of s is 0 where few options are about equal, and intervals would have no
 * width. */
static double miss(spar_standings *st, double log_sd)
{
    double sd = spar__exp(log_sd), n = (double)st->space.options - (st->approximate ? 1 : 0), sum = 0, variances = 0;
    (void)spar__mode_find(st, sd);
    for (size_t k = 0; k < st->space.options; k++)
        sum += st->mode.at[k] * st->mode.at[k];
    /* The sum of the variances of the strengths: of the squares of R^-T, 8 columns at a time. */
    const spar__strength_mode *mode = &st->mode;
    for (size_t from = 0; from < st->space.options; from += SPAR__WIDTH) {
        memset(mode->columns, 0, mode->d * SPAR__WIDTH * sizeof *mode->columns);
        for (size_t j = 0; j < SPAR__WIDTH && from + j < st->space.options; j++)
            mode->columns[(from + j) * SPAR__WIDTH + j] = 1;
        size_t skip = from; /* above it everything is 0 */
        spar__triangle_forward(mode->d - skip, mode->stride, mode->R + skip * mode->stride + skip, SPAR__WIDTH,
                               mode->columns + skip * SPAR__WIDTH);
        for (size_t k = skip * SPAR__WIDTH; k < mode->d * SPAR__WIDTH; k++)
            variances += mode->columns[k] * mode->columns[k];
    }
    sum += variances;
    double square = 2 * sum / (n + sqrt(n * n + sum)); /* the root of s^4 / 4 + K s^2 = sum */
    return spar__log(square) / 2 - log_sd;
}

static double within(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

static spar_status mode_find_sd(spar_standings *st)
{
    double low = spar__log(least_sd), high = spar__log(most_sd), last = 0, last_miss = 0;
    if (st->space.options == 0)
        return spar__mode_find(st, 1);
    double at = within(spar__log(st->mode.sd), low, high), off = miss(st, at);
    for (size_t i = 0; i < MOST_SECANTS && fabs(off) > 1e-4; i++) {
        double slope = i && at != last ? (off - last_miss) / (at - last) : -1;
        double step = slope < -0.02 ? -off / slope : 4 * off;
        last = at;
        last_miss = off;
        at = within(at + within(step, -1, 1), low, high);
        if (at == last)
            break;
        off = miss(st, at);
    }
    return SPAR_OK;
}

/* --- Draws by a Markov chain ---
 *
 * A turn moves
 *   all parameters, given s, on an ellipse (Murray, Adams, MacKay, AISTATS 2010) around the normal law at the mode, and
 *       what that law misses of the posterior is the likelihood of the slice: nearly independent draws where answers
 * are many; the same around the prior, for few answers; s, given the strengths: a slice in log s; strengths and s
 * together by a common factor: near s = 0 neither could move far alone.
 *
 * Nothing is tuned while it runs, so every turn leaves the posterior as it is. Few answers cost little, and get more
 * turns between draws. */

/* Of numbers in all choices: up to TINY two turns between draws, up to CHEAP all moves in a turn, beyond FULL (with all
 * moves: HALF) fewer draws. */
enum { TINY = 1000, CHEAP = 4000, HALF = 2000, FULL = 10000 };
enum { SCALES = 4, DRAWS = 4000, LEAST_DRAWS = 1000 };

typedef struct chain {
    const spar_standings *st;
    spar_rng *rng;
    size_t n, d;
    unsigned moves;
    double sd;
    double *at, *white;   /* the parameters, and R (at - mode) */
    double *other, *turn; /* the second point of an ellipse, and the point tried */
    double *noise, *turned;
    double likelihood; /* of at */
} chain;

/* The prior of the parameters, given sd; constants left out. */
static double log_prior(const chain *c, const double *at)
{
    const spar__choice_space *space = &c->st->space;
    double sum = 0, rest = 0;
    for (size_t k = 0; k < c->n; k++)
        sum += at[k] * at[k];
    for (size_t k = c->n; k < c->d; k++)
        rest += (space->ties && k + 1 == c->d ? 0.25 : 4) * at[k] * at[k];
    return -0.5 * (sum / (c->sd * c->sd) + rest);
}

static double likelihood_of(const chain *c, const double *at)
{
    return spar__choices_value(&c->st->list, &c->st->space, at);
}

static double square_of(size_t n, const double *x)
{
    double sum = 0;
    for (size_t k = 0; k < n; k++)
        sum += x[k] * x[k];
    return sum;
}

/* white = R (at - mode). */
static void whiten(const chain *c, const double *at, double *white)
{
    const spar__strength_mode *mode = &c->st->mode;
    for (size_t k = 0; k < c->d; k++) {
        double sum = 0;
        for (size_t j = k; j < c->d; j++)
            sum += mode->R[k * mode->stride + j] * (at[j] - mode->at[j]);
        white[k] = sum;
    }
}

/* An angle in the bracket, which is then cut to it, so that 0 stays inside. */
static double next_angle(spar_rng *rng, double *low, double *high, double tried)
{
    *(tried < 0 ? low : high) = tried;
    return *low + (*high - *low) * spar__uniform_open(rng);
}

static const double full_turn = 6.283185307179586;

/* On the ellipse around the mode: other = R^-1 noise. */
static void move_around_mode(chain *c)
{
    const spar__strength_mode *mode = &c->st->mode;
    spar__normal_batch(c->rng, c->d, c->noise);
    memcpy(c->other, c->noise, c->d * sizeof *c->other);
    spar__triangle_back(c->d, mode->stride, mode->R, 1, c->other);
    double level = c->likelihood + log_prior(c, c->at) + 0.5 * square_of(c->d, c->white) - spar__exponential(c->rng);
    double angle = full_turn * spar__uniform_open(c->rng), low = angle - full_turn, high = angle;
    for (;;) {
        double cosine = spar__cos(angle), sine = spar__sin(angle);
        for (size_t k = 0; k < c->d; k++) {
            c->turn[k] = mode->at[k] + cosine * (c->at[k] - mode->at[k]) + sine * c->other[k];
            c->turned[k] = cosine * c->white[k] + sine * c->noise[k];
        }
        double likelihood = likelihood_of(c, c->turn);
        if (likelihood + log_prior(c, c->turn) + 0.5 * square_of(c->d, c->turned) > level || angle == 0) {
            c->likelihood = likelihood;
            break;
        }
        angle = next_angle(c->rng, &low, &high, angle);
    }
    memcpy(c->at, c->turn, c->d * sizeof *c->at);
    memcpy(c->white, c->turned, c->d * sizeof *c->white);
}

/* On the ellipse around 0 that the prior has. */
static void move_around_prior(chain *c)
{
    const spar__choice_space *space = &c->st->space;
    spar__normal_batch(c->rng, c->d, c->other);
    for (size_t k = 0; k < c->d; k++)
        c->other[k] *= k < c->n ? c->sd : space->ties && k + 1 == c->d ? 2 : 0.5;
    double level = c->likelihood - spar__exponential(c->rng);
    double angle = full_turn * spar__uniform_open(c->rng), low = angle - full_turn, high = angle;
    for (;;) {
        double cosine = spar__cos(angle), sine = spar__sin(angle);
        for (size_t k = 0; k < c->d; k++)
            c->turn[k] = cosine * c->at[k] + sine * c->other[k];
        double likelihood = likelihood_of(c, c->turn);
        if (likelihood > level || angle == 0) {
            c->likelihood = likelihood;
            break;
        }
        angle = next_angle(c->rng, &low, &high, angle);
    }
    memcpy(c->at, c->turn, c->d * sizeof *c->at);
    whiten(c, c->at, c->white);
}

/* Nobody ever goes so far; a slice in log s has ends then, whatever the strengths are. */
static const double widest_log_sd = 30;

/* The density of log s given the strengths, whose squares sum up to `sum`; half-normal prior of scale 2. */
static double log_sd_density(const chain *c, double log_sd, double sum)
{
    if (fabs(log_sd) > widest_log_sd)
        return -INFINITY;
    double square = spar__exp(2 * log_sd);
    return -((double)c->n - 1) * log_sd - 0.5 * sum / square - square / 8;
}

static void move_sd(chain *c)
{
    double sum = square_of(c->n, c->at), now = spar__log(c->sd);
    double level = log_sd_density(c, now, sum) - spar__exponential(c->rng);
    double low = now - 0.5 * spar__uniform_open(c->rng), high = low + 0.5;
    while (log_sd_density(c, low, sum) > level)
        low -= 0.5;
    while (log_sd_density(c, high, sum) > level)
        high += 0.5;
    for (;;) {
        double next = low + (high - low) * spar__uniform_open(c->rng);
        if (log_sd_density(c, next, sum) > level || !(low < high)) {
            c->sd = spar__exp(next);
            return;
        }
        *(next < now ? &low : &high) = next;
    }
}

/* Strengths and s times a common factor e^step. */
static void move_scale(chain *c)
{
    static const double sizes[] = {0.05, 0.2, 1};
    double step = sizes[spar_rng_below(c->rng, 3)] * spar__normal(c->rng), by = spar__exp(step);
    memcpy(c->turn, c->at, c->d * sizeof *c->turn);
    for (size_t k = 0; k < c->n; k++)
        c->turn[k] *= by;
    double likelihood = likelihood_of(c, c->turn), square = c->sd * c->sd;
    double gain = likelihood - c->likelihood + step - (by * by - 1) * square / 8;
    if (gain < -spar__exponential(c->rng) || fabs(spar__log(c->sd) + step) > widest_log_sd)
        return;
    memcpy(c->at, c->turn, c->d * sizeof *c->at);
    c->likelihood = likelihood;
    c->sd *= by;
    whiten(c, c->at, c->white);
}

/* How much is done, so that it takes less than a second where answers are not too many. */
typedef struct chain_plan {
    size_t draws, between, numbers;
    bool cheap;
} chain_plan;

static chain_plan plan_of(const spar_standings *st, size_t d)
{
    const spar__choices *l = &st->list;
    size_t numbers = 2 * l->pairs + (l->stages ? l->first[l->stages] : 0), weight = numbers * (1 + d / 16);
    bool cheap = weight <= CHEAP;
    double cost = cheap ? (double)weight / HALF : (double)numbers / FULL;
    size_t draws = cost <= 1 ? DRAWS : (size_t)(DRAWS / cost);
    return (chain_plan){draws < LEAST_DRAWS ? LEAST_DRAWS : draws, weight <= TINY ? 2 : 1, numbers, cheap};
}

double spar__standings_seconds(const spar_standings *st, bool sampled)
{
    size_t n = st->n + st->places + 1;
    chain_plan plan = plan_of(st, n);
    double d = (double)n, turns = (1.1 * (double)plan.draws + 50) * (double)plan.between;
    double search = 1400 * (double)plan.numbers + 3 * d * d * d;
    double sampling = turns * ((plan.cheap ? 45 : 16) * (double)plan.numbers + 0.5 * d * d);
    return 1e-9 * (sampled ? search + sampling : search);
}

static spar_status chain_run(spar_standings *st, spar_rng *rng)
{
    size_t d = st->mode.d, width = spar__draw_width(st);
    double *room = spar__alloc(6 * width, sizeof *room), *part[6];
    if (!room)
        return SPAR_NOMEM;
    for (size_t i = 0; i < 6; i++)
        part[i] = room + i * width;
    chain_plan plan = plan_of(st, d);
    unsigned moves = st->moves ? st->moves : SPAR__MOVE_MODE | (plan.cheap ? SPAR__MOVE_PRIOR : 0);
    if (!st->moves && st->sd == 0)
        moves |= SPAR__MOVE_SD | SPAR__MOVE_SCALE;
    chain c = {st,      rng,     st->space.options, d,       moves, st->mode.sd, part[0], part[1],
               part[2], part[3], part[4],           part[5], 0};
    memcpy(c.at, st->mode.at, d * sizeof *c.at);
    memset(c.white, 0, d * sizeof *c.white);
    c.likelihood = likelihood_of(&c, c.at);
    size_t early = plan.draws / 10 + 50;
    for (size_t turn = 0; turn < (early + plan.draws) * plan.between; turn++) {
        if (moves & SPAR__MOVE_MODE)
            move_around_mode(&c);
        if (moves & SPAR__MOVE_PRIOR)
            move_around_prior(&c);
        for (size_t i = 0; i < (plan.cheap ? SCALES : 1); i++) {
            if (moves & SPAR__MOVE_SD)
                move_sd(&c);
            if (moves & SPAR__MOVE_SCALE)
                move_scale(&c);
            if (moves & SPAR__MOVE_SD)
                move_sd(&c);
        }
        if (turn < early * plan.between || (turn + 1) % plan.between != 0)
            continue;
        double *row = st->draw + (turn / plan.between - early) * width;
        memcpy(row, c.at, d * sizeof *row);
        row[d] = c.sd;
    }
    st->draws = plan.draws;
    spar__free(room);
    return SPAR_OK;
}

/* --- From draws to statements --- */

static const double group_share = 0.95;

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

static void find_strengths(spar_standings *st, double *value)
{
    size_t width = spar__draw_width(st);
    for (size_t k = 0; k < st->n; k++) {
        for (size_t i = 0; i < st->draws; i++)
            value[i] = st->draw[i * width + k];
        st->strength[k] = summarize(st, value);
    }
    if (st->approximate) /* the mode is known without chance */
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
    st->leader = SPAR__NO_STANDING;
    for (size_t k = 0; k < st->n; k++)
        if (st->live[k] && (st->leader == SPAR__NO_STANDING || st->strength[k].mean > st->strength[st->leader].mean))
            st->leader = k;
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

static spar_status summarize_all(spar_standings *st)
{
    double *value = spar__alloc(st->draws, sizeof *value);
    size_t n = st->n + 1, old = st->summary_room, places = st->places + 1;
    bool there = value != NULL;
    if (n > old)
        there = there && spar__standings_grow(&st->strength, old, n, sizeof *st->strength) &&
                spar__standings_grow(&st->best, old, n, sizeof *st->best) &&
                spar__standings_grow(&st->loss, old, n, sizeof *st->loss) &&
                spar__standings_grow(&st->group, old, n, sizeof *st->group);
    if (places > st->effect_room)
        there = there && spar__standings_grow(&st->effect, st->effect_room, places, sizeof *st->effect);
    if (!there) {
        spar__free(value);
        return SPAR_NOMEM;
    }
    st->summary_room = n > old ? n : old;
    st->effect_room = places > st->effect_room ? places : st->effect_room;
    center_draws(st);
    find_strengths(st, value);
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
    find_groups(st);
    spar__free(value);
    return SPAR_OK;
}

spar_status spar_standings_compute(spar_standings *st, spar_error *err)
{
    if (!st)
        return spar__fail_null(err);
    st->computed = false;
    st->leader = SPAR__NO_STANDING;
    st->space = (spar__choice_space){st->n, st->places, st->ties};
    bool flat = isinf(st->sd), many = st->n > SPAR__STANDINGS_SAMPLED;
    st->approximate = flat || st->method == SPAR_STANDINGS_APPROXIMATE || (st->method == SPAR_STANDINGS_AUTO && many);
    st->computed_n = st->n;
    spar_rng rng;
    spar_rng_seed(&rng, spar__hash_end(&st->hash), st->n, 0x57a2d1);
    spar_status status = spar__mode_reserve(st);
    if (!status)
        status = st->sd > 0 ? spar__mode_find(st, st->sd) : mode_find_sd(st);
    if (status == SPAR_UNSUPPORTED)
        return spar__fail(
            err, status,
            "the answers leave strengths without a bound (an option, or several of them, wins or loses all "
            "comparisons with the others): a flat prior has no estimate");
    size_t wanted = (st->approximate ? NORMAL_DRAWS : CHAIN_DRAWS) * spar__draw_width(st);
    if (!status && wanted > st->draw_room) {
        double *draw = spar__alloc(wanted, sizeof *draw);
        if (!draw)
            return spar__fail_memory(err);
        spar__free(st->draw);
        st->draw = draw;
        st->draw_room = wanted;
    }
    const spar__strength_mode *mode = &st->mode;
    if (!status && !st->approximate)
        status = chain_run(st, &rng);
    for (size_t i = 0; !status && st->approximate && i < NORMAL_DRAWS; i += SPAR__WIDTH) {
        spar__normal_batch(&rng, mode->d * SPAR__WIDTH, mode->columns);
        spar__triangle_back(mode->d, mode->stride, mode->R, SPAR__WIDTH, mode->columns);
        for (size_t j = 0; j < SPAR__WIDTH && i + j < NORMAL_DRAWS; j++) {
            double *row = st->draw + (i + j) * spar__draw_width(st);
            for (size_t k = 0; k < mode->d; k++)
                row[k] = mode->at[k] + mode->columns[k * SPAR__WIDTH + j];
            row[mode->d] = mode->sd;
        }
    }
    if (!status && st->approximate)
        st->draws = NORMAL_DRAWS;
    if (!status)
        status = summarize_all(st);
    st->computed = !status;
    return status ? spar__fail_memory(err) : SPAR_OK;
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
    return give(knows(st, option) ? &st->strength[option] : NULL, mean, low, high);
}

size_t spar_standings_leader(const spar_standings *st)
{
    return st ? st->leader : (size_t)-1;
}

double spar_standings_best(const spar_standings *st, size_t option)
{
    return knows(st, option) ? st->best[option] : NAN;
}

double spar_standings_loss(const spar_standings *st, size_t option)
{
    return knows(st, option) ? st->loss[option] : NAN;
}

double spar_standings_before(const spar_standings *st, size_t a, size_t b)
{
    return knows(st, a) && knows(st, b) ? share_before(st, a, b) : NAN;
}

size_t spar_standings_group(const spar_standings *st, size_t option)
{
    return knows(st, option) ? st->group[option] : SPAR__NO_STANDING;
}

size_t spar_standings_places(const spar_standings *st)
{
    return st && st->computed ? st->space.places : 0;
}

spar_status spar_standings_place(const spar_standings *st, size_t place, double *mean, double *low, double *high)
{
    return give(st && st->computed && place < st->space.places ? &st->effect[place] : NULL, mean, low, high);
}

spar_status spar_standings_tie(const spar_standings *st, double *mean, double *low, double *high)
{
    return give(st && st->computed ? &st->tie : NULL, mean, low, high);
}

spar_status spar_standings_spread(const spar_standings *st, double *mean, double *low, double *high)
{
    return give(st && st->computed ? &st->spread : NULL, mean, low, high);
}
