/* event.c - events: made, set, read, encoded to bytes and decoded. The bytes follow the table of event_fields.c: a
 * field that stands alone is archived by its type and its place in the struct, the others by one function each. */
#include "types/event.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "types/answer.h"
#include "types/arms.h"
#include "types/round.h"

#include <math.h>
#include <string.h>

/* All but the stamp, the round and the answer. */
static void clear_rest(spar_event *event)
{
    spar_arms_free(event->space);
    spar__free(event->policy);
    spar__free(event->axes);
    spar__free(event->x);
    spar__free(event->output);
    event->space = NULL;
    event->policy = NULL;
    event->axes = NULL;
    event->x = NULL;
    event->output = NULL;
    memset(&event->is, 0, sizeof event->is);
    event->kind = SPAR_EVENT_NONE;
}

void spar_event_free(spar_event *event)
{
    if (!event)
        return;
    clear_rest(event);
    spar_round_free(event->round);
    spar_answer_free(event->answer);
    spar__free(event->place);
    spar__free(event);
}

spar_status spar_event_new(spar_event **out)
{
    if (!SPAR__CLEAR(out))
        return SPAR_INVALID;
    spar_event *event = spar__alloc(1, sizeof *event);
    if (!event || spar_round_new(4, &event->round) || spar_answer_new(&event->answer)) {
        spar_event_free(event);
        return SPAR_NOMEM;
    }
    *out = event;
    return SPAR_OK;
}

/* Nothing but the stamp is left. */
static void begin(spar_event *event, spar_event_kind kind)
{
    clear_rest(event);
    event->round->m = 0;
    spar_answer_set_skip(event->answer);
    event->kind = kind;
}

void spar_event_set_stamp(spar_event *event, uint64_t sequence, int64_t microseconds)
{
    if (!event)
        return;
    event->sequence = sequence;
    event->utc = microseconds;
}

/* The same with a round, an answer or both, which may be those that the event has: they are copied before the rest is
 * cleared. */
static spar_status begin_with(spar_event *event, spar_event_kind kind, const spar_round *round,
                              const spar_answer *answer)
{
    spar_status status = round ? spar_round_copy(round, event->round) : SPAR_OK;
    if (!status && answer)
        status = spar_answer_copy(answer, event->answer);
    if (status) {
        begin(event, SPAR_EVENT_NONE);
        return status;
    }
    clear_rest(event);
    if (!round)
        event->round->m = 0;
    if (!answer)
        spar_answer_set_skip(event->answer);
    event->kind = kind;
    return SPAR_OK;
}

spar_status spar_event_set_created(spar_event *event, const char *policy, uint64_t seed, spar_answer_kind asks)
{
    if (!event || !policy || !*policy || asks < SPAR_ANSWER_WINNER || asks > SPAR_ANSWER_PAIRS)
        return SPAR_INVALID;
    char *copy = spar__strdup(policy);
    begin(event, copy ? SPAR_EVENT_CREATED : SPAR_EVENT_NONE);
    if (!copy)
        return SPAR_NOMEM;
    event->is.seed = seed;
    event->is.asks = (uint8_t)asks;
    event->policy = copy;
    return SPAR_OK;
}

spar_status spar_event_set_settings(spar_event *event, size_t m, spar_results_for results, spar_access access)
{
    if (!event || m == 0 || m > UINT32_MAX || (unsigned)results > SPAR_RESULTS_PUBLIC ||
        (unsigned)access > SPAR_ACCESS_INVITED)
        return SPAR_INVALID;
    begin(event, SPAR_EVENT_SETTINGS);
    event->is.m = (uint32_t)m;
    event->is.results = (uint8_t)results;
    event->is.access = (uint8_t)access;
    return SPAR_OK;
}

