/* sweeping.c - what the commands that sweep have in common: --part, --plan-only, cells kept under --out, `spar merge`,
 * and playing on several ranks. */
#include "cli/sweeping.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "cli/common.h"
#include "cli/outdir.h"
#include "text/yaml.h"

#include <stdio.h>
#include <string.h>

const spar__sweep_runner *spar__sweeping_runner;

bool spar__sweeping_helps(void)
{
    return spar__sweeping_runner && spar__sweeping_runner->helps;
}

/* "2/3" */
static spar_status read_part(const spar__setting *setting, spar__sweep *sweep, spar_error *err)
{
    enum { MOST = 1000000 };
    if (!setting->n)
        return SPAR_OK;
    char first[16] = "";
    const char *text = setting->text[0], *slash = strchr(text, '/');
    uint64_t part = 0, parts = 0;
    if (slash && (size_t)(slash - text) < sizeof first)
        memcpy(first, text, (size_t)(slash - text));
    if (!slash || !spar__parse_u64(first, &part) || !spar__parse_u64(slash + 1, &parts) || part < 1 || part > parts ||
        parts > MOST)
        return spar__fail(err, SPAR_INVALID, "%s: '%.80s' is not a part such as 2/3, from 1/N to N/N with N at most %d",
                          setting->origin, text, MOST);
    sweep->part = (uint32_t)(part - 1);
    sweep->parts = (uint32_t)parts;
    return SPAR_OK;
}

/* Adds a text of three parts to a list. */
static spar_status add_text(char ***list, size_t *n, const char *a, const char *b, const char *c)
{
    spar__buf text = {0};
    char **grown = spar__realloc(*list, *n, *n + 1, sizeof *grown);
    if (!grown)
        return SPAR_NOMEM;
    *list = grown;
    spar__buf_printf(&text, "%s%s%s", a, b, c);
    if (text.failed) {
        spar__buf_free(&text);
        return SPAR_NOMEM;
    }
    (*list)[(*n)++] = text.text;
    return SPAR_OK;
}

/* Does the option decide what is computed or how it is drawn, rather than where? */
static bool is_kept(const spar__setting *setting)
{
    static const char *const others[] = {"threads", "out", "json", "part", "plan-only", "cache"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(setting->option->name, others[i]) == 0)
            return false;
    return setting->n && setting->source != SPAR__SOURCE_DEFAULT;
}

/* The command as one could type it, wherever its options came from. */
static spar_status write_words(spar__sweeping *s)
{
    const spar__settings *settings = s->settings;
    spar_status status = add_text(&s->word, &s->n_words, "", settings->command->name, "");
    for (size_t i = 0; !status && i < settings->n; i++) {
        const spar__setting *setting = &settings->setting[i];
        bool has_value = setting->option->kind != SPAR__OPTION_SWITCH;
        for (size_t k = 0; !status && is_kept(setting) && (has_value || setting->number) && k < setting->n; k++) {
            status = add_text(&s->word, &s->n_words, "--", setting->option->name, "");
            if (!status && has_value)
                status = add_text(&s->word, &s->n_words, "", setting->text[k], "");
        }
    }
    for (size_t i = 0; !status && !settings->command->runfile && i < settings->n_operands; i++)
        status = add_text(&s->word, &s->n_words, "", settings->operand[i], "");
    return status;
}

/* Where cells are, and where they go. */
static spar_status find_places(spar__sweeping *s, spar_error *err)
{
    const struct spar__merge *merge = s->settings->merge;
    spar_status status = SPAR_OK;
    for (size_t i = 0; merge && !status && i < merge->n_dirs; i++)
        status = add_text(&s->from, &s->n_from, merge->dir[i], "/cells", "");
    if (!merge && s->out)
        spar__buf_printf(&s->dir, "%s/cells", s->out);
    if (status || s->dir.failed)
        return spar__fail_memory(err);
    s->sweep.dir = s->dir.text;
    s->sweep.from = (const char *const *)s->from;
    s->sweep.n_from = s->n_from;
    s->sweep.only_read = merge != NULL;
    s->sweep.strict = merge || s->sweep.parts;
    s->sweep.must_keep = s->sweep.parts > 0;
    return SPAR_OK;
}

