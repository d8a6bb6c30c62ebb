/* status_report.c - what is known about an experiment, found once for everything that shows it: `spar status`, the
 * pages, the shell that asks and tells, the bindings.
 *
 * The verdict is that of the experiment's own decision, or of one folded anew without flagged answers; standings, a
 * forecast of how many more answers a decision takes, and standings by group of items come beside it, each bounded in
 * what it costs: about a second in all, unless more is asked for. */
#include "report/status_report.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "decide/decide.h"
#include "live/exchange/history.h"
#include "live/exchange/rows.h"
#include "live/live.h"
#include "session/session.h"
#include "text/names.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double DELTA = 0.05;

/* --- the decision without flagged answers: what the experiment would say had they never been given --- */

typedef struct unflagged_fold {
    spar_decision *decision;
    spar__key_table imports; /* (sequence, 0) of those that were flagged where they come from */
    uint64_t flagged;
} unflagged_fold;

static spar_status take_event(void *context, const spar__history_entry *entry, spar_error *err)
{
    unflagged_fold *fold = context;
    spar_event_kind kind = spar_event_kind_of(entry->event);
    if (kind == SPAR_EVENT_OPTION && spar_event_version(entry->event) == 1)
        return spar_decision_add(fold->decision, NULL, err);
    return kind == SPAR_EVENT_RETIRED ? spar_decision_retire(fold->decision, spar_event_arm(entry->event), err)
                                      : SPAR_OK;
}

static spar_status take_answer(void *context, const spar__answered *a, spar_error *err)
{
    unflagged_fold *fold = context;
    if (spar_event_flags(a->entry->event) || spar__key_find(&fold->imports, a->entry->sequence, 0) != SPAR__NO_KEY) {
        fold->flagged++;
        return SPAR_OK;
    }
    return spar_decision_tell(fold->decision, a->round, a->given, spar_event_voter(a->entry->event), a->item, err);
}

/* --- how many more answers ---
 *
 * From the strengths that the answers so far leave open, played on by the policy and the rule of the experiment. */

enum { TRUTHS = 60, FEW_TRUTHS = 20, SHORTEST = 100 }; /* screens of a truth that are worth looking at */

static const double BUDGET = 4e5; /* microseconds */
static const double MEMORY = 1e8; /* bytes */

/* Beliefs with a matrix, which keep their answers. */
static bool is_joint(const spar_policy *policy)
{
    const char *spec = spar_policy_spec(policy);
    return strstr(spec, "pl") || strstr(spec, "gp") || strstr(spec, "kernel");
}

/* About what a screen costs, in microseconds. The clock is not asked: the same log gives the same words. */
static double cost_of(const spar_policy *policy)
{
    double n = (double)spar_arms_count(spar_policy_arms(policy)), m = (double)spar_policy_slots(policy);
    return 1 + 0.3 * m * m + 0.04 * n + (is_joint(policy) ? 3 + 0.03 * n * n : 0);
}

/* About how many bytes a truth takes. */
static double size_of(const spar_decision *decision, const spar_policy *policy)
{
    double n = (double)spar_arms_count(spar_policy_arms(policy)), answers = (double)spar_policy_rounds(policy);
    return 120 * (double)decision->evidence.pairs.count + 100 * n + (is_joint(policy) ? 100 * answers + 8 * n * n : 0);
}

/* How many truths can be played; 0: too few to say anything. */
static size_t truths_for(const spar_decision *decision, const spar_policy *policy)
{
    static const size_t tries[] = {TRUTHS, FEW_TRUTHS};
    for (size_t i = 0; i < 2; i++)
        if (BUDGET / cost_of(policy) >= (double)(tries[i] * SHORTEST) &&
            size_of(decision, policy) * (double)tries[i] <= MEMORY)
            return tries[i];
    return 0;
}

/* Standings are computed. asks: how people answer. silent: the share of answers that say nothing. What it costs is
 * bounded, about half a second and 100 MB; where that is too little for a forecast, or the policy cannot go on, there
 * is none. SPAR_NOMEM only. */
