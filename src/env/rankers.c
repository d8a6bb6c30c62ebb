/* rankers - the rankers of a learning-to-rank data set, compared by the clicks of simulated users.
 *
 * An arm is a ranker: a feature of the data, by which documents are sorted, or a weighted sum of features. How two
 * rankers compare is computed once from all queries:
 *
 *     P[i][j] = mean over queries of P(i wins an interleaving of the two) + P(tie) / 2
 *
 * exactly for team draft, else by draws. That is the matrix regret is counted with, and what all_pairs answers from;
 * the kind of feedback for rankers is multileave. A run plays a random subset of the rankers with a Condorcet winner,
 * the same one as matrix(file=,subset=) with that matrix. */
#include "base/alloc.h"
#include "base/buf.h"
#include "base/file.h"
#include "base/hash.h"
#include "env/data.h"
#include "prefer/prefer.h"
#include "rank/comparison.h"
#include "rank/queries.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

typedef struct rankers {
    spar__interleaving lists;
    bool tie_is_half;
    spar__matrix matrix; /* of all rankers */
    size_t k;            /* rankers of a run */
    bool subset;         /* they are a random choice, of which one must beat all others */
    char *cycle;         /* a clause, where no ranker beats all others */
    char *data;          /* as given, for errors */
    spar__buf note;
} rankers;

static const spar_param params[] = {
    {"data", SPAR_PARAM_PATHS, NULL, 0, 0, NULL, "LETOR files: lines 'grade qid:Q feature:value ...'"},
    {"subset", SPAR_PARAM_INTEGER, "16", 0, 1e9, NULL,
     "rankers of a random subset with a Condorcet winner, fresh in every run; 0: all"},
    {"click", SPAR_PARAM_TEXT, "perfect", 0, 0, NULL,
     "click model: perfect, navigational, informational or \"position(eta=1,...)\""},
    {"top", SPAR_PARAM_INTEGER, "10", 1, SPAR__TOP_MOST, NULL, "documents that are shown"},
    {"mix", SPAR_PARAM_TEXT, "team_draft", 0, 0, NULL,
     "how lists are mixed: team_draft, \"probabilistic(tau=3)\" or optimised"},
    {"tie", SPAR_PARAM_CHOICE, "missing", 0, 0, "missing|half",
     "the outcome at equal credit; half where equal lists always tie (all mixes but team_draft)"},
    {"weights", SPAR_PARAM_PATH, NULL, 0, 0, NULL,
     "rankers that are weighted sums, lines 'name f:w f:w ...'; without, every feature is a ranker"},
    {"features", SPAR_PARAM_INTEGER, NULL, 1, SPAR__MATRIX_MOST, NULL,
     "only the features up to this number are rankers (default: all, at most 1000)"},
    {"names", SPAR_PARAM_PATH, NULL, 0, 0, NULL, "the features' names, one a line"},
    {"cache", SPAR_PARAM_PATH, NULL, 0, 0, NULL,
     "where to keep what was read; none: nowhere (default: beside the first file)"},
    {"matrix", SPAR_PARAM_PATH, NULL, 0, 0, NULL, "a file with the preference matrix, which is then not computed"},
    {"draws", SPAR_PARAM_INTEGER, "100", 1, 1e9, NULL,
     "mixes drawn per query and pair for a preference that has no exact form"},
    {"seed", SPAR_PARAM_INTEGER, "1", 0, 1e15, NULL, "of the order of documents with equal scores, and of draws"},
    {"threads", SPAR_PARAM_INTEGER, "0", 0, 4096, NULL, "to read and compute with; 0: one per core"},
    {0},
};

/* Where to keep things: NULL is beside the data, "" is nowhere. */
static const char *cache_of(const spar__values *values)
{
    const char *cache = spar__text(values, "cache");
    return cache && strcmp(cache, "none") == 0 ? "" : cache;
}

/* A note from rank/. */
static void add_note(void *context, const char *sentence)
{
    rankers *self = context;
    spar__buf_printf(&self->note, "%s; ", sentence);
}

static spar_status open_lists(rankers *self, const spar__values *values, spar_error *err)
{
    char *text = spar__strdup(self->data); /* to be cut at its colons */
    size_t paths = 1;
    for (const char *c = self->data; *c; c++)
        paths += *c == ':';
    const char **path = text ? spar__alloc(paths, sizeof *path) : NULL;
    char *at = text;
    for (size_t i = 0; path && i < paths; i++) {
        path[i] = at;
        at += strcspn(at, ":");
        *at++ = '\0';
    }
    spar__queries_options options = {
        .path = path,
        .paths = paths,
        .cache = cache_of(values),
        .weights = spar__text(values, "weights"),
        .names = spar__text(values, "names"),
        .features = spar__given(values, "features") ? spar__integer(values, "features") : 0,
        .top = spar__integer(values, "top"),
        .seed = (uint64_t)spar__number(values, "seed"),
        .threads = spar__integer(values, "threads"),
        .note = add_note,
        .context = self,
    };
    spar_status status = path ? spar__interleaving_open(spar__text(values, "mix"), spar__text(values, "click"),
                                                        &options, &self->lists, err)
                              : spar__fail_memory(err);
    spar__free(path);
    spar__free(text);
    return status;
}

