/* verdict.c - what answers say, as reports: the verdict of a decision rule, and beside it the standings, a model of
 * choices. Everything that shows them (decide, status, pages) takes names, order, sentences, JSON and pictures from
 * here. A verdict costs a sort of the options; standings that nobody asked for cost less than a second, or are
 * approximate, or are left out with a sentence. */

#include "report/verdict.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "decide/decide.h"
#include "num/elementary.h"
#include "plot/plot.h"
#include "text/names.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- names --- */

enum { LONGEST_NAME = 160 };

spar_status spar__verdict_titles(size_t n, spar__verdict_name *title, spar__verdict_name *id, void *context, char **out)
{
    spar__names names = {0};
    size_t *times = spar__alloc(n, sizeof *times), *number = spar__alloc(n, sizeof *number);
    bool good = times && number;
    for (size_t i = 0; i < n && good; i++) {
        const char *text = title(context, i);
        good = !text || !spar__names_get(&names, text, strlen(text), &number[i]);
        if (text && good)
            times[number[i]]++;
    }
    for (size_t i = 0; i < n && good; i++) {
        spar__buf text = {0};
        if (!title(context, i))
            continue;
        spar__buf_adds(&text, title(context, i));
        if (times[number[i]] > 1)
            spar__buf_printf(&text, " (%s)", id(context, i));
        out[i] = text.text;
        good = !text.failed;
    }
    spar__names_free(&names);
    spar__free(times);
    spar__free(number);
    return good ? SPAR_OK : SPAR_NOMEM;
}

/* --- the verdict --- */

/* Options are listed by class, then by falling value, then as they came. */
typedef struct option_rank {
    size_t option;
    int class;
    double value;
} option_rank;

static int compare_ranks(const void *x, const void *y)
{
    const option_rank *a = x, *b = y;
    if (a->class != b->class)
        return a->class < b->class ? -1 : 1;
    if (a->value != b->value)
        return a->value > b->value ? -1 : 1;
    return a->option < b->option ? -1 : 1;
}

static const char *option_name(void *context, size_t option)
{
    const spar__verdict_report *v = context;
    return v->name[option];
}

/* A name for each call: warnings name one voter at most. */
static const char *voter_name(void *context, uint64_t voter)
{
    const spar__verdict_report *v = context;
    static char text[LONGEST_NAME];
    const char *name = v->voter ? v->voter(v->context, voter) : NULL;
    if (name)
        (void)spar__printable(text, sizeof text, name, strlen(name));
    return name ? text : NULL;
}

static spar_status say(spar__verdict_report *v)
{
    spar_decision_names names = {sizeof names, v, option_name, voter_name};
    size_t length = spar_decision_sentence(v->decision, &names, NULL, 0);
    if (!(v->sentence = spar__alloc(length + 1, 1)))
        return SPAR_NOMEM;
    (void)spar_decision_sentence(v->decision, &names, v->sentence, length + 1);
    for (int w = 0; w < SPAR_WARNINGS; w++) {
        char text[2000];
        spar_status status = spar_decision_warning(v->decision, (spar_warning)w, &names, text, sizeof text, &length);
        if (status || (length > 0 && !(v->warning[w] = spar__strdup(text))))
            return SPAR_NOMEM;
    }
    return SPAR_OK;
}

spar_status spar__verdict_look(spar__verdict_report *v)
{
    v->n = spar_decision_options(v->decision);
    v->name = spar__alloc(v->n, sizeof *v->name);
    v->order = spar__alloc(v->n, sizeof *v->order);
    option_rank *rank = spar__alloc(v->n, sizeof *rank);
    bool good = v->name && v->order && rank;
    for (size_t i = 0; good && i < v->n; i++) {
        char printable[LONGEST_NAME];
        const char *name = v->option(v->context, i);
        if (name)
            (void)spar__printable(printable, sizeof printable, name, strlen(name));
        else
            (void)snprintf(printable, sizeof printable, "option %zu (removed)", i + 1);
        good = (v->name[i] = spar__strdup(printable));
        /* In the running first, then by share of wins; retired ones last. */
        const spar__option_evidence *o = &v->decision->evidence.option[i];
        int class = !spar_decision_is_live(v->decision, i) ? 2 : !spar_decision_in_running(v->decision, i);
        rank[i] = (option_rank){i, class, (o->won + 1) / (o->won + o->lost + 2)};
    }
    if (good)
        qsort(rank, v->n, sizeof *rank, compare_ranks);
    for (size_t i = 0; good && i < v->n; i++)
        v->order[i] = rank[i].option;
    spar__free(rank);
    if (!good || say(v))
        return SPAR_NOMEM;
    v->leader = spar_decision_leader(v->decision);
    v->closest.n = spar_decision_closest(v->decision, SPAR__VERDICT_PAIRS, v->closest.a, v->closest.b);
    v->next.n = spar_decision_next(v->decision, SPAR__VERDICT_PAIRS, v->next.a, v->next.b);
    return SPAR_OK;
}