static spar_status more_look(spar__more_report *r, const spar_standings *standings, const spar_decision *decision,
                             const spar_policy *policy, spar_answer_kind asks, double silent, spar_error *err)
{
    const char *feedback = asks == SPAR_ANSWER_RANKING ? "ranking"
                           : asks == SPAR_ANSWER_PAIRS ? "all_pairs"
                                                       : "winner(rule=luce)";
    *r = (spar__more_report){0};
    if (!truths_for(decision, policy))
        return SPAR_OK;
    spar_forecast *f = NULL;
    spar_status status = spar_forecast_new(2, &f, err);
    if (!status)
        status = spar_forecast_set_standings(f, standings, err);
    if (!status)
        status = spar_forecast_set_truths(f, truths_for(decision, policy), err);
    if (!status)
        status = spar_forecast_set_work(f, (uint64_t)(BUDGET / cost_of(policy)), err);
    if (!status)
        status = spar_forecast_set_feedback(f, feedback, err);
    if (!status)
        status = spar_forecast_set_start(f, decision, policy, err);
    if (!status)
        status = spar_forecast_set_silent(f, silent > 0.99 ? 0.99 : silent, err);
    if (!status) {
        spar_forecast_set_threads(f, 1);
        status = spar_forecast_run(f, NULL, NULL, err);
    }
    if (!status)
        *r = (spar__more_report){.known = true,
                                 .low = spar_forecast_screens(f, 0, 0.1),
                                 .median = spar_forecast_screens(f, 0, 0.5),
                                 .high = spar_forecast_screens(f, 0, 0.9),
                                 .decided = spar_forecast_decided(f, 0, 1e300),
                                 .horizon = spar_forecast_horizon(f),
                                 .truths = spar_forecast_played(f)};
    spar_forecast_free(f);
    return status == SPAR_NOMEM ? status : SPAR_OK; /* what a policy cannot play is not known */
}

unsigned spar__more_rounded(double count)
{
    if (isinf(count))
        return 0;
    double unit = 1;
    while (count / unit >= 100)
        unit *= 10;
    double value = unit * floor(count / unit + 0.5);
    return value < 1 ? 1 : (unsigned)value;
}

static void add_count(const char *key, double count, spar__json *json)
{
    spar__json_add_number(json, key, isinf(count) ? count : ceil(count)); /* infinity is null */
}

/* The member "more_answers" of an object; null without a forecast. */
static void more_json(const spar__more_report *r, spar__json *json)
{
    spar__json_key(json, "more_answers");
    if (!r->known) {
        spar__json_null(json);
        return;
    }
    spar__json_begin_object(json);
    add_count("q10", r->low, json);
    add_count("median", r->median, json);
    add_count("q90", r->high, json);
    spar__json_add_number(json, "decided", r->decided);
    spar__json_add_unsigned(json, "horizon", r->horizon);
    spar__json_add_unsigned(json, "truths", r->truths);
    spar__json_end_object(json);
}

/* --- by group of items --- */

static void item_groups_free(spar__item_groups_report *r)
{
    for (size_t g = 0; g < r->n; g++) {
        spar_text_free(r->group[g].name);
        spar__group_answers_free(&r->group[g].has);
        spar__standings_report_free(&r->group[g].standings);
    }
    spar__free(r->group);
    *r = (spar__item_groups_report){0};
}

static void add_group(const spar__group_report *group, const spar__verdict_report *v, spar__json *json)
{
    size_t leader = spar_standings_leader(group->standings.standings);
    spar__json_begin_object(json);
    spar__json_add_string(json, "group", group->name);
    spar__json_add_unsigned(json, "items", group->has.items);
    spar__json_add_unsigned(json, "answers", group->has.answers);
    spar__json_add_string(json, "leader",
                          group->standings.standings && leader != (size_t)-1 ? v->option(v->context, leader) : NULL);
    spar__json_key(json, "options");
    spar__json_begin_array(json);
    for (size_t option = 0; option < v->n; option++) {
        const spar_standings *st = group->standings.standings;
        uint64_t shown = 0, chosen = 0;
        double mean = 0, low = 0, high = 0;
        (void)spar_decision_record(group->has.decision, option, &shown, &chosen);
        spar__json_begin_object(json);
        spar__json_add_string(json, "name", v->option(v->context, option));
        spar__json_add_unsigned(json, "shown", shown);
        spar__json_add_unsigned(json, "chosen", chosen);
        if (st && !spar_standings_strength(st, option, &mean, &low, &high)) {
            spar__json_add_number(json, "strength", mean);
            spar__json_add_number(json, "low", low);
            spar__json_add_number(json, "high", high);
        }
        spar__json_end_object(json);
    }
    spar__json_end_array(json);
    spar__json_end_object(json);
}

