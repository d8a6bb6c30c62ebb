/* bench.c - spar bench: what everything costs, as a table, JSON, CSV and a plot. Reports add to a buffer, whose owner
 * checks buf->failed. */
#include "bench/bench.h"
#include "base/alloc.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/pool.h"
#include "cli/common.h"
#include "cli/outdir.h"
#include "cli/owner.h"
#include "cli/progress.h"
#include "cli/terminal.h"
#include "num/elementary.h"
#include "plot/plot.h"
#include "spar_version.h"
#include "text/csv.h"
#include "text/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* What the numbers were measured on. */
typedef struct spar__bench_machine {
    const char *version; /* of spar */
    const char *cpu;     /* the instruction set in use */
    const char *compiler;
    size_t cores;
} spar__bench_machine;

#if defined(__clang__)
#define COMPILER __VERSION__
#elif defined(__GNUC__)
#define COMPILER "gcc " __VERSION__
#else
#define COMPILER "unknown"
#endif

static spar__bench_machine bench_machine_here(void)
{
    return (spar__bench_machine){SPAR_VERSION, spar__cpu_name(), COMPILER, spar__pool_workers(0, SIZE_MAX)};
}

/* How many times faster than the plain loop; NaN where there is nothing to compare. */
static inline double spar__bench_ratio(const spar__bench_case *item)
{
    return item->plain_ns / item->ns;
}

/* The tables of a bench, one for each part. */

/* Three digits and a unit; "-" when not measured. */
static void add_time(spar__text_table *table, double ns)
{
    static const char *const units[] = {"ns", "us", "ms", "s"};
    size_t unit = 0;
    for (; unit < 3 && ns >= 999.5; unit++)
        ns /= 1000;
    if (isnan(ns))
        spar__text_table_add(table, "-");
    else
        spar__text_table_add(table, "%.*f %s", ns < 9.995 ? 2 : ns < 99.95 ? 1 : 0, ns, units[unit]);
}

static void add_ratio(spar__text_table *table, double ratio)
{
    if (isnan(ratio))
        spar__text_table_add(table, "-");
    else if (ratio < 0.0995)
        spar__text_table_add(table, "%.1g", ratio);
    else
        spar__text_table_add(table, "%.*f", ratio < 9.995 ? 2 : ratio < 99.95 ? 1 : 0, ratio);
}

/* A row shows `wide` cases, which differ in their rounds. A column shows one of them, counted from 0, and of it what
 * its letter says: its name, arms K, slots m or threads j; the time of a round, the plain time, the ratio x of both, or
 * the ratio of the last case of the row that was measured; rounds played and wanted; rounds a second, speedup up,
 * efficiency; Megabytes. */
static const struct {
    const char *title;
    size_t wide;
    const char *head[10], *shows;
} tables[SPAR__BENCH_PARTS] = {
    [SPAR__BENCH_PLAIN] = {"plain loop: every arm drawn by two scalar gammas",
                           1,
                           {"K", "m", "a round", "rounds"},
                           "K0m0t0r0"},
    [SPAR__BENCH_POLICIES] = {"policies: K = 16, a round, the mean of the first 1e3, 1e5 and 1e6",
                              3,
                              {"policy", "m", "1e3 rounds", "x plain", "1e5 rounds", "x plain", "1e6 rounds", "x plain",
                               "rounds"},
                              "n0m0t0x0t1x1t2x2r2"},
    [SPAR__BENCH_ARMS] = {"arms: growth with K, the mean of the first rounds, up to the number wanted",
                          1,
                          {"policy", "K", "m", "a round", "x plain", "rounds", "wanted"},
                          "n0K0m0t0x0r0w0"},
    [SPAR__BENCH_ROUNDS] = {"rounds: K = 16, growth with the number of rounds",
                            5,
                            {"policy", "m", "to 1e2", "to 1e3", "to 1e4", "to 1e5", "to 1e6", "x plain"},
                            "n0m0t0t1t2t3t4l0"},
    [SPAR__BENCH_SAMPLERS] = {"samplers", 1, {"law", "a value", "two gammas", "x plain"}, "n0t0p0x0"},
    [SPAR__BENCH_KERNELS] = {"kernels: arms with features, the mean of all rounds and of the later ones",
                             2,
                             {"policy", "K", "m", "a round", "later on", "rounds"},
                             "n0K0m0t0t1r0"},
    [SPAR__BENCH_THREADS] = {"threads: wall-clock time, K = 16, m = 2",
                             1,
                             {"simulation", "threads", "rounds/s", "speedup", "efficiency"},
                             "n0j0s0u0e0"},
    [SPAR__BENCH_MEMORY] = {"memory: the peak of the whole process",
                            1,
                            {"policy", "K", "m", "peak MB", "rounds"},
                            "n0K0m0M0r0"},
};

