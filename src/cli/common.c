/* common.c - what several commands have in common: see common.h. */
#define _XOPEN_SOURCE 700 /* realpath */

#include "cli/common.h"

#include "base/buf.h"
#include "base/clock.h"
#include "base/error.h"
#include "cli/outdir.h"
#include "env/env.h"
#include "sim/sim.h"

#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

spar_plan spar__plan_of(const spar__settings *settings, const char *env)
{
    const char *feedback = spar__setting_text(settings, "feedback");
    spar_regret regret = SPAR_REGRET_SUM;
    while (spar__setting_find(settings, "regret") && !spar__setting_is(settings, "regret", spar__regret_name(regret)))
        regret++;
    return (spar_plan){
        .size = sizeof(spar_plan),
        .env = env,
        .feedback = feedback ? feedback : spar__env_feedback(env),
        .m = (size_t)spar__setting_number(settings, "m"),
        .rounds = spar__setting_number(settings, "rounds"),
        .runs = spar__setting_number(settings, "runs"),
        .seed = spar__setting_number(settings, "seed"),
        .threads = (size_t)spar__setting_number(settings, "threads"),
        .horizon = SPAR_HORIZON_ROUNDS,
        .regret = regret,
    };
}

spar_status spar__check_out(const spar__settings *settings, spar_error *err)
{
    const char *dir = spar__setting_text(settings, "out");
    if (dir && strcmp(dir, "-") == 0)
        return spar__fail(err, SPAR_INVALID, "%s: --out takes a directory, not '-'", settings->command->name);
    return SPAR_OK;
}

const char spar__chance_note[] = "+-: one standard error of the difference, run by run; within two it may be chance\n";

void spar__note(const char *format, ...)
{
    char text[1 << 12];
    spar__buf shown = {0};
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    spar__buf_add_printable(&shown, text);
    if (!shown.failed)
        (void)fprintf(stderr, "spar: note: %s\n", shown.text);
    spar__buf_free(&shown);
}

void spar__plan_text(const spar_plan *plan, spar__buf *out)
{
    spar__buf_add_printable(out, plan->env);
    spar__buf_printf(out, "\nm = %zu, ", plan->m);
    spar__buf_add_printable(out, plan->feedback);
    spar__buf_printf(out, ", %" PRIu64 " round%s, ", plan->rounds, spar__plural(plan->rounds));
}

void spar__shell_word(const char *word, spar__buf *out)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,+@%#";
    bool quoted = !*word || *word == '#' || word[strspn(word, plain)];
    spar__buf text = {0};
    spar__buf_adds(&text, quoted ? "'" : "");
    for (; *word; word++)
        if (*word == '\'')
            spar__buf_adds(&text, "'\\''");
        else
            spar__buf_add(&text, word, 1);
    spar__buf_adds(&text, quoted ? "'" : "");
    out->failed |= text.failed;
    spar__buf_add_printable(out, text.failed ? "" : text.text);
    spar__buf_free(&text);
}

/* --- the option --columns --- */

/* A column is named 'a=left'; the text is changed. */
static spar_status read_column(char *text, spar__votes_columns *columns, spar_error *err)
{
    struct {
        const char *name, **column;
        bool needed;
    } const known[] = {{"a", &columns->a, true},           {"b", &columns->b, true},
                       {"winner", &columns->winner, true}, {"voter", &columns->voter, false},
                       {"item", &columns->item, false},    {"id", &columns->id, false}};
    char *name = strchr(text, '=');
    if (name)
        *name++ = '\0';
    for (size_t i = 0; i < sizeof known / sizeof *known && name && *name; i++) {
        bool none = strcmp(name, "-") == 0;
        if (strcmp(known[i].name, text) == 0 && !(none && known[i].needed)) {
            *known[i].column = none ? "" : name;
            return SPAR_OK;
        }
    }
    return spar__fail(err, SPAR_INVALID,
                      "--columns: '%.60s' is not one of a=NAME, b=NAME, winner=NAME, voter=NAME, item=NAME, id=NAME",
                      text);
}

spar_status spar__columns_of(const spar__settings *settings, spar__votes_columns *columns, spar_error *err)
{
    const spar__setting *setting = spar__setting_of(settings, "columns");
    spar_status status = SPAR_OK;
    char *text = setting->n ? setting->text[0] : NULL;
    *columns = (spar__votes_columns){0};
    while (text && !status) {
        char *comma = strchr(text, ',');
        if (comma)
            *comma = '\0';
        status = read_column(text, columns, err);
        text = comma ? comma + 1 : NULL;
    }
    return status;
}

