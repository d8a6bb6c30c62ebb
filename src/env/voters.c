/* voters - real people from a PrefLib file (soc, soi, toc, toi): in every round one of them, drawn at random, looks at
 * what is shown. Those that a person left out come behind those that were ranked; among themselves their order is
 * missing.
 *
 * P(i beats j) = the share of the ballots that order both in which i comes first, a tie half; ranked before unranked.
 * Feedback of pairs (all_pairs, pair, ...) asks another person for each pair, one who orders both. */
#include "base/alloc.h"
#include "env/data.h"

#include <string.h>

typedef struct voters {
    char *path;
    struct spar__ballots ballots;
    spar__pair_record pairs;
} voters;

static const spar_param params[] = {
    {"file", SPAR_PARAM_PATH, NULL, 0, 0, NULL, "a PrefLib file: soc, soi, toc or toi"},
    {0},
};

static spar_status read_file(const char *path, spar__votes *out, spar_error *err)
{
    spar__votes_form form;
    spar_status status = spar__recorded_read(path, NULL, out, &form, err);
    if (form != SPAR__VOTES_PREFLIB && (!status || status == SPAR_PARSE))
        status =
            spar__fail(err, SPAR_PARSE,
                       "%.200s: is no PrefLib file, which begins as '# FILE NAME: ...'; votes(file=...) takes votes "
                       "on pairs",
                       path);
    if (!status && out->options.n < 2)
        status = spar__fail(err, SPAR_UNSUPPORTED, "%.200s: has %zu alternatives; 2 are needed to compare", path,
                            out->options.n);
    if (!status && out->n == 0)
        status = spar__fail(err, SPAR_UNSUPPORTED, "%.200s: has no ballots, as in '41: 2,1,3'", path);
    return status;
}

static spar_status fill_ballots(struct spar__ballots *ballots, const spar__votes *votes)
{
    size_t n = ballots->n = votes->options.n;
    ballots->count = votes->n;
    ballots->place = spar__alloc(votes->n, n * sizeof *ballots->place);
    ballots->upto = spar__alloc(votes->n, sizeof *ballots->upto);
    if (!ballots->place || !ballots->upto)
        return SPAR_NOMEM;
    uint64_t people = 0;
    for (size_t v = 0; v < votes->n; v++) {
        const spar__vote *vote = &votes->vote[v];
        uint32_t *place = ballots->place + v * n;
        for (size_t i = 0; i < n; i++)
            place[i] = SPAR__UNRANKED;
        for (size_t k = 0; k + vote->left_out < vote->m; k++)
            place[votes->slot[vote->first + k].option] = votes->slot[vote->first + k].place;
        ballots->upto[v] = people += vote->times;
    }
    return SPAR_OK;
}

static void count_pairs(const struct spar__ballots *ballots, double *won, double *ties)
{
    size_t n = ballots->n;
    for (size_t v = 0; v < ballots->count; v++) {
        const uint32_t *place = ballots->place + v * n;
        double people = (double)(ballots->upto[v] - (v ? ballots->upto[v - 1] : 0));
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++)
                if (place[i] < place[j])
                    won[i * n + j] += people;
                else if (place[i] == place[j] && i != j && place[i] != SPAR__UNRANKED)
                    ties[i * n + j] += people;
    }
}

static spar_status init(void *self, const spar__values *values, spar_error *err)
{
    voters *v = self;
    if (!spar__given(values, "file"))
        return spar__fail(err, SPAR_INVALID, "voters: needs file=, a PrefLib file");
    v->path = spar__strdup(spar__text(values, "file"));
    spar__votes votes = {0};
    spar_status status = v->path ? read_file(v->path, &votes, err) : spar__fail_memory(err);
    if (!status && fill_ballots(&v->ballots, &votes))
        status = spar__fail_memory(err);
    if (!status) {
        size_t n = v->ballots.n;
        double *won = spar__alloc(n, n * sizeof *won), *ties = spar__alloc(n, n * sizeof *ties);
        status = won && ties ? SPAR_OK : SPAR_NOMEM;
        if (!status) {
            count_pairs(&v->ballots, won, ties);
            status = spar__pair_record_make(n, won, ties, &votes.options, NULL, &v->pairs);
        }
        if (status)
            (void)spar__fail_memory(err);
        else
            status = spar__cycle_text(v->path, &v->pairs.matrix, &v->pairs.cycle, err);
        spar__free(won);
        spar__free(ties);
    }
    spar__votes_free(&votes);
    return status;
}

static void fini(void *self)
{
    voters *v = self;
    spar__pair_record_free(&v->pairs);
    spar__free(v->ballots.place);
    spar__free(v->ballots.upto);
    spar__free(v->path);
}

static spar_status start(const void *self, uint64_t seed, uint64_t run, spar_world *world, spar_error *err)
{
    const voters *v = self;
    world->ballots = &v->ballots;
    return spar__pair_record_start(&v->pairs, seed, run, world, err);
}

static const char *cycle(const void *self)
{
    return ((const voters *)self)->pairs.cycle;
}

const spar__env_class spar__env_voters = {
    .entry = {"voters", "recorded ballots of real people, one a round", "Mattei, Walsh 2013 (PrefLib)", params},
    .feedback = "ranking",
    .has_ballots = true,
    .size = sizeof(voters),
    .init = init,
    .fini = fini,
    .start = start,
    .cycle = cycle,
};
