/* Standings as a fold: options come and go, answers come in. */
#include "decide/standings.h"

#include "base/alloc.h"
#include "base/error.h"
#include "types/answer.h"

#include <math.h>
#include <string.h>

enum { MOST_SLOTS = 4096, NORMAL_DRAWS = 1000, CHAIN_DRAWS = 4000 };

void spar_standings_free(spar_standings *st)
{
    if (!st)
        return;
    void *const arrays[] = {st->live,       st->bad,    st->log.first, st->log.joined, st->log.times,
                            st->log.option, st->option, st->place,     st->level,      st->draw,
                            st->strength,   st->best,   st->loss,      st->group,      st->effect};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        spar__free(arrays[i]);
    spar__choices_fini(&st->list);
    spar__mode_free(&st->mode);
    spar__free(st);
}

/* Grows an array of objects; what has grown may stay so when the next one fails. */
static bool grow(void *array, size_t old, size_t room, size_t size)
{
    void *held;
    memcpy(&held, array, sizeof held);
    held = spar__realloc(held, old, room, size);
    if (held)
        memcpy(array, &held, sizeof held);
    return held != NULL;
}

static spar_status reserve_options(spar_standings *st, size_t n)
{
    size_t room = n < 2 * st->room ? 2 * st->room : n;
    if (n <= st->room)
        return SPAR_OK;
    if (!grow(&st->live, st->room, room, sizeof *st->live) || !grow(&st->bad, st->room, room, sizeof *st->bad))
        return SPAR_NOMEM;
    st->room = room;
    return SPAR_OK;
}

spar_status spar_standings_new(size_t options, spar_standings **out, spar_error *err)
{
    if (!SPAR__CLEAR(out))
        return spar__fail_null(err);
    if (options > UINT32_MAX / 2)
        return spar__fail(err, SPAR_INVALID, "%zu options, expected at most %u", options, UINT32_MAX / 2);
    spar_standings *st = spar__alloc(1, sizeof *st);
    if (!st || reserve_options(st, options + 1)) {
        spar_standings_free(st);
        return spar__fail_memory(err);
    }
    st->n = options;
    for (size_t i = 0; i < options; i++)
        st->live[i] = true;
    st->hash = spar__hash_start();
    st->leader = SPAR__NO_STANDING;
    *out = st;
    return SPAR_OK;
}

spar_status spar_standings_add(spar_standings *st, size_t *option, spar_error *err)
{
    if (!st)
        return spar__fail_null(err);
    if (st->n >= UINT32_MAX / 2 || reserve_options(st, st->n + 1))
        return spar__fail_memory(err);
    if (option)
        *option = st->n;
    st->bad[st->n] = 0;
    st->live[st->n++] = true;
    return SPAR_OK;
}

spar_status spar_standings_retire(spar_standings *st, size_t option, spar_error *err)
{
    if (!st)
        return spar__fail_null(err);
    if (option >= st->n)
        return spar__fail(err, SPAR_INVALID, "option %zu is retired, but there are %zu", option, st->n);
    st->live[option] = false;
    return SPAR_OK;
}

void spar_standings_set_method(spar_standings *st, spar_standings_method method)
{
    if (!st)
        return;
    st->method = method;
}

spar_status spar_standings_set_sd(spar_standings *st, double sd, spar_error *err)
{
    if (!st)
        return spar__fail_null(err);
    if (!(sd >= 0))
        return spar__fail(err, SPAR_INVALID, "the standard deviation of strengths is %g, expected 0 or more", sd);
    st->sd = sd;
    return SPAR_OK;
}

void spar_standings_set_places(spar_standings *st, int on)
{
    if (!st)
        return;
    st->flat_places = !on;
}

void spar_standings_set_half_ties(spar_standings *st, int half)
{
    if (!st)
        return;
    st->half_ties = half;
}

static spar_status reserve_slots(spar_standings *st, size_t m)
{
    if (m <= st->slots_room)
        return SPAR_OK;
    if (!grow(&st->option, st->slots_room, m, sizeof *st->option) ||
        !grow(&st->place, st->slots_room, m, sizeof *st->place) ||
        !grow(&st->level, st->slots_room, m, sizeof *st->level))
        return SPAR_NOMEM;
    st->slots_room = m;
    return SPAR_OK;
}

