/* matrix - preferences from a file: P(i beats j), or win counts. Optionally a fresh random subset with a Condorcet
 * winner in every run, and several files of the same arms between which the user switches in turn.
 *
 * The reader of the files, which is also that of `spar describe` and `spar decide`, and the subsets, which other
 * environments with a matrix have, too, come first. */
#include "base/alloc.h"
#include "base/buf.h"
#include "base/file.h"
#include "env/data.h"
#include "env/env.h"
#include "prefer/prefer.h"
#include "text/csv.h"

#include <math.h>
#include <string.h>

/* --- reading --- */

static const size_t LARGEST_FILE = (size_t)1 << 30; /* a device may never end */
static const double MOST_WINS = 9007199254740992.0; /* 2^53, beyond which whole numbers are no longer exact */

/* A growing list of rows, with the line each stands in. */
typedef struct matrix_reader {
    const char *path;
    bool counts;
    spar_error *err;
    spar__line_reader lines;
    size_t n; /* columns, and so rows, to come; 0 while unknown */
    double *value;
    size_t values, capacity;
    size_t *row_line;
    size_t rows, row_capacity;
    char **names;
    size_t names_line;
    bool labelled; /* rows begin with their names */
} matrix_reader;

static bool has_commas(spar__piece line)
{
    return memchr(line.text, ',', line.length) != NULL;
}

static bool number_of(spar__piece f, double *out)
{
    const char *end;
    *out = spar__scan_double(f.text, &end);
    return f.length && end == f.text + f.length;
}

static spar_status add_value(matrix_reader *r, spar__piece f)
{
    double value;
    if (!number_of(f, &value)) {
        if (!f.length)
            return spar__fail(r->err, SPAR_PARSE, "%s:%zu: empty field between commas", r->path, r->lines.number);
        return spar__fail(r->err, SPAR_PARSE, "%s:%zu: '%.*s' is not a number", r->path, r->lines.number,
                          spar__piece_shown(f), f.text);
    }
    if (r->counts && !(value >= 0 && value <= MOST_WINS))
        return spar__fail(r->err, SPAR_PARSE, "%s:%zu: %.*s is not a number of wins", r->path, r->lines.number,
                          spar__piece_shown(f), f.text);
    if (!r->counts && !(value >= 0 && value <= 1))
        return spar__fail(r->err, SPAR_PARSE, "%s:%zu: %.*s is outside [0,1]%s", r->path, r->lines.number,
                          spar__piece_shown(f), f.text, value > 1 ? "; win counts need counts=1" : "");
    double *grown = spar__grow(r->value, &r->capacity, r->values + 1, 256, sizeof *grown);
    if (!grown)
        return spar__fail_memory(r->err);
    r->value = grown;
    r->value[r->values++] = value;
    return SPAR_OK;
}

static bool is_name(const char *name, spar__piece f)
{
    return strlen(name) == f.length && memcmp(name, f.text, f.length) == 0;
}

/* Rows may begin with their names, as spreadsheets write them. The first row shows it, and whether the line of names
 * has a cell before the names, above those of the rows. */
static spar_status find_labels(matrix_reader *r, spar__piece line)
{
    spar__piece label;
    (void)spar__piece_field(&line, has_commas(line), &label);
    bool corner = r->n > 1 && is_name(r->names[1], label);
    r->labelled = corner || is_name(r->names[0], label);
    if (corner) {
        spar__free(r->names[0]);
        r->n--;
        memmove(r->names, r->names + 1, r->n * sizeof *r->names);
    }
    if (!*r->names[0])
        return spar__fail(r->err, SPAR_PARSE, "%s:%zu: name 0 is empty", r->path, r->names_line);
    return SPAR_OK;
}

