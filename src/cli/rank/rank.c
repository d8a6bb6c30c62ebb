/* rank.c - spar rank: which of many rankers wins, from learning-to-rank data and simulated clicks. */
#include "cli/rank/rank.h"
#include "cli/common.h"
#include "cli/outdir.h"
#include "cli/owner.h"
#include "cli/progress.h"
#include "cli/terminal.h"
#include "rank/cache.h"
#include "rank/generate.h"
#include "rank/letor.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { DRAWS = 100 };

static const char *const of_generate[] = {"queries", "docs", "grades", NULL};
static const char *const of_matrix[] = {"click",   "top",   "method", "draws", "weights",   "names",
                                        "threads", "cache", "json",   "part",  "plan-only", NULL};

/* Refuses options of --generate without it, and the others with it. */
static spar_status refuse(const spar__settings *settings, const char *const *names, const char *why, spar_error *err)
{
    for (; *names; names++)
        if (spar__setting_of(settings, *names)->source == SPAR__SOURCE_FLAG)
            return spar__fail(err, SPAR_INVALID, "rank: --%s is %s --generate", *names, why);
    return SPAR_OK;
}

static spar_status generate(const spar__settings *settings, spar_error *err)
{
    spar_status status = refuse(settings, of_matrix, "not for", err);
    if (!status && settings->n_operands)
        status = spar__fail(err, SPAR_INVALID, "rank: --generate takes no data: did not expect '%.200s'",
                            settings->operand[0]);
    if (status)
        return status;
    const spar__generate_options options = {
        .queries = (size_t)spar__setting_number(settings, "queries"),
        .docs = (size_t)spar__setting_number(settings, "docs"),
        .features = (size_t)spar__setting_number(settings, "features"),
        .grades = spar__setting_is(settings, "grades", "5") ? 5 : 3,
        .seed = spar__setting_number(settings, "seed"),
    };
    return spar__rank_generate(&options, spar__setting_text(settings, "out"), err);
}

static spar_status make_work(const spar__settings *settings, spar__rank_work *work, spar_error *err)
{
    const char *cache = spar__setting_text(settings, "cache");
    const spar__queries_options options = {
        .path = settings->operand,
        .paths = settings->n_operands,
        .cache = cache && strcmp(cache, "none") == 0 ? "" : cache,
        .weights = spar__setting_text(settings, "weights"),
        .names = spar__setting_text(settings, "names"),
        .features = spar__setting_of(settings, "features")->source == SPAR__SOURCE_DEFAULT
                        ? 0
                        : (size_t)spar__setting_number(settings, "features"),
        .top = (size_t)spar__setting_number(settings, "top"),
        .seed = spar__setting_number(settings, "seed"),
        .threads = (size_t)spar__setting_number(settings, "threads"),
    };
    if (options.weights && options.features)
        return spar__fail(err, SPAR_INVALID,
                          "rank: --features cannot be combined with --weights, which name their own");
    work->click = spar__setting_of(settings, "click")->text[0];
    work->mix = spar__setting_of(settings, "method")->text[0];
    work->seed = options.seed;
    work->draws = (size_t)spar__setting_number(settings, "draws");
    if (!work->draws && strcmp(work->mix, "team_draft") != 0)
        work->draws = DRAWS;
    return spar__rank_open(work, options, err);
}

/* Only parts of the matrix were made: they are not printed. */
static spar_status give_up(const spar__rank_result *result, spar_status why, spar__buf *out, spar_error *err)
{
    spar__buf_clear(out);
    if (why == SPAR_NOMEM)
        return spar__fail_memory(err);
    return spar__fail(err, why, "interrupted while the matrix of %zu rankers was written", result->n);
}

static spar_status write_square(const spar__rank_result *result, const double *values, const char *dir,
                                const char *name, const char *what, spar_error *err)
{
    spar__buf text = {0};
    spar_status status = spar__rank_matrix(result, values, what, &text);
    status = status ? give_up(result, status, &text, err) : spar__outdir_write(dir, name, &text, err);
    spar__buf_free(&text);
    return status;
}

static spar_status write_plot(const spar__rank_result *r, const char *dir, spar_error *err)
{
    spar__drawing drawing = {0};
    spar_status status = spar__rank_plot(r, &drawing)
                             ? spar__fail_memory(err)
                             : spar__outdir_figure(dir, "winners", &drawing,
                                                   "All numbers are in <code>matrix.txt</code> and "
                                                   "<code>errors.txt</code>.",
                                                   err);
    spar__drawing_free(&drawing);
    return status;
}

