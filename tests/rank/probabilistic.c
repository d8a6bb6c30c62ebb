#include "rank/desk.h"

#include "sampler/rng.h"

enum { DRAWS = 100000 };

static void check_by_hand(void)
{
    spar_rng rng = desk_rng(3);
    spar_mix *mix;
    (void)spar_mix_new(&mix);
    desk d = desk_of(2, (const char *[]){"12", "21"});
    bool good = true;
    double first = 0;
    for (size_t n = 0; n < DRAWS; n++) {
        (void)desk_mix(&d, "probabilistic", 2, &rng, mix);
        size_t j = mix->doc[0] == 1 ? 0 : 1; /* the list that has it first */
        first += mix->doc[0] == 1;
        good = good && fabs(mix->credit[j] - 8 / 9.) < 1e-15 && fabs(mix->credit[1 - j] - 1 / 9.) < 1e-15 &&
               mix->credit[2] == 0.5 && mix->credit[3] == 0.5;
    }
    ok(good, "weights 1 and 1/8: shares of 8/9 and 1/9, and of a half for what must come last");
    near(first, DRAWS / 2., 2.5 * sqrt(DRAWS), "either document comes first");

    /* tau = 1: weights 6, 3, 2 of 11. Document 1 is first in one list and second in the other. */
    desk e = desk_of(2, (const char *[]){"123", "312"});
    double count[4] = {0};
    good = true;
    for (size_t n = 0; n < DRAWS; n++) {
        (void)desk_mix(&e, "probabilistic(tau=1)", 3, &rng, mix);
        count[mix->doc[0]]++;
        if (mix->doc[0] == 1)
            good = good && fabs(mix->credit[0] - 6 / 9.) < 1e-15;
        if (mix->doc[0] == 1 && mix->doc[1] == 3) /* of 3 and 2 left, 2 / 5 and 6 / 8 */
            good = good && fabs(mix->credit[2] - 0.4 / 1.15) < 1e-15 && fabs(mix->credit[3] - 0.75 / 1.15) < 1e-15;
    }
    ok(good, "documents that are shown are out of the weights");
    const double p[4] = {0, 9 / 22., 5 / 22., 8 / 22.};
    for (size_t k = 1; k <= 3; k++)
        near(count[k], DRAWS * p[k], 5 * sqrt(DRAWS * p[k]), "document %zu comes first as often as it should", k);
    spar_mix_free(mix);
}

/* The plain method, with a die for each place: which list adds, and what. Returns a code of the documents. */
static size_t play_plainly(const desk *d, size_t top, double tau, spar_rng *rng, size_t *team)
{
    uint64_t shown[8];
    size_t code = 0;
    for (size_t place = 0; place < top; place++) {
        size_t j = team[place] = (size_t)spar_rng_below(rng, d->m), pick = 0;
        double weight[8], total = 0;
        for (size_t r = 0; r < d->length[j]; r++) {
            weight[r] = pow((double)(r + 1), -tau);
            for (size_t s = 0; s < place; s++)
                if (shown[s] == d->doc[j][r])
                    weight[r] = 0;
            total += weight[r];
        }
        for (double u = spar_rng_uniform(rng) * total; (u -= weight[pick]) >= 0;)
            pick++;
        shown[place] = d->doc[j][pick];
        code = code * 10 + shown[place];
    }
    return code;
}

/* The credit is the mean of the assignments that lead to the list that is shown. */
static void check_assignments(void)
{
    enum { TOP = 3, CODES = 1000 };
    desk d = desk_of(3, (const char *[]){"1234", "2413", "3421"});
    static double seen[CODES], assigned[CODES][TOP][3], drawn[CODES], credit[CODES][TOP][3];
    spar_rng rng = desk_rng(5);
    for (size_t n = 0; n < 10 * DRAWS; n++) {
        size_t team[TOP], code = play_plainly(&d, TOP, 1.5, &rng, team);
        seen[code]++;
        for (size_t place = 0; place < TOP; place++)
            assigned[code][place][team[place]]++;
    }
    spar_mix *mix;
    spar__mixer mixer;
    spar__mixing mixing;
    (void)spar_mix_new(&mix);
    ok(desk_start(&d, "probabilistic(tau=1.5)", TOP, &rng, &mixer, &mixing), "three lists of four");
    for (size_t n = 0; n < 10 * DRAWS; n++) {
        (void)spar__mixing_draw(&mixing, &rng, mix);
        size_t code = mix->doc[0] * 100 + mix->doc[1] * 10 + mix->doc[2];
        drawn[code]++;
        memcpy(credit[code], mix->credit, sizeof credit[code]);
    }
    double worst_share = 0, worst_list = 0;
    size_t lists = 0;
    for (size_t code = 0; code < CODES; code++) {
        if (seen[code] + drawn[code] == 0)
            continue;
        lists++;
        worst_list = fmax(worst_list, fabs(seen[code] - drawn[code]) / sqrt(seen[code] + drawn[code]));
        for (size_t i = 0; i < TOP * 3; i++) {
            double p = (&credit[code][0][0])[i], got = (&assigned[code][0][0])[i];
            worst_share = fmax(worst_share, fabs(got - seen[code] * p) / sqrt(seen[code] * p * (1 - p) + 1));
        }
    }
    ok(lists == 24, "all %zu lists are drawn", lists);
    ok(worst_list < 5, "as often as by the plain method (%.2f sd)", worst_list);
    ok(worst_share < 5, "and credit is the mean of its assignments (%.2f sd)", worst_share);
    spar_mix_free(mix);
    spar__mixing_end(&mixing);
}

int main(void)
{
    check_by_hand();
    check_assignments();
    spar_rng rng = desk_rng(9);
    for (size_t m = 2; m <= 6; m++) {
        desk d = desk_random(m, 10, m % 2 ? 10 : 25, &rng);
        ok(desk_bias(&d, "probabilistic", 10, 20000, m) < 5, "%zu lists: the same credit at every place", m);
        ok(desk_bias(&d, "probabilistic(tau=0)", 5, 20000, m) < 5, "%zu lists that do not care", m);
    }
    desk d = desk_of(4, (const char *[]){"1", "123456", "2", "6543"});
    ok(desk_bias(&d, "probabilistic", 5, 50000, 1) < 5, "short lists, on the places they reach");
    return done();
}
