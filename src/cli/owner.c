/* owner.c - see owner.h: the command of a directory stands in DIR/command.txt, with all that decides its results. */
#include "cli/owner.h"

#include "base/file.h"
#include "cli/common.h"
#include "cli/outdir.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const char NAME[] = "command.txt";

/* Does the option decide results, rather than where they go and how they look? */
static bool decides(const spar__settings *settings, const spar__setting *setting)
{
    static const char *const never[] = {"threads", "out", "json", "part", "plan-only", "cache"};
    static const char *const looks[] = {"band", "log", "title", "label", "size", "snapshots"}; /* of run */
    bool run = strcmp(settings->command->name, "run") == 0;
    for (size_t i = 0; i < sizeof never / sizeof *never; i++)
        if (strcmp(setting->option->name, never[i]) == 0)
            return false;
    for (size_t i = 0; run && i < sizeof looks / sizeof *looks; i++)
        if (strcmp(setting->option->name, looks[i]) == 0)
            return false;
    return setting->option->kind != SPAR__OPTION_SWITCH || setting->number;
}

/* With the values that are used, wherever they come from: a default that is spelled out is no other command. All papers
 * are the same: what is there of one is used by the next. */
static void write_command(const spar__settings *settings, spar__buf *out)
{
    spar__buf_printf(out, "spar %s", settings->command->name);
    if (strcmp(settings->command->name, "paper") == 0) {
        spar__buf_adds(out, "\n");
        return;
    }
    for (size_t i = 0; i < settings->n; i++) {
        const spar__setting *setting = &settings->setting[i];
        for (size_t k = 0; decides(settings, setting) && k < setting->n; k++) {
            spar__buf_printf(out, " --%s", setting->option->name);
            if (setting->option->kind == SPAR__OPTION_SWITCH)
                continue;
            spar__buf_adds(out, " ");
            spar__shell_word(setting->text[k], out);
        }
    }
    for (size_t i = 0; !settings->command->runfile && i < settings->n_operands; i++) {
        spar__buf_adds(out, " ");
        spar__shell_word(settings->operand[i], out);
    }
    spar__buf_adds(out, "\n");
}

/* Is the command in the file this one? */
static spar_status compare(const char *dir, const char *path, const char *command, spar_error *err)
{
    enum { LIMIT = 1 << 20, SHOWN = 160 };
    spar__buf there = {0}, shown = {0};
    spar_status status = spar__file_read(path, LIMIT, &there, err);
    if (!status && there.length && strcmp(there.text, command) != 0) {
        there.text[strcspn(there.text, "\n")] = '\0';
        spar__buf_add_printable(&shown, there.text);
        status = shown.failed
                     ? spar__fail_memory(err)
                     : spar__fail(err, SPAR_INVALID,
                                  "%s: has the files of another command, '%.*s%s'; give another --out, or delete it",
                                  dir, SHOWN, shown.text, shown.length > SHOWN ? "..." : "");
    }
    spar__buf_free(&there);
    spar__buf_free(&shown);
    return status;
}

spar_status spar__owner_check(const char *dir, const spar__settings *settings, spar_error *err)
{
    spar__buf path = {0}, command = {0};
    struct stat info;
    const spar__setting *part = settings->merge ? NULL : spar__setting_find(settings, "part");
    spar_status status = spar__outdir_make(dir, err);
    write_command(settings, &command);
    if (!status)
        status = spar__outdir_path(dir, NAME, &path, err);
    if (!status && command.failed)
        status = spar__fail_memory(err);
    if (!status && !(part && part->n) && stat(path.text, &info) == 0) /* parts of a sweep are checked cell by cell */
        status = compare(dir, path.text, command.text, err);
    spar__buf_free(&path);
    spar__buf_free(&command);
    return status;
}

spar_status spar__owner_sign(const char *dir, const spar__settings *settings, spar_error *err)
{
    spar__buf command = {0};
    write_command(settings, &command);
    spar_status status = command.failed ? spar__fail_memory(err) : spar__outdir_write(dir, NAME, &command, err);
    spar__buf_free(&command);
    return status;
}