static void describe(rankers *self)
{
    const spar__queries *queries = self->lists.queries;
    spar__buf_printf(&self->note, "%zu rankers, %zu queries, grades 0 to %u", spar__queries_rankers(queries),
                     spar__queries_count(queries), spar__queries_grades(queries) - 1);
}

/* A matrix that was made before must be about these rankers. */
static spar_status read_matrix(rankers *self, const char *path, spar_error *err)
{
    const spar__queries *queries = self->lists.queries;
    spar__matrix *matrix = &self->matrix;
    size_t n = spar__queries_rankers(queries);
    spar_status status = spar__matrix_read(path, false, 1e-6, matrix, err);
    if (status)
        return status;
    if (matrix->n != n)
        return spar__fail(err, SPAR_INVALID, "%s: has %zu rankers, but %s has %zu", path, matrix->n, self->data, n);
    for (size_t i = 0; matrix->names && i < n; i++)
        if (strcmp(matrix->names[i], spar__queries_name(queries, i)) != 0)
            return spar__fail(err, SPAR_INVALID, "%s: ranker %zu is %.80s, but %.80s in the data", path, i + 1,
                              matrix->names[i], spar__queries_name(queries, i));
    describe(self);
    spar__buf_printf(&self->note, ", preferences from %s", path);
    return SPAR_OK;
}

static double largest(size_t n, const double *x)
{
    double most = 0;
    for (size_t i = 0; i < n; i++)
        most = fmax(most, x[i]);
    return most;
}

/* The matrix and its standard errors; of_draws: it was drawn. */
static spar_status read_tally(rankers *self, const spar__tally *tally, bool of_draws)
{
    size_t n = tally->rankers;
    double *query_se = spar__alloc(n, n * sizeof *query_se), *draw_se = spar__alloc(n, n * sizeof *draw_se);
    self->matrix.n = n;
    self->matrix.p = spar__alloc(n, n * sizeof *self->matrix.p);
    spar_status status = query_se && draw_se && self->matrix.p ? SPAR_OK : SPAR_NOMEM;
    if (!status) {
        spar__tally_read(tally, self->matrix.p, query_se, draw_se);
        spar__buf_printf(&self->note, ", preferences %s, standard errors up to %.2g", of_draws ? "drawn" : "exact",
                         largest(n * n, query_se));
        if (of_draws)
            spar__buf_printf(&self->note, " (of the draws: %.2g)", largest(n * n, draw_se));
    }
    spar__free(query_se);
    spar__free(draw_se);
    return status;
}

/* The file that keeps the matrix, one for each click model and mix; empty: none. */
static void name_file(const spar__values *values, const spar__comparison_options *o, spar__buf *out)
{
    const char *data = spar__text(values, "data"), *cache = cache_of(values);
    spar__buf key = {0};
    if (cache ? !*cache : strcmp(data, "-") == 0)
        return;
    spar__buf_printf(&key, "%s/%s/%zu/%zu/%" PRIu64, o->mix, o->click, spar__integer(values, "top"), o->how.draws,
                     o->how.draws ? o->how.seed : 0);
    spar__buf_printf(out, "%.*s.spar-matrix-%08" PRIx32, (int)(cache ? strlen(cache) : strcspn(data, ":")),
                     cache ? cache : data, key.failed ? 0 : (uint32_t)spar__hash_of(key.text, key.length));
    out->failed = out->failed || key.failed;
    spar__buf_free(&key);
}

static spar_status compute_matrix(rankers *self, const spar__values *values, spar_error *err)
{
    const char *cache = cache_of(values);
    bool exact = self->lists.mixer.cls == &spar__mix_team_draft;
    spar__comparison_options options = {
        .how = {.of = &self->lists,
                .draws = exact ? 0 : spar__integer(values, "draws"),
                .seed = (uint64_t)spar__number(values, "seed"),
                .threads = spar__integer(values, "threads")},
        .mix = spar__text(values, "mix"),
        .click = spar__text(values, "click"),
        .must_keep = cache && *cache,
        .note = add_note,
        .context = self,
    };
    spar__tally *tally = NULL;
    spar__buf file = {0};
    name_file(values, &options, &file);
    options.file = file.text;
    spar_status status = file.failed ? spar__fail_memory(err) : spar__comparison_run(&options, &tally, err);
    if (!status) {
        describe(self);
        status = read_tally(self, tally, !exact) ? spar__fail_memory(err) : SPAR_OK;
    }
    spar__tally_free(tally);
    spar__buf_free(&file);
    return status;
}