spar_status spar__verdict_say(spar__verdict_report *v, bool more, const char *words)
{
    spar__buf text = {0};
    spar__buf_printf(&text, "%s%s", more ? v->sentence : "", words);
    if (text.failed) {
        spar__buf_free(&text);
        return SPAR_NOMEM;
    }
    spar__free(v->sentence);
    v->sentence = text.text;
    return SPAR_OK;
}

void spar__verdict_free(spar__verdict_report *v)
{
    for (size_t i = 0; v->name && i < v->n; i++)
        spar__free(v->name[i]);
    for (int w = 0; w < SPAR_WARNINGS; w++)
        spar__free(v->warning[w]);
    spar__free(v->name);
    spar__free(v->order);
    spar__free(v->sentence);
}

/* --- the standings --- */

static const double LONGEST = 0.8; /* seconds that nobody asked for */

spar__standings_how spar__standings_how_of(const char *word)
{
    static const char *const name[] = {"none", "auto", "sampled", "approximate"};
    size_t how = 0;
    while (how + 1 < sizeof name / sizeof *name && strcmp(word, name[how]) != 0)
        how++;
    return (spar__standings_how)how;
}

static spar_status leave_out(spar__standings_report *r, const char *why)
{
    spar_standings_free(r->standings);
    *r = (spar__standings_report){.tied = r->tied, .bad = r->bad, .why_not = why};
    return SPAR_OK;
}

spar_status spar__standings_look(spar__standings_report *r, spar__standings_how how, double delta, spar_error *err)
{
    r->why_not = NULL;
    r->tied = spar_standings_tied(r->standings);
    r->bad = spar_standings_all_bad(r->standings);
    if (spar_standings_answers(r->standings) == 0)
        return leave_out(r, "there are no standings: no answer compares options");
    if (how == SPAR__STANDINGS_AUTO && spar__standings_seconds(r->standings, false) > LONGEST)
        return leave_out(r, "standings are left out: they take more than a second; --standings approximate has them");
    bool many = spar_standings_options(r->standings) > SPAR__STANDINGS_SAMPLED;
    r->approximate = NULL;
    if (how == SPAR__STANDINGS_APPROXIMATE)
        r->approximate = "as asked for";
    else if (how != SPAR__STANDINGS_SAMPLE && many)
        r->approximate = "more than 200 options";
    else if (how != SPAR__STANDINGS_SAMPLE && spar__standings_seconds(r->standings, true) > LONGEST)
        r->approximate = "many answers; --standings sampled takes longer";
    spar_standings_set_method(r->standings, r->approximate ? SPAR_STANDINGS_APPROXIMATE : SPAR_STANDINGS_SAMPLED);
    spar_status status = spar_standings_compute(r->standings, err);
    if (!status)
        status =
            spar_standings_scale(r->standings, &r->scale_evidence, SPAR__VERDICT_PAIRS, r->cycle, &r->n_cycle, err);
    r->fits = r->scale_evidence < -spar__log(delta);
    return status;
}

void spar__standings_report_free(spar__standings_report *r)
{
    spar_standings_free(r->standings);
    *r = (spar__standings_report){0};
}

