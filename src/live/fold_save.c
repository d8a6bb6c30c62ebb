/* fold_save.c - a state to bytes and back: one frame with a section for what is counted here, one for the session, one
 * for the decision and, where there are items, one for them. */
#include "live/fold.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/archive.h"

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

spar_status spar__fold_save_parts(spar__fold *state, spar__fold_parts *parts, spar_error *err)
{
    spar__archive counted = {.loading = false}, items = {.loading = false};
    *parts = (spar__fold_parts){.has_items = state->items.n > 0};
    if (state->broken)
        return spar__fail_memory(err);
    archive(state, &counted);
    spar__items_archive(&state->items, &items);
    parts->counted = counted.out;
    parts->items = items.out;
    spar_status status = counted.failed || items.failed
                             ? SPAR_NOMEM
                             : spar_session_save(state->session, &parts->session, &parts->session_length, err);
    if (!status)
        status = spar_decision_save(state->decision, &parts->decision, &parts->decision_length);
    if (status)
        spar__fold_parts_free(parts);
    return status == SPAR_NOMEM ? spar__fail_memory(err) : status;
}

void spar__fold_parts_free(spar__fold_parts *parts)
{
    spar__buf_free(&parts->counted);
    spar__buf_free(&parts->items);
    spar_bytes_free(parts->session);
    spar_bytes_free(parts->decision);
    *parts = (spar__fold_parts){0};
}

size_t spar__fold_parts_size(const spar__fold_parts *parts)
{
    return parts->counted.length + parts->items.length + parts->session_length + parts->decision_length;
}

static void write_section(spar__frame_writer *writer, size_t i, const void *bytes, size_t length)
{
    spar__frame_section(writer, i, length);
    spar__frame_add(writer, bytes, length);
}

spar_status spar__fold_join(const spar__fold_parts *parts, unsigned char **bytes, size_t *length)
{
    spar__buf out = {0};
    spar__frame_writer writer;
    spar__frame_begin(&writer, &kind, &out, NULL);
    write_section(&writer, COUNTED, parts->counted.text, parts->counted.length);
    write_section(&writer, SESSION, parts->session, parts->session_length);
    write_section(&writer, DECISION, parts->decision, parts->decision_length);
    if (parts->has_items)
        write_section(&writer, ITEMS, parts->items.text, parts->items.length);
    spar__frame_end(&writer);
    bool failed = out.failed;
    if (failed)
        spar__buf_free(&out);
    *bytes = (unsigned char *)out.text;
    *length = out.length;
    return failed ? SPAR_NOMEM : SPAR_OK;
}

spar_status spar__fold_save(spar__fold *state, unsigned char **bytes, size_t *length, spar_error *err)
{
    spar__fold_parts parts;
    *bytes = NULL;
    *length = 0;
    spar_status status = spar__fold_save_parts(state, &parts, err);
    if (!status && spar__fold_join(&parts, bytes, length))
        status = spar__fail_memory(err);
    spar__fold_parts_free(&parts);
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
