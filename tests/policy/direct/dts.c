/* The pairs of dts against a plain transcription that draws every theta one by one, from many states. */
#include "policy/direct/counted.h"
#include "sampler/sampler.h"

static size_t random_argmax(const double *value, const bool *allowed, size_t k, spar_rng *rng)
{
    double most = -1;
    size_t ties = 0, at = 0;
    for (size_t i = 0; i < k; i++)
        most = allowed[i] ? fmax(most, value[i]) : most;
    for (size_t i = 0; i < k; i++)
        if (allowed[i] && value[i] == most && spar_rng_below(rng, ++ties) == 0)
            at = i;
    return at;
}

static void rule(const counted *d, double alpha, spar_rng *rng, size_t pair[2])
{
    double theta[MOST][MOST], value[MOST], most = 0;
    bool allowed[MOST];
    for (size_t i = 0; i < d->k; i++) {
        theta[i][i] = 0.5;
        value[i] = 0;
        for (size_t j = 0; j < d->k; j++)
            value[i] += upper(d, i, j, alpha) > 0.5;
        most = fmax(most, value[i]);
        for (size_t j = i + 1; j < d->k; j++) {
            theta[i][j] = spar__beta(rng, d->w[i][j] + 1, d->w[j][i] + 1);
            theta[j][i] = 1 - theta[i][j];
        }
    }
    for (size_t i = 0; i < d->k; i++) {
        allowed[i] = value[i] == most;
        value[i] = 0;
        for (size_t j = 0; j < d->k; j++)
            value[i] += theta[i][j] > 0.5;
    }
    size_t a = pair[0] = random_argmax(value, allowed, d->k, rng);
    for (size_t i = 0; i < d->k; i++) {
        value[i] = i == a ? 0.5 : spar__beta(rng, d->w[i][a] + 1, d->w[a][i] + 1);
        allowed[i] = lower(d, i, a, alpha) <= 0.5;
    }
    pair[1] = random_argmax(value, allowed, d->k, rng);
}

/* Chi-square of two samples of equal size. */
static void compare_samples(counted *d, double alpha, spar_rng *rng, tally *sum)
{
    enum { DRAWS = 3000 };
    double mine[MOST][MOST] = {{0}}, theirs[MOST][MOST] = {{0}}, cells = 0;
    for (size_t r = 0; r < DRAWS; r++) {
        size_t pair[2];
        rule(d, alpha, rng, pair);
        mine[pair[0]][pair[1]]++;
        ask(d);
        theirs[d->setup.round->arm[0]][d->setup.round->arm[1]]++;
    }
    for (size_t i = 0; i < d->k; i++)
        for (size_t j = 0; j < d->k; j++) {
            double x = mine[i][j], y = theirs[i][j];
            sum->forbidden += x == 0 && y > 25; /* probability 3e-8 */
            if (x + y < 10)
                continue;
            sum->chi += (x - y) * (x - y) / (x + y);
            cells++;
        }
    sum->df += cells > 0 ? cells - 1 : 0;
    sum->states++;
}

/* Arms that the rule cannot choose, however the draws fall. */
static void check_bounds(counted *d, double alpha, size_t *crowds, size_t *broken)
{
    size_t above[MOST] = {0}, most = 0, in_c = 0;
    for (size_t i = 0; i < d->k; i++) {
        for (size_t j = 0; j < d->k; j++)
            above[i] += upper(d, i, j, alpha) > 0.5;
        most = above[i] > most ? above[i] : most;
    }
    for (size_t i = 0; i < d->k; i++)
        in_c += above[i] == most;
    *crowds += in_c > 1 && in_c < d->k;
    for (size_t r = 0; r < 300; r++) {
        ask(d);
        *broken += above[d->setup.round->arm[0]] != most ||
                   lower(d, d->setup.round->arm[1], d->setup.round->arm[0], alpha) > 0.5;
    }
}