/* Some subset must have a winner. */
static spar_status choose_size(rankers *self, const spar__values *values, spar_error *err)
{
    size_t subset = spar__integer(values, "subset"), n = self->matrix.n;
    self->k = subset ? subset : n;
    if (self->k > n)
        return spar__fail(err, SPAR_INVALID, "rankers: subset=%zu, but %s has %zu rankers; subset=0 is all of them",
                          subset, self->data, n);
    if (!subset)
        return spar__cycle_text(self->data, &self->matrix, &self->cycle, err);
    self->subset = true;
    double share = spar__subset_share(&self->matrix, self->k);
    if (share == 0)
        return spar__fail(err, SPAR_UNSUPPORTED, "%s: no subset of %zu rankers has one that beats all others",
                          self->data, subset);
    spar__buf_printf(&self->note, "; %.3g %% of the subsets of %zu have no Condorcet winner and are not played",
                     100 * fmax(1 - share, 0), subset);
    return SPAR_OK;
}

static spar_status init(void *self, const spar__values *values, spar_error *err)
{
    rankers *r = self;
    const char *matrix = spar__text(values, "matrix");
    if (!spar__given(values, "data"))
        return spar__fail(err, SPAR_INVALID, "rankers: needs data=, the LETOR files");
    if (spar__text(values, "weights") && spar__given(values, "features"))
        return spar__fail(err, SPAR_INVALID, "rankers: features= cannot be combined with weights=");
    r->tie_is_half = spar__choice(values, "tie") == 1;
    r->data = spar__strdup(spar__text(values, "data"));
    spar_status status = r->data ? open_lists(r, values, err) : spar__fail_memory(err);
    if (status)
        return status;
    /* Preferences take memory in proportion to the square of the number of rankers. */
    size_t n = spar__queries_rankers(r->lists.queries);
    bool asked = spar__given(values, "features") || spar__text(values, "weights");
    if (n > (asked ? SPAR__MATRIX_MOST : SPAR__RANKERS_UNASKED))
        return spar__fail(
            err, SPAR_UNSUPPORTED,
            "rankers: %s has %zu rankers, whose preferences take %.2g GB; features=N takes the first N, up to %d",
            r->data, n, spar__comparison_memory(n, spar__integer(values, "threads")), SPAR__MATRIX_MOST);
    status = matrix ? read_matrix(r, matrix, err) : compute_matrix(r, values, err);
    if (!status && !r->matrix.names) {
        r->matrix.names = spar__alloc(n, sizeof *r->matrix.names);
        bool named = r->matrix.names;
        for (size_t i = 0; named && i < n; i++)
            named = (r->matrix.names[i] = spar__strdup(spar__queries_name(r->lists.queries, i)));
        status = named ? SPAR_OK : spar__fail_memory(err);
    }
    if (!status)
        status = choose_size(r, values, err);
    return !status && r->note.failed ? spar__fail_memory(err) : status;
}

static void fini(void *self)
{
    rankers *r = self;
    spar__interleaving_close(&r->lists);
    spar__matrix_free(&r->matrix);
    spar__free(r->data);
    spar__buf_free(&r->note);
    spar__free(r->cycle);
}

static spar_status start(const void *self, uint64_t seed, uint64_t run, spar_world *world, spar_error *err)
{
    const rankers *r = self;
    world->lists = &r->lists;
    world->tie_is_half = r->tie_is_half;
    world->ranker = spar__alloc(r->matrix.n, sizeof *world->ranker);
    return world->ranker
               ? spar__subset_start(&r->matrix, 1, r->k, 0, seed, run, r->subset, r->data, world->ranker, world, err)
               : SPAR_NOMEM;
}

static const char *note(const void *self)
{
    return ((const rankers *)self)->note.text;
}

static const char *cycle(const void *self)
{
    return ((const rankers *)self)->cycle;
}

const spar__env_class spar__env_rankers = {
    .entry = {"rankers", "rankers of learning-to-rank data, compared by clicks", "Schuth et al. 2014", params},
    .has_lists = true,
    .feedback = "multileave",
    .size = sizeof(rankers),
    .init = init,
    .fini = fini,
    .start = start,
    .note = note,
    .cycle = cycle,
};
