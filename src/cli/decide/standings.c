/* Votes become standings, and what is said of them. */
#include "base/alloc.h"
#include "base/hash.h"
#include "base/key_table.h"
#include "cli/decide/decide.h"
#include "cli/decide/log.h"
#include "cli/table.h"
#include "num/elementary.h"
#include "text/json.h"

#include <math.h>
#include <string.h>

enum { LISTED = 40 };

/* A screen with room for its parts. */
typedef struct screen_maker {
    size_t *option, *place, *slot, *level;
    spar_answer *answer;
    spar__key_table seen; /* voters=first: who was asked about what */
} screen_maker;

static spar_status start(const spar__votes *votes, screen_maker *maker)
{
    size_t most = 0;
    for (size_t i = 0; i < votes->n; i++)
        most = votes->vote[i].m > most ? votes->vote[i].m : most;
    maker->option = spar__alloc(most, sizeof *maker->option);
    maker->place = spar__alloc(most, sizeof *maker->place);
    maker->slot = spar__alloc(most, sizeof *maker->slot);
    maker->level = spar__alloc(most, sizeof *maker->level);
    if (!maker->option || !maker->place || !maker->slot || !maker->level)
        return SPAR_NOMEM;
    return spar_answer_new(&maker->answer);
}

static void finish(screen_maker *maker)
{
    spar__free(maker->option);
    spar__free(maker->place);
    spar__free(maker->slot);
    spar__free(maker->level);
    spar_answer_free(maker->answer);
    spar__key_table_fini(&maker->seen);
}

/* The slots of a vote, best first; slots of one place keep their order. */
static void sort_slots(const spar__vote_slot *from, size_t m, size_t *slot, size_t *level)
{
    for (size_t j = 0; j < m; j++) {
        size_t at = j;
        for (; at > 0 && level[at - 1] > from[j].place; at--) {
            slot[at] = slot[at - 1];
            level[at] = level[at - 1];
        }
        slot[at] = j;
        level[at] = from[j].place;
    }
}

static spar_status make_answer(const spar__votes *votes, const spar__vote *vote, screen_maker *maker, spar_error *err)
{
    const spar__vote_slot *from = votes->slot + vote->first;
    for (size_t j = 0; j < vote->m; j++) {
        maker->option[j] = from[j].option;
        maker->place[j] = j;
    }
    if (vote->kind != SPAR__VOTE_ORDER) {
        (vote->kind == SPAR__VOTE_BAD ? spar_answer_set_bad : spar_answer_set_skip)(maker->answer);
        return SPAR_OK;
    }
    sort_slots(from, vote->m, maker->slot, maker->level);
    return spar_answer_set_ranking(maker->answer, vote->m, maker->slot, maker->level, err);
}

/* Has this voter voted on these options (and this item) before? */
static spar_status is_repeated(const spar__votes *votes, const spar__vote *vote, screen_maker *maker, bool *repeated)
{
    uint64_t sum = 0; /* in whatever order they stood */
    for (size_t j = 0; j < vote->m; j++) {
        uint64_t option = votes->slot[vote->first + j].option;
        sum += spar__hash_of(&option, sizeof option);
    }
    *repeated = false;
    if (spar__key_table_reserve(&maker->seen, 1))
        return SPAR_NOMEM;
    size_t before = maker->seen.n;
    (void)spar__key_get(&maker->seen, (uint64_t)vote->voter << 32 | vote->item, sum);
    *repeated = maker->seen.n == before;
    return SPAR_OK;
}

static spar_status add_votes(spar__decide_report *r, screen_maker *maker, spar_error *err)
{
    const spar__votes *votes = &r->votes;
    bool placed = strcmp(r->form, "rows") == 0;
    spar_status status = SPAR_OK;
    for (size_t i = 0; i < votes->n && !status; i++) {
        const spar__vote *vote = &votes->vote[i];
        bool repeated = false;
        if (vote->m < 2)
            continue;
        if (r->settings.first_only && vote->voter && is_repeated(votes, vote, maker, &repeated))
            return spar__fail_memory(err);
        if (repeated)
            continue;
        status = make_answer(votes, vote, maker, err);
        if (!status)
            status = spar_standings_answer(r->standings, vote->m, maker->option, placed ? maker->place : NULL,
                                           maker->answer, r->ties > 0, vote->times, err);
    }
    return status;
}

