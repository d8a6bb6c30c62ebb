/* sampler.c - the laws drawn from a generator, one value at a time: each section names its method and what it costs in
 * words of the generator. The vector forms are in batch.c. */
#include "sampler/sampler.h"

#include "num/elementary.h"
#include "num/special.h"

#include <math.h>

double spar__uniform_open(spar_rng *rng)
{
    return (double)(spar__rng_next(rng) >> 12) * 0x1p-52 + 0x1p-53;
}

double spar__exponential(spar_rng *rng)
{
    return -spar__log(spar__uniform_open(rng));
}

/* The normal law by the ziggurat (Marsaglia and Tsang, 2000): 256 layers of equal area under exp(-x^2/2), the lowest
 * with the tail. One word picks the layer (8 bits), the sign (1 bit) and the place in it (53 bits). */

/* The right edges of the 256 layers, widest first; the first is the width that gives the layer with the tail the common
 * area. tests/sampler/normal.c checks them. */
/* clang-format off */
const double spar__normal_edge[257] = {
    0x1.f493b7815d982p+1, 0x1.d3bb48209ad33p+1, 0x1.b981f3878fdb0p+1, 0x1.a8fdc78947759p+1, 0x1.9cbee014057aap+1,
    0x1.92ee0946f4496p+1, 0x1.8ab0fbfaa7c14p+1, 0x1.839030529f233p+1, 0x1.7d42df4d6ce8bp+1, 0x1.7799556090672p+1,
    0x1.72728f05f7a33p+1, 0x1.6db6b8d09e231p+1, 0x1.69540be9fe5c2p+1, 0x1.653ce7b006aeap+1, 0x1.61669cf861e4bp+1,
    0x1.5dc8a243ad0fep+1, 0x1.5a5c08b718dd9p+1, 0x1.571b1a94ae41cp+1, 0x1.54011523a7e43p+1, 0x1.5109f53e9ac42p+1,
    0x1.4e3250dcd8903p+1, 0x1.4b7739d6b5a28p+1, 0x1.48d62759c43bdp+1, 0x1.464ce44a73a16p+1, 0x1.43d9815545e94p+1,
    0x1.417a49cb9e5dbp+1, 0x1.3f2dbaa60f475p+1, 0x1.3cf27b31704a6p+1, 0x1.3ac7570ae88fap+1, 0x1.38ab39256410ap+1,
    0x1.369d27a33a840p+1, 0x1.349c405ae12a3p+1, 0x1.32a7b5e68a4a3p+1, 0x1.30becd256aeeep+1, 0x1.2ee0db1a978f5p+1,
    0x1.2d0d43196db97p+1, 0x1.2b437532a0a53p+1, 0x1.2982ecd770e78p+1, 0x1.27cb2faa8592ep+1, 0x1.261bcc77658e0p+1,
    0x1.24745a4ac9c24p+1, 0x1.22d477a6fd3efp+1, 0x1.213bc9d04cc82p+1, 0x1.1fa9fc2e2d901p+1, 0x1.1e1ebfbe4ae39p+1,
    0x1.1c99ca971a695p+1, 0x1.1b1ad777f2f8fp+1, 0x1.19a1a564eebadp+1, 0x1.182df74d21262p+1, 0x1.16bf93b9deef5p+1,
    0x1.1556448602e3dp+1, 0x1.13f1d69c4096fp+1, 0x1.129219bbb5d37p+1, 0x1.1136e04207043p+1, 0x1.0fdffefa69fb8p+1,
    0x1.0e8d4cf116594p+1, 0x1.0d3ea34aa3d32p+1, 0x1.0bf3dd1eed449p+1, 0x1.0aacd7571c0c5p+1, 0x1.0969708e8a255p+1,
    0x1.082988f632e18p+1, 0x1.06ed023a72669p+1, 0x1.05b3bf6adb37ep+1, 0x1.047da4e3ef5c7p+1, 0x1.034a983a902abp+1,
    0x1.021a8028fc947p+1, 0x1.00ed447d3a075p+1, 0x1.ff859c118f60bp+0, 0x1.fd360d22fe785p+0, 0x1.faebb187122bfp+0,
    0x1.f8a6604899782p+0, 0x1.f665f20c90168p+0, 0x1.f42a40fb74d6dp+0, 0x1.f1f328ac25321p+0, 0x1.efc086101eca9p+0,
    0x1.ed9237610a73ap+0, 0x1.eb681c0f76f08p+0, 0x1.e94214b2abf09p+0, 0x1.e72002f97fe23p+0, 0x1.e501c99c1d186p+0,
    0x1.e2e74c4ea46f3p+0, 0x1.e0d06fb49d219p+0, 0x1.debd195522e34p+0, 0x1.dcad2f8fc490cp+0, 0x1.daa0999206e6ep+0,
    0x1.d8973f4d7fba4p+0, 0x1.d691096e7f123p+0, 0x1.d48de1533c647p+0, 0x1.d28db1037ef20p+0, 0x1.d0906328b8f6ep+0,
    0x1.ce95e3068e037p+0, 0x1.cc9e1c73bd690p+0, 0x1.caa8fbd36a2abp+0, 0x1.c8b66e0eba617p+0, 0x1.c6c6608ec8705p+0,
    0x1.c4d8c136e0d1dp+0, 0x1.c2ed7e5f07a2dp+0, 0x1.c10486cec16a0p+0, 0x1.bf1dc9b81ae82p+0, 0x1.bd3936b2ec0a2p+0,
    0x1.bb56bdb85256ep+0, 0x1.b9764f1e5f73dp+0, 0x1.b797db93f8928p+0, 0x1.b5bb541ce3d04p+0, 0x1.b3e0aa0e00c01p+0,
    0x1.b207cf09a985cp+0, 0x1.b030b4fc3a11bp+0, 0x1.ae5b4e18bb338p+0, 0x1.ac878cd5af5cfp+0, 0x1.aab563e9ff10ap+0,
    0x1.a8e4c64a0313fp+0, 0x1.a715a724aa9a7p+0, 0x1.a547f9e0bbb8bp+0, 0x1.a37bb21a2c85ep+0, 0x1.a1b0c39f93696p+0,
    0x1.9fe7226fad24dp+0, 0x1.9e1ec2b6f7414p+0, 0x1.9c5798cd5d92ep+0, 0x1.9a919933f99c1p+0, 0x1.98ccb892e2a33p+0,
    0x1.9708ebb70d5efp+0, 0x1.954627903a28bp+0, 0x1.9384612ef0afep+0, 0x1.91c38dc288349p+0, 0x1.9003a2973b591p+0,
    0x1.8e44951446a28p+0, 0x1.8c865aba10c9dp+0, 0x1.8ac8e9205c044p+0, 0x1.890c35f47f72ep+0, 0x1.875036f7a7ec7p+0,
    0x1.8594e1fd1f5bep+0, 0x1.83da2ce899f16p+0, 0x1.82200dac88677p+0, 0x1.80667a486ea1fp+0, 0x1.7ead68c73dee7p+0,
    0x1.7cf4cf3db22fcp+0, 0x1.7b3ca3c8b140ap+0, 0x1.7984dc8babd94p+0, 0x1.77cd6faeff44ap+0, 0x1.7616535e57320p+0,
    0x1.745f7dc70eeddp+0, 0x1.72a8e516914c7p+0, 0x1.70f27f78b68ecp+0, 0x1.6f3c43161f856p+0, 0x1.6d8626128d354p+0,
    0x1.6bd01e8b343bdp+0, 0x1.6a1a22950b2b3p+0, 0x1.6864283b13139p+0, 0x1.66ae257c99674p+0, 0x1.64f8104b7260dp+0,
    0x1.6341de8a2b0a4p+0, 0x1.618b860a31fc5p+0, 0x1.5fd4fc89f5e39p+0, 0x1.5e1e37b2f8cd4p+0, 0x1.5c672d17d733fp+0,
    0x1.5aafd23241b5ap+0, 0x1.58f81c60e8515p+0, 0x1.574000e555f79p+0, 0x1.558774e1bb2c9p+0, 0x1.53ce6d56a6650p+0,
    0x1.5214df20a8b5cp+0, 0x1.505abef5e5563p+0, 0x1.4ea001638a606p+0, 0x1.4ce49acb311ddp+0, 0x1.4b287f602415ep+0,
    0x1.496ba32488f30p+0, 0x1.47adf9e66c338p+0, 0x1.45ef773cac75ep+0, 0x1.44300e83c30a6p+0, 0x1.426fb2da6745fp+0,
    0x1.40ae571e09e76p+0, 0x1.3eebede725a85p+0, 0x1.3d28698561de3p+0, 0x1.3b63bbfb83d06p+0, 0x1.399dd6fb2b267p+0,
    0x1.37d6abe05586cp+0, 0x1.360e2baca52d7p+0, 0x1.3444470265ea4p+0, 0x1.3278ee1f4b933p+0, 0x1.30ac10d6e48dap+0,
    0x1.2edd9e8cba990p+0, 0x1.2d0d862e1b855p+0, 0x1.2b3bb62b82edbp+0, 0x1.29681c719d71dp+0, 0x1.2792a661dd381p+0,
    0x1.25bb40ca96bfep+0, 0x1.23e1d7de9c322p+0, 0x1.2206572c4c6ecp+0, 0x1.2028a9940a0a3p+0, 0x1.1e48b93e0d431p+0,
    0x1.1c666f8f82acfp+0, 0x1.1a81b51ee6d8bp+0, 0x1.189a71a78da37p+0, 0x1.16b08bfc42020p+0, 0x1.14c3e9f8e9143p+0,
    0x1.12d4707310fc1p+0, 0x1.10e20329515f1p+0, 0x1.0eec84b16086fp+0, 0x1.0cf3d664bcc83p+0, 0x1.0af7d84bc6116p+0,
    0x1.08f869071f40fp+0, 0x1.06f565b72a014p+0, 0x1.04eea9e16a5ffp+0, 0x1.02e40f5398f9dp+0, 0x1.00d56e04234eep+0,
    0x1.fd8537dfa2eb1p-1, 0x1.f956d9e87d7b2p-1, 0x1.f51f654d8f68cp-1, 0x1.f0de784f0622ap-1, 0x1.ec93abdf982d2p-1,
    0x1.e83e9337a6f04p-1, 0x1.e3debb5d2ee02p-1, 0x1.df73aa9f17656p-1, 0x1.dafce0023b8c8p-1, 0x1.d679d29e41f14p-1,
    0x1.d1e9f0e80b74bp-1, 0x1.cd4c9fe72268fp-1, 0x1.c8a13a5323b66p-1, 0x1.c3e70f9594ef8p-1, 0x1.bf1d62abf8239p-1,
    0x1.ba4368e529f40p-1, 0x1.b558487427a2fp-1, 0x1.b05b16d136ca2p-1, 0x1.ab4ad6e101636p-1, 0x1.a62676d77cd5fp-1,
    0x1.a0eccdca4a731p-1, 0x1.9b9c98e38c54dp-1, 0x1.96347822c1ef0p-1, 0x1.90b2ea94ecf9ep-1, 0x1.8b1649e7b769fp-1,
    0x1.855cc53430a7dp-1, 0x1.7f845ad46f549p-1, 0x1.798ad10b32a7ep-1, 0x1.736dad346f8adp-1, 0x1.6d2a292000576p-1,
    0x1.66bd261a37c44p-1, 0x1.60231cfd97ef1p-1, 0x1.59580a707ce9cp-1, 0x1.52575621ad379p-1, 0x1.4b1bb363dfeadp-1,
    0x1.439ef8dff9b5ap-1, 0x1.3bd9ec1a2b134p-1, 0x1.33c3fc05791fap-1, 0x1.2b52e3863d885p-1, 0x1.227a28f7a1afap-1,
    0x1.192a69741367dp-1, 0x1.0f5053b025d4ap-1, 0x1.04d32278ebbb4p-1, 0x1.f32482d4cd5d0p-2, 0x1.dac2f5a747281p-2,
    0x1.c004d2f386207p-2, 0x1.a230c2e4cd0cbp-2, 0x1.801fce82fa71ap-2, 0x1.57cb938443b71p-2, 0x1.250af3c2c5bc6p-2,
    0x1.b8d0be3fdf702p-3, 0x0.0p+0};
