/* The mode of the posterior for a given spread of strengths, and the most probable spread.
 *
 * Newton's method from where the last search ended. Without shared levels in rankings the log posterior is concave;
 * with them it is so near the mode, and the steps are made with a larger curvature where it is not. Of two spreads that
 * one is better for which the answers have, in Laplace's approximation, the larger probability times its prior: at the
 * best
 *
 *     |theta|^2 + sum of the variances = K s^2 + s^4 / 4,
 *
 * which is solved by secants in log s. Cost: d^3 a step, and a pass over the answers. */
#include "decide/standings.h"

#include "base/alloc.h"
#include "num/kernel.h"
#include "num/elementary.h"
#include "num/linear.h"

#include <math.h>
#include <string.h>

enum { MOST_STEPS = 200, MOST_SECANTS = 30 };

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

double spar__mode_log_posterior(const spar_standings *st, const double *at, double sd)
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

/* step <- (R^T R)^-1 step; returns its squared length in standard deviations. */
static double turn_step(spar__strength_mode *mode)
{
    double length = 0;
    spar__triangle_forward(mode->d, mode->stride, mode->R, 1, mode->step);
    for (size_t k = 0; k < mode->d; k++)
        length += mode->step[k] * mode->step[k];
    spar__triangle_back(mode->d, mode->stride, mode->R, 1, mode->step);
    return length;
}

/* Along the step, halved until it climbs; false where it never does. */
static bool climb(spar_standings *st, double sd, double length)
{
    spar__strength_mode *mode = &st->mode;
    double from = length < 0.01 ? -INFINITY : spar__mode_log_posterior(st, mode->at, sd);
    for (double part = 1; part > 1e-10; part /= 2) {
        for (size_t k = 0; k < mode->d; k++)
            mode->trial[k] = mode->at[k] + part * mode->step[k];
        if (length < 0.01 || spar__mode_log_posterior(st, mode->trial, sd) >= from - 1e-13 * fabs(from)) {
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
        double more = factor(st, sd), length = turn_step(mode);
        if (is_unbounded(st, sd))
            return SPAR_UNSUPPORTED;
        if (!climb(st, sd, length) || (length < 1e-20 && more == 0))
            break;
    }
    find_slope(st, sd);
    (void)factor(st, sd);
    return is_unbounded(st, sd) ? SPAR_UNSUPPORTED : SPAR_OK;
}

/* The sum of the variances of the strengths: of the squares of R^-T, 8 columns at a time. */
static double trace(const spar_standings *st)
{
    const spar__strength_mode *mode = &st->mode;
    double sum = 0;
    for (size_t from = 0; from < st->space.options; from += SPAR__WIDTH) {
        memset(mode->columns, 0, mode->d * SPAR__WIDTH * sizeof *mode->columns);
        for (size_t j = 0; j < SPAR__WIDTH && from + j < st->space.options; j++)
            mode->columns[(from + j) * SPAR__WIDTH + j] = 1;
        size_t skip = from; /* above it everything is 0 */
        spar__triangle_forward(mode->d - skip, mode->stride, mode->R + skip * mode->stride + skip, SPAR__WIDTH,
                               mode->columns + skip * SPAR__WIDTH);
        for (size_t k = skip * SPAR__WIDTH; k < mode->d * SPAR__WIDTH; k++)
            sum += mode->columns[k] * mode->columns[k];
    }
    return sum;
}

/* How far log s is from where the equation puts it. An approximation, which keeps this s, takes the mode of log s,
 * whose density is s times that of s: the mode of s is 0 where few options are about equal, and intervals would have no
 * width. */
static double miss(spar_standings *st, double log_sd)
{
    double sd = spar__exp(log_sd), n = (double)st->space.options - (st->approximate ? 1 : 0), sum = 0;
    (void)spar__mode_find(st, sd);
    for (size_t k = 0; k < st->space.options; k++)
        sum += st->mode.at[k] * st->mode.at[k];
    sum += trace(st);
    double square = 2 * sum / (n + sqrt(n * n + sum)); /* the root of s^4 / 4 + K s^2 = sum */
    return spar__log(square) / 2 - log_sd;
}

static double within(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

spar_status spar__mode_find_sd(spar_standings *st)
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