size_t *spar__standings_order(const spar__standings_report *r)
{
    size_t n = spar_standings_options(r->standings), *order = spar__alloc(n, sizeof *order);
    option_rank *list = order ? spar__alloc(n, sizeof *list) : NULL;
    if (!list) {
        spar__free(order);
        return NULL;
    }
    for (size_t i = 0; i < n; i++) {
        list[i] = (option_rank){.option = i, .class = spar_standings_group(r->standings, i) == (size_t)-1};
        (void)spar_standings_strength(r->standings, i, &list[i].value, NULL, NULL);
    }
    qsort(list, n, sizeof *list, compare_ranks);
    for (size_t i = 0; i < n; i++)
        order[i] = list[i].option;
    spar__free(list);
    return order;
}

const char spar__place_advice[] = "where places are shuffled, as spar does, no option gains by it, but a decision "
                                  "takes more answers; spar judge --swap counts what changes with the places as ties";

void spar__standings_say_places(const spar__standings_report *r, const spar__verdict_report *v, spar__buf *out)
{
    const char *before = "place effect: ";
    bool any = false, late = spar_decision_verdict(v->decision) > SPAR_VERDICT_EARLY;
    for (size_t place = 1; late && place < spar_standings_places(r->standings); place++) {
        double mean, low, high;
        if (spar_standings_place(r->standings, place, &mean, &low, &high) || (low <= 0 && high >= 0))
            continue;
        if (mean < 0)
            spar__buf_printf(out, "%splace 1 is preferred to place %zu by %.2f (%.2f to %.2f)", before, place + 1,
                             -mean, -high, -low);
        else
            spar__buf_printf(out, "%splace %zu is preferred to place 1 by %.2f (%.2f to %.2f)", before, place + 1, mean,
                             low, high);
        before = ", ";
        any = true;
    }
    if (any)
        spar__buf_printf(out, " in log-odds; strengths are corrected for it; %s", spar__place_advice);
}

void spar__standings_say_scale(const spar__standings_report *r, const spar__verdict_report *v, spar__buf *out)
{
    if (!r->standings || r->fits)
        return;
    spar__buf_printf(out, "no single logistic scale fits these %s", v->units);
    for (size_t i = 0; i < r->n_cycle && i < SPAR__VERDICT_PAIRS; i++)
        spar__buf_printf(out, "%s%s", i ? " over " : ": ", v->name[r->cycle[i]]);
    if (r->n_cycle)
        spar__buf_printf(out, r->n_cycle <= SPAR__VERDICT_PAIRS ? " over %s" : " ... over %s", v->name[r->cycle[0]]);
}

/* --- the verdict as JSON --- */

static const char *name_of(const spar__verdict_report *v, size_t option)
{
    return option == SPAR_NO_OPTION ? NULL : v->option(v->context, option);
}

void spar__verdict_json_head(const spar__verdict_report *v, spar__json *json)
{
    spar__json_add_string(json, "verdict",
                          v->verdict ? v->verdict : spar_verdict_name(spar_decision_verdict(v->decision)));
    spar__json_add_string(json, "sentence", v->sentence);
    spar__json_add_string(json, "leader", name_of(v, v->leader));
}

void spar__verdict_json_options(const spar__verdict_report *v, spar__json *json)
{
    spar__json_key(json, "options");
    spar__json_begin_array(json);
    for (size_t i = 0; i < v->n; i++) {
        uint64_t shown = 0, chosen = 0;
        size_t option = v->order[i];
        const spar__option_evidence *o = &v->decision->evidence.option[option];
        (void)spar_decision_record(v->decision, option, &shown, &chosen);
        spar__json_begin_object(json);
        spar__json_add_string(json, "name", name_of(v, option));
        if (v->title)
            spar__json_add_string(json, "title", v->title(v->context, option));
        if (!spar_decision_is_live(v->decision, option))
            spar__json_add_boolean(json, "retired", true);
        spar__json_add_boolean(json, "in_running", spar_decision_in_running(v->decision, option));
        spar__json_add_unsigned(json, "shown", shown);
        spar__json_add_unsigned(json, "chosen", chosen);
        spar__json_add_number(json, "pairs_won", o->won);
        spar__json_add_number(json, "pairs_lost", o->lost);
        spar__json_end_object(json);
    }
    spar__json_end_array(json);
}

