#include "env/data.h"

#include "base/alloc.h"

#include "tap.h"

#include <stdlib.h>

static spar_status parse(const char *text, const char *utility, bool scale, spar__arm_table *out, spar_error *err)
{
    return spar__arm_table_parse(text, strlen(text), "t.csv", utility, scale, out, err);
}

/* x and utility row by row: dim features, then the utility. */
static void takes(const char *text, const char *utility, bool scale, size_t n, size_t dim, const double *wanted,
                  const char *names)
{
    spar__arm_table t;
    spar_error err = {0};
    if (!ok(parse(text, utility, scale, &t, &err) == SPAR_OK && t.n == n && t.dim == dim, "taken: %zu rows of %zu", n,
            dim)) {
        printf("# %s (%zu rows of %zu)\n", err.text, t.n, t.dim);
        spar__arm_table_free(&t);
        return;
    }
    double worst = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t d = 0; d < dim; d++)
            worst = fmax(worst, fabs(t.x[i * dim + d] - wanted[i * (dim + 1) + d]));
        worst = fmax(worst, fabs(t.utility[i] - wanted[i * (dim + 1) + dim]));
    }
    ok(worst < 1e-15 && (dim > 0) == (t.x != NULL), "with its numbers");
    char joined[100] = "";
    for (size_t i = 0; t.names && i < n; i++)
        (void)snprintf(joined + strlen(joined), sizeof joined - strlen(joined), "[%s]", t.names[i]);
    same_text(joined, names, "with its names");
    spar__arm_table_free(&t);
}

static void check_forms(void)
{
    const double h = sqrt(0.5);
    takes("x,utility\n1,0.5\n3,0.7\n2,-4\n", "utility", true, 3, 1, (double[]){0, 0.5, 1, 0.7, 0.5, -4}, "");
    takes("x,utility\n1,0.5\n3,0.7\n2,-4", "utility", false, 3, 1, (double[]){1, 0.5, 3, 0.7, 2, -4}, "");
    takes("\xEF\xBB\xBFname, utility ,x\r\n\"a, b\",1,-1\r\n\r\nc,2,1e0\r\n", "utility", true, 2, 1,
          (double[]){0, 1, 1, 2}, "[a, b][c]");
    takes("colour,utility\nred,1\nblue,2\nred,3\ngreen,4\n", "utility", true, 4, 3,
          (double[]){h, 0, 0, 1, 0, h, 0, 2, h, 0, 0, 3, 0, 0, h, 4}, "");
    takes("colour,size,utility\n red,7,1\nblue ,9,2\n", "utility", false, 2, 3, (double[]){h, 0, 7, 1, 0, h, 9, 2}, "");
    takes("constant,word,x,utility\n5,a,1,1\n5,a,2,2\n", "utility", true, 2, 3, (double[]){0, 0, 0, 1, 0, 0, 1, 2}, "");
    takes("constant,utility\n5,1\n5,2\n", "utility", false, 2, 1, (double[]){5, 1, 5, 2}, "");
    takes("utility,taste\n0.5,1\n0.25,2\n", "taste", true, 2, 1, (double[]){1, 1, 0, 2}, "");
    takes("utility\n1\n2\n", "utility", true, 2, 0, (double[]){1, 2}, "");
    takes("name,utility\n1,1\nx,2\n", "utility", true, 2, 0, (double[]){1, 2}, "[1][x]");
    takes("name,x\n1,3\n2,4\n", "name", true, 2, 1, (double[]){0, 1, 1, 2}, "");
    takes("d,utility\n2020-01-02,1\n1.2.3,2\n3d,3\n", "utility", true, 3, 3,
          (double[]){h, 0, 0, 1, 0, h, 0, 2, 0, 0, h, 3}, "");
    takes("x,utility\n-1e100,1\n1e100,2\n0,3\n", "utility", true, 3, 1, (double[]){0, 1, 1, 2, 0.5, 3}, "");
}

static void check_distance(void)
{
    spar__arm_table t;
    (void)parse("a,b,utility\np,u,1\nq,u,2\nr,v,3\n", "utility", true, &t, NULL);
    double apart[3] = {0};
    static const size_t pair[3][2] = {{0, 1}, {1, 2}, {0, 2}};
    for (size_t i = 0; i < 3; i++)
        for (size_t d = 0; d < t.dim; d++)
            apart[i] += pow(t.x[pair[i][0] * t.dim + d] - t.x[pair[i][1] * t.dim + d], 2);
    ok(t.dim == 5 && fabs(apart[0] - 1) < 1e-15 && fabs(apart[1] - 2) < 1e-15 && fabs(apart[2] - 2) < 1e-15,
       "two categories are 1 apart, in each column");
    spar__arm_table_free(&t);
}

