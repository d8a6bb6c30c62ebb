/* Team draft interleaving of lists A and B of equal length d, shown down to place d, has at most 2^(d/2) courses: a
 * coin for each turn of two documents. Most of them need not be told apart:
 *
 *     What is shown is always a start of A united with a start of B, so that the first documents not shown, A[i] and
 *     B[j], say what is. After a given number of turns, i says it alone.
 *     If A[i] and B[j] are different, both are shown whichever list begins: one course, two orders.
 *     If they are the same document, the list that begins adds it, and the other adds its next: two courses.
 *
 * For each i that can be reached, the law of the difference of credits among users who are still there is carried
 * along; users who have left after a click are put together in one law. A turn moves the difference by -1, 0 or 1 (one
 * document each), with probabilities that average over the orders: three numbers for those who stay and three for those
 * who leave. The cost is O(d) a turn for each i, and there seldom are more than a few. */
#include "rank/comparison.h"

#include "base/alloc.h"

#include <string.h>

enum { DOCS = 1 << 16, NOWHERE = UINT16_MAX };

typedef struct exact_state {
    size_t i, j;
    double *law; /* difference k at [middle + k] */
} exact_state;

struct spar__exact {
    const spar__click *click;
    const uint8_t *grade;
    size_t depth, middle, width;
    const uint16_t *a, *b;
    uint16_t *rank_in_a; /* of every document; NOWHERE outside of a */
    uint16_t *a_in_b;    /* the rank in b of each document of a, and the other way round */
    uint16_t *b_in_a;
    exact_state *now, *next;
    size_t n_now, n_next;
    double *laws; /* all of them */
    double *left; /* the law of those who have left */
};

/* The steps of the difference in one turn, from -1 to 1, for those who stay and for those who leave in it. */
typedef struct exact_turn {
    double stay[3], leave[3];
} exact_turn;

spar_status spar__exact_new(const spar__click *click, size_t top, spar__exact **out)
{
    *out = NULL;
    spar__exact *x = spar__alloc(1, sizeof *x);
    if (!x)
        return SPAR_NOMEM;
    size_t turns = (top + 1) / 2, states = turns + 2;
    x->click = click;
    x->middle = turns + 1; /* one place more than is needed on either side */
    x->width = 2 * x->middle + 1;
    x->rank_in_a = spar__alloc(DOCS, sizeof *x->rank_in_a);
    x->a_in_b = spar__alloc(top, sizeof *x->a_in_b);
    x->b_in_a = spar__alloc(top, sizeof *x->b_in_a);
    x->now = spar__alloc(states, sizeof *x->now);
    x->next = spar__alloc(states, sizeof *x->next);
    x->laws = spar__alloc(2 * states + 1, x->width * sizeof *x->laws);
    if (!x->rank_in_a || !x->a_in_b || !x->b_in_a || !x->now || !x->next || !x->laws) {
        spar__exact_free(x);
        return SPAR_NOMEM;
    }
    memset(x->rank_in_a, 0xff, DOCS * sizeof *x->rank_in_a);
    for (size_t s = 0; s < states; s++) {
        x->now[s].law = x->laws + 2 * s * x->width;
        x->next[s].law = x->laws + (2 * s + 1) * x->width;
    }
    x->left = x->laws + 2 * states * x->width;
    *out = x;
    return SPAR_OK;
}

void spar__exact_free(spar__exact *x)
{
    if (!x)
        return;
    spar__free(x->rank_in_a);
    spar__free(x->a_in_b);
    spar__free(x->b_in_a);
    spar__free(x->now);
    spar__free(x->next);
    spar__free(x->laws);
    spar__free(x);
}

static void forget_first(spar__exact *x)
{
    for (size_t r = 0; x->a && r < x->depth; r++)
        x->rank_in_a[x->a[r]] = NOWHERE;
    x->a = NULL;
}

void spar__exact_query(spar__exact *x, const uint8_t *grade, size_t depth)
{
    forget_first(x);
    x->grade = grade;
    x->depth = depth;
}

void spar__exact_first(spar__exact *x, const uint16_t *list)
{
    forget_first(x);
    x->a = list;
    for (size_t r = 0; r < x->depth; r++)
        x->rank_in_a[list[r]] = (uint16_t)r;
}

/* The first documents not shown, from i and j on. */
static size_t next_of_a(const spar__exact *x, size_t i, size_t j)
{
    while (i < x->depth && x->a_in_b[i] < j)
        i++;
    return i;
}

static size_t next_of_b(const spar__exact *x, size_t i, size_t j)
{
    while (j < x->depth && x->b_in_a[j] < i)
        j++;
    return j;
}

/* The state of the next turn in which (i, j) are behind what is shown. */
static exact_state *reach(spar__exact *x, size_t i, size_t j)
{
    size_t ahead = next_of_a(x, i, j);
    for (size_t s = 0; s < x->n_next; s++)
        if (x->next[s].i == ahead)
            return &x->next[s];
    exact_state *s = &x->next[x->n_next++];
    s->i = ahead;
    s->j = next_of_b(x, ahead, j);
    memset(s->law, 0, x->width * sizeof *s->law);
    return s;
}