spar_status spar_event_set_option(spar_event *event, size_t arm, uint32_t version, size_t dim, const double *x)
{
    if (!event || arm >= UINT32_MAX || version == 0 || dim > UINT32_MAX)
        return SPAR_INVALID;
    double *copy = dim ? spar__alloc(dim, sizeof *copy) : NULL;
    if (dim && !copy)
        return SPAR_NOMEM;
    if (dim)
        memcpy(copy, x, dim * sizeof *copy);
    begin(event, SPAR_EVENT_OPTION);
    event->is.arm = (uint32_t)arm;
    event->is.version = version;
    event->is.dim = (uint32_t)dim;
    event->x = copy;
    return SPAR_OK;
}

spar_status spar_event_set_retired(spar_event *event, size_t arm)
{
    if (!event || arm >= UINT32_MAX)
        return SPAR_INVALID;
    begin(event, SPAR_EVENT_RETIRED);
    event->is.arm = (uint32_t)arm;
    return SPAR_OK;
}

void spar_event_set_item(spar_event *event, uint32_t index)
{
    if (!event)
        return;
    begin(event, SPAR_EVENT_ITEM);
    event->is.item = index;
    event->is.version = 1;
    event->is.group = SPAR_NO_GROUP;
}

spar_status spar_event_set_screen(spar_event *event, uint64_t number, const spar_round *round, const size_t *place)
{
    if (!event || !round)
        return SPAR_INVALID;
    if (!spar__reserve(&event->place, &event->place_room, round->m, 4, sizeof *event->place))
        return SPAR_NOMEM;
    spar_status status = begin_with(event, SPAR_EVENT_SCREEN, round, NULL);
    if (status)
        return status;
    event->is.number = number;
    event->is.item = SPAR_NO_ITEM;
    for (size_t j = 0; j < event->round->m; j++)
        event->place[j] = place ? place[j] : j;
    return SPAR_OK;
}

spar_status spar_event_set_answer(spar_event *event, uint64_t number, uint32_t revision, const spar_answer *answer)
{
    if (!event || !answer)
        return SPAR_INVALID;
    spar_status status = begin_with(event, SPAR_EVENT_ANSWER, NULL, answer);
    if (status)
        return status;
    event->is.number = number;
    event->is.revision = revision;
    return SPAR_OK;
}

void spar_event_set_undo(spar_event *event, uint64_t number, uint32_t revision)
{
    if (!event)
        return;
    begin(event, SPAR_EVENT_UNDO);
    event->is.number = number;
    event->is.revision = revision;
}

void spar_event_set_closed(spar_event *event)
{
    if (event)
        begin(event, SPAR_EVENT_CLOSED);
}

void spar_event_set_reopened(spar_event *event)
{
    if (event)
        begin(event, SPAR_EVENT_REOPENED);
}

spar_status spar_event_set_imported(spar_event *event, const unsigned char *key, const spar_round *round,
                                    const spar_answer *answer)
{
    if (!event || !round || !answer)
        return SPAR_INVALID;
    unsigned char copy[SPAR_HASH_SIZE] = {0};
    if (key)
        memcpy(copy, key, sizeof copy);
    spar_status status = begin_with(event, SPAR_EVENT_IMPORTED, round, answer);
    if (status)
        return status;
    memcpy(event->is.key, copy, sizeof copy);
    event->round->asked = false; /* as it is decoded, whatever the round was */
    memset(event->round->memo, 0, sizeof event->round->memo);
    for (size_t j = 0; j < event->round->m; j++)
        event->round->prob[j] = 1;
    return SPAR_OK;
}

/* The bodies of events to bytes and back, as <spar/event.h> documents them. */

enum { NEW_POINT = -1 };

static void archive_flag(uint8_t *value, unsigned most, spar__archive *ar)
{
    spar__archive_u8(ar, value);
    spar__archive_check(ar, *value <= most);
}

/* n numbers that are finite. */
static void archive_numbers(double *x, size_t n, spar__archive *ar)
{
    for (size_t i = 0; i < n && !ar->failed; i++) {
        spar__archive_f64(ar, &x[i]);
        spar__archive_check(ar, isfinite(x[i]));
    }
}

