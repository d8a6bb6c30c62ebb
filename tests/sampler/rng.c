#include "sampler/rng.h"

#include "stats.h"
#include "tap.h"

enum { N = 200000 };

static double x[N], y[N];

static void check_published(void)
{
    uint64_t state = 1234567;
    static const uint64_t split[] = {UINT64_C(6457827717110365317), UINT64_C(3203168211198807973),
                                     UINT64_C(9817491932198370423), UINT64_C(4593380528125082431),
                                     UINT64_C(16408922859458223821)};
    bool good = true;
    for (int i = 0; i < 5; i++)
        good = spar__splitmix(&state) == split[i] && good;
    ok(good, "SplitMix64 gives the published words");

    static const uint64_t words[] = {UINT64_C(41943041),
                                     UINT64_C(58720359),
                                     UINT64_C(3588806011781223),
                                     UINT64_C(3591011842654386),
                                     UINT64_C(9228616714210784205),
                                     UINT64_C(9973669472204895162),
                                     UINT64_C(14011001112246962877),
                                     UINT64_C(12406186145184390807),
                                     UINT64_C(15849039046786891736),
                                     UINT64_C(10450023813501588000)};
    spar_rng rng = {.used = 8};
    for (uint64_t lane = 0; lane < 8; lane++)
        for (uint64_t word = 0; word < 4; word++)
            rng.s[word][lane] = lane == 3 ? word + 1 : 99 * lane + word + 1;
    good = true;
    for (int step = 0; step < 10; step++)
        for (int lane = 0; lane < 8; lane++) {
            uint64_t word = spar_rng_next(&rng);
            good = good && (lane != 3 || word == words[step]);
        }
    ok(good, "a lane is xoshiro256++, with the published words, and lanes are drawn in order");
}

/* Streams whose seeds differ by one bit or one, in any of the three words, share nothing. */
static void check_streams(void)
{
    static const uint64_t seeds[][3] = {{1, 1, 1},
                                        {2, 1, 1},
                                        {1, 2, 1},
                                        {1, 1, 2},
                                        {1, 1, 0},
                                        {0, 1, 1},
                                        {1, 0, 1},
                                        {UINT64_C(1) << 63, 1, 1},
                                        {1, UINT64_C(1) << 63, 1},
                                        {0, 0, 0},
                                        {1, 1, 3}};
    enum { STREAMS = sizeof seeds / sizeof *seeds };
    static uint64_t words[STREAMS][4096];
    double worst = 0, worst_bits = 0;
    for (size_t s = 0; s < STREAMS; s++) {
        spar_rng rng;
        spar_rng_seed(&rng, seeds[s][0], seeds[s][1], seeds[s][2]);
        for (int i = 0; i < 4096; i++)
            words[s][i] = spar_rng_next(&rng);
        for (size_t r = 0; r < s; r++) {
            int differ = 0, equal = 0;
            for (int i = 0; i < 4096; i++) {
                differ += __builtin_popcountll(words[s][i] ^ words[r][i]);
                equal += words[s][i] == words[r][i];
            }
            worst = fmax(worst, equal);
            worst_bits = fmax(worst_bits, fabs(deviation(4096 * 64, differ, 0.5)));
        }
    }
    ok(worst == 0 && worst_bits < 5, "nearby (seed, run, purpose) give unrelated streams (%.1f sigma)", worst_bits);

    spar_rng first, second;
    spar_rng_seed(&first, 7, 8, 9);
    spar_rng_seed(&second, 7, 8, 9);
    ok(memcmp(&first, &second, sizeof first) == 0, "the same three give the same stream");
    (void)spar_rng_next(&first);
    second = first;
    ok(spar_rng_next(&first) == spar_rng_next(&second), "a copy goes on the same");
}

static double identity(double v, const void *law)
{
    (void)law;
    return v;
}