/* clang-format on */

static double height(double x)
{
    return spar__exp(-0.5 * x * x);
}

/* Beyond r (Marsaglia 1964): r + E/r is right with probability exp(-(E/r)^2/2). */
static double tail(spar_rng *rng)
{
    const double r = spar__normal_edge[1];
    double x;
    do
        x = spar__exponential(rng) / r;
    while (2 * spar__exponential(rng) < x * x);
    return r + x;
}

double spar__normal(spar_rng *rng)
{
    for (;;) {
        uint64_t word = spar__rng_next(rng);
        size_t layer = word & 255;
        double x = (double)(word >> 11) * 0x1p-53 * spar__normal_edge[layer];
        if (!(x < spar__normal_edge[layer + 1])) { /* not under the layer above */
            if (layer == 0) {
                x = tail(rng);
            } else {
                double low = height(spar__normal_edge[layer]), high = height(spar__normal_edge[layer + 1]);
                if (low + spar__uniform_open(rng) * (high - low) >= height(x))
                    continue;
            }
        }
        return (1 - (double)(word >> 7 & 2)) * x; /* a branch would be mispredicted half the time */
    }
}

/* The gamma law by Marsaglia and Tsang (2000): with d = shape - 1/3, c = 1 / sqrt(9 d) and a normal x, d (1 + c x)^3 is
 * accepted with probability exp(x^2/2 + d - d v + d log v). Per try a normal, then a uniform. */