static void add_pair(const spar__verdict_report *v, size_t a, size_t b, bool interval, spar__json *json)
{
    double before = 0, behind = 0, ties = 0, low = 0, high = 1;
    (void)spar_decision_pair(v->decision, a, b, &before, &behind, &ties);
    spar__json_begin_object(json);
    spar__json_add_string(json, "a", name_of(v, a));
    spar__json_add_string(json, "b", name_of(v, b));
    spar__json_add_number(json, "before", before);
    spar__json_add_number(json, "behind", behind);
    spar__json_add_number(json, "ties", ties);
    if (interval) {
        (void)spar_decision_interval(v->decision, a, b, 0, &low, &high);
        spar__json_add_number(json, "low", low);
        spar__json_add_number(json, "high", high);
    }
    spar__json_end_object(json);
}

static void add_listed(const spar__verdict_report *v, const char *key, const spar__verdict_pairs *pairs,
                       spar__json *json)
{
    spar__json_key(json, key);
    spar__json_begin_array(json);
    for (size_t i = 0; i < pairs->n; i++)
        add_pair(v, pairs->a[i], pairs->b[i], true, json);
    spar__json_end_array(json);
}

void spar__verdict_json_pairs(const spar__verdict_report *v, spar__json *json)
{
    add_listed(v, "closest", &v->closest, json);
    add_listed(v, "next", &v->next, json);
}

/* Every pair that an answer was about. */
void spar__verdict_json_all_pairs(const spar__verdict_report *v, spar__json *json)
{
    const spar__pair_table *pairs = &v->decision->evidence.pairs;
    spar__json_key(json, "pairs");
    spar__json_begin_array(json);
    for (size_t i = 0; i < pairs->count; i++)
        add_pair(v, pairs->row[i].a, pairs->row[i].b, false, json);
    spar__json_end_array(json);
}

void spar__verdict_json_warning(const char *kind, const char *text, spar__json *json)
{
    spar__json_begin_object(json);
    spar__json_add_string(json, "kind", kind);
    spar__json_add_string(json, "text", text);
    spar__json_end_object(json);
}

void spar__verdict_json_warnings(const spar__verdict_report *v, spar__json *json)
{
    static const char *const kind[SPAR_WARNINGS] = {"few_voters",  "one_voter",    "one_item",
                                                    "never_shown", "disconnected", "no_scale"};
    for (int w = 0; w < SPAR_WARNINGS; w++)
        if (v->warning[w])
            spar__verdict_json_warning(kind[w], v->warning[w], json);
}

/* --- the standings as JSON --- */

