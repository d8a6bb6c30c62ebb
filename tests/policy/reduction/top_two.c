#include "policy/setup.h"

#include "posterior/pl/pl.h"
#include "prefer/evidence.h"

enum { K = 6, M = 3 };

static const spar__pl *belief_of(const setup *d)
{
    return (const spar__pl *)d->policy->player[0]->posterior;
}

/* The covariance of all arms: (R'R)^-1 by Gauss and Jordan, and the prior for arms without answers. */
static void find_covariance(const spar__pl *pl, double out[K][K])
{
    double a[K][2 * K] = {{0}};
    size_t r = pl->r;
    for (size_t i = 0; i < r; i++) {
        for (size_t j = 0; j < r; j++)
            for (size_t k = 0; k < r; k++)
                a[i][j] += (k <= i && k <= j) * pl->R[k * pl->stride + i] * pl->R[k * pl->stride + j];
        a[i][r + i] = 1;
    }
    for (size_t p = 0; p < r; p++) {
        double by = a[p][p];
        for (size_t j = 0; j < 2 * r; j++)
            a[p][j] /= by;
        for (size_t i = 0; i < r; i++) {
            double times = a[i][p];
            for (size_t j = 0; i != p && j < 2 * r; j++)
                a[i][j] -= times * a[p][j];
        }
    }
    for (size_t i = 0; i < K; i++)
        for (size_t j = 0; j < K; j++) {
            size_t x = pl->position[i], y = pl->position[j];
            out[i][j] = x && y ? a[x - 1][r + y - 1] : i == j ? pl->sd * pl->sd : 0;
        }
}

static double mean_of(const spar__pl *pl, size_t arm)
{
    return pl->position[arm] ? pl->mean[pl->position[arm] - 1] : 0;
}

/* Does the screen hold the arms nearest to the first? */
static bool is_right(const setup *d, const size_t *arm)
{
    const spar__pl *pl = belief_of(d);
    double covariance[K][K], c[K];
    size_t b = arm[0];
    find_covariance(pl, covariance);
    for (size_t j = 0; j < K; j++) {
        double gap = fmax(0, mean_of(pl, b) - mean_of(pl, j));
        c[j] = gap * gap / (covariance[b][b] + covariance[j][j] - 2 * covariance[b][j]);
    }
    for (size_t slot = 1; slot < M; slot++)
        for (size_t j = 0; j < K; j++) {
            bool shown = j == b;
            for (size_t k = 1; k <= slot; k++)
                shown |= arm[k] == j;
            if (!shown && c[j] < c[arm[slot]] - 1e-9)
                return false;
        }
    return true;
}

static void test_screens(void)
{
    setup d = setup_new("top_two/thompson/pl", K, M, 0, 1);
    for (int t = 0; t < 6; t++) {
        setup_teach(&d, (size_t[]){2, 0, 1}, "ww-");
        setup_teach(&d, (size_t[]){0, 1, 3}, t % 3 ? "wwl" : "ll-");
        setup_teach(&d, (size_t[]){2, 4, 0}, t % 2 ? "wl-" : "l--");
    }
    bool right = true, distinct = true;
    size_t first[K] = {0};
    for (int t = 0; t < 300; t++) {
        const size_t *arm = setup_choose(&d);
        right &= is_right(&d, arm);
        distinct &= arm[0] != arm[1] && arm[0] != arm[2] && arm[1] != arm[2];
        first[arm[0]]++;
    }
    ok(right && distinct, "the first, and the arms that are hardest to tell from it");
    ok(first[2] > first[0] && first[2] > first[1] && first[5] > 0, "the first is drawn from the belief");
    setup_free(&d);
}

/* Arms against which the first is settled come last. */
static void test_settled(void)
{
    setup d = setup_new("top_two(delta=0.5)/thompson/pl", K, M, 0, 1);
    for (int t = 0; t < 14; t++) { /* beyond K / delta = 12 */
        setup_teach(&d, (size_t[]){2, 0, 1}, "ww-");
        setup_teach(&d, (size_t[]){2, 3, 0}, "ww-");
    }
    setup_teach(&d, (size_t[]){2, 4, 5}, "ww-");
    setup_teach(&d, (size_t[]){2, 4, 5}, "ww-");
    bool open = true;
    size_t leads = 0;
    for (int t = 0; t < 200; t++) {
        const size_t *arm = setup_choose(&d);
        leads += arm[0] == 2;
        open &= arm[0] != 2 || (arm[1] + arm[2] == 9 && arm[1] != arm[2]);
    }
    ok(leads > 100 && open, "arms that are not settled before those that are");
    setup_free(&d);
}

static void test_refusals(void)
{
    spar_arms *arms = NULL;
    spar_policy *policy = NULL;
    spar_error err = {0};
    spar_rng birth;
    spar_rng_seed(&birth, 1, 1, 1);
    if (spar_arms_new(K, 0, NULL, NULL, &arms))
        abort();
    ok(spar_policy_new("top_two/thompson/beta", arms, 2, 0, &birth, &policy, &err) == SPAR_UNSUPPORTED &&
           strstr(err.text, "top_two/thompson/pl"),
       "refused: %s", err.text);
    ok(spar_policy_new("top_two/exp3", arms, 2, 0, &birth, &policy, &err) == SPAR_UNSUPPORTED, "refused: %s", err.text);
    spar_arms_free(arms);
}

int main(void)
{
    test_screens();
    test_settled();
    test_refusals();
    return done();
}
