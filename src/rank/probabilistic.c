/* probabilistic - interleaving for two, multileaving for many.
 *
 * At each place a list, uniformly at random among those with documents left, adds a random document of its own: of
 * those not yet shown, the one of rank r with probability proportional to r^-tau. The click does not go to the list
 * that happened to be drawn but is shared by what each list was likely to do: with s_j(d) that probability,
 *
 *     credit of list j at a place that shows d = s_j(d) / sum_k s_k(d),
 *
 * the number of clicks the list can expect to have been assigned, over all assignments of places to lists. Given the
 * documents shown, the assignments of the places are independent, so nothing has to be enumerated.
 *
 * Hofmann, Whiteson, de Rijke 2011; Schuth et al. 2015. Cost O(total length of the lists) a place. */
#include "rank/mix.h"

#include "base/alloc.h"
#include "num/elementary.h"

typedef struct probabilistic {
    double tau;
} probabilistic;

typedef struct probabilistic_plan {
    double *weight; /* of each rank */
    double *sum;    /* m: the weights of the documents left */
} probabilistic_plan;

static const spar_param params[] = {
    {"tau", SPAR_PARAM_NUMBER, "3", 0, 20, NULL, "how strongly a list prefers its best documents; 0 for not at all"},
    {0},
};

static void init(void *self, const spar__values *values)
{
    ((probabilistic *)self)->tau = spar__number(values, "tau");
}

static void release(void *self)
{
    probabilistic_plan *p = self;
    spar__free(p->weight);
    spar__free(p->sum);
    spar__free(p);
}

static spar_status prepare(spar__mixing *mixing, spar_rng *rng)
{
    (void)rng;
    const spar__lists *lists = &mixing->lists;
    double tau = ((const probabilistic *)(const void *)mixing->mixer->self)->tau;
    size_t longest = 0;
    for (size_t j = 0; j < lists->m; j++)
        longest = lists->length[j] > longest ? lists->length[j] : longest;
    probabilistic_plan *p = mixing->plan = spar__alloc(1, sizeof *p);
    if (!p)
        return SPAR_NOMEM;
    p->weight = spar__alloc(longest, sizeof *p->weight);
    p->sum = spar__alloc(lists->m, sizeof *p->sum);
    if (!p->weight || !p->sum)
        return SPAR_NOMEM;
    for (size_t r = 0; r < longest; r++)
        p->weight[r] = spar__pow((double)(r + 1), -tau);
    return SPAR_OK;
}

static size_t draw_document(const spar__mixing *mixing, const probabilistic_plan *p, size_t list, spar_rng *rng)
{
    double u = spar_rng_uniform(rng) * p->sum[list];
    size_t last = 0;
    for (size_t r = mixing->cursor[list]; r < mixing->lists.length[list]; r++) {
        size_t doc = mixing->lists.doc[list][r];
        if (mixing->taken[doc])
            continue;
        last = doc;
        u -= p->weight[r];
        if (u < 0)
            break;
    }
    return last;
}

static void draw(spar__mixing *mixing, spar_rng *rng, spar_mix *out)
{
    probabilistic_plan *p = mixing->plan;
    for (size_t place = 0; place < out->shown; place++) {
        size_t live = spar__mixing_live(mixing);
        for (size_t i = 0; i < live; i++) {
            size_t j = mixing->order[i];
            (void)spar__mixing_best(mixing, j); /* moves the cursor up */
            /* Summed again at each place: subtracting would lose precision, as what is left is soon far smaller than
             * the rest. */
            p->sum[j] = 0;
            for (size_t r = mixing->cursor[j]; r < mixing->lists.length[j]; r++)
                if (!mixing->taken[mixing->lists.doc[j][r]])
                    p->sum[j] += p->weight[r];
        }
        size_t list = mixing->order[spar_rng_below(rng, live)];
        size_t doc = draw_document(mixing, p, list, rng);
        /* Each list's share in having added the document. */
        double *credit = out->credit + place * out->m;
        double total = 0;
        for (size_t i = mixing->lists.from[doc]; i < mixing->lists.from[doc + 1]; i++) {
            spar__list_rank at = mixing->lists.where[i];
            total += credit[at.list] = p->weight[at.rank] / p->sum[at.list];
        }
        for (size_t i = mixing->lists.from[doc]; i < mixing->lists.from[doc + 1]; i++)
            credit[mixing->lists.where[i].list] /= total;
        spar__mixing_show(mixing, out, place, doc);
    }
}

const spar__mix_class spar__mix_probabilistic = {
    .entry = {"probabilistic", "random lists add random documents, the best likeliest; clicks are shared",
              "Hofmann, Whiteson, de Rijke 2011; Schuth et al. 2015", params},
    .size = sizeof(probabilistic),
    .init = init,
    .prepare = prepare,
    .release = release,
    .draw = draw,
};