static void follow(const char *spec, double alpha, double eta)
{
    tally sum = {0};
    size_t crowds = 0, broken = 0;
    for (size_t trial = 0; trial < 48; trial++) {
        size_t k = 2 + trial % 6;
        counted d = counted_new(spec, k, eta, trial);
        double p[MOST][MOST];
        spar_rng luck;
        spar_rng_seed(&luck, trial, 0, 3);
        make_matrix(trial / 6, k, &luck, p);
        size_t length = (size_t)spar_rng_below(&luck, trial % 2 ? 30 : 300);
        for (size_t r = 0; r < length; r++) {
            ask(&d);
            if (spar_rng_next(&luck) & 1) {
                size_t i = (size_t)spar_rng_below(&luck, k), j = (size_t)spar_rng_below(&luck, k);
                tell_of(&d, i, j, draw_answer(p[i][j], 0.2, &luck));
            } else {
                tell(&d, draw_answer(p[d.setup.round->arm[0]][d.setup.round->arm[1]], 0.1, &luck));
            }
            if (r % 11 == 0)
                check_bounds(&d, alpha, &crowds, &broken);
        }
        compare_samples(&d, alpha, &luck, &sum);
        counted_free(&d);
    }
    judge(&sum, spec);
    ok(broken == 0 && crowds > 10, "%s: keeps within the bounds (%zu states with some candidates)", spec, crowds);
}

/* Many arms, so that their pairs are drawn in several pieces: who comes first, and that both keep within the bounds. */
static void follow_crowd(const char *spec, double alpha, double eta)
{
    enum { DRAWS = 2000 };
    static const size_t sizes[] = {9, 16, 17, 40};
    double chi = 0, df = 0;
    size_t crowds = 0, broken = 0;
    for (size_t trial = 0; trial < 32; trial++) {
        size_t k = sizes[trial % 4], length = k * (trial < 8 ? 2 : trial < 16 ? 20 : 100);
        counted d = counted_new(spec, k, eta, trial);
        double p[MOST][MOST], mine[MOST] = {0}, theirs[MOST] = {0}, cells = 0;
        spar_rng luck;
        spar_rng_seed(&luck, trial, 5, 3);
        make_matrix(trial / 4, k, &luck, p);
        for (size_t r = 0; r < length; r++) {
            ask(&d);
            tell(&d, draw_answer(p[d.setup.round->arm[0]][d.setup.round->arm[1]], 0.1, &luck));
            if (r % 31 == 0)
                check_bounds(&d, alpha, &crowds, &broken);
        }
        for (size_t r = 0; r < DRAWS; r++) {
            size_t pair[2];
            rule(&d, alpha, &luck, pair);
            mine[pair[0]]++;
            ask(&d);
            theirs[d.setup.round->arm[0]]++;
        }
        for (size_t i = 0; i < k; i++)
            if (mine[i] + theirs[i] >= 10) {
                chi += (mine[i] - theirs[i]) * (mine[i] - theirs[i]) / (mine[i] + theirs[i]);
                cells++;
            }
        df += cells - 1;
        counted_free(&d);
    }
    ok(fabs(chi - df) < 5 * sqrt(2 * df), "%s: the first of up to 40 arms (chi-square %.0f, %.0f degrees)", spec, chi,
       df);
    ok(broken == 0 && crowds > 50, "%s: within the bounds (%zu states with some candidates)", spec, crowds);
}