static spar_status read_row(matrix_reader *r, spar__piece line)
{
    if (r->names && !r->rows) {
        spar_status status = find_labels(r, line);
        if (status)
            return status;
    }
    size_t *grown = spar__grow(r->row_line, &r->row_capacity, r->rows + 1, 32, sizeof *grown);
    if (!grown)
        return spar__fail_memory(r->err);
    r->row_line = grown;
    if (r->n && r->rows == r->n)
        return spar__fail(r->err, SPAR_PARSE, "%s:%zu: more than %zu rows: not square", r->path, r->lines.number, r->n);
    bool commas = has_commas(line);
    if (r->labelled) {
        spar__piece label;
        if (!spar__piece_field(&line, commas, &label) || !is_name(r->names[r->rows], label))
            return spar__fail(r->err, SPAR_PARSE, "%s:%zu: row begins with '%.*s', expected '%.100s'", r->path,
                              r->lines.number, spar__piece_shown(label), label.text, r->names[r->rows]);
    }
    size_t before = r->values;
    for (spar__piece f; spar__piece_field(&line, commas, &f);) {
        spar_status status = add_value(r, f);
        if (status)
            return status;
    }
    size_t columns = r->values - before;
    if (!r->n)
        r->n = columns;
    if (columns != r->n)
        return spar__fail(r->err, SPAR_PARSE, "%s:%zu: row has %zu numbers, expected %zu", r->path, r->lines.number,
                          columns, r->n);
    r->row_line[r->rows++] = r->lines.number;
    return SPAR_OK;
}

static spar_status read_names(matrix_reader *r, spar__piece line, size_t n)
{
    bool commas = has_commas(line);
    r->names = spar__alloc(n, sizeof *r->names);
    if (!r->names)
        return spar__fail_memory(r->err);
    r->n = n;
    r->names_line = r->lines.number;
    size_t i = 0;
    for (spar__piece f; spar__piece_field(&line, commas, &f); i++) {
        if ((!f.length && i) || memchr(f.text, '\0', f.length)) /* the first may be a cell above the names of rows */
            return spar__fail(r->err, SPAR_PARSE, "%s:%zu: name %zu is empty", r->path, r->lines.number, i);
        r->names[i] = spar__alloc(f.length + 1, 1);
        if (!r->names[i])
            return spar__fail_memory(r->err);
        memcpy(r->names[i], f.text, f.length);
        for (size_t k = 0; k < i; k++)
            if (strcmp(r->names[k], r->names[i]) == 0)
                return spar__fail(r->err, SPAR_PARSE, "%s:%zu: the name %.100s is given twice", r->path,
                                  r->lines.number, r->names[i]);
    }
    return SPAR_OK;
}

/* The size (digits alone), the names (no field is a number), or already a row. */
static spar_status read_first(matrix_reader *r, spar__piece line)
{
    size_t fields = 0, numbers = 0;
    double value = 0;
    bool commas = has_commas(line);
    spar__piece rest = line;
    for (spar__piece f; spar__piece_field(&rest, commas, &f); fields++)
        numbers += number_of(f, &value);
    if (fields > SPAR__MATRIX_MOST)
        return spar__fail(r->err, SPAR_PARSE, "%s:%zu: %zu columns, expected at most %d", r->path, r->lines.number,
                          fields, SPAR__MATRIX_MOST);
    if (!numbers)
        return read_names(r, line, fields);
    bool digits = true;
    for (size_t i = 0; i < line.length; i++)
        digits = digits && line.text[i] >= '0' && line.text[i] <= '9';
    if (fields > 1 || !digits)
        return read_row(r, line);
    if (!(value >= 1 && value <= SPAR__MATRIX_MOST)) {
        return spar__fail(r->err, SPAR_PARSE, "%s:%zu: a matrix cannot have the size %.*s, only 1 to %d", r->path,
                          r->lines.number, spar__piece_shown(line), line.text, SPAR__MATRIX_MOST);
    }
    r->n = (size_t)value;
    return SPAR_OK;
}

/* Both halves of a pair into numbers that add up to exactly 1: 1 - p is exact for p >= 1/2. */
static void set_pair(double *p, size_t n, size_t i, size_t j, double ij)
{
    p[i * n + j] = ij;
    p[j * n + i] = 1 - ij;
    if (ij < 0.5)
        p[i * n + j] = 1 - p[j * n + i];
}

