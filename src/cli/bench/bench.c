/* bench.c - spar bench: what everything costs on this machine. */
#include "cli/bench/bench.h"
#include "base/nearest.h"
#include "cli/common.h"
#include "cli/outdir.h"
#include "cli/owner.h"
#include "cli/progress.h"
#include "cli/terminal.h"

#include <string.h>

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

static spar_status measure(spar__bench_plan *plan, spar__bench_report *report, spar_error *err)
{
    spar__stop_catch();
    spar__progress_line progress;
    spar__progress_begin(&progress, "");
    progress.unit = "%";
    plan->progress = show_progress;
    plan->context = &progress;
    spar_status status = spar__bench_run(plan, report, err);
    spar__progress_end(&progress);
    return status;
}

static spar_status write_plot(const spar__bench_report *report, spar__bench_part part, const char *name,
                              const char *dir, spar_error *err)
{
    spar__drawing drawing = {0};
    spar_status status = SPAR_OK;
    if (spar__bench_plot(report, part, &drawing) || drawing.svg.failed)
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
    spar__bench_json(report, quick, &json);
    spar__bench_csv(report, &csv);
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
    if (!status)
        status = measure(&plan, &report, err);
    if (!status && spar__setting_number(settings, "json"))
        spar__bench_json(&report, plan.quick, out);
    else if (!status)
        spar__bench_text(&report, spar__output_styled(), out);
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
