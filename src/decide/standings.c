/* standings.c - standings as a fold: options come and go, answers come in; and whether one scale fits them.
 *
 * An answer costs O(m^2) for m slots; what follows from all of them is computed in standings_posterior.c. */
#include "base/alloc.h"
#include "decide/decide.h"
#include "num/elementary.h"
#include "num/special.h"
#include "types/answer.h"

#include <math.h>
#include <string.h>

enum { MOST_SLOTS = 4096 };

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

bool spar__standings_grow(void *array, size_t old, size_t room, size_t size)
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
    if (!spar__standings_grow(&st->live, st->room, room, sizeof *st->live) ||
        !spar__standings_grow(&st->bad, st->room, room, sizeof *st->bad))
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
    if (st)
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
    if (st)
        st->flat_places = !on;
}

void spar_standings_set_half_ties(spar_standings *st, int half)
{
    if (st)
        st->half_ties = half;
}

/* Room for `count` choices with so many alternatives in all. */
static spar_status reserve_log(spar__chosen_log *log, size_t count, size_t slots)
{
    size_t room = log->n + count < 2 * log->room ? 2 * log->room : log->n + count;
    size_t slot_room = log->slots + slots < 2 * log->slot_room ? 2 * log->slot_room : log->slots + slots;
    if (!log->first || log->n + count > log->room) {
        if (!spar__standings_grow(&log->first, log->first ? log->room + 1 : 0, room + 1, sizeof *log->first) ||
            !spar__standings_grow(&log->joined, log->room, room, sizeof *log->joined) ||
            !spar__standings_grow(&log->times, log->room, room, sizeof *log->times))
            return SPAR_NOMEM;
        log->room = room;
    }
    if (log->slots + slots > log->slot_room) {
        if (!spar__standings_grow(&log->option, log->slot_room, slot_room, sizeof *log->option))
            return SPAR_NOMEM;
        log->slot_room = slot_room;
    }
    return SPAR_OK;
}

static spar_status reserve_answer(spar_standings *st, size_t m, const spar_answer *answer)
{
    bool pairs = answer->kind == SPAR_ANSWER_PAIRS;
    size_t count = pairs ? answer->n : 1, width = pairs ? 2 : m, half = m * (m - 1) / 2;
    if (m > st->slots_room && (!spar__standings_grow(&st->option, st->slots_room, m, sizeof *st->option) ||
                               !spar__standings_grow(&st->place, st->slots_room, m, sizeof *st->place) ||
                               !spar__standings_grow(&st->level, st->slots_room, m, sizeof *st->level)))
        return SPAR_NOMEM;
    st->slots_room = m > st->slots_room ? m : st->slots_room;
    spar_status status = spar__choices_reserve(&st->list, width, 2 * count);
    if (!status && answer->kind == SPAR_ANSWER_TIE && st->half_ties)
        status = spar__choices_reserve(&st->list, 2, 2 * half);
    return status ? status : reserve_log(&st->log, count * width, count * width * (width + 1) / 2);
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
            if (c->level[j] == level) {
                size_t from = log->slots;
                log->option[log->slots++] = option[j];
                for (size_t k = 0; k < c->m; k++)
                    if (k != j && c->level[k] > c->level[j])
                        log->option[log->slots++] = option[k];
                if (log->slots - from < 2) {
                    log->slots = from;
                    continue;
                }
                log->first[log->n] = from;
                log->times[log->n++] = times;
                log->first[log->n] = log->slots;
            }
    for (size_t i = begin; i < log->n; i++)
        log->joined[i] = i > begin;
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
        static const unsigned first[2] = {0, 1};
        const spar__choice_answer pair = {SPAR__CHOICE_ORDER, 2, first, false};
        for (size_t j = 0; j < c->m; j++)
            for (size_t k = 0; k < c->m; k++)
                if (j != k)
                    spar__choices_add(&st->list, &pair, (const uint32_t[]){option[j], option[k]}, NULL, times / 2,
                                      false);
        return;
    }
    st->ties |= c->may_tie;
    spar__choices_add(&st->list, c, option, place, times, false);
    log_answer(&st->log, c, option, times);
}

