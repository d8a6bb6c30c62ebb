/* Normals and Betas in vectors; compiled once per instruction set, the same bits from each.
 *
 * Everything goes in blocks of 8 lanes. A random block is one step of the generator, lane i from generator lane i; the
 * words that wait in its buffer are left for scalar draws.
 *
 * Beta(a,b) for a, b >= 1 through the arcsine: with phi = asin sqrt theta, A = 2a - 1, B = 2b - 1 the density is
 * sin^A phi cos^B phi, whose log has its top at tan phi0 = sqrt(A/B) and everywhere a curvature of at least
 * M = (sqrt A + sqrt B)^2. So the normal law N(phi0, 1/M) is a hat: phi = phi0 + delta, delta = z / sqrt M, is accepted
 * with probability exp(A log p + B log q + z^2/2), where
 *     p = sin phi / sin phi0 = cos delta + sqrt(B/A) sin delta,    q = cos phi / cos phi0 = cos delta - sqrt(A/B) sin
 * delta, when phi is in (0, pi/2), which is: |delta| < pi/2, p > 0, q > 0. Then theta = p^2 A / (p^2 A + q^2 B). p and
 * q are kept as 1 + small, so that nothing is lost at large a and b. At least about 2/3 of the tries succeed. */
#include "num/cpu.h"
#include "num/vec.h"
#include "sampler/laws.h"

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
    vnum c = v_cos_core(angle, v_splat(0)), s = v_sin_core(angle, v_splat(0));
    vmask odd = ODD(word);
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

/* What two blocks of tries need: a normal and an exponential each. */
typedef struct tries {
    double normal[2][8], exponential[2][8];
    int used;
} tries;

/* Six steps. The log of three uniforms is minus a gamma of shape 3, which two more, in order, cut into three
 * independent exponentials: one is half the squared radius of a pair of normals, the others decide on acceptance. One
 * log does for what would take three. */
static void draw_tries(stream *g, tries *t)
{
    for (int part = 0; part < 8 / VW; part++) {
        vnum product = uniform(next(g, part));
        product *= uniform(next(g, part));
        product *= uniform(next(g, part));
        vnum u = uniform(next(g, part)), v = uniform(next(g, part));
        vmask ordered = (vmask)(u < v);
        vnum low = v_select(ordered, u, v), high = v_select(ordered, v, u);
        vnum sum = -v_log_normal(product), radius = root(2.0 * low * sum), x, y;
        direction(next(g, part), &x, &y);
        v_store(t->normal[0] + part * VW, radius * x);
        v_store(t->normal[1] + part * VW, radius * y);
        v_store(t->exponential[0] + part * VW, (high - low) * sum);
        v_store(t->exponential[1] + part * VW, (1.0 - high) * sum);
    }
    t->used = 0;
}

/* log(1 + x): x itself is used where 1 + x needs no scaling. */
V_INLINE vnum log_one_plus(vnum x)
{
    vnum k, m = v_split(1.0 + x, &k);
    return v_log_core(k, v_select((vmask)(k == 0.0), x, m - 1.0), v_splat(0));
}

/* One try for Beta(a,b) in each lane; accepted lanes are all ones. */
V_INLINE vmask try_beta(vnum a, vnum b, vnum z, vnum exponential, vnum *theta)
{
    vnum A = 2.0 * a - 1.0, B = 2.0 * b - 1.0, ra = root(A), rb = root(B);
    vnum sum = ra + rb, product = ra * rb, inverse = 1.0 / (product * sum);
    vnum delta = z * (product * inverse), half = 0.5 * delta;
    vnum s = v_sin_core(half, v_splat(0)), c = v_cos_core(half, v_splat(0));
    vnum sine = 2.0 * s * c, versine = 2.0 * s * s;
    vnum x = B * (sum * inverse) * sine - versine, y = -(A * (sum * inverse)) * sine - versine;
    vnum p = 1.0 + x, q = 1.0 + y;
    vmask inside = (vmask)(half < 0x1.921fb54442d18p-1) & (vmask)(half > -0x1.921fb54442d18p-1) & (vmask)(p > 0.0) &
                   (vmask)(q > 0.0);
    vnum h = A * log_one_plus(x) + B * log_one_plus(y) + 0.5 * z * z;
    vnum odds = p * p * A;
    *theta = odds / (odds + q * q * B);
    return inside & (vmask)(-exponential < h);
}

/* One block of tries. */
static void try_block(stream *g, tries *t, const double *a, const double *b, double *theta, int64_t *good)
{
    if (t->used == 2)
        draw_tries(g, t);
    const double *z = t->normal[t->used], *e = t->exponential[t->used];
    for (int i = 0; i < 8; i += VW) {
        vnum value;
        vmask mask = try_beta(v_load(a + i), v_load(b + i), v_load(z + i), v_load(e + i), &value);
        v_store(theta + i, value);
        memcpy(good + i, &mask, sizeof mask);
    }
    t->used++;
}

/* One block of tries for the first 8 of the waiting values; where fewer wait, each gets several tries, of which the
 * first success counts. Returns how many still wait. */
static size_t retry(stream *g, tries *t, size_t count, size_t *waiting, const double *a, const double *b, double *theta)
{
    double block_a[8], block_b[8], value[8];
    int64_t good[8];
    size_t width = count < 8 ? count : 8, left = 0;
    for (size_t i = 0; i < 8; i++) {
        block_a[i] = a[waiting[i % width]];
        block_b[i] = b[waiting[i % width]];
    }
    try_block(g, t, block_a, block_b, value, good);
    for (size_t i = 0; i < width; i++) {
        size_t lane = i;
        while (lane < 8 && !good[lane])
            lane += width;
        if (lane < 8)
            theta[waiting[i]] = value[lane];
        else
            waiting[left++] = waiting[i];
    }
    for (size_t i = width; i < count; i++)
        waiting[left++] = waiting[i];
    return left;
}

/* Blocks in order; lanes that fail wait until there are 8 of them. At the end those that are left, fewer than 8 values
 * and a ragged end, are tried until all have succeeded. */
static void beta_batch(spar_rng *rng, size_t n, const double *a, const double *b, double *theta)
{
    stream g;
    tries t;
    size_t waiting[16], count = 0, i = 0;
    memcpy(&g, rng->s, sizeof g);
    t.used = 2;
    for (; i + 8 <= n; i += 8) {
        int64_t good[8];
        try_block(&g, &t, a + i, b + i, theta + i, good);
        for (size_t lane = 0; lane < 8; lane++) {
            waiting[count] = i + lane;
            count += good[lane] == 0;
        }
        while (count >= 8)
            count = retry(&g, &t, count, waiting, a, b, theta);
    }
    for (; i < n; i++)
        waiting[count++] = i;
    while (count > 0)
        count = retry(&g, &t, count, waiting, a, b, theta);
    memcpy(rng->s, &g, sizeof g);
}

const spar__sampler_ops SPAR__ISA_NAME(spar__sampler_ops, SPAR_ISA) = {
    .beta_batch = beta_batch,
    .normal_batch = normal_batch,
};