static void archive_axis(spar__space_axis *axis, spar__archive *ar)
{
    uint8_t kind = (uint8_t)axis->kind;
    archive_flag(&kind, SPAR__AXIS_CHOICE, ar);
    spar__archive_f64(ar, &axis->lo);
    spar__archive_f64(ar, &axis->hi);
    spar__archive_size(ar, &axis->n);
    if (!ar->loading)
        return;
    axis->kind = (spar__space_axis_kind)kind;
    spar__archive_check(ar, kind != SPAR__AXIS_CHOICE || (axis->lo == 0 && !signbit(axis->lo)));
    spar__archive_check(ar, kind != SPAR__AXIS_RANGE || axis->n == 0);
}

/* A table without arms: over the axes that follow, or with dim features. */
static void archive_space(spar_event *event, spar__archive *ar)
{
    uint32_t dim = event->space ? (uint32_t)event->space->dim : 0;
    uint32_t axes = event->space ? (uint32_t)event->space->space.n_axes : 0;
    spar__archive_u32(ar, &dim);
    spar__archive_u32(ar, &axes);
    spar__archive_check(ar, dim <= SPAR__MOST_FEATURES && axes <= dim);
    if (ar->loading && !ar->failed && dim)
        event->space = spar__arms_load_space(dim, axes, archive_axis, ar);
    for (size_t a = 0; !ar->loading && a < axes; a++) {
        spar__space_axis axis = event->space->space.axis[a];
        archive_axis(&axis, ar);
    }
}

/* A text without zero bytes, at least one character long. */
static void archive_words(char **text, spar__archive *ar)
{
    size_t length = *text ? strlen(*text) : 0;
    uint32_t n = (uint32_t)length;
    spar__archive_check(ar, n == length);
    spar__archive_u32(ar, &n);
    spar__archive_check(ar, n > 0);
    if (ar->loading && spar__archive_holds(ar, n)) {
        *text = spar__alloc((size_t)n + 1, 1);
        spar__archive_step(ar, *text ? SPAR_OK : SPAR_NOMEM);
    }
    if (ar->failed)
        return;
    spar__archive_bytes(ar, *text, n);
    spar__archive_check(ar, strlen(*text) == n);
}

/* The numbers of slots and of numbers per point, and room for them; every slot takes at least `least` bytes. */
static void archive_sizes(spar_event *event, size_t least, spar__archive *ar)
{
    uint32_t m = (uint32_t)event->round->m, dim = (uint32_t)event->round->dim;
    spar__archive_check(ar, m == event->round->m && dim == event->round->dim);
    spar__archive_u32(ar, &m);
    spar__archive_u32(ar, &dim);
    spar__archive_check(ar, m > 0 && dim <= SPAR__MOST_FEATURES);
    if (!ar->loading)
        return;
    spar__archive_check(ar, m <= ar->left / (least + 8 * (size_t)dim));
    if (!ar->failed && (dim || event->round->dim)) { /* no more points than that: an earlier event may have had many */
        spar_round *round = NULL;
        spar__archive_step(ar, spar_round_new(m, &round));
        if (!ar->failed)
            spar__archive_step(ar, spar__round_set_dim(round, dim));
        spar_round_free(ar->failed ? round : event->round);
        event->round = ar->failed ? event->round : round;
    } else if (!ar->failed)
        spar__archive_step(ar, spar__round_reserve(event->round, m));
    event->round->m = ar->failed ? 0 : m;
    memset(event->round->memo, 0, sizeof event->round->memo);
}

static void archive_memo(spar_event *event, spar__archive *ar)
{
    spar_round *round = event->round;
    uint8_t n = SPAR__MEMO;
    while (n > 0 && round->memo[n - 1] == 0)
        n--;
    archive_flag(&n, SPAR__MEMO, ar);
    for (size_t i = 0; i < n && !ar->failed; i++) {
        uint64_t word = (uint64_t)round->memo[i];
        spar__archive_u64(ar, &word);
        if (ar->loading)
            round->memo[i] = (int64_t)word;
        spar__archive_check(ar, i + 1 < n || word != 0);
    }
}

