/* optimised - interleaving for two, multileaving for many.
 *
 * A click on document d is worth c_j(d) to list j: 1 / rank, or -rank, where a document that is not in the list has the
 * rank behind its last. Of the allowed lists L (optimised.h) one is shown, with probabilities p_L >= 0 of sum 1 such
 * that
 *
 *     sum_L p_L c_j(document at place i of L) is the same for all lists j, at each place i
 *
 * so that clicks that do not depend on the documents favour no list. When no p can do that, the sum of the deviations
 * over places and lists is minimised. Among those p, the one that tells most from one random click is taken, a click at
 * place i having the probability f_i proportional to 1 / i:
 *
 *     two lists    the largest sum_L p_L (a + b) H(a / (a + b)), where a and b are the probabilities that the click
 *                  favours the one and the other list, and H is the entropy of a coin
 *     more lists   the smallest sum_L p_L sum_j (C_j - mean of C)^2, where C_j = sum_i f_i c_j(document at place i)
 *
 * Radlinski, Craswell 2013; Schuth et al. 2014. Prepared once for given lists, by a linear programme in as many
 * variables as there are lists to choose from and m * top constraints. */
#include "rank/optimised.h"

#include "base/alloc.h"
#include "num/elementary.h"
#include "sampler/sampler.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* --- the linear programme: weights of the lists ---
 *
 * The simplex method on a tableau with two rows of costs, of which the second only decides between equals of the first.
 *
 *     minimise  sum_c (u_c + v_c),  then  cost . p
 *     where     sum_l a_cl p_l + u_c - v_c = 0 for each row c,   sum_l p_l = 1,   all variables >= 0
 *
 * The first column is a basis to start from: p_0 = 1, and u_c or v_c = |a_c0|. The second goal may only use columns
 * that cost nothing of the first. Nearly all right hand sides are 0 on the way, so that steps of length 0 are the rule:
 * a second right hand side, infinitely smaller than the first, decides between rows and prevents cycling. */

static const double tiny = 1e-10;

typedef struct tableau {
    size_t rows; /* with the row sum p = 1, which is the last */
    size_t n;    /* columns p; then u, v, and the two right hand sides */
    size_t width;
    double *cell;  /* rows x width, then the two rows of reduced costs */
    size_t *basis; /* the column that is 1 in each row and 0 in the others */
} tableau;

static double *row_of(const tableau *t, size_t row)
{
    return t->cell + row * t->width;
}

/* row -= factor * other */
static void subtract(const tableau *t, double *row, double factor, const double *other)
{
    if (factor == 0)
        return;
    for (size_t k = 0; k < t->width; k++)
        row[k] -= factor * other[k];
}

static void fill(tableau *t, const double *a, double scale, const double *cost)
{
    size_t last = t->rows - 1, n = t->n, width = t->width;
    double *sum = row_of(t, last), *bias = row_of(t, t->rows), *goal = row_of(t, t->rows + 1);
    for (size_t l = 0; l < n; l++) {
        sum[l] = 1;
        goal[l] = cost[l];
    }
    sum[width - 2] = sum[width - 1] = 1;
    t->basis[last] = 0;
    subtract(t, goal, cost[0], sum);
    for (size_t c = 0; c < last; c++) {
        double *row = row_of(t, c), fraction = (double)(c + 1) * 0.6180339887498949;
        for (size_t l = 0; l < n; l++)
            row[l] = a[c * n + l] * scale;
        row[n + c] = 1;
        row[n + last + c] = -1;
        subtract(t, row, row[0], sum);
        bool negative = row[width - 2] < 0;
        for (size_t k = 0; negative && k < width; k++)
            row[k] = -row[k];
        row[width - 1] = 1 + (fraction - floor(fraction)); /* no two rows alike */
        t->basis[c] = negative ? n + last + c : n + c;
        bias[n + c] = bias[n + last + c] = 1;
    }
    for (size_t c = 0; c < last; c++)
        subtract(t, bias, 1, row_of(t, c));
}

/* The cheapest column to bring in, or width when none lowers the cost. */
static size_t entering(const tableau *t, bool second)
{
    const double *bias = row_of(t, t->rows), *goal = row_of(t, t->rows + 1);
    size_t best = t->width;
    double least = -tiny;
    for (size_t k = 0; k < t->width - 2; k++) {
        double value = second ? goal[k] : bias[k];
        if (value < least && !(second && bias[k] > tiny)) {
            least = value;
            best = k;
        }
    }
    return best;
}

