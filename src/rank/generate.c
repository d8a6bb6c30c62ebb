/* A document has a relevance z ~ N(0,1); its grade counts the cuts that z + the query's bias exceeds. A feature sees
 *
 *     x = signal z + share h + sqrt(1 - signal^2 - share^2) e,   h shared by five neighbours, e its own, all N(0,1)
 *
 * and shows x by its kind: squeezed into [0,1), as a count, a flag, a negative score, rarely or not at all. Numbers are
 * written as whole multiples of a power of ten, so that the bytes do not depend on the C library. */
#include "rank/letor.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "num/elementary.h"
#include "sampler/sampler.h"

#include <math.h>

enum { PURPOSE_FEATURES = 0x726b66, PURPOSE_QUERY = 0x726b71, GROUP = 5, PAIR_SIZE = 40, PIECE = 1 << 20 };

typedef enum feature_kind { REAL, COUNT, SCORE, FLAG, SPARSE, ZERO } feature_kind;

typedef struct feature_trait {
    feature_kind kind;
    double signal, share, noise;
} feature_trait;

typedef struct generator {
    const spar__generate_options *options;
    feature_trait *trait; /* of each feature */
    double *shared;       /* of each group, for one document */
    spar__buf text;
    char *line; /* room for the features of one line */
    spar__generate_sink *sink;
    void *context;
} generator;

static feature_trait draw_trait(spar__luck luck, size_t feature)
{
    static const double up_to[] = {[REAL] = 0.45, [COUNT] = 0.70, [SCORE] = 0.80, [FLAG] = 0.88, [SPARSE] = 0.96};
    double u[4];
    for (uint32_t i = 0; i < 4; i++)
        u[i] = spar__luck_uniform(luck, feature, 0, i);
    feature_kind kind = REAL;
    while (kind < ZERO && u[0] >= up_to[kind])
        kind++;
    feature_trait t = {kind, 0.7 * u[1] * u[1], 0.3 + 0.4 * u[2], 0};
    if (u[3] < 0.1)
        t.signal = -t.signal;
    t.noise = sqrt(1 - t.signal * t.signal - t.share * t.share);
    return t;
}

static size_t draw_docs(spar_rng *rng, size_t mean)
{
    double u = spar_rng_uniform(rng);
    if (u < 0.04)
        return 1;
    size_t docs = u < 0.12 ? 2 + (size_t)spar_rng_below(rng, 8) : mean / 2 + (size_t)spar_rng_below(rng, mean + 1);
    return docs < 1 ? 1 : docs > SPAR__DOCS_MOST ? SPAR__DOCS_MOST : docs;
}

static char *put_whole(char *at, uint64_t value)
{
    char digits[20];
    size_t n = 0;
    do
        digits[n++] = (char)('0' + value % 10);
    while (value /= 10);
    while (n > 0)
        *at++ = digits[--n];
    return at;
}

/* value as a decimal with that many places, without zeros at its end. */
static char *put_fixed(char *at, double value, int places)
{
    uint64_t unit = 1;
    for (int i = 0; i < places; i++)
        unit *= 10;
    uint64_t scaled = (uint64_t)rint(fabs(value) * (double)unit), part = scaled % unit;
    if (value < 0 && scaled)
        *at++ = '-';
    at = put_whole(at, scaled / unit);
    if (part)
        *at++ = '.';
    for (; part; part %= unit) {
        unit /= 10;
        *at++ = (char)('0' + part / unit);
    }
    return at;
}

static char *put_feature(char *at, const feature_trait *t, size_t number, double x)
{
    if (t->kind == SPARSE && x <= 1.2)
        return at; /* not written: zero */
    *at++ = ' ';
    at = put_whole(at, number);
    *at++ = ':';
    switch (t->kind) {
    case REAL:
        return put_fixed(at, x < -0.8 ? 0 : spar__logistic(1.5 * x), 6);
    case COUNT:
        return put_fixed(at, floor(spar__exp(x)), 0);
    case SCORE:
        return put_fixed(at, -10 + 3 * x, 4);
    case FLAG:
        return put_fixed(at, x > 0.8, 0);
    case SPARSE:
        return put_fixed(at, x, 3);
    case ZERO:
        break;
    }
    *at++ = '0';
    return at;
}

