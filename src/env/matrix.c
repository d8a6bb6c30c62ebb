/* matrix - preferences from a file: P(i beats j), or win counts. Optionally a fresh random subset with a Condorcet
 * winner in every run, and several files of the same arms between which the user switches in turn. */
#include "base/alloc.h"
#include "env/env.h"
#include "env/subset.h"

#include <string.h>

typedef struct matrix {
    size_t n; /* arms in the files */
    size_t k; /* arms of a run */
    size_t files;
    spar__matrix *file;
    char *paths; /* as given, for errors */
    uint64_t every;
    double ties;
    bool subset; /* of a random choice of arms one must beat all others */
    char *cycle; /* the first of the files in which none does, as a clause */
} matrix;

static const spar_param params[] = {
    {"file", SPAR_PARAM_PATH, NULL, 0, 0, NULL, "P(row beats column), one row a line; a first line may name the arms"},
    {"counts", SPAR_PARAM_INTEGER, "0", 0, 1, NULL, "1: the file has win counts"},
    {"subset", SPAR_PARAM_INTEGER, NULL, 1, 1e9, NULL,
     "arms of a random subset with a Condorcet winner, fresh in every run"},
    {"files", SPAR_PARAM_PATHS, NULL, 0, 0, NULL, "several files of the same arms, used in turn"},
    {"every", SPAR_PARAM_INTEGER, NULL, 1, 1e15, NULL, "rounds before the next of the files"},
    {"tol", SPAR_PARAM_NUMBER, "1e-6", 0, 0.5, NULL, "how far P + P^T may be off 1"},
    {"ties", SPAR_PARAM_NUMBER, "0", 0, 1e6, NULL, "Davidson's nu: how often answers are ties"},
    {0},
};

static spar_status check_params(const spar__values *values, spar_error *err)
{
    bool one = spar__given(values, "file"), several = spar__given(values, "files");
    if (one == several)
        return spar__fail(err, SPAR_INVALID, "matrix: needs either file= or files=");
    if (several != spar__given(values, "every"))
        return spar__fail(err, SPAR_INVALID, "matrix: files= and every= go together");
    return SPAR_OK;
}

/* The files must be about the same arms. */
static spar_status check_same_arms(const char *path, const spar__matrix *first, const spar__matrix *other,
                                   spar_error *err)
{
    if (other->n != first->n)
        return spar__fail(err, SPAR_INVALID, "%s: has %zu arms, but the first of the files has %zu", path, other->n,
                          first->n);
    for (size_t i = 0; first->names && other->names && i < first->n; i++)
        if (strcmp(first->names[i], other->names[i]) != 0)
            return spar__fail(err, SPAR_INVALID, "%s: arm %zu is %.80s, but %.80s in the first of the files", path, i,
                              other->names[i], first->names[i]);
    return SPAR_OK;
}

static spar_status load(matrix *self, size_t index, const char *path, const spar__values *values, spar_error *err)
{
    spar__matrix *file = &self->file[index];
    spar_status status =
        spar__matrix_read(path, spar__integer(values, "counts"), spar__number(values, "tol"), file, err);
    if (!status && index)
        status = check_same_arms(path, &self->file[0], file, err);
    if (!status && !self->subset && !self->cycle)
        status = spar__cycle_text(path, file, &self->cycle, err);
    return status;
}

/* Reads the colon-separated files; one file's name may hold colons. */
static spar_status load_all(matrix *self, const spar__values *values, spar_error *err)
{
    bool several = spar__given(values, "files");
    const char *text = spar__text(values, several ? "files" : "file");
    char *paths = spar__strdup(text), *path = paths;
    self->paths = spar__strdup(text);
    self->files = 1;
    for (const char *c = text; several && *c; c++)
        self->files += *c == ':';
    self->file = spar__alloc(self->files, sizeof *self->file);
    spar_status status = paths && self->paths && self->file ? SPAR_OK : spar__fail_memory(err);
    for (size_t i = 0; !status && i < self->files; i++) {
        size_t length = several ? strcspn(path, ":") : strlen(path);
        path[length] = '\0';
        status = load(self, i, path, values, err);
        path += length + 1;
    }
    spar__free(paths);
    return status;
}

static spar_status init(void *self, const spar__values *values, spar_error *err)
{
    matrix *m = self;
    spar_status status = check_params(values, err);
    m->subset = spar__given(values, "subset");
    if (!status)
        status = load_all(m, values, err);
    if (status)
        return status;
    m->n = m->k = m->file[0].n;
    m->ties = spar__number(values, "ties");
    if (spar__given(values, "every"))
        m->every = (uint64_t)spar__number(values, "every");
    if (m->subset)
        m->k = spar__integer(values, "subset");
    if (m->k > m->n)
        return spar__fail(err, SPAR_INVALID, "matrix: subset=%zu, but %s has %zu arms", m->k, m->paths, m->n);
    return SPAR_OK;
}

static void fini(void *self)
{
    matrix *m = self;
    for (size_t i = 0; m->file && i < m->files; i++)
        spar__matrix_free(&m->file[i]);
    spar__free(m->file);
    spar__free(m->paths);
    spar__free(m->cycle);
}

static spar_status start(const void *self, uint64_t seed, uint64_t run, spar_world *world, spar_error *err)
{
    const matrix *m = self;
    world->ties = m->ties;
    size_t *order = spar__alloc(m->n, sizeof *order);
    spar_status status =
        order ? spar__subset_start(m->file, m->files, m->k, m->every, seed, run, m->subset, m->paths, order, world, err)
              : SPAR_NOMEM;
    spar__free(order);
    return status;
}

static const char *cycle(const void *self)
{
    return ((const matrix *)self)->cycle;
}

const spar__env_class spar__env_matrix = {
    .entry = {"matrix", "preferences or win counts from a file", NULL, params},
    .size = sizeof(matrix),
    .init = init,
    .fini = fini,
    .start = start,
    .cycle = cycle,
};
