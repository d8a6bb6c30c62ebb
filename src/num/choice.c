/* choice.c - the law of one choice: value, gradient and curvature in O(m^2) for m alternatives. */
#include "num/choice.h"

#include "num/elementary.h"

#include <string.h>

enum { WIDE = SPAR__CHOICE_ORDERS + 1, STATES = 1 << SPAR__CHOICE_ORDERS };

double spar__choice_shares(size_t n, const double *u, double *share)
{
    double top = u[0], sum = 0;
    for (size_t j = 1; j < n; j++)
        top = u[j] > top ? u[j] : top;
    for (size_t j = 0; j < n; j++) {
        share[j] = spar__exp(u[j] - top);
        sum += share[j];
    }
    for (size_t j = 0; j < n; j++)
        share[j] /= sum;
    return top + spar__log(sum);
}

/* The answer being worked on, and where its derivatives go. */
typedef struct worker {
    const spar__choice_answer *choice;
    const double *u;
    double *gradient, *curvature; /* or NULL */
    double *in, *share;           /* utilities and shares of the alternatives of a stage */
    double *left;                 /* 1 for each alternative still there, and for the tie until the first choice */
} worker;

/* The shares of the alternatives that are left, 0 for the others; sign -1 for the choice of a worst. Returns the
 * logarithm of the sum. */
static double find_shares(const worker *w, double sign)
{
    size_t n = 0, width = w->choice->m + 1;
    for (size_t j = 0; j < width; j++)
        if (w->left[j] > 0)
            w->in[n++] = sign * w->u[j];
    double sum = spar__choice_shares(n, w->in, w->in);
    for (size_t j = n = 0; j < width; j++)
        w->share[j] = w->left[j] > 0 ? w->in[n++] : 0;
    return sum;
}

/* One choice from what is left. */
static double choose_slot(const worker *w, size_t slot, double sign)
{
    size_t width = w->choice->m + 1;
    double value = sign * w->u[slot] - find_shares(w, sign);
    if (w->gradient) {
        w->gradient[slot] += sign;
        for (size_t j = 0; j < width; j++)
            w->gradient[j] -= sign * w->share[j];
    }
    for (size_t j = 0; w->curvature && j < width; j++) {
        w->curvature[j * width + j] += w->share[j];
        for (size_t k = 0; k < width; k++)
            w->curvature[j * width + k] -= w->share[j] * w->share[k];
    }
    return value;
}

/* The sum over the orders of a level, by what of it is already chosen: a set of slots, as bits. For the orders that
 * lead there: the logarithm of their probability, the mean of the gradient g, and of g g' less the curvature. */
typedef struct orders {
    double value, gradient[WIDE], second[WIDE * WIDE];
} orders;

/* Goes from `from` to the set with one slot more, with weight `part` of all that lead there. */
static void lead(const worker *w, const orders *from, size_t slot, double part, orders *to)
{
    size_t width = w->choice->m + 1;
    double step[WIDE];
    for (size_t j = 0; j < width; j++)
        step[j] = (j == slot) - w->share[j];
    for (size_t j = 0; j < width; j++) {
        to->gradient[j] += part * (from->gradient[j] + step[j]);
        for (size_t k = 0; k < width; k++)
            to->second[j * width + k] +=
                part * (from->second[j * width + k] + from->gradient[j] * step[k] + step[j] * from->gradient[k] +
                        step[j] * step[k] + w->share[j] * w->share[k] - (j == k) * w->share[j]);
    }
}

static void set_left(const worker *w, size_t set, size_t n, const size_t *slot, bool tie)
{
    for (size_t i = 0; i < n; i++)
        w->left[slot[i]] = !(set >> i & 1);
    w->left[w->choice->m] = tie && set == 0;
}