/* The members "items" and "by_group" of an object; nothing where there are no items. */
static void item_groups_json(const spar__item_groups_report *r, const spar__verdict_report *v, spar__json *json)
{
    uint64_t items = 0;
    if (r->why_not)
        spar__json_add_null(json, "by_group");
    if (!r->n)
        return;
    for (size_t g = 0; g < r->n; g++)
        items += r->group[g].has.items;
    spar__json_add_unsigned(json, "items", items);
    spar__json_key(json, "by_group");
    spar__json_begin_array(json);
    for (size_t g = 0; g < r->n; g++)
        add_group(&r->group[g], v, json);
    spar__json_end_array(json);
}

/* --- all that is known --- */

enum { MOST_EVENTS = 400000 }; /* that are read without being asked for */

static const char *title_of(void *context, size_t option)
{
    const spar__status_report *r = context;
    const spar_option *found = spar_experiment_option(r->experiment, option);
    return found ? spar_option_title(found) : NULL;
}

/* Programs want the ids, which cannot be mistaken. */
static const char *option_id(void *context, size_t option)
{
    const spar__status_report *r = context;
    const spar_option *found = spar_experiment_option(r->experiment, option);
    return found ? spar_option_id(found) : NULL;
}

static const char *option_title(void *context, size_t option)
{
    const spar__status_report *r = context;
    return option < r->n ? r->title[option] : NULL;
}

static const char *voter_name(void *context, uint64_t voter)
{
    spar__status_report *r = context;
    spar_text_free(r->voter);
    r->voter = NULL;
    (void)spar_experiment_voter_name(r->experiment, voter, &r->voter, NULL);
    return r->voter;
}

/* How many more answers, where there is a decision to come, and somebody to bring it about. */
static spar_status look_ahead(spar__status_report *r, spar_error *err)
{
    const spar_standings *st = r->standings.standings;
    const spar_decision *decision = r->verdict.decision;
    const spar_policy *policy = r->experiment->state->session->policy;
    spar_verdict verdict = spar_decision_verdict(decision);
    size_t live = 0;
    for (size_t i = 0; i < spar_decision_options(decision); i++)
        live += spar_decision_is_live(decision, i) != 0;
    if ((verdict != SPAR_VERDICT_OPEN && verdict != SPAR_VERDICT_PRACTICAL) || live < 2 || !policy || !st ||
        spar_experiment_is_closed(r->experiment) || spar_standings_answers(st) <= spar_standings_tied(st))
        return SPAR_OK;
    /* The share of the answers that order nothing: ties, bad, skipped. */
    uint64_t all = 0, spoke = spar_standings_answers(st) - spar_standings_tied(st);
    spar_experiment_counts(r->experiment, NULL, &all, NULL, NULL);
    all -= r->flagged < all ? r->flagged : all;
    double silent = spoke < all ? 1 - (double)spoke / (double)all : 0;
    spar__more_report *more = &r->more;
    spar_status status = more_look(more, st, decision, policy, spar_experiment_asks(r->experiment), silent, err);
    if (status || !more->known || verdict != SPAR_VERDICT_OPEN)
        return status;
    /* '; about 140 more answers (80 to 300)' */
    char words[160];
    unsigned horizon = spar__more_rounded((double)more->horizon), median = spar__more_rounded(more->median);
    if (isinf(more->median))
        (void)snprintf(words, sizeof words, "; probably more than %u more answers", horizon);
    else if (isinf(more->high))
        (void)snprintf(words, sizeof words, "; about %u more answer%s (%u to more than %u)", median,
                       spar__plural(median), spar__more_rounded(more->low), horizon);
    else
        (void)snprintf(words, sizeof words, "; about %u more answer%s (%u to %u)", median, spar__plural(median),
                       spar__more_rounded(more->low), spar__more_rounded(more->high));
    return spar__verdict_say(&r->verdict, true, words) ? spar__fail_memory(err) : SPAR_OK;
}

static spar_status look_at_standings(spar__status_report *r, spar__standings_how how, spar_error *err)
{
    if (how == SPAR__STANDINGS_NONE || spar_decision_answers(r->verdict.decision) == 0)
        return SPAR_OK;
    if (how == SPAR__STANDINGS_AUTO && spar_experiment_sequence(r->experiment) > MOST_EVENTS) {
        r->standings.why_not = "standings are left out: reading so many answers takes a while; --standings sampled or "
                               "approximate has them";
        return SPAR_OK;
    }
    spar_status status = spar_experiment_standings(r->experiment, r->without_flagged, &r->standings.standings, err);
    if (status == SPAR_UNSUPPORTED) { /* points of a continuous space */
        r->standings.why_not = "there are no standings: they are about a list of options, not about points";
        return SPAR_OK;
    }
    if (!status)
        status = spar__standings_look(&r->standings, how, DELTA, err);
    return status ? status : look_ahead(r, err);
}