static void archive_features(spar_event *event, spar__archive *ar)
{
    if (ar->loading && event->is.dim && spar__archive_holds(ar, event->is.dim)) {
        event->x = spar__alloc(event->is.dim, sizeof *event->x);
        spar__archive_step(ar, event->x ? SPAR_OK : SPAR_NOMEM);
    }
    archive_numbers(event->x, event->is.dim, ar);
}

/* The arms that an item has an output for, rising. */
static void archive_outputs(spar_event *event, spar__archive *ar)
{
    spar__archive_u32(ar, &event->is.outputs);
    if (ar->loading && event->is.outputs && spar__archive_holds(ar, event->is.outputs)) {
        event->output = spar__alloc(event->is.outputs, sizeof *event->output);
        spar__archive_step(ar, event->output ? SPAR_OK : SPAR_NOMEM);
    }
    for (size_t i = 0; i < event->is.outputs && !ar->failed; i++) {
        spar__archive_u32(ar, &event->output[i]);
        spar__archive_check(ar, event->output[i] != (uint32_t)NEW_POINT);
        spar__archive_check(ar, i == 0 || event->output[i] > event->output[i - 1]);
    }
}

/* The slots of a screen, or those of an import, which have no places and no probabilities. */
static void archive_slots(spar_event *event, spar__archive *ar)
{
    bool screen = event->kind == SPAR_EVENT_SCREEN;
    archive_sizes(event, screen ? 16 : 4, ar);
    spar_round *round = event->round;
    if (screen && ar->loading && !ar->failed &&
        !spar__reserve(&event->place, &event->place_room, round->m, 4, sizeof *event->place))
        spar__archive_step(ar, SPAR_NOMEM);
    for (size_t j = 0; j < round->m && !ar->failed; j++) {
        if (screen) { /* where the slot is shown */
            uint32_t place = (uint32_t)event->place[j];
            spar__archive_check(ar, ar->loading || event->place[j] < round->m);
            spar__archive_u32(ar, &place);
            spar__archive_check(ar, place < round->m);
            event->place[j] = ar->loading ? place : event->place[j];
        }
        size_t at = round->arm[j];
        uint32_t arm = at == SPAR_FRESH ? (uint32_t)NEW_POINT : (uint32_t)at;
        spar__archive_check(ar, ar->loading || at == SPAR_FRESH || (arm == at && arm != (uint32_t)NEW_POINT));
        spar__archive_u32(ar, &arm);
        if (ar->loading)
            round->arm[j] = arm == (uint32_t)NEW_POINT ? SPAR_FRESH : arm;
        spar__archive_check(ar, round->dim || arm != (uint32_t)NEW_POINT); /* a point of a continuous space */
        if (screen) {
            spar__archive_f64(ar, &round->prob[j]);
            spar__archive_check(ar, round->prob[j] > 0 && round->prob[j] <= 1);
        } else if (ar->loading)
            round->prob[j] = 1;
        if (round->dim)
            archive_numbers(round->x + j * round->dim, round->dim, ar);
    }
    bool *taken = ar->failed || !screen ? NULL : spar__alloc(round->m, sizeof *taken);
    spar__archive_step(ar, ar->failed || !screen || taken ? SPAR_OK : SPAR_NOMEM);
    for (size_t j = 0; screen && j < round->m && !ar->failed; j++) { /* each place once */
        spar__archive_check(ar, !taken[event->place[j]]);
        taken[event->place[j]] = true;
    }
    spar__free(taken);
    if (ar->loading)
        round->asked = screen;
}

static void archive_answer(spar_event *event, spar__archive *ar)
{
    spar__answer_archive(event->answer, ar);
    if (event->kind == SPAR_EVENT_IMPORTED)
        spar__archive_check(ar, ar->failed || !spar_answer_check(event->answer, event->round->m, NULL));
}

