/* import.c - spar import: answers from files, once only; and logs that were exported. */
#include "base/alloc.h"
#include "base/file.h"
#include "cli/common.h"
#include "cli/experiment.h"
#include "cli/progress.h"
#include "live/exchange/exchange.h"
#include "text/votes.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

static const size_t LARGEST_FILE = (size_t)1 << 36; /* a device may never end */

typedef struct import_file {
    const spar__settings *settings;
    const char *place;
    const char *path; /* for messages */
    char *shown;      /* the place for messages */
    spar__buf text;
    spar__votes_columns columns;
    spar__progress_line line;
} import_file;

static void add_count(spar__buf *out, const char *before, uint64_t n, const char *one, const char *many)
{
    spar__buf_printf(out, "%s%" PRIu64 " %s", before, n, n == 1 ? one : many);
}

static void print_rows(const import_file *f, const spar__import_job *job, spar__buf *out)
{
    spar__json json = {.out = out};
    if (spar__setting_number(f->settings, "json")) {
        spar__import_json(job, &json);
        spar__buf_adds(out, "\n");
        return;
    }
    spar__buf_add_printable(out, f->shown);
    add_count(out, ": ", job->added, "new answer", "new answers");
    if (job->known)
        add_count(out, ", ", job->known, "was there before", "were there before");
    if (job->options)
        add_count(out, ", ", job->options, "new option", "new options");
    spar__buf_adds(out, !job->added && !job->options ? "; nothing has changed\n" : "\n");
}

static void print_restored(const import_file *f, const spar__restore_job *job, bool made, spar__buf *out)
{
    spar__json json = {.out = out};
    if (!job->whole)
        spar__note("%s: the last line of the log is missing: the file may be cut short", f->path);
    if (job->left_out)
        spar__note("%s: %" PRIu64 " %s: the log has these voters without a name, as after 'spar forget'; --with-names "
                   "adds them",
                   f->shown, job->left_out, job->left_out == 1 ? "name was not added" : "names were not added");
    if (spar__setting_number(f->settings, "json")) {
        spar__restore_json(job, &json);
        spar__buf_adds(out, "\n");
        return;
    }
    spar__buf_add_printable(out, f->shown);
    add_count(out, made ? ": restored: " : ": this experiment: ", job->added, "new event", "new events");
    if (job->names)
        add_count(out, ", ", job->names, "name", "names");
    spar__buf_adds(out, !job->added && !job->names ? "; nothing has changed\n" : "\n");
}

/* Answers need an experiment; who has none yet is told how to make one. */
static spar_status open_place(const char *place, spar_experiment **out, spar_error *err)
{
    spar_error why = {0};
    spar_status status = spar_experiment_open(place, SPAR_EXPERIMENT_WRITE, out, &why);
    char *file = NULL, *name = NULL;
    struct stat info;
    bool missing = status == SPAR_IO && !strstr(place, "://") && !spar__store_split(place, &file, &name, NULL) &&
                   stat(file, &info) != 0 && errno == ENOENT;
    spar__free(file);
    spar__free(name);
    if (!status)
        return SPAR_OK;
    return spar__fail(err, status, missing ? "%s; 'spar init' makes an experiment that takes these answers" : "%s",
                      why.text);
}

static spar_status run_reader(import_file *f, const spar__import_reader *reader, spar__buf *out, spar_error *err)
{
    spar__import_job job = {.add_options = spar__setting_number(f->settings, "add-options") != 0,
                            .progress = spar__progress_show,
                            .context = &f->line};
    spar_status status = open_place(f->place, &job.experiment, err);
    if (!status)
        status = spar__import_run(&job, reader, err);
    if (!status || status == SPAR_INTERRUPTED)
        print_rows(f, &job, out);
    spar_experiment_close(job.experiment);
    return status;
}

static spar_status import_log(import_file *f, spar__buf *out, spar_error *err)
{
    spar__history *history = NULL;
    spar__restore_target target = SPAR__RESTORE_OTHER;
    spar_status status = spar__history_of_text(f->text.text, f->text.length, f->path, &history, err);
    if (!status)
        status = spar__restore_look(f->place, history, &target, err);
    if (!status && target == SPAR__RESTORE_OTHER) {
        spar__import_log log = {history, f->path};
        spar__import_reader reader = spar__import_answers(&log);
        status = run_reader(f, &reader, out, err);
    } else if (!status) {
        spar__restore_job job = {.all_names = spar__setting_number(f->settings, "with-names") != 0,
                                 .progress = spar__progress_show,
                                 .context = &f->line};
        f->line.unit = "events";
        status = spar__restore(&job, f->place, history, err);
        if (!status)
            print_restored(f, &job, target == SPAR__RESTORE_NEW, out);
    }
    spar__history_free(history);
    return status;
}