/* The row whose variable is the first to reach 0 as the column grows, or rows when there is none. */
static size_t leaving(const tableau *t, size_t column)
{
    size_t best = t->rows, width = t->width;
    double least = 0, nudge = 0;
    for (size_t r = 0; r < t->rows; r++) {
        const double *row = row_of(t, r);
        if (row[column] < 1e-9)
            continue;
        double ratio = row[width - 2] / row[column], small = row[width - 1] / row[column];
        if (best == t->rows || ratio < least - tiny || (ratio <= least + tiny && small < nudge)) {
            best = r;
            least = ratio;
            nudge = small;
        }
    }
    return best;
}

static void pivot(tableau *t, size_t row, size_t column)
{
    double *at = row_of(t, row), scale = 1 / at[column];
    for (size_t k = 0; k < t->width; k++)
        at[k] *= scale;
    at[column] = 1;
    for (size_t r = 0; r < t->rows + 2; r++)
        if (r != row) {
            subtract(t, row_of(t, r), row_of(t, r)[column], at);
            row_of(t, r)[column] = 0;
        }
    for (size_t r = 0; r < t->rows; r++)
        if (fabs(row_of(t, r)[t->width - 2]) < 1e-14)
            row_of(t, r)[t->width - 2] = 0;
    t->basis[row] = column;
}

spar_status spar__fair_weights(size_t rows, size_t n, const double *a, const double *cost, double *p, double *bias)
{
    tableau t = {.rows = rows + 1, .n = n, .width = n + 2 * rows + 2};
    t.cell = spar__alloc(t.rows + 2, t.width * sizeof *t.cell);
    t.basis = spar__alloc(t.rows, sizeof *t.basis);
    spar_status status = t.cell && t.basis ? SPAR_OK : SPAR_NOMEM;
    if (status)
        goto fail;
    double largest = 0;
    for (size_t i = 0; i < rows * n; i++)
        largest = fmax(largest, fabs(a[i]));
    fill(&t, a, largest > 0 ? 1 / largest : 1, cost);
    /* Rounding may keep the last steps from ending; any basis on the way is a set of weights. */
    size_t steps = 20 * t.width;
    for (int second = 0; second < 2; second++)
        for (size_t column; steps && (column = entering(&t, second)) < t.width; steps--) {
            size_t row = leaving(&t, column);
            if (row == t.rows)
                break;
            pivot(&t, row, column);
        }
    double sum = 0;
    for (size_t l = 0; l < t.n; l++)
        p[l] = 0;
    for (size_t r = 0; r < t.rows; r++)
        if (t.basis[r] < t.n)
            sum += p[t.basis[r]] = fmax(row_of(&t, r)[t.width - 2], 0);
    for (size_t l = 0; l < t.n; l++)
        p[l] /= sum;
    *bias = 0;
    for (size_t c = 0; c < rows; c++) {
        double off = 0;
        for (size_t l = 0; l < n; l++)
            off += a[c * n + l] * p[l];
        *bias += fabs(off);
    }
fail:
    spar__free(t.cell);
    spar__free(t.basis);
    return status;
}

/* --- the lists to choose from --- */

static bool among(const size_t *docs, size_t n, size_t doc)
{
    for (size_t i = 0; i < n; i++)
        if (docs[i] == doc)
            return true;
    return false;
}

/* The documents that may follow a prefix, each once, into next (of m); returns how many. */
static size_t followers(spar__mixing *mixing, const size_t *prefix, size_t length, size_t *next)
{
    const spar__lists *lists = &mixing->lists;
    size_t n = 0;
    for (size_t i = 0; i < length; i++)
        mixing->taken[prefix[i]] = true;
    for (size_t j = 0; j < lists->m; j++) {
        size_t r = 0;
        while (r < lists->length[j] && mixing->taken[lists->doc[j][r]])
            r++;
        if (r < lists->length[j] && !among(next, n, lists->doc[j][r]))
            next[n++] = lists->doc[j][r];
    }
    for (size_t i = 0; i < length; i++)
        mixing->taken[prefix[i]] = false;
    return n;
}

