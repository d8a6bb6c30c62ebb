/* plan.c - spar plan: how many screens will a decision take? The policy and the stopping rule of a real experiment are
 * played against simulated people whose tastes are guessed, or known as far as the votes of a pilot say; what is
 * reported are quantiles over many such truths. */
#include "base/alloc.h"
#include "base/buf.h"
#include "cli/common.h"
#include "cli/decide/decide.h"
#include "cli/outdir.h"
#include "cli/progress.h"
#include "cli/terminal.h"
#include "cli/verdict/verdict.h"
#include "num/elementary.h"
#include "plot/plot.h"
#include "text/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- the report --- */

enum { POINTS = 120 };

void spar__forecast_text(const spar__forecast_report *r, bool styled, spar__buf *out)
{
    static const char *const head[] = {"policy", "m", "median", "10 %", "90 %", "decided", "wrong"};
    static const double share[] = {0.5, 0.1, 0.9};
    size_t played = spar_forecast_played(r->forecast);
    spar__text_table table = {.columns = 7, .left = 1, .width = spar__output_width()};
    spar__buf_printf(out, "%sscreens to a decision%s with error at most %g %%, for %zu truths%s:\n",
                     styled ? "\033[1m" : "", styled ? "\033[0m" : "", 100 * r->delta, played,
                     r->interrupted ? " (interrupted)" : "");
    spar__buf_printf(out, "%s\n\n", r->truths);
    for (size_t i = 0; i < 7; i++)
        spar__text_table_add(&table, "%s", head[i]);
    for (size_t i = 0; played && i < spar_forecast_cases(r->forecast); i++) {
        const spar_forecast *f = r->forecast;
        spar__text_table_add(&table, "%s", spar_forecast_policy(f, i));
        spar__text_table_add(&table, "%zu", spar_forecast_slots(f, i));
        for (size_t k = 0; k < sizeof share / sizeof *share; k++) {
            double screens = spar_forecast_screens(f, i, share[k]);
            if (isfinite(screens))
                spar__text_table_add(&table, "%.0f", screens);
            else
                spar__text_table_add(&table, "> %" PRIu64, r->limit);
        }
        spar__text_table_add(&table, "%.1f %%", 100 * spar_forecast_decided(f, i, 1e300));
        spar__text_table_add(&table, "%.1f %%", 100 * spar_forecast_wrong(f, i));
    }
    spar__text_table_print(&table, styled, out);
    size_t start = out->length;
    spar__buf_printf(out,
                     "\nassumed: people are alike and choose by the law of Plackett and Luce (%s); %.0f %% of the%s",
                     r->feedback, 100 * r->silent, table.width ? " " : "\n");
    spar__buf_adds(out, "answers say nothing; options neither come nor go\n");
    spar__fit(out, start, table.width);
    spar__text_table_free(&table);
}

void spar__forecast_json(const spar__forecast_report *r, spar__buf *out)
{
    static const struct {
        const char *key;
        double share;
    } part[] = {{"median", 0.5}, {"q10", 0.1}, {"q25", 0.25}, {"q75", 0.75}, {"q90", 0.9}};
    const spar_forecast *f = r->forecast;
    spar__json json = {.out = out};
    spar__json_begin_object(&json);
    spar__json_add_string(&json, "truths", r->truths);
    spar__json_add_unsigned(&json, "played", spar_forecast_played(f));
    spar__json_add_boolean(&json, "interrupted", r->interrupted);
    spar__json_add_string(&json, "feedback", r->feedback);
    spar__json_add_number(&json, "delta", r->delta);
    spar__json_add_number(&json, "silent", r->silent);
    spar__json_add_unsigned(&json, "limit", r->limit);
    spar__json_key(&json, "cases");
    spar__json_begin_array(&json);
    for (size_t i = 0; i < spar_forecast_cases(f); i++) {
        spar__json_begin_object(&json);
        spar__json_add_string(&json, "policy", spar_forecast_policy(f, i));
        spar__json_add_unsigned(&json, "m", spar_forecast_slots(f, i));
        for (size_t k = 0; k < sizeof part / sizeof *part; k++)
            spar__json_add_number(&json, part[k].key, spar_forecast_screens(f, i, part[k].share)); /* beyond: null */
        spar__json_add_number(&json, "decided", spar_forecast_decided(f, i, 1e300));
        spar__json_add_number(&json, "wrong", spar_forecast_wrong(f, i));
        spar__json_end_object(&json);
    }
    spar__json_end_array(&json);
    spar__json_end_object(&json);
    spar__buf_adds(out, "\n");
}

