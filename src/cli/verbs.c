#include "cli/verbs.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/clock.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static spar_status fail_missing(const spar__settings *settings, spar_error *err)
{
    const spar__command *command = settings->command;
    return spar__fail(err, SPAR_INVALID, "%s: something is missing; usage: spar %s %s", command->name, command->name,
                      command->operands);
}

static const spar__verb *find_verb(const spar__verb *verbs, const char *name)
{
    for (const spar__verb *verb = verbs; verb->name && name; verb++)
        if (strcmp(verb->name, name) == 0)
            return verb;
    return NULL;
}

/* Is the word among those of the list, separated by blanks? */
static bool lists(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = list; (at = strstr(at, word)); at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

/* An option of another verb would have no effect: better to say so. What the environment has may be for another. */
static spar_status check_options(const spar__settings *settings, const spar__verb *verb, spar_error *err)
{
    for (size_t i = 0; i < settings->n; i++) {
        const spar__setting *setting = &settings->setting[i];
        const char *name = setting->option->name;
        if (setting->source == SPAR__SOURCE_FLAG && strcmp(name, "json") != 0 && !lists(verb->options, name))
            return spar__fail(err, SPAR_INVALID, "%s %s: --%s does not go with it", settings->command->name, verb->name,
                              name);
    }
    return SPAR_OK;
}

static spar_status run_on(const char *place, const spar__verb *verb, spar__verb_call *call, spar__buf *out,
                          spar_error *err)
{
    char *path = NULL, *name = NULL;
    spar_status status = spar__store_split(place, &path, &name, err);
    if (!status && verb->whole && name)
        status = spar__fail(err, SPAR_INVALID, "%s: %s is about all experiments of a file; expected %s", place,
                            call->settings->command->name, path);
    if (!status)
        status = spar__store_open(path, verb->mode, &call->store, err);
    call->name = name;
    if (!status)
        status = verb->run(call, out, err);
    spar__store_close(call->store);
    spar__free(path);
    spar__free(name);
    return status;
}

spar_status spar__verb_run(const spar__settings *settings, const spar__verb *verbs, const char *standard,
                           spar__buf *out, spar_error *err)
{
    size_t n = settings->n_operands;
    const spar__verb *verb = find_verb(verbs, n ? settings->operand[0] : NULL);
    size_t first = verb ? 1 : 0; /* where the file is */
    if (!verb && n)
        verb = find_verb(verbs, standard);
    if (!verb && n)
        return spar__fail(err, SPAR_INVALID, "%s: unknown word '%.80s'; usage: spar %s %s", settings->command->name,
                          settings->operand[0], settings->command->name, settings->command->operands);
    if (!verb || n <= first + verb->numbers)
        return fail_missing(settings, err);
    if (!verb->numbers && n > first + 1)
        return spar__fail(err, SPAR_INVALID, "%s %s: did not expect '%.80s'", settings->command->name, verb->name,
                          settings->operand[first + 1]);
    spar__verb_call call = {.settings = settings,
                            .operand = settings->operand + first + 1,
                            .n_operands = n - first - 1,
                            .json = spar__setting_number(settings, "json")};
    spar_status status = check_options(settings, verb, err);
    return status ? status : run_on(settings->operand[first], verb, &call, out, err);
}

static spar_status read_number(const char *text, const char *what, uint64_t *out, spar_error *err)
{
    char *end = NULL;
    *out = *text >= '1' && *text <= '9' ? strtoull(text, &end, 10) : 0;
    if (!end || *end || end - text > 19)
        return spar__fail(err, SPAR_INVALID, "'%.80s': expected the number of a %s, as the list shows it", text, what);
    return SPAR_OK;
}

spar_status spar__verb_revoke(const spar__verb_call *call, spar__verb_end *end, const char *what, spar__buf *out,
                              spar_error *err)
{
    uint64_t number = 0;
    spar_status status = SPAR_OK;
    for (size_t i = 0; i < call->n_operands && !status; i++) /* all are read before the first is ended */
        status = read_number(call->operand[i], what, &number, err);
    spar__json json = {.out = out};
    if (call->json)
        spar__buf_adds(out, "{\"revoked\":");
    if (call->json)
        spar__json_begin_array(&json);
    for (size_t i = 0; i < call->n_operands && !status; i++) {
        (void)read_number(call->operand[i], what, &number, err);
        status = end(call->store, number, err);
        if (!status && call->json)
            spar__json_unsigned(&json, number);
        else if (!status)
            spar__buf_printf(out, "%s %" PRIu64 " is revoked\n", what, number);
    }
    if (call->json) {
        spar__json_end_array(&json);
        spar__buf_adds(out, "}\n");
    }
    return status;
}

void spar__verb_time(spar__json *json, const char *key, int64_t seconds)
{
    char utc[SPAR__UTC_SIZE];
    spar__utc_print(utc, seconds * 1000000);
    spar__json_add_string(json, key, seconds ? utc : NULL);
}
