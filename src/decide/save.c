/* A decision to bytes and back: a magic word, the settings, the state, and a checksum over all of it. */
#include "decide/decide.h"

#include "base/alloc.h"
#include "base/error.h"

#include <math.h>

static const uint64_t magic = 0x3163656472617073; /* "spardec1" in little-endian bytes: change it with the format */

/* FNV-1a: finds damage, not malice; every loaded value is checked as well. */
static uint64_t checksum(const unsigned char *bytes, size_t length)
{
    uint64_t hash = 0xcbf29ce484222325;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ bytes[i]) * 0x100000001b3;
    return hash;
}

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

static void archive_log(spar_decision *d, spar__archive *ar)
{
    size_t count = d->log_count;
    spar__archive_size(ar, &count);
    if (ar->loading) {
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

spar_status spar_decision_save(const spar_decision *decision, unsigned char **bytes, size_t *length)
{
    spar_decision *d = (spar_decision *)(uintptr_t)decision; /* the archive only reads when it saves */
    spar__archive ar = {.loading = false};
    uint64_t word = magic;
    *bytes = NULL;
    *length = 0;
    spar__archive_u64(&ar, &word);
    spar__archive_f64(&ar, &d->evidence.delta);
    spar__archive_f64(&ar, &d->evidence.eps);
    spar__archive_bool(&ar, &d->live);
    spar__archive_bool(&ar, &d->first_only);
    archive_state(d, &ar);
    uint64_t sum = ar.failed ? 0 : checksum((const unsigned char *)ar.out.text, ar.out.length);
    spar__archive_u64(&ar, &sum);
    if (ar.failed) {
        spar__buf_free(&ar.out);
        return SPAR_NOMEM;
    }
    *bytes = (unsigned char *)ar.out.text;
    *length = ar.out.length;
    return SPAR_OK;
}

static spar_status damaged(spar_error *err, const char *what)
{
    return spar__fail(err, SPAR_CORRUPT, "saved decision: %s", what);
}

static spar_status check_frame(const unsigned char *bytes, size_t length, spar_error *err)
{
    uint64_t word = 0, sum = 0;
    spar__archive head = {.loading = true, .in = bytes, .left = length};
    spar__archive_u64(&head, &word);
    if (head.failed || word != magic)
        return damaged(err, "does not begin as one");
    spar__archive tail = {.loading = true, .in = bytes + length - 8, .left = 8};
    spar__archive_u64(&tail, &sum);
    if (length < 16 || sum != checksum(bytes, length - 8))
        return damaged(err, "its checksum is wrong");
    return SPAR_OK;
}

spar_status spar_decision_load(const unsigned char *bytes, size_t length, spar_decision **out, spar_error *err)
{
    *out = NULL;
    spar_status status = check_frame(bytes, length, err);
    if (status)
        return status;
    spar__archive ar = {.loading = true, .in = bytes + 8, .left = length - 16};
    double delta = 0, eps = 0;
    bool live = false, first_only = false;
    spar_decision *d = NULL;
    spar__archive_f64(&ar, &delta);
    spar__archive_f64(&ar, &eps);
    spar__archive_bool(&ar, &live);
    spar__archive_bool(&ar, &first_only);
    spar__archive_check(&ar, delta > 0 && delta < 1 && eps > 0 && eps <= 20);
    if (!ar.failed)
        spar__archive_step(&ar, spar__decision_make(0, delta, eps, live, first_only, &d));
    if (!ar.failed)
        archive_state(d, &ar);
    spar__archive_check(&ar, ar.left == 0);
    if (ar.failed) {
        spar_decision_free(d);
        return ar.no_memory ? spar__fail_memory(err) : damaged(err, "its contents make no sense");
    }
    *out = d;
    return SPAR_OK;
}
