/* event_archive.c - the bodies of events to bytes and back, as <spar/event.h> documents them. */
#include "base/alloc.h"
#include "types/answer.h"
#include "types/arms.h"
#include "types/event.h"
#include "types/round.h"

#include <math.h>
#include <string.h>

enum { MOST_FEATURES = 1 << 20, NEW_POINT = -1 };

static void archive_flag(uint8_t *value, unsigned most, spar__archive *ar)
{
    spar__archive_u8(ar, value);
    spar__archive_check(ar, *value <= most);
}

static void archive_hash(spar_event *event, spar__archive *ar)
{
    archive_flag(&event->is.hashed, 1, ar);
    if (event->is.hashed && !ar->failed)
        spar__archive_bytes(ar, event->is.hash, sizeof event->is.hash);
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

static void save_axes(const spar_arms *space, spar__archive *ar)
{
    for (size_t a = 0; space && a < space->space.n_axes; a++) {
        spar__space_axis axis = space->space.axis[a];
        archive_axis(&axis, ar);
    }
}

static spar_status add_axis(spar_space *space, const spar__space_axis *axis)
{
    switch (axis->kind) {
    case SPAR__AXIS_LEVELS:
        return spar_space_add_levels(space, axis->lo, axis->hi, axis->n);
    case SPAR__AXIS_CHOICE:
        return spar_space_add_choice(space, axis->n, axis->hi);
    default:
        return spar_space_add_range(space, axis->lo, axis->hi);
    }
}

/* A table without arms: over the axes that follow, or with dim features. */
static void load_space(spar_event *event, size_t dim, size_t axes, spar__archive *ar)
{
    static const double nothing = 0;
    spar_space *space = NULL;
    spar__archive_check(ar, dim <= MOST_FEATURES && axes <= dim);
    if (ar->failed || dim == 0)
        return;
    spar__archive_step(ar, spar_space_new(&space));
    for (size_t a = 0; a < axes && !ar->failed; a++) {
        spar__space_axis axis = {0};
        archive_axis(&axis, ar);
        if (!ar->failed)
            spar__archive_step(ar, add_axis(space, &axis));
    }
    if (!ar->failed)
        spar__archive_step(ar, axes ? spar_arms_new_space(space, &event->space)
                                    : spar_arms_new(0, dim, &nothing, NULL, &event->space));
    spar__archive_check(ar, ar->failed || event->space->dim == dim);
    spar_space_free(space);
}

static void archive_space(spar_event *event, spar__archive *ar)
{
    uint32_t dim = event->space ? (uint32_t)event->space->dim : 0;
    uint32_t axes = event->space ? (uint32_t)event->space->space.n_axes : 0;
    spar__archive_u32(ar, &dim);
    spar__archive_u32(ar, &axes);
    if (ar->loading)
        load_space(event, dim, axes, ar);
    else
        save_axes(event->space, ar);
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

static void archive_created(spar_event *event, spar__archive *ar)
{
    spar__archive_u64(ar, &event->is.seed);
    spar__archive_u64(ar, &event->is.horizon);
    archive_flag(&event->is.asks, SPAR_ANSWER_PAIRS, ar);
    spar__archive_check(ar, event->is.asks >= SPAR_ANSWER_WINNER);
    archive_flag(&event->is.shuffle, 1, ar);
    archive_space(event, ar);
    archive_words(&event->policy, ar);
    if (ar->loading ? ar->version > 1 : event->axes != NULL) {
        archive_flag(&event->is.against_last, 1, ar);
        archive_words(&event->axes, ar);
    }
}

static void archive_settings(spar_event *event, spar__archive *ar)
{
    spar__archive_u32(ar, &event->is.m);
    spar__archive_check(ar, event->is.m > 0);
    archive_flag(&event->is.results, SPAR_RESULTS_PUBLIC, ar);
    archive_flag(&event->is.access, SPAR_ACCESS_INVITED, ar);
    archive_hash(event, ar);
}

static void archive_arm(spar_event *event, spar__archive *ar)
{
    spar__archive_u32(ar, &event->is.arm);
    spar__archive_check(ar, event->is.arm != (uint32_t)NEW_POINT);
}

static void archive_option(spar_event *event, spar__archive *ar)
{
    archive_arm(event, ar);
    spar__archive_u32(ar, &event->is.version);
    spar__archive_check(ar, event->is.version > 0);
    spar__archive_u32(ar, &event->is.dim);
    if (ar->loading && event->is.dim && spar__archive_holds(ar, event->is.dim)) {
        event->x = spar__alloc(event->is.dim, sizeof *event->x);
        spar__archive_step(ar, event->x ? SPAR_OK : SPAR_NOMEM);
    }
    archive_numbers(event->x, event->is.dim, ar);
    archive_hash(event, ar);
}

static void archive_item(spar_event *event, spar__archive *ar)
{
    spar__archive_u32(ar, &event->is.item);
    spar__archive_check(ar, event->is.item != SPAR_NO_ITEM);
    spar__archive_u32(ar, &event->is.version);
    spar__archive_check(ar, event->is.version > 0);
    spar__archive_u32(ar, &event->is.group);
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
    archive_hash(event, ar);
}

/* A round with room for m slots and no more points than that: those of an earlier event may have been many. */
static spar_status make_round(spar_event *event, size_t m, size_t dim)
{
    if (!dim && !event->round->dim)
        return spar__round_reserve(event->round, m);
    spar_round *round = NULL;
    spar_status status = spar_round_new(m, &round);
    if (!status)
        status = spar__round_set_dim(round, dim);
    if (status) {
        spar_round_free(round);
        return status;
    }
    spar_round_free(event->round);
    event->round = round;
    return SPAR_OK;
}

/* The numbers of slots and of numbers per point, and room for them; every slot takes at least `least` bytes. */
static void archive_sizes(spar_event *event, size_t least, spar__archive *ar)
{
    uint32_t m = (uint32_t)event->round->m, dim = (uint32_t)event->round->dim;
    spar__archive_check(ar, m == event->round->m && dim == event->round->dim);
    spar__archive_u32(ar, &m);
    spar__archive_u32(ar, &dim);
    spar__archive_check(ar, m > 0 && dim <= MOST_FEATURES);
    if (!ar->loading)
        return;
    spar__archive_check(ar, m <= ar->left / (least + 8 * (size_t)dim));
    if (!ar->failed)
        spar__archive_step(ar, make_round(event, m, dim));
    event->round->m = ar->failed ? 0 : m;
    memset(event->round->memo, 0, sizeof event->round->memo);
}

/* The point of a slot, in a continuous space. */
static void archive_point(spar_round *round, size_t j, spar__archive *ar)
{
    if (round->dim)
        archive_numbers(round->x + j * round->dim, round->dim, ar);
}

/* The arm of a slot; a new point must be a point of a continuous space. */
static void archive_slot_arm(spar_round *round, size_t j, spar__archive *ar)
{
    size_t at = round->arm[j];
    uint32_t arm = at == SPAR_FRESH ? (uint32_t)NEW_POINT : (uint32_t)at;
    spar__archive_check(ar, ar->loading || at == SPAR_FRESH || (arm == at && arm != (uint32_t)NEW_POINT));
    spar__archive_u32(ar, &arm);
    if (ar->loading)
        round->arm[j] = arm == (uint32_t)NEW_POINT ? SPAR_FRESH : arm;
    spar__archive_check(ar, round->dim || arm != (uint32_t)NEW_POINT);
}

/* Where slot j is shown. */
static void archive_place(spar_event *event, size_t j, spar__archive *ar)
{
    uint32_t place = (uint32_t)event->place[j];
    spar__archive_check(ar, ar->loading || event->place[j] < event->round->m);
    spar__archive_u32(ar, &place);
    spar__archive_check(ar, place < event->round->m);
    if (ar->loading)
        event->place[j] = place;
}

/* Is each place taken once? */
static void check_places(const spar_event *event, spar__archive *ar)
{
    size_t m = event->round->m;
    bool *taken = ar->failed ? NULL : spar__alloc(m, sizeof *taken);
    spar__archive_step(ar, ar->failed || taken ? SPAR_OK : SPAR_NOMEM);
    for (size_t j = 0; j < m && !ar->failed; j++) {
        spar__archive_check(ar, !taken[event->place[j]]);
        taken[event->place[j]] = true;
    }
    spar__free(taken);
}

static void archive_memo(spar_round *round, spar__archive *ar)
{
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

static void archive_screen(spar_event *event, spar__archive *ar)
{
    spar__archive_u64(ar, &event->is.number);
    spar__archive_check(ar, event->is.number > 0);
    spar__archive_u64(ar, &event->is.voter);
    spar__archive_u64(ar, &event->is.basis);
    spar__archive_u32(ar, &event->is.engine);
    spar__archive_u32(ar, &event->is.item);
    archive_sizes(event, 16, ar);
    spar_round *round = event->round;
    if (ar->loading && !ar->failed)
        spar__archive_step(ar, spar__event_reserve_places(event, round->m));
    for (size_t j = 0; j < round->m && !ar->failed; j++) {
        archive_place(event, j, ar);
        archive_slot_arm(round, j, ar);
        spar__archive_f64(ar, &round->prob[j]);
        spar__archive_check(ar, round->prob[j] > 0 && round->prob[j] <= 1);
        archive_point(round, j, ar);
    }
    archive_memo(round, ar);
    check_places(event, ar);
    if (ar->loading)
        round->asked = true;
}

static void archive_answer(spar_event *event, spar__archive *ar)
{
    spar__archive_u64(ar, &event->is.number);
    spar__archive_check(ar, event->is.number > 0);
    spar__archive_u32(ar, &event->is.revision);
    spar__archive_u64(ar, &event->is.voter);
    spar__archive_u32(ar, &event->is.taken);
    spar__archive_u32(ar, &event->is.flags);
    archive_hash(event, ar);
    spar__answer_archive(event->answer, ar);
}

static void archive_undo(spar_event *event, spar__archive *ar)
{
    spar__archive_u64(ar, &event->is.number);
    spar__archive_check(ar, event->is.number > 0);
    spar__archive_u32(ar, &event->is.revision);
}

static void archive_nothing(spar_event *event, spar__archive *ar)
{
    (void)event;
    (void)ar;
}

static void archive_imported(spar_event *event, spar__archive *ar)
{
    spar__archive_bytes(ar, event->is.key, sizeof event->is.key);
    spar__archive_u64(ar, &event->is.voter);
    archive_sizes(event, 4, ar);
    spar_round *round = event->round;
    for (size_t j = 0; j < round->m && !ar->failed; j++) {
        archive_slot_arm(round, j, ar);
        archive_point(round, j, ar);
        if (ar->loading)
            round->prob[j] = 1;
    }
    if (ar->loading)
        round->asked = false;
    spar__answer_archive(event->answer, ar);
    spar__archive_check(ar, ar->failed || !spar__answer_check(event->answer, round->m, NULL));
}

void spar__event_archive(spar_event *event, spar__archive *ar)
{
    static void (*const body[])(spar_event *, spar__archive *) = {
        [SPAR_EVENT_NONE] = archive_nothing,      [SPAR_EVENT_CREATED] = archive_created,
        [SPAR_EVENT_SETTINGS] = archive_settings, [SPAR_EVENT_OPTION] = archive_option,
        [SPAR_EVENT_RETIRED] = archive_arm,       [SPAR_EVENT_ITEM] = archive_item,
        [SPAR_EVENT_SCREEN] = archive_screen,     [SPAR_EVENT_ANSWER] = archive_answer,
        [SPAR_EVENT_UNDO] = archive_undo,         [SPAR_EVENT_CLOSED] = archive_nothing,
        [SPAR_EVENT_REOPENED] = archive_nothing,  [SPAR_EVENT_IMPORTED] = archive_imported,
    };
    body[event->kind](event, ar);
}