double spar__gamma(spar_rng *rng, double shape)
{
    if (!(shape > 0))
        return (double)NAN;
    if (shape < 1)
        return spar__exp(spar__gamma_log(rng, shape));
    double d = shape - 1.0 / 3, c = 1 / sqrt(9 * d);
    for (;;) {
        double x = spar__normal(rng), y = c * x;
        if (y <= -1)
            continue;
        double u = spar__uniform_open(rng), x2 = x * x;
        double value = d * (1 + y) * (1 + y) * (1 + y);
        if (u < 1 - 0.0331 * x2 * x2) /* below the acceptance for every shape >= 1 */
            return value;
        /* 1 - v + log v with v = (1 + y)^3, without the cancellation of large d */
        if (spar__log(u) < 0.5 * x2 + d * (3 * (spar__log1p(y) - y) - y * y * (3 + y)))
            return value;
    }
}

/* Below shape 1, G(shape) = G(shape + 1) U^(1/shape). First the gamma, then the exponential. */
double spar__gamma_log(spar_rng *rng, double shape)
{
    if (shape >= 1)
        return spar__log(spar__gamma(rng, shape));
    double above = spar__log(spar__gamma(rng, shape + 1));
    return above - spar__exponential(rng) / shape;
}

/* The Beta law from two gammas, X / (X + Y). With a shape below 1 a gamma may be far below the smallest double, and
 * only the difference of the logs tells: theta = 1 / (1 + exp(log Y - log X)). */