/* The share that is decided, against the screens. */
spar_status spar__forecast_plot(const spar__forecast_report *r, spar__buf *out)
{
    size_t n = spar_forecast_cases(r->forecast);
    double *x = spar__alloc(POINTS, sizeof *x), *y = spar__alloc(n * POINTS, sizeof *y);
    spar__series *series = spar__alloc(n, sizeof *series);
    char(*label)[120] = spar__alloc(n, sizeof *label);
    spar_status status = x && y && series && label ? SPAR_OK : SPAR_NOMEM;
    for (size_t k = 0; !status && k < POINTS; k++)
        x[k] = 10 * spar__pow((double)r->limit / 10, (double)k / (POINTS - 1));
    for (size_t i = 0; !status && i < n; i++) {
        for (size_t k = 0; k < POINTS; k++)
            y[i * POINTS + k] = 100 * spar_forecast_decided(r->forecast, i, x[k]);
        (void)snprintf(label[i], sizeof label[i], "%.90s, m = %zu", spar_forecast_policy(r->forecast, i),
                       spar_forecast_slots(r->forecast, i));
        series[i] = (spar__series){.label = label[i], .n = POINTS, .x = x, .y = y + i * POINTS};
    }
    if (!status) {
        char subtitle[300];
        (void)snprintf(subtitle, sizeof subtitle, "%s; error at most %g %%, %.60s", r->truths, 100 * r->delta,
                       r->feedback);
        spar__figure figure = {.title = "How many screens a decision takes",
                               .subtitle = subtitle,
                               .x_label = "screens",
                               .y_label = "decided, %",
                               .log_x = true,
                               .n_series = n,
                               .series = series};
        status = spar__plot_lines(&figure, out);
    }
    spar__free(x);
    spar__free(y);
    spar__free(series);
    spar__free(label);
    return status;
}

/* --- the settings --- */

enum { MOST_VALUES = 1000 };

static const char standard_policy[] = "focus/self_sparring(distinct=1)/thompson/beta";

/* A number that was given, or its default. */
static spar_status read_number(const spar__settings *settings, const char *name, double *out, spar_error *err)
{
    const char *text = spar__setting_text(settings, name);
    if (!text || spar__parse_double(text, out))
        return SPAR_OK;
    return spar__fail(err, SPAR_INVALID, "%s: '%.80s' is not a number", spar__setting_of(settings, name)->origin, text);
}

/* Strengths as '0:-0.5:-1'. */
static spar_status set_values(const char *text, spar__forecast_report *r, spar_error *err)
{
    double value[MOST_VALUES];
    size_t n = 0;
    for (const char *at = text; at; n++) {
        char number[64];
        size_t length = strcspn(at, ":");
        if (n == MOST_VALUES || length >= sizeof number)
            return spar__fail(err, SPAR_INVALID, "--values: expected at most %d numbers", MOST_VALUES);
        memcpy(number, at, length);
        number[length] = 0;
        if (!spar__parse_double(number, &value[n]))
            return spar__fail(err, SPAR_INVALID, "--values: '%s' is not a number; expected for example 0:-0.5:-1",
                              number);
        at = at[length] ? at + length + 1 : NULL;
    }
    spar_status status = spar_forecast_new(n, &r->forecast, err);
    (void)snprintf(r->truths, sizeof r->truths, "%zu options with strengths %.120s in log-odds", n, text);
    return status ? status : spar_forecast_set_values(r->forecast, value, err);
}

static spar_status set_guess(const spar__settings *settings, spar__forecast_report *r, spar_error *err)
{
    double sd = 1, gap = 0;
    const char *steps = spar__setting_text(settings, "gap");
    unsigned options = (unsigned)spar__setting_number(settings, "options");
    const char *values = spar__setting_text(settings, "values");
    if ((steps != NULL) + (values != NULL) + (spar__setting_text(settings, "sd") != NULL) > 1)
        return spar__fail(err, SPAR_INVALID,
                          "plan: --sd, --gap and --values are three ways to say how different the options are");
    if (values)
        return set_values(values, r, err);
    spar_status status = read_number(settings, "sd", &sd, err);
    if (!status)
        status = read_number(settings, "gap", &gap, err);
    if (!status)
        status = spar_forecast_new(options, &r->forecast, err);
    if (!status)
        status = steps ? spar_forecast_set_steps(r->forecast, gap, err) : spar_forecast_set_sd(r->forecast, sd, err);
    if (steps)
        (void)snprintf(r->truths, sizeof r->truths, "%u options, each %g in log-odds behind the one before", options,
                       gap);
    else
        (void)snprintf(r->truths, sizeof r->truths, "%u options whose strengths in log-odds are N(0, %g^2)", options,
                       sd);
    return status;
}

