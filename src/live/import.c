/* import.c - answers from elsewhere, in batches: one commit and one fold for many rows. */
#include "live/live.h"

#include "base/alloc.h"
#include "base/bytes.h"
#include "base/number.h"
#include "live/known.h"
#include "live/labels.h"
#include "live/prose.h"
#include "store/digest.h"

#include <inttypes.h>
#include <string.h>

enum { BATCH = 4096 };

typedef struct import_row {
    spar__store_text text[2]; /* name of a new voter; source */
    char *name, *source;      /* NULL: none */
    bool labelled;            /* the voter has a label instead of a name */
} import_row;

struct spar_import {
    spar_experiment *experiment;
    spar_round *round;
    spar__store_entry *entry;
    import_row *row;
    size_t n;
    spar__key_table voters; /* that were met, by name; the count is the number */
    spar__known_keys keys;  /* of the log, once one came again */
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
        import->entry = spar__alloc(BATCH, sizeof *import->entry);
        import->row = spar__alloc(BATCH, sizeof *import->row);
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
    for (size_t i = 0; i < BATCH && import->row && import->entry; i++) {
        clear_row(import, i);
        spar_event_free(import->entry[i].event);
    }
    spar__key_table_fini(&import->voters);
    spar__known_keys_fini(&import->keys);
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

static spar_status try(spar_import *import, spar_error *err)
{
    spar_experiment *experiment = import->experiment;
    spar_status status = spar__live_begin(experiment, err);
    if (status)
        return status;
    for (size_t i = 0; i < import->n && !status; i++)
        status = import->row[i].name ? settle_voter(import, i, err) : SPAR_OK;
    if (!status)
        return spar__store_append(experiment->store, experiment->id, import->n, import->entry, err);
    spar__live_end(experiment);
    return status;
}

static spar_status write(spar_import *import, spar_error *err)
{
    return try(import, err);
}

/* A row that the log has was refused, and with it the name it brought: later rows of the same voter need it. */
static spar_status save_name(spar_import *import, size_t i, spar_error *err)
{
    spar_experiment *experiment = import->experiment;
    uint64_t voter = spar_event_voter(import->entry[i].event);
    for (size_t k = i + 1; k < import->n; k++)
        if (!import->entry[k].status && spar_event_voter(import->entry[k].event) == voter)
            return spar__store_text_put(experiment->store, experiment->id, &import->row[i].text[0], err);
    spar__key_table_fini(&import->voters); /* nobody has that number */
    return SPAR_OK;
}

/* A key that is there already is no fault if the answer is the same. */
static spar_status check_refused(spar_import *import, size_t i, uint64_t row, spar_error *err)
{
    const spar__store_entry *entry = &import->entry[i];
    const spar__known_row known = {entry->event, row, import->row[i].labelled};
    if (entry->status == SPAR_CONFLICT)
        return spar__known_compare(import->experiment, &import->keys, &known, err);
    return spar__fail(err, entry->status, "answer %" PRIu64 " of the import could not be written: %s", row,
                      spar_status_text(entry->status));
}

/* The first fault is returned; the rows behind it are on disk, so their names are saved, too. */
static spar_status append(spar_import *import, spar_error *err)
{
    uint64_t before = import->added + import->known;
    spar_status status = write(import, err), fault = SPAR_OK;
    for (size_t i = 0; i < import->n && !status; i++) {
        bool refused = import->entry[i].status != SPAR_OK;
        if (refused && !fault)
            fault = check_refused(import, i, before + i + 1, err);
        import->added += !refused;
        import->known += refused && !fault;
        if (refused && import->entry[i].n_texts && import->row[i].name)
            status = save_name(import, i, fault ? NULL : err);
    }
    status = fault ? fault : status;
    if (status)
        spar__key_table_fini(&import->voters); /* new ones are not on disk */
    return status;
}

static spar_status flush(spar_import *import, spar_error *err)
{
    if (!import->n)
        return SPAR_OK;
    spar_status status = append(import, err);
    for (size_t i = 0; i < import->n; i++)
        clear_row(import, i);
    import->n = 0;
    if (!status)
        status = spar__live_refresh(import->experiment, err);
    return status;
}

/* Names of voters are looked up by a part of their SHA-256. */
static void name_key(const char *name, uint64_t *high, uint64_t *low)
{
    unsigned char hash[SPAR_HASH_SIZE];
    spar__sha256(name, strlen(name), hash);
    *high = spar__get_u64(hash);
    *low = spar__get_u64(hash + 8);
}

static spar_status remember(spar_import *import, const char *name, uint64_t voter, spar_error *err)
{
    uint64_t high, low;
    name_key(name, &high, &low);
    if (spar__key_table_reserve(&import->voters, 1))
        return spar__fail_memory(err);
    import->voters.entry[spar__key_get(&import->voters, high, low)].count = voter;
    return SPAR_OK;
}

static uint64_t recall(const spar_import *import, const char *name)
{
    uint64_t high, low;
    name_key(name, &high, &low);
    size_t i = spar__key_find(&import->voters, high, low);
    return i == SPAR__NO_KEY ? 0 : import->voters.entry[i].count;
}

/* The first row of a new voter brings the name. */
static spar_status new_voter(spar_import *import, import_row *row, const char *name, spar_error *err)
{
    row->name = spar__strdup(name);
    if (!row->name)
        return spar__fail_memory(err);
    row->text[0].bytes = (const unsigned char *)row->name;
    import->entry[import->n].n_texts = 1;
    return SPAR_OK;
}

static spar_status add_voter(spar_import *import, import_row *row, const char *name, spar_error *err)
{
    size_t n_texts = 0;
    uint64_t voter = name && *name ? recall(import, name) : 0;
    spar_status status = SPAR_OK;
    row->labelled = name && spar__label_is_made(name);
    if (!voter && name && *name) {
        status = spar__live_voter(import->experiment, name, &voter, &row->text[0], &n_texts, err);
        if (!status && n_texts)
            status = new_voter(import, row, name, err);
        if (!status)
            status = remember(import, name, voter, err);
    }
    spar_event_set_voter(import->entry[import->n].event, voter);
    return status;
}

static spar_status add_source(spar_import *import, import_row *row, const char *source, spar_error *err)
{
    spar__store_entry *entry = &import->entry[import->n];
    if (!source || !*source)
        return SPAR_OK;
    spar_status status = spar__prose_check(&spar__prose_source, source, err);
    if (status)
        return status;
    row->source = spar__strdup(source);
    if (!row->source)
        return spar__fail_memory(err);
    return spar__live_text(SPAR__TEXT_SOURCE, 0, 1, row->source, strlen(source), &row->text[entry->n_texts++], NULL,
                           err);
}

static spar_status make_event(spar_import *import, spar_event *event, const unsigned char *key, size_t n,
                              const size_t *arm, const spar_answer *answer, spar_error *err)
{
    spar_status status = spar_round_set(import->round, n, arm);
    if (!status)
        status = spar_event_set_imported(event, key, import->round, answer);
    if (status)
        return spar__fail(err, status, "an imported answer: %s", spar_status_text(status));
    spar_event_set_stamp(event, import->experiment->state->sequence + 1, 0);
    return spar_session_check(import->experiment->state->session, event, err);
}

static spar_status check(const spar_import *import, const unsigned char *key, size_t n, const size_t *arm,
                         const spar_answer *answer, spar_error *err)
{
    if (!import || !key || !arm || !answer)
        return spar__fail(err, SPAR_INVALID, "an imported answer needs a key, options and an answer");
    if (n < 2)
        return spar__fail(err, SPAR_INVALID, "an imported answer shows %zu option%s, expected at least 2", n,
                          spar__plural(n));
    return SPAR_OK;
}

spar_status spar_import_add(spar_import *import, const unsigned char key[SPAR_HASH_SIZE], size_t n, const size_t *arm,
                            const spar_answer *answer, const char *voter, int64_t time, const char *source,
                            spar_error *err)
{
    spar_status status = check(import, key, n, arm, answer, err);
    if (!status && import->n == BATCH)
        status = flush(import, err);
    if (status)
        return status;
    spar__store_entry *entry = &import->entry[import->n];
    import_row *row = &import->row[import->n];
    if (!entry->event && spar_event_new(&entry->event))
        return spar__fail_memory(err);
    status = make_event(import, entry->event, key, n, arm, answer, err);
    if (!status)
        status = add_voter(import, row, voter, err);
    if (!status)
        status = add_source(import, row, source, err);
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
