/* Normals and Betas in vectors; compiled once per instruction set, the same bits from each.
 *
 * Everything goes in blocks of 8 lanes. A random block is one step of the generator, lane i from generator lane i; the
 * words that wait in its buffer are left for scalar draws.
 *
 * Beta(a,b) for a, b >= 1 through the arcsine: with phi = asin sqrt theta, A = 2a - 1, B = 2b - 1 the density is
 * sin^A phi cos^B phi, whose log has its top at tan phi0 = sqrt(A/B) and everywhere a curvature of at least
 * M = (sqrt A + sqrt B)^2. So the normal law N(phi0, 1/M) is a hat: phi = phi0 + delta, delta = z / sqrt M, is accepted
 * with probability exp(A log p + B log q + z^2/2), where
 *     p = sin phi / sin phi0 = cos delta + sqrt(B/A) sin delta,
 *     q = cos phi / cos phi0 = cos delta - sqrt(A/B) sin delta,
 * when phi is in (0, pi/2), which is: |delta| < pi/2, p > 0, q > 0. Then theta = p^2 A / (p^2 A + q^2 B). p and
 * q are kept as 1 + small, so that nothing is lost at large a and b. At least about 2/3 of the tries succeed. */
#include "num/elementary.h"
#include "num/vec.h"
#include "sampler/sampler.h"

#include <stdbool.h>

#define LN2 0x1.62e42fefa39efp-1
#define QUARTER_PI 0x1.921fb54442d18p-1

typedef struct stream {
    vbits s[4][8 / VW];
} stream;

V_INLINE vbits rotate(vbits x, int k)
{
    return (x << k) | (x >> (64 - k));
}

V_INLINE vbits next(stream *g, int part)
{
    vbits a = g->s[0][part], b = g->s[1][part], c = g->s[2][part] ^ a, d = g->s[3][part] ^ b;
    vbits out = rotate(a + g->s[3][part], 23) + a;
    g->s[0][part] = a ^ d;
    g->s[1][part] = b ^ c;
    g->s[2][part] = c ^ (b << 17);
    g->s[3][part] = rotate(d, 45);
    return out;
}

/* In (0,1), an odd multiple of 2^-53; the same as spar__uniform_open. */
V_INLINE vnum uniform(vbits word)
{
    return (vnum)((word >> 12) | UINT64_C(0x3ff0000000000000)) - (1 - 0x1p-53);
}

/* A uniform direction: an angle within pi/4 from the high bits, a quarter turn from the lowest two. */
V_INLINE void direction(vbits word, vnum *x, vnum *y)
{
    vnum angle = (uniform(word) - 0.5) * 0x1.921fb54442d18p+0;
    vnum c, s;
    v_sincos_short(angle, &s, &c);
    vmask odd = LOW_BIT(word);
    *x = (vnum)((vbits)v_select(odd, s, c) ^ (((word + 1) & 2) << 62));
    *y = (vnum)((vbits)v_select(odd, c, s) ^ ((word & 2) << 62));
}

/* Each lane its own correctly rounded root: the instruction is the same at every width. */
V_INLINE vnum root(vnum x)
{
    vnum r;
    for (int i = 0; i < VW; i++)
        r[i] = __builtin_sqrt(x[i]);
    return r;
}

static void normal_batch(spar_rng *rng, size_t n, double *out)
{
    stream g;
    memcpy(&g, rng->s, sizeof g);
    for (size_t i = 0; i < n; i += 16) {
        double block[16], *to = n - i < 16 ? block : out + i;
        for (int part = 0; part < 8 / VW; part++) {
            vbits radius_word = next(&g, part);
            vnum x, y, radius = root(-2.0 * v_log_normal(uniform(radius_word)));
            direction(next(&g, part), &x, &y);
            v_store(to + part * VW, radius * x);
            v_store(to + 8 + part * VW, radius * y);
        }
        if (to == block)
            memcpy(out + i, block, (n - i) * sizeof *out);
    }
    memcpy(rng->s, &g, sizeof g);
}

