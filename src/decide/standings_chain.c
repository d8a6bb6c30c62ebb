/* Draws from the posterior by a Markov chain.
 *
 * A turn moves
 *   all parameters, given s, on an ellipse (Murray, Adams, MacKay, AISTATS 2010) around the normal law at the mode, and
 *       what that law misses of the posterior is the likelihood of the slice: nearly independent draws where answers
 * are many; the same around the prior, for few answers; s, given the strengths: a slice in log s; strengths and s
 * together by a common factor: near s = 0 neither could move far alone.
 *
 * Nothing is tuned while it runs, so every turn leaves the posterior as it is. Few answers cost little, and get more
 * turns between draws. */
#include "decide/standings.h"

#include "base/alloc.h"
#include "num/elementary.h"
#include "num/linear.h"
#include "sampler/sampler.h"

#include <math.h>
#include <string.h>

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

static void take_turn(chain *c, bool cheap)
{
    if (c->moves & SPAR__MOVE_MODE)
        move_around_mode(c);
    if (c->moves & SPAR__MOVE_PRIOR)
        move_around_prior(c);
    for (size_t i = 0; i < (cheap ? SCALES : 1); i++) {
        if (c->moves & SPAR__MOVE_SD)
            move_sd(c);
        if (c->moves & SPAR__MOVE_SCALE)
            move_scale(c);
        if (c->moves & SPAR__MOVE_SD)
            move_sd(c);
    }
}

static void run(chain *c, spar_standings *st, size_t draws, size_t between, bool cheap)
{
    size_t width = spar__draw_width(st), early = draws / 10 + 50;
    memcpy(c->at, st->mode.at, c->d * sizeof *c->at);
    memset(c->white, 0, c->d * sizeof *c->white);
    c->likelihood = likelihood_of(c, c->at);
    for (size_t i = 0; i < early + draws; i++) {
        for (size_t k = 0; k < between; k++)
            take_turn(c, cheap);
        if (i < early)
            continue;
        double *row = st->draw + (i - early) * width;
        memcpy(row, c->at, c->d * sizeof *row);
        row[c->d] = c->sd;
    }
    st->draws = draws;
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

spar_status spar__chain_run(spar_standings *st, spar_rng *rng)
{
    size_t d = st->mode.d;
    double *room = spar__alloc(6 * (d + 1), sizeof *room);
    if (!room)
        return SPAR_NOMEM;
    double *part[6];
    for (size_t i = 0; i < 6; i++)
        part[i] = room + i * (d + 1);
    chain_plan plan = plan_of(st, d);
    unsigned moves = st->moves ? st->moves : SPAR__MOVE_MODE | (plan.cheap ? SPAR__MOVE_PRIOR : 0);
    if (!st->moves && st->sd == 0)
        moves |= SPAR__MOVE_SD | SPAR__MOVE_SCALE;
    chain c = {st,      rng,     st->space.options, d,       moves, st->mode.sd, part[0], part[1],
               part[2], part[3], part[4],           part[5], 0};
    run(&c, st, plan.draws, plan.between, plan.cheap);
    spar__free(room);
    return SPAR_OK;
}
