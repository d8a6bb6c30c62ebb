/* cmd_describe.c - spar describe: who wins in a preference matrix, and what holds for it. */
#include "base/alloc.h"
#include "base/nearest.h"
#include "cli/describe.h"
#include "cli/options.h"
#include "cli/table.h"

#include <spar/catalog.h>
#include <spar/env.h>

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

/* Is source an environment's spec? What exists as a file is a file; what could only be a misspelt name is refused. */
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

static spar_status open_env(const char *source, spar_env **env, spar_error *err)
{
    bool spec;
    spar_status status = is_spec(source, &spec, err);
    if (status)
        return status;
    if (spec)
        return spar_env_new(source, env, err);
    if (strchr(source, '"'))
        return spar__fail(err, SPAR_INVALID, "describe: %.400s: a file name can not hold double quotes", source);
    spar__buf text = {0};
    spar__buf_printf(&text, "matrix(file=\"%s\")", source);
    status = text.failed ? spar__fail_memory(err) : spar_env_new(text.text, env, err);
    spar__buf_free(&text);
    return status;
}

/* The matrix and the names of a world. */
static spar_status read_world(const spar_world *world, spar__description *d, double **p, spar_error *err)
{
    const spar_arms *arms = spar_world_arms(world);
    d->n = arms->n;
    d->smallest_gap = 0.5;
    *p = spar__alloc(d->n, d->n * sizeof **p);
    d->name = arms->name ? spar__alloc(d->n, sizeof *d->name) : NULL;
    if (!*p || (arms->name && !d->name))
        return spar__fail_memory(err);
    for (size_t i = 0; i < d->n; i++) {
        if (d->name)
            d->name[i] = arms->name[i];
        for (size_t j = 0; j < d->n; j++) {
            double value = spar_world_prefer(world, 1, i, j);
            (*p)[i * d->n + j] = value;
            if (i != j)
                d->smallest_gap = fmin(d->smallest_gap, fabs(value - 0.5));
        }
    }
    return SPAR_OK;
}

static spar_status describe(const spar__settings *settings, spar__buf *out, spar_error *err)
{
    if (!settings->n_operands)
        return spar__fail(err, SPAR_INVALID, "describe: a matrix file or an environment is needed");
    spar__description d = {.source = settings->operand[0]};
    spar_env *env = NULL;
    spar_world *world = NULL;
    double *p = NULL;
    spar_status status = open_env(d.source, &env, err);
    if (!status && spar_env_plain(env))
        status = spar__fail(err, SPAR_UNSUPPORTED, "describe: %.200s compares nothing: arms have rewards of their own",
                            d.source);
    if (!status)
        status = spar_world_new(env, spar__setting_number(settings, "seed"), 0, &world, err);
    if (!status)
        status = read_world(world, &d, &p, err);
    if (!status)
        status = spar__prefer_analyse(d.n, p, &d.report, err);
    if (!status && spar__setting_number(settings, "json"))
        spar__describe_json(&d, out);
    else if (!status)
        spar__describe_text(&d, spar__output_styled(), out);
    spar__prefer_report_free(&d.report);
    spar__free(d.name);
    spar__free(p);
    spar_world_free(world);
    spar_env_free(env);
    return status;
}

static const spar__option options[] = {
    {.name = "seed",
     .kind = SPAR__OPTION_COUNT,
     .metavar = "S",
     .standard = "1",
     .high = UINT64_MAX,
     .help = "of environments that draw their arms at random"},
    {.name = "json", .kind = SPAR__OPTION_SWITCH, .help = "print JSON"},
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