/* A whole number of the field's bytes, in its range. */
static void archive_number(const spar__event_field *field, void *at, spar__archive *ar)
{
    uint64_t value;
    if (field->bytes == 1) {
        spar__archive_u8(ar, at);
        value = *(uint8_t *)at;
    } else if (field->bytes == 4) {
        spar__archive_u32(ar, at);
        value = *(uint32_t *)at;
    } else {
        spar__archive_u64(ar, at);
        value = *(uint64_t *)at;
    }
    spar__archive_check(ar, value >= field->least && (!field->most || value <= field->most));
}

/* The body; loading also checks it. */
static void archive_body(spar_event *event, spar__archive *ar)
{
    static void (*const part[])(spar_event *, spar__archive *) = {
        [SPAR__PART_SPACE] = archive_space,     [SPAR__PART_FEATURES] = archive_features,
        [SPAR__PART_OUTPUTS] = archive_outputs, [SPAR__PART_SLOTS] = archive_slots,
        [SPAR__PART_MEMO] = archive_memo,       [SPAR__PART_ANSWER] = archive_answer};
    unsigned version = ar->loading ? ar->version : event->axes ? 2 : 1;
    const spar__event_field *field = spar__event_fields(event->kind);
    for (; field && field->name; field++) {
        void *at = (char *)event + field->offset;
        if (part[field->part])
            part[field->part](event, ar);
        else if (field->part != SPAR__PART_ALONE || field->since > version)
            continue;
        else if (field->type == SPAR__FIELD_TEXT)
            archive_words(at, ar);
        else if (field->type == SPAR__FIELD_KEY)
            spar__archive_bytes(ar, event->is.key, sizeof event->is.key);
        else if (field->type == SPAR__FIELD_HASH) {
            archive_flag(&event->is.hashed, 1, ar);
            if (event->is.hashed && !ar->failed)
                spar__archive_bytes(ar, event->is.hash, sizeof event->is.hash);
        } else
            archive_number(field, at, ar);
    }
}

/* Whole events to bytes and back: the head around the body. */

enum { VERSION = 2, HEAD = 22 }; /* the newest version */

spar_status spar_event_copy(const spar_event *from, spar_event *to)
{
    if (!from || !to)
        return SPAR_INVALID;
    if (from == to)
        return SPAR_OK;
    spar__archive out = {.loading = false};
    archive_body((spar_event *)(uintptr_t)from, &out); /* the archive only reads when it saves */
    spar__archive in = {.loading = true, .failed = out.failed, .no_memory = out.no_memory};
    in.in = (const unsigned char *)out.out.text;
    in.left = out.out.length;
    begin(to, from->kind);
    in.version = from->axes ? 2 : 1;
    archive_body(to, &in);
    spar__buf_free(&out.out);
    if (in.failed) {
        begin(to, SPAR_EVENT_NONE);
        return in.no_memory ? SPAR_NOMEM : SPAR_INVALID;
    }
    spar_event_set_stamp(to, from->sequence, from->utc);
    return SPAR_OK;
}

spar_status spar_event_dup(const spar_event *event, spar_event **out)
{
    if (!SPAR__CLEAR(out) || !event)
        return SPAR_INVALID;
    spar_status status = spar_event_new(out);
    if (!status)
        status = spar_event_copy(event, *out);
    if (status) {
        spar_event_free(*out);
        *out = NULL;
    }
    return status;
}

spar_status spar_event_encode(const spar_event *event, unsigned char **bytes, size_t *length)
{
    if (!SPAR__CLEAR(bytes) || !event || !length)
        return SPAR_INVALID;
    unsigned char head[HEAD] = {event->axes ? 2 : 1, (unsigned char)event->kind};
    *length = 0;
    if (event->kind == SPAR_EVENT_NONE || event->sequence == 0)
        return SPAR_INVALID;
    spar__archive ar = {.loading = false};
    spar__archive_bytes(&ar, head, HEAD);
    archive_body((spar_event *)(uintptr_t)event, &ar); /* the archive only reads when it saves */
    size_t n = ar.out.length - HEAD;
    if (ar.failed || n > UINT32_MAX) {
        spar__buf_free(&ar.out);
        return ar.no_memory ? SPAR_NOMEM : SPAR_INVALID;
    }
    unsigned char *out = (unsigned char *)ar.out.text;
    spar__put_u32(out + 2, (uint32_t)n);
    spar__put_u64(out + 6, event->sequence);
    spar__put_u64(out + 14, (uint64_t)event->utc);
    *bytes = out;
    *length = ar.out.length;
    return SPAR_OK;
}

