/* Does one scale fit? An e-process against all laws of Plackett and Luce at once.
 *
 *     evidence = prod over the choices of q(w | A) / sup over theta of prod exp(theta_w) / sum_A exp(theta)
 *     q(w | A) = prod_{j != w} k_wj / sum_{v in A} prod_{j != v} k_vj,   k_vj = (v before j + 1/2) / (all of the two +
 * 1)
 *
 * k is made from the screens before, so q is a law of the choice that was fixed before the answer: whatever the
 * strengths are, the evidence is at most a nonnegative martingale that starts at 1. Ties are left out. The supremum is
 * taken with strengths of standard deviation 1000, which is within 1e-3 of it. Cost: m^2 a choice, and one search for
 * the mode. */
#include "decide/standings.h"

#include "base/alloc.h"
#include "base/error.h"
#include "num/elementary.h"
#include "num/special.h"

#include <math.h>
#include <string.h>

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
        if (option[0] < option[j])
            (void)spar__key_get(&wins->key, option[0], option[j]);
        else
            (void)spar__key_get(&wins->key, option[j], option[0]);
        *wins_of(wins, option[0], option[j]) += times;
    }
    return SPAR_OK;
}

/* log q of the first. score has n places. */
static double log_bet(const pair_wins *wins, size_t n, const uint32_t *option, double *score)
{
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
    return mine - spar__choice_shares(n, score, score);
}

/* The same for a choice between two that was made several times: after each, the next bet knows it. In what order such
 * choices come does not matter to their product. */
static double log_bet_again(const pair_wins *wins, const uint32_t *option, double times)
{
    double won = count_of(wins, option[0], option[1]), all = won + count_of(wins, option[1], option[0]);
    return spar__lgamma(won + times + 0.5) - spar__lgamma(won + 0.5) - spar__lgamma(all + times + 1) +
           spar__lgamma(all + 1);
}

static double log_bet_of(const spar__chosen_log *log, size_t i, bool alone, const pair_wins *wins, double *score)
{
    const uint32_t *option = log->option + log->first[i];
    size_t n = log->first[i + 1] - log->first[i];
    if (n == 2 && alone && log->times[i] > 1)
        return log_bet_again(wins, option, log->times[i]);
    return log->times[i] * log_bet(wins, n, option, score);
}

/* The numerator; the wins of a screen count after it. */
static spar_status log_bets(const spar__chosen_log *log, pair_wins *wins, double *score, double *value)
{
    spar_status status = SPAR_OK;
    *value = 0;
    for (size_t i = 0; !status && i < log->n;) {
        size_t end = i + 1;
        while (end < log->n && log->joined[end])
            end++;
        for (size_t k = i; k < end; k++)
            *value += log_bet_of(log, k, end == i + 1, wins, score);
        for (size_t k = i; !status && k < end; k++)
            status = add_wins(wins, log->first[k + 1] - log->first[k], log->option + log->first[k], log->times[k]);
        i = end;
    }
    return status;
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
    spar_status status = score && g.from && g.queue ? log_bets(&st->log, &wins, score, &bets) : SPAR_NOMEM;
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