/* Room for `count` choices with so many alternatives in all. */
static spar_status reserve_log(spar__chosen_log *log, size_t count, size_t slots)
{
    size_t room = log->n + count < 2 * log->room ? 2 * log->room : log->n + count;
    size_t slot_room = log->slots + slots < 2 * log->slot_room ? 2 * log->slot_room : log->slots + slots;
    if (!log->first || log->n + count > log->room) {
        if (!grow(&log->first, log->first ? log->room + 1 : 0, room + 1, sizeof *log->first) ||
            !grow(&log->joined, log->room, room, sizeof *log->joined) ||
            !grow(&log->times, log->room, room, sizeof *log->times))
            return SPAR_NOMEM;
        log->room = room;
    }
    if (log->slots + slots > log->slot_room) {
        if (!grow(&log->option, log->slot_room, slot_room, sizeof *log->option))
            return SPAR_NOMEM;
        log->slot_room = slot_room;
    }
    return SPAR_OK;
}

static spar_status reserve_answer(spar_standings *st, size_t m, const spar_answer *answer)
{
    bool pairs = answer->kind == SPAR_ANSWER_PAIRS;
    size_t count = pairs ? answer->n : 1, width = pairs ? 2 : m, half = m * (m - 1) / 2;
    spar_status status = reserve_slots(st, m);
    if (!status)
        status = spar__choices_reserve(&st->list, width, 2 * count);
    if (!status && answer->kind == SPAR_ANSWER_TIE && st->half_ties)
        status = spar__choices_reserve(&st->list, 2, 2 * half);
    return status ? status : reserve_log(&st->log, count * width, count * width * (width + 1) / 2);
}

static void log_choice(spar__chosen_log *log, const spar__choice_answer *c, const uint32_t *option, size_t slot,
                       double times)
{
    size_t from = log->slots;
    log->option[log->slots++] = option[slot];
    for (size_t j = 0; j < c->m; j++)
        if (j != slot && c->level[j] > c->level[slot])
            log->option[log->slots++] = option[j];
    if (log->slots - from < 2) {
        log->slots = from;
        return;
    }
    log->first[log->n] = from;
    log->times[log->n++] = times;
    log->first[log->n] = log->slots;
}

/* The choices of an answer that say who was before whom; ties are left out, and slots that are level are left out of
 * each other's choice. */
static void log_answer(spar__chosen_log *log, const spar__choice_answer *c, const uint32_t *option, double times)
{
    size_t begin = log->n;
    unsigned last = 0;
    if (c->kind == SPAR__CHOICE_TIE)
        return;
    for (size_t j = 0; j < c->m; j++)
        last = c->level[j] > last ? c->level[j] : last;
    for (unsigned level = 0; level < last; level++)
        for (size_t j = 0; j < c->m; j++)
            if (c->level[j] == level)
                log_choice(log, c, option, j, times);
    for (size_t i = begin; i < log->n; i++)
        log->joined[i] = i > begin;
}

static void add_half_ties(spar_standings *st, size_t m, const uint32_t *option, double times)
{
    static const unsigned first[2] = {0, 1};
    const spar__choice_answer pair = {SPAR__CHOICE_ORDER, 2, first, false};
    for (size_t j = 0; j < m; j++)
        for (size_t k = 0; k < m; k++)
            if (j != k)
                spar__choices_add(&st->list, &pair, (const uint32_t[]){option[j], option[k]}, NULL, times / 2, false);
}

/* One choice or order of n slots, with their levels. */
static void add_choice(spar_standings *st, spar__choice_answer *c, const uint32_t *option, const uint32_t *place,
                       double times)
{
    unsigned last = 0;
    for (size_t j = 0; j < c->m && c->kind == SPAR__CHOICE_ORDER; j++)
        last = c->level[j] > last ? c->level[j] : last;
    c->kind = last == 0 ? SPAR__CHOICE_TIE : c->kind; /* all level */
    c->may_tie = !st->half_ties && (c->may_tie || c->kind == SPAR__CHOICE_TIE);
    if (c->m < 2)
        return;
    if (c->kind == SPAR__CHOICE_TIE && st->half_ties) {
        add_half_ties(st, c->m, option, times);
        return;
    }
    st->ties |= c->may_tie;
    spar__choices_add(&st->list, c, option, place, times, false);
    log_answer(&st->log, c, option, times);
}

