/* steps.c - what each rule allows next. */
#include "reference/steps.h"

#include "reference/parts.h"

#include <math.h>
#include <stdlib.h>

static double duels(size_t k, const double *w, size_t i, size_t j)
{
    return w[i * k + j] + w[j * k + i];
}

static double mean(size_t k, const double *w, size_t i, size_t j)
{
    return w[i * k + j] / duels(k, w, i, j);
}

double ref_upper(size_t k, const double *w, size_t i, size_t j, double spread)
{
    if (i == j)
        return 0.5;
    if (duels(k, w, i, j) == 0)
        return 2;
    return mean(k, w, i, j) + sqrt(spread / duels(k, w, i, j));
}

double ref_lower(size_t k, const double *w, size_t i, size_t j, double spread)
{
    if (i == j)
        return 0.5;
    if (duels(k, w, i, j) == 0)
        return 0;
    return mean(k, w, i, j) - sqrt(spread / duels(k, w, i, j));
}

static size_t count(const bool *flag, size_t n)
{
    size_t sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += flag[i];
    return sum;
}

/* weight[i] = share of each argmax of score among the flagged, 0 elsewhere */
static void share_best(const double *score, const bool *among, size_t n, double share, double *weight)
{
    double best = -INFINITY, ties = 0;
    for (size_t i = 0; i < n; i++)
        if (among[i] && score[i] > best)
            best = score[i];
    for (size_t i = 0; i < n; i++)
        if (among[i] && score[i] == best)
            ties++;
    for (size_t i = 0; i < n; i++)
        weight[i] = among[i] && score[i] == best ? share / ties : 0;
}

/* The arms with an upper bound of at least 1/2 against every arm. */
static void unbeaten(size_t k, const double *w, double spread, bool *flag)
{
    for (size_t i = 0; i < k; i++) {
        flag[i] = true;
        for (size_t j = 0; j < k; j++)
            if (ref_upper(k, w, i, j, spread) < 0.5)
                flag[i] = false;
    }
}

/* ---- rucb ---- */

/* prob of (c, d) for one c that is chosen with probability share. */
static void rucb_challenger(size_t k, const double *w, double spread, size_t c, double share, double *prob)
{
    double *upper = ref_zeros(k);
    bool *among = ref_falses(k);
    bool beside = false; /* somebody else is as good as c */
    for (size_t j = 0; j < k; j++) {
        upper[j] = ref_upper(k, w, j, c, spread);
        among[j] = true;
        if (j != c && upper[j] >= 0.5)
            beside = true;
    }
    among[c] = !beside;
    share_best(upper, among, k, share, prob + c * k);
    free(among);
    free(upper);
}

int ref_step_rucb(size_t k, const double *w, double t, double alpha, int remembered, double *prob)
{
    double spread = alpha * log(t);
    bool *in = ref_falses(k);
    double *share = ref_zeros(k);
    unbeaten(k, w, spread, in);
    size_t size = count(in, k);
    if (remembered >= 0 && !in[remembered])
        remembered = -1;
    for (size_t c = 0; c < k; c++) {
        if (size == 0)
            share[c] = 1 / (double)k;
        else if (!in[c])
            share[c] = 0;
        else if (size == 1 || remembered < 0)
            share[c] = 1 / (double)size;
        else
            share[c] = (int)c == remembered ? 0.5 : 0.5 / (double)(size - 1);
        if (size == 1 && in[c])
            remembered = (int)c;
        rucb_challenger(k, w, spread, c, share[c], prob);
    }
    free(share);
    free(in);
    return remembered;
}

/* ---- merge_rucb ---- */

void ref_step_merge_rucb(size_t k, const double *w, double t, double alpha, double c, bool *batch, double *prob)
{
    double spread = alpha * log(t + c);
    bool *stays = ref_falses(k);
    double *upper = ref_zeros(k);
    for (size_t i = 0; i < k; i++) {
        stays[i] = batch[i];
        for (size_t j = 0; j < k; j++)
            if (batch[j] && ref_upper(k, w, i, j, spread) < 0.5)
                stays[i] = false;
    }
    for (size_t i = 0; i < k; i++)
        batch[i] = stays[i];
    double size = (double)count(batch, k);
    for (size_t i = 0; i < k * k; i++)
        prob[i] = 0;
    for (size_t first = 0; first < k; first++) {
        if (!batch[first])
            continue;
        for (size_t j = 0; j < k; j++)
            upper[j] = ref_upper(k, w, j, first, spread);
        if (size > 1)
            stays[first] = false; /* the others */
        share_best(upper, stays, k, 1 / size, prob + first * k);
        stays[first] = true;
    }
    free(upper);
    free(stays);
}

size_t ref_merge_batches(size_t n, const size_t *size, size_t *into, gsl_rng *rng)
{
    double *smallness = ref_zeros(n);
    size_t *sorted = calloc(n ? n : 1, sizeof *sorted);
    if (!sorted)
        abort();
    for (size_t b = 0; b < n; b++)
        smallness[b] = -(double)size[b];
    for (size_t place = 0; place < n; place++) {
        sorted[place] = ref_pick_best(smallness, n, rng);
        smallness[sorted[place]] = -INFINITY;
    }
    for (size_t place = 0; place < n; place++)
        into[sorted[place]] = place < n - 1 - place ? place : n - 1 - place;
    free(sorted);
    free(smallness);
    return (n + 1) / 2;
}