static spar_status damaged(spar_error *err, const char *what)
{
    return spar__fail(err, SPAR_CORRUPT, "event: %s", what);
}

static spar_status check_head(const unsigned char *bytes, size_t length, spar_error *err)
{
    if (length > 0 && bytes[0] > VERSION)
        return spar__fail(err, SPAR_UNSUPPORTED,
                          "event: written by a newer version: its encoding is %d, this program reads up to %d",
                          bytes[0], VERSION);
    if (length < HEAD)
        return damaged(err, "it is cut short");
    if (bytes[0] == 0 || (bytes[0] == 2 && bytes[1] != SPAR_EVENT_CREATED) ||
        !spar_event_kind_name((spar_event_kind)bytes[1]))
        return spar__fail(err, SPAR_CORRUPT, "event: there is no kind %d in encoding %d", bytes[1], bytes[0]);
    uint32_t n = spar__get_u32(bytes + 2);
    if (n != length - HEAD)
        return damaged(err, n > length - HEAD ? "it is cut short" : "something follows its end");
    return spar__get_u64(bytes + 6) ? SPAR_OK : damaged(err, "its sequence number is 0");
}

spar_status spar_event_decode(spar_event *event, const unsigned char *bytes, size_t length, spar_error *err)
{
    if (!event || !bytes)
        return spar__fail_null(err);
    begin(event, SPAR_EVENT_NONE);
    spar_event_set_stamp(event, 0, 0);
    spar_status status = check_head(bytes, length, err);
    if (status)
        return status;
    spar__archive ar = {.loading = true, .in = bytes + HEAD, .left = length - HEAD, .version = bytes[0]};
    event->kind = (spar_event_kind)bytes[1];
    spar_event_set_stamp(event, spar__get_u64(bytes + 6), (int64_t)spar__get_u64(bytes + 14));
    archive_body(event, &ar);
    if (!ar.failed && ar.left == 0)
        return SPAR_OK;
    status = ar.no_memory ? spar__fail_memory(err)
                          : spar__fail(err, SPAR_CORRUPT, "event %llu: its contents are not those of '%s'",
                                       (unsigned long long)event->sequence, spar_event_kind_name(event->kind));
    begin(event, SPAR_EVENT_NONE);
    spar_event_set_stamp(event, 0, 0);
    return status;
}

/* The single fields of an event: set where its kind has them, read as 0 where not. */

/* Is the event of one of these kinds, given as bits? */
static bool is_one_of(const spar_event *event, unsigned kinds)
{
    return kinds >> event->kind & 1;
}

enum {
    CREATED = 1 << SPAR_EVENT_CREATED,
    SETTINGS = 1 << SPAR_EVENT_SETTINGS,
    OPTION = 1 << SPAR_EVENT_OPTION,
    RETIRED = 1 << SPAR_EVENT_RETIRED,
    ITEM = 1 << SPAR_EVENT_ITEM,
    SCREEN = 1 << SPAR_EVENT_SCREEN,
    ANSWER = 1 << SPAR_EVENT_ANSWER,
    IMPORTED = 1 << SPAR_EVENT_IMPORTED
};

void spar_event_set_horizon(spar_event *event, uint64_t horizon)
{
    if (event && is_one_of(event, CREATED))
        event->is.horizon = horizon;
}

void spar_event_set_shuffle(spar_event *event, bool shuffle)
{
    if (event && is_one_of(event, CREATED))
        event->is.shuffle = shuffle;
}