/* Each option once: in the slot of the lowest level, the first of several. Returns how many there are. */
static size_t keep_one_each(spar_standings *st, size_t m)
{
    size_t n = 0;
    for (size_t j = 0; j < m; j++) {
        size_t at = 0;
        while (at < n && st->option[at] != st->option[j])
            at++;
        if (at < n && st->level[at] <= st->level[j])
            continue;
        n += at == n;
        st->option[at] = st->option[j];
        st->place[at] = st->place[j];
        st->level[at] = st->level[j];
    }
    return n;
}

/* Levels from 0 without a gap. */
static void make_dense(size_t n, unsigned *level)
{
    for (unsigned next = 0; next < n; next++) {
        unsigned least = UINT32_MAX;
        for (size_t j = 0; j < n; j++)
            least = level[j] >= next && level[j] < least ? level[j] : least;
        for (size_t j = 0; j < n; j++)
            level[j] = level[j] == least ? next : level[j];
    }
}

static void add_order(spar_standings *st, size_t m, bool placed, const spar_answer *answer, bool may_tie, double times)
{
    bool winner = answer->kind == SPAR_ANSWER_WINNER;
    for (size_t j = 0; j < m; j++)
        st->level[j] = answer->kind == SPAR_ANSWER_TIE ? 0 : MOST_SLOTS;
    for (size_t i = 0; i < answer->n && answer->kind != SPAR_ANSWER_TIE; i++)
        st->level[answer->first[i]] = winner ? 0 : (unsigned)answer->second[i];
    size_t n = keep_one_each(st, m);
    make_dense(n, st->level);
    spar__choice_answer c = {SPAR__CHOICE_ORDER, n, st->level, may_tie};
    add_choice(st, &c, st->option, placed ? st->place : NULL, times);
}

static void add_pairs(spar_standings *st, bool placed, const spar_answer *answer, bool may_tie, double times)
{
    static const unsigned first[2] = {0, 1}, second[2] = {1, 0}, level[2] = {0, 0};
    for (size_t i = 0; i < answer->n; i++) {
        size_t j = answer->first[i], k = answer->second[i];
        unsigned char outcome = answer->outcome[i];
        if (st->option[j] == st->option[k])
            continue;
        spar__choice_answer c = {SPAR__CHOICE_ORDER, 2,
                                 outcome == SPAR_WIN    ? first
                                 : outcome == SPAR_LOSS ? second
                                                        : level,
                                 may_tie};
        add_choice(st, &c, (const uint32_t[]){st->option[j], st->option[k]},
                   placed ? (const uint32_t[]){st->place[j], st->place[k]} : NULL, times);
    }
}

static spar_status check_screen(const spar_standings *st, size_t m, const size_t *option, const size_t *place,
                                uint64_t times, spar_error *err)
{
    if (m < 2 || m > MOST_SLOTS)
        return spar__fail(err, SPAR_INVALID, "a screen with %zu slots, expected 2 to %d", m, MOST_SLOTS);
    if (times < 1 || times > (uint64_t)1 << 40)
        return spar__fail(err, SPAR_INVALID, "an answer that was given %llu times, expected 1 to 2^40",
                          (unsigned long long)times);
    for (size_t j = 0; j < m; j++) {
        if (option[j] >= st->n)
            return spar__fail(err, SPAR_INVALID, "slot %zu shows option %zu, but there are %zu", j, option[j], st->n);
        if (place && place[j] >= MOST_SLOTS)
            return spar__fail(err, SPAR_INVALID, "slot %zu is in place %zu, expected less than %d", j, place[j],
                              MOST_SLOTS);
    }
    return SPAR_OK;
}

