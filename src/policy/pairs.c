#include "policy/pairs.h"

#include "base/alloc.h"

#include <math.h>

spar_status spar__pairs_init(spar__pairs *pairs, size_t n, spar_error *err)
{
    *pairs = (spar__pairs){n, spar__alloc(n, n * sizeof(double))};
    return pairs->w ? SPAR_OK : spar__fail_memory(err);
}

void spar__pairs_fini(spar__pairs *pairs)
{
    spar__free(pairs->w);
}

void spar__pairs_learn(spar__pairs *pairs, const spar_round *round, const spar_feedback *feedback, double weight)
{
    size_t m = round->m;
    for (size_t j = 0; j < m; j++) {
        size_t i = round->arm[j];
        for (size_t k = 0; k < m; k++) {
            unsigned char answer = feedback->outcome[j * m + k];
            if (answer != SPAR_MISSING && i != round->arm[k])
                pairs->w[i * pairs->n + round->arm[k]] += weight * spar__reward(answer);
        }
    }
}

void spar__pairs_archive(spar__pairs *pairs, spar__archive *ar)
{
    size_t count = pairs->n * pairs->n;
    spar__archive_f64s(ar, pairs->w, count);
    for (size_t i = 0; ar->loading && i < count; i++)
        spar__archive_check(ar, pairs->w[i] >= 0 && pairs->w[i] < 0x1p50); /* one more is still another number */
}

/* The larger of `most` and what spar__pairs_behind says of one that lost by 2 |gap|: to the same bits, but the
 * quotient is not formed where it is surely less. */
static inline double larger(double most, double gap, double played)
{
    double square = gap * gap;
    if (square <= most * played * (1 - 0x1p-40))
        return most;
    return fmax(most, played > 0 ? square / played : -1);
}

double spar__pairs_most_behind(const spar__pairs *pairs, size_t i)
{
    double most = -1;
    for (size_t j = 0; j < pairs->n; j++) {
        double won = spar__pairs_won(pairs, i, j), lost = spar__pairs_won(pairs, j, i);
        if (lost >= won)
            most = larger(most, 0.5 * (lost - won), won + lost);
    }
    return most;
}

/* Each pair once, in square blocks: one of the two numbers of a pair is far from the last one read. */
void spar__pairs_most_behind_all(const spar__pairs *pairs, double *most)
{
    enum { BLOCK = 16 };
    size_t n = pairs->n;
    for (size_t i = 0; i < n; i++)
        most[i] = -1;
    for (size_t row = 0; row < n; row += BLOCK)
        for (size_t column = 0; column <= row; column += BLOCK)
            for (size_t i = row; i < n && i < row + BLOCK; i++)
                for (size_t j = column; j < i && j < column + BLOCK; j++) {
                    double won = spar__pairs_won(pairs, i, j), lost = spar__pairs_won(pairs, j, i);
                    double gap = 0.5 * (lost - won);
                    size_t loser = gap > 0 ? i : j;
                    most[loser] = larger(most[loser], gap, won + lost);
                    if (gap == 0) /* either of them */
                        most[i] = larger(most[i], gap, won + lost);
                }
}

void spar__pairs_score(const spar__pairs *pairs, double *score)
{
    for (size_t i = 0; i < pairs->n; i++) {
        score[i] = 0;
        for (size_t j = 0; j < pairs->n; j++) {
            double won = spar__pairs_won(pairs, i, j), lost = spar__pairs_won(pairs, j, i);
            if (j != i)
                score[i] += won > lost ? 1 : won < lost ? 0 : 0.5;
        }
    }
}