spar_status spar_event_set_space(spar_event *event, const spar_arms *arms)
{
    if (!event || !arms)
        return SPAR_INVALID;
    static const double nothing = 0;
    spar_arms *space = NULL;
    if (!is_one_of(event, CREATED))
        return SPAR_OK;
    spar_status status = spar__arms_continuous(arms) ? spar_arms_new_space(&arms->space, &space)
                         : arms->dim                 ? spar_arms_new(0, arms->dim, &nothing, NULL, &space)
                                                     : SPAR_OK;
    if (status)
        return status;
    spar_arms_free(event->space);
    event->space = space;
    return SPAR_OK;
}

spar_status spar_event_set_axes(spar_event *event, const char *text, bool against_last)
{
    if (!event || (text && !*text))
        return SPAR_INVALID;
    if (!is_one_of(event, CREATED))
        return SPAR_OK;
    char *copy = text ? spar__strdup(text) : NULL;
    if (text && !copy)
        return SPAR_NOMEM;
    spar__free(event->axes);
    event->axes = copy;
    event->is.against_last = copy && against_last;
    return SPAR_OK;
}

void spar_event_set_basis(spar_event *event, uint64_t basis, uint32_t engine)
{
    if (event && is_one_of(event, SCREEN)) {
        event->is.basis = basis;
        event->is.engine = engine;
    }
}

void spar_event_set_shown_item(spar_event *event, uint32_t item)
{
    if (event && is_one_of(event, SCREEN))
        event->is.item = item;
}

spar_status spar_event_set_outputs(spar_event *event, uint32_t version, uint32_t group, size_t n, const size_t *arm)
{
    if (!event || !version || n >= UINT32_MAX || (n && !arm) || !is_one_of(event, ITEM))
        return SPAR_INVALID;
    for (size_t i = 0; i < n; i++)
        if (arm[i] >= UINT32_MAX || (i && arm[i] <= arm[i - 1]))
            return SPAR_INVALID;
    uint32_t *output = n ? spar__alloc(n, sizeof *output) : NULL;
    if (n && !output)
        return SPAR_NOMEM;
    for (size_t i = 0; i < n; i++)
        output[i] = (uint32_t)arm[i];
    spar__free(event->output);
    event->output = output;
    event->is.outputs = (uint32_t)n;
    event->is.version = version;
    event->is.group = group;
    return SPAR_OK;
}

void spar_event_set_voter(spar_event *event, uint64_t voter)
{
    if (event && is_one_of(event, SCREEN | ANSWER | IMPORTED))
        event->is.voter = voter;
}

void spar_event_set_taken(spar_event *event, uint32_t milliseconds)
{
    if (event && is_one_of(event, ANSWER))
        event->is.taken = milliseconds;
}

void spar_event_set_flags(spar_event *event, uint32_t flags)
{
    if (event && is_one_of(event, ANSWER))
        event->is.flags = flags;
}

void spar_event_set_hash(spar_event *event, const unsigned char *hash)
{
    if (!event || !is_one_of(event, SETTINGS | OPTION | ITEM | ANSWER))
        return;
    event->is.hashed = hash != NULL;
    if (hash) /* perhaps the one that is there */
        memmove(event->is.hash, hash, sizeof event->is.hash);
    else
        memset(event->is.hash, 0, sizeof event->is.hash);
}

spar_event_kind spar_event_kind_of(const spar_event *event)
{
    return event ? event->kind : SPAR_EVENT_NONE;
}

const char *spar_event_kind_name(spar_event_kind kind)
{
    static const char *const name[] = {"created", "settings", "option", "retired",  "item",    "screen",
                                       "answer",  "undo",     "closed", "reopened", "imported"};
    return kind >= SPAR_EVENT_CREATED && kind <= SPAR_EVENT_IMPORTED ? name[kind - SPAR_EVENT_CREATED] : NULL;
}

uint64_t spar_event_sequence(const spar_event *event)
{
    return event ? event->sequence : 0;
}

int64_t spar_event_time(const spar_event *event)
{
    return event ? event->utc : 0;
}

