/* JSON and CSV. Every case has all keys; a number that it does not have is null, or an empty field. */
#include "text/json.h"
#include "base/pool.h"
#include "cli/bench/bench.h"
#include "num/elementary.h"
#include "spar_version.h"
#include "text/csv.h"

#include <math.h>

#if defined(__clang__)
#define COMPILER __VERSION__
#elif defined(__GNUC__)
#define COMPILER "gcc " __VERSION__
#else
#define COMPILER "unknown"
#endif

spar__bench_machine spar__bench_machine_here(void)
{
    return (spar__bench_machine){SPAR_VERSION, spar__cpu_name(), COMPILER, spar__pool_workers(0, SIZE_MAX)};
}

enum { COUNTS = 6, NUMBERS = 7 };

static const char *const count_keys[COUNTS] = {"K", "m", "threads", "first", "last", "rounds"};
static const char *const number_keys[NUMBERS] = {"ns",      "plain_ns",   "ratio",    "per_second",
                                                 "speedup", "efficiency", "megabytes"};

static void list_numbers(const spar__bench_case *item, double counts[COUNTS], double numbers[NUMBERS])
{
    const double c[COUNTS] = {(double)item->k,     (double)item->m,    (double)item->threads,
                              (double)item->first, (double)item->last, (double)item->rounds};
    double efficiency = item->threads ? item->speedup / (double)item->threads : NAN;
    const double v[NUMBERS] = {item->ns,      item->plain_ns, spar__bench_ratio(item), item->per_second,
                               item->speedup, efficiency,     item->megabytes};
    for (size_t i = 0; i < COUNTS; i++) /* only rounds may be 0 */
        counts[i] = c[i] > 0 || i == COUNTS - 1 ? c[i] : NAN;
    for (size_t i = 0; i < NUMBERS; i++)
        numbers[i] = v[i];
}

static void add_case(const spar__bench_case *item, spar__json *json)
{
    double counts[COUNTS], numbers[NUMBERS];
    list_numbers(item, counts, numbers);
    spar__json_begin_object(json);
    spar__json_add_string(json, "part", spar__bench_part_names[item->part]);
    spar__json_add_string(json, "name", item->name);
    for (size_t i = 0; i < COUNTS; i++)
        spar__json_add_number(json, count_keys[i], counts[i]);
    for (size_t i = 0; i < NUMBERS; i++)
        spar__json_add_number(json, number_keys[i], numbers[i]);
    spar__json_end_object(json);
}

void spar__bench_json(const spar__bench_report *report, bool quick, spar__buf *out)
{
    spar__bench_machine machine = spar__bench_machine_here();
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
    for (size_t i = 0; i < report->n; i++)
        add_case(&report->item[i], &json);
    spar__json_end_array(&json);
    spar__json_end_object(&json);
    spar__buf_adds(out, "\n");
}

void spar__bench_csv(const spar__bench_report *report, spar__buf *out)
{
    spar__csv_writer csv = {.out = out};
    spar__csv_text(&csv, "part");
    spar__csv_text(&csv, "name");
    for (size_t i = 0; i < COUNTS; i++)
        spar__csv_text(&csv, count_keys[i]);
    for (size_t i = 0; i < NUMBERS; i++)
        spar__csv_text(&csv, number_keys[i]);
    spar__csv_end_row(&csv);
    for (size_t i = 0; i < report->n; i++) {
        double counts[COUNTS], numbers[NUMBERS];
        list_numbers(&report->item[i], counts, numbers);
        spar__csv_text(&csv, spar__bench_part_names[report->item[i].part]);
        spar__csv_text(&csv, report->item[i].name);
        for (size_t k = 0; k < COUNTS; k++)
            spar__csv_number(&csv, counts[k]);
        for (size_t k = 0; k < NUMBERS; k++)
            spar__csv_number(&csv, numbers[k]);
        spar__csv_end_row(&csv);
    }
}
