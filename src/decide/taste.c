/* taste.c - answers about points become duels. */
#include <spar/taste.h>

#include "base/alloc.h"
#include "num/utility_gp.h"
#include "types/answer.h"

/* A winner, a ranking or a tie is each against each, by levels: a lower one was preferred. */
static spar_status add_levels(spar_taste *taste, size_t m, const size_t *point, size_t *level,
                              const spar_answer *answer)
{
    spar_status status = SPAR_OK;
    for (size_t j = 0; j < m; j++)
        level[j] = answer->kind == SPAR_ANSWER_TIE ? 0 : (size_t)-1;
    for (size_t i = 0; i < answer->n && answer->kind != SPAR_ANSWER_TIE; i++)
        level[answer->first[i]] = answer->kind == SPAR_ANSWER_WINNER ? 0 : answer->second[i];
    for (size_t j = 0; j < m; j++) {
        size_t left = 1; /* of those that j was chosen from: itself, and all behind it */
        for (size_t k = 0; k < m; k++)
            left += level[k] > level[j];
        for (size_t k = 0; k < m && !status; k++)
            if (level[k] > level[j])
                status = spar__taste_duel_add(taste, point[j], point[k], 2.0 / (double)left, 0);
            else if (level[k] == level[j] && k > j && level[j] != (size_t)-1)
                status = spar__taste_duel_add(taste, point[j], point[k], 1.0 / (double)m, 1.0 / (double)m);
    }
    return status;
}

spar_status spar_taste_tell(spar_taste *taste, size_t m, const double *x, const spar_answer *answer, spar_error *err)
{
    if (!taste || !x || !answer)
        return spar__fail(err, SPAR_INVALID, "no taste, points or answer");
    spar_status status = spar_answer_check(answer, m, err);
    if (status || answer->kind == SPAR_ANSWER_BAD || answer->kind == SPAR_ANSWER_SKIP)
        return status;
    size_t *point = spar__alloc(2 * m, sizeof *point);
    bool pairs = answer->kind == SPAR_ANSWER_PAIRS;
    status = point ? SPAR_OK : SPAR_NOMEM;
    for (size_t j = 0; j < m && !status; j++)
        status = spar__taste_point(taste, x + j * taste->dim, &point[j]);
    for (size_t i = 0; pairs && i < answer->n && !status; i++) {
        double won = answer->outcome[i] == SPAR_WIN ? 1 : answer->outcome[i] == SPAR_LOSS ? 0 : 0.5;
        status = spar__taste_duel_add(taste, point[answer->first[i]], point[answer->second[i]], won, 1 - won);
    }
    if (!pairs && !status)
        status = add_levels(taste, m, point, point + m, answer);
    spar__free(point);
    return status ? spar__fail_memory(err) : SPAR_OK;
}