static void add_cell(spar__text_table *table, char shows, const spar__bench_case *item, size_t wide)
{
    double last = NAN;
    for (size_t k = 0; shows == 'l' && k < wide; k++)
        last = item[k].rounds ? spar__bench_ratio(&item[k]) : last;
    if (shows == 'n')
        spar__text_table_add(table, "%s", item->name);
    else if (shows == 't' || shows == 'p')
        add_time(table, shows == 't' ? item->ns : item->plain_ns);
    else if (shows == 'x' || shows == 'l')
        add_ratio(table, shows == 'x' ? spar__bench_ratio(item) : last);
    else if (shows == 'u' || shows == 'e')
        add_ratio(table, shows == 'u' ? item->speedup : item->speedup / (double)item->threads);
    else if ((shows == 's' || shows == 'M') && !item->rounds)
        spar__text_table_add(table, "-");
    else if (shows == 's')
        spar__text_table_add(table, "%.3g", item->per_second);
    else if (shows == 'M')
        spar__text_table_add(table, "%.1f", item->megabytes);
    else
        spar__text_table_add(table, "%" PRIu64,
                             shows == 'r'   ? item->rounds
                             : shows == 'w' ? item->last
                                            : (uint64_t)(shows == 'K'   ? item->k
                                                         : shows == 'm' ? item->m
                                                                        : item->threads));
}

static void bench_text(const spar__bench_report *report, bool styled, spar__buf *out)
{
    spar__bench_machine machine = bench_machine_here();
    size_t start = out->length;
    spar__buf_printf(out, "spar %s, %s, %zu cores, %s\n", machine.version, machine.cpu, machine.cores,
                     machine.compiler);
    spar__buf_adds(out, "CPU time, simulated answers included, the least of several repeats; x plain: how many times "
                        "faster than\nthe plain loop with as many arms and slots; rounds: how many the mean is of\n");
    spar__fit(out, start, spar__output_width());
    for (size_t i = 0, next; i < report->n; i = next) {
        spar__bench_part part = report->item[i].part;
        size_t wide = tables[part].wide;
        bool measured = false;
        for (next = i; next < report->n && report->item[next].part == part; next++)
            measured |= report->item[next].rounds > 0;
        if (!measured) /* interrupted before */
            continue;
        const char *shows = tables[part].shows;
        spar__text_table table = {.left = shows[0] == 'n', .columns = strlen(shows) / 2, .width = spar__output_width()};
        for (size_t c = 0; c < table.columns; c++)
            spar__text_table_add(&table, "%s", tables[part].head[c]);
        for (size_t k = i; k + wide <= next; k += wide)
            for (size_t c = 0; c < table.columns; c++)
                add_cell(&table, shows[2 * c], &report->item[k + (size_t)(shows[2 * c + 1] - '0')], wide);
        spar__buf_printf(out, "\n%s\n", tables[part].title);
        spar__text_table_print(&table, styled, out);
        spar__text_table_free(&table);
    }
}

/* JSON and CSV. Every case has all keys; a number that it does not have is null, or an empty field. */

static const char *const keys[] = {"K",        "m",     "threads",    "first",   "last",       "rounds",   "ns",
                                   "plain_ns", "ratio", "per_second", "speedup", "efficiency", "megabytes"};
enum { KEYS = sizeof keys / sizeof *keys };

