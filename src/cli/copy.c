/* copy.c - spar copy and spar backup: experiments from one store to another, event by event; and a whole store, while
 * it is in use. */
#include "base/alloc.h"
#include "cli/common.h"
#include "cli/experiment.h"
#include "cli/progress.h"
#include "live/exchange/exchange.h"
#include "store/store.h"
#include "text/json.h"

#include <inttypes.h>
#include <string.h>

typedef struct copy_output {
    spar__buf *out;
    const char *to; /* the store, as it may be shown */
    bool json;
} copy_output;

static void report(void *context, const spar__copied *copied)
{
    const copy_output *output = context;
    spar__buf *out = output->out;
    char head[2 * SPAR_HASH_SIZE + 1];
    spar__hash_text(copied->head, head);
    if (output->json) {
        spar__json json = {.out = out};
        spar__json_begin_object(&json);
        spar__json_add_string(&json, "experiment", copied->name);
        spar__json_add_string(&json, "to", copied->to);
        spar__json_add_unsigned(&json, "events", copied->events);
        spar__json_add_unsigned(&json, "added", copied->added);
        spar__json_add_unsigned(&json, "names_added", copied->names);
        spar__json_add_unsigned(&json, "ahead", copied->ahead);
        spar__json_add_string(&json, "head", head);
        spar__json_end_object(&json);
        spar__buf_adds(out, "\n");
        return;
    }
    spar__buf_add_printable(out, output->to);
    spar__buf_adds(out, *copied->to ? "#" : "");
    spar__buf_add_printable(out, copied->to);
    if (copied->added)
        spar__buf_printf(out, ": %" PRIu64 " of %" PRIu64 " events %s new", copied->added, copied->events,
                         copied->added == 1 ? "was" : "were");
    else
        spar__buf_printf(out, ": all %" PRIu64 " events were there", copied->events);
    if (copied->ahead)
        spar__buf_printf(out, ", and %" PRIu64 " more", copied->ahead);
    spar__buf_printf(out, "\nhead %s\n", head);
}

static spar_status copy(const spar__settings *settings, spar__buf *out, spar_error *err)
{
    char *place = NULL, *name = NULL, *shown = NULL;
    spar_status status = spar__store_split(settings->operand[1], &place, &name, err);
    if (!status && !(shown = spar__store_shown(place)))
        status = spar__fail_memory(err);
    if (!status) {
        spar__progress_line line;
        copy_output output = {out, shown, spar__setting_number(settings, "json") != 0};
        spar__copy_job job = {.from = settings->operand[0],
                              .to = settings->operand[1],
                              .secrets = spar__setting_number(settings, "secrets") != 0,
                              .progress = spar__progress_show,
                              .progress_context = &line,
                              .report = report,
                              .context = &output};
        spar__stop_catch();
        spar__progress_begin(&line, "copy ");
        line.unit = "events";
        status = spar__copy(&job, err);
        spar__progress_end(&line);
        if (!status && job.has_secrets)
            spar__note("keys, tokens and invitations were not copied (--secrets): links, cookies and tokens that are "
                       "good where the experiments came from are not good here");
    }
    spar__free(place);
    spar__free(name);
    spar__free(shown);
    return status;
}

static const spar__option options[] = {
    SPAR__SWITCH_OPTION("secrets", "also keys, tokens and invitations, into a store that has none of its own"),
    SPAR__SWITCH_OPTION("json", "print JSON, a line for each experiment"),
    {.name = NULL},
};

const spar__command spar__command_copy = {
    .name = "copy",
    .brief = "Copy experiments from one store to another, of whatever kind, event by event",
    .operands = "FROM TO [OPTIONS]",
    .min_operands = 2,
    .max_operands = 2,
    .options = options,
    .notes =
        "FROM and TO are files or URLs (postgresql://...). All experiments are copied, or the one of FROM#NAME; in TO\n"
        "they have the same names, or the one that is copied has that of TO#NAME. Events, hashes, texts with their\n"
        "salts, and the names of voters stay the same; texts that were removed are not there. Votes may come in at\n"
        "FROM meanwhile. The heads are compared at the end.\n"
        "The same command again adds what is new, also after an interruption. It copies nothing at all where TO has\n"
        "another experiment under one of the names; names that 'spar forget' removed from FROM since stay in TO until\n"
        "they are removed there.\n"
        "Without --secrets the copy gets new keys when it is served: voters who come back are new voters, screens and\n"
        "sessions end, and invitations and tokens are made anew. With it, TO takes the place of FROM: stop FROM "
        "first.\n"
        "An experiment without a name, which is served under the name of its file or database, keeps its address then.",
    .example = "spar copy tea.db postgresql://db.example.org/tea",
    .run = copy,
};

/* --- spar backup: of the whole store; no experiment needs to be named, and none is read --- */

static spar_status backup(const spar__settings *settings, spar__buf *out, spar_error *err)
{
    char *path = NULL, *name = NULL;
    spar__store *store = NULL;
    uint64_t experiment;
    spar_status status = spar__store_split(settings->operand[0], &path, &name, err);
    if (!status)
        status = spar__store_open(path, SPAR__STORE_READ, &store, err);
    if (!status && name)
        status = spar__store_find(store, name, &experiment, err);
    if (!status)
        status = spar__store_backup(store, settings->operand[1], err);
    if (!status) {
        spar__buf_add_printable(out, settings->operand[1]);
        spar__buf_adds(out, ": a copy of all experiments in ");
        spar__buf_add_printable(out, settings->operand[0]);
        spar__buf_adds(out, "\n");
    }
    spar__store_close(store);
    spar__free(path);
    spar__free(name);
    return status;
}

const spar__command spar__command_backup = {
    .name = "backup",
    .brief = "Copy the file of an experiment, also while it is in use",
    .operands = "FILE TO",
    .min_operands = 2,
    .max_operands = 2,
    .notes = "TO must not be there. The copy is whole, and readable by its owner only, as it holds names and keys.",
    .example = "spar backup tea.db tea-copy.db",
    .run = backup,
};
