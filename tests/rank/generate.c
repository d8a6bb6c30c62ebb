#include "rank/letor.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/file.h"

#include "tap.h"

#include <stdlib.h>

static bool collect(void *context, const char *text, size_t length)
{
    spar__buf_add(context, text, length);
    return true;
}

/* The committed file: the bytes are the same on every machine and in every version. */
static void check_bytes(void)
{
    char path[1000];
    spar__buf file = {0}, made = {0};
    spar_error err = {0};
    const char *tests = getenv("SPAR_TESTS");
    (void)snprintf(path, sizeof path, "%s/rank/small.txt", tests ? tests : "tests");
    spar_status status = spar__file_read(path, 0, &file, &err);
    ok(!status && !spar__generate(&(spar__generate_options){24, 12, 24, 5, 1}, collect, &made, &err), "%s", path);
    ok(file.length == made.length && file.text && memcmp(file.text, made.text, made.length) == 0,
       "is what is generated");
    spar__buf_free(&file);
    spar__buf_free(&made);
}

enum { FEATURES = 60 };

typedef struct census {
    spar__letor_rows rows;
    bool good;
    size_t queries, docs, lone, few, most, barren, grade[5], zero[FEATURES + 1], tied[FEATURES + 1];
    double n, g, gg, x[FEATURES + 1], xx[FEATURES + 1], gx[FEATURES + 1], next[FEATURES + 1];
} census;

static void count(census *c)
{
    const spar__letor_rows *rows = &c->rows;
    double *value = spar__alloc(rows->docs * (FEATURES + 1), sizeof *value);
    for (size_t e = 0; e < rows->entries; e++)
        value[rows->entry[e].doc * (FEATURES + 1) + rows->entry[e].feature] = rows->entry[e].value;
    bool barren = true;
    for (size_t d = 0; d < rows->docs; d++) {
        double g = rows->grade[d], *v = value + d * (FEATURES + 1);
        c->grade[rows->grade[d]]++;
        barren = barren && g == 0;
        c->n++;
        c->g += g;
        c->gg += g * g;
        for (size_t f = 1; f <= FEATURES; f++) {
            c->x[f] += v[f];
            c->xx[f] += v[f] * v[f];
            c->gx[f] += g * v[f];
            c->next[f] += f < FEATURES ? v[f] * v[f + 1] : 0;
            c->zero[f] += v[f] == 0;
            c->tied[f] += d > 0 && v[f] == v[f - FEATURES - 1];
        }
    }
    c->barren += barren;
    spar__free(value);
}

static bool survey(void *context, const char *text, size_t length)
{
    census *c = context;
    c->good = c->good && !spar__letor_parse(text, length, "f", 1, &c->rows, NULL) &&
              c->rows.id == 15 * c->queries + 1 && c->rows.features <= FEATURES;
    c->queries++;
    c->docs += c->rows.docs;
    c->lone += c->rows.docs == 1;
    c->few += c->rows.docs > 1 && c->rows.docs < 10;
    c->most = c->rows.docs > c->most ? c->rows.docs : c->most;
    count(c);
    return c->good;
}

static double correlation(double n, double x, double xx, double y, double yy, double xy)
{
    double below = sqrt((xx - x * x / n) * (yy - y * y / n));
    return below > 0 ? (xy - x * y / n) / below : 0;
}

static void check_traits(unsigned grades, double none)
{
    census *c = spar__alloc(1, sizeof *c);
    c->good = true;
    ok(!spar__generate(&(spar__generate_options){1000, 40, FEATURES, grades, 3}, survey, c, NULL) && c->good &&
           c->queries == 1000,
       "1000 queries with %u grades are read back", grades);
    near((double)c->docs / 1000, 0.88 * 40 + 0.5, 2, "about 40 documents each");
    ok(c->most == 60 && c->lone > 20 && c->lone < 70 && c->few > 50 && c->few < 120, "at most 60, or one, or few");
    near((double)c->grade[0] / c->n, none, 0.04, "most of them irrelevant");
    bool skewed = true;
    for (unsigned g = 1; g < grades; g++)
        skewed = skewed && c->grade[g] > 0 && c->grade[g] < c->grade[g - 1];
    ok(skewed && c->barren > 20, "higher grades are rarer; %zu queries have none", c->barren);
    int telling = 0, dumb = 0, dead = 0, rare = 0, flat = 0, kin = 0;
    for (size_t f = 1; f <= FEATURES; f++) {
        double r = correlation(c->n, c->x[f], c->xx[f], c->g, c->gg, c->gx[f]), zeros = (double)c->zero[f] / c->n;
        double s = f < FEATURES ? correlation(c->n, c->x[f], c->xx[f], c->x[f + 1], c->xx[f + 1], c->next[f]) : 0;
        telling += r > 0.25;
        dumb += fabs(r) < 0.05;
        dead += zeros == 1;
        rare += zeros > 0.8 && zeros < 1;
        flat += (double)c->tied[f] / c->n > 0.2;
        kin += s > 0.2;
    }
    ok(telling >= 5 && dumb >= 5, "%d features tell the grade, %d do not", telling, dumb);
    ok(dead >= 1 && rare >= 2 && flat >= 15, "%d are always zero, %d mostly, %d have many ties", dead, rare, flat);
    ok(kin >= 8, "%d are much like their neighbours", kin);
    spar__letor_rows_free(&c->rows);
    spar__free(c);
}

static void check_refusals(void)
{
    static const struct {
        spar__generate_options options;
        const char *why;
    } cases[] = {
        {{0, 1, 1, 5, 1}, "queries is 0, expected 1 or more"},
        {{1, 0, 1, 5, 1}, "docs is 0, expected 1 to 65535"},
        {{1, 65536, 1, 5, 1}, "docs is 65536, expected 1 to 65535"},
        {{1, 1, 0, 5, 1}, "features is 0, expected 1 to 65535"},
        {{1, 1, 65536, 5, 1}, "features is 65536, expected 1 to 65535"},
        {{1, 1, 1, 4, 1}, "grades is 4, expected 3 or 5"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        spar_error err = {0};
        spar__buf made = {0};
        ok(spar__generate(&cases[i].options, collect, &made, &err) == SPAR_INVALID && !made.text, "refused");
        same_text(err.text, cases[i].why, "%s", cases[i].why);
    }
    for (size_t k = 1; k <= 4; k++) {
        spar__buf made = {.text = spar__alloc(10000, 1), .capacity = 10000};
        spar__alloc_fail_at(k);
        ok(spar__generate(&(spar__generate_options){1, 2, 3, 3, 1}, collect, &made, NULL) == SPAR_NOMEM,
           "allocation %zu fails", k);
        spar__alloc_fail_at(0);
        spar__buf_free(&made);
    }
}

static bool stop(void *context, const char *text, size_t length)
{
    (void)text;
    return length > 0 && ++*(int *)context < 3;
}

int main(void)
{
    check_bytes();
    check_traits(5, 0.52);
    check_traits(3, 0.77);
    check_refusals();
    int calls = 0;
    ok(spar__generate(&(spar__generate_options){9, 2, 3, 3, 1}, stop, &calls, NULL) == SPAR_INTERRUPTED && calls == 3,
       "the one who takes it can stop it");
    return done();
}
