/* The tables of a bench, one for each part. */
#include "cli/bench/bench.h"
#include "cli/terminal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

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

/* A table with column heads (the list ends with NULL); the first `left` columns are texts. */
static void start(spar__text_table *table, size_t left, const char *const *heads)
{
    *table = (spar__text_table){.left = left, .width = spar__output_width()};
    while (heads[table->columns])
        table->columns++;
    for (size_t i = 0; i < table->columns; i++)
        spar__text_table_add(table, "%s", heads[i]);
}

static void add_arms_and_slots(spar__text_table *table, const spar__bench_case *item)
{
    spar__text_table_add(table, "%zu", item->k);
    spar__text_table_add(table, "%zu", item->m);
}

/* One row for each WIDE cases, which differ in their rounds: time and ratio of each, then the rounds of the longest. */
static void add_firsts(const spar__bench_case *item, size_t n, spar__text_table *table)
{
    enum { WIDE = 3 };
    start(table, 1,
          (const char *const[]){"policy", "m", "1e3 rounds", "x plain", "1e5 rounds", "x plain", "1e6 rounds",
                                "x plain", "rounds", NULL});
    for (size_t i = 0; i + WIDE <= n; i += WIDE) {
        spar__text_table_add(table, "%s", item[i].name);
        spar__text_table_add(table, "%zu", item[i].m);
        for (size_t k = i; k < i + WIDE; k++) {
            add_time(table, item[k].ns);
            add_ratio(table, spar__bench_ratio(&item[k]));
        }
        spar__text_table_add(table, "%" PRIu64, item[i + WIDE - 1].rounds);
    }
}

/* From each power of ten to the next; the ratio is that of the last one measured. */
static void add_decades(const spar__bench_case *item, size_t n, spar__text_table *table)
{
    enum { WIDE = 5 };
    start(table, 1,
          (const char *const[]){"policy", "m", "to 1e2", "to 1e3", "to 1e4", "to 1e5", "to 1e6", "x plain", NULL});
    for (size_t i = 0; i + WIDE <= n; i += WIDE) {
        double ratio = NAN;
        spar__text_table_add(table, "%s", item[i].name);
        spar__text_table_add(table, "%zu", item[i].m);
        for (size_t k = i; k < i + WIDE; k++) {
            add_time(table, item[k].ns);
            ratio = item[k].rounds ? spar__bench_ratio(&item[k]) : ratio;
        }
        add_ratio(table, ratio);
    }
}

/* The mean over all rounds, and over the later ones. */
static void add_kernels(const spar__bench_case *item, size_t n, spar__text_table *table)
{
    enum { WIDE = 2 };
    start(table, 1, (const char *const[]){"policy", "K", "m", "a round", "later on", "rounds", NULL});
    for (size_t i = 0; i + WIDE <= n; i += WIDE) {
        spar__text_table_add(table, "%s", item[i].name);
        add_arms_and_slots(table, &item[i]);
        add_time(table, item[i].ns);
        add_time(table, item[i + 1].ns);
        spar__text_table_add(table, "%" PRIu64, item[i].rounds);
    }
}

static void add_plain(const spar__bench_case *item, size_t n, spar__text_table *table)
{
    start(table, 0, (const char *const[]){"K", "m", "a round", "rounds", NULL});
    for (size_t i = 0; i < n; i++) {
        add_arms_and_slots(table, &item[i]);
        add_time(table, item[i].ns);
        spar__text_table_add(table, "%" PRIu64, item[i].rounds);
    }
}

static void add_arms(const spar__bench_case *item, size_t n, spar__text_table *table)
{
    start(table, 1, (const char *const[]){"policy", "K", "m", "a round", "x plain", "rounds", "wanted", NULL});
    for (size_t i = 0; i < n; i++) {
        spar__text_table_add(table, "%s", item[i].name);
        add_arms_and_slots(table, &item[i]);
        add_time(table, item[i].ns);
        add_ratio(table, spar__bench_ratio(&item[i]));
        spar__text_table_add(table, "%" PRIu64, item[i].rounds);
        spar__text_table_add(table, "%" PRIu64, item[i].last);
    }
}