/* A round of tries: 16 lanes, a normal and an exponential for each. */
enum { TRIES = 16 };

typedef struct tries {
    double normal[TRIES], exponential[TRIES];
} tries;

/* 1 + x = 2^k (1 + f) with 1 + f in [sqrt 1/2, sqrt 2); f = x exactly where k = 0. */
V_INLINE vnum reduce(vnum x, vnum *k)
{
    vnum m = v_split(1.0 + x, k);
    return v_select((vmask)(*k == 0.0), x, m - 1.0);
}

/* A log(1 + x) + B log(1 + y); the two logs share a division. */
V_INLINE vnum log_sum(vnum A, vnum x, vnum B, vnum y)
{
    vnum j, k, f = reduce(x, &j), g = reduce(y, &k);
    vnum below_f = 2.0 + f, below_g = 2.0 + g, inverse = 1.0 / (below_f * below_g);
    vnum s = f * (below_g * inverse), t = g * (below_f * inverse);
    return A * (s * (2.0 + v_log_series(s * s)) + j * LN2) + B * (t * (2.0 + v_log_series(t * t)) + k * LN2);
}

V_INLINE bool any(vmask m)
{
    int64_t bits = 0;
    for (int i = 0; i < VW; i++)
        bits |= m[i];
    return bits != 0;
}

/* One try for Beta(a,b) in each lane; accepted lanes are all ones.
 *
 * Most are decided without a log. For |t| <= 1/2, log(1 + t) lies between t - t^2/2 + t^3/3 - c t^4 with c = 0.424 and
 * with c = 0.179, since (t - t^2/2 + t^3/3 - log(1 + t)) / t^4 falls with t from 0.4237 to 0.1792; and the linear terms
 * are A x + B y = -(A + B) (1 - cos delta). A lane that is decided so keeps the decision even if another lane of the
 * vector needs the logs: the result must not depend on the width of vectors. */
V_INLINE vmask try_beta(vnum a, vnum b, vnum z, vnum exponential, vnum *theta)
{
    vnum A = 2.0 * a - 1.0, B = 2.0 * b - 1.0, n = A + B, ra = root(A), rb = root(B);
    vnum sum = ra + rb, product = ra * rb, scale = product * sum, inverse = 1.0 / (scale * n);
    vnum over_product = sum * n * inverse; /* 1 / sqrt(A B) */
    vnum half = 0.5 * z * (product * n * inverse), s, c;
    v_sincos_short(half, &s, &c);
    vnum sine = 2.0 * s * c, versine = 2.0 * s * s;
    vnum x = B * over_product * sine - versine, y = -(A * over_product) * sine - versine;
    vnum p = 1.0 + x, value = p * p * (A * (scale * inverse));
    *theta = v_select((vmask)(value < 1.0), value, v_splat(1.0));

    vnum x2 = x * x, y2 = y * y, ax = A * x2, by = B * y2, square = 0.5 * z * z;
    vnum cubic = (square - n * versine) + (ax * (x * (1.0 / 3) - 0.5) + by * (y * (1.0 / 3) - 0.5));
    vnum quartic = ax * x2 + by * y2;
    vmask inside = (vmask)(half * half < QUARTER_PI * QUARTER_PI) & (vmask)(x > -1.0) & (vmask)(y > -1.0);
    vmask small = (vmask)(x2 <= 0.25) & (vmask)(y2 <= 0.25);
    vmask good = inside & small & (vmask)(-exponential < cubic - SPAR__LOG_LOW * quartic);
    vmask open = inside & ~good & ~(small & (vmask)(-exponential >= cubic - SPAR__LOG_HIGH * quartic));
    if (any(open))
        good |= open & (vmask)(-exponential < log_sum(A, x, B, y) + square);
    return good;
}