/* Truths from the votes of a pilot, and the share of them that said nothing. */
static spar_status set_pilot(const spar__settings *settings, spar__forecast_report *r, spar_error *err)
{
    spar__decide_report pilot = {.settings = {.size = sizeof pilot.settings, .delta = 0.05, .eps = 0.2}};
    spar__votes_columns columns = {0};
    spar_status status = spar__columns_of(settings, &columns, err);
    if (!status)
        status = spar__decide_read(settings->operand[0], spar__setting_text(settings, "format"), &columns, &pilot, err);
    if (!status)
        status = spar__decide_judge(&pilot, err);
    if (!status)
        status = spar__decide_stand(&pilot, SPAR__STANDINGS_AUTO, err);
    if (!status && pilot.standings.why_not) /* too many for a second, which a plan takes anyway */
        status = spar__decide_stand(&pilot, SPAR__STANDINGS_APPROXIMATE, err);
    if (!status && !pilot.standings.standings)
        status = spar__fail(err, SPAR_INVALID, "%s: no vote compares options: there is nothing to plan from",
                            settings->operand[0]);
    if (!status)
        status = spar_forecast_new(2, &r->forecast, err);
    if (!status)
        status = spar_forecast_set_standings(r->forecast, pilot.standings.standings, err);
    double silent = (double)(pilot.ties + (pilot.decision ? spar_decision_skipped(pilot.decision) : 0));
    r->silent = pilot.total ? silent / (double)pilot.total : 0;
    r->silent = r->silent > 0.99 ? 0.99 : r->silent;
    (void)snprintf(r->truths, sizeof r->truths, "%zu options as the %llu %s%s of %.100s %s them", pilot.verdict.n,
                   (unsigned long long)pilot.total, pilot.verdict.unit ? pilot.verdict.unit : "vote",
                   spar__plural(pilot.total), settings->operand[0], pilot.total == 1 ? "has" : "have");
    spar__decide_report_free(&pilot);
    return status;
}

static spar_status set_rest(const spar__settings *settings, spar__forecast_report *r, spar_error *err)
{
    spar_forecast *f = r->forecast;
    spar_status status = read_number(settings, "delta", &r->delta, err);
    if (!status)
        status = read_number(settings, "silent", &r->silent, err);
    if (!status)
        status = spar_forecast_set_delta(f, r->delta, err);
    if (!status)
        status = spar_forecast_set_silent(f, r->silent, err);
    if (!status)
        status = spar_forecast_set_feedback(f, r->feedback, err);
    if (!status)
        status = spar_forecast_set_truths(f, (size_t)spar__setting_number(settings, "truths"), err);
    if (!status)
        status = spar_forecast_set_limit(f, r->limit, err);
    spar_forecast_set_seed(f, spar__setting_number(settings, "seed"));
    spar_forecast_set_threads(f, (size_t)spar__setting_number(settings, "threads"));
    /* Every policy with every number of slots. */
    const spar__setting *policy = spar__setting_of(settings, "policy"), *slots = spar__setting_of(settings, "m");
    for (size_t i = 0; !status && i < (slots->n ? slots->n : 1); i++) {
        double m = 2;
        if (slots->n && !(spar__parse_double(slots->text[i], &m) && m >= 2 && m <= 1000 && m == (double)(size_t)m))
            return spar__fail(err, SPAR_INVALID, "%s: '%.40s' is not a whole number from 2 to 1000", slots->origin,
                              slots->text[i]);
        for (size_t k = 0; !status && k < (policy->n ? policy->n : 1); k++)
            status = spar_forecast_add(f, policy->n ? policy->text[k] : standard_policy, (size_t)m, err);
    }
    return status;
}

/* --- the command --- */