/* Hands over the text so far; false: stop. */
static bool hand_over(generator *g)
{
    if (g->text.failed)
        return false;
    bool more = !g->text.length || g->sink(g->context, g->text.text, g->text.length);
    spar__buf_clear(&g->text);
    return more;
}

static bool write_query(generator *g, size_t number)
{
    static const double three[] = {0.86, 1.56}, five[] = {0.06, 1.16, 2.25, 2.81};
    const spar__generate_options *o = g->options;
    const double *cut = o->grades == 3 ? three : five;
    spar_rng rng;
    spar_rng_seed(&rng, o->seed, number, PURPOSE_QUERY);
    size_t docs = draw_docs(&rng, o->docs);
    double bias = 0.6 * spar__normal(&rng);
    for (size_t d = 0; d < docs; d++) {
        double z = spar__normal(&rng);
        for (size_t i = 0; i < (o->features + GROUP - 1) / GROUP; i++)
            g->shared[i] = spar__normal(&rng);
        unsigned grade = 0;
        while (grade + 1 < o->grades && z + bias > cut[grade])
            grade++;
        char *at = put_whole(g->line, grade);
        for (const char *qid = " qid:"; *qid; qid++)
            *at++ = *qid;
        at = put_whole(at, 15 * (uint64_t)number + 1);
        for (size_t f = 0; f < o->features; f++) {
            const feature_trait *t = &g->trait[f];
            double x = t->signal * z + t->share * g->shared[f / GROUP] + t->noise * spar__normal(&rng);
            at = put_feature(at, t, f + 1, x);
        }
        *at++ = '\n';
        spar__buf_add(&g->text, g->line, (size_t)(at - g->line));
        if (g->text.length > PIECE && !hand_over(g))
            return false;
    }
    return hand_over(g);
}

static spar_status check(const spar__generate_options *o, spar_error *err)
{
    if (o->queries < 1 || o->queries > UINT32_MAX)
        return spar__fail(err, SPAR_INVALID, "queries is %zu, expected 1 or more", o->queries);
    if (o->docs < 1 || o->docs > SPAR__DOCS_MOST)
        return spar__fail(err, SPAR_INVALID, "docs is %zu, expected 1 to %d", o->docs, SPAR__DOCS_MOST);
    if (o->features < 1 || o->features > SPAR__FEATURE_MOST)
        return spar__fail(err, SPAR_INVALID, "features is %zu, expected 1 to %d", o->features, SPAR__FEATURE_MOST);
    if (o->grades != 3 && o->grades != 5)
        return spar__fail(err, SPAR_INVALID, "grades is %u, expected 3 or 5", o->grades);
    return SPAR_OK;
}

spar_status spar__generate(const spar__generate_options *options, spar__generate_sink *sink, void *context,
                           spar_error *err)
{
    generator g = {.options = options, .sink = sink, .context = context};
    spar_status status = check(options, err);
    if (status)
        return status;
    g.trait = spar__alloc(options->features, sizeof *g.trait);
    g.shared = spar__alloc(options->features / GROUP + 1, sizeof *g.shared);
    g.line = spar__alloc(options->features + 2, PAIR_SIZE);
    if (!g.trait || !g.shared || !g.line) {
        status = spar__fail_memory(err);
        goto fail;
    }
    spar__luck luck = spar__luck_make(options->seed, 0, PURPOSE_FEATURES);
    for (size_t f = 0; f < options->features; f++)
        g.trait[f] = draw_trait(luck, f);
    spar__buf_printf(&g.text, "# generated: queries %zu, docs %zu, features %zu, grades %u, seed %llu\n",
                     options->queries, options->docs, options->features, options->grades,
                     (unsigned long long)options->seed);
    for (size_t q = 0; q < options->queries && !status; q++)
        if (!write_query(&g, q))
            status = g.text.failed ? spar__fail_memory(err)
                                   : spar__fail(err, SPAR_INTERRUPTED, "interrupted after %zu queries", q);
fail:
    spar__free(g.trait);
    spar__free(g.shared);
    spar__free(g.line);
    spar__buf_free(&g.text);
    return status;
}
