/* merge.c - spar merge: the report of a sweep whose cells were played in parts.
 *
 * The files of cells say which command they belong to. It is called with the same options, plays nothing, and takes all
 * cells from the directories. */
#include "base/alloc.h"
#include "cli/common.h"
#include "cli/outdir.h"
#include "cli/sweeping.h"
#include "spar_version.h"

#include <string.h>
#include <unistd.h>

/* Options that the report gets, besides those of the sweep. */
enum { MORE = 3 };

static const spar__command *find_command(const spar__sweep_head *head)
{
    const spar__command *command = head->n_words ? spar__command_find(head->word[0]) : NULL;
    for (const spar__option *o = command ? command->options : NULL; o && o->name; o++)
        if (strcmp(o->name, "part") == 0)
            return command;
    return NULL;
}

/* Why there is nothing to join. The cells of a sweep are removed when it is complete; its report tells. */
static spar_status fail_empty(const char *dir, spar_error *err)
{
    static const char *const report[] = {"curves.csv", "tune.csv", "matrix.txt"}; /* of run, tune and rank */
    spar__buf path = {0};
    spar_status status = SPAR_OK;
    for (size_t i = 0; !status && i < sizeof report / sizeof *report; i++) {
        status = spar__outdir_path(dir, report[i], &path, err);
        if (!status && access(path.text, F_OK) == 0)
            status =
                spar__fail(err, SPAR_INVALID, "%s: nothing to join: it is complete, the report is %s", dir, path.text);
    }
    spar__buf_free(&path);
    return status ? status
                  : spar__fail(err, SPAR_INVALID, "%s: there are no cells in it, expected the --out of a sweep", dir);
}

/* The command with the options of its parts, and with ours. */
static spar_status report(const spar__settings *settings, const spar__sweep_head *head, const spar__command *command,
                          spar__buf *out, spar_error *err)
{
    const char *dir = spar__setting_text(settings, "out");
    const struct spar__merge merge = {.dir = settings->operand, .n_dirs = settings->n_operands};
    char **word = spar__alloc(head->n_words + MORE, sizeof *word);
    if (!word)
        return spar__fail_memory(err);
    size_t n = 0;
    word[n++] = (char *)(uintptr_t) "--out";
    word[n++] = (char *)(uintptr_t)(dir ? dir : settings->operand[0]);
    if (spar__setting_number(settings, "json"))
        word[n++] = (char *)(uintptr_t) "--json";
    for (size_t i = 1; i < head->n_words; i++)
        word[n++] = head->word[i];
    spar__settings again;
    spar_status status = spar__settings_new(command, (int)n, word, &again, err);
    if (!status) {
        again.merge = &merge;
        status = spar__settings_finish(&again, err);
        if (!status)
            status = command->run(&again, out, err);
        spar__settings_free(&again);
    }
    spar__free(word);
    return status;
}

static spar_status merge(const spar__settings *settings, spar__buf *out, spar_error *err)
{
    spar__cell_files files = {0};
    const char *path = NULL;
    spar_status status = SPAR_OK;
    if (!settings->n_operands)
        return spar__fail(err, SPAR_INVALID, "merge: no directory; give those that --part had as --out");
    for (size_t i = 0; !status && i < settings->n_operands; i++) {
        spar__buf cells = {0};
        size_t before = files.n_files;
        spar__buf_printf(&cells, "%s/cells", settings->operand[i]);
        status = cells.failed ? spar__fail_memory(err) : spar__cell_files_add(&files, cells.text, err);
        if (!status && files.n_files == before)
            status = fail_empty(settings->operand[i], err);
        spar__buf_free(&cells);
    }
    const spar__sweep_head *head = NULL; /* of the first file that says what sweep it belongs to */
    for (size_t i = 0; !head && i < files.n_files; i++)
        if (files.file[i].has_head) {
            path = files.file[i].path;
            head = &files.file[i].head;
        }
    const spar__command *command = head ? find_command(head) : NULL;
    if (!status && !head)
        status = spar__fail(err, SPAR_INVALID, "%s: no file there says what sweep it belongs to", settings->operand[0]);
    else if (!status && strcmp(head->version, SPAR_VERSION) != 0)
        status = spar__fail(err, SPAR_INVALID, "%s: written by spar %.40s, and this is spar " SPAR_VERSION, path,
                            head->version);
    else if (!status && !command)
        status = spar__fail(err, SPAR_CORRUPT, "%s: it belongs to no command that sweeps", path);
    if (!status)
        status = report(settings, head, command, out, err);
    spar__cell_files_free(&files);
    return status;
}

static const spar__option options[] = {
    SPAR__TEXT_OPTION("out", "DIR", "where the report goes (default: the first DIR)"),
    SPAR__OPTION_JSON,
    {.name = NULL},
};

const spar__command spar__command_merge = {
    .name = "merge",
    .brief = "Join the parts of a sweep and report it",
    .operands = "DIR... [--out DIR] [--json]",
    .max_operands = SIZE_MAX,
    .options = options,
    .notes =
        "DIR are directories that run, tune, paper or rank had as --out with --part I/N; one that all parts shared\n"
        "will do. The report is that of the command in one go, to the last byte but for times. Cells that are there\n"
        "twice are taken once; those of another plan or version are refused. If some are missing, the others are kept\n"
        "in --out, for the command to go on with.",
    .example = "spar merge out/part-1 out/part-2 --out out/sweep --json",
    .run = merge,
};