static spar_status write_files(const spar__settings *settings, const spar__forecast_report *r, spar_error *err)
{
    spar__output_file file[] = {{"plan.json", {0}, false}, {"plan", {0}, true}};
    const char *dir = spar__setting_text(settings, "out");
    if (!spar__report_has_files(settings))
        return SPAR_OK;
    spar_status status = dir ? spar__outdir_make(dir, err) : SPAR_OK;
    if (status)
        return status;
    spar__forecast_json(r, &file[0].text);
    file[1].text.failed |= spar__forecast_plot(r, &file[1].text) != SPAR_OK;
    return spar__report_write(settings, sizeof file / sizeof *file, file, err);
}

static spar_status plan(const spar__settings *settings, spar__buf *out, spar_error *err)
{
    spar__forecast_report r = {.feedback = spar__setting_text(settings, "feedback"),
                               .delta = 0.05,
                               .limit = spar__setting_number(settings, "limit")};
    spar_status status = settings->n_operands ? set_pilot(settings, &r, err) : set_guess(settings, &r, err);
    if (!status)
        status = set_rest(settings, &r, err);
    if (!status) {
        spar__progress_line progress;
        spar__stop_catch();
        spar__progress_begin(&progress, "");
        progress.unit = "runs";
        status = spar_forecast_run(r.forecast, spar__progress_show, &progress, err);
        spar__progress_end(&progress);
        r.interrupted = spar__stop_wanted();
    }
    if (!status && spar__setting_number(settings, "json"))
        spar__forecast_json(&r, out);
    else if (!status)
        spar__forecast_text(&r, spar__output_styled(), out);
    if (!status) /* printed even if a file cannot be written */
        status = write_files(settings, &r, err);
    spar_forecast_free(r.forecast);
    return status;
}

static const spar__option options[] = {
    SPAR__COUNT_OPTION("options", "K", "8", 2, 10000, "how many options there are (without FILE)"),
    SPAR__TEXT_OPTION("sd", "S", "how different they are, in log-odds: strengths are N(0, S^2) (default: 1)"),
    SPAR__TEXT_OPTION("gap", "G", "or each is this much behind the one before"),
    SPAR__TEXT_OPTION("values", "V:V:..", "or these are their strengths, for example 0:-0.3:-1"),
    SPAR__LIST_OPTION("m", "slots", "M", "options on a screen (default: 2); several are compared"),
    SPAR__LIST_OPTION("policy", "policies", "P",
                      "how screens are chosen (default: focus/self_sparring(distinct=1)/thompson/beta); several are "
                      "compared"),
    {.name = "feedback",
     .kind = SPAR__OPTION_TEXT,
     .metavar = "F",
     .standard = "winner(rule=luce)",
     .help = "how people answer, see 'spar list feedback': ranking, top(k=2), best_worst, ..."},
    SPAR__TEXT_OPTION("silent", "SHARE",
                      "share of the answers that say nothing: ties, skips (default: 0, or the pilot's)"),
    SPAR__TEXT_OPTION("delta", "D", "error of the decision (default: 0.05)"),
    SPAR__COUNT_OPTION("truths", "N", "200", 1, 100000, "how often all is tried"),
    SPAR__COUNT_OPTION("limit", "T", "20000", 1, 100000000, "screens after which a try is given up"),
    SPAR__TEXT_OPTION("columns", "C", "of FILE, as in 'spar decide'"),
    SPAR__CHOICE_OPTION("format", "F", "auto", "auto|arena|lines|counts|preflib|csv|log", "the form of FILE"),
    SPAR__OPTION_SEED,
    SPAR__OPTION_THREADS,
    SPAR__TEXT_OPTION("plot", "FILE.svg", "also write a picture there"),
    SPAR__TEXT_OPTION("out", "DIR", "also write plan.json, plan.svg and plan.png there"),
    SPAR__OPTION_JSON,
    {.name = NULL},
};

const spar__command spar__command_plan = {
    .name = "plan",
    .brief = "Say how many screens a decision will take, before the start or from a pilot",
    .operands = "[FILE] [OPTIONS]",
    .max_operands = 1,
    .options = options,
    .notes = "FILE holds the votes of a pilot, in any form that 'spar decide' reads; without it the options are as\n"
             "different as --sd or --gap say. Policy and stopping rule are those of a real experiment; the people are\n"
             "simulated: all alike, independent, choosing by the law of Plackett and Luce.",
    .example = "spar plan --options 8 --m 2 --m 4 --sd 0.7",
    .run = plan,
};