double spar__beta(spar_rng *rng, double a, double b)
{
    if (!(a > 0 && b > 0))
        return (double)NAN;
    if (a >= 1 && b >= 1) {
        double x = spar__gamma(rng, a);
        return x / (x + spar__gamma(rng, b));
    }
    double x = spar__gamma_log(rng, a), y = spar__gamma_log(rng, b);
    if (isinf(x) && isinf(y)) /* shapes so small that the law is a coin */
        return spar_rng_uniform(rng) < a / (a + b);
    return spar__logistic(x - y);
}

/* The Beta law cut at a point: theta given theta > c, exactly, for a, b >= 1.
 *
 * Below the top of the law, plain rejection: draw until one exceeds c, which at least about 3 of 8 do. Above it, with
 * 1 - theta = (1 - c) exp(-t), t >= 0 has the density
 *     g(t) = x^(a-1) exp(-b t),   x = 1 - (1 - c) exp(-t),
 * whose log is concave: its slope (a - 1) (1 - x) / x - b falls. So the tangent at any t1 is a hat, an exponential law
 * of rate r = b - (a - 1) (1 - x1) / x1, which is positive when c is above the top. With d = t - t1 and
 * p = (1 - x1) / x1 a try is accepted with probability
 *     exp((a - 1) (log(1 + p (1 - exp(-d))) - p d)).
 * t1 is where Robert (1995) puts it for the normal law with the slope and curvature of log g at 0: three of four tries
 * succeed where c is just above the top, more further out, and all when a = 1. */