/* ---- dts ---- */

void ref_step_dts(size_t k, const double *w, double t, double alpha, bool *first, bool *second)
{
    double spread = alpha * log(t), most = 0;
    double *beaten = ref_zeros(k);
    for (size_t i = 0; i < k; i++) {
        for (size_t j = 0; j < k; j++)
            beaten[i] += ref_upper(k, w, i, j, spread) > 0.5;
        most = fmax(most, beaten[i]);
    }
    for (size_t i = 0; i < k; i++)
        first[i] = beaten[i] == most;
    for (size_t a = 0; a < k; a++)
        for (size_t i = 0; i < k; i++)
            second[a * k + i] = ref_lower(k, w, i, a, spread) <= 0.5;
    free(beaten);
}

/* ---- rmed1 ---- */

/* p log(p / q) with 0 log 0 = 0 */
static double term(double p, double q)
{
    return p == 0 ? 0 : p * log(p / q);
}

/* Bernoulli divergence d(p, 1/2) */
static double divergence(double p)
{
    return term(p, 0.5) + term(1 - p, 0.5);
}

static double rmed_information(size_t k, const double *w, size_t i)
{
    double sum = 0;
    for (size_t j = 0; j < k; j++)
        if (j != i && mean(k, w, i, j) <= 0.5)
            sum += duels(k, w, i, j) * divergence(mean(k, w, i, j));
    return sum;
}

/* Adds share to the probability of i's opponent, when star is i*. */
static void rmed_opponent(size_t k, const double *w, size_t i, size_t star, double share, double *prob)
{
    double *badness = ref_zeros(k), *weight = ref_zeros(k);
    bool *others = ref_falses(k);
    bool nobody = true;
    for (size_t j = 0; j < k; j++) {
        others[j] = j != i;
        badness[j] = j != i ? -mean(k, w, i, j) : 0;
        if (j != i && mean(k, w, i, j) <= 0.5)
            nobody = false;
    }
    if (nobody || (star != i && mean(k, w, i, star) <= 0.5))
        weight[star] = share;
    else
        share_best(badness, others, k, share, weight);
    for (size_t j = 0; j < k; j++)
        prob[j] += weight[j];
    free(others);
    free(weight);
    free(badness);
}

void ref_step_rmed1(size_t k, const double *w, double t, double f, double power, double *information, bool *best,
                    double *opponent, bool *likely)
{
    double least = INFINITY;
    for (size_t i = 0; i < k; i++) {
        information[i] = rmed_information(k, w, i);
        least = fmin(least, information[i]);
    }
    for (size_t i = 0; i < k; i++) {
        best[i] = information[i] - least <= 1e-9; /* equal sums, added in another order, differ by rounding */
        likely[i] = information[i] - least <= log(t) + f * pow((double)k, power);
    }
    for (size_t i = 0; i < k * k; i++)
        opponent[i] = 0;
    for (size_t star = 0; star < k; star++)
        if (best[star])
            for (size_t i = 0; i < k; i++)
                rmed_opponent(k, w, i, star, 1 / (double)count(best, k), opponent + i * k);
}

/* ---- savage ---- */

void ref_step_savage(size_t k, const double *w, double horizon, bool *remaining, bool *allowed)
{
    double kk = (double)k, delta = 1 / horizon, least = INFINITY;
    bool *before = ref_falses(k);
    for (size_t i = 0; i < k; i++)
        before[i] = remaining[i];
    for (size_t i = 0; i < k; i++) {
        for (size_t j = 0; j < k; j++) {
            if (i == j || !before[i] || !before[j] || duels(k, w, i, j) == 0)
                continue;
            double radius = sqrt(log(kk * (kk - 1) * horizon / delta) / (2 * duels(k, w, i, j)));
            if (mean(k, w, i, j) + radius < 0.5)
                remaining[i] = false;
        }
    }
    bool alone = count(remaining, k) == 1;
    for (size_t i = 0; i < k; i++)
        for (size_t j = 0; j < k; j++)
            if (i != j && remaining[i] && remaining[j])
                least = fmin(least, duels(k, w, i, j));
    for (size_t i = 0; i < k; i++)
        for (size_t j = 0; j < k; j++)
            allowed[i * k + j] = remaining[i] && remaining[j] && (i == j ? alone : duels(k, w, i, j) == least);
    free(before);
}

/* ---- mdb ---- */

void ref_step_mdb(size_t k, const double *w, double t, double alpha, double beta, bool *narrow, bool *wide,
                  bool *played)
{
    unbeaten(k, w, alpha * log(t), narrow);
    unbeaten(k, w, alpha * beta * log(t), wide);
    for (size_t i = 0; i < k; i++) {
        if (count(narrow, k) == 1)
            played[i] = narrow[i];
        else
            played[i] = wide[i] || count(wide, k) == 0;
    }
}
