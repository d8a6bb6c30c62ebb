/* verify.c - spar verify and spar replay: is the log what it was, and is the state what follows from it? */
#include "base/alloc.h"
#include "base/buf.h"
#include "cli/common.h"
#include "cli/experiment.h"
#include "cli/progress.h"
#include "store/store.h"
#include "text/json.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- the progress of work that reports the share that is done; Ctrl-C stops it --- */

static void share_begin(spar__progress_line *line, const char *what)
{
    spar__stop_catch();
    spar__progress_begin(line, what);
    line->unit = NULL;
}

static bool share_show(void *line, double share)
{
    static const uint64_t ALL = 1000000;
    double done = share < 0 ? 0 : share > 1 ? 1 : share;
    return spar__progress_show(line, (uint64_t)(done * (double)ALL), ALL);
}

/* --- spar verify --- */

static spar_status read_hash(const char *text, unsigned char hash[SPAR_HASH_SIZE], spar_error *err)
{
    size_t length = strlen(text);
    if (length != 2 * SPAR_HASH_SIZE || strspn(text, "0123456789abcdefABCDEF") != length)
        return spar__fail(err, SPAR_INVALID, "--head: '%.80s' is not a hash of %d hexadecimal digits", text,
                          2 * SPAR_HASH_SIZE);
    for (size_t i = 0; i < SPAR_HASH_SIZE; i++) {
        char digits[] = {text[2 * i], text[2 * i + 1], '\0'};
        hash[i] = (unsigned char)strtoul(digits, NULL, 16);
    }
    return SPAR_OK;
}

static void print_text(const char *file, const spar_verification *v, const char *head, spar__buf *out)
{
    bool holds = spar_verification_holds(v);
    for (size_t i = 0; i < spar_verification_findings(v); i++) {
        spar__buf_add_printable(out, spar_verification_finding(v, i));
        spar__buf_adds(out, "\n");
    }
    spar__buf_add_printable(out, file);
    spar__buf_printf(out, "%s: %" PRIu64 " events; screens drawn again: %" PRIu64 "\n",
                     holds ? " holds" : " does not hold", spar_verification_events(v), spar_verification_screens(v));
    if (spar_verification_other(v))
        spar__buf_printf(out, "screens of another version, not drawn again: %" PRIu64 "\n", spar_verification_other(v));
    if (spar_verification_removed(v))
        spar__buf_printf(out, "texts removed (spar forget, spar redact): %" PRIu64 "\n", spar_verification_removed(v));
    spar__buf_printf(out, "head %s\n", head);
    if (holds)
        spar__buf_adds(out, "Names of voters and sources of imports are in no hash, and were not checked.\n"
                            "Note the head: --head finds out later whether the past was rewritten.\n");
}

/* experiment: its name, where there are several, else NULL. */
static void print_json(const char *experiment, const spar_verification *v, const char *head, spar__buf *out)
{
    spar__json json = {.out = out};
    spar__json_begin_object(&json);
    if (experiment)
        spar__json_add_string(&json, "experiment", experiment);
    spar__json_add_boolean(&json, "holds", spar_verification_holds(v));
    spar__json_add_unsigned(&json, "events", spar_verification_events(v));
    spar__json_add_unsigned(&json, "screens", spar_verification_screens(v));
    spar__json_add_unsigned(&json, "screens_of_other_versions", spar_verification_other(v));
    spar__json_add_unsigned(&json, "texts_removed", spar_verification_removed(v));
    spar__json_add_string(&json, "head", head);
    spar__json_key(&json, "findings");
    spar__json_begin_array(&json);
    for (size_t i = 0; i < spar_verification_findings(v); i++)
        spar__json_string(&json, spar_verification_finding(v, i));
    spar__json_end_array(&json);
    spar__json_end_object(&json);
    spar__buf_adds(out, "\n");
}

static spar_status verify_one(const spar__settings *settings, const char *file, const char *experiment,
                              const unsigned char *wanted, spar__buf *out, spar_error *err)
{
    spar_verification *verification = NULL;
    unsigned char found[SPAR_HASH_SIZE];
    char head[2 * SPAR_HASH_SIZE + 1];
    char *shown = spar__store_shown(file);
    spar__progress_line line;
    share_begin(&line, "verify ");
    spar_status status =
        shown ? spar_experiment_verify(file, wanted, share_show, &line, &verification, err) : spar__fail_memory(err);
    spar__progress_end(&line);
    if (!status) {
        size_t findings = spar_verification_findings(verification);
        spar_verification_head(verification, found);
        spar__hash_text(found, head);
        if (spar__setting_number(settings, "json"))
            print_json(experiment, verification, head, out);
        else
            print_text(shown, verification, head, out);
        if (!spar_verification_holds(verification))
            status = spar__fail(err, SPAR_CORRUPT, "%s: the log does not hold: %zu finding%s", shown, findings,
                                spar__plural(findings));
    }
    spar_verification_free(verification);
    spar__free(shown);
    return status;
}