/* Place by place, all prefixes of the length; false when there are more than limit. */
static bool enumerate(spar__mixing *mixing, size_t limit, size_t *from, size_t *to, spar__allowed *out)
{
    size_t shown = mixing->shown, *next = mixing->order;
    out->n = 1; /* the empty prefix */
    for (size_t place = 0; place < shown; place++) {
        size_t n = 0;
        for (size_t l = 0; l < out->n; l++) {
            size_t options = followers(mixing, from + l * shown, place, next);
            if (n + options > limit)
                return false;
            for (size_t i = 0; i < options; i++, n++) {
                memcpy(to + n * shown, from + l * shown, place * sizeof *to);
                to[n * shown + place] = next[i];
            }
        }
        size_t *swap = from;
        from = to;
        to = swap;
        out->n = n;
    }
    out->doc = from;
    return true;
}

static void sample_one(spar__mixing *mixing, spar_rng *rng, size_t *doc)
{
    const spar__lists *lists = &mixing->lists;
    memset(mixing->taken, 0, lists->docs * sizeof *mixing->taken);
    for (size_t j = 0; j < lists->m; j++) {
        mixing->left[j] = lists->length[j];
        mixing->cursor[j] = 0;
    }
    for (size_t place = 0; place < mixing->shown; place++) {
        size_t live = spar__mixing_live(mixing);
        doc[place] = spar__mixing_best(mixing, mixing->order[spar_rng_below(rng, live)]);
        mixing->taken[doc[place]] = true;
        for (size_t i = lists->from[doc[place]]; i < lists->from[doc[place] + 1]; i++)
            mixing->left[lists->where[i].list]--;
    }
}

static bool drawn_before(const size_t *doc, size_t n, size_t shown)
{
    for (size_t l = 0; l < n; l++)
        if (memcmp(doc + l * shown, doc + n * shown, shown * sizeof *doc) == 0)
            return true;
    return false;
}

spar_status spar__allowed_make(spar__mixing *mixing, size_t limit, spar_rng *rng, spar__allowed *out)
{
    *out = (spar__allowed){0};
    size_t shown = mixing->shown;
    size_t *one = spar__alloc(limit, shown * sizeof *one), *two = spar__alloc(limit, shown * sizeof *two);
    if (!one || !two) {
        spar__free(one);
        spar__free(two);
        return SPAR_NOMEM;
    }
    if (!enumerate(mixing, limit, one, two, out)) {
        out->doc = one;
        out->n = 0;
        for (size_t tries = 0; tries < limit; tries++) {
            sample_one(mixing, rng, one + out->n * shown);
            out->n += !drawn_before(one, out->n, shown);
        }
    }
    spar__free(out->doc == one ? two : one);
    return SPAR_OK;
}

void spar__allowed_free(spar__allowed *allowed)
{
    spar__free(allowed->doc);
    *allowed = (spar__allowed){0};
}

/* --- the way to mix --- */

enum { CREDIT_INVERSE, CREDIT_LINEAR };

typedef struct optimised {
    size_t credit;
    size_t lists;
} optimised;

typedef struct optimised_plan {
    spar__allowed allowed;
    double *p;
} optimised_plan;

static const spar_param params[] = {
    {"credit", SPAR_PARAM_CHOICE, "inverse", 0, 0, "inverse|linear", "a click is worth 1/rank, or -rank"},
    {"lists", SPAR_PARAM_INTEGER, "1024", 1, 65536, NULL,
     "if more lists than this are allowed, draw this many of them"},
    {0},
};

static void init(void *self, const spar__values *values)
{
    optimised *o = self;
    o->credit = spar__choice(values, "credit");
    o->lists = spar__integer(values, "lists");
}

static double worth(const optimised *o, size_t rank)
{
    return o->credit == CREDIT_INVERSE ? 1 / (double)(rank + 1) : -(double)(rank + 1);
}

/* What a click on the document is worth to each list; 0 to an empty one, which has no part in the mix. */
static void credits(const optimised *o, const spar__lists *lists, size_t doc, double *credit)
{
    for (size_t j = 0; j < lists->m; j++)
        credit[j] = lists->length[j] ? worth(o, lists->length[j]) : 0;
    for (size_t i = lists->from[doc]; i < lists->from[doc + 1]; i++)
        credit[lists->where[i].list] = worth(o, lists->where[i].rank);
}

static double entropy(double a, double b)
{
    double sum = a + b;
    return a > 0 && b > 0 ? -(a * spar__log(a / sum) + b * spar__log(b / sum)) : 0;
}

/* The programme: the live lists, a row for each (place, live list), a column for each allowed list. */
typedef struct programme {
    size_t live, rows, n;
    size_t *list;   /* the live ones */
    double *a;      /* rows x n: credit less the mean over the live lists */
    double *cost;   /* n */
    double *credit; /* m */
    double *click;  /* live: C_j less the mean */
} programme;

