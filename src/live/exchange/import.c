/* import.c - answers from elsewhere, in batches: one commit and one fold for many rows, once only.
 *
 * A row has a key, and the store refuses one that the log has. That is no fault if the answer is the same: the store
 * knows which keys there are, not which event has one, so the log is read once, when the first key comes again. */
#include "base/alloc.h"
#include "base/buf.h"
#include "live/exchange/rows.h"
#include "live/live.h"
#include "live/text_limits.h"
#include "store/digest.h"

#include <inttypes.h>
#include <string.h>

enum { BATCH_ROWS = 4096 };

typedef struct import_row {
    spar__store_text text[2]; /* name of a new voter; source */
    char *name, *source;      /* NULL: none */
    bool labelled;            /* the voter has no name, but a label that an export made */
} import_row;

/* Imported answers of the log by their keys. */
typedef struct import_keys {
    spar__key_table key; /* by a part of its SHA-256, since it may be any bytes; the count is the event's number */
    uint64_t upto;       /* the last event that was read */
    spar_event *event;   /* working memory; NULL: the log was not read yet */
} import_keys;

struct spar_import {
    spar_experiment *experiment;
    spar_round *round;
    spar__store_entry *entry;
    import_row *row;
    size_t n;
    spar__key_table voters; /* that were met, by name; the count is the number */
    import_keys keys;
    uint64_t added, known;
};

spar_status spar_import_new(spar_experiment *experiment, spar_import **out, spar_error *err)
{
    if (!out)
        return spar__fail(err, SPAR_INVALID, "there is no place for the import");
    *out = NULL;
    spar_status status = spar__live_check(experiment, err);
    if (status)
        return status;
    spar_import *import = spar__alloc(1, sizeof *import);
    if (import) {
        import->experiment = experiment;
        import->entry = spar__alloc(BATCH_ROWS, sizeof *import->entry);
        import->row = spar__alloc(BATCH_ROWS, sizeof *import->row);
    }
    if (!import || !import->entry || !import->row || spar_round_new(4, &import->round)) {
        spar_import_free(import);
        return spar__fail_memory(err);
    }
    *out = import;
    return SPAR_OK;
}

static void clear_row(spar_import *import, size_t i)
{
    spar__free(import->row[i].name);
    spar__free(import->row[i].source);
    import->row[i].name = import->row[i].source = NULL;
    import->entry[i].n_texts = 0;
}

void spar_import_free(spar_import *import)
{
    if (!import)
        return;
    for (size_t i = 0; i < BATCH_ROWS && import->row && import->entry; i++) {
        clear_row(import, i);
        spar_event_free(import->entry[i].event);
    }
    spar__key_table_fini(&import->voters);
    spar__key_table_fini(&import->keys.key);
    spar_event_free(import->keys.event);
    spar_round_free(import->round);
    spar__free(import->entry);
    spar__free(import->row);
    spar__free(import);
}

void spar_import_key(const void *bytes, size_t length, unsigned char key[SPAR_HASH_SIZE])
{
    if (key && (bytes || !length))
        spar__sha256(bytes, length, key);
}

/* --- rows whose key the log has --- */

static spar_status note_key(void *context, const spar_event *event, const unsigned char *hash, spar_error *err)
{
    import_keys *keys = context;
    uint64_t word[2];
    (void)hash;
    keys->upto = spar_event_sequence(event);
    if (spar_event_kind_of(event) != SPAR_EVENT_IMPORTED)
        return SPAR_OK;
    if (spar__key_table_reserve(&keys->key, 1))
        return spar__fail_memory(err);
    spar__hash_words(spar_event_key(event), SPAR_HASH_SIZE, word);
    keys->key.entry[spar__key_get(&keys->key, word[0], word[1])].count = keys->upto;
    return SPAR_OK;
}

/* Has the event with the key of row i the same options, answer and voter? SPAR_CONFLICT if something differs. A voter
 * cannot be compared where one side only has the name: it was removed, or an export left it out. */
