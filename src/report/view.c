#include "report/view.h"

#include "base/buf.h"
#include "decide/decide.h"
#include "num/elementary.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool in_running(const spar__view *view, size_t option)
{
    return spar_decision_in_running(view->report->verdict.decision, option);
}

static bool never_shown(const spar__view *view, size_t option)
{
    uint64_t shown = 0;
    const spar_decision *decision = view->report->verdict.decision;
    (void)spar_decision_record(decision, option, &shown, NULL);
    return shown == 0 && spar_decision_is_live(decision, option);
}

void spar__view_names(const spar__view *view, const char *key, spar__view_has *has, size_t but, spar__json *json)
{
    const spar__verdict_report *v = &view->report->verdict;
    size_t total = 0, written = 0;
    char more[64];
    for (size_t i = 0; i < v->n; i++)
        total += i != but && has(view, i);
    size_t listed = total > SPAR__VIEW_NAMES ? SPAR__VIEW_NAMES - 1 : total;
    spar__json_key(json, key);
    spar__json_begin_array(json);
    for (size_t i = 0; i < v->n && written < listed; i++) {
        if (i == but || !has(view, i))
            continue;
        bool last = written > 0 && written + 1 == total;
        spar__json_begin_object(json);
        spar__json_add_string(json, "title", v->name[i]);
        spar__json_add_boolean(json, "comma", written > 0 && !last);
        spar__json_add_boolean(json, "and", last);
        spar__json_end_object(json);
        written++;
    }
    spar__json_end_array(json);
    (void)snprintf(more, sizeof more, "%s_more", key);
    spar__json_add_unsigned(json, more, total - listed);
    (void)snprintf(more, sizeof more, "%s_count", key);
    spar__json_add_unsigned(json, more, total);
}

void spar__view_percent(const char *key, double share, spar__json *json)
{
    char text[16];
    double percent = 100 * share;
    if (percent > 0 && percent < 0.5)
        (void)snprintf(text, sizeof text, "< 1");
    else if (percent < 100 && percent >= 99.5)
        (void)snprintf(text, sizeof text, "> 99");
    else
        (void)snprintf(text, sizeof text, "%d", (int)floor(percent + 0.5));
    spar__json_add_string(json, key, text);
}

static void add_decimal(const spar__view *view, const char *key, double value, spar__json *json)
{
    char text[SPAR__NUMBER_SIZE];
    (void)spar__number_print_fixed(text, value, 6);
    char *point = view->comma ? strchr(text, '.') : NULL;
    if (point)
        *point = ',';
    spar__json_add_string(json, key, text);
}

/* Which sentence it is, and what stands in it. */
static void add_sentence(const spar__view *view, spar__json *json)
{
    const spar__verdict_report *v = &view->report->verdict;
    spar_verdict verdict = spar_decision_verdict(v->decision);
    size_t running = spar_decision_running(v->decision), leader = v->leader;
    const spar__space_report *space = view->report->space.axes ? &view->report->space : NULL;
    if (space) /* about which nothing is decided */
        verdict = space->answers == 0   ? SPAR_VERDICT_NONE
                  : space->answers < 10 ? SPAR_VERDICT_EARLY
                                        : SPAR_VERDICT_OPEN;
    bool open = verdict == SPAR_VERDICT_OPEN && !space;
    spar__json_add_string(json, "verdict", spar_verdict_name(verdict));
    spar__json_key(json, "say");
    spar__json_begin_object(json);
    for (int i = SPAR_VERDICT_NONE; i < SPAR_VERDICT_OPEN; i++)
        spar__json_add_boolean(json, spar_verdict_name((spar_verdict)i), (int)verdict == i);
    spar__json_add_boolean(json, "believed", space && verdict == SPAR_VERDICT_OPEN && !space->level);
    spar__json_add_boolean(json, "believed_level", space && verdict == SPAR_VERDICT_OPEN && space->level);
    spar__json_add_boolean(json, "open_none", open && running == 0);
    spar__json_add_boolean(json, "open_one", open && running == 1);
    spar__json_add_boolean(json, "open_led", open && running > 1 && leader != SPAR_NO_OPTION);
    spar__json_add_boolean(json, "open_level", open && running > 1 && leader == SPAR_NO_OPTION);
    spar__json_end_object(json);
    spar__json_add_boolean(json, "settled", verdict == SPAR_VERDICT_BEST || verdict == SPAR_VERDICT_EQUAL);
    spar__json_add_string(json, "leader", leader == SPAR_NO_OPTION ? "" : v->name[leader]);
    spar__view_names(view, "others", in_running, running > 1 ? leader : SPAR_NO_OPTION, json);
    add_decimal(view, "delta", 100 * v->decision->evidence.delta, json);
    add_decimal(view, "eps", v->decision->evidence.eps, json);
    spar__view_percent("eps_percent", spar__logistic(v->decision->evidence.eps), json);
}