/* Adds one order of a turn: document `first` at the place, for the list that moves the difference by `sign`, then
 * document `second` for the other list. */
static void add_order(const spar__exact *x, exact_turn *t, size_t place, uint16_t first, int sign, uint16_t second)
{
    const spar__click *c = x->click;
    uint8_t g = x->grade[first], h = x->grade[second];
    double p = c->examine[place] * c->click[g], q = c->examine[place + 1] * c->click[h];
    double on = p * (1 - c->stop[g]), q_on = q * (1 - c->stop[h]), q_off = q * c->stop[h];
    t->stay[1 + sign] += 0.5 * on * (1 - q);
    t->stay[1] += 0.5 * ((1 - p) * (1 - q) + on * q_on);
    t->stay[1 - sign] += 0.5 * (1 - p) * q_on;
    t->leave[1 + sign] += 0.5 * p * c->stop[g];
    t->leave[1] += 0.5 * on * q_off;
    t->leave[1 - sign] += 0.5 * (1 - p) * q_off;
}

/* The same when only one document is left to show. */
static void add_last(const spar__exact *x, exact_turn *t, size_t place, uint16_t doc, int sign)
{
    const spar__click *c = x->click;
    uint8_t g = x->grade[doc];
    double p = c->examine[place] * c->click[g];
    t->stay[1 + sign] += 0.5 * p; /* leaving after the last place changes nothing */
    t->stay[1] += 0.5 * (1 - p);
}

/* to[k] += the law after the step, for differences of at most `most` after it. */
static void move(const spar__exact *x, const double step[3], const double *restrict from, double *restrict to,
                 size_t most)
{
    for (size_t k = x->middle - most; k <= x->middle + most; k++)
        to[k] += step[0] * from[k + 1] + step[1] * from[k] + step[2] * from[k - 1];
}

static void play(spar__exact *x, const exact_state *s, const exact_turn *t, size_t place, size_t i, size_t j)
{
    size_t most = place / 2 + 1;
    move(x, t->stay, s->law, reach(x, i, j)->law, most);
    if (t->leave[0] + t->leave[1] + t->leave[2] > 0)
        move(x, t->leave, s->law, x->left, most);
}

static void take_turn(spar__exact *x, const exact_state *s, size_t place)
{
    size_t i = s->i, j = s->j;
    uint16_t a = x->a[i], b = x->b[j];
    exact_turn t = {{0}, {0}};
    if (place + 1 == x->depth) {
        add_last(x, &t, place, a, 1);
        add_last(x, &t, place, b, -1);
        play(x, s, &t, place, i, j);
    } else if (a != b) {
        add_order(x, &t, place, a, 1, b);
        add_order(x, &t, place, b, -1, a);
        play(x, s, &t, place, i + 1, j + 1);
    } else {
        size_t other = next_of_b(x, i + 1, j + 1);
        add_order(x, &t, place, a, 1, x->b[other]);
        play(x, s, &t, place, i + 1, other + 1);
        other = next_of_a(x, i + 1, j + 1);
        t = (exact_turn){{0}, {0}};
        add_order(x, &t, place, b, -1, x->a[other]);
        play(x, s, &t, place, other + 1, j + 1);
    }
}

static void add_up(const spar__exact *x, const double *law, spar__duel_odds *out)
{
    for (size_t k = 1; k < x->middle; k++) {
        out->win += law[x->middle + k];
        out->loss += law[x->middle - k];
    }
    out->tie += law[x->middle];
}

spar__duel_odds spar__exact_second(spar__exact *x, const uint16_t *list)
{
    if (x->depth < 2) /* one of the two adds no document, and the comparison is missing */
        return (spar__duel_odds){.tie = 1};
    x->b = list;
    memset(x->a_in_b, 0xff, x->depth * sizeof *x->a_in_b);
    for (size_t r = 0; r < x->depth; r++) {
        uint16_t other = x->b_in_a[r] = x->rank_in_a[list[r]];
        if (other != NOWHERE)
            x->a_in_b[other] = (uint16_t)r;
    }
    memset(x->left, 0, x->width * sizeof *x->left);
    memset(x->now[0].law, 0, x->width * sizeof *x->now[0].law);
    x->now[0].law[x->middle] = 1;
    x->now[0].i = x->now[0].j = 0;
    x->n_now = 1;
    for (size_t place = 0; place < x->depth; place += 2) {
        x->n_next = 0;
        for (size_t s = 0; s < x->n_now; s++)
            take_turn(x, &x->now[s], place);
        exact_state *swap = x->now;
        x->now = x->next;
        x->next = swap;
        x->n_now = x->n_next;
    }
    spar__duel_odds out = {0};
    add_up(x, x->left, &out);
    for (size_t s = 0; s < x->n_now; s++)
        add_up(x, x->now[s].law, &out);
    if (memcmp(x->a, list, x->depth * sizeof *list) == 0) /* equal lists are exactly equal */
        out.win = out.loss = (out.win + out.loss) / 2;
    return out;
}