static spar_status write_files(const spar__rank_result *r, const char *dir, spar_error *err)
{
    spar__buf table = {0};
    spar_status status = write_square(r, r->p, dir, "matrix.txt", "P(row beats column)", err);
    if (!status)
        status = write_square(r, r->error, dir, "errors.txt", "standard errors of matrix.txt, over queries", err);
    if (!status && r->of_draws)
        status = write_square(r, r->of_draws, dir, "draws.txt", "the part of errors.txt that comes from drawing", err);
    spar__rank_table(r, false, 0, &table);
    if (!status)
        status = table.failed ? spar__fail_memory(err) : spar__outdir_write(dir, "winners.txt", &table, err);
    if (!status)
        status = write_plot(r, dir, err);
    spar__buf_free(&table);
    return status;
}

/* Prints the matrix; if that goes to files, the table of winners instead. */
static spar_status print(const spar__rank_result *result, const char *dir, bool json, spar__buf *out)
{
    spar_status status = SPAR_OK;
    if (json) {
        status = spar__rank_json(result, out);
    } else if (dir) {
        spar__rank_table(result, spar__output_styled(), spar__output_width(), out);
        spar__buf_adds(out, "'spar describe ");
        spar__buf_add_printable(out, dir);
        spar__buf_adds(out, "/matrix.txt' says more, taking the matrix for exact\n");
    } else {
        status = spar__rank_matrix(result, result->p, "P(row beats column)", out);
        spar__buf verdict = {0};
        spar__rank_verdict(result, &verdict);
        if (!status && !verdict.failed)
            spar__note("%s; 'spar describe' says more", verdict.text);
        spar__buf_free(&verdict);
    }
    return status;
}

static spar_status report(const spar__rank_work *work, const spar__settings *settings, spar__buf *out, spar_error *err)
{
    const char *dir = spar__setting_text(settings, "out");
    spar__rank_result result;
    spar_status status = spar__rank_result_make(work, &result, err);
    if (status)
        return status;
    status = print(&result, dir, spar__setting_number(settings, "json"), out);
    if (status)
        status = give_up(&result, status, out, err);
    else if (dir && !(status = spar__owner_sign(dir, settings, err)))
        status = write_files(&result, dir, err);
    spar__rank_result_free(&result);
    return status;
}

static spar_status tell_interrupted(const spar__rank_work *work, const spar__sweeping *sweeping, spar_error *err)
{
    size_t all = spar__queries_count(work->lists.queries);
    if (!work->tally->queries)
        return spar__fail(err, SPAR_INTERRUPTED, "interrupted before the first of %zu queries was compared", all);
    return spar__fail(err, SPAR_INTERRUPTED, "interrupted; the matrix is of %" PRIu64 " of %zu queries%s",
                      work->tally->queries, all, spar__sweeping_continues(sweeping));
}

static spar_status check_settings(const spar__settings *settings, spar_error *err)
{
    if (!settings->n_operands)
        return spar__fail(err, SPAR_INVALID, "rank: no data; give a file, '-' for standard input, or --generate");
    spar_status status = refuse(settings, of_generate, "only for", err);
    for (size_t i = 0; !status && i < settings->n_operands; i++)
        if (spar__setting_text(settings, "part") && strcmp(settings->operand[i], "-") == 0)
            status = spar__fail(err, SPAR_INVALID, "rank: --part needs files, as every part reads the data itself");
    return status ? status : spar__check_out(settings, err);
}

static spar_status compare_and_report(spar__rank_work *work, spar__sweeping *sweeping, spar__buf *out, spar_error *err)
{
    spar_status status = SPAR_OK;
    if (sweeping->out && !sweeping->sweep.list && !spar__sweeping_helps())
        status = spar__owner_check(sweeping->out, sweeping->settings, err);
    if (!status)
        status = make_work(sweeping->settings, work, err);
    if (!status)
        status = spar__rank_compare(work, sweeping, err);
    if (status || !sweeping->reports)
        return status;
    if (work->tally->queries)
        status = report(work, sweeping->settings, out, err);
    if (!status && work->tally->queries < spar__queries_count(work->lists.queries))
        status = tell_interrupted(work, sweeping, err);
    return status;
}

