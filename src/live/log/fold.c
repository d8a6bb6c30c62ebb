/* fold.c - events into state, and a state to bytes and back.
 *
 * The session knows the policy and the questions, the decision what may be concluded; the rest is counted here. Open
 * screens stand by number, those of each voter linked with each other: screens that nobody will ever answer add up, and
 * a server looks for those of a voter all the time. A saved state is one frame with a section for what is counted here,
 * one for the session, one for the decision and, where there are items, one for them. */
#include "base/alloc.h"
#include "base/archive.h"
#include "base/error.h"
#include "live/live.h"

#include <string.h>

enum { FEW = 16 }; /* screens: a voter who has more is looked for among all */

size_t spar__fold_find_open(const spar__fold *state, uint64_t number)
{
    size_t from = 0, to = state->n_open;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (state->open[middle].number < number)
            from = middle + 1;
        else
            to = middle;
    }
    return from < state->n_open && state->open[from].number == number ? from : state->n_open;
}

static spar_status fold_reserve_open(spar__fold *state)
{
    if (spar__key_table_reserve(&state->asked, 1))
        return SPAR_NOMEM;
    if (state->open_gap + state->n_open < state->open_room)
        return SPAR_OK;
    bool half = state->open_gap > state->open_room / 2; /* free: a move is paid for by as many removals */
    size_t room = half ? state->open_room : state->open_room ? 2 * state->open_room : 16;
    spar__open_screen *old = state->open ? state->open - state->open_gap : NULL;
    spar__open_screen *grown = half ? old : spar__alloc(room, sizeof *grown);
    if (!grown)
        return SPAR_NOMEM;
    if (state->n_open)
        memmove(grown, state->open, state->n_open * sizeof *grown);
    if (!half)
        spar__free(old);
    state->open = grown;
    state->open_gap = 0;
    state->open_room = room;
    return SPAR_OK;
}

static spar__open_screen *find(const spar__fold *state, uint64_t number)
{
    return &state->open[spar__fold_find_open(state, number)];
}

/* For which there is room in `asked`. */
static void link_screen(spar__fold *state, spar__open_screen *screen)
{
    if (!screen->voter)
        return;
    uint64_t *last = &state->asked.entry[spar__key_get(&state->asked, screen->voter, 0)].count;
    screen->before = *last;
    if (*last)
        find(state, *last)->after = screen->number;
    *last = screen->number;
}

static void fold_remove_open(spar__fold *state, uint64_t number)
{
    size_t i = spar__fold_find_open(state, number);
    if (i == state->n_open)
        return;
    const spar__open_screen *screen = &state->open[i];
    if (screen->before)
        find(state, screen->before)->after = screen->after;
    if (screen->after)
        find(state, screen->after)->before = screen->before;
    else if (screen->voter)
        state->asked.entry[spar__key_find(&state->asked, screen->voter, 0)].count = screen->before;
    if (i < state->n_open / 2) { /* the shorter side moves */
        memmove(state->open + 1, state->open, i * sizeof *state->open);
        state->open++;
        state->open_gap++;
    } else {
        memmove(state->open + i, state->open + i + 1, (state->n_open - i - 1) * sizeof *state->open);
    }
    state->n_open--;
}

/* The screens of a voter into few, rising; how many? FEW if there may be more. */
static size_t follow(const spar__fold *state, uint64_t voter, uint64_t few[FEW])
{
    size_t n = 0, i = spar__key_find(&state->asked, voter, 0);
    uint64_t at = i == SPAR__NO_KEY ? 0 : state->asked.entry[i].count;
    for (; at && n < FEW; at = find(state, at)->before) {
        for (i = n++; i > 0 && few[i - 1] > at; i--)
            few[i] = few[i - 1];
        few[i] = at;
    }
    return n;
}

size_t spar__fold_open_of(const spar__fold *state, uint64_t voter, size_t most, uint64_t *number)
{
    uint64_t few[FEW];
    size_t n = voter ? follow(state, voter, few) : FEW;
    if (n < FEW) {
        for (size_t i = 0; i < n && i < most && number; i++)
            number[i] = few[i];
        return n;
    }
    n = 0;
    for (size_t i = 0; i < state->n_open; i++) {
        if (state->open[i].voter != voter)
            continue;
        if (n < most && number)
            number[n] = state->open[i].number;
        n++;
    }
    return n;
}

/* --- events --- */

spar_status spar__fold_new(spar__fold **out)
{
    static const spar_decision_settings live = {.size = sizeof live, .live = 1};
    spar__fold *state = spar__alloc(1, sizeof *state);
    *out = NULL;
    if (!state || spar_session_new_empty(&state->session) || spar_decision_new(0, &live, &state->decision, NULL)) {
        spar__fold_free(state);
        return SPAR_NOMEM;
    }
    spar_session_set_memory(state->session, SPAR__FOLD_REMEMBERS);
    *out = state;
    return SPAR_OK;
}