const char *spar_event_policy(const spar_event *event)
{
    return event ? event->policy : NULL;
}

uint64_t spar_event_seed(const spar_event *event)
{
    return event ? event->is.seed : 0;
}

uint64_t spar_event_horizon(const spar_event *event)
{
    return event ? event->is.horizon : 0;
}

spar_answer_kind spar_event_asks(const spar_event *event)
{
    return event ? (spar_answer_kind)event->is.asks : (spar_answer_kind)0;
}

bool spar_event_shuffle(const spar_event *event)
{
    return event && event->is.shuffle != 0;
}

const spar_arms *spar_event_space(const spar_event *event)
{
    return event ? event->space : NULL;
}

const char *spar_event_axes(const spar_event *event)
{
    return event ? event->axes : NULL;
}

bool spar_event_against_last(const spar_event *event)
{
    return event && event->is.against_last != 0;
}

size_t spar_event_slots(const spar_event *event)
{
    return !event ? 0 : is_one_of(event, SETTINGS) ? event->is.m : event->round->m;
}

spar_results_for spar_event_results(const spar_event *event)
{
    return event ? (spar_results_for)event->is.results : SPAR_RESULTS_MANAGERS;
}

spar_access spar_event_access(const spar_event *event)
{
    return event ? (spar_access)event->is.access : SPAR_ACCESS_OPEN;
}

size_t spar_event_arm(const spar_event *event)
{
    return event && is_one_of(event, OPTION | RETIRED) ? event->is.arm : SPAR_NO_ARM;
}

uint32_t spar_event_version(const spar_event *event)
{
    return event ? event->is.version : 0;
}

size_t spar_event_dim(const spar_event *event)
{
    return event ? event->is.dim : 0;
}

const double *spar_event_features(const spar_event *event)
{
    return event ? event->x : NULL;
}

uint32_t spar_event_item(const spar_event *event)
{
    return event && is_one_of(event, ITEM | SCREEN) ? event->is.item : SPAR_NO_ITEM;
}

uint32_t spar_event_group(const spar_event *event)
{
    return event && is_one_of(event, ITEM) ? event->is.group : SPAR_NO_GROUP;
}

size_t spar_event_outputs(const spar_event *event)
{
    return event ? event->is.outputs : 0;
}

size_t spar_event_output(const spar_event *event, size_t i)
{
    return event && i < event->is.outputs ? event->output[i] : SPAR_NO_ARM;
}

uint64_t spar_event_number(const spar_event *event)
{
    return event ? event->is.number : 0;
}

uint64_t spar_event_voter(const spar_event *event)
{
    return event ? event->is.voter : 0;
}

uint64_t spar_event_basis(const spar_event *event)
{
    return event ? event->is.basis : 0;
}

uint32_t spar_event_engine(const spar_event *event)
{
    return event ? event->is.engine : 0;
}

const spar_round *spar_event_round(const spar_event *event)
{
    return event && is_one_of(event, SCREEN | IMPORTED) ? event->round : NULL;
}

size_t spar_event_place(const spar_event *event, size_t slot)
{
    return !event ? 0 : is_one_of(event, SCREEN) && slot < event->round->m ? event->place[slot] : SPAR_NO_SLOT;
}

uint32_t spar_event_revision(const spar_event *event)
{
    return event ? event->is.revision : 0;
}

uint32_t spar_event_taken(const spar_event *event)
{
    return event ? event->is.taken : 0;
}

uint32_t spar_event_flags(const spar_event *event)
{
    return event ? event->is.flags : 0;
}

const spar_answer *spar_event_answer(const spar_event *event)
{
    return event && is_one_of(event, ANSWER | IMPORTED) ? event->answer : NULL;
}

const unsigned char *spar_event_hash(const spar_event *event)
{
    return event && event->is.hashed ? event->is.hash : NULL;
}

const unsigned char *spar_event_key(const spar_event *event)
{
    return event && is_one_of(event, IMPORTED) ? event->is.key : NULL;
}
