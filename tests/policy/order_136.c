/* The same among the 136 rankers of $SPAR_DATA, where a round costs more and the arms are closer. */
#include "policy/order.h"

#include "base/alloc.h"
#include "env/data.h"

static size_t condorcet_winner(const spar__matrix *x)
{
    for (size_t i = 0; i < x->n; i++) {
        size_t beaten = 0;
        for (size_t j = 0; j < x->n; j++)
            beaten += x->p[i * x->n + j] > 0.5;
        if (beaten == x->n - 1)
            return i;
    }
    abort();
}

/* Sorts the arms by what they lose to the winner. */
static void climb(const spar__matrix *x, size_t *rung)
{
    const double *loss = &x->p[condorcet_winner(x) * x->n];
    for (size_t i = 0; i < x->n; i++) {
        size_t at = i;
        for (; at > 0 && loss[rung[at - 1]] > loss[i]; at--)
            rung[at] = rung[at - 1];
        rung[at] = i;
    }
}

int main(void)
{
    static const struct {
        const char *spec;
        uint64_t rounds; /* rmed1 begins with all 9180 pairs; dts is slow */
        size_t runs;
    } cases[] = {{"rucb", 10000, 40}, {"merge_rucb", 10000, 40}, {"rmed1", 14000, 40}, {"dts", 800, 20}};
    const char *data = getenv("SPAR_DATA");
    char path[4096];
    spar__matrix x;
    spar_error err;
    (void)snprintf(path, sizeof path, "%s/mslr/MSLR-Perfect.txt", data ? data : "");
    if (!data || spar__matrix_read(path, false, 1e-6, &x, &err)) {
        skip("no mslr/MSLR-Perfect.txt in SPAR_DATA");
        return done();
    }
    size_t rung[MOST_ARMS], n = x.n;
    double *p = spar__alloc(n * n, sizeof *p);
    if (!p || n > MOST_ARMS)
        abort();
    climb(&x, rung);
    for (size_t i = 0; i < n * n; i++)
        p[i] = x.p[rung[i / n] * n + rung[i % n]];
    ladder world = {n, p};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        order_does_not_matter(cases[i].spec, &world, cases[i].rounds, cases[i].runs);
    spar__free(p);
    spar__matrix_free(&x);
    return done();
}