void spar__fold_free(spar__fold *state)
{
    if (!state)
        return;
    spar_session_free(state->session);
    spar_decision_free(state->decision);
    spar__key_table_fini(&state->voters);
    spar__key_table_fini(&state->asked);
    spar__items_fini(&state->items);
    spar__free(state->policy);
    spar__free(state->version);
    spar__free(state->open ? state->open - state->open_gap : NULL);
    spar__free(state);
}

/* The session has taken the event and the rest has not. */
static spar_status half_done(spar__fold *state, spar_status status)
{
    state->broken = status != SPAR_OK;
    return status;
}

static spar_status apply_created(spar__fold *state, const spar_event *event, spar_error *err)
{
    char *policy = spar__strdup(spar_event_policy(event));
    spar_status status = policy ? spar_session_apply(state->session, event, err) : spar__fail_memory(err);
    if (status) {
        spar__free(policy);
        return status;
    }
    state->policy = policy;
    state->seed = spar_event_seed(event);
    state->asks = (uint8_t)spar_event_asks(event);
    return SPAR_OK;
}

static spar_status apply_option(spar__fold *state, const spar_event *event, spar_error *err)
{
    size_t arm = spar_event_arm(event);
    if (!spar__reserve(&state->version, &state->options_room, state->n_options + 1, 16, sizeof *state->version))
        return spar__fail_memory(err);
    spar_status status = spar_session_apply(state->session, event, err);
    if (status)
        return status;
    if (arm == state->n_options) {
        status = half_done(state, spar_decision_add(state->decision, NULL, err));
        state->n_options += !status;
    }
    state->version[arm] = spar_event_version(event);
    return status;
}

static spar_status apply_screen(spar__fold *state, const spar_event *event, spar_error *err)
{
    spar_status status = spar__items_check_screen(&state->items, event, err);
    if (!status && fold_reserve_open(state))
        status = spar__fail_memory(err);
    if (!status)
        status = spar_session_apply(state->session, event, err);
    if (status)
        return status;
    spar__items_note(&state->items, event);
    size_t i = state->n_open++;
    for (; i > 0 && state->open[i - 1].number > spar_event_number(event); i--)
        state->open[i] = state->open[i - 1];
    state->open[i] = (spar__open_screen){.number = spar_event_number(event), .voter = spar_event_voter(event)};
    link_screen(state, &state->open[i]);
    state->screens++;
    return SPAR_OK;
}

/* What people have said goes to the decision as well; the session has agreed to take it. */
static spar_status learn(spar__fold *state, const spar_event *event, const spar_event *screen, spar_error *err)
{
    if (spar_session_axes(state->session)) /* a decision is about a list of options */
        return spar_session_apply(state->session, event, err);
    spar_status status = spar_decision_tell(state->decision, spar_event_round(screen), spar_event_answer(event),
                                            spar_event_voter(event), spar_event_item(screen), err);
    return status ? status : half_done(state, spar_session_apply(state->session, event, err));
}

static spar_status apply_answer(spar__fold *state, const spar_event *event, spar_error *err)
{
    uint64_t number = spar_event_number(event), voter = spar_event_voter(event);
    spar_status status = spar_session_check(state->session, event, err);
    if (!status && spar__key_table_reserve(&state->voters, 1))
        status = spar__fail_memory(err);
    const spar_event *screen = status ? NULL : spar_session_screen(state->session, number);
    if (!status)
        status = screen ? learn(state, event, screen, err) : spar__fail_memory(err);
    if (status)
        return status;
    fold_remove_open(state, number);
    state->voters.entry[spar__key_get(&state->voters, voter, 0)].count = number;
    state->last = number;
    state->answers++;
    return SPAR_OK;
}

static spar_status apply(spar__fold *state, const spar_event *event, spar_error *err)
{
    spar_status status = SPAR_OK;
    switch (spar_event_kind_of(event)) {
    case SPAR_EVENT_CREATED:
        return apply_created(state, event, err);
    case SPAR_EVENT_SETTINGS:
        status = spar_session_apply(state->session, event, err);
        if (status)
            return status;
        state->m = (uint32_t)spar_event_slots(event);
        state->results = (uint8_t)spar_event_results(event);
        state->access = (uint8_t)spar_event_access(event);
        state->question = spar_event_hash(event) != NULL;
        state->settings++;
        return SPAR_OK;
    case SPAR_EVENT_OPTION:
        return apply_option(state, event, err);
    case SPAR_EVENT_RETIRED:
        status = spar_session_apply(state->session, event, err);
        return status ? status : half_done(state, spar_decision_retire(state->decision, spar_event_arm(event), err));
    case SPAR_EVENT_ITEM:
        status = spar_session_check(state->session, event, err);
        if (!status)
            status = spar__items_apply(&state->items, event, state->n_options, err);
        return status ? status : half_done(state, spar_session_apply(state->session, event, err));
    case SPAR_EVENT_SCREEN:
        return apply_screen(state, event, err);
    case SPAR_EVENT_ANSWER:
        return apply_answer(state, event, err);
    case SPAR_EVENT_UNDO:
        status = spar_session_apply(state->session, event, err);
        state->undone += !status;
        return status;
    case SPAR_EVENT_IMPORTED:
        status = spar_session_check(state->session, event, err);
        if (!status)
            status = learn(state, event, event, err);
        state->answers += !status;
        state->imported += !status;
        return status;
    default:
        return spar_session_apply(state->session, event, err);
    }
}