/* One allowed list: its column of the programme, and its cost. */
static void programme_column(programme *g, const optimised *o, const spar__lists *lists, size_t shown, size_t column,
                             const size_t *doc)
{
    double first = 0, second = 0, total = 0;
    memset(g->click, 0, g->live * sizeof *g->click);
    for (size_t place = 0; place < shown; place++) {
        double mean = 0, f = 1 / (double)(place + 1);
        credits(o, lists, doc[place], g->credit);
        for (size_t i = 0; i < g->live; i++)
            mean += g->credit[g->list[i]] / (double)g->live;
        for (size_t i = 0; i < g->live; i++) {
            double off = g->credit[g->list[i]] - mean;
            g->a[(place * g->live + i) * g->n + column] = off;
            g->click[i] += f * off;
        }
        total += f;
        if (g->live == 2) {
            double ahead = g->credit[g->list[0]] - g->credit[g->list[1]];
            first += ahead > 0 ? f : 0;
            second += ahead < 0 ? f : 0;
        }
    }
    g->cost[column] = 0;
    for (size_t i = 0; g->live > 2 && i < g->live; i++)
        g->cost[column] += g->click[i] * g->click[i] / (total * total);
    if (g->live == 2)
        g->cost[column] = -entropy(first / total, second / total);
}

static void release(void *self)
{
    optimised_plan *p = self;
    spar__allowed_free(&p->allowed);
    spar__free(p->p);
    spar__free(p);
}

static spar_status prepare(spar__mixing *mixing, spar_rng *rng)
{
    const optimised *o = (const optimised *)(const void *)mixing->mixer->self;
    const spar__lists *lists = &mixing->lists;
    optimised_plan *p = mixing->plan = spar__alloc(1, sizeof *p);
    if (!p || spar__allowed_make(mixing, o->lists, rng, &p->allowed))
        return SPAR_NOMEM;
    double bias;
    size_t n = p->allowed.n, shown = mixing->shown;
    programme g = {.n = n};
    for (size_t j = 0; j < lists->m; j++)
        g.live += lists->length[j] > 0;
    g.rows = g.live * shown;
    g.list = spar__alloc(g.live, sizeof *g.list);
    g.a = spar__alloc(g.rows, n * sizeof *g.a);
    g.cost = spar__alloc(n, sizeof *g.cost);
    g.credit = spar__alloc(lists->m, sizeof *g.credit);
    g.click = spar__alloc(g.live, sizeof *g.click);
    p->p = spar__alloc(n, sizeof *p->p);
    spar_status status = SPAR_NOMEM;
    if (g.list && g.a && g.cost && g.credit && g.click && p->p) {
        for (size_t j = 0, live = 0; j < lists->m; j++)
            if (lists->length[j])
                g.list[live++] = j;
        for (size_t l = 0; l < n; l++)
            programme_column(&g, o, lists, shown, l, p->allowed.doc + l * shown);
        /* For two lists one row a place is enough: the other is its negative. */
        if (g.live == 2)
            for (size_t place = 0; place < shown; place++)
                memmove(g.a + place * n, g.a + 2 * place * n, n * sizeof *g.a);
        status = spar__fair_weights(g.live == 2 ? shown : g.rows, n, g.a, g.cost, p->p, &bias);
    }
    spar__free(g.list);
    spar__free(g.a);
    spar__free(g.cost);
    spar__free(g.credit);
    spar__free(g.click);
    return status;
}

static void draw(spar__mixing *mixing, spar_rng *rng, spar_mix *out)
{
    const optimised *o = (const optimised *)(const void *)mixing->mixer->self;
    const optimised_plan *p = mixing->plan;
    size_t l = spar__choose_weighted(rng, p->allowed.n, p->p);
    for (size_t place = 0; place < out->shown; place++) {
        size_t doc = p->allowed.doc[l * out->shown + place];
        out->doc[place] = mixing->lists.id[doc];
        credits(o, &mixing->lists, doc, out->credit + place * out->m);
    }
}

const spar__mix_class spar__mix_optimised = {
    .entry = {"optimised", "the fairest and most telling of the lists that a draft could give",
              "Radlinski, Craswell 2013; Schuth et al. 2014", params},
    .size = sizeof(optimised),
    .init = init,
    .prepare = prepare,
    .release = release,
    .draw = draw,
};
