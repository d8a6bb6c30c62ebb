/* export.c - spar export: an experiment as a file that other programs read. */
#include "base/alloc.h"
#include "base/file.h"
#include "cli/common.h"
#include "cli/experiment.h"
#include "cli/progress.h"
#include "live/exchange/exchange.h"

#include <string.h>
#include <sys/stat.h>

enum { SHOWN = 10 }; /* findings */

/* What is damaged. */
typedef struct export_faults {
    const char *file;
    size_t n;
} export_faults;

static void show_fault(void *context, const char *sentence)
{
    export_faults *faults = context;
    if (faults->n++ < SHOWN)
        spar__note("%s: %s", faults->file, sentence);
}

static spar_status (*writer_of(const char *format))(spar__export *, spar_error *)
{
    return strcmp(format, "csv") == 0       ? spar__export_csv
           : strcmp(format, "arena") == 0   ? spar__export_arena
           : strcmp(format, "dpo") == 0     ? spar__export_dpo
           : strcmp(format, "preflib") == 0 ? spar__export_preflib
                                            : spar__export_jsonl;
}

/* What can be read of a damaged experiment is written, and is then the whole file. */
static spar_status write_file(spar__export *export, const char *format, const char *path, spar_error *err)
{
    spar__file file = {0};
    spar__progress_line line;
    if (export->names) /* for its owner only, as the experiment is, */
        (void)umask(S_IRWXG | S_IRWXO);
    spar_status status = spar__file_begin(&file, path, err);
    if (!status && export->names && file.target) /* also if others could read what was there before */
        status = fchmod(fileno(file.stream), S_IRUSR | S_IWUSR) ? spar__fail_file(err, path, "protect") : SPAR_OK;
    if (status && file.stream)
        spar__file_abandon(&file);
    if (status)
        return status;
    spar__stop_catch();
    spar__progress_begin(&line, "export ");
    line.unit = "events";
    export->stream = file.stream;
    export->progress = spar__progress_show;
    export->context = &line;
    status = writer_of(format)(export, err);
    spar__progress_end(&line);
    if (!status || (status == SPAR_INTERRUPTED && strcmp(path, "-") == 0)) {
        spar_error why = {0};
        spar_status written = spar__file_commit(&file, false, &why);
        return written ? spar__fail(err, written, "%s", why.text) : status;
    }
    spar__file_abandon(&file);
    return status;
}

static spar_status export_file(const spar__settings *settings, spar__buf *out, spar_error *err)
{
    (void)out; /* it may be large: written as it comes */
    const char *place = settings->operand[0], *path = spar__setting_text(settings, "out");
    char *shown = spar__store_shown(place);
    export_faults faults = {.file = shown};
    spar__export export = {.names = spar__setting_number(settings, "with-names") != 0};
    spar_status status = shown ? spar__target_check(place, path, err) : spar__fail_memory(err);
    if (!status)
        status = spar__history_open(place, show_fault, &faults, &export.history, err);
    if (!status)
        status = write_file(&export, spar__setting_text(settings, "format"), path, err);
    const char *line = !status && export.notes.length ? export.notes.text : "";
    for (const char *end; (end = strchr(line, '\n')); line = end + 1)
        spar__note("%s: %.*s", shown, (int)(end - line), line);
    if (!status && faults.n)
        status = spar__fail(err, SPAR_CORRUPT, "%s: %zu %s damaged; what could be read was written", shown, faults.n,
                            faults.n == 1 ? "part is" : "parts are");
    spar__buf_free(&export.notes);
    spar__history_free(export.history);
    spar__free(shown);
    return status;
}

static const spar__option options[] = {
    SPAR__CHOICE_OPTION("format", "F", "jsonl", "jsonl|csv|arena|preflib|dpo", "what to write, see below"),
    {.name = "out",
     .kind = SPAR__OPTION_TEXT,
     .metavar = "TO",
     .standard = "-",
     .help = "where to; '-' is standard output"},
    SPAR__SWITCH_OPTION("with-names", "with the names of voters, which are personal data"),
    {.name = NULL},
};

const spar__command spar__command_export = {
    .name = "export",
    .brief = "Write an experiment as JSON lines, CSV, arena rows, PrefLib orders or preferences for training",
    .operands = "FILE [OPTIONS]",
    .min_operands = 1,
    .max_operands = 1,
    .options = options,
    .notes =
        "Formats (doc/exchange.md):\n"
        "  jsonl    the log, an event a line, with the texts that still exist: 'spar import' restores it byte by byte\n"
        "  csv      a row an answer: what was shown, what was said, by whom, when, with comments\n"
        "  arena    model_a,model_b,winner,judge: a row a duel\n"
        "  preflib  orders of all options (soc, soi, toc, toi) and how often each was given\n"
        "  dpo      prompt, chosen, rejected: a line for each pair of outputs of an item that an answer orders\n"
        "What a format cannot say is counted on standard error. Of a damaged file everything is written that can be\n"
        "read; the status is then 1.",
    .example = "spar export tea.db --format csv --out tea.csv",
    .run = export_file,
};