spar_status spar__fold_apply(spar__fold *state, const spar_event *event, const unsigned char hash[SPAR_HASH_SIZE],
                             spar_error *err)
{
    if (state->broken)
        return spar__fail(err, SPAR_NOMEM, "memory ran out before; open the experiment again");
    spar_status status = apply(state, event, err);
    if (status)
        return status;
    state->sequence = spar_event_sequence(event);
    memcpy(state->hash, hash, sizeof state->hash);
    return SPAR_OK;
}

/* --- saved --- */

enum { COUNTED, SESSION, DECISION, ITEMS };

/* Version 1 kept all screens that were answered. */
static const spar__frame_kind kind = {
    "snapshot of an experiment", "live", 2, {{"stat", 0}, {"sess", 0}, {"deci", 0}, {"item", 0}}};

/* Loading: room for n items. Saving changes nothing, also where it fails. */
static void make_room(spar__archive *ar, size_t n, size_t size, void **items, size_t *count, size_t *room)
{
    if (!ar->loading || !spar__archive_holds(ar, n) || !n)
        return;
    *items = spar__alloc(n, size);
    *count = *room = *items ? n : 0;
    spar__archive_step(ar, *items ? SPAR_OK : SPAR_NOMEM);
}

static void archive(spar__fold *state, spar__archive *ar)
{
    spar__archive_text(ar, &state->policy);
    spar__archive_u64(ar, &state->seed);
    spar__archive_u32(ar, &state->m);
    spar__archive_u8(ar, &state->asks);
    spar__archive_u8(ar, &state->results);
    spar__archive_u8(ar, &state->access);
    spar__archive_bool(ar, &state->question);
    spar__archive_u32(ar, &state->settings);
    size_t n = state->n_options;
    void *items = state->version;
    spar__archive_size(ar, &n);
    make_room(ar, n, sizeof *state->version, &items, &state->n_options, &state->options_room);
    state->version = items;
    for (size_t i = 0; i < state->n_options; i++)
        spar__archive_u32(ar, &state->version[i]);
    n = state->n_open;
    items = state->open;
    spar__archive_size(ar, &n);
    make_room(ar, n, sizeof *state->open, &items, &state->n_open, &state->open_room);
    state->open = items;
    for (size_t i = 0; i < state->n_open; i++) {
        spar__archive_u64(ar, &state->open[i].number);
        spar__archive_u64(ar, &state->open[i].voter);
        spar__archive_check(ar, state->open[i].number > (i ? state->open[i - 1].number : 0));
    }
    if (ar->loading && !ar->failed)
        spar__archive_step(ar, spar__key_table_reserve(&state->asked, state->n_open));
    for (size_t i = 0; i < state->n_open && ar->loading && !ar->failed; i++)
        link_screen(state, &state->open[i]);
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

spar_status spar__fold_join(const spar__fold_parts *parts, unsigned char **bytes, size_t *length)
{
    const struct {
        const void *bytes;
        size_t length;
    } section[] = {[COUNTED] = {parts->counted.text, parts->counted.length},
                   [SESSION] = {parts->session, parts->session_length},
                   [DECISION] = {parts->decision, parts->decision_length},
                   [ITEMS] = {parts->items.text, parts->items.length}};
    spar__buf out = {0};
    spar__frame_writer writer;
    spar__frame_begin(&writer, &kind, &out, NULL);
    for (size_t i = COUNTED; i <= ITEMS; i++)
        if (i != ITEMS || parts->has_items) {
            spar__frame_section(&writer, i, section[i].length);
            spar__frame_add(&writer, section[i].bytes, section[i].length);
        }
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
    if (!state)
        return spar__fail_memory(err);
    spar__archive ar = {.loading = true, .in = frame.section[COUNTED].bytes, .left = frame.section[COUNTED].length};
    spar__archive items = {.loading = true, .in = frame.section[ITEMS].bytes, .left = frame.section[ITEMS].length};
    archive(state, &ar);
    status = spar__saved_close(&kind, &ar, err);
    if (!status)
        status = spar_session_load(frame.section[SESSION].bytes, frame.section[SESSION].length, &state->session, err);
    if (!status)
        status =
            spar_decision_load(frame.section[DECISION].bytes, frame.section[DECISION].length, &state->decision, err);
    spar_session_set_memory(state->session, SPAR__FOLD_REMEMBERS);
    if (!status && items.in) {
        spar__items_archive(&state->items, &items);
        status = spar__saved_close(&kind, &items, err);
    }
    if (!status && (spar_session_sequence(state->session) != state->sequence ||
                    spar_decision_options(state->decision) != state->n_options || state->n_open > state->screens))
        status = spar__fail(err, SPAR_CORRUPT, "a snapshot contradicts itself"); /* its parts do not agree */
    if (status)
        spar__fold_free(state);
    else
        *out = state;
    return status;
}
