#include "mab/shares.h"

#include "base/alloc.h"

enum { BLOCK = 16 };

spar_status spar__shares_fit(spar__shares *shares, size_t n)
{
    size_t leaves = 1;
    while (leaves < (n + BLOCK - 1) / BLOCK)
        leaves *= 2;
    if (leaves <= shares->leaves)
        return SPAR_OK;
    double *sum = spar__alloc(2 * leaves, sizeof *sum);
    size_t *live = spar__alloc(2 * leaves, sizeof *live);
    if (!sum || !live) {
        spar__free(sum);
        spar__free(live);
        return SPAR_NOMEM;
    }
    spar__shares_free(shares);
    shares->leaves = leaves;
    shares->sum = sum;
    shares->live = live;
    return SPAR_OK;
}

void spar__shares_free(spar__shares *shares)
{
    spar__free(shares->sum);
    spar__free(shares->live);
}

static size_t block_end(const spar__shares *shares, size_t first)
{
    return first + BLOCK < shares->n ? first + BLOCK : shares->n;
}

static void add_block(spar__shares *shares, size_t block)
{
    double sum = 0;
    size_t live = 0, first = block * BLOCK, end = block_end(shares, first);
    for (size_t i = first; i < end; i++) {
        sum += shares->arms->alive[i] ? shares->weight[i] : 0;
        live += shares->arms->alive[i];
    }
    shares->sum[shares->leaves + block] = sum;
    shares->live[shares->leaves + block] = live;
}

void spar__shares_build(spar__shares *shares, size_t n, const double *weight, const spar_arms *arms)
{
    shares->n = n;
    shares->weight = weight;
    shares->arms = arms;
    for (size_t block = 0; block < shares->leaves; block++)
        add_block(shares, block);
    for (size_t i = shares->leaves - 1; i > 0; i--) {
        shares->sum[i] = shares->sum[2 * i] + shares->sum[2 * i + 1];
        shares->live[i] = shares->live[2 * i] + shares->live[2 * i + 1];
    }
}

void spar__shares_follow(spar__shares *shares, size_t n, size_t i)
{
    shares->n = n;
    spar__shares_change(shares, i);
    for (size_t k = (shares->leaves + i / BLOCK) / 2; k > 0; k /= 2)
        shares->live[k] = shares->live[2 * k] + shares->live[2 * k + 1];
}

void spar__shares_change(spar__shares *shares, size_t i)
{
    add_block(shares, i / BLOCK);
    for (size_t k = (shares->leaves + i / BLOCK) / 2; k > 0; k /= 2)
        shares->sum[k] = shares->sum[2 * k] + shares->sum[2 * k + 1];
}

/* Rounding may leave u at or beyond the end of what lies below a node: then it is the last live arm there. */
size_t spar__shares_at(const spar__shares *shares, double u)
{
    size_t k = 1;
    while (k < shares->leaves) {
        k *= 2;
        if (u < shares->sum[k] || shares->live[k + 1] == 0)
            continue;
        u -= shares->sum[k++];
    }
    size_t first = (k - shares->leaves) * BLOCK, end = block_end(shares, first), last = first;
    for (size_t i = first; i < end; i++) {
        if (!shares->arms->alive[i])
            continue;
        u -= shares->weight[i];
        if (u < 0)
            return i;
        last = i;
    }
    return last;
}

size_t spar__shares_live(const spar__shares *shares, size_t place)
{
    if (shares->live[1] == shares->n)
        return place;
    size_t k = 1;
    while (k < shares->leaves) {
        k *= 2;
        if (place < shares->live[k])
            continue;
        place -= shares->live[k++];
    }
    for (size_t i = (k - shares->leaves) * BLOCK;; i++)
        if (shares->arms->alive[i] && place-- == 0)
            return i;
}