static void add_order(spar_standings *st, size_t m, bool placed, const spar_answer *answer, bool may_tie, double times)
{
    bool winner = answer->kind == SPAR_ANSWER_WINNER;
    for (size_t j = 0; j < m; j++)
        st->level[j] = answer->kind == SPAR_ANSWER_TIE ? 0 : MOST_SLOTS;
    for (size_t i = 0; i < answer->n && answer->kind != SPAR_ANSWER_TIE; i++)
        st->level[answer->first[i]] = winner ? 0 : (unsigned)answer->second[i];
    /* Each option once: in the slot of the lowest level, the first of several. Returns how many there are. */
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
    /* Levels from 0 without a gap. */
    unsigned *level = st->level;
    for (unsigned next = 0; next < n; next++) {
        unsigned least = UINT32_MAX;
        for (size_t j = 0; j < n; j++)
            least = level[j] >= next && level[j] < least ? level[j] : least;
        for (size_t j = 0; j < n; j++)
            level[j] = level[j] == least ? next : level[j];
    }
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

spar_status spar_standings_answer(spar_standings *st, size_t m, const size_t *option, const size_t *place,
                                  const spar_answer *answer, int may_tie, uint64_t times, spar_error *err)
{
    if (!st || (m && !option) || !answer)
        return spar__fail_null(err);
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
    spar_status status = spar_answer_check(answer, m, err);
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
    /* What the chain's random numbers come from. */
    uint64_t word[6] = {m, place != NULL, (uint64_t)answer->kind, answer->n, may_tie != 0, times};
    spar__hash_add(&st->hash, word, sizeof word);
    spar__hash_add(&st->hash, st->option, m * sizeof *st->option);
    spar__hash_add(&st->hash, st->place, m * sizeof *st->place);
    for (size_t i = 0; i < answer->n; i++) {
        uint64_t part[3] = {answer->first[i], answer->kind == SPAR_ANSWER_WINNER ? 0 : answer->second[i],
                            answer->kind == SPAR_ANSWER_PAIRS ? answer->outcome[i] : 0};
        spar__hash_add(&st->hash, part, sizeof part);
    }
    st->answers += times;
    st->tied += answer->kind == SPAR_ANSWER_TIE ? times : 0;
    bool placed = place && !st->flat_places;
    if (answer->kind == SPAR_ANSWER_PAIRS)
        add_pairs(st, placed, answer, may_tie, (double)times);
    else
        add_order(st, m, placed, answer, may_tie, (double)times);
    return SPAR_OK;
}

/* --- Does one scale fit? An e-process against all laws of Plackett and Luce at once ---
 *
 *     evidence = prod over the choices of q(w | A) / sup over theta of prod exp(theta_w) / sum_A exp(theta)
 *     q(w | A) = prod_{j != w} k_wj / sum_{v in A} prod_{j != v} k_vj,   k_vj = (v before j + 1/2) / (all of the two +
 * 1)
 *
 * k is made from the screens before, so q is a law of the choice that was fixed before the answer: whatever the
 * strengths are, the evidence is at most a nonnegative martingale that starts at 1. Ties are left out. The supremum is
 * taken with strengths of standard deviation 1000, which is within 1e-3 of it. Cost: m^2 a choice, and one search for
 * the mode. */

static const double wide_sd = 1000;

/* How often the first of two options was chosen while the second was there. */
typedef struct pair_wins {
    spar__key_table key; /* (a, b), a < b */
    double *won;         /* two a key: a before b, b before a */
    size_t room;
} pair_wins;

static double *wins_of(const pair_wins *wins, uint32_t first, uint32_t second)
{
    size_t at = first < second ? spar__key_find(&wins->key, first, second) : spar__key_find(&wins->key, second, first);
    return at == SPAR__NO_KEY ? NULL : &wins->won[2 * at + (first > second)];
}

static double count_of(const pair_wins *wins, uint32_t first, uint32_t second)
{
    const double *won = wins_of(wins, first, second);
    return won ? *won : 0;
}

static spar_status add_wins(pair_wins *wins, size_t n, const uint32_t *option, double times)
{
    if (spar__key_table_reserve(&wins->key, n))
        return SPAR_NOMEM;
    if (wins->key.n + n > wins->room) {
        size_t room = 2 * (wins->key.n + n);
        double *won = spar__realloc(wins->won, 2 * wins->room, 2 * room, sizeof *won);
        if (!won)
            return SPAR_NOMEM;
        wins->won = won;
        wins->room = room;
    }
    for (size_t j = 1; j < n; j++) {
        if (option[j] == option[0])
            continue;
        bool rising = option[0] < option[j];
        (void)spar__key_get(&wins->key, option[rising ? 0 : j], option[rising ? j : 0]);
        *wins_of(wins, option[0], option[j]) += times;
    }
    return SPAR_OK;
}

/* log q of the first, as often as it was chosen. score has a place for each. */
static double log_bet_of(const spar__chosen_log *log, size_t i, bool alone, const pair_wins *wins, double *score)
{
    const uint32_t *option = log->option + log->first[i];
    size_t n = log->first[i + 1] - log->first[i];
    double times = log->times[i];
    if (n == 2 && alone && times > 1) {
        /* A choice between two that was made several times: after each, the next bet knows it. In what order such
         * choices come does not matter to their product. */
        double won = count_of(wins, option[0], option[1]), all = won + count_of(wins, option[1], option[0]);
        return spar__lgamma(won + times + 0.5) - spar__lgamma(won + 0.5) - spar__lgamma(all + times + 1) +
               spar__lgamma(all + 1);
    }
    for (size_t v = 0; v < n; v++) {
        score[v] = 0;
        for (size_t j = 0; j < n; j++) {
            if (j == v)
                continue;
            double won = count_of(wins, option[v], option[j]), lost = count_of(wins, option[j], option[v]);
            score[v] += spar__log((won + 0.5) / (won + lost + 1));
        }
    }
    double mine = score[0];
    return times * (mine - spar__choice_shares(n, score, score));
}

static size_t widest(const spar__chosen_log *log)
{
    size_t most = 2;
    for (size_t i = 0; i < log->n; i++)
        most = log->first[i + 1] - log->first[i] > most ? log->first[i + 1] - log->first[i] : most;
    return most;
}

/* The denominator. */
static spar_status log_supremum(const spar__chosen_log *log, size_t options, double *value)
{
    spar_standings *wide = NULL;
    size_t most = widest(log);
    unsigned *level = spar__alloc(most, sizeof *level);
    spar_status status = level ? spar_standings_new(options, &wide, NULL) : SPAR_NOMEM;
    for (size_t j = 1; !status && j < most; j++)
        level[j] = 1;
    for (size_t i = 0; !status && i < log->n; i++) {
        spar__choice_answer c = {SPAR__CHOICE_ORDER, log->first[i + 1] - log->first[i], level, false};
        status = spar__choices_reserve(&wide->list, c.m, 1);
        if (!status)
            spar__choices_add(&wide->list, &c, log->option + log->first[i], NULL, log->times[i], false);
    }
    if (!status) {
        wide->space = (spar__choice_space){options, 0, false};
        status = spar__mode_reserve(wide);
    }
    if (!status) {
        (void)spar__mode_find(wide, wide_sd);
        *value = spar__choices_value(&wide->list, &wide->space, wide->mode.at);
    }
    spar_standings_free(wide);
    spar__free(level);
    return status;
}

/* Who is before whom more often: the search for a circle at the top. */
typedef struct majority {
    const pair_wins *wins;
    size_t n;
    size_t *from, *queue; /* the step before, SPAR__NO_STANDING; who was reached, in order */
} majority;

static bool beats(const majority *g, size_t a, size_t b)
{
    return a != b && count_of(g->wins, (uint32_t)a, (uint32_t)b) > count_of(g->wins, (uint32_t)b, (uint32_t)a);
}

/* All that can be reached from an option; returns how many. With `back`, stops at one that beats it and says which. */
static size_t reach(majority *g, size_t start, size_t *back)
{
    size_t count = 1;
    for (size_t k = 0; k < g->n; k++)
        g->from[k] = SPAR__NO_STANDING;
    g->queue[0] = start;
    g->from[start] = start;
    for (size_t i = 0; i < count; i++) {
        if (back && beats(g, g->queue[i], start)) {
            *back = g->queue[i];
            return count;
        }
        for (size_t k = 0; k < g->n; k++)
            if (g->from[k] == SPAR__NO_STANDING && beats(g, g->queue[i], k)) {
                g->from[k] = g->queue[i];
                g->queue[count++] = k;
            }
    }
    return count;
}

/* The shortest circle through the option from which most others are reached. */
static size_t find_cycle(majority *g, size_t most, size_t *cycle)
{
    size_t top = 0, far = 0, last = SPAR__NO_STANDING, n = 0;
    for (size_t k = 0; k < g->n; k++) {
        size_t count = reach(g, k, NULL);
        top = count > far ? k : top;
        far = count > far ? count : far;
    }
    if (g->n < 3)
        return 0;
    (void)reach(g, top, &last);
    if (last == SPAR__NO_STANDING)
        return 0;
    for (size_t at = last; at != top; at = g->from[at])
        n++;
    n++;
    for (size_t at = last, k = n; k-- > 0; at = g->from[at])
        if (k < most)
            cycle[k] = at;
    return n;
}

spar_status spar_standings_scale(spar_standings *st, double *log_evidence, size_t most, size_t *cycle, size_t *n,
                                 spar_error *err)
{
    if (!st || !log_evidence || (most && !cycle) || !n)
        return spar__fail_null(err);
    pair_wins wins = {0};
    double bets = 0, supremum = 0, *score = spar__alloc(widest(&st->log), sizeof *score);
    majority g = {&wins, st->n, spar__alloc(st->n, sizeof *g.from), spar__alloc(st->n, sizeof *g.queue)};
    /* The numerator; the wins of a screen count after it. */
    spar_status status = score && g.from && g.queue ? SPAR_OK : SPAR_NOMEM;
    const spar__chosen_log *log = &st->log;
    for (size_t i = 0; !status && i < log->n;) {
        size_t end = i + 1;
        while (end < log->n && log->joined[end])
            end++;
        for (size_t k = i; k < end; k++)
            bets += log_bet_of(log, k, end == i + 1, &wins, score);
        for (size_t k = i; !status && k < end; k++)
            status = add_wins(&wins, log->first[k + 1] - log->first[k], log->option + log->first[k], log->times[k]);
        i = end;
    }
    if (!status)
        status = log_supremum(&st->log, st->n, &supremum);
    if (!status) {
        *log_evidence = bets - supremum;
        *n = find_cycle(&g, most, cycle);
    }
    spar__free(score);
    spar__free(g.from);
    spar__free(g.queue);
    spar__key_table_fini(&wins.key);
    spar__free(wins.won);
    return status ? spar__fail_memory(err) : SPAR_OK;
}
