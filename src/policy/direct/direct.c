/* direct.c - confidence bounds and scores from counts of pairs: see direct.h. O(K) an arm, O(K^2) all of them. */
#include "policy/direct/direct.h"

/* The larger of `most` and what spar__behind says of an arm that lost by 2 |gap|: to the same bits, but the quotient is
 * not formed where it is surely less. */
static inline double larger(double most, double gap, double played)
{
    double square = gap * gap;
    if (square <= most * played * (1 - 0x1p-40))
        return most;
    return fmax(most, played > 0 ? square / played : -1);
}

double spar__most_behind(const spar_pair_counts *counts, const bool *alive, size_t i)
{
    double most = -1;
    for (size_t j = 0; j < counts->n; j++) {
        double won = spar__won(counts, i, j), lost = spar__won(counts, j, i);
        if (lost >= won && alive[j])
            most = larger(most, 0.5 * (lost - won), won + lost);
    }
    return most;
}

/* Each pair once, in square blocks: one of the two numbers of a pair is far from the last one read. Without retired
 * arms (`all`, a constant) there are no flags to read. */
static inline void compare_pairs(const spar_pair_counts *counts, const bool *alive, bool all, double *most)
{
    enum { BLOCK = 16 };
    size_t n = counts->n;
    for (size_t row = 0; row < n; row += BLOCK)
        for (size_t column = 0; column <= row; column += BLOCK)
            for (size_t i = row; i < n && i < row + BLOCK; i++)
                for (size_t j = column; (all || alive[i]) && j < i && j < column + BLOCK; j++)
                    if (all || alive[j]) {
                        /* A pair moves the loser, an even one both. */
                        double won = spar__won(counts, i, j), lost = spar__won(counts, j, i), gap = 0.5 * (lost - won);
                        size_t loser = gap > 0 ? i : j;
                        most[loser] = larger(most[loser], gap, won + lost);
                        if (gap == 0)
                            most[i] = larger(most[i], gap, won + lost);
                    }
}

void spar__most_behind_all(const spar_pair_counts *counts, const bool *alive, double *most)
{
    bool all = true;
    for (size_t i = 0; i < counts->n; i++) {
        most[i] = alive[i] ? -1 : (double)INFINITY;
        all &= alive[i];
    }
    if (all)
        compare_pairs(counts, alive, true, most);
    else
        compare_pairs(counts, alive, false, most);
}

void spar__most_behind_follow(const spar_pair_counts *counts, const bool *alive, size_t i, double *most)
{
    most[i] = alive[i] ? spar__most_behind(counts, alive, i) : (double)INFINITY;
    for (size_t j = 0; j < counts->n; j++) {
        if (j == i || !alive[j])
            continue;
        double behind = spar__behind(counts, j, i);
        if (alive[i])
            most[j] = fmax(most[j], behind);
        else if (behind >= 0 && behind == most[j])
            most[j] = spar__most_behind(counts, alive, j);
    }
}

void spar__copeland_score(const spar_pair_counts *counts, const bool *alive, double *score)
{
    for (size_t i = 0; i < counts->n; i++) {
        score[i] = 0;
        for (size_t j = 0; j < counts->n; j++) {
            double won = spar__won(counts, i, j), lost = spar__won(counts, j, i);
            if (j != i && alive[j])
                score[i] += won > lost ? 1 : won < lost ? 0 : 0.5;
        }
    }
}

spar_status spar__counts_score(const spar_policy *self, spar_scratch *scratch, double *score)
{
    (void)scratch;
    const void *counts = (const char *)self + self->cls->counts;
    spar__copeland_score(counts, self->arms->alive, score);
    return SPAR_OK;
}
