/* describe.c - spar describe: who wins in a preference matrix, and what holds for it. */
#include "cli/describe/describe.h"
#include "base/alloc.h"
#include "base/entry.h"
#include "base/nearest.h"
#include "cli/options.h"
#include "cli/terminal.h"
#include "env/env.h"
#include "env/matrix_read.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

/* Is source an environment? An existing file is a file; a name that is neither is refused. */
static spar_status is_spec(const char *source, bool *spec, spar_error *err)
{
    struct stat info;
    *spec = false;
    if (strcmp(source, "-") == 0 || stat(source, &info) == 0)
        return SPAR_OK;
    *spec = strchr(source, '(');
    if (*spec || strpbrk(source, "./"))
        return SPAR_OK;
    spar__nearest nearest = spar__nearest_to(source);
    const spar_entry *entry;
    for (size_t i = 0; (entry = spar_catalog_entry(SPAR_FAMILY_ENV, i)); i++)
        spar__nearest_offer(&nearest, entry->name);
    *spec = nearest.best && nearest.distance == 0;
    if (*spec)
        return SPAR_OK;
    if (nearest.best)
        return spar__fail(err, SPAR_UNKNOWN, "describe: '%.80s' is no file and no environment; did you mean '%s'?",
                          source, nearest.best);
    return spar__fail(err, SPAR_IO, "%.400s: cannot open: %s", source, strerror(ENOENT));
}

/* A world has its arms in a random order; the report has them in the order of the environment. (Those of a random
 * subset have no such order: only their names tell which they are.) */
static spar_status copy_world(const spar_world *world, uint64_t seed, spar__description *d)
{
    const spar_arms *arms = spar_world_arms(world);
    d->n = arms->n;
    size_t *item = spar__alloc(d->n, sizeof *item);
    d->p = spar__alloc(d->n, d->n * sizeof *d->p);
    d->name = arms->name ? spar__alloc(d->n, sizeof *d->name) : NULL;
    spar_status status = item && d->p && (d->name || !arms->name) ? SPAR_OK : SPAR_NOMEM;
    if (!status) {
        spar_rng rng;
        spar__world_labels(&rng, seed, 0, d->n, item);
    }
    for (size_t i = 0; !status && i < d->n; i++) {
        if (d->name && arms->name[i] && !(d->name[item[i]] = spar__strdup(arms->name[i])))
            status = SPAR_NOMEM;
        for (size_t j = 0; j < d->n; j++)
            d->p[item[i] * d->n + item[j]] = spar_world_prefer(world, 1, i, j);
    }
    spar__free(item);
    return status;
}

static spar_status read_env(const char *spec, uint64_t seed, spar__description *d, spar_error *err)
{
    spar_env *env = NULL;
    spar_world *world = NULL;
    spar_status status = spar_env_new(spec, &env, err);
    if (!status && spar_env_plain(env))
        status = spar__fail(err, SPAR_UNSUPPORTED, "describe: %.200s has rewards, not comparisons", spec);
    if (!status)
        status = spar_world_new(env, seed, 0, &world, err);
    if (!status && spar__arms_continuous(spar_world_arms(world)))
        status = spar__fail(err, SPAR_UNSUPPORTED, "describe: %.200s is continuous: it has no list of arms", spec);
    if (!status && spar_world_arms(world)->n > SPAR__MATRIX_MOST)
        status = spar__fail(err, SPAR_UNSUPPORTED, "describe: %.200s has %zu arms; at most %d can be described", spec,
                            spar_world_arms(world)->n, SPAR__MATRIX_MOST);
    const char *note = status ? NULL : spar_env_note(env);
    if (!status && (copy_world(world, seed, d) || (note && !(d->note = spar__strdup(note)))))
        status = spar__fail_memory(err);
    spar_world_free(world);
    spar_env_free(env);
    return status;
}

static double smallest_gap(size_t n, const double *p)
{
    double gap = 0.5;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            gap = fmin(gap, fabs(p[i * n + j] - 0.5));
    return gap;
}

static spar_status describe(const spar__settings *settings, spar__buf *out, spar_error *err)
{
    if (!settings->n_operands)
        return spar__fail(err, SPAR_INVALID, "describe: a matrix file or an environment is needed");
    spar__description d = {.source = settings->operand[0], .counts = spar__setting_number(settings, "counts")};
    bool spec = false;
    spar_status status = is_spec(d.source, &spec, err);
    if (!status)
        status = spec ? read_env(d.source, spar__setting_number(settings, "seed"), &d, err)
                      : spar__describe_read(d.source, &d, err);
    if (!status)
        status = spar__prefer_analyse(d.n, d.p, &d.report, err);
    if (!status) {
        d.smallest_gap = smallest_gap(d.n, d.p);
        if (spar__setting_number(settings, "json"))
            spar__describe_json(&d, out);
        else
            spar__describe_text(&d, spar__output_styled(), out);
    }
    spar_decision_free(d.decision);
    spar__prefer_report_free(&d.report);
    for (size_t i = 0; d.name && i < d.n; i++)
        spar__free(d.name[i]);
    spar__free(d.name);
    spar__free(d.p);
    spar__free(d.note);
    return status;
}

static const spar__option options[] = {
    SPAR__COUNT_OPTION("seed", "S", "1", 0, UINT64_MAX, "of environments that draw their arms at random"),
    SPAR__SWITCH_OPTION("counts", "the file holds win counts, not probabilities: also says how sure they are"),
    SPAR__SWITCH_OPTION("json", "print JSON"),
    {.name = NULL},
};

const spar__command spar__command_describe = {
    .name = "describe",
    .brief = "Describe a preference matrix: winners, transitivity, what may be assumed",
    .operands = "FILE|ENV [OPTIONS]",
    .max_operands = 1,
    .options = options,
    .notes = "FILE holds a matrix ('-' is standard input), ENV is an environment as for 'spar run'. Arms count from 0.",
    .example = "spar describe 'utility(set=arith,link=logit)'",
    .run = describe,
};
