#include "rank/optimised.h"

#include "rank/desk.h"
#include "sampler/rng.h"

enum { DRAWS = 20000 };

static void check_credit(void)
{
    spar_rng rng = desk_rng(1);
    spar_mix *mix;
    (void)spar_mix_new(&mix);
    desk d = desk_of(3, (const char *[]){"1234", "56", ""});
    bool inverse = true, linear = true;
    for (size_t n = 0; n < 50; n++) {
        (void)desk_mix(&d, "optimised", 5, &rng, mix);
        for (size_t i = 0; i < 10; i++) {
            size_t j = i % 2, rank = desk_rank(&d, j, mix->doc[i / 2]) + 1;
            inverse = inverse && mix->credit[i / 2 * 3 + j] == 1 / (double)rank && mix->credit[i / 2 * 3 + 2] == 0;
        }
        (void)desk_mix(&d, "optimised(credit=linear)", 5, &rng, mix);
        for (size_t i = 0; i < 10; i++) {
            size_t j = i % 2, rank = desk_rank(&d, j, mix->doc[i / 2]) + 1;
            linear = linear && mix->credit[i / 2 * 3 + j] == -(double)rank;
        }
        inverse = inverse && mix->reach[0] == 5 && mix->reach[1] == 5 && mix->reach[2] == 0;
    }
    ok(inverse, "a click is worth 1/rank to each list, an absent document ranking behind the last");
    ok(linear, "or -rank");
    spar_mix_free(mix);
}

static void check_two_orders(void)
{
    spar_rng rng = desk_rng(2);
    spar_mix *mix;
    (void)spar_mix_new(&mix);
    desk d = desk_of(2, (const char *[]){"12", "21"});
    double first = 0;
    for (size_t n = 0; n < DRAWS; n++) {
        (void)desk_mix(&d, "optimised", 2, &rng, mix);
        first += mix->doc[0] == 1;
    }
    near(first, DRAWS / 2., 2.5 * sqrt(DRAWS), "of two orders each is shown half the time");
    spar_mix_free(mix);
}

/* How telling a list is, from the definitions: entropy for two lists, minus the variance for more. */
static double telling(const desk *d, size_t shown, const uint64_t *doc)
{
    double total = 0, a = 0, b = 0, credit[DESK_LISTS] = {0}, mean = 0, variance = 0;
    for (size_t r = 0; r < shown; r++)
        total += 1 / (double)(r + 1);
    for (size_t r = 0; r < shown; r++) {
        double f = 1 / (double)(r + 1) / total;
        size_t x = desk_rank(d, 0, doc[r]), y = desk_rank(d, 1, doc[r]);
        a += x < y ? f : 0;
        b += x > y ? f : 0;
        for (size_t j = 0; j < d->m; j++)
            credit[j] += f / (double)(desk_rank(d, j, doc[r]) + 1);
    }
    if (d->m == 2)
        return a * b > 0 ? -(a * log(a / (a + b)) + b * log(b / (a + b))) : 0;
    for (size_t j = 0; j < d->m; j++)
        mean += credit[j] / (double)d->m;
    for (size_t j = 0; j < d->m; j++)
        variance += (credit[j] - mean) * (credit[j] - mean);
    return -variance;
}

/* The programme written out again, without using what is redundant in it: its value is that of the lists drawn. */
static void check_telling(size_t m, size_t length, size_t docs, uint64_t seed)
{
    spar_rng rng = desk_rng(seed);
    desk d = desk_random(m, length, docs, &rng);
    spar__mixer mixer;
    spar__mixing mixing;
    spar__allowed allowed;
    spar_mix *mix;
    (void)spar_mix_new(&mix);
    if (!desk_start(&d, "optimised(lists=4000)", length, &rng, &mixer, &mixing) ||
        spar__allowed_make(&mixing, 4000, &rng, &allowed))
        return;
    size_t n = allowed.n, rows = (m - 1) * length;
    double *a = calloc(rows * n, sizeof *a), *cost = calloc(n, sizeof *cost), *p = calloc(n, sizeof *p), bias;
    for (size_t l = 0; l < n; l++) {
        uint64_t doc[DESK_DOCS];
        for (size_t r = 0; r < length; r++) {
            doc[r] = mixing.lists.id[allowed.doc[l * length + r]];
            for (size_t j = 1; j < m; j++)
                a[(r * (m - 1) + j - 1) * n + l] =
                    1 / (double)(desk_rank(&d, j, doc[r]) + 1) - 1 / (double)(desk_rank(&d, 0, doc[r]) + 1);
        }
        cost[l] = -telling(&d, length, doc);
    }
    bool solved = !spar__fair_weights(rows, n, a, cost, p, &bias) && bias < 1e-9;
    double best = 0, worst = 0, sum = 0, square = 0;
    for (size_t l = 0; l < n; l++) {
        best -= p[l] * cost[l];
        cost[l] = -cost[l];
    }
    (void)spar__fair_weights(rows, n, a, cost, p, &bias);
    for (size_t l = 0; l < n; l++)
        worst += p[l] * cost[l];
    for (size_t k = 0; k < DRAWS; k++) {
        (void)spar__mixing_draw(&mixing, &rng, mix);
        double x = telling(&d, length, mix->doc);
        sum += x / DRAWS;
        square += x * x / DRAWS;
    }
    double se = sqrt(fmax(square - sum * sum, 0) / DRAWS);
    if (ok(solved, "%zu lists of %zu: can be fair", m, length))
        near(sum, best, 5 * se + 1e-9, "and as telling as can be (%.4f, at worst %.4f)", best, worst);
    free(a);
    free(cost);
    free(p);
    spar__allowed_free(&allowed);
    spar__mixing_end(&mixing);
    spar_mix_free(mix);
}

int main(void)
{
    check_credit();
    check_two_orders();
    check_telling(2, 5, 5, 31);
    check_telling(2, 6, 12, 32);
    check_telling(2, 8, 10, 33);
    check_telling(3, 4, 12, 34);
    check_telling(3, 5, 15, 35);
    spar_rng rng = desk_rng(3);
    for (size_t n = 0; n < 10; n++) {
        desk d = desk_random(2, 10, n % 2 ? 10 : 25, &rng);
        const char *how = n % 3 ? "optimised" : "optimised(credit=linear)";
        ok(desk_bias(&d, how, 10, DRAWS, n) < 5, "%s: the same credit at every place", how);
    }
    desk apart = {0};
    for (uint64_t j = 0; j < 4; j++)
        desk_add(&apart, 5, (const uint64_t[]){10 * j, 10 * j + 1, 10 * j + 2, 10 * j + 3, 10 * j + 4});
    ok(desk_bias(&apart, "optimised", 5, DRAWS, 7) < 5, "four lists: the same credit at every place");
    /* List 2 wants document 2 on top more than document 1, and the others rank 2 differently: nothing is fair to all.
     */
    desk unfair = desk_of(3, (const char *[]){"123", "132", "231"});
    ok(desk_bias(&unfair, "optimised", 1, DRAWS, 8) > 5, "three lists that can not all be treated alike");
    return done();
}
