/* Every allocation of an export and of an import fails once: the call fails with its status, and nothing is half done.
 */
#include "base/alloc.h"
#include "exchange.h"
#include "live/exchange/exchange.h"
#include "tap.h"

#include <inttypes.h>

static char *log_text, *csv_text;

static spar_status run_export(export_fn *fn)
{
    spar__export export = {.stream = fopen("/dev/null", "w"), .names = true};
    spar_status status = spar__history_open("memory:e", NULL, NULL, &export.history, &err);
    if (!status)
        status = fn(&export, &err);
    spar__history_free(export.history);
    spar__buf_free(&export.notes);
    (void)fclose(export.stream);
    return status;
}

static spar_status run_csv(void)
{
    return run_export(spar__export_csv);
}

static spar_status run_jsonl(void)
{
    return run_export(spar__export_jsonl);
}

static spar_status run_arena(void)
{
    return run_export(spar__export_arena);
}

static spar_status run_preflib(void)
{
    return run_export(spar__export_preflib);
}

/* Into an experiment that is there; what was added before stays. */
static spar_status run_import(void)
{
    spar__import_job job = {.add_options = true};
    spar__import_text file = {csv_text, "f", strlen(csv_text)};
    spar__import_reader reader = spar__import_csv(&file);
    spar_status status = spar_experiment_open("memory:o", SPAR_EXPERIMENT_WRITE, &job.experiment, &err);
    if (!status)
        status = spar__import_run(&job, &reader, &err);
    spar_experiment_close(job.experiment);
    return status;
}

static spar_status run_restore(void)
{
    spar__restore_job job = {0};
    spar__history *history = NULL;
    spar_status status = spar__history_of_text(log_text, strlen(log_text), "f", &history, &err);
    if (!status)
        status = spar__restore(&job, "memory:r", history, &err);
    spar__history_free(history);
    return status;
}

static void ignore(void *context, const spar__copied *copied)
{
    (void)context;
    (void)copied;
}

static spar_status run_copy(void)
{
    spar__copy_job job = {.from = "memory:e", .to = "memory:c", .secrets = true, .report = ignore};
    return spar__copy(&job, &err);
}

/* strict: none can be done without (snapshots can). */
static void fail_each(spar_status (*run)(void), bool strict, const char *what)
{
    size_t other = 0, good = 0, k = 0, made;
    do {
        spar__alloc_fail_at(++k);
        spar_status status = run();
        made = spar__alloc_count();
        other += status && status != SPAR_NOMEM;
        good += !status && made >= k;
    } while (made >= k); /* until the one that fails is not reached */
    spar__alloc_fail_at(0);
    ok(other == 0 && (good == 0 || !strict) && k > 10,
       "%s: %zu allocations, each failed once (%zu did without; %zu other: %s)", what, k - 1, good, other,
       other ? err.text : "");
}

int main(void)
{
    spar_experiment *experiment = make_experiment("memory:e", 3, N_IDS);
    live_through(experiment, 10);
    log_text = export_text(spar__export_jsonl, "memory:e", true, NULL);
    csv_text = export_text(spar__export_csv, "memory:e", true, NULL);
    fail_each(run_csv, true, "csv");
    fail_each(run_jsonl, true, "jsonl");
    fail_each(run_arena, true, "arena");
    fail_each(run_preflib, true, "preflib");
    spar_experiment *other = make_experiment("memory:o", 3, N_IDS);
    fail_each(run_import, false, "import");
    char *csv = export_text(spar__export_csv, "memory:o", true, NULL);
    same_text(csv, csv_text, "and what was imported is all there, once");
    spar__store *keep = NULL;
    must(spar__store_open("memory:r", SPAR__STORE_CREATE, &keep, &err));
    fail_each(run_restore, true, "restore");
    char *log = export_text(spar__export_jsonl, "memory:r", true, NULL);
    same_text(log, log_text, "and what was restored is all there, once");
    spar__store_close(keep);
    spar__store *from = NULL;
    must(spar__store_open("memory:e", SPAR__STORE_WRITE, &from, &err));
    must(spar__store_secret_put(from, "token/1", (const unsigned char *)"t", 1, &err));
    spar__store_close(from);
    must(spar__store_open("memory:c", SPAR__STORE_CREATE, &keep, &err));
    fail_each(run_copy, false, "copy");
    free(log);
    log = export_text(spar__export_jsonl, "memory:c#", true, NULL);
    same_text(log, log_text, "and what was copied is all there, once");
    spar__store_close(keep);
    spar_experiment_close(other);
    spar_experiment_close(experiment);
    free(log_text);
    free(csv_text);
    free(csv);
    free(log);
    return done();
}
