#include "base/alloc.h"
#include "report/standings.h"

#include <math.h>

enum { TABLE = 40 }; /* options of which every pair is listed */

static const char *name_of(const spar__verdict_report *v, size_t option)
{
    return v->option(v->context, option);
}

static void add_range(const char *key, spar_status status, const double range[3], spar__json *json)
{
    spar__json_key(json, key);
    if (status || isnan(range[0])) {
        spar__json_null(json);
        return;
    }
    spar__json_begin_object(json);
    spar__json_add_number(json, "mean", range[0]);
    spar__json_add_number(json, "low", range[1]);
    spar__json_add_number(json, "high", range[2]);
    spar__json_end_object(json);
}

static void add_option(const spar_standings *st, const spar__verdict_report *v, size_t option, spar__json *json)
{
    double mean = 0, low = 0, high = 0;
    size_t group = spar_standings_group(st, option);
    (void)spar_standings_strength(st, option, &mean, &low, &high);
    spar__json_begin_object(json);
    spar__json_add_string(json, "name", name_of(v, option));
    if (v->title)
        spar__json_add_string(json, "title", v->title(v->context, option));
    spar__json_add_number(json, "strength", mean);
    spar__json_add_number(json, "low", low);
    spar__json_add_number(json, "high", high);
    spar__json_add_number(json, "p_best", spar_standings_best(st, option));
    spar__json_add_number(json, "loss", spar_standings_loss(st, option));
    spar__json_key(json, "group");
    if (group == (size_t)-1) /* retired */
        spar__json_null(json);
    else
        spar__json_unsigned(json, group + 1);
    spar__json_add_unsigned(json, "bad", spar_standings_bad(st, option));
    spar__json_end_object(json);
}

static void add_options(const spar_standings *st, const spar__verdict_report *v, const size_t *order, spar__json *json)
{
    spar__json_key(json, "options");
    spar__json_begin_array(json);
    for (size_t i = 0; i < spar_standings_options(st); i++)
        add_option(st, v, order[i], json);
    spar__json_end_array(json);
}

static void add_places(const spar_standings *st, spar__json *json)
{
    spar__json_key(json, "places");
    spar__json_begin_array(json);
    for (size_t place = 0; place < spar_standings_places(st); place++) {
        double range[3];
        spar_status status = spar_standings_place(st, place, &range[0], &range[1], &range[2]);
        spar__json_begin_object(json);
        spar__json_add_unsigned(json, "place", place + 1);
        add_range("effect", status, range, json);
        spar__json_end_object(json);
    }
    spar__json_end_array(json);
}

/* P(row is stronger than column), in the order of the options; left out where that is too much. */
static void add_before(const spar_standings *st, const size_t *order, spar__json *json)
{
    size_t n = spar_standings_options(st);
    spar__json_key(json, "p_before");
    if (n > TABLE) {
        spar__json_null(json);
        return;
    }
    spar__json_begin_array(json);
    for (size_t i = 0; i < n; i++) {
        spar__json_begin_array(json);
        for (size_t k = 0; k < n; k++)
            spar__json_number(json, i == k ? 0.5 : spar_standings_before(st, order[i], order[k]));
        spar__json_end_array(json);
    }
    spar__json_end_array(json);
}

static void add_scale(const spar__standings_report *r, const spar__verdict_report *v, spar__json *json)
{
    spar__json_key(json, "one_scale");
    spar__json_begin_object(json);
    spar__json_add_number(json, "log_evidence_against", r->scale_evidence);
    spar__json_add_boolean(json, "fits", r->fits);
    spar__json_key(json, "cycle");
    spar__json_begin_array(json);
    for (size_t i = 0; i < r->n_cycle && i < SPAR__VERDICT_PAIRS; i++)
        spar__json_string(json, name_of(v, r->cycle[i]));
    spar__json_end_array(json);
    spar__json_end_object(json);
}

static void add_rest(const spar_standings *st, spar__json *json)
{
    double range[3];
    add_places(st, json);
    add_range("tie", spar_standings_tie(st, &range[0], &range[1], &range[2]), range, json);
    add_range("spread", spar_standings_spread(st, &range[0], &range[1], &range[2]), range, json);
}

void spar__standings_json(const spar__standings_report *r, const spar__verdict_report *v, spar__json *json)
{
    const spar_standings *st = r->standings;
    size_t *order = st ? spar__standings_order(r) : NULL, leader = spar_standings_leader(st);
    spar__json_key(json, "standings");
    if (!order) {
        json->out->failed |= st != NULL;
        spar__json_null(json);
        return;
    }
    spar__json_begin_object(json);
    spar__json_add_string(json, "method", r->approximate ? "approximate" : "sampled");
    spar__json_add_string(json, "approximate", r->approximate);
    spar__json_add_unsigned(json, "answers", spar_standings_answers(st));
    spar__json_add_string(json, "leader", leader == (size_t)-1 ? NULL : name_of(v, leader));
    add_options(st, v, order, json);
    add_before(st, order, json);
    add_rest(st, json);
    add_scale(r, v, json);
    spar__json_end_object(json);
    spar__free(order);
}

static void add_warning(const char *kind, const spar__buf *text, spar__json *json)
{
    json->out->failed |= text->failed;
    if (text->length)
        spar__verdict_json_warning(kind, text->text, json);
}

void spar__standings_json_warnings(const spar__standings_report *r, const spar__verdict_report *v, spar__json *json)
{
    spar__buf text = {0};
    spar__standings_say_places(r, v, &text);
    add_warning("places", &text, json);
    spar__buf_clear(&text);
    spar__standings_say_scale(r, v, &text);
    add_warning("not_one_scale", &text, json);
    spar__buf_free(&text);
}