static spar_status rank(const spar__settings *settings, spar__buf *out, spar_error *err)
{
    spar__rank_work work = {0};
    spar__sweeping sweeping;
    if (spar__setting_number(settings, "generate"))
        return generate(settings, err);
    spar_status status = check_settings(settings, err);
    if (status)
        return status;
    status = spar__sweeping_begin(&sweeping, settings, out, err);
    if (!status)
        status = compare_and_report(&work, &sweeping, out, err);
    spar__rank_free(&work);
    return spar__sweeping_end(&sweeping, status, false, err);
}

static const spar__option options[] = {
    {.name = "click",
     .kind = SPAR__OPTION_TEXT,
     .metavar = "C",
     .standard = "perfect",
     .help = "click model: perfect, navigational, informational or position(...)"},
    {.name = "top",
     .kind = SPAR__OPTION_COUNT,
     .metavar = "N",
     .standard = "10",
     .low = 1,
     .high = SPAR__TOP_MOST,
     .help = "documents of a list that are shown"},
    {.name = "method",
     .kind = SPAR__OPTION_TEXT,
     .metavar = "M",
     .standard = "team_draft",
     .help = "how two lists are mixed: team_draft, probabilistic(tau=3) or optimised"},
    {.name = "draws",
     .kind = SPAR__OPTION_COUNT,
     .metavar = "N",
     .low = 2,
     .high = 1000000000,
     .help = "draws of each pair on each query (default: none for team_draft, which is exact; 100 for others)"},
    {.name = "weights",
     .kind = SPAR__OPTION_TEXT,
     .metavar = "FILE",
     .help = "rankers that are weighted sums, one per line: 'name feature:weight ...' (default: every feature)"},
    {.name = "names", .kind = SPAR__OPTION_TEXT, .metavar = "FILE", .help = "names of the features, one a line"},
    {.name = "seed",
     .kind = SPAR__OPTION_COUNT,
     .metavar = "S",
     .standard = "1",
     .high = UINT64_MAX,
     .help = "of the order of documents with equal scores, and of draws"},
    SPAR__OPTION_THREADS,
    {.name = "cache",
     .kind = SPAR__OPTION_TEXT,
     .metavar = "FILE",
     .help = "keeps what was read; 'none' keeps nothing (default: the first DATA with .spar-cache appended)"},
    {.name = "out",
     .kind = SPAR__OPTION_TEXT,
     .metavar = "DIR",
     .help = "write matrix.txt, errors.txt and winners.txt there, and print the last; continues what was interrupted "
             "there"},
    SPAR__OPTION_PART,
    SPAR__OPTION_PLAN_ONLY,
    {.name = "json", .kind = SPAR__OPTION_SWITCH, .help = "print JSON: the matrix, its errors, the standings"},
    {.name = "generate", .kind = SPAR__OPTION_SWITCH, .help = "make random data, to standard output or a file --out"},
    {.name = "queries",
     .kind = SPAR__OPTION_COUNT,
     .metavar = "N",
     .standard = "500",
     .low = 1,
     .high = UINT32_MAX,
     .help = "to generate"},
    {.name = "docs",
     .kind = SPAR__OPTION_COUNT,
     .metavar = "N",
     .standard = "20",
     .low = 1,
     .high = SPAR__DOCS_MOST,
     .help = "to generate: documents of a query, on average"},
    {.name = "features",
     .kind = SPAR__OPTION_COUNT,
     .metavar = "N",
     .standard = "46",
     .low = 1,
     .high = SPAR__FEATURE_MOST,
     .help = "to generate; of DATA: compare only the first N (default: all up to 1000)"},
    {.name = "grades",
     .kind = SPAR__OPTION_CHOICE,
     .metavar = "N",
     .standard = "3",
     .choices = "3|5",
     .help = "to generate: grades of relevance, from 0"},
    {.name = NULL},
};

const spar__command spar__command_rank = {
    .name = "rank",
    .brief = "Compare rankers on learning-to-rank data: their preference matrix under simulated clicks",
    .operands = "DATA... [OPTIONS]  |  spar rank --generate [OPTIONS]",
    .max_operands = SIZE_MAX,
    .options = options,
    .notes =
        "DATA are files in the LETOR format, 'grade qid:Q feature:value ...' ('-' is standard input).\n"
        "Prints P(row beats column), for 'spar describe -' and --env 'matrix(file=...)'. Results are the same for\n"
        "any number of threads. Ctrl-C reports the queries that are complete; with --out, the same command continues\n"
        "from there, and so it does after a crash. With data of your own:\n"
        "  spar rank train.txt --click navigational --out out/rank",
    .example = "spar rank --generate --queries 50 --docs 12 --features 8",
    .run = rank,
};
