#include "cli/status/status.h"

#include "base/alloc.h"
#include "cli/wrap.h"
#include "text/names.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const double DELTA = 0.05;

enum { LINES = 100 }; /* of a question */

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

spar_status spar__status_make(spar_experiment *experiment, bool without_flagged, spar__status_report *r,
                              spar_error *err)
{
    *r = (spar__status_report){
        .experiment = experiment, .without_flagged = without_flagged, .n = spar_experiment_options(experiment)};
    spar_status status = spar_experiment_check_texts(experiment, err);
    if (!status)
        status = make_titles(r, err);
    if (!status && without_flagged)
        status = spar__status_refold(experiment, &r->own, &r->flagged, err);
    r->verdict = (spar__verdict_report){.decision = r->own ? r->own : spar_experiment_decision(experiment),
                                        .delta = DELTA,
                                        .unit = "answer",
                                        .units = "answers",
                                        .shown = " times shown",
                                        .option = option_title,
                                        .voter = voter_name,
                                        .context = r};
    if (!status && spar__verdict_look(&r->verdict))
        status = spar__fail_memory(err);
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
    spar_decision_free(r->own);
    spar_text_free(r->voter);
    *r = (spar__status_report){0};
}

static void add_part(uint64_t count, const char *one, const char *many, const char **before, spar__buf *out)
{
    if (!count)
        return;
    spar__buf_adds(out, *before);
    spar__verdict_count(count, one, many, out);
    *before = ", ";
}

/* '42 answers on 4 options: 2 skipped, 1 screen still open'. */
static void add_counted(const spar__status_report *r, spar__buf *out)
{
    uint64_t screens = 0, answers = 0, undone = 0, imported = 0;
    const char *before = ": ";
    spar_experiment_counts(r->experiment, &screens, &answers, &undone, &imported);
    spar__verdict_count(answers, "answer on ", "answers on ", out);
    spar__verdict_count(r->n, "option", "options", out);
    add_part(spar_decision_skipped(r->verdict.decision), "that says nothing (bad, skipped)",
             "that say nothing (bad, skipped)", &before, out);
    add_part(imported, "imported", "imported", &before, out);
    add_part(undone, "taken back", "taken back", &before, out);
    add_part(spar_experiment_open_screens(r->experiment, NULL, 0, NULL), "screen still open", "screens still open",
             &before, out);
}

static void add_summary(const spar__status_report *r, spar__layout layout, spar__buf *out)
{
    spar__buf line = {0};
    add_counted(r, &line);
    out->failed |= line.failed;
    spar__wrap(line.failed ? "" : line.text, layout.width, 2, 0, LINES, out);
    spar__buf_adds(out, "\n");
    if (r->without_flagged)
        spar__buf_printf(out, "without %" PRIu64 " flagged %s\n", r->flagged, r->flagged == 1 ? "answer" : "answers");
    if (spar_experiment_is_closed(r->experiment))
        spar__buf_adds(out, "closed\n");
    spar__buf_free(&line);
}

void spar__status_text(const spar__status_report *r, spar__layout layout, spar__buf *out)
{
    const char *question = spar_experiment_question(r->experiment);
    spar__verdict_sentence(&r->verdict, layout, out);
    if (question) {
        spar__wrap(question, layout.width, 0, 0, LINES, out);
        spar__buf_adds(out, "\n");
    }
    add_summary(r, layout, out);
    spar__verdict_options(&r->verdict, layout, out);
    spar__verdict_closest(&r->verdict, layout, out);
    spar__verdict_next(&r->verdict, layout, out);
    spar__verdict_warnings(&r->verdict, layout, out);
}

spar_status spar__status_plot(const spar__status_report *r, spar__buf *out)
{
    char subtitle[200];
    uint64_t answers = 0;
    spar_experiment_counts(r->experiment, NULL, &answers, NULL, NULL);
    (void)snprintf(subtitle, sizeof subtitle, "%.100s: %" PRIu64 " answer%s on %zu options",
                   spar_experiment_place(r->experiment), answers, answers == 1 ? "" : "s", r->n);
    return spar__verdict_plot(&r->verdict, subtitle, out);
}

static void add_counts(const spar__status_report *r, spar__json *json)
{
    uint64_t screens = 0, answers = 0, undone = 0, imported = 0;
    spar_experiment_counts(r->experiment, &screens, &answers, &undone, &imported);
    spar__json_add_unsigned(json, "screens", screens);
    spar__json_add_unsigned(json, "answers", answers);
    spar__json_add_unsigned(json, "imported", imported);
    spar__json_add_unsigned(json, "undone", undone);
    spar__json_add_unsigned(json, "skipped", spar_decision_skipped(r->verdict.decision));
    spar__json_add_unsigned(json, "open_screens", spar_experiment_open_screens(r->experiment, NULL, 0, NULL));
    if (r->without_flagged)
        spar__json_add_unsigned(json, "without_flagged", r->flagged);
}

static void add_experiment(const spar__status_report *r, spar__json *json)
{
    unsigned char hash[SPAR_HASH_SIZE];
    char head[2 * SPAR_HASH_SIZE + 1];
    spar_experiment_head(r->experiment, hash);
    spar__hash_text(hash, head);
    spar__json_add_string(json, "experiment", spar_experiment_place(r->experiment));
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
    return spar__option_id_or(spar_experiment_option(r->experiment, option), NULL);
}

spar_status spar__status_json(spar_experiment *experiment, bool without_flagged, spar__json *json, spar_error *err)
{
    spar__status_report report;
    spar_status status = spar__status_make(experiment, without_flagged, &report, err);
    if (status)
        return status;
    report.verdict.option = option_id;
    report.verdict.title = option_title;
    spar__verdict_json_head(&report.verdict, json);
    add_experiment(&report, json);
    add_counts(&report, json);
    spar__verdict_json_options(&report.verdict, json);
    spar__verdict_json_pairs(&report.verdict, json);
    spar__json_key(json, "warnings");
    spar__json_begin_array(json);
    spar__verdict_json_warnings(&report.verdict, json);
    spar__json_end_array(json);
    spar__verdict_json_all_pairs(&report.verdict, json);
    spar__status_free(&report);
    return SPAR_OK;
}