/* One round of tries, of which the first `lanes` are made; good lanes are all ones. */
static void try_round(stream *g, size_t lanes, const double *a, const double *b, double *theta, int64_t *good)
{
    tries t;
    /* Six steps. The log of three uniforms is minus a gamma of shape 3, which two more, in order, cut into three
     * independent exponentials: one is half the squared radius of a pair of normals, the others decide on acceptance.
     * One log does for what would take three. */
    for (int part = 0; part < 8 / VW; part++) {
        vnum product = uniform(next(g, part));
        product *= uniform(next(g, part));
        product *= uniform(next(g, part));
        vnum u = uniform(next(g, part)), v = uniform(next(g, part));
        vmask ordered = (vmask)(u < v);
        vnum low = v_select(ordered, u, v), high = v_select(ordered, v, u);
        vnum sum = -v_log_normal(product), radius = root(2.0 * low * sum), x, y;
        direction(next(g, part), &x, &y);
        v_store(t.normal + part * VW, radius * x);
        v_store(t.normal + 8 + part * VW, radius * y);
        v_store(t.exponential + part * VW, (high - low) * sum);
        v_store(t.exponential + 8 + part * VW, (1.0 - high) * sum);
    }
    for (size_t i = 0; i < lanes; i += VW) {
        vnum value;
        vmask mask = try_beta(v_load(a + i), v_load(b + i), v_load(t.normal + i), v_load(t.exponential + i), &value);
        v_store(theta + i, value);
        memcpy(good + i, &mask, sizeof mask);
    }
}

/* One round for the first 16 of the waiting values; where fewer wait, each gets several tries, of which the first
 * success counts; for four or fewer half a round will do. Returns how many still wait. */
static size_t retry(stream *g, size_t count, size_t *waiting, const double *a, const double *b, double *theta)
{
    double round_a[TRIES], round_b[TRIES], value[TRIES];
    int64_t good[TRIES];
    size_t lanes = count > 4 ? TRIES : 8, width = count < TRIES ? count : TRIES, left = 0;
    for (size_t i = 0, from = 0; i < lanes; i++, from = from + 1 < width ? from + 1 : 0) {
        round_a[i] = a[waiting[from]];
        round_b[i] = b[waiting[from]];
    }
    try_round(g, lanes, round_a, round_b, value, good);
    for (size_t i = 0; i < width; i++) {
        size_t lane = i;
        while (lane < lanes && !good[lane])
            lane += width;
        if (lane < lanes)
            theta[waiting[i]] = value[lane];
        else
            waiting[left++] = waiting[i];
    }
    for (size_t i = width; i < count; i++)
        waiting[left++] = waiting[i];
    return left;
}

/* Rounds in order; lanes that fail wait until there are 16 of them. At the end those that are left and a ragged end are
 * tried until all have succeeded. */
static void beta_batch(spar_rng *rng, size_t n, const double *a, const double *b, double *theta)
{
    stream g;
    size_t waiting[2 * TRIES], count = 0, i = 0;
    memcpy(&g, rng->s, sizeof g);
    for (; i + TRIES <= n; i += TRIES) {
        int64_t good[TRIES];
        try_round(&g, TRIES, a + i, b + i, theta + i, good);
        for (size_t lane = 0; lane < TRIES; lane++) {
            waiting[count] = i + lane;
            count += good[lane] == 0;
        }
        while (count >= TRIES)
            count = retry(&g, count, waiting, a, b, theta);
    }
    for (; i < n; i++)
        waiting[count++] = i;
    while (count > 0)
        count = retry(&g, count, waiting, a, b, theta);
    memcpy(rng->s, &g, sizeof g);
}

const spar__sampler_ops SPAR__ISA_NAME(spar__sampler_ops, SPAR_ISA) = {
    .beta_batch = beta_batch,
    .normal_batch = normal_batch,
};