static spar_status compare(spar_import *import, size_t i, uint64_t number, spar_error *err)
{
    const spar_event *event = import->entry[i].event;
    import_keys *keys = &import->keys;
    uint64_t word[2];
    if (!keys->event && spar_event_new(&keys->event))
        return spar__fail_memory(err);
    spar__hash_words(spar_event_key(event), SPAR_HASH_SIZE, word);
    size_t at = spar__key_find(&keys->key, word[0], word[1]);
    spar_status status =
        at == SPAR__NO_KEY ? spar_experiment_each(import->experiment, keys->upto + 1, note_key, keys, err) : SPAR_OK;
    at = spar__key_find(&keys->key, word[0], word[1]);
    if (!status && at == SPAR__NO_KEY)
        status = spar__fail(err, SPAR_CORRUPT, "%s has noted the key of an import that its log does not have",
                            import->experiment->place);
    if (!status)
        status = spar__live_read(import->experiment, keys->key.entry[at].count, keys->event, err);
    if (status)
        return status;
    const spar_event *there = keys->event;
    bool same_voter = spar_event_voter(there) == spar_event_voter(event);
    if (!same_voter && spar_event_voter(there) && spar_event_voter(event)) {
        char *name = NULL;
        status = spar_experiment_voter_name(import->experiment, spar_event_voter(there), &name, err);
        same_voter = !name || spar__label_is_made(name) != import->row[i].labelled;
        spar_text_free(name);
    }
    if (status)
        return status;
    const spar_round *a = spar_event_round(event), *b = spar_event_round(there);
    bool same = spar_answer_equal(spar_event_answer(event), spar_event_answer(there)) &&
                spar_round_slots(a) == spar_round_slots(b);
    for (size_t slot = 0; same && slot < spar_round_slots(a); slot++)
        same = spar_round_arm(a, slot) == spar_round_arm(b, slot);
    if (same && same_voter)
        return SPAR_OK;
    return spar__fail(err, SPAR_CONFLICT,
                      "answer %" PRIu64 " of the import has the key of event %" PRIu64 ", but %s differs", number,
                      spar_event_sequence(there), same ? "its voter" : "what it says");
}

/* --- a batch --- */

/* Another program may have met the same new voter meanwhile: its number is taken. */
static spar_status settle_voter(spar_import *import, size_t i, spar_error *err)
{
    spar_experiment *experiment = import->experiment;
    import_row *row = &import->row[i];
    uint64_t ours = spar_event_voter(import->entry[i].event), theirs = 0;
    spar_status status =
        spar__store_voter(experiment->store, experiment->id, row->name, strlen(row->name), &theirs, err);
    if (status || !theirs)
        return status;
    for (size_t k = i; k < import->n; k++)
        if (spar_event_voter(import->entry[k].event) == ours)
            spar_event_set_voter(import->entry[k].event, theirs);
    row->text[0] = row->text[1];
    import->entry[i].n_texts--;
    spar__free(row->name);
    row->name = NULL;
    spar__key_table_fini(&import->voters);
    return SPAR_OK;
}

/* The first fault is returned; the rows after it are on disk, so their names are saved, too. */
static spar_status flush(spar_import *import, spar_error *err)
{
    spar_experiment *experiment = import->experiment;
    uint64_t before = import->added + import->known;
    spar_status status = SPAR_OK, fault = SPAR_OK;
    if (!import->n)
        return SPAR_OK;
    status = spar__live_begin(experiment, err);
    if (!status) {
        for (size_t i = 0; i < import->n && !status; i++)
            status = import->row[i].name ? settle_voter(import, i, err) : SPAR_OK;
        if (status)
            spar__live_end(experiment);
        else
            status = spar__live_append(experiment, import->n, import->entry, 0, err);
    }
    for (size_t i = 0; i < import->n && !status; i++) {
        const spar__store_entry *entry = &import->entry[i];
        bool refused = entry->status != SPAR_OK;
        if (refused && !fault) /* a key that is there already is no fault if the answer is the same */
            fault = entry->status == SPAR_CONFLICT
                        ? compare(import, i, before + i + 1, err)
                        : spar__fail(err, entry->status, "answer %" PRIu64 " of the import could not be written: %s",
                                     before + i + 1, spar_status_text(entry->status));
        import->added += !refused;
        import->known += refused && !fault;
        if (!refused || !entry->n_texts || !import->row[i].name)
            continue;
        /* A row that the log has was refused, and with it the name it brought: later rows of the same voter need it. */
        size_t k = i + 1;
        while (k < import->n &&
               (import->entry[k].status || spar_event_voter(import->entry[k].event) != spar_event_voter(entry->event)))
            k++;
        if (k < import->n)
            status =
                spar__store_text_put(experiment->store, experiment->id, &import->row[i].text[0], fault ? NULL : err);
        else
            spar__key_table_fini(&import->voters); /* nobody has that number */
    }
    status = fault ? fault : status;
    if (status)
        spar__key_table_fini(&import->voters); /* new ones are not on disk */
    for (size_t i = 0; i < import->n; i++)
        clear_row(import, i);
    import->n = 0;
    return status;
}