/* What the chain's random numbers come from. */
static void hash_answer(spar_standings *st, size_t m, const size_t *place, const spar_answer *answer, bool may_tie,
                        uint64_t times)
{
    uint64_t word[6] = {m, place != NULL, (uint64_t)answer->kind, answer->n, may_tie, times};
    spar__hash_add(&st->hash, word, sizeof word);
    spar__hash_add(&st->hash, st->option, m * sizeof *st->option);
    spar__hash_add(&st->hash, st->place, m * sizeof *st->place);
    for (size_t i = 0; i < answer->n; i++) {
        uint64_t part[3] = {answer->first[i], answer->kind == SPAR_ANSWER_WINNER ? 0 : answer->second[i],
                            answer->kind == SPAR_ANSWER_PAIRS ? answer->outcome[i] : 0};
        spar__hash_add(&st->hash, part, sizeof part);
    }
}

spar_status spar_standings_answer(spar_standings *st, size_t m, const size_t *option, const size_t *place,
                                  const spar_answer *answer, int may_tie, uint64_t times, spar_error *err)
{
    if (!st || (m && !option) || !answer)
        return spar__fail_null(err);
    spar_status status = check_screen(st, m, option, place, times, err);
    if (!status)
        status = spar_answer_check(answer, m, err);
    if (status)
        return status;
    if (reserve_answer(st, m, answer))
        return spar__fail_memory(err);
    for (size_t j = 0; j < m; j++) {
        st->option[j] = (uint32_t)option[j];
        st->place[j] = place && !st->flat_places ? (uint32_t)place[j] : 0;
        st->places = place && !st->flat_places && place[j] + 1 > st->places ? place[j] + 1 : st->places;
        st->bad[option[j]] += answer->kind == SPAR_ANSWER_BAD ? times : 0;
    }
    st->all_bad += answer->kind == SPAR_ANSWER_BAD ? times : 0;
    if (answer->kind == SPAR_ANSWER_BAD || answer->kind == SPAR_ANSWER_SKIP)
        return SPAR_OK;
    hash_answer(st, m, place, answer, may_tie, times);
    st->answers += times;
    st->tied += answer->kind == SPAR_ANSWER_TIE ? times : 0;
    bool placed = place && !st->flat_places;
    if (answer->kind == SPAR_ANSWER_PAIRS)
        add_pairs(st, placed, answer, may_tie, (double)times);
    else
        add_order(st, m, placed, answer, may_tie, (double)times);
    return SPAR_OK;
}

static void forget_result(spar_standings *st)
{
    st->computed = false;
    st->leader = SPAR__NO_STANDING;
}

spar_status spar_standings_compute(spar_standings *st, spar_error *err)
{
    if (!st)
        return spar__fail_null(err);
    forget_result(st);
    st->space = (spar__choice_space){st->n, st->places, st->ties};
    bool flat = isinf(st->sd), many = st->n > SPAR__STANDINGS_SAMPLED;
    st->approximate = flat || st->method == SPAR_STANDINGS_APPROXIMATE || (st->method == SPAR_STANDINGS_AUTO && many);
    st->computed_n = st->n;
    spar_rng rng;
    spar_rng_seed(&rng, spar__hash_end(&st->hash), st->n, 0x57a2d1);
    spar_status status = spar__mode_reserve(st);
    if (!status)
        status = st->sd > 0 ? spar__mode_find(st, st->sd) : spar__mode_find_sd(st);
    if (status == SPAR_UNSUPPORTED)
        return spar__fail(
            err, status,
            "the answers leave strengths without a bound (an option, or several of them, wins or loses all "
            "comparisons with the others): a flat prior has no estimate");
    if (!status)
        status = spar__draws_reserve(st, st->approximate ? NORMAL_DRAWS : CHAIN_DRAWS);
    if (!status && st->approximate)
        spar__normal_run(st, &rng, NORMAL_DRAWS);
    else if (!status)
        status = spar__chain_run(st, &rng);
    if (!status)
        status = spar__standings_summarize(st);
    st->computed = !status;
    return status ? spar__fail_memory(err) : SPAR_OK;
}