static void check_uniform(void)
{
    spar_rng rng;
    spar_rng_seed(&rng, 1, 2, 3);
    double worst = 0, ones[64] = {0};
    for (size_t i = 0; i < N; i++) {
        uint64_t word = spar_rng_next(&rng);
        for (int b = 0; b < 64; b++)
            ones[b] += (double)(word >> b & 1);
    }
    for (int b = 0; b < 64; b++)
        worst = fmax(worst, fabs(deviation(N, ones[b], 0.5)));
    ok(worst < 5, "every bit is fair (%.1f sigma)", worst);
    bool inside = true;
    for (size_t i = 0; i < N; i++) {
        x[i] = y[i] = spar_rng_uniform(&rng);
        inside = inside && x[i] >= 0 && x[i] < 1 && x[i] * 0x1p53 == floor(x[i] * 0x1p53);
    }
    ok(inside, "uniforms are multiples of 2^-53 in [0,1)");
    worst = 0;
    for (size_t lag = 1; lag <= 24; lag++)
        worst = fmax(worst, fabs(serial(N, y, lag)));
    ok(worst < 5, "successive words, lanes and steps are uncorrelated (%.1f sigma)", worst);
    double d = ks(N, x, identity, NULL);
    ok(d < KS_LIMIT, "uniform: KS %.2f", d);
    for (size_t i = 0; i < N; i++)
        x[i] = pow(y[i], 1.02);
    ok(ks(N, x, identity, NULL) > KS_LIMIT, "and KS sees a power of 1.02");
}

static void check_below(void)
{
    spar_rng rng;
    spar_rng_seed(&rng, 4, 5, 6);
    static const uint64_t small[] = {1, 2, 3, 10, 1000};
    for (size_t k = 0; k < sizeof small / sizeof *small; k++) {
        static double count[1000], p[1000];
        uint64_t n = small[k], beyond = 0;
        for (uint64_t i = 0; i < n; i++)
            count[i] = 0, p[i] = 1 / (double)n;
        for (size_t i = 0; i < N; i++) {
            uint64_t v = spar_rng_below(&rng, n);
            beyond += v >= n;
            count[v < n ? v : 0]++;
        }
        double c = chi_square(N, (size_t)n, count, p);
        ok(beyond == 0 && c < 5, "below %d is uniform (%.1f)", (int)n, c);
    }
    uint64_t n = (UINT64_C(1) << 63) + 1;
    double odd = 0, upper = 0, beyond = 0;
    for (size_t i = 0; i < N; i++) {
        uint64_t v = spar_rng_below(&rng, n);
        odd += (double)(v & 1);
        upper += v >= n / 2;
        beyond += v >= n;
    }
    ok(beyond == 0 && fabs(deviation(N, odd, 0.5)) < 5 && fabs(deviation(N, upper, 0.5)) < 5, "below 2^63 + 1");
    /* Words 4k .. 4k+3 fall on 3k, 3k, 3k+1, 3k+2: without the refusal of one the multiples of 3 come twice as often.
     */
    n = UINT64_C(3) << 62;
    double third[3] = {0}, p[3] = {1 / 3.0, 1 / 3.0, 1 / 3.0};
    for (size_t i = 0; i < N; i++)
        third[spar_rng_below(&rng, n) % 3]++;
    ok(chi_square(N, 3, third, p) < 5, "below 3 2^62, where the refusal matters");
    ok(spar_rng_below(&rng, 0) == 0, "below 0 is 0");
}

static void check_shuffle(void)
{
    spar_rng rng;
    spar_rng_seed(&rng, 7, 8, 9);
    double count[24] = {0}, p[24];
    for (int i = 0; i < 24; i++)
        p[i] = 1 / 24.0;
    for (size_t i = 0; i < N; i++) {
        size_t order[4] = {0, 1, 2, 3};
        spar_rng_shuffle(&rng, order, 4);
        size_t code = 0;
        for (size_t j = 0; j < 4; j++) {
            size_t smaller = 0;
            for (size_t k = j + 1; k < 4; k++)
                smaller += order[k] < order[j];
            code = code * (4 - j) + smaller;
        }
        count[code]++;
    }
    double c = chi_square(N, 24, count, p);
    ok(c < 5, "all orders of four are met alike (%.1f)", c);
    size_t nothing = 5;
    spar_rng_shuffle(&rng, &nothing, 1);
    spar_rng_shuffle(&rng, NULL, 0);
    ok(nothing == 5, "one or none is left alone");
}

int main(void)
{
    check_published();
    check_streams();
    check_uniform();
    check_below();
    check_shuffle();
    return done();
}
