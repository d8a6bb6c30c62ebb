/* statistics.c - the numbers that claims are judged by: paired comparisons, exponents, slopes over ln t; and how they
 * are put into sentences and lines. */
#include "num/elementary.h"
#include "paper/paper.h"
#include "sim/sim.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Over runs a_r, b_r with means A, B the ratio B / A has the relative error of the mean of b_r / B - a_r / A. */
static spar__estimate ratio(const double *a, const double *b, size_t n, double mean_a, double mean_b)
{
    double squares = 0, times = mean_b / mean_a;
    for (size_t r = 0; r < n; r++) {
        double off = b[r] / mean_b - a[r] / mean_a;
        squares += off * off;
    }
    return (spar__estimate){times, n > 1 ? times * sqrt(squares / (double)(n - 1) / (double)n) : 0};
}

spar_status spar__regret_compare(const spar__cell *cell, const double *a, const double *b, spar__regret_comparison *out)
{
    spar__summary of[2];
    spar_status status = spar__cell_summary(cell, a, &of[0]);
    if (!status)
        status = spar__cell_summary(cell, b, &of[1]);
    if (status)
        return status;
    for (size_t i = 0; i < 2; i++) {
        out->mean[i] = of[i].mean;
        out->median[i] = of[i].median;
    }
    spar__compare(a, b, cell->runs, &out->difference);
    out->times = ratio(a, b, cell->runs, of[0].mean, of[1].mean);
    out->beats = cell->runs > 1 && out->difference.mean < -2 * out->difference.se && of[0].median < of[1].median;
    out->by_far = out->beats && out->times.mean * spar__exp(-2 * out->times.se / out->times.mean) > 1.5;
    return SPAR_OK;
}

spar__verdict spar__verdict_of(size_t good, size_t all)
{
    return good == 0 ? SPAR__DOES_NOT_HOLD : good < all ? SPAR__HOLDS_IN_PART : SPAR__HOLDS;
}

spar__estimate spar__mean_of(const double *x, size_t n, size_t stride)
{
    double mean = 0, squares = 0;
    for (size_t i = 0; i < n; i++)
        mean += x[i * stride] / (double)n;
    for (size_t i = 0; i < n; i++)
        squares += (x[i * stride] - mean) * (x[i * stride] - mean);
    return (spar__estimate){mean, n > 1 ? sqrt(squares / (double)(n - 1) / (double)n) : 0};
}

spar__estimate spar__fit_power(size_t n, const double *x, const spar__estimate *y)
{
    double centre = 0, spread = 0, slope = 0, variance = 0;
    for (size_t i = 0; i < n; i++)
        centre += spar__log(x[i]) / (double)n;
    for (size_t i = 0; i < n; i++)
        spread += (spar__log(x[i]) - centre) * (spar__log(x[i]) - centre);
    for (size_t i = 0; i < n; i++) {
        double weight = (spar__log(x[i]) - centre) / spread, error = weight * y[i].se / y[i].mean;
        slope += weight * spar__log(y[i].mean);
        variance += error * error;
    }
    return (spar__estimate){slope, sqrt(variance)};
}

/* The last checkpoint of a cell up to round t. */
static size_t checkpoint_at(const spar__cell *cell, uint64_t t)
{
    size_t c = 0;
    while (c + 1 < cell->n_checkpoints && cell->checkpoint[c + 1] <= t)
        c++;
    return c;
}

static double log_ratio(const spar__cell *cell, size_t from, size_t to)
{
    return spar__log((double)cell->checkpoint[to] / (double)cell->checkpoint[from]);
}

spar__estimate spar__cell_slope(const spar__cell *cell, uint64_t from, uint64_t to)
{
    return spar__cell_steepening(cell, 0, from, to);
}

