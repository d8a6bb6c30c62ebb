#include "cli/rank/rank.h"

#include "cli/progress.h"
#include "text/json.h"

static spar_status add_square(spar__json *json, const char *key, const double *values, size_t n)
{
    spar__json_key(json, key);
    if (!values) {
        spar__json_null(json);
        return SPAR_OK;
    }
    spar__json_begin_array(json);
    for (size_t i = 0; i < n; i++) {
        if (spar__stop_due())
            return SPAR_INTERRUPTED;
        spar__json_begin_array(json);
        for (size_t j = 0; j < n; j++)
            spar__json_number(json, values[i * n + j]);
        spar__json_end_array(json);
    }
    spar__json_end_array(json);
    return SPAR_OK;
}

/* Rankers count from 0, as in `spar describe`. */
static void add_standing(spar__json *json, const spar__rank_result *r, const spar__rank_standing *s)
{
    spar__json_begin_object(json);
    spar__json_add_unsigned(json, "ranker", s->ranker);
    spar__json_add_string(json, "name", spar__queries_name(r->work->lists.queries, s->ranker));
    spar__json_add_unsigned(json, "beats", s->beats);
    spar__json_add_unsigned(json, "ties", s->ties);
    spar__json_add_number(json, "mean", s->mean);
    spar__json_add_unsigned(json, "worst_against", s->hardest);
    spar__json_add_number(json, "margin", s->margin);
    spar__json_add_number(json, "se", s->error);
    if (r->of_draws)
        spar__json_add_number(json, "draws_se", s->of_draws);
    spar__json_end_object(json);
}

spar_status spar__rank_json(const spar__rank_result *r, spar__buf *out)
{
    const spar__rank_work *work = r->work;
    spar__json json = {.out = out};
    spar__json_begin_object(&json);
    spar__json_add_string(&json, "click", work->click);
    spar__json_add_string(&json, "method", work->mix);
    if (work->draws)
        spar__json_add_unsigned(&json, "draws", work->draws);
    else
        spar__json_add_null(&json, "draws");
    spar__json_add_unsigned(&json, "top", spar__queries_top(work->lists.queries));
    spar__json_add_unsigned(&json, "seed", work->seed);
    spar__json_add_unsigned(&json, "queries", work->tally->queries);
    spar__json_add_unsigned(&json, "queries_in_data", spar__queries_count(work->lists.queries));
    spar__json_add_unsigned(&json, "queries_of_one_document", r->of_one);
    spar__json_add_unsigned(&json, "rankers", r->n);
    spar__json_key(&json, "names");
    spar__json_begin_array(&json);
    for (size_t i = 0; i < r->n; i++)
        spar__json_string(&json, spar__queries_name(work->lists.queries, i));
    spar__json_end_array(&json);
    if (r->has_winner)
        spar__json_add_unsigned(&json, "winner", r->standing[0].ranker);
    else
        spar__json_add_null(&json, "winner");
    spar__json_key(&json, "not_told_apart");
    spar__json_begin_array(&json);
    for (size_t i = 1; i < r->n; i++)
        if (!spar__rank_told_apart(r, r->standing[i].ranker))
            spar__json_unsigned(&json, r->standing[i].ranker);
    spar__json_end_array(&json);
    spar__json_key(&json, "standings");
    spar__json_begin_array(&json);
    for (size_t i = 0; i < r->n; i++)
        add_standing(&json, r, &r->standing[i]);
    spar__json_end_array(&json);
    if (add_square(&json, "matrix", r->p, r->n) || add_square(&json, "errors", r->error, r->n) ||
        add_square(&json, "draw_errors", r->of_draws, r->n))
        return SPAR_INTERRUPTED;
    spar__json_end_object(&json);
    spar__buf_adds(out, "\n");
    return out->failed ? SPAR_NOMEM : SPAR_OK;
}