static spar_status finish(const matrix_reader *r, double tol)
{
    size_t n = r->n;
    double *p = r->value;
    for (size_t i = 0; i < n; i++) {
        if (!r->counts && !(fabs(p[i * n + i] - 0.5) <= tol))
            return spar__fail(r->err, SPAR_PARSE, "%s:%zu: P[%zu][%zu] = %.9g on the diagonal, expected 0.5", r->path,
                              r->row_line[i], i, i, p[i * n + i]);
        p[i * n + i] = 0.5;
        for (size_t j = 0; j < i; j++) {
            double ji = p[j * n + i], ij = p[i * n + j];
            if (!r->counts && !(fabs(ji + ij - 1) <= tol))
                return spar__fail(
                    r->err, SPAR_PARSE,
                    "%s:%zu: P[%zu][%zu] = %.9g and P[%zu][%zu] = %.9g add up to %.9g, not to 1 (tol %g; arms are "
                    "counted from 0)",
                    r->path, r->row_line[i], i, j, ij, j, i, ji, ji + ij, tol);
            if (r->counts)
                set_pair(p, n, j, i, ji + ij > 0 ? ji / (ji + ij) : 0.5);
            else if (ji >= ij)
                set_pair(p, n, j, i, (ji + (1 - ij)) / 2);
            else
                set_pair(p, n, i, j, (ij + (1 - ji)) / 2);
        }
    }
    return SPAR_OK;
}

static spar_status read_all(matrix_reader *r)
{
    spar__piece line;
    if (!spar__line_next(&r->lines, &line))
        return spar__fail(r->err, SPAR_PARSE, "%s: no numbers in it", r->path);
    spar_status status = read_first(r, line);
    while (!status && spar__line_next(&r->lines, &line))
        status = read_row(r, line);
    if (!status && r->rows < r->n)
        return spar__fail(r->err, SPAR_PARSE, "%s:%zu: ends after %zu of %zu rows", r->path, r->lines.number, r->rows,
                          r->n);
    return status;
}

/* The counts as they are. */
static spar_status finish_wins(const matrix_reader *r)
{
    for (size_t i = 0; i < r->n; i++) {
        r->value[i * r->n + i] = 0;
        for (size_t j = 0; j < r->n; j++)
            if (floor(r->value[i * r->n + j]) < r->value[i * r->n + j])
                return spar__fail(r->err, SPAR_PARSE,
                                  "%s:%zu: %.9g wins, expected whole numbers (a tie is no half win; leave it out)",
                                  r->path, r->row_line[i], r->value[i * r->n + j]);
    }
    return SPAR_OK;
}

static spar_status give(matrix_reader *r, spar_status status, spar__matrix *out)
{
    spar__matrix read = {r->n, r->value, r->names};
    spar__free(r->row_line);
    if (status)
        spar__matrix_free(&read);
    *out = read;
    return status;
}

spar_status spar__matrix_parse(const char *text, size_t length, const char *path, bool counts, double tol,
                               spar__matrix *out, spar_error *err)
{
    matrix_reader r = {.path = path, .counts = counts, .err = err, .lines = spar__lines_of(text, length)};
    spar_status status = read_all(&r);
    return give(&r, status ? status : finish(&r, tol), out);
}

spar_status spar__wins_parse(const char *text, size_t length, const char *path, spar__matrix *out, spar_error *err)
{
    matrix_reader r = {.path = path, .counts = true, .err = err, .lines = spar__lines_of(text, length)};
    spar_status status = read_all(&r);
    return give(&r, status ? status : finish_wins(&r), out);
}

spar_status spar__matrix_read(const char *path, bool counts, double tol, spar__matrix *out, spar_error *err)
{
    *out = (spar__matrix){0};
    spar__buf text = {0};
    spar_status status = spar__file_read(path, LARGEST_FILE, &text, err);
    if (!status)
        status = spar__matrix_parse(text.text ? text.text : "", text.length, path, counts, tol, out, err);
    spar__buf_free(&text);
    return status;
}

void spar__matrix_free(spar__matrix *matrix)
{
    for (size_t i = 0; matrix->names && i < matrix->n; i++)
        spar__free(matrix->names[i]);
    spar__free(matrix->names);
    spar__free(matrix->p);
    *matrix = (spar__matrix){0};
}

/* --- subsets of the arms --- */

enum { MOST_TRIES = 100000 }; /* subsets drawn before giving up */

/* The preferences among the items order[0 .. k-1]; false without a Condorcet winner in every phase. */
static bool fill_phases(const spar__matrix *matrix, const size_t *order, spar_world *world)
{
    size_t k = world->n, with_winner = 0;
    for (size_t f = 0; f < world->phases; f++) {
        double *p = world->phase[f].p;
        for (size_t i = 0; i < k; i++)
            for (size_t j = 0; j < k; j++)
                p[i * k + j] = matrix[f].p[order[i] * matrix[f].n + order[j]];
        size_t best = SPAR_NO_ARM;
        with_winner += spar__condorcet(k, p, &best);
        spar__phase_set_best(&world->phase[f], k, best);
    }
    return with_winner == world->phases;
}