spar_status spar__decide_stand(spar__decide_report *r, bool approximate, spar_error *err)
{
    screen_maker maker = {0};
    spar_status status = spar_standings_new(spar_decision_options(r->decision), &r->standings, err);
    if (!status && approximate)
        spar_standings_set_method(r->standings, SPAR_STANDINGS_APPROXIMATE);
    if (!status && r->log)
        status = spar__decide_log_stand(r, err);
    else if (!status)
        status = start(&r->votes, &maker) ? spar__fail_memory(err) : add_votes(r, &maker, err);
    if (!status)
        status = spar_standings_compute(r->standings, err);
    if (!status)
        status =
            spar_standings_scale(r->standings, &r->scale_evidence, SPAR__VERDICT_PAIRS, r->cycle, &r->n_cycle, err);
    finish(&maker);
    return status;
}

static bool no_scale(const spar__decide_report *r)
{
    return r->scale_evidence >= -spar__log(r->settings.delta);
}

size_t *spar__decide_by_strength(const spar__decide_report *r)
{
    size_t n = r->verdict.n, *order = spar__alloc(n, sizeof *order);
    for (size_t i = 0; order && i < n; i++) {
        double mine = 0, other = 0;
        size_t at = i;
        (void)spar_standings_strength(r->standings, i, &mine, NULL, NULL);
        for (; at > 0; at--) {
            (void)spar_standings_strength(r->standings, order[at - 1], &other, NULL, NULL);
            if (other >= mine)
                break;
            order[at] = order[at - 1];
        }
        order[at] = i;
    }
    return order;
}

static void add_row(const spar__decide_report *r, size_t option, spar__text_table *table)
{
    double mean = 0, low = 0, high = 0;
    (void)spar_standings_strength(r->standings, option, &mean, &low, &high);
    spar__text_table_add(table, "%s", r->verdict.name[option]);
    spar__text_table_add(table, "%.2f", mean);
    spar__text_table_add(table, "%.2f to %.2f", low, high);
    spar__text_table_add(table, "%.1f", 100 * spar_standings_best(r->standings, option));
    spar__text_table_add(table, "%.2f", spar_standings_loss(r->standings, option));
    spar__text_table_add(table, "%zu", spar_standings_group(r->standings, option) + 1);
}

static void add_table(const spar__decide_report *r, const size_t *order, bool styled, spar__buf *out)
{
    static const char *const head[] = {"option", "strength", "95 % interval", "best %", "loss", "group"};
    size_t n = r->verdict.n;
    spar__text_table table = {.columns = 6, .left = 1};
    for (size_t i = 0; i < 6; i++)
        spar__text_table_add(&table, "%s", head[i]);
    for (size_t i = 0; i < n && i < LISTED; i++)
        add_row(r, order[i], &table);
    spar__text_table_print(&table, styled, out);
    if (n > LISTED)
        spar__buf_printf(out, "and %zu more (--json has all)\n", n - LISTED);
    spar__text_table_free(&table);
}

static void add_places(const spar__decide_report *r, spar__buf *out)
{
    for (size_t place = 1; place < spar_standings_places(r->standings); place++) {
        double mean, low, high;
        (void)spar_standings_place(r->standings, place, &mean, &low, &high);
        spar__buf_printf(out, "place %zu against the first: %.2f (%.2f to %.2f", place + 1, mean, low, high);
        spar__buf_adds(out, low > 0 || high < 0 ? "): where an option stands matters\n" : ")\n");
    }
}

static void add_scale(const spar__decide_report *r, spar__buf *out)
{
    if (!no_scale(r))
        return;
    spar__buf_adds(out, "no single logistic scale fits these votes");
    for (size_t i = 0; i < r->n_cycle && i < SPAR__VERDICT_PAIRS; i++)
        spar__buf_printf(out, "%s%s", i ? " over " : ": ", r->verdict.name[r->cycle[i]]);
    if (r->n_cycle)
        spar__buf_printf(out, r->n_cycle <= SPAR__VERDICT_PAIRS ? " over %s" : " ... over %s",
                         r->verdict.name[r->cycle[0]]);
    spar__buf_adds(out, "\n");
}

