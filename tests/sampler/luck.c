#include "sampler/rng.h"

#include "stats.h"
#include "tap.h"

static void check_published(void)
{
    static const uint32_t known[][10] = {
        {0, 0, 0, 0, 0, 0, 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8},
        {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0x408f276d, 0x41c83b0e, 0xa20bc7c6,
         0x6d5451fd},
        {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0, 0xd16cfe09, 0x94fdcceb, 0x5001e420,
         0x24126ea1},
    };
    for (size_t i = 0; i < 3; i++) {
        uint32_t out[4];
        spar__philox(known[i], known[i] + 4, out);
        ok(memcmp(out, known[i] + 6, sizeof out) == 0, "Philox4x32-10 gives the published block %d", (int)i);
    }
    spar__luck luck = {UINT64_C(0x299f31d0a4093822)};
    uint64_t round = UINT64_C(0x85a308d3243f6a88);
    ok(spar__luck_bits(luck, round, 0x03707344, 2 * 0x13198a2eu) == UINT64_C(0x94fdccebd16cfe09) &&
           spar__luck_bits(luck, round, 0x03707344, 2 * 0x13198a2eu + 1) == UINT64_C(0x24126ea15001e420),
       "the counter is (round, index / 2, channel), the parity picks the word");
}

static void check_fill(void)
{
    spar__luck luck = spar__luck_make(1, 2, 3);
    uint64_t words[41];
    bool good = true;
    for (size_t n = 0; n <= 40; n++) {
        words[n] = 77;
        spar__luck_fill(luck, 12345678901u, 9, n, words);
        for (size_t i = 0; i < n; i++)
            good = good && words[i] == spar__luck_bits(luck, 12345678901u, 9, (uint32_t)i);
        good = good && words[n] == 77;
    }
    ok(good, "many at once equal one at a time");
}

/* A change of one in any coordinate changes half of the bits, and the numbers along each coordinate are uniform. */
static void check_coordinates(void)
{
    enum { N = 50000 };
    spar__luck luck = spar__luck_make(1, 1, 1),
               others[] = {spar__luck_make(2, 1, 1), spar__luck_make(1, 2, 1), spar__luck_make(1, 1, 2)};
    double differ[6] = {0}, sum[3] = {0};
    static double x[N];
    for (uint32_t i = 0; i < N; i++) {
        uint64_t word = spar__luck_bits(luck, i, 5, 6);
        differ[0] += __builtin_popcountll(word ^ spar__luck_bits(luck, i + 1, 5, 6));
        differ[1] += __builtin_popcountll(word ^ spar__luck_bits(luck, i, 4, 6));
        differ[2] += __builtin_popcountll(word ^ spar__luck_bits(luck, i, 5, 7));
        for (int k = 0; k < 3; k++)
            differ[3 + k] += __builtin_popcountll(word ^ spar__luck_bits(others[k], i, 5, 6));
        sum[0] += x[i] = spar__luck_uniform(luck, i, 0, 0);
        sum[1] += spar__luck_uniform(luck, 0, i, 0);
        sum[2] += spar__luck_uniform(luck, 0, 0, i);
    }
    for (int k = 0; k < 6; k++)
        ok(fabs(deviation((size_t)N * 64, differ[k], 0.5)) < 5, "coordinate %d changes half of the bits", k);
    for (int k = 0; k < 3; k++)
        near(sum[k] / N, 0.5, 5 / sqrt(12.0 * N), "uniforms along coordinate %d", k);
    ok(fabs(serial(N, x, 1)) < 5 && fabs(serial(N, x, 2)) < 5, "and uncorrelated along rounds");
    ok(spar__luck_uniform(luck, 3, 2, 1) == (double)(spar__luck_bits(luck, 3, 2, 1) >> 11) * 0x1p-53, "53 bits");
}

int main(void)
{
    check_published();
    check_fill();
    check_coordinates();
    return done();
}