/* --- one row --- */

/* The first row of a new voter brings the name. */
static spar_status add_voter(spar_import *import, import_row *row, const char *name, spar_error *err)
{
    size_t n_texts = 0;
    uint64_t word[2], voter = 0;
    row->labelled = name && spar__label_is_made(name);
    if (name && *name) {
        spar__hash_words(name, strlen(name), word);
        size_t i = spar__key_find(&import->voters, word[0], word[1]);
        voter = i == SPAR__NO_KEY ? 0 : import->voters.entry[i].count;
    }
    if (!voter && name && *name) {
        spar_status status = spar__live_voter(import->experiment, name, &voter, &row->text[0], &n_texts, err);
        if (status)
            return status;
        row->name = n_texts ? spar__strdup(name) : NULL;
        if ((n_texts && !row->name) || spar__key_table_reserve(&import->voters, 1))
            return spar__fail_memory(err);
        row->text[0].bytes = (const unsigned char *)row->name;
        import->entry[import->n].n_texts = n_texts;
        import->voters.entry[spar__key_get(&import->voters, word[0], word[1])].count = voter;
    }
    spar_event_set_voter(import->entry[import->n].event, voter);
    return SPAR_OK;
}

spar_status spar_import_add(spar_import *import, const unsigned char key[SPAR_HASH_SIZE], size_t n, const size_t *arm,
                            const spar_answer *answer, const char *voter, int64_t time, const char *source,
                            spar_error *err)
{
    if (!import || !key || !arm || !answer)
        return spar__fail(err, SPAR_INVALID, "an imported answer needs a key, options and an answer");
    if (n < 2)
        return spar__fail(err, SPAR_INVALID, "an imported answer shows %zu option%s, expected at least 2", n,
                          spar__plural(n));
    spar_status status = import->n == BATCH_ROWS ? flush(import, err) : SPAR_OK;
    if (status)
        return status;
    spar__store_entry *entry = &import->entry[import->n];
    import_row *row = &import->row[import->n];
    if (!entry->event && spar_event_new(&entry->event))
        return spar__fail_memory(err);
    const spar__fold *state = import->experiment->state;
    status = spar_round_set(import->round, n, arm);
    if (!status)
        status = spar_event_set_imported(entry->event, key, import->round, answer);
    if (status)
        return spar__fail(err, status, "an imported answer: %s", spar_status_text(status));
    spar_event_set_stamp(entry->event, state->sequence + 1, 0);
    status = spar_session_check(state->session, entry->event, err);
    if (!status)
        status = add_voter(import, row, voter, err);
    if (!status && source && *source) {
        status = spar__text_set(&row->source, &spar__source_limits, source, err);
        if (!status)
            status = spar__live_text(SPAR__TEXT_SOURCE, 0, 1, row->source, strlen(source), &row->text[entry->n_texts++],
                                     NULL, err);
    }
    if (status) {
        clear_row(import, import->n);
        return status;
    }
    spar_event_set_stamp(entry->event, 0, time ? time : spar__live_now());
    entry->text = row->text;
    import->n++;
    return SPAR_OK;
}

spar_status spar_import_finish(spar_import *import, uint64_t *added, uint64_t *known, spar_error *err)
{
    if (added)
        *added = 0;
    if (known)
        *known = 0;
    if (!import)
        return spar__fail(err, SPAR_INVALID, "no import was given");
    spar_status status = flush(import, err);
    if (!status)
        spar__snapshot_take(import->experiment); /* once, at the end: it may be large */
    if (added)
        *added = import->added;
    if (known)
        *known = import->known;
    return status;
}
