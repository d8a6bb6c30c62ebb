/* A number is m 10^e with whole m. Up to m = 2^53 and |e| = 22 both factors are doubles, and one multiplication or
 * division rounds correctly (Clinger, 1990). Up to 19 digits behind the point the quotient of m by 10^-e is taken in
 * 128 bits and rounded by hand. The rest, which is rare, is left to strtod. */
#include "rank/decimal.h"

#include "base/number.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

static const double power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                               1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

enum { MOST_DIGITS = 19, MOST_POWER = 22, MOST_EXPONENT = 100000 };

static inline bool is_digit(char c)
{
    return (unsigned)c - '0' < 10;
}

/* The digits at text, behind those that m has already. Up to eight are taken at once: a digit's low four bits are its
 * value, neighbours are joined to pairs, pairs to fours, fours to eight, by multiplications that add 10, 100 or 10^4
 * times the first of each to the second. */
static inline const char *scan_digits(const char *text, const char *end, uint64_t *m)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    static const uint64_t unit[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
    if (end - text >= 8) {
        uint64_t word, others;
        memcpy(&word, text, sizeof word);
        word ^= UINT64_C(0x3030303030303030);
        others = (word | (word + UINT64_C(0x7676767676767676))) & UINT64_C(0x8080808080808080);
        unsigned n = others ? (unsigned)__builtin_ctzll(others) / 8 : 8;
        if (n == 0)
            return text;
        word <<= 64 - 8 * n; /* so that zeros stand in front of fewer than eight */
        word = (word * 10 + (word >> 8)) & UINT64_C(0x00ff00ff00ff00ff);
        word = (word * 100 + (word >> 16)) & UINT64_C(0x0000ffff0000ffff);
        word = (word * 10000 + (word >> 32)) & UINT64_C(0xffffffff);
        *m = *m * unit[n] + word;
        text += n;
        if (n < 8)
            return text;
    }
#else
    (void)end;
#endif
    for (; is_digit(*text); text++)
        *m = *m * 10 + (uint64_t)(*text - '0');
    return text;
}

static int bit_length(wide x)
{
    uint64_t high = (uint64_t)(x >> 64), low = (uint64_t)x;
    return high ? 128 - __builtin_clzll(high) : low ? 64 - __builtin_clzll(low) : 0;
}

/* m / 10^places for m > 0, places up to 19, rounded to nearest, ties to even. The numerator is moved up to 127 bits;
 * the quotient then has 63 at least: 53 to keep, the others and the remainder to round by. */
static double divide(uint64_t m, int places)
{
    uint64_t divisor = 1;
    for (int i = 0; i < places; i++)
        divisor *= 10;
    int up = 127 - bit_length(m);
    wide numerator = (wide)m << up, quotient = numerator / divisor;
    bool rest = quotient * divisor != numerator;
    int down = bit_length(quotient) - 53;
    wide half = (wide)1 << (down - 1), low = quotient & (2 * half - 1);
    uint64_t kept = (uint64_t)(quotient >> down);
    if (low > half || (low == half && (rest || (kept & 1))))
        kept++;
    return ldexp((double)kept, down - up);
}

/* The digits of an exponent behind its 'e', or NULL. */
static const char *scan_exponent(const char *text, int *exponent)
{
    bool negative = *text == '-';
    text += *text == '-' || *text == '+';
    if (!is_digit(*text))
        return NULL;
    int value = 0;
    for (; is_digit(*text); text++)
        value = value < MOST_EXPONENT ? value * 10 + (*text - '0') : value;
    *exponent += negative ? -value : value;
    return text;
}

const char *spar__decimal_scan(const char *text, const char *end, double *out)
{
    const char *at = text;
    bool negative = *at == '-';
    at += *at == '-' || *at == '+';
    const char *first = at;
    uint64_t m = 0;
    for (; is_digit(*at); at++)
        m = m * 10 + (uint64_t)(*at - '0');
    bool some = at > first;
    long digits = at - first == 1 && *first == '0' ? 0 : at - first; /* that count, which the 0 of 0.5 does not */
    int exponent = 0;
    if (*at == '.') {
        const char *point = ++at;
        at = scan_digits(at, end, &m);
        some = some || at > point;
        digits += at - point;
        exponent = at - point < MOST_EXPONENT ? -(int)(at - point) : -MOST_EXPONENT;
    }
    if (!some)
        return NULL;
    if ((*at | 32) == 'e' && !(at = scan_exponent(at + 1, &exponent)))
        return NULL;
    double value;
    if (digits <= MOST_DIGITS && m == 0) {
        value = 0;
    } else if (digits <= MOST_DIGITS && m <= (uint64_t)1 << 53 && exponent >= -MOST_POWER && exponent <= MOST_POWER) {
        value = exponent < 0 ? (double)m / power[-exponent] : (double)m * power[exponent];
    } else if (digits <= MOST_DIGITS && exponent < 0 && exponent >= -MOST_DIGITS) {
        value = divide(m, -exponent);
    } else {
        const char *stop;
        *out = spar__scan_double(text, &stop);
        return stop == at ? at : NULL;
    }
    *out = negative ? -value : value;
    return at;
}