static void list_numbers(const spar__bench_case *item, double out[KEYS])
{
    const uint64_t counts[] = {item->k, item->m, item->threads, item->first, item->last};
    enum { COUNTS = sizeof counts / sizeof *counts };
    double efficiency = item->threads ? item->speedup / (double)item->threads : NAN;
    const double numbers[KEYS - COUNTS] = {(double)item->rounds, item->ns,      item->plain_ns, spar__bench_ratio(item),
                                           item->per_second,     item->speedup, efficiency,     item->megabytes};
    for (size_t i = 0; i < KEYS; i++) /* of the counts only rounds may be 0 */
        out[i] = i >= COUNTS ? numbers[i - COUNTS] : counts[i] ? (double)counts[i] : (double)NAN;
}

static void bench_json(const spar__bench_report *report, bool quick, spar__buf *out)
{
    spar__bench_machine machine = bench_machine_here();
    spar__json json = {.out = out};
    spar__json_begin_object(&json);
    spar__json_key(&json, "machine");
    spar__json_begin_object(&json);
    spar__json_add_string(&json, "version", machine.version);
    spar__json_add_string(&json, "cpu", machine.cpu);
    spar__json_add_unsigned(&json, "cores", machine.cores);
    spar__json_add_string(&json, "compiler", machine.compiler);
    spar__json_end_object(&json);
    spar__json_add_boolean(&json, "quick", quick);
    spar__json_add_boolean(&json, "interrupted", report->interrupted);
    spar__json_key(&json, "cases");
    spar__json_begin_array(&json);
    for (size_t i = 0; i < report->n; i++) {
        double numbers[KEYS];
        list_numbers(&report->item[i], numbers);
        spar__json_begin_object(&json);
        spar__json_add_string(&json, "part", spar__bench_part_names[report->item[i].part]);
        spar__json_add_string(&json, "name", report->item[i].name);
        for (size_t k = 0; k < KEYS; k++)
            spar__json_add_number(&json, keys[k], numbers[k]);
        spar__json_end_object(&json);
    }
    spar__json_end_array(&json);
    spar__json_end_object(&json);
    spar__buf_adds(out, "\n");
}

static void bench_csv(const spar__bench_report *report, spar__buf *out)
{
    spar__csv_writer csv = {.out = out};
    spar__csv_text(&csv, "part");
    spar__csv_text(&csv, "name");
    for (size_t i = 0; i < KEYS; i++)
        spar__csv_text(&csv, keys[i]);
    spar__csv_end_row(&csv);
    for (size_t i = 0; i < report->n; i++) {
        double numbers[KEYS];
        list_numbers(&report->item[i], numbers);
        spar__csv_text(&csv, spar__bench_part_names[report->item[i].part]);
        spar__csv_text(&csv, report->item[i].name);
        for (size_t k = 0; k < KEYS; k++)
            spar__csv_number(&csv, numbers[k]);
        spar__csv_end_row(&csv);
    }
}

/* Growth of the cost, on logarithmic axes. The legend has no room for every policy at every m: each is shown with the
 * smallest m it takes, the first one with every m. */

typedef struct cost_lines {
    size_t n, n_points;
    spar__series *series;
    double *x, *y; /* of all series, one after the other */
    char (*label)[64];
} cost_lines;

static bool same_line(const spar__bench_case *a, const spar__bench_case *b)
{
    return a->m == b->m && strcmp(a->name, b->name) == 0;
}

/* Cases of the part, and the plain loop beside the arms; of two means with different rounds only the shorter. */
static bool is_shown(const spar__bench_report *report, const spar__bench_case *item, spar__bench_part part)
{
    if (item->part == SPAR__BENCH_PLAIN)
        return part == SPAR__BENCH_ARMS;
    if (item->part != part || !item->rounds || (part == SPAR__BENCH_ARMS && item->last > 100000))
        return false;
    const spar__bench_case *first = item; /* of its policy */
    const spar__bench_case *start = item;
    while (start > report->item && start[-1].part == part)
        start--;
    while (first > start && strcmp(first[-1].name, item->name) == 0)
        first--;
    return item->m == first->m || strcmp(item->name, start->name) == 0;
}