static void add_samplers(const spar__bench_case *item, size_t n, spar__text_table *table)
{
    start(table, 1, (const char *const[]){"law", "a value", "two gammas", "x plain", NULL});
    for (size_t i = 0; i < n; i++) {
        spar__text_table_add(table, "%s", item[i].name);
        add_time(table, item[i].ns);
        add_time(table, item[i].plain_ns);
        add_ratio(table, spar__bench_ratio(&item[i]));
    }
}

static void add_threads(const spar__bench_case *item, size_t n, spar__text_table *table)
{
    start(table, 1, (const char *const[]){"simulation", "threads", "rounds/s", "speedup", "efficiency", NULL});
    for (size_t i = 0; i < n; i++) {
        spar__text_table_add(table, "%s", item[i].name);
        spar__text_table_add(table, "%zu", item[i].threads);
        if (item[i].rounds)
            spar__text_table_add(table, "%.3g", item[i].per_second);
        else
            spar__text_table_add(table, "-");
        add_ratio(table, item[i].speedup);
        add_ratio(table, item[i].speedup / (double)item[i].threads);
    }
}

static void add_memory(const spar__bench_case *item, size_t n, spar__text_table *table)
{
    start(table, 1, (const char *const[]){"policy", "K", "m", "peak MB", "rounds", NULL});
    for (size_t i = 0; i < n; i++) {
        spar__text_table_add(table, "%s", item[i].name);
        add_arms_and_slots(table, &item[i]);
        if (item[i].rounds)
            spar__text_table_add(table, "%.1f", item[i].megabytes);
        else
            spar__text_table_add(table, "-");
        spar__text_table_add(table, "%" PRIu64, item[i].rounds);
    }
}

static const struct {
    const char *title;
    void (*add)(const spar__bench_case *item, size_t n, spar__text_table *table);
} tables[SPAR__BENCH_PARTS] = {
    [SPAR__BENCH_PLAIN] = {"plain loop: every arm drawn by two scalar gammas", add_plain},
    [SPAR__BENCH_POLICIES] = {"policies: K = 16, a round, the mean of the first 1e3, 1e5 and 1e6", add_firsts},
    [SPAR__BENCH_ARMS] = {"arms: growth with K, the mean of the first rounds, up to the number wanted", add_arms},
    [SPAR__BENCH_ROUNDS] = {"rounds: K = 16, growth with the number of rounds", add_decades},
    [SPAR__BENCH_SAMPLERS] = {"samplers", add_samplers},
    [SPAR__BENCH_KERNELS] = {"kernels: arms with features, the mean of all rounds and of the later ones", add_kernels},
    [SPAR__BENCH_THREADS] = {"threads: wall-clock time, K = 16, m = 2", add_threads},
    [SPAR__BENCH_MEMORY] = {"memory: the peak of the whole process", add_memory},
};

void spar__bench_text(const spar__bench_report *report, bool styled, spar__buf *out)
{
    spar__bench_machine machine = spar__bench_machine_here();
    size_t start = out->length;
    spar__buf_printf(out, "spar %s, %s, %zu cores, %s\n", machine.version, machine.cpu, machine.cores,
                     machine.compiler);
    spar__buf_adds(out, "CPU time, simulated answers included, the least of several repeats; x plain: how many times "
                        "faster than\nthe plain loop with as many arms and slots; rounds: how many the mean is of\n");
    spar__fit(out, start, spar__output_width());
    for (size_t i = 0, next; i < report->n; i = next) {
        spar__bench_part part = report->item[i].part;
        bool measured = false;
        for (next = i; next < report->n && report->item[next].part == part; next++)
            measured |= report->item[next].rounds > 0;
        if (!measured) /* interrupted before */
            continue;
        spar__text_table table;
        tables[part].add(report->item + i, next - i, &table);
        spar__buf_printf(out, "\n%s\n", tables[part].title);
        spar__text_table_print(&table, styled, out);
        spar__text_table_free(&table);
    }
}