enum { TABLE = 40 }; /* options of which every pair is listed */

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
    spar__json_add_string(json, "leader", name_of(v, leader));
    spar__json_key(json, "options");
    spar__json_begin_array(json);
    for (size_t i = 0; i < spar_standings_options(st); i++) {
        size_t option = order[i];
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
    spar__json_end_array(json);
    add_before(st, order, json);
    double range[3];
    add_places(st, json);
    add_range("tie", spar_standings_tie(st, &range[0], &range[1], &range[2]), range, json);
    add_range("spread", spar_standings_spread(st, &range[0], &range[1], &range[2]), range, json);
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

/* --- pictures --- */

enum { PLOTTED = 40, DETAIL = 64 }; /* options; bytes of a text beside one */

/* Without a leader: the first option of the list. */
static size_t center_of(const spar__verdict_report *v)
{
    return v->leader != SPAR_NO_OPTION ? v->leader : v->n ? v->order[0] : SPAR_NO_OPTION;
}

/* The room for texts of one row. */
typedef struct row_texts {
    char detail[DETAIL], instead[DETAIL];
} row_texts;

static void fill_verdict_row(const spar__verdict_report *v, size_t option, row_texts *texts, spar__interval_row *row)
{
    uint64_t shown = 0, chosen = 0;
    double before = 0, behind = 0;
    size_t center = center_of(v);
    (void)spar_decision_record(v->decision, option, &shown, &chosen);
    (void)snprintf(texts->detail, DETAIL, "chosen %" PRIu64 " of %" PRIu64, chosen, shown);
    *row = (spar__interval_row){.label = v->name[option],
                                .detail = shown ? texts->detail : "never shown",
                                .high = 1,
                                .faint = !spar_decision_in_running(v->decision, option)};
    if (option == center) {
        row->instead = v->leader != center ? "the others are compared with this one"
                       : spar_decision_verdict(v->decision) == SPAR_VERDICT_BEST ? "is best"
                                                                                 : "leads";
        return;
    }
    (void)spar_decision_pair(v->decision, option, center, &before, &behind, NULL);
    (void)spar_decision_interval(v->decision, option, center, 0, &row->low, &row->high);
    row->value = before + behind > 0 ? before / (before + behind) : NAN;
    if (!(before + behind > 0)) {
        (void)snprintf(texts->instead, DETAIL, "no %s on the two", v->unit);
        row->instead = texts->instead;
    }
}

spar_status spar__verdict_plot(const spar__verdict_report *v, const char *subtitle, spar__buf *out)
{
    size_t n = v->n < PLOTTED ? v->n : PLOTTED;
    spar__interval_row *row = spar__alloc(n, sizeof *row);
    row_texts *texts = spar__alloc(n, sizeof *texts);
    for (size_t i = 0; i < n && row && texts; i++)
        fill_verdict_row(v, v->order[i], &texts[i], &row[i]);
    if (row && texts) {
        char label[260] = "", note[300], percent[SPAR__NUMBER_SIZE];
        size_t center = center_of(v), left = v->n - n, running = spar_decision_running(v->decision);
        if (center != SPAR_NO_OPTION)
            (void)snprintf(label, sizeof label, "how often it comes before '%s'", v->name[center]);
        (void)spar__number_print_fixed(percent, 100 * (1 - v->delta), 4);
        size_t used =
            (size_t)snprintf(note, sizeof note,
                             "Dots: the %s that order the two. Bars: intervals that hold for all pairs at once, "
                             "however often one looks, with probability %s %%.",
                             v->units, percent);
        if (left)
            (void)snprintf(note + used, sizeof note - used, " %zu more option%s not shown.", left,
                           left == 1 ? " is" : "s are");
        spar__interval_figure figure = {.title = v->sentence,
                                        .subtitle = subtitle,
                                        .x_label = label,
                                        .note = note,
                                        .strong = "in the running",
                                        .faint = running < v->n ? "out" : NULL,
                                        .n = n,
                                        .row = row};
        spar__plot_intervals(&figure, out);
    }
    spar_status status = row && texts && !out->failed ? SPAR_OK : SPAR_NOMEM;
    spar__free(row);
    spar__free(texts);
    return status;
}

spar_status spar__standings_plot(const spar__standings_report *r, const spar__verdict_report *v, const char *subtitle,
                                 spar__buf *out)
{
    size_t n = v->n < PLOTTED ? v->n : PLOTTED;
    size_t *order = spar__standings_order(r);
    spar__interval_row *row = spar__alloc(n, sizeof *row);
    char(*detail)[DETAIL] = spar__alloc(n, sizeof *detail);
    for (size_t i = 0; order && i < n && row && detail; i++) {
        double mean = 0, low = 0, high = 0, best = spar_standings_best(r->standings, order[i]);
        (void)spar_standings_strength(r->standings, order[i], &mean, &low, &high);
        (void)snprintf(detail[i], DETAIL, "best with probability %.0f %%", 100 * best);
        row[i] = (spar__interval_row){.label = v->name[order[i]],
                                      .detail = detail[i],
                                      .value = spar__logistic(mean),
                                      .low = spar__logistic(low),
                                      .high = spar__logistic(high),
                                      .faint = spar_standings_group(r->standings, order[i]) > 0};
    }
    if (order && row && detail) {
        spar__interval_figure figure = {
            .title = "Standings in a model of choices",
            .subtitle = subtitle,
            .x_label = "how often it would be chosen over the average option",
            .note =
                "Bars: each holds the value with probability 95 %, if the model is right and for one look. They are no "
                "rule for stopping.",
            .strong = "not separated from the first",
            .faint = "behind it",
            .n = n,
            .row = row};
        spar__plot_intervals(&figure, out);
    }
    spar_status status = order && row && detail && !out->failed ? SPAR_OK : SPAR_NOMEM;
    spar__free(order);
    spar__free(row);
    spar__free(detail);
    return status;
}