/* The line that begins with case `from`; its points need not follow each other. */
static void add_line(const spar__bench_report *report, size_t from, spar__bench_part part, cost_lines *s)
{
    const spar__bench_case *head = &report->item[from];
    spar__series *series = &s->series[s->n];
    (void)snprintf(s->label[s->n], sizeof *s->label, "%.50s, m = %zu", head->name, head->m);
    *series = (spar__series){.label = s->label[s->n], .x = s->x + s->n_points, .y = s->y + s->n_points, .dots = true};
    for (size_t i = from; i < report->n; i++) {
        const spar__bench_case *item = &report->item[i];
        if (item->part != head->part || !same_line(item, head) || !is_shown(report, item, part))
            continue;
        s->x[s->n_points] = (double)(part == SPAR__BENCH_ARMS ? item->k : item->last);
        s->y[s->n_points++] = item->ns;
        series->n++;
    }
    s->n++;
}

/* Is the case a point of a line that an earlier one began? */
static bool is_drawn(const spar__bench_report *report, size_t i, spar__bench_part part)
{
    for (size_t k = 0; k < i; k++)
        if (report->item[k].part == report->item[i].part && same_line(&report->item[k], &report->item[i]) &&
            is_shown(report, &report->item[k], part))
            return true;
    return false;
}

/* Cost against the number of arms (part ARMS) or against the round (part ROUNDS), as SVG; nothing if there are no such
 * numbers. */
static spar_status bench_plot(const spar__bench_report *report, spar__bench_part part, spar__drawing *out)
{
    spar_status status = SPAR_OK;
    cost_lines s = {.series = spar__alloc(report->n, sizeof *s.series),
                    .x = spar__alloc(report->n, sizeof *s.x),
                    .y = spar__alloc(report->n, sizeof *s.y),
                    .label = spar__alloc(report->n, sizeof *s.label)};
    if (!s.series || !s.x || !s.y || !s.label)
        status = SPAR_NOMEM;
    bool any = false;
    for (size_t i = 0; !status && i < report->n; i++) {
        if (!is_shown(report, &report->item[i], part) || is_drawn(report, i, part))
            continue;
        add_line(report, i, part, &s);
        any |= report->item[i].part == part;
    }
    bool arms = part == SPAR__BENCH_ARMS;
    out->name = arms ? "Cost of a round against the number of arms" : "Cost of a round as rounds pass";
    spar__figure figure = {.title = out->name,
                           .subtitle = arms ? "CPU time, mean of up to 100000 rounds"
                                            : "CPU time, 16 arms, mean from one power of ten to the next",
                           .x_label = arms ? "arms" : "round",
                           .y_label = "ns a round",
                           .log_x = true,
                           .log_y = true,
                           .n_series = s.n,
                           .series = s.series,
                           .width = 900,
                           .height = 620};
    if (!status && any)
        status = spar__draw_panels(&figure, 1, 1, out);
    spar__free(s.series);
    spar__free(s.x);
    spar__free(s.y);
    spar__free(s.label);
    return status;
}

/* --- the command --- */

/* The parts that --only names; all without it. */
static spar_status choose_parts(const spar__settings *settings, spar__bench_plan *plan, spar_error *err)
{
    const spar__setting *only = spar__setting_of(settings, "only");
    for (int part = 1; part < SPAR__BENCH_PARTS; part++)
        plan->part[part] = !only->n;
    for (size_t i = 0; i < only->n; i++) {
        int part = 1;
        spar__nearest nearest = spar__nearest_to(only->text[i]);
        for (; part < SPAR__BENCH_PARTS && strcmp(only->text[i], spar__bench_part_names[part]) != 0; part++)
            spar__nearest_offer(&nearest, spar__bench_part_names[part]);
        if (part == SPAR__BENCH_PARTS)
            return spar__fail_unknown(err, only->origin, "part", &nearest);
        plan->part[part] = true;
    }
    return SPAR_OK;
}

/* Progress counts time, so the rate is in percent. */
static bool show_progress(void *context, uint64_t done, uint64_t total)
{
    ((spar__progress_line *)context)->per = (double)total / 100;
    return spar__progress_show(context, done, total);
}

static spar_status write_plot(const spar__bench_report *report, spar__bench_part part, const char *name,
                              const char *dir, spar_error *err)
{
    spar__drawing drawing = {0};
    spar_status status = SPAR_OK;
    if (bench_plot(report, part, &drawing) || drawing.svg.failed)
        status = spar__fail_memory(err);
    else if (drawing.svg.length)
        status = spar__outdir_figure(dir, name, &drawing, "All numbers are in <code>bench.csv</code>.", err);
    spar__drawing_free(&drawing);
    return status;
}