/* --- a file with several experiments: each of them --- */

static spar_status add_name(void *context, uint64_t experiment, const char *name)
{
    spar__buf *names = context; /* one after the other, each with its 0 byte */
    (void)experiment;
    spar__buf_add(names, name, strlen(name) + 1);
    return names->failed ? SPAR_NOMEM : SPAR_OK;
}

/* Of a file that was named without an experiment. */
static spar_status list_names(const char *place, spar__buf *names, spar_error *err)
{
    char *path = NULL, *name = NULL;
    spar__store *store = NULL;
    spar_status status = spar__store_split(place, &path, &name, err);
    if (!status && !name)
        status = spar__store_open(path, SPAR__STORE_READ, &store, err);
    if (store)
        status = spar__store_experiments(store, add_name, names, err);
    spar__store_close(store);
    spar__free(path);
    spar__free(name);
    return status;
}

/* All are looked at, also after one that does not hold; the first trouble is told. */
static spar_status verify_each(const spar__settings *settings, const spar__buf *names, spar__buf *out, spar_error *err)
{
    spar_status first = SPAR_OK;
    for (size_t at = 0; at < names->length; at += strlen(names->text + at) + 1) {
        spar__buf place = {0};
        spar_error trouble = {0};
        spar__buf_printf(&place, "%s#%s", settings->operand[0], names->text + at);
        spar_status status = place.failed ? spar__fail_memory(&trouble)
                                          : verify_one(settings, place.text, names->text + at, NULL, out, &trouble);
        spar__buf_free(&place);
        if (status && !first)
            first = spar__fail(err, status, "%s", trouble.text);
        if (status == SPAR_INTERRUPTED || status == SPAR_NOMEM)
            break;
    }
    return first;
}

static spar_status verify(const spar__settings *settings, spar__buf *out, spar_error *err)
{
    unsigned char wanted[SPAR_HASH_SIZE];
    const char *given = spar__setting_text(settings, "head");
    spar__buf names = {0};
    spar_status status = given ? read_hash(given, wanted, err) : SPAR_OK;
    if (!status && !given)
        status = list_names(settings->operand[0], &names, err);
    if (!status && names.length > strlen(names.text ? names.text : "") + 1)
        status = verify_each(settings, &names, out, err);
    else if (!status)
        status = verify_one(settings, settings->operand[0], NULL, given ? wanted : NULL, out, err);
    spar__buf_free(&names);
    return status;
}

static const spar__option options[] = {
    SPAR__TEXT_OPTION("head", "HASH", "a head that an earlier verify printed: the log must still begin so"),
    SPAR__SWITCH_OPTION("json", "print JSON"),
    {.name = NULL},
};

const spar__command spar__command_verify = {
    .name = "verify",
    .brief = "Recompute a log: its chain of hashes, its state, and every screen",
    .operands = "FILE [OPTIONS]",
    .min_operands = 1,
    .max_operands = 1,
    .options = options,
    .notes =
        "Of a file with several experiments each is looked at (with --json a line each).\n"
        "Ends with status 1 if something was changed, removed, added or moved, or if a screen or an answer is not\n"
        "what the experiment can have made. Names of voters and sources of imports are in no hash, so that a change\n"
        "of these is not found. A snapshot that is not the state is replaced by spar replay.",
    .example = "spar verify tea.db",
    .run = verify,
};

/* --- spar replay --- */

static spar_status replay(const spar__settings *settings, spar_experiment *experiment, spar__buf *out, spar_error *err)
{
    spar__progress_line line;
    (void)settings;
    share_begin(&line, "replay ");
    spar_status status = spar_experiment_replay(experiment, share_show, &line, err);
    spar__progress_end(&line);
    if (!status)
        spar__buf_printf(out, "%" PRIu64 " events replayed: the state is the same\n",
                         spar_experiment_sequence(experiment));
    return status;
}

const spar__command spar__command_replay = {
    .name = "replay",
    .brief = "Compute the state from the log again, compare, and write new snapshots",
    .operands = "FILE",
    .min_operands = 1,
    .max_operands = 1,
    .notes =
        "The log is the truth; the state that is kept beside it only makes starting faster. If the two differ, the\n"
        "command says so and ends with status 1.",
    .example = "spar replay tea.db",
    .run = spar__with_experiment,
    .act = replay,
};