static spar_status look_at_groups(spar__status_report *r, spar__standings_how how, spar_error *err)
{
    spar__item_groups_report *groups = &r->groups;
    if (how == SPAR__STANDINGS_NONE || !spar_experiment_items(r->experiment))
        return SPAR_OK;
    if (how == SPAR__STANDINGS_AUTO && spar_experiment_sequence(r->experiment) > MOST_EVENTS)
        groups->why_not = "left out: reading so many answers takes a while; --standings approximate has them";
    else if (spar__live_group_count(r->experiment) > SPAR__MOST_GROUPS)
        groups->why_not = "left out: there are more than 100 groups";
    if (groups->why_not)
        return SPAR_OK;
    size_t n = spar__live_group_count(r->experiment) + 1;
    spar__group_answers *has = spar__alloc(n, sizeof *has);
    groups->group = spar__alloc(n, sizeof *groups->group);
    spar_status status =
        has && groups->group ? spar__live_groups(r->experiment, r->without_flagged, has, err) : spar__fail_memory(err);
    groups->n = status ? 0 : n;
    for (size_t g = 0; g < groups->n; g++) { /* all first: they are then freed with the report */
        groups->group[g].has = has[g];
        groups->group[g].none = g + 1 == n;
        groups->group[g].standings.standings = has[g].standings;
        groups->group[g].has.standings = NULL;
    }
    spar__free(has);
    /* Names, and standings where a group has answers that compare options. */
    for (size_t g = 0; g < groups->n && !status; g++) {
        spar__group_report *group = &groups->group[g];
        if (!group->none)
            status = spar__live_group_name(r->experiment, g, &group->name, err);
        if (!status)
            status = spar__standings_look(&group->standings, SPAR__STANDINGS_APPROXIMATE, DELTA, err);
    }
    if (status) {
        item_groups_free(groups);
        return status;
    }
    if (n > 1 && !groups->group[n - 1].has.items && !groups->group[n - 1].has.answers)
        spar__group_answers_free(&groups->group[--groups->n].has); /* everything has a group */
    return SPAR_OK;
}

spar_status spar__status_make(spar_experiment *experiment, bool without_flagged, spar__standings_how how,
                              spar__status_report *r, spar_error *err)
{
    *r = (spar__status_report){
        .experiment = experiment, .without_flagged = without_flagged, .n = spar_experiment_options(experiment)};
    spar_status status = spar_experiment_check_texts(experiment, err);
    if (!status && (!(r->title = spar__alloc(r->n, sizeof *r->title)) ||
                    spar__verdict_titles(r->n, title_of, option_id, r, r->title)))
        status = spar__fail_memory(err);
    if (!status)
        status = spar__space_look(experiment, without_flagged, &r->space, err);
    r->flagged = r->space.flagged;
    if (!status && without_flagged && !r->space.axes) {
        unflagged_fold fold = {0};
        spar_decision_settings settings = {.size = sizeof settings, .live = 1};
        spar__answers answers = {.event = take_event, .answer = take_answer, .context = &fold};
        status = spar_decision_new(0, &settings, &fold.decision, err);
        if (!status)
            status = spar__source_flagged(experiment, &fold.imports, err);
        if (!status)
            status = spar__live_answers_each(experiment, &answers, err);
        spar__key_table_fini(&fold.imports);
        r->flagged = fold.flagged;
        r->own = status ? NULL : fold.decision;
        if (status)
            spar_decision_free(fold.decision);
    }
    r->verdict = (spar__verdict_report){.decision = r->own ? r->own : spar_experiment_decision(r->experiment),
                                        .delta = DELTA,
                                        .unit = "answer",
                                        .units = "answers",
                                        .shown = " times shown",
                                        .option = option_title,
                                        .voter = voter_name,
                                        .context = r};
    if (!status && (spar__verdict_look(&r->verdict) ||
                    (r->space.axes && spar__verdict_say(&r->verdict, false, r->space.sentence))))
        status = spar__fail_memory(err);
    if (!status)
        status = look_at_standings(r, how, err);
    if (!status)
        status = look_at_groups(r, how, err);
    if (status)
        spar__status_free(r);
    return status;
}

void spar__status_free(spar__status_report *r)
{
    for (size_t i = 0; i < r->n && r->title; i++)
        spar__free(r->title[i]);
    spar__free(r->title);
    spar__verdict_free(&r->verdict);
    spar__space_free(&r->space);
    spar__standings_report_free(&r->standings);
    item_groups_free(&r->groups);
    spar_decision_free(r->own);
    spar_text_free(r->voter);
    *r = (spar__status_report){0};
}