spar_status spar__subset_start(const spar__matrix *matrix, size_t matrices, size_t k, uint64_t every, uint64_t seed,
                               uint64_t run, bool winner, const char *what, size_t *order, spar_world *world,
                               spar_error *err)
{
    size_t n = matrix[0].n;
    world->n = k;
    if (spar__world_set_phases(world, matrices, every))
        return SPAR_NOMEM;
    spar_rng rng;
    spar__world_labels(&rng, seed, run, n, order);
    for (; !fill_phases(matrix, order, world) && winner; spar_rng_shuffle(&rng, order, n))
        if (++world->redrawn == MOST_TRIES)
            return spar__fail(err, SPAR_UNSUPPORTED,
                              "%s: none of %d random subsets of %zu arms has one that beats all others", what,
                              MOST_TRIES, k);
    return spar__world_set_arms(world, order, k, 0, NULL, matrix[0].names);
}

double spar__subset_share(const spar__matrix *matrix, size_t k)
{
    size_t n = matrix->n;
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        size_t wins = 0;
        for (size_t j = 0; j < n; j++)
            wins += matrix->p[i * n + j] > 0.5;
        double share = (double)k / (double)n;
        for (size_t j = 0; j + 1 < k; j++)
            share *= j < wins ? (double)(wins - j) / (double)(n - 1 - j) : 0;
        sum += share;
    }
    return sum;
}

spar_status spar__cycle_text(const char *what, const spar__matrix *matrix, char **out, spar_error *err)
{
    *out = NULL;
    if (spar__condorcet(matrix->n, matrix->p, NULL))
        return SPAR_OK;
    spar__buf text = {0};
    size_t *member = spar__alloc(matrix->n, sizeof *member), i = 0;
    if (!member)
        return spar__fail_memory(err);
    size_t count = spar__top_cycle(matrix->n, matrix->p, member);
    spar__buf_printf(&text, "%.200s: no arm beats all others (the top cycle is the %zu arms ", what, count);
    size_t most = text.length + 120; /* an error holds more than this clause */
    for (; i < count && text.length < most; i++) {
        spar__buf_adds(&text, i ? ", " : "");
        if (matrix->names)
            spar__buf_printf(&text, "%.60s", matrix->names[member[i]]);
        else
            spar__buf_printf(&text, "%zu", member[i]);
    }
    spar__buf_printf(&text, "%s%s)", i < count ? ", ..." : "", matrix->names ? "" : ", counted from 0");
    spar__free(member);
    if (text.failed) {
        spar__buf_free(&text);
        return spar__fail_memory(err);
    }
    *out = text.text;
    return SPAR_OK;
}

/* --- the environment --- */

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

static spar_status init(void *self, const spar__values *values, spar_error *err)
{
    matrix *m = self;
    bool several = spar__given(values, "files");
    if (spar__given(values, "file") == several)
        return spar__fail(err, SPAR_INVALID, "matrix: needs either file= or files=");
    if (several != spar__given(values, "every"))
        return spar__fail(err, SPAR_INVALID, "matrix: files= and every= go together");
    /* Reads the colon-separated files; one file's name may hold colons. */
    const char *text = spar__text(values, several ? "files" : "file");
    char *paths = spar__strdup(text), *path = paths;
    m->subset = spar__given(values, "subset");
    m->paths = spar__strdup(text);
    m->files = 1;
    for (const char *c = text; several && *c; c++)
        m->files += *c == ':';
    m->file = spar__alloc(m->files, sizeof *m->file);
    spar_status status = paths && m->paths && m->file ? SPAR_OK : spar__fail_memory(err);
    for (size_t i = 0; !status && i < m->files; i++) {
        size_t length = several ? strcspn(path, ":") : strlen(path);
        path[length] = '\0';
        spar__matrix *file = &m->file[i];
        status = spar__matrix_read(path, spar__integer(values, "counts"), spar__number(values, "tol"), file, err);
        if (!status && i)
            status = check_same_arms(path, &m->file[0], file, err);
        if (!status && !m->subset && !m->cycle)
            status = spar__cycle_text(path, file, &m->cycle, err);
        path += length + 1;
    }
    spar__free(paths);
    if (status)
        return status;
    m->n = m->k = m->file[0].n;
    m->ties = spar__number(values, "ties");
    if (several)
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
