#include "report/status.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "live/live.h"
#include "session/session.h"
#include "text/names.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const double DELTA = 0.05;

enum { MOST_EVENTS = 400000 }; /* that are read without being asked for */

/* How often each title is there. */
static spar_status count_titles(const spar_experiment *experiment, size_t n, spar__names *titles, size_t *times,
                                spar_error *err)
{
    for (size_t i = 0; i < n; i++) {
        const spar_option *option = spar_experiment_option(experiment, i);
        size_t number;
        if (!option)
            continue;
        if (spar__names_get(titles, spar_option_title(option), strlen(spar_option_title(option)), &number))
            return spar__fail_memory(err);
        times[number]++;
    }
    return SPAR_OK;
}

static spar_status make_title(const spar_option *option, bool unique, char **out)
{
    spar__buf text = {0};
    spar__buf_adds(&text, spar_option_title(option));
    if (!unique)
        spar__buf_printf(&text, " (%s)", spar_option_id(option));
    *out = text.text;
    return text.failed ? SPAR_NOMEM : SPAR_OK;
}

static spar_status make_titles(spar__status_report *r, spar_error *err)
{
    spar__names titles = {0};
    size_t *times = spar__alloc(r->n, sizeof *times);
    r->title = spar__alloc(r->n, sizeof *r->title);
    spar_status status =
        times && r->title ? count_titles(r->experiment, r->n, &titles, times, err) : spar__fail_memory(err);
    for (size_t i = 0; i < r->n && !status; i++) {
        const spar_option *option = spar_experiment_option(r->experiment, i);
        size_t number = 0;
        if (!option)
            continue;
        if (spar__names_get(&titles, spar_option_title(option), strlen(spar_option_title(option)), &number) ||
            make_title(option, times[number] == 1, &r->title[i]))
            status = spar__fail_memory(err);
    }
    spar__names_free(&titles);
    spar__free(times);
    return status;
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

/* The share of the answers that order nothing: ties, bad, skipped. */
static double silent_share(const spar__status_report *r)
{
    const spar_standings *st = r->standings.standings;
    uint64_t all = 0, spoke = spar_standings_answers(st) - spar_standings_tied(st);
    spar_experiment_counts(r->experiment, NULL, &all, NULL, NULL);
    all -= r->flagged < all ? r->flagged : all;
    return spoke < all ? 1 - (double)spoke / (double)all : 0;
}

static size_t count_live(const spar_decision *decision)
{
    size_t live = 0;
    for (size_t i = 0; i < spar_decision_options(decision); i++)
        live += spar_decision_is_live(decision, i) != 0;
    return live;
}

/* Is there a decision to come, and somebody to bring it about? */
static bool goes_on(const spar__status_report *r)
{
    const spar_standings *st = r->standings.standings;
    spar_verdict verdict = spar_decision_verdict(r->verdict.decision);
    return (verdict == SPAR_VERDICT_OPEN || verdict == SPAR_VERDICT_PRACTICAL) &&
           !spar_experiment_is_closed(r->experiment) && r->experiment->state->session->policy && st &&
           spar_standings_answers(st) > spar_standings_tied(st) && count_live(r->verdict.decision) > 1;
}

static spar_status look_ahead(spar__status_report *r, spar_error *err)
{
    char words[SPAR__MORE_WORDS] = "; ";
    if (!goes_on(r))
        return SPAR_OK;
    spar_status status =
        spar__more_look(&r->more, r->standings.standings, r->verdict.decision, r->experiment->state->session->policy,
                        spar_experiment_asks(r->experiment), silent_share(r), err);
    if (status || !r->more.known || spar_decision_verdict(r->verdict.decision) != SPAR_VERDICT_OPEN)
        return status;
    spar__more_words(&r->more, sizeof words - 2, words + 2);
    return spar__verdict_say_more(&r->verdict, words) ? spar__fail_memory(err) : SPAR_OK;
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
    if (how == SPAR__STANDINGS_NONE || !spar_experiment_items(r->experiment))
        return SPAR_OK;
    if (how == SPAR__STANDINGS_AUTO && spar_experiment_sequence(r->experiment) > MOST_EVENTS) {
        r->groups.why_not = "left out: reading so many answers takes a while; --standings approximate has them";
        return SPAR_OK;
    }
    return spar__item_groups_look(r->experiment, r->without_flagged, &r->groups, err);
}

static spar_status look(spar__status_report *r, spar__standings_how how, spar_error *err)
{
    r->verdict = (spar__verdict_report){.decision = r->own ? r->own : spar_experiment_decision(r->experiment),
                                        .delta = DELTA,
                                        .unit = "answer",
                                        .units = "answers",
                                        .shown = " times shown",
                                        .option = option_title,
                                        .voter = voter_name,
                                        .context = r};
    if (spar__verdict_look(&r->verdict) || (r->space.axes && spar__verdict_say(&r->verdict, r->space.sentence)))
        return spar__fail_memory(err);
    spar_status status = look_at_standings(r, how, err);
    return status ? status : look_at_groups(r, how, err);
}

spar_status spar__status_make(spar_experiment *experiment, bool without_flagged, spar__standings_how how,
                              spar__status_report *r, spar_error *err)
{
    *r = (spar__status_report){
        .experiment = experiment, .without_flagged = without_flagged, .n = spar_experiment_options(experiment)};
    spar_status status = spar_experiment_check_texts(experiment, err);
    if (!status)
        status = make_titles(r, err);
    if (!status)
        status = spar__space_look(experiment, without_flagged, &r->space, err);
    r->flagged = r->space.flagged;
    if (!status && without_flagged && !r->space.axes)
        status = spar__status_refold(experiment, &r->own, &r->flagged, err);
    if (!status)
        status = look(r, how, err);
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
    spar__item_groups_free(&r->groups);
    spar_decision_free(r->own);
    spar_text_free(r->voter);
    *r = (spar__status_report){0};
}

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

static void add_counts(const spar__status_report *r, spar__json *json)
{
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
}

static void add_experiment(const spar__status_report *r, spar__json *json)
{
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
}

/* Programs want the ids, which cannot be mistaken. */
static const char *option_id(void *context, size_t option)
{
    const spar__status_report *r = context;
    const spar_option *found = spar_experiment_option(r->experiment, option);
    return found ? spar_option_id(found) : NULL;
}

void spar__status_members(const spar__status_report *r, spar__json *json)
{
    spar__verdict_report verdict = r->verdict;
    verdict.option = option_id;
    verdict.title = option_title;
    if (r->space.axes)
        verdict.verdict = spar__space_verdict(&r->space);
    spar__verdict_json_head(&verdict, json);
    add_experiment(r, json);
    add_counts(r, json);
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
    spar__item_groups_json(&r->groups, &verdict, json);
    spar__more_json(&r->more, json);
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
