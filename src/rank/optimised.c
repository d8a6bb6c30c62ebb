/* optimised - interleaving for two, multileaving for many.
 *
 * A click on document d is worth c_j(d) to list j: 1 / rank, or -rank, where a document that is not in the list has the
 * rank behind its last. Of the allowed lists L (allowed.h) one is shown, with probabilities p_L >= 0 of sum 1 such that
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
#include "rank/allowed.h"
#include "rank/fair.h"

#include "base/alloc.h"
#include "num/elementary.h"
#include "sampler/sampler.h"

#include <string.h>

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

static void programme_free(programme *g)
{
    spar__free(g->list);
    spar__free(g->a);
    spar__free(g->cost);
    spar__free(g->credit);
    spar__free(g->click);
}

static spar_status programme_new(const spar__lists *lists, size_t shown, size_t n, programme *g)
{
    *g = (programme){.n = n};
    g->list = spar__alloc(lists->m, sizeof *g->list);
    if (!g->list)
        return SPAR_NOMEM;
    for (size_t j = 0; j < lists->m; j++)
        if (lists->length[j])
            g->list[g->live++] = j;
    g->rows = g->live * shown;
    g->a = spar__alloc(g->rows, n * sizeof *g->a);
    g->cost = spar__alloc(n, sizeof *g->cost);
    g->credit = spar__alloc(lists->m, sizeof *g->credit);
    g->click = spar__alloc(g->live, sizeof *g->click);
    return g->a && g->cost && g->credit && g->click ? SPAR_OK : SPAR_NOMEM;
}

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
    programme g;
    double bias;
    size_t n = p->allowed.n, shown = mixing->shown;
    p->p = spar__alloc(n, sizeof *p->p);
    spar_status status = programme_new(lists, shown, n, &g);
    if (!p->p || status) {
        status = SPAR_NOMEM;
        goto fail;
    }
    for (size_t l = 0; l < n; l++)
        programme_column(&g, o, lists, shown, l, p->allowed.doc + l * shown);
    /* For two lists one row a place is enough: the other is its negative. */
    if (g.live == 2)
        for (size_t place = 0; place < shown; place++)
            memmove(g.a + place * n, g.a + 2 * place * n, n * sizeof *g.a);
    status = spar__fair_weights(g.live == 2 ? shown : g.rows, n, g.a, g.cost, p->p, &bias);
fail:
    programme_free(&g);
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
