#include "bench/plain.h"

#include "base/alloc.h"
#include "sampler/sampler.h"

struct spar__plain {
    size_t k, m;
    double *a, *b, *value;
    size_t *arm;
    spar_rng rng;
};

spar_status spar__plain_new(size_t k, size_t m, spar__plain **out)
{
    *out = NULL;
    spar__plain *self = spar__alloc(1, sizeof *self);
    if (!self)
        return SPAR_NOMEM;
    self->k = k;
    self->m = m;
    self->a = spar__alloc(k, sizeof *self->a);
    self->b = spar__alloc(k, sizeof *self->b);
    self->value = spar__alloc(k, sizeof *self->value);
    self->arm = spar__alloc(m, sizeof *self->arm);
    if (!self->a || !self->b || !self->value || !self->arm) {
        spar__plain_free(self);
        return SPAR_NOMEM;
    }
    spar_rng_seed(&self->rng, 1, 1, 1);
    for (size_t i = 0; i < k; i++) { /* the utilities of set=arith */
        self->a[i] = self->b[i] = 1;
        self->value[i] = i == 0 ? 0.8 : 0.7 - 0.5 * (double)(i - 1) / (k > 2 ? (double)(k - 2) : 1);
    }
    *out = self;
    return SPAR_OK;
}

void spar__plain_free(spar__plain *plain)
{
    if (!plain)
        return;
    spar__free(plain->a);
    spar__free(plain->b);
    spar__free(plain->value);
    spar__free(plain->arm);
    spar__free(plain);
}

static size_t argmax_of_draws(spar_rng *rng, size_t n, const double *a, const double *b)
{
    size_t best = 0;
    double top = -1;
    for (size_t i = 0; i < n; i++) {
        double x = spar__gamma(rng, a[i]), theta = x / (x + spar__gamma(rng, b[i]));
        if (theta > top) {
            top = theta;
            best = i;
        }
    }
    return best;
}

static void duel(spar__plain *self, size_t i, size_t j)
{
    int win = spar_rng_uniform(&self->rng) < (1 + self->value[i] - self->value[j]) / 2;
    self->a[i] += win;
    self->b[i] += !win;
    self->a[j] += !win;
    self->b[j] += win;
}

void spar__plain_play(spar__plain *plain, uint64_t rounds)
{
    for (uint64_t t = 0; t < rounds; t++) {
        for (size_t j = 0; j < plain->m; j++)
            plain->arm[j] = argmax_of_draws(&plain->rng, plain->k, plain->a, plain->b);
        for (size_t j = 0; j < plain->m; j++)
            for (size_t k = j + 1; k < plain->m; k++)
                duel(plain, plain->arm[j], plain->arm[k]);
    }
}

uint64_t spar__plain_block(const spar__plain *plain)
{
    enum { DRAWS = 100000 };
    uint64_t rounds = DRAWS / (plain->k * plain->m);
    return rounds ? rounds : 1;
}
