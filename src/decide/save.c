/* A decision to bytes and back. */
#include "decide/decide.h"

#include "base/error.h"
#include "base/archive.h"

#include <math.h>

static const spar__frame_kind frame_kind = {"saved decision", "deci", 1, {{"stat", 0}}};

static void archive_observation(spar__observation *o, spar__archive *ar)
{
    uint64_t word = (uint64_t)o->voter << 32 | o->row;
    spar__archive_u64(ar, &word);
    spar__archive_f64(ar, &o->won);
    if (ar->loading) {
        o->row = (uint32_t)word;
        o->voter = (uint32_t)(word >> 32);
    }
}

/* The second of a joined pair is of the same row, and negative. */
static bool observation_is_sound(const spar_decision *d, size_t i)
{
    const spar__observation *o = &d->log[i];
    bool joined = o->row & SPAR__JOINED, second = i > 0 && (o[-1].row & SPAR__JOINED);
    if (second && (joined || o->won > 0 || o->row != (o[-1].row & ~SPAR__JOINED) || o->voter != o[-1].voter))
        return false;
    return (!joined || (i + 1 < d->log_count && o->won > 0)) && (o->row & ~SPAR__JOINED) < d->evidence.pairs.count &&
           (o->voter < d->voters.n || o->voter == SPAR__UNKNOWN_VOTER) && fabs(o->won) > 0 && fabs(o->won) < 0x1p50;
}

#define DROPPED ((size_t)UINT32_MAX) /* more than any log has */

static void archive_log(spar_decision *d, spar__archive *ar)
{
    size_t count = d->log_dropped ? DROPPED : d->log_count;
    spar__archive_size(ar, &count);
    if (ar->loading)
        d->log_dropped = count == DROPPED;
    if (ar->loading && !d->log_dropped) {
        if (spar__archive_holds(ar, count))
            spar__archive_step(ar, spar__decision_reserve_log(d, count));
        d->log_count = ar->failed ? 0 : count;
    }
    for (size_t i = 0; i < d->log_count; i++)
        archive_observation(&d->log[i], ar);
    for (size_t i = 0; i < d->log_count && ar->loading && !ar->failed; i++)
        spar__archive_check(ar, observation_is_sound(d, i));
}

static void archive_records(spar_decision *d, spar__archive *ar)
{
    if (ar->loading && !ar->failed)
        spar__archive_step(ar, spar__decision_reserve_records(d, d->evidence.n));
    for (size_t i = 0; i < d->evidence.n && !ar->failed; i++) {
        spar__archive_u64(ar, &d->record[i].shown);
        spar__archive_u64(ar, &d->record[i].chosen);
        spar__archive_check(ar, d->record[i].chosen <= d->record[i].shown);
    }
}

static void archive_state(spar_decision *d, spar__archive *ar)
{
    spar__evidence_archive(&d->evidence, ar);
    spar__archive_u64(ar, &d->answers);
    spar__archive_u64(ar, &d->skipped);
    archive_records(d, ar);
    spar__key_table_archive(&d->voters, ar);
    spar__key_table_archive(&d->items, ar);
    spar__key_table_archive(&d->seen, ar);
    for (size_t i = 0; i < d->voters.n && ar->loading; i++)
        spar__archive_check(ar, d->voters.entry[i].count <= d->answers);
    archive_log(d, ar);
}

/* The settings, which a new decision is made from, and then its state. */
static void archive_decision(spar_decision **decision, spar__archive *ar)
{
    double delta = 0, eps = 0;
    bool live = false, first_only = false, unordered = false;
    if (!ar->loading) {
        delta = (*decision)->evidence.delta;
        eps = (*decision)->evidence.eps;
        live = (*decision)->live;
        first_only = (*decision)->first_only;
        unordered = (*decision)->evidence.unordered;
    }
    spar__archive_f64(ar, &delta);
    spar__archive_f64(ar, &eps);
    spar__archive_bool(ar, &live);
    spar__archive_bool(ar, &first_only);
    spar__archive_bool(ar, &unordered);
    spar__archive_check(ar, delta > 0 && delta < 1 && eps > 0 && eps <= 20);
    spar_decision_settings settings = {sizeof settings, delta, eps, live, first_only, unordered};
    if (ar->loading && !ar->failed)
        spar__archive_step(ar, spar__decision_make(0, &settings, decision));
    if (!ar->failed)
        archive_state(*decision, ar);
}

spar_status spar_decision_save(const spar_decision *decision, unsigned char **bytes, size_t *length)
{
    if (!SPAR__CLEAR(bytes) || !decision || !length)
        return SPAR_INVALID;
    spar_decision *d = (spar_decision *)(uintptr_t)decision; /* the archive only reads when it saves */
    spar__archive ar = {.loading = false};
    archive_decision(&d, &ar);
    return spar__saved_write(&frame_kind, &ar, bytes, length);
}

spar_status spar_decision_load(const unsigned char *bytes, size_t length, spar_decision **out, spar_error *err)
{
    if (!SPAR__CLEAR(out) || !bytes)
        return spar__fail_null(err);
    spar__archive ar;
    spar_status status = spar__saved_open(&frame_kind, bytes, length, &ar, err);
    if (status)
        return status;
    archive_decision(out, &ar);
    status = spar__saved_close(&frame_kind, &ar, err);
    if (status) {
        spar_decision_free(*out);
        *out = NULL;
    }
    return status;
}