/* --- as pictures and as JSON --- */

static void write_subtitle(const spar__status_report *r, size_t room, char *out)
{
    uint64_t answers = 0;
    spar_experiment_counts(r->experiment, NULL, &answers, NULL, NULL);
    bool axes = r->space.axes != NULL;
    size_t n = axes ? spar_axes_count(r->space.axes) : r->n;
    (void)snprintf(out, room, "%.100s: %" PRIu64 " answer%s on %zu %s", spar_experiment_place(r->experiment), answers,
                   spar__plural(answers), n, axes ? (n == 1 ? "axis" : "axes") : (n == 1 ? "option" : "options"));
}

spar_status spar__status_plot(const spar__status_report *r, spar__buf *out)
{
    char subtitle[200];
    write_subtitle(r, sizeof subtitle, subtitle);
    if (r->space.axes)
        return spar__space_plot(&r->space, subtitle, out);
    return spar__verdict_plot(&r->verdict, subtitle, out);
}

spar_status spar__status_plot_standings(const spar__status_report *r, spar__buf *out)
{
    char subtitle[200];
    write_subtitle(r, sizeof subtitle, subtitle);
    return r->standings.standings ? spar__standings_plot(&r->standings, &r->verdict, subtitle, out) : SPAR_OK;
}

void spar__status_members(const spar__status_report *r, spar__json *json)
{
    spar__verdict_report verdict = r->verdict;
    verdict.option = option_id;
    verdict.title = option_title;
    if (r->space.axes)
        verdict.verdict = spar__space_verdict(&r->space);
    spar__verdict_json_head(&verdict, json);
    unsigned char hash[SPAR_HASH_SIZE];
    char head[2 * SPAR_HASH_SIZE + 1];
    spar_experiment_head(r->experiment, hash);
    for (size_t i = 0; i < sizeof hash; i++)
        (void)snprintf(head + 2 * i, 3, "%02x", hash[i]);
    spar__json_add_string(json, "experiment", r->name ? r->name : spar_experiment_place(r->experiment));
    spar__json_add_string(json, "question", spar_experiment_question(r->experiment));
    spar__json_add_string(json, "policy", spar_experiment_policy(r->experiment));
    spar__json_add_string(json, "answer", spar_answer_kind_name(spar_experiment_asks(r->experiment)));
    spar__json_add_unsigned(json, "m", spar_experiment_slots(r->experiment));
    spar__json_add_boolean(json, "closed", spar_experiment_is_closed(r->experiment));
    spar__json_add_number(json, "delta", DELTA);
    spar__json_add_unsigned(json, "events", spar_experiment_sequence(r->experiment));
    spar__json_add_string(json, "head", head);
    uint64_t screens = 0, answers = 0, undone = 0, imported = 0;
    spar_experiment_counts(r->experiment, &screens, &answers, &undone, &imported);
    spar__json_add_unsigned(json, "screens", screens);
    spar__json_add_unsigned(json, "answers", answers);
    spar__json_add_unsigned(json, "imported", imported);
    spar__json_add_unsigned(json, "undone", undone);
    spar__json_add_unsigned(json, "skipped",
                            r->space.axes ? r->space.skipped : spar_decision_skipped(r->verdict.decision));
    spar__json_add_unsigned(json, "open_screens", spar_experiment_open_screens(r->experiment, NULL, 0, NULL));
    if (r->without_flagged)
        spar__json_add_unsigned(json, "without_flagged", r->flagged);
    if (r->space.axes)
        spar__space_report_json(&r->space, json);
    spar__verdict_json_options(&verdict, json);
    spar__verdict_json_pairs(&verdict, json);
    spar__json_key(json, "warnings");
    spar__json_begin_array(json);
    spar__verdict_json_warnings(&verdict, json);
    spar__standings_json_warnings(&r->standings, &verdict, json);
    spar__json_end_array(json);
    spar__verdict_json_all_pairs(&verdict, json);
    spar__standings_json(&r->standings, &verdict, json);
    item_groups_json(&r->groups, &verdict, json);
    more_json(&r->more, json);
}

spar_status spar__status_json(spar_experiment *experiment, bool without_flagged, spar__standings_how how,
                              spar__json *json, spar_error *err)
{
    spar__status_report report;
    spar_status status = spar__status_make(experiment, without_flagged, how, &report, err);
    if (status)
        return status;
    spar__status_members(&report, json);
    spar__status_free(&report);
    return SPAR_OK;
}