spar_status spar__columns_parse(bool json, const char *text, size_t length, const char *path,
                                const spar__votes_columns *columns, spar__votes *out, spar_error *err)
{
    spar_status status = (json ? spar__votes_parse_json : spar__votes_parse_csv)(text, length, path, columns, out, err);
    if (status == SPAR_PARSE && (strstr(err->text, ": no column '") || strstr(err->text, ": no member '")))
        return spar__fail(err, status, "%s; or name them, as in --columns a=left,b=right,winner=winner,voter=worker",
                          err->text);
    return status;
}

/* --- a file that is to be written, beside the one that is read --- */

/* The length of the folder of a path, with its slash. */
static size_t folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

/* The same file, or two that are not there yet but would be the same. */
static bool same_file(const char *a, const char *b)
{
    const char *path[] = {a, b};
    struct stat info[2];
    bool found[2];
    for (int i = 0; i < 2; i++)
        found[i] = stat(path[i], &info[i]) == 0;
    if (found[0] != found[1] || (!found[0] && strcmp(a + folder_of(a), b + folder_of(b)) != 0))
        return false;
    for (int i = 0; i < 2 && !found[i]; i++) {
        spar__buf folder = {0};
        spar__buf_add(&folder, path[i], folder_of(path[i]));
        spar__buf_adds(&folder, ".");
        bool there = !folder.failed && stat(folder.text, &info[i]) == 0;
        spar__buf_free(&folder);
        if (!there)
            return false;
    }
    return info[0].st_dev == info[1].st_dev && info[0].st_ino == info[1].st_ino;
}

/* The file, or one that SQLite keeps beside it; that is beside the target of a link. */
static bool belongs_to(const char *path, const char *file)
{
    static const char *const suffix[] = {"", "-wal", "-shm", "-journal"};
    char real[PATH_MAX];
    bool same = false;
    for (size_t i = 0; i < sizeof suffix / sizeof *suffix && !same && realpath(file, real); i++) {
        spar__buf name = {0};
        spar__buf_printf(&name, "%s%s", real, suffix[i]);
        same = !name.failed && same_file(name.text, path);
        spar__buf_free(&name);
    }
    return same;
}

/* With or without #NAME: a file may have a # of its own. */
static bool is_read(const char *path, const char *source)
{
    static const char scheme[] = "sqlite:";
    const char *file = strncmp(source, scheme, strlen(scheme)) == 0 ? source + strlen(scheme) : source;
    const char *hash = strrchr(file + folder_of(file), '#');
    spar__buf name = {0};
    spar__buf_add(&name, file, hash ? (size_t)(hash - file) : strlen(file));
    bool same = belongs_to(path, file) || (hash && !name.failed && belongs_to(path, name.text));
    spar__buf_free(&name);
    return same;
}

spar_status spar__target_check(const char *source, const char *path, spar_error *err)
{
    if (!source || !path || strcmp(source, "-") == 0 || strcmp(path, "-") == 0 || !is_read(path, source))
        return SPAR_OK;
    return spar__fail(err, SPAR_INVALID, "%s: cannot write: it belongs to %s, which is read; expected another file",
                      path, source);
}

spar_status spar__target_check_dir(const char *source, const char *dir, size_t n, const char *const *name,
                                   spar_error *err)
{
    spar_status status = SPAR_OK;
    for (size_t i = 0; i < n && !status && dir; i++) {
        spar__buf path = {0};
        status = spar__outdir_path(dir, name[i], &path, err);
        if (!status)
            status = spar__target_check(source, path.text, err);
        spar__buf_free(&path);
    }
    return status;
}

/* --- for how long something is good --- */

enum { DAY = 86400, YEARS = 100 };

spar_status spar__expiry_parse(const char *text, const char *origin, int64_t now, int64_t *out, spar_error *err)
{
    *out = 0;
    if (!text || strcmp(text, "never") == 0)
        return SPAR_OK;
    static const char letter[] = "smhdw";
    static const int64_t seconds[] = {1, 60, 3600, DAY, 7 * DAY};
    char *end = NULL;
    long n = *text >= '0' && *text <= '9' ? strtol(text, &end, 10) : 0;
    const char *found = end && *end ? strchr(letter, *end) : NULL;
    int64_t unit = found ? seconds[found - letter] : 0, most = (int64_t)YEARS * 365 * DAY;
    if (!unit || end[1] || n < 1 || n > most / unit)
        return spar__fail(err, SPAR_INVALID,
                          "%s '%.40s': expected a time such as 12h, 30d or 8w, at most 100 years, or never", origin,
                          text);
    *out = now + n * unit;
    return SPAR_OK;
}

void spar__expiry_text(int64_t seconds, char text[SPAR__EXPIRY_SIZE])
{
    char utc[SPAR__UTC_SIZE];
    spar__utc_print(utc, seconds * 1000000);
    utc[10] = ' '; /* in place of the T; minutes are enough */
    (void)snprintf(text, SPAR__EXPIRY_SIZE, "%.16s", seconds ? utc : "never");
}