static void check_refusals(void)
{
    static const char *const cases[][2] = {
        {"", "t.csv: is empty"},
        {"\n\n", "t.csv: is empty"},
        {"x,utility\n", "t.csv:2: ends after 0 rows below the header, expected at least 2"},
        {"x,utility\n1,2\n", "t.csv:3: ends after 1 row below the header, expected at least 2"},
        {"x,y\n1,2\n3,4\n", "t.csv:1: there is no column 'utility'; utility= says which holds the utility"},
        {"x,,utility\n", "t.csv:1: column 2 has no name"},
        {"x,utility, x\n", "t.csv:1: two columns have the name 'x'"},
        {"x,utility,utility\n", "t.csv:1: two columns have the name 'utility'"},
        {"x,utility\n1,2\n3\n", "t.csv:3: row has 1 fields, expected 2"},
        {"x,utility\n1,2\n\n3,4,5\n", "t.csv:4: row has 3 fields, expected 2"},
        {"x,utility\n1,2\n,4\n", "t.csv:3: nothing in column 'x'"},
        {"x,utility\n1,2\n3, \n", "t.csv:3: nothing in column 'utility'"},
        {"name,utility\na,2\n,4\n", "t.csv:3: nothing in column 'name'"},
        {"x,utility\n1,high\n", "t.csv:2: 'high' in column 'utility' is not a finite number"},
        {"x,utility\n1,1\n1,nan\n", "t.csv:3: 'nan' in column 'utility', which has numbers from line 2 to here"},
        {"x,utility\nNaN,1\n", "t.csv:2: 'NaN' in column 'x' is not a finite number"},
        {"x,utility\n-Inf,1\n", "t.csv:2: '-Inf' in column 'x' is not a finite number"},
        {"x,utility\n+infinity,1\n", "t.csv:2: '+infinity' in column 'x' is not a finite number"},
        {"x,utility\n1e999,1\n", "t.csv:2: '1e999' in column 'x' is not a finite number"},
        {"x,utility\n\n1,1\n2,2\nred,3\n", "t.csv:5: 'red' in column 'x', which has numbers from line 3 to here"},
        {"x,utility\nred,1\n2,2\n", "t.csv:3: the number 2 in column 'x', which has texts from line 2 to here"},
        {"x,utility\nred,1\ninf,2\n", "t.csv:3: the number inf in column 'x', which has texts from line 2 to here"},
        {"x,utility\n1,1\n-2e100,2\n", "t.csv:3: -2e100 in column 'x' is beyond 1e+100"},
        {"x,utility\n1,1\n\"2,2\n", "t.csv:3: a quoted field is never closed"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        spar__arm_table t;
        spar_error err = {0};
        spar_status status = parse(cases[c][0], "utility", true, &t, &err);
        same_text(err.text, cases[c][1], "refused: %s", cases[c][1]);
        ok(status == SPAR_PARSE && err.status == SPAR_PARSE && !t.n && !t.x && !t.utility && !t.names,
           "and nothing is left behind");
        spar__arm_table_free(&t);
    }
    spar__arm_table t;
    spar_error err = {0};
    ok(parse("a,b\n1,2\n3,4\n", "taste", true, &t, &err) == SPAR_PARSE &&
           strstr(err.text, "there is no column 'taste'"),
       "the column asked for is named");
    ok(spar__arm_table_parse("x,utility\n1,\0\n", 14, "t.csv", "utility", true, &t, &err) == SPAR_PARSE,
       "a zero byte is refused");
    ok(spar__arm_table_read("no/such/file", "utility", true, &t, &err) == SPAR_IO && strstr(err.text, "no/such/file"),
       "a missing file is named");
}

static void check_limits(void)
{
    enum { TEXTS = SPAR__TABLE_MOST_FEATURES };
    static char text[40 * TEXTS];
    spar__arm_table t;
    spar_error err = {0};
    size_t length = (size_t)snprintf(text, sizeof text, "id,utility\n"), whole;
    for (size_t i = 0; i < TEXTS; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "arm%zu,%zu\n", i, i);
    whole = length;
    ok(spar__arm_table_parse(text, whole, "t.csv", "utility", true, &t, &err) == SPAR_OK && t.dim == TEXTS,
       "%d categories are taken", TEXTS);
    spar__arm_table_free(&t);
    length += (size_t)snprintf(text + length, sizeof text - length, "another,1\n");
    ok(spar__arm_table_parse(text, length, "t.csv", "utility", true, &t, &err) == SPAR_PARSE, "and no more");
    same_text(err.text, "t.csv:1002: column 'id' has more than 1000 different texts, too many for categories",
              "which is said");
    text[0] = '\0';
    length = (size_t)snprintf(text, sizeof text, "id,x,utility\n");
    for (size_t i = 0; i < TEXTS; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "arm%zu,1,%zu\n", i, i);
    ok(spar__arm_table_parse(text, length, "t.csv", "utility", true, &t, &err) == SPAR_PARSE, "so with other columns");
    same_text(err.text, "t.csv: 1000 rows of 1001 features, categories included, are too many", "which is said");
    length = 0;
    for (size_t i = 0; i < TEXTS + 3; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "c%zu%s", i, i < TEXTS + 2 ? "," : "\n");
    ok(spar__arm_table_parse(text, length, "t.csv", "c1", true, &t, &err) == SPAR_PARSE, "too many columns");
    same_text(err.text, "t.csv:1: 1003 columns, expected at most 1002", "are refused before they are compared");
}

static void check_starved(void)
{
    static const char text[] = "name,colour,x,utility\na,red,1,1\nb,green,2,2\nc,red,3,3\n";
    size_t k = 1, refused = 0;
    for (bool whole = false; !whole; k++) {
        spar__arm_table t;
        spar__alloc_fail_at(k);
        spar_status status = parse(text, "utility", true, &t, NULL);
        whole = spar__alloc_count() < k;
        spar__alloc_fail_at(0);
        refused += status == SPAR_NOMEM;
        spar__arm_table_free(&t);
    }
    ok(refused == k - 2 && refused >= 15, "each of %zu allocations may fail", refused);
}

int main(void)
{
    check_forms();
    check_distance();
    check_refusals();
    check_limits();
    check_starved();
    return done();
}
