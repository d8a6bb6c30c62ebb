/* The values of features against strtod, which glibc rounds correctly. */
#include "rank/letor.h"

#include "sampler/rng.h"

#include "tap.h"

#include <stdint.h>
#include <stdlib.h>

/* Reads "1:value" at the start of a line; where the value ends, or NULL. */
static const char *read_value(const char *line, double *out)
{
    const char *at = line;
    uint32_t feature;
    const spar__location place = {"f", 1, line, line + strlen(line)};
    return spar__letor_pair(&place, &at, &feature, out, NULL) ? NULL : at;
}

static bool agrees(const char *text)
{
    static const char *const tails[] = {"", " 12:0.5 13:1", "\n", "#"};
    double wanted = strtod(text, NULL);
    for (size_t t = 0; t < sizeof tails / sizeof *tails; t++) {
        char whole[128];
        double got = 0;
        (void)snprintf(whole, sizeof whole, "1:%s%s", text, tails[t]);
        const char *end = read_value(whole, &got);
        if (end != whole + 2 + strlen(text) || memcmp(&got, &wanted, sizeof got) != 0) {
            printf("# \"%s\": got %.17g, wanted %.17g\n", whole, got, wanted);
            return false;
        }
    }
    return true;
}

static void check_chosen(void)
{
    static const char *const texts[] = {"0",
                                        "1",
                                        "+1",
                                        "-1",
                                        "1.",
                                        ".5",
                                        "-.5",
                                        "0.000000",
                                        "0.007477",
                                        "12345678",
                                        "123456789.123456789",
                                        "1e5",
                                        "1E-5",
                                        "1e+22",
                                        "1e23",
                                        "1e-22",
                                        "1e-23",
                                        "9007199254740993",
                                        "9007199254740992e22",
                                        "9007199254740993e-1",
                                        "0.12345678901234567",
                                        "0.1234567890123456789",
                                        "12345678901234567890",
                                        "0.99999999999999999999",
                                        "1e-400",
                                        "4.9e-324",
                                        "2.2250738585072011e-308",
                                        "1.7976931348623157e308",
                                        "0.5000000000000000277",
                                        "1.00000000000000011102",
                                        "1.000000000000000111",
                                        "1.000000000000000333",
                                        "9.007199254740993",
                                        "900719925474099.3",
                                        "0e999999999999",
                                        "0.0000000000000000000000000000001",
                                        "1234567.12345678",
                                        "1.23456789012345678",
                                        "9999999999999999999",
                                        "0.9999999999999999999",
                                        "18446744073709551615",
                                        "18446744073709551616",
                                        "1844674407370955161.5"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        ok(agrees(texts[i]), "%s", texts[i]);
    double zero = 1;
    ok(read_value("1:-0", &zero) && zero == 0, "-0 is zero");
}

static void check_random(void)
{
    spar_rng rng;
    spar_rng_seed(&rng, 1, 1, 1);
    int wrong = 0;
    for (int i = 0; i < 300000; i++) {
        char text[64];
        uint64_t digits = spar_rng_next(&rng) >> spar_rng_below(&rng, 64);
        int places = (int)spar_rng_below(&rng, 22), exponent = (int)spar_rng_below(&rng, 60) - 30;
        const char *sign = spar_rng_below(&rng, 2) ? "-" : "";
        if (i % 3 == 0)
            (void)snprintf(text, sizeof text, "%s0.%0*llu", sign, places + 1, (unsigned long long)digits);
        else if (i % 3 == 1)
            (void)snprintf(text, sizeof text, "%s%llu.%0*llu", sign, (unsigned long long)(digits % 1000),
                           places % 10 + 1, (unsigned long long)(digits / 1000 % 10000000));
        else
            (void)snprintf(text, sizeof text, "%s%llue%d", sign, (unsigned long long)digits, exponent);
        wrong += !agrees(text);
    }
    ok(wrong == 0, "300000 random decimals have the bits of strtod's");
    for (int i = 0; i < 100000; i++) { /* doubles as programs print them */
        char text[64];
        (void)snprintf(text, sizeof text, "%.17g", spar_rng_uniform(&rng));
        wrong += !agrees(text);
    }
    ok(wrong == 0, "100000 doubles of 17 digits come back");
    for (int i = 0; i < 200000; i++) { /* digits enough for remainders to matter */
        char text[64];
        (void)snprintf(text, sizeof text, "0.%019llu",
                       (unsigned long long)(spar_rng_next(&rng) % 10000000000000000000u));
        wrong += !agrees(text);
    }
    ok(wrong == 0, "200000 numbers of 19 digits");
    for (int i = 0; i < 100000; i++) { /* half way between two doubles: the last digits decide */
        char text[64];
        uint64_t odd = (spar_rng_next(&rng) >> 11 | (uint64_t)1 << 52) * 2 + 1;
        (void)snprintf(text, sizeof text, "%llu.%s%llu", (unsigned long long)odd, i % 2 ? "00" : "",
                       (unsigned long long)(i % 3));
        wrong += !agrees(text);
    }
    ok(wrong == 0, "100000 numbers half way between two doubles");
}

static void check_refused(void)
{
    static const char *const texts[] = {"",    "-",   ".",   "e5", "nan",   "inf", "-inf", "NaN", "1e",
                                        "1e-", "1e+", "+-1", "x",  "1e309", "--1", " 1",   "0x10"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char line[32];
        double value = 7;
        (void)snprintf(line, sizeof line, "1:%s", texts[i]);
        ok(!read_value(line, &value), "refused: '%s'", texts[i]);
    }
}

int main(void)
{
    check_chosen();
    check_random();
    check_refused();
    return done();
}