static spar_status write_files(const spar__bench_report *report, const spar__settings *settings, bool quick,
                               const char *dir, spar_error *err)
{
    spar__buf json = {0}, csv = {0};
    bench_json(report, quick, &json);
    bench_csv(report, &csv);
    spar_status status = json.failed || csv.failed ? spar__fail_memory(err) : SPAR_OK;
    if (!status)
        status = spar__owner_sign(dir, settings, err);
    if (!status)
        status = spar__outdir_write(dir, "bench.json", &json, err);
    if (!status)
        status = spar__outdir_write(dir, "bench.csv", &csv, err);
    if (!status)
        status = write_plot(report, SPAR__BENCH_ARMS, "arms", dir, err);
    if (!status)
        status = write_plot(report, SPAR__BENCH_ROUNDS, "rounds", dir, err);
    spar__buf_free(&json);
    spar__buf_free(&csv);
    return status;
}

static size_t count_measured(const spar__bench_report *report)
{
    size_t measured = 0;
    for (size_t i = 0; i < report->n; i++)
        measured += report->item[i].rounds > 0;
    return measured;
}

static spar_status bench(const spar__settings *settings, spar__buf *out, spar_error *err)
{
    const char *dir = spar__setting_text(settings, "out");
    spar__bench_plan plan = {.quick = spar__setting_number(settings, "quick")};
    spar__bench_report report = {0};
    spar_status status = choose_parts(settings, &plan, err);
    if (!status)
        status = spar__check_out(settings, err);
    if (!status && dir)
        status = spar__owner_check(dir, settings, err);
    if (!status) {
        spar__stop_catch();
        spar__progress_line progress;
        spar__progress_begin(&progress, "");
        progress.unit = "%";
        plan.progress = show_progress;
        plan.context = &progress;
        status = spar__bench_run(&plan, &report, err);
        spar__progress_end(&progress);
    }
    if (!status && spar__setting_number(settings, "json"))
        bench_json(&report, plan.quick, out);
    else if (!status)
        bench_text(&report, spar__output_styled(), out);
    if (!status && dir && count_measured(&report)) /* printed first: a full disk does not cost the results */
        status = write_files(&report, settings, plan.quick, dir, err);
    if (!status && report.interrupted)
        status = spar__fail(err, SPAR_INTERRUPTED, "interrupted; %zu of %zu cases were measured",
                            count_measured(&report), report.n);
    spar__bench_report_free(&report);
    return status;
}

static void list_parts(spar__buf *out)
{
    spar__buf_adds(out, "parts:\n"
                        "  policies  every policy, the first 1e3, 1e5 and 1e6 rounds with 16 arms\n"
                        "  arms      growth with the number of arms, up to a million\n"
                        "  rounds    growth with the number of rounds\n"
                        "  samplers  random numbers, one by one and in batches\n"
                        "  kernels   policies that learn from one arm about others\n"
                        "  threads   simulations on one thread and on all cores\n"
                        "  memory    the peak, for a million arms\n");
}

static const spar__option options[] = {
    SPAR__LIST_OPTION("only", "only", "PART", "measure this part alone"),
    SPAR__SWITCH_OPTION("quick", "seconds instead of minutes; imprecise"),
    SPAR__TEXT_OPTION("out", "DIR", "also write bench.json, bench.csv and plots of the growth there"),
    SPAR__OPTION_JSON,
    {.name = NULL},
};

const spar__command spar__command_bench = {
    .name = "bench",
    .brief = "Measure what everything costs on this machine",
    .operands = "[--only PART ...] [--quick] [--out DIR] [--json]",
    .options = options,
    .notes =
        "Takes some minutes on an idle machine. Every number is the least of several repeats, and is compared to a\n"
        "plain loop that draws every arm, with as many arms and slots.\n"
        "Ctrl-C reports what was measured; a second one ends at once.",
    .more_help = list_parts,
    .example = "spar bench --quick --only policies --only samplers",
    .run = bench,
};
