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
            unsigned char answer = feedback->answer[j * m + k];
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
        spar__archive_check(ar, pairs->w[i] >= 0 && isfinite(pairs->w[i]));
}

double spar__pairs_most_behind(const spar__pairs *pairs, size_t i)
{
    double most = -1;
    for (size_t j = 0; j < pairs->n; j++) {
        double behind = j == i ? -1 : spar__pairs_behind(pairs, i, j);
        most = behind > most ? behind : most;
    }
    return most;
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