double spar__beta_above(spar_rng *rng, double a, double b, double c)
{
    double slope = b - (a - 1) * ((1 - c) / c); /* minus that of log g at 0; b at a = 1, also for c = 0 */
    if (!(c > 0) || !(slope > 0)) {
        double theta;
        do
            theta = spar__beta(rng, a, b);
        while (!(theta > c));
        return theta;
    }
    if (!(c < 1))
        return 1;
    double bend = sqrt((a - 1) * (1 - c)) / c, z = slope / bend; /* root of the curvature; infinite z at a = 1 */
    double t1 = a > 1 ? 2 / ((sqrt(z * z + 4) + z) * bend) : 0;
    double y1 = (1 - c) * spar__exp(-t1), x1 = c - (1 - c) * spar__expm1(-t1), p = y1 / x1, rate = b - (a - 1) * p;
    for (;;) {
        double d = spar__exponential(rng) / rate - t1, gain = -spar__expm1(-d);
        double loss = (a - 1) * (p * d - spar__log1p(p * gain));
        if (loss <= 0 || spar__exponential(rng) > loss)
            return fmin(1, fmax(c, x1 + y1 * gain));
    }
}

double spar__beta_below(spar_rng *rng, double a, double b, double c)
{
    return 1 - spar__beta_above(rng, b, a, 1 - c);
}

/* The Poisson law. Below mean 10 the number of uniforms whose product stays above exp(-mean); from there transformed
 * rejection (Hoermann 1993, PTRS), two uniforms per try, about 1.15 tries. */

/* log of exp(-mean) mean^k / k!, in Loader's form, which keeps its precision at large means. */
static double log_mass(double k, double mean)
{
    if (k == 0)
        return -mean;
    double d = (mean - k) / k;
    double log_ratio = d < -0.5 ? spar__log(mean / k) : spar__log1p(d);
    return k * (log_ratio - d) - spar__stirling(k) - 0.5 * spar__log(6.283185307179586 * k);
}

static double by_rejection(spar_rng *rng, double mean)
{
    double b = 0.931 + 2.53 * sqrt(mean), a = -0.059 + 0.02483 * b;
    double scale = 1.1239 + 1.1328 / (b - 3.4), sure = 0.9277 - 3.6224 / (b - 2);
    for (;;) {
        double u = spar__uniform_open(rng) - 0.5, v = spar__uniform_open(rng), edge = 0.5 - fabs(u);
        double k = floor((2 * a / edge + b) * u + mean + 0.43);
        if (edge >= 0.07 && v <= sure)
            return k;
        if (k < 0 || (edge < 0.013 && v > edge))
            continue;
        if (spar__log(v * scale / (a / (edge * edge) + b)) <= log_mass(k, mean))
            return k;
    }
}

double spar__poisson(spar_rng *rng, double mean)
{
    if (!(mean > 0))
        return mean == 0 ? 0 : (double)NAN;
    if (mean >= 10)
        return by_rejection(rng, mean);
    double least = spar__exp(-mean), product = spar__uniform_open(rng), k = 0;
    for (; product > least; k++)
        product *= spar__uniform_open(rng);
    return k;
}

/* A choice by weights: where a uniform share of their sum falls. */

size_t spar__choose_weighted(spar_rng *rng, size_t n, const double *w)
{
    double total = 0, sum = 0;
    size_t chosen = n;
    for (size_t i = 0; i < n; i++)
        total += w[i];
    double target = spar_rng_uniform(rng) * total;
    for (size_t i = 0; i < n && !(sum > target); i++)
        if (w[i] > 0) { /* the last of these stands when rounding leaves the sum short of the target */
            sum += w[i];
            chosen = i;
        }
    return chosen;
}

/* The vector forms: the copy of batch.c for this CPU. */

static const spar__sampler_ops *const tables[SPAR__CPU_COUNT] = SPAR__CPU_TABLES(spar__sampler_ops);

/* A round of the vector code makes 16 tries, which costs as much as some six scalar draws. */
void spar__beta_batch(spar_rng *rng, size_t n, const double *a, const double *b, double *theta)
{
    if (n < 6) {
        for (size_t i = 0; i < n; i++)
            theta[i] = spar__beta(rng, a[i], b[i]);
        return;
    }
    tables[spar__cpu_level()]->beta_batch(rng, n, a, b, theta);
}

void spar__normal_batch(spar_rng *rng, size_t n, double *out)
{
    tables[spar__cpu_level()]->normal_batch(rng, n, out);
}