static void add_counts(const spar__view *view, spar__json *json)
{
    const spar__status_report *r = view->report;
    uint64_t screens = 0, answers = 0, undone = 0, imported = 0;
    spar_experiment_counts(r->experiment, &screens, &answers, &undone, &imported);
    spar__json_add_unsigned(json, "answers", answers);
    spar__json_add_unsigned(json, "speaking",
                            r->space.axes ? r->space.answers : spar_decision_answers(r->verdict.decision));
    spar__json_add_unsigned(json, "screens", screens);
    spar__json_add_unsigned(json, "undone", undone);
    spar__json_add_unsigned(json, "imported", imported);
    spar__json_add_unsigned(json, "all_bad", r->standings.bad);
    spar__json_add_unsigned(json, "skipped",
                            r->space.axes ? r->space.skipped : spar_decision_skipped(r->verdict.decision));
    spar__json_add_unsigned(json, "open_screens", spar_experiment_open_screens(r->experiment, NULL, 0, NULL));
    spar__json_add_unsigned(json, "n_options", r->n);
    spar__json_add_unsigned(json, "events", spar_experiment_sequence(r->experiment));
    spar__json_add_unsigned(json, "flagged", view->pace ? view->pace->flagged : 0);
}

/* Not the numbers that the sentences of `spar status` have, which are made in one language. */
static void add_warnings(const spar__view *view, spar__json *json)
{
    static const char *const key[SPAR_WARNINGS] = {"warn_few_voters",  "warn_one_voter",    "warn_one_item",
                                                   "warn_never_shown", "warn_disconnected", "warn_no_scale"};
    const spar__verdict_report *v = &view->report->verdict;
    bool late = spar_decision_verdict(v->decision) > SPAR_VERDICT_EARLY; /* before, nobody expects more */
    for (int w = 0; w < SPAR_WARNINGS; w++)
        spar__json_add_boolean(json, key[w], late && v->warning[w]);
    spar__view_names(view, "never", never_shown, SPAR_NO_OPTION, json);
}

static void add_forecast(const spar__view *view, spar__json *json)
{
    const spar__more_report *more = &view->report->more;
    bool open = spar_decision_verdict(view->report->verdict.decision) == SPAR_VERDICT_OPEN;
    spar__json_key(json, "forecast");
    if (!more->known || !open) {
        spar__json_null(json);
        return;
    }
    spar__json_begin_object(json);
    spar__json_add_boolean(json, "beyond", isinf(more->median));
    spar__json_add_boolean(json, "without_end", !isinf(more->median) && isinf(more->high));
    spar__json_add_boolean(json, "bounded", !isinf(more->median) && !isinf(more->high));
    spar__json_add_unsigned(json, "median", spar__more_rounded(more->median));
    spar__json_add_unsigned(json, "low", spar__more_rounded(more->low));
    spar__json_add_unsigned(json, "high", spar__more_rounded(more->high));
    spar__json_add_unsigned(json, "horizon", spar__more_rounded((double)more->horizon));
    spar__json_end_object(json);
}

/* 'A > B > C > A', with arrows. */
static void write_cycle(const spar__status_report *r, spar__buf *out)
{
    const spar__standings_report *s = &r->standings;
    for (size_t i = 0; i < s->n_cycle && i < SPAR__VERDICT_PAIRS; i++)
        spar__buf_printf(out, "%s \xE2\x86\x92 ", r->verdict.name[s->cycle[i]]);
    if (s->n_cycle)
        spar__buf_adds(out, s->n_cycle > SPAR__VERDICT_PAIRS ? "\xE2\x80\xA6" : r->verdict.name[s->cycle[0]]);
}

static void add_scale(const spar__view *view, spar__json *json)
{
    const spar__standings_report *s = &view->report->standings;
    bool misfit = s->standings && !s->fits;
    spar__buf cycle = {0};
    if (misfit)
        write_cycle(view->report, &cycle);
    json->out->failed |= cycle.failed;
    spar__json_add_boolean(json, "misfit", misfit);
    spar__json_add_string(json, "cycle", cycle.text ? cycle.text : "");
    spar__buf_free(&cycle);
}

void spar__view_json(const spar__view *view, spar__json *json)
{
    add_sentence(view, json);
    add_counts(view, json);
    add_forecast(view, json);
    add_warnings(view, json);
    add_scale(view, json);
    spar__view_rows(view, json);
    spar__view_groups(view, json);
    spar__view_pairs(view, json);
    spar__view_places(view, json);
    spar__view_pace(view, json);
    spar__view_space(view, json);
}
