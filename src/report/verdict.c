#include "report/verdict.h"

#include "base/alloc.h"
#include "base/number.h"
#include "base/utf8.h"
#include "decide/decide.h"
#include "plot/plot.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_NAME = 160 };

static char *printable(const spar__verdict_report *v, size_t option)
{
    char out[LONGEST_NAME];
    const char *name = v->option(v->context, option);
    if (name)
        (void)spar__printable(out, sizeof out, name, strlen(name));
    else
        (void)snprintf(out, sizeof out, "option %zu (removed)", option + 1);
    return spar__strdup(out);
}

static spar_status name_options(spar__verdict_report *v)
{
    v->name = spar__alloc(v->n, sizeof *v->name);
    for (size_t i = 0; i < v->n && v->name; i++)
        if (!(v->name[i] = printable(v, i)))
            return SPAR_NOMEM;
    return v->name ? SPAR_OK : SPAR_NOMEM;
}

/* In the running first, then by share of wins, then as they came; retired ones last. */
typedef struct option_rank {
    size_t option;
    int class;
    double share;
} option_rank;

static int compare_ranks(const void *x, const void *y)
{
    const option_rank *a = x, *b = y;
    if (a->class != b->class)
        return a->class < b->class ? -1 : 1;
    if (a->share != b->share)
        return a->share > b->share ? -1 : 1;
    return a->option < b->option ? -1 : 1;
}

static option_rank rank_of(const spar__verdict_report *v, size_t option)
{
    const spar__option_evidence *o = &v->decision->evidence.option[option];
    int class = !spar_decision_is_live(v->decision, option) ? 2 : !spar_decision_in_running(v->decision, option);
    return (option_rank){option, class, (o->won + 1) / (o->won + o->lost + 2)};
}

static spar_status order_options(spar__verdict_report *v)
{
    option_rank *rank = spar__alloc(v->n, sizeof *rank);
    v->order = spar__alloc(v->n, sizeof *v->order);
    for (size_t i = 0; i < v->n && rank; i++)
        rank[i] = rank_of(v, i);
    if (rank)
        qsort(rank, v->n, sizeof *rank, compare_ranks);
    for (size_t i = 0; i < v->n && rank && v->order; i++)
        v->order[i] = rank[i].option;
    spar_status status = rank && v->order ? SPAR_OK : SPAR_NOMEM;
    spar__free(rank);
    return status;
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
    if (name_options(v) || order_options(v) || say(v))
        return SPAR_NOMEM;
    v->leader = spar_decision_leader(v->decision);
    v->closest.n = spar_decision_closest(v->decision, SPAR__VERDICT_PAIRS, v->closest.a, v->closest.b);
    v->next.n = spar_decision_next(v->decision, SPAR__VERDICT_PAIRS, v->next.a, v->next.b);
    return SPAR_OK;
}

spar_status spar__verdict_say_more(spar__verdict_report *v, const char *words)
{
    size_t length = strlen(v->sentence), more = strlen(words);
    char *sentence = spar__alloc(length + more + 1, 1);
    if (!sentence)
        return SPAR_NOMEM;
    memcpy(sentence, v->sentence, length);
    memcpy(sentence + length, words, more);
    spar__free(v->sentence);
    v->sentence = sentence;
    return SPAR_OK;
}

spar_status spar__verdict_say(spar__verdict_report *v, const char *sentence)
{
    char *copy = spar__strdup(sentence);
    if (!copy)
        return SPAR_NOMEM;
    spar__free(v->sentence);
    v->sentence = copy;
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

enum { PLOTTED = 40, DETAIL = 64 };

/* Without a leader: the first option of the list. */
static size_t center_of(const spar__verdict_report *v)
{
    return v->leader != SPAR_NO_OPTION ? v->leader : v->n ? v->order[0] : SPAR_NO_OPTION;
}

/* The room for texts of one row. */
typedef struct row_texts {
    char detail[DETAIL], instead[DETAIL];
} row_texts;

static void fill_row(const spar__verdict_report *v, size_t option, row_texts *texts, spar__interval_row *row)
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

static void draw(const spar__verdict_report *v, const char *subtitle, size_t n, const spar__interval_row *row,
                 spar__buf *out)
{
    char label[260] = "", note[300], percent[SPAR__NUMBER_SIZE];
    size_t center = center_of(v), left = v->n - n, running = spar_decision_running(v->decision);
    if (center != SPAR_NO_OPTION)
        (void)snprintf(label, sizeof label, "how often it comes before '%s'", v->name[center]);
    (void)spar__number_print_fixed(percent, 100 * (1 - v->delta), 4);
    size_t used = (size_t)snprintf(note, sizeof note,
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

spar_status spar__verdict_plot(const spar__verdict_report *v, const char *subtitle, spar__buf *out)
{
    size_t n = v->n < PLOTTED ? v->n : PLOTTED;
    spar__interval_row *row = spar__alloc(n, sizeof *row);
    row_texts *texts = spar__alloc(n, sizeof *texts);
    for (size_t i = 0; i < n && row && texts; i++)
        fill_row(v, v->order[i], &texts[i], &row[i]);
    if (row && texts)
        draw(v, subtitle, n, row, out);
    spar_status status = row && texts && !out->failed ? SPAR_OK : SPAR_NOMEM;
    spar__free(row);
    spar__free(texts);
    return status;
}