spar_status spar__sweeping_begin(spar__sweeping *s, const spar__settings *settings, spar__buf *out, spar_error *err)
{
    *s = (spar__sweeping){.settings = settings, .out = spar__setting_text(settings, "out")};
    spar_status status = SPAR_OK;
    bool list = !settings->merge && spar__setting_number(settings, "plan-only");
    if (!settings->merge) /* else it may be set in the environment, and means nothing */
        status = read_part(spar__setting_of(settings, "part"), &s->sweep, err);
    if (!status && s->sweep.parts && !s->out && !list)
        status = spar__fail(err, SPAR_INVALID, "%s: --part needs --out DIR, where its cells are kept",
                            settings->command->name);
    if (!status)
        status = find_places(s, err);
    if (!status && write_words(s))
        status = spar__fail_memory(err);
    s->sweep.word = (const char *const *)s->word;
    s->sweep.n_words = s->n_words;
    s->sweep.threads = (size_t)spar__setting_number(settings, "threads");
    s->sweep.runner = s->sweep.only_read || list ? NULL : spar__sweeping_runner;
    s->sweep.list = list ? out : NULL;
    s->sweep.list_json = spar__setting_number(settings, "json");
    s->reports = !s->sweep.parts && !list && !spar__sweeping_helps();
    spar__stop_catch();
    return status;
}

spar_status spar__sweeping_play(spar__sweeping *s, const spar__cell_list *cells, spar_error *err)
{
    bool own = !s->sweep.progress;
    if (own) {
        const char *unit = s->progress.unit;
        spar__progress_begin(&s->progress, "");
        s->progress.unit = unit ? unit : s->progress.unit;
        s->sweep.progress = spar__progress_show;
        s->sweep.context = &s->progress;
    }
    spar_status status = spar__sweep_play(&s->sweep, cells, err);
    if (own) {
        spar__progress_end(&s->progress);
        s->sweep.progress = NULL;
    }
    if (!status && s->sweep.only_read && s->sweep.done < s->sweep.cells)
        s->reports = false;
    return status;
}

const char *spar__sweeping_continues(const spar__sweeping *s)
{
    return s->sweep.dir && !s->sweep.unkept.status ? ", and the same command continues from there" : "";
}

static void tell(const spar__sweeping *s)
{
    const spar__sweep *sweep = &s->sweep;
    if (sweep->found && !s->quiet && !sweep->only_read)
        spar__note("%s: continues: %zu of %zu cells %s there", sweep->dir, sweep->found, sweep->cells,
                   sweep->found == 1 ? "is" : "are");
    if (sweep->files.damaged)
        spar__note("%zu kept cell%s not used: %s", sweep->files.damaged, sweep->files.damaged == 1 ? " is" : "s are",
                   sweep->files.reason.text);
    if (sweep->unkept.status && !sweep->must_keep)
        spar__note("what is done is not kept: %s", sweep->unkept.text);
}

/* How many cells of this part are there? */
static spar_status end_part(const spar__sweeping *s, spar_error *err)
{
    const spar__sweep *sweep = &s->sweep;
    if (sweep->interrupted)
        return spar__fail(err, SPAR_INTERRUPTED, "interrupted; %s has %zu of %zu cells%s", sweep->dir, sweep->done,
                          sweep->cells, spar__sweeping_continues(s));
    if (sweep->done < sweep->cells)
        spar__note("part %u/%u is complete: %s has %zu of %zu cells; 'spar merge' joins the parts", sweep->part + 1,
                   sweep->parts, sweep->dir, sweep->done, sweep->cells);
    else
        spar__note("part %u/%u is complete, and %s has all %zu cells; 'spar merge %s' reports them", sweep->part + 1,
                   sweep->parts, sweep->dir, sweep->cells, s->out);
    return SPAR_OK;
}

/* Cells are missing. Those that are there are kept in one place, if there is one for them. */
static spar_status end_merge(spar__sweeping *s, spar_error *err)
{
    spar__sweep *sweep = &s->sweep;
    const struct spar__merge *merge = s->settings->merge;
    size_t missing = sweep->cells - sweep->done;
    const char *are = missing == 1 ? "is" : "are";
    if (strcmp(s->out, merge->dir[0]) == 0)
        return spar__fail(err, SPAR_INTERRUPTED, "%zu of %zu cells %s missing; %s", missing, sweep->cells, are,
                          merge->n_dirs == 1 ? "the same command without --part plays them"
                                             : "with --out DIR those that are there would be kept in one place");
    spar__buf dir = {0};
    spar__buf_printf(&dir, "%s/cells", s->out);
    spar_status status = dir.failed ? spar__fail_memory(err) : spar__sweep_copy(sweep, dir.text, err);
    if (!status)
        status = spar__fail(err, SPAR_INTERRUPTED,
                            "%zu of %zu cells %s missing; those that are there are in %s: the same command with --out "
                            "%s, without --part, plays the others",
                            missing, sweep->cells, are, dir.text, s->out);
    spar__buf_free(&dir);
    return status;
}

static void free_words(char **word, size_t n)
{
    for (size_t i = 0; i < n; i++)
        spar__free(word[i]);
    spar__free(word);
}