/* a = 0: the slope between b and c alone. Two passes, so that no memory is needed. */
spar__estimate spar__cell_steepening(const spar__cell *cell, uint64_t a, uint64_t b, uint64_t c)
{
    size_t i = a ? checkpoint_at(cell, a) : 0, j = checkpoint_at(cell, b), k = checkpoint_at(cell, c);
    double mean = 0, squares = 0, n = (double)cell->runs;
    for (int pass = 0; pass < 2; pass++)
        for (size_t r = 0; r < cell->runs; r++) {
            const double *curve = cell->curve + r * cell->n_checkpoints;
            double slope = (curve[k] - curve[j]) / log_ratio(cell, j, k);
            if (a)
                slope -= (curve[j] - curve[i]) / log_ratio(cell, i, j);
            if (pass == 0)
                mean += slope / n;
            else
                squares += (slope - mean) * (slope - mean);
        }
    return (spar__estimate){mean, cell->runs > 1 ? sqrt(squares / (n - 1) / n) : 0};
}

bool spar__cell_levels(const spar__cell *cell, uint64_t a, uint64_t b, uint64_t c)
{
    spar__estimate before = spar__cell_slope(cell, a, b), more = spar__cell_steepening(cell, a, b, c);
    return cell->runs > 1 && more.mean + 2 * more.se < before.mean / 2;
}

bool spar__slope_near(spar__estimate slope, double least, double times)
{
    double most = slope.mean + 2 * slope.se;
    return slope.se > 0 && most < times * least && most > least / 2;
}

spar__estimate spar__cell_local_slope(const spar__cell *cell, size_t c)
{
    uint64_t t = cell->checkpoint[c];
    return spar__cell_slope(cell, (uint64_t)((double)t / 3.162), t);
}

uint64_t spar__cell_settled(const spar__cell *cell)
{
    size_t c = cell->n_checkpoints - 1;
    double final = spar__cell_local_slope(cell, c).mean;
    while (cell->checkpoint[c - 1] >= 10 && fabs(spar__cell_local_slope(cell, c - 1).mean - final) <= 0.2 * fabs(final))
        c--;
    return cell->checkpoint[c];
}

void spar__finding_item(spar__buf *out, size_t item, const char *lead)
{
    if (item > 0)
        spar__buf_adds(out, "; ");
    else
        spar__buf_printf(out, "%s%s ", out->length ? " " : "", lead);
}

void spar__finding_range(spar__buf *out, spar__range range)
{
    char lo[24], hi[24];
    (void)snprintf(lo, sizeof lo, "%.3g", range.lo);
    (void)snprintf(hi, sizeof hi, "%.3g", range.hi);
    spar__buf_printf(out, strcmp(lo, hi) == 0 ? "%s" : "%s to %s", lo, hi);
}

void spar__finding_close(spar__finding *out, size_t good, size_t all)
{
    if (all > 0)
        spar__buf_adds(&out->numbers, ".");
    out->verdict = all > 0 ? spar__verdict_of(good, all) : SPAR__NOT_JUDGED;
}

spar__series spar__estimate_series(const char *label, size_t n, const double *x, const spar__estimate *of, double *room)
{
    double *lo = room + n, *hi = lo + n;
    for (size_t i = 0; i < n; i++) {
        room[i] = of[i].mean;
        lo[i] = of[i].mean - 2 * of[i].se;
        hi[i] = of[i].mean + 2 * of[i].se;
    }
    return (spar__series){.label = label,
                          .n = n,
                          .x = x,
                          .y = room,
                          .lo = lo,
                          .hi = hi,
                          .color = spar__policy_color(label),
                          .dots = true};
}

double spar__coin_divergence(double p, double q)
{
    double heads = p > 0 ? p * spar__log(p / q) : 0, tails = p < 1 ? (1 - p) * spar__log((1 - p) / (1 - q)) : 0;
    return heads + tails;
}

void spar__run_count_add(spar__run_count *count, const spar__cell *cell)
{
    if (!count->most || cell->runs < count->least)
        count->least = cell->runs;
    if (cell->runs > count->most)
        count->most = cell->runs;
}

const char *spar__run_count_note(const spar__run_count *count, char out[SPAR__NOTE_SIZE])
{
    static const char bands[] = "runs; bands: \xC2\xB1 2 standard errors";
    if (count->least == count->most)
        (void)snprintf(out, SPAR__NOTE_SIZE, "lines: mean of %zu %s", count->most, bands);
    else
        (void)snprintf(out, SPAR__NOTE_SIZE, "lines: mean of %zu to %zu %s", count->least, count->most, bands);
    return out;
}