/* Rows of votes in one of the forms of other programs. */
static spar_status parse_votes(import_file *f, const char *format, spar__votes *votes, spar_error *err)
{
    const char *text = f->text.text;
    size_t length = f->text.length, line = 0;
    spar__votes_form form = spar__votes_guess(text, length, &line);
    if (strcmp(format, "arena") == 0 && form != SPAR__VOTES_JSON && form != SPAR__VOTES_EMPTY)
        form = SPAR__VOTES_CSV;
    else if (strcmp(format, "lines") == 0)
        form = SPAR__VOTES_LINES;
    else if (strcmp(format, "preflib") == 0)
        form = SPAR__VOTES_PREFLIB;
    switch (form) {
    case SPAR__VOTES_EMPTY:
        return SPAR_OK;
    case SPAR__VOTES_CSV:
    case SPAR__VOTES_JSON:
        return spar__columns_parse(form == SPAR__VOTES_JSON, text, length, f->path, &f->columns, votes, err);
    case SPAR__VOTES_LINES:
        return spar__votes_parse_lines(text, length, f->path, votes, err);
    case SPAR__VOTES_PREFLIB:
        return spar__preflib_parse(text, length, f->path, votes, err);
    case SPAR__VOTES_COUNTS:
        return spar__fail(err, SPAR_UNSUPPORTED,
                          "%s:%zu: these are win counts, which are no answers of people; 'spar decide' reads them",
                          f->path, line);
    default:
        return spar__fail(err, SPAR_PARSE,
                          "%s:%zu: cannot tell the form; expected a log or rows of 'spar export', a header such as "
                          "'model_a,model_b,winner', JSON objects with these members, lines such as 'A > B', or a "
                          "PrefLib file",
                          f->path, line);
    }
}

static spar_status import_text(import_file *f, spar__buf *out, spar_error *err)
{
    const char *format = spar__setting_text(f->settings, "format");
    bool guess = strcmp(format, "auto") == 0;
    if (strcmp(format, "jsonl") == 0 || (guess && spar__history_is_log(f->text.text, f->text.length)))
        return import_log(f, out, err);
    if (strcmp(format, "csv") == 0 || (guess && spar__import_is_csv(f->text.text, f->text.length))) {
        spar__import_text text = {f->text.text, f->path, f->text.length};
        spar__import_reader reader = spar__import_csv(&text);
        return run_reader(f, &reader, out, err);
    }
    spar__votes votes = {0};
    spar_status status = parse_votes(f, format, &votes, err);
    spar__import_ballots ballots = {&votes, f->path};
    spar__import_reader reader = spar__import_votes(&ballots);
    if (!status)
        status = run_reader(f, &reader, out, err);
    spar__votes_free(&votes);
    return status;
}

static spar_status import_rows(const spar__settings *settings, spar__buf *out, spar_error *err)
{
    const char *path = settings->n_operands > 1 ? settings->operand[1] : "-";
    import_file f = {.settings = settings,
                     .place = settings->operand[0],
                     .path = strcmp(path, "-") == 0 ? "standard input" : path,
                     .shown = spar__store_shown(settings->operand[0])};
    spar_status status = spar__columns_of(settings, &f.columns, err);
    if (!status)
        status = spar__file_read(path, LARGEST_FILE, &f.text, err);
    spar__buf_add(&f.text, "", 0); /* never NULL */
    if (!status && (f.text.failed || !f.shown))
        status = spar__fail_memory(err);
    if (!status) {
        spar__stop_catch();
        spar__progress_begin(&f.line, "import ");
        f.line.unit = "rows";
        status = import_text(&f, out, err);
        spar__progress_end(&f.line);
    }
    spar__buf_free(&f.text);
    spar__free(f.shown);
    return status;
}

static const spar__option options[] = {
    SPAR__CHOICE_OPTION("format", "F", "auto", "auto|jsonl|csv|arena|lines|preflib", "the form of FROM"),
    SPAR__OPTION_COLUMNS,
    SPAR__SWITCH_OPTION("add-options", "add options that the experiment does not have"),
    SPAR__SWITCH_OPTION("with-names", "of a log: also the names of voters who are in FILE without a name"),
    SPAR__SWITCH_OPTION("json", "print JSON"),
    {.name = NULL},
};

const spar__command spar__command_import = {
    .name = "import",
    .brief = "Add answers that were given elsewhere, once only, or restore an exported log",
    .operands = "FILE [FROM] [OPTIONS]",
    .min_operands = 1,
    .max_operands = 2,
    .options = options,
    .notes =
        "FROM (without it standard input) has one of these forms (doc/exchange.md):\n"
        "  jsonl    a log of 'spar export': restored byte by byte where FILE is not there or is the same experiment;\n"
        "           its answers are added to another one\n"
        "  csv      rows of 'spar export --format csv', or with shown, kind and answer only\n"
        "  arena    CSV or JSON objects with model_a, model_b, winner and perhaps judge and id\n"
        "  lines    A > B    A = B    A > B = C > D\n"
        "  preflib  soc, soi, toc, toi from preflib.org\n"
        "The same file again changes nothing, and a longer one adds what is new: a row is known by its id, else by\n"
        "what it says and how many equal rows stand before it. A file with a fault changes nothing at all.",
    .example = "spar import tea.db votes.csv --add-options",
    .run = import_rows,
};