spar_status spar__sweeping_end(spar__sweeping *s, spar_status status, bool keeps, spar_error *err)
{
    const spar__sweep *sweep = &s->sweep;
    bool plays = !sweep->list && !spar__sweeping_helps();
    if (!status && plays && sweep->cells)
        tell(s);
    if (!status && plays && sweep->parts)
        status = end_part(s, err);
    else if (!status && sweep->only_read && sweep->done < sweep->cells)
        status = end_merge(s, err);
    spar__sweep_close(&s->sweep, !status && plays && !keeps && sweep->cells && sweep->done == sweep->cells);
    spar__buf_free(&s->dir);
    free_words(s->from, s->n_from);
    free_words(s->word, s->n_words);
    return status;
}

/* Options from a YAML file: a key is an option or its plural, a list gives it several times, and a map of
 * names to values stands for NAME=VALUE of each. */

static spar__setting *find_key(const spar__settings *settings, const char *key)
{
    for (size_t i = 0; i < settings->n; i++) {
        const spar__option *option = settings->setting[i].option;
        if (strcmp(option->name, key) == 0 || (option->plural && strcmp(option->plural, key) == 0))
            return &settings->setting[i];
    }
    return NULL;
}

/* A member of "parameters: {eta: [1, 2]}". */
static bool is_map(const spar__option *option, const spar__yaml_value *value)
{
    return option->map && value->depth > 1 && value->in[1].key;
}

/* Is it the first value under its key? */
static bool is_first(const spar__yaml_value *value)
{
    for (size_t i = 1; i < value->depth; i++)
        if (value->in[i].index > 0)
            return false;
    return true;
}

static spar_status add_member(spar__setting *setting, const char *origin, const spar__yaml_value *value,
                              spar_error *err)
{
    spar__buf text = {0};
    spar__buf_printf(&text, "%s=%s", value->in[1].key, value->text);
    spar_status status =
        text.failed ? spar__fail_memory(err) : spar__settings_add(setting, SPAR__SOURCE_FILE, origin, text.text, err);
    spar__buf_free(&text);
    return status;
}

static spar_status check_shape(const spar__option *option, const spar__yaml_value *value, spar_error *err)
{
    const char *key = value->in[0].key;
    bool map = is_map(option, value), list = value->depth > 1 && (map || !value->in[1].key);
    size_t most = map ? 3 : 2;
    if (value->depth > most || (value->depth == 2 && !list) || (value->depth == 3 && value->in[2].key))
        return spar__yaml_fail(value, err, "%s has a map in it, expected text", key);
    if (list && !option->plural)
        return spar__yaml_fail(value, err, "%s is a list, expected one value", key);
    if (!value->text)
        return spar__yaml_fail(value, err, "%s is empty", key);
    return SPAR_OK;
}

/* A value of the file. "env" and "environments" are one option: only one of them may be given. */
static spar_status take(void *context, const spar__yaml_value *value, spar_error *err)
{
    spar__settings *settings = context;
    const char *key = value->depth ? value->in[0].key : NULL;
    if (!key)
        return spar__yaml_fail(value, err, "expected keys such as 'env: ...' and 'policies: ...'");
    spar__setting *setting = find_key(settings, key);
    if (!setting) {
        spar__nearest nearest = spar__nearest_to(key);
        for (size_t i = 0; i < settings->n; i++) {
            const spar__option *option = settings->setting[i].option;
            spar__nearest_offer(&nearest, option->name);
            if (option->plural)
                spar__nearest_offer(&nearest, option->plural);
        }
        if (nearest.best)
            return spar__yaml_fail(value, err, "unknown key '%.80s'; did you mean '%s'?", key, nearest.best);
        return spar__yaml_fail(value, err, "unknown key '%.80s'; keys are options of 'spar %s', see its --help", key,
                               settings->command->name);
    }
    spar_status status = check_shape(setting->option, value, err);
    if (status)
        return status;
    if (setting->source == SPAR__SOURCE_FILE && is_first(value))
        return spar__yaml_fail(value, err, "both %s and %s are given", setting->option->name, setting->option->plural);
    char origin[400];
    (void)snprintf(origin, sizeof origin, "%.300s:%zu:%zu: %.80s", value->file, value->line, value->column, key);
    return is_map(setting->option, value) ? add_member(setting, origin, value, err)
                                          : spar__settings_add(setting, SPAR__SOURCE_FILE, origin, value->text, err);
}

spar_status spar__runfile_load(const char *path, spar__settings *settings, spar_error *err)
{
    return spar__yaml_load(path, take, settings, err);
}

spar_status spar__runfile_parse(const char *name, const char *text, size_t length, spar__settings *settings,
                                spar_error *err)
{
    return spar__yaml_parse(name, text, length, take, settings, err);
}
