/* fold_save.c - a state to bytes and back: one frame with a section for what is counted here, one for the session, one
 * for the decision and, where there are items, one for them. */
#include "live/fold.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/saved.h"

#include <string.h>

enum { COUNTED, SESSION, DECISION, ITEMS };

/* Version 1 kept all screens that were answered. */
static const spar__frame_kind kind = {
    "snapshot of an experiment", "live", 2, {{"stat", 0}, {"sess", 0}, {"deci", 0}, {"item", 0}}};

static void archive_settings(spar__fold *state, spar__archive *ar)
{
    spar__archive_text(ar, &state->policy);
    spar__archive_u64(ar, &state->seed);
    spar__archive_u32(ar, &state->m);
    spar__archive_u8(ar, &state->asks);
    spar__archive_u8(ar, &state->results);
    spar__archive_u8(ar, &state->access);
    spar__archive_bool(ar, &state->question);
    spar__archive_u32(ar, &state->settings);
}

/* Loading: room for n items. Saving changes nothing, also where it fails. */
static void make_room(spar__archive *ar, size_t n, size_t size, void **items, size_t *count, size_t *room)
{
    if (!ar->loading || !spar__archive_holds(ar, n) || !n)
        return;
    *items = spar__alloc(n, size);
    *count = *room = *items ? n : 0;
    spar__archive_step(ar, *items ? SPAR_OK : SPAR_NOMEM);
}

static void archive_options(spar__fold *state, spar__archive *ar)
{
    size_t n = state->n_options;
    void *items = state->version;
    spar__archive_size(ar, &n);
    make_room(ar, n, sizeof *state->version, &items, &state->n_options, &state->options_room);
    state->version = items;
    for (size_t i = 0; i < state->n_options; i++)
        spar__archive_u32(ar, &state->version[i]);
}

static void archive_open(spar__fold *state, spar__archive *ar)
{
    size_t n = state->n_open;
    void *items = state->open;
    spar__archive_size(ar, &n);
    make_room(ar, n, sizeof *state->open, &items, &state->n_open, &state->open_room);
    state->open = items;
    for (size_t i = 0; i < state->n_open; i++) {
        spar__archive_u64(ar, &state->open[i].number);
        spar__archive_u64(ar, &state->open[i].voter);
        spar__archive_check(ar, state->open[i].number > (i ? state->open[i - 1].number : 0));
    }
    if (ar->loading && !ar->failed)
        spar__archive_step(ar, spar__fold_link_open(state));
}

static void archive(spar__fold *state, spar__archive *ar)
{
    archive_settings(state, ar);
    archive_options(state, ar);
    archive_open(state, ar);
    spar__key_table_archive(&state->voters, ar);
    spar__archive_u64(ar, &state->last);
    spar__archive_u64(ar, &state->screens);
    spar__archive_u64(ar, &state->answers);
    spar__archive_u64(ar, &state->undone);
    spar__archive_u64(ar, &state->imported);
    spar__archive_u64(ar, &state->sequence);
    spar__archive_bytes(ar, state->hash, sizeof state->hash);
}

typedef struct fold_parts {
    spar__archive counted, items;
    unsigned char *session, *decision;
    size_t session_length, decision_length;
} fold_parts;

static spar_status save_parts(spar__fold *state, fold_parts *parts, spar_error *err)
{
    archive(state, &parts->counted);
    spar__items_archive(&state->items, &parts->items);
    spar_status status = parts->counted.failed || parts->items.failed
                             ? SPAR_NOMEM
                             : spar_session_save(state->session, &parts->session, &parts->session_length, err);
    if (!status)
        status = spar_decision_save(state->decision, &parts->decision, &parts->decision_length);
    return status == SPAR_NOMEM ? spar__fail_memory(err) : status;
}

static void write_section(spar__frame_writer *writer, size_t i, const void *bytes, size_t length)
{
    spar__frame_section(writer, i, length);
    spar__frame_add(writer, bytes, length);
}

spar_status spar__fold_save(spar__fold *state, unsigned char **bytes, size_t *length, spar_error *err)
{
    fold_parts parts = {.counted = {.loading = false}, .items = {.loading = false}};
    spar__buf out = {0};
    spar__frame_writer writer;
    spar_status status = state->broken ? spar__fail_memory(err) : save_parts(state, &parts, err);
    if (!status) {
        spar__frame_begin(&writer, &kind, &out, NULL);
        write_section(&writer, COUNTED, parts.counted.out.text, parts.counted.out.length);
        write_section(&writer, SESSION, parts.session, parts.session_length);
        write_section(&writer, DECISION, parts.decision, parts.decision_length);
        if (state->items.n)
            write_section(&writer, ITEMS, parts.items.out.text, parts.items.out.length);
        spar__frame_end(&writer);
        status = out.failed ? spar__fail_memory(err) : SPAR_OK;
    }
    if (status)
        spar__buf_free(&out);
    spar__buf_free(&parts.counted.out);
    spar__buf_free(&parts.items.out);
    spar_bytes_free(parts.session);
    spar_bytes_free(parts.decision);
    *bytes = (unsigned char *)out.text;
    *length = out.length;
    return status;
}

/* The parts agree with each other. */
static bool is_sound(const spar__fold *state)
{
    return spar_session_sequence(state->session) == state->sequence &&
           spar_decision_options(state->decision) == state->n_options && state->n_open <= state->screens;
}

static spar_status load_items(const spar__frame *frame, spar__fold *state, spar_error *err)
{
    spar__archive ar = {.loading = true, .in = frame->section[ITEMS].bytes, .left = frame->section[ITEMS].length};
    if (!ar.in)
        return SPAR_OK;
    spar__items_archive(&state->items, &ar);
    return spar__saved_close(&kind, &ar, err);
}

static spar_status load(const spar__frame *frame, spar__fold *state, spar_error *err)
{
    spar__archive ar = {.loading = true, .in = frame->section[COUNTED].bytes, .left = frame->section[COUNTED].length};
    archive(state, &ar);
    spar_status status = spar__saved_close(&kind, &ar, err);
    if (!status)
        status = spar_session_load(frame->section[SESSION].bytes, frame->section[SESSION].length, &state->session, err);
    if (!status)
        status =
            spar_decision_load(frame->section[DECISION].bytes, frame->section[DECISION].length, &state->decision, err);
    spar_session_set_memory(state->session, SPAR__FOLD_REMEMBERS);
    if (!status)
        status = load_items(frame, state, err);
    if (!status && !is_sound(state))
        status = spar__fail(err, SPAR_CORRUPT, "a snapshot contradicts itself");
    return status;
}

spar_status spar__fold_load(const unsigned char *bytes, size_t length, spar__fold **out, spar_error *err)
{
    spar__frame frame;
    *out = NULL;
    spar_status status = spar__frame_read(&kind, bytes, length, &frame, err);
    if (status)
        return status;
    if (frame.version < kind.version)
        return spar__fail(err, SPAR_UNSUPPORTED, "a snapshot was written by an older program");
    if (!frame.section[COUNTED].bytes || !frame.section[SESSION].bytes || !frame.section[DECISION].bytes)
        return spar__fail(err, SPAR_CORRUPT, "a part of a snapshot is missing");
    spar__fold *state = spar__alloc(1, sizeof *state);
    status = state ? load(&frame, state, err) : spar__fail_memory(err);
    if (status)
        spar__fold_free(state);
    else
        *out = state;
    return status;
}
