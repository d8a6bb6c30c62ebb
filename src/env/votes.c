/* votes - recorded votes on pairs: a duel is one of the votes that the pair got, drawn with replacement. Rows with two
 * sides and a winner (CSV, JSON), or lines 'A > B'. Skips, and votes that both are bad, are left out. P(i beats j) is
 * the share of i's wins, a tie half. */
#include "base/alloc.h"
#include "base/buf.h"
#include "env/recorded.h"
#include "env/subset.h"

typedef struct votes {
    char *path;
    spar__pair_record pairs;
} votes;

enum { MOST_STEPS = 20000000, MOST_OPTIONS = 5000 };

static const spar_param params[] = {
    {"file", SPAR_PARAM_PATH, NULL, 0, 0, NULL, "CSV or JSON with two sides and a winner, or lines 'A > B'"},
    {"a", SPAR_PARAM_TEXT, NULL, 0, 0, NULL, "the column of one side; model_a unless given"},
    {"b", SPAR_PARAM_TEXT, NULL, 0, 0, NULL, "the column of the other side; model_b unless given"},
    {"winner", SPAR_PARAM_TEXT, NULL, 0, 0, NULL, "the column that says who won; winner unless given"},
    {"complete", SPAR_PARAM_INTEGER, "0", 0, 1, NULL, "1: only the largest set of options whose every pair has a vote"},
    {0},
};

static spar_status read_file(const char *path, const spar__values *values, spar__votes *out, spar_error *err)
{
    spar__votes_columns columns = {
        .a = spar__text(values, "a"), .b = spar__text(values, "b"), .winner = spar__text(values, "winner")};
    spar__votes_form form;
    spar_status status = spar__recorded_read(path, &columns, out, &form, err);
    if (!status && form == SPAR__VOTES_PREFLIB)
        return spar__fail(err, SPAR_INVALID,
                          "%.200s: has ballots, not votes on pairs; did you mean 'voters(file=%.200s)'?", path, path);
    if (!status && form == SPAR__VOTES_COUNTS)
        return spar__fail(err, SPAR_INVALID,
                          "%.200s: has counts, not votes; did you mean 'matrix(file=%.200s,counts=1)'?", path, path);
    if (!status && out->options.n < 2)
        return spar__fail(err, SPAR_UNSUPPORTED, "%.200s: has votes on %zu option%s; 2 are needed to compare", path,
                          out->options.n, spar__plural(out->options.n));
    if (!status && out->options.n > MOST_OPTIONS)
        return spar__fail(err, SPAR_UNSUPPORTED, "%.200s: has votes on %zu options, more than %d", path, out->options.n,
                          MOST_OPTIONS);
    return status;
}

static void count_votes(const spar__votes *file, double *won, double *ties)
{
    size_t n = file->options.n;
    for (size_t v = 0; v < file->n; v++) {
        const spar__vote *vote = &file->vote[v];
        const spar__vote_slot *slot = file->slot + vote->first;
        for (size_t k = 0; vote->kind == SPAR__VOTE_ORDER && k < vote->m; k++)
            for (size_t j = 0; j < vote->m; j++)
                if (slot[j].option == slot[k].option)
                    continue;
                else if (slot[j].place < slot[k].place)
                    won[slot[j].option * n + slot[k].option] += (double)vote->times;
                else if (slot[j].place == slot[k].place)
                    ties[slot[j].option * n + slot[k].option] += (double)vote->times;
    }
}

static spar_status check_complete(const char *path, spar__pair_record *pairs, spar_error *err)
{
    size_t n = pairs->matrix.n, unknown = 0;
    if (n < 2)
        return spar__fail(err, SPAR_UNSUPPORTED, "%.200s: no pair of its options has a vote", path);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            unknown += pairs->tie[i * n + j] < 0;
    if (unknown)
        return spar__fail(err, SPAR_UNSUPPORTED,
                          "%.200s: %zu of the %zu pairs of its %zu options %s no vote; complete=1 takes the largest "
                          "set of options whose every pair has one",
                          path, unknown, n * (n - 1) / 2, n, unknown == 1 ? "has" : "have");
    return spar__cycle_text(path, &pairs->matrix, &pairs->cycle, err);
}

static spar_status fill_pairs(votes *self, const spar__votes *file, bool complete, spar_error *err)
{
    size_t n = file->options.n, kept = n;
    double *won = spar__alloc(n, n * sizeof *won), *ties = spar__alloc(n, n * sizeof *ties);
    size_t *option = complete ? spar__alloc(n, sizeof *option) : NULL;
    spar_status status = won && ties && (option || !complete) ? SPAR_OK : SPAR_NOMEM;
    if (!status)
        count_votes(file, won, ties);
    if (!status && complete)
        kept = spar__largest_complete(n, won, ties, MOST_STEPS, option, &status);
    if (!status)
        status = spar__pair_record_make(kept, won, ties, &file->options, option, &self->pairs);
    if (status == SPAR_NOMEM)
        (void)spar__fail_memory(err);
    else if (status)
        (void)spar__fail(err, status,
                         "%.200s: the largest set of options whose every pair has a vote takes too long to find",
                         self->path);
    spar__free(won);
    spar__free(ties);
    spar__free(option);
    return status ? status : check_complete(self->path, &self->pairs, err);
}

static spar_status init(void *self, const spar__values *values, spar_error *err)
{
    votes *v = self;
    if (!spar__given(values, "file"))
        return spar__fail(err, SPAR_INVALID, "votes: needs file=, a file of votes on pairs");
    v->path = spar__strdup(spar__text(values, "file"));
    spar__votes file = {0};
    spar_status status = v->path ? read_file(v->path, values, &file, err) : spar__fail_memory(err);
    if (!status)
        status = fill_pairs(v, &file, spar__integer(values, "complete"), err);
    spar__votes_free(&file);
    return status;
}

static void fini(void *self)
{
    votes *v = self;
    spar__pair_record_free(&v->pairs);
    spar__free(v->path);
}

static spar_status start(const void *self, uint64_t seed, uint64_t run, spar_world *world, spar_error *err)
{
    const votes *v = self;
    return spar__pair_record_start(&v->pairs, seed, run, world, err);
}

static const char *cycle(const void *self)
{
    return ((const votes *)self)->pairs.cycle;
}

const spar__env_class spar__env_votes = {
    .entry = {"votes", "recorded votes on pairs, drawn with replacement", NULL, params},
    .size = sizeof(votes),
    .init = init,
    .fini = fini,
    .start = start,
    .cycle = cycle,
};