void spar__decide_standings_text(const spar__decide_report *r, bool styled, spar__buf *out)
{
    size_t *order = spar__decide_by_strength(r);
    if (!order) {
        out->failed = true;
        return;
    }
    spar__buf_printf(out, "\n%sstandings%s", styled ? "\033[1m" : "", styled ? "\033[0m" : "");
    spar__buf_printf(out, " in a model of choices%s: log-odds against the average option\n",
                     spar_standings_is_approximate(r->standings) ? " (approximate)" : "");
    add_table(r, order, styled, out);
    add_places(r, out);
    add_scale(r, out);
    spar__buf_adds(out, "'best %' is for one look: it must not be used to stop\n");
    spar__free(order);
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

/* What programs call an option. */
static const char *option_name(const spar__decide_report *r, size_t option)
{
    return (r->id ? r->id : r->verdict.option)(r->verdict.context, option);
}

static void add_option(const spar__decide_report *r, size_t option, spar__json *json)
{
    double mean = 0, low = 0, high = 0;
    (void)spar_standings_strength(r->standings, option, &mean, &low, &high);
    spar__json_begin_object(json);
    spar__json_add_string(json, "name", option_name(r, option));
    spar__json_add_number(json, "strength", mean);
    spar__json_add_number(json, "low", low);
    spar__json_add_number(json, "high", high);
    spar__json_add_number(json, "p_best", spar_standings_best(r->standings, option));
    spar__json_add_number(json, "loss", spar_standings_loss(r->standings, option));
    spar__json_add_unsigned(json, "group", spar_standings_group(r->standings, option) + 1);
    spar__json_add_unsigned(json, "bad", spar_standings_bad(r->standings, option));
    spar__json_end_object(json);
}

static void add_json_places(const spar__decide_report *r, spar__json *json)
{
    spar__json_key(json, "places");
    spar__json_begin_array(json);
    for (size_t place = 0; place < spar_standings_places(r->standings); place++) {
        double range[3];
        spar_status status = spar_standings_place(r->standings, place, &range[0], &range[1], &range[2]);
        spar__json_begin_object(json);
        spar__json_add_unsigned(json, "place", place + 1);
        add_range("effect", status, range, json);
        spar__json_end_object(json);
    }
    spar__json_end_array(json);
}

/* P(row is stronger than column), in the order of the options; left out where that is too much. */
static void add_before(const spar__decide_report *r, const size_t *order, spar__json *json)
{
    size_t n = r->verdict.n;
    spar__json_key(json, "p_before");
    if (n > LISTED) {
        spar__json_null(json);
        return;
    }
    spar__json_begin_array(json);
    for (size_t i = 0; i < n; i++) {
        spar__json_begin_array(json);
        for (size_t k = 0; k < n; k++)
            spar__json_number(json, i == k ? 0.5 : spar_standings_before(r->standings, order[i], order[k]));
        spar__json_end_array(json);
    }
    spar__json_end_array(json);
}

static void add_json_scale(const spar__decide_report *r, spar__json *json)
{
    spar__json_key(json, "one_scale");
    spar__json_begin_object(json);
    spar__json_add_number(json, "log_evidence_against", r->scale_evidence);
    spar__json_add_boolean(json, "fits", !no_scale(r));
    spar__json_key(json, "cycle");
    spar__json_begin_array(json);
    for (size_t i = 0; i < r->n_cycle && i < SPAR__VERDICT_PAIRS; i++)
        spar__json_string(json, option_name(r, r->cycle[i]));
    spar__json_end_array(json);
    spar__json_end_object(json);
}

void spar__decide_standings_json(const spar__decide_report *r, spar__json *json)
{
    size_t *order = spar__decide_by_strength(r), leader = spar_standings_leader(r->standings);
    double range[3];
    if (!order) {
        json->out->failed = true;
        return;
    }
    spar__json_key(json, "standings");
    spar__json_begin_object(json);
    spar__json_add_string(json, "method", spar_standings_is_approximate(r->standings) ? "approximate" : "sampled");
    spar__json_add_unsigned(json, "answers", spar_standings_answers(r->standings));
    spar__json_add_string(json, "leader", leader < r->verdict.n ? option_name(r, leader) : NULL);
    spar__json_key(json, "options");
    spar__json_begin_array(json);
    for (size_t i = 0; i < r->verdict.n; i++)
        add_option(r, order[i], json);
    spar__json_end_array(json);
    add_before(r, order, json);
    add_json_places(r, json);
    add_range("tie", spar_standings_tie(r->standings, &range[0], &range[1], &range[2]), range, json);
    add_range("spread", spar_standings_spread(r->standings, &range[0], &range[1], &range[2]), range, json);
    add_json_scale(r, json);
    spar__json_end_object(json);
    spar__free(order);
}