static double all_orders(const worker *w, size_t n, const size_t *slot)
{
    orders state[STATES];
    double sums[STATES], shares[STATES][WIDE];
    size_t width = w->choice->m + 1, whole = ((size_t)1 << n) - 1;
    bool tie = w->left[w->choice->m] > 0;
    for (size_t set = 0; set <= whole; set++) {
        double part[WIDE] = {0}; /* the probability of coming here through each of its slots, as a share of all */
        size_t parts = 0;
        state[set] = (orders){0};
        for (size_t i = 0; i < n; i++)
            if (set >> i & 1) {
                size_t from = set ^ (size_t)1 << i;
                part[parts++] = state[from].value + w->u[slot[i]] - sums[from];
            }
        state[set].value = set ? spar__choice_shares(parts, part, part) : 0;
        for (size_t i = 0, count = 0; i < n; i++)
            if (set >> i & 1) {
                size_t from = set ^ (size_t)1 << i;
                memcpy(w->share, shares[from], width * sizeof *w->share);
                lead(w, &state[from], slot[i], part[count++], &state[set]);
            }
        if (set == whole)
            break;
        set_left(w, set, n, slot, tie);
        sums[set] = find_shares(w, 1);
        memcpy(shares[set], w->share, width * sizeof *w->share);
    }
    for (size_t j = 0; w->gradient && j < width; j++)
        w->gradient[j] += state[whole].gradient[j];
    for (size_t j = 0; w->curvature && j < width * width; j++)
        w->curvature[j] += state[whole].gradient[j / width] * state[whole].gradient[j % width] - state[whole].second[j];
    set_left(w, whole, n, slot, false);
    return state[whole].value;
}

/* Each of several slots of a level from what is left without the others. */
static double without_each_other(const worker *w, unsigned level)
{
    const spar__choice_answer *c = w->choice;
    double value = 0;
    bool tie = w->left[c->m] > 0;
    for (size_t slot = 0; slot < c->m; slot++) {
        if (c->level[slot] != level)
            continue;
        for (size_t j = 0; j < c->m; j++)
            w->left[j] = c->level[j] > level || j == slot;
        w->left[c->m] = tie;
        value += choose_slot(w, slot, 1);
        tie = false;
    }
    for (size_t j = 0; j < c->m; j++)
        w->left[j] = c->level[j] > level;
    w->left[c->m] = 0;
    return value;
}

/* The choices of one level; the slots of no later level are left afterwards. */
static double choose_level(const worker *w, unsigned level)
{
    const spar__choice_answer *c = w->choice;
    size_t n = 0, slot[SPAR__CHOICE_ORDERS], first = 0;
    for (size_t j = 0; j < c->m; j++)
        if (c->level[j] == level) {
            if (n < SPAR__CHOICE_ORDERS)
                slot[n] = j;
            first = n++ ? first : j;
        }
    if (n > 1)
        return c->m > SPAR__CHOICE_ORDERS ? without_each_other(w, level) : all_orders(w, n, slot);
    double value = choose_slot(w, first, 1);
    w->left[first] = w->left[c->m] = 0;
    return value;
}

double spar__choice_value(const spar__choice_answer *c, const double *u, double *gradient, double *curvature,
                          double *work)
{
    size_t width = c->m + 1;
    worker w = {c, u, gradient, curvature, work, work + width, work + 2 * width};
    if (gradient)
        memset(gradient, 0, width * sizeof *gradient);
    if (curvature)
        memset(curvature, 0, width * width * sizeof *curvature);
    for (size_t j = 0; j < c->m; j++)
        w.left[j] = 1;
    w.left[c->m] = c->may_tie || c->kind == SPAR__CHOICE_TIE;
    if (c->kind == SPAR__CHOICE_TIE)
        return choose_slot(&w, c->m, 1);
    bool worst = c->kind == SPAR__CHOICE_BEST_WORST;
    unsigned last = worst;
    double value = 0;
    for (size_t j = 0; !worst && j < c->m; j++)
        last = c->level[j] > last ? c->level[j] : last;
    for (unsigned level = 0; level < last; level++)
        value += choose_level(&w, level);
    for (size_t j = 0; worst && j < c->m; j++)
        if (c->level[j] == 2)
            value += choose_slot(&w, j, -1);
    return value;
}