/* eta is added to the winner's count: with it the bounds shrink as with eta as many duels. */
static void weight_of_a_win(void)
{
    counted one = counted_new("dts", 4, 1, 1), three = counted_new("dts(eta=3)", 4, 3, 1);
    bool same = true;
    for (size_t r = 0; r < 3; r++)
        tell_of(&one, 1, 2, SPAR_WIN);
    tell_of(&one, 0, 1, SPAR_TIE);
    tell_of(&one, 0, 1, SPAR_TIE);
    tell_of(&one, 0, 1, SPAR_TIE);
    tell_of(&three, 1, 2, SPAR_WIN);
    tell_of(&three, 0, 1, SPAR_TIE);
    for (size_t r = 0; r < 4; r++)
        tell_of(&three, 3, 3, SPAR_WIN); /* only passes the time */
    for (size_t r = 0; r < 500; r++) {
        ask(&one);
        ask(&three);
        same &= one.setup.round->arm[0] == three.setup.round->arm[0] &&
                one.setup.round->arm[1] == three.setup.round->arm[1];
    }
    ok(same && one.t == three.t, "three wins, or one that counts three: the same play");
    counted_free(&one);
    counted_free(&three);
}

/* Sixteen wins and no loss: the loser comes out above 1/2 once in 2^17 draws, less often than 16 bits can say. With
 * wide bounds both arms are candidates, and neither is ruled out as the second. */
static void rare_events(void)
{
    enum { DRAWS = 1 << 23, EXPECTED = DRAWS >> 17 };
    counted d = counted_new("dts(alpha=1000)", 2, 1, 11);
    double first = 0, second = 0;
    for (size_t r = 0; r < 16; r++)
        tell_of(&d, 1, 0, SPAR_WIN);
    for (size_t r = 0; r < DRAWS; r++) {
        ask(&d);
        first += d.setup.round->arm[0] == 0;
        second += d.setup.round->arm[0] == 1 && d.setup.round->arm[1] == 0;
    }
    near(first, EXPECTED, 5 * sqrt(EXPECTED), "an upset of 2^-17 for the first arm");
    near(second, EXPECTED, 5 * sqrt(EXPECTED), "and for the second");
    counted_free(&d);
}

/* Arm 0 leads two others, one by a little and one by so much that it seldom comes out above 1/2, and then the values
 * say who is second: against the plain rule. */
static void rare_rivals(void)
{
    enum { DRAWS = 1 << 20 };
    counted d = counted_new("dts(alpha=1000)", 3, 1, 12);
    double got[3] = {0}, wanted[3] = {0}, firsts = 0, worst = 0;
    spar_rng luck;
    spar_rng_seed(&luck, 12, 0, 4);
    for (size_t r = 0; r < 40; r++) {
        tell_of(&d, 0, 1, r < 21 ? SPAR_WIN : SPAR_LOSS);
        tell_of(&d, 0, 2, r < 23 ? SPAR_WIN : SPAR_LOSS);
    }
    for (size_t r = 0; r < DRAWS; r++) {
        ask(&d);
        firsts += d.setup.round->arm[0] == 0;
        got[d.setup.round->arm[1]] += d.setup.round->arm[0] == 0;
        double one = spar__beta(&luck, 20, 22), two = spar__beta(&luck, 18, 24);
        wanted[fmax(one, two) <= 0.5 ? 0 : one > two ? 1 : 2]++;
    }
    for (size_t i = 0; i < 3; i++) {
        double p = wanted[i] / DRAWS;
        worst = fmax(worst, fabs(got[i] / firsts - p) / sqrt(p * (1 - p) * (1 / firsts + 1.0 / DRAWS)));
    }
    ok(firsts > 0.3 * DRAWS && worst < 5, "a rival that seldom leads (%.1f sigma)", worst);
    counted_free(&d);
}

int main(void)
{
    follow("dts", 0.51, 1);
    follow("dts(eta=2.5)", 0.51, 2.5);
    follow("dts(alpha=0.05)", 0.05, 1);
    follow("dts(alpha=0)", 0, 1);
    follow_crowd("dts", 0.51, 1);
    follow_crowd("dts(eta=2.5)", 0.51, 2.5);
    follow_crowd("dts(alpha=0.05)", 0.05, 1);
    weight_of_a_win();
    rare_events();
    rare_rivals();
    keeps_books("dts", 1);
    keeps_books("dts(eta=2.5)", 2.5);
    keeps_books("dts(alpha=0.05)", 1);
    endures("dts");
    return done();
}
