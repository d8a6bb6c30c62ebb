#include "env/data.h"

#include "base/alloc.h"

#include "tap.h"

#include <stdlib.h>

static spar_status parse(const char *text, bool counts, spar__matrix *out, spar_error *err)
{
    return spar__matrix_parse(text, strlen(text), "f", counts, 1e-6, out, err);
}

static void takes(const char *text, bool counts, size_t n, const double *p, const char *names)
{
    spar__matrix m;
    spar_error err = {0};
    if (!ok(parse(text, counts, &m, &err) == SPAR_OK && m.n == n, "taken: %zu characters", strlen(text))) {
        printf("# %s\n", err.text);
        spar__matrix_free(&m);
        return;
    }
    double worst = 0;
    bool exact = true;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            worst = fmax(worst, fabs(m.p[i * n + j] - p[i * n + j]));
            exact = exact && m.p[i * n + j] == 1 - m.p[j * n + i];
        }
    ok(worst <= 1e-16 && exact, "with its numbers, P + P^T exactly 1");
    char joined[100] = "";
    for (size_t i = 0; m.names && i < n; i++)
        (void)snprintf(joined + strlen(joined), sizeof joined - strlen(joined), "[%s]", m.names[i]);
    same_text(joined, names, "with its names");
    spar__matrix_free(&m);
}

static void check_forms(void)
{
    static const double p3[] = {0.5, 0.7, 0.6, 1 - 0.7, 0.5, 0.8, 1 - 0.6, 1 - 0.8, 0.5};
    takes("0.5 0.7 0.6\n0.3 0.5 0.8\n0.4 0.2 0.5\n", false, 3, p3, "");
    takes("0.5 0.7 0.6\n0.3 0.5 0.8\n0.4 0.2 0.5", false, 3, p3, "");
    takes("0.5,0.7,0.6\n0.3,0.5,0.8\n0.4,0.2,0.5\n", false, 3, p3, "");
    takes(" .5 ,\t7e-1 , 0.6\r\n+0.3,0.5, 0.8\r\n0.4,0.2,0.5\r\n", false, 3, p3, "");
    takes("\xEF\xBB\xBF"
          "3\n0.5 0.7 0.6\n0.3 0.5 0.8\n0.4 0.2 0.5\n",
          false, 3, p3, "");
    takes("# a comment\n\n  3 # arms\n\n0.5\t0.7 0.6 # row\n0.3 0.5 0.8\n \n0.4 0.2 0.5\n\n#end", false, 3, p3, "");
    takes("a b c\n0.5 0.7 0.6\n0.3 0.5 0.8\n0.4 0.2 0.5\n", false, 3, p3, "[a][b][c]");
    takes("red, light blue ,3 d\n0.5 0.7 0.6\n0.3 0.5 0.8\n0.4 0.2 0.5\n", false, 3, p3, "[red][light blue][3 d]");
    takes(",a,b,c\na,0.5,0.7,0.6\nb,0.3,0.5,0.8\nc,0.4,0.2,0.5\n", false, 3, p3, "[a][b][c]");
    takes("arm, a, b, c\n a ,0.5,0.7,0.6\nb,0.3,0.5,0.8\nc,0.4,0.2,0.5\n", false, 3, p3, "[a][b][c]");
    takes("a b c\na 0.5 0.7 0.6\nb 0.3 0.5 0.8\nc 0.4 0.2 0.5\n", false, 3, p3, "[a][b][c]");
    takes(",a\na,0.5\n", false, 1, (double[]){0.5}, "[a]");
    takes("0.5", false, 1, (double[]){0.5}, "");
    takes("1\n0.5", false, 1, (double[]){0.5}, "");
    takes("0.5 1\n0 0.5", false, 2, (double[]){0.5, 1, 0, 0.5}, "");
    takes("0 3 0\n1 0 0\n5 0 9", true, 3, (double[]){0.5, 0.75, 0, 0.25, 0.5, 0.5, 1, 0.5, 0.5}, "");
    takes("0 1\n9 0", true, 2, (double[]){0.5, 1 - 0.9, 0.9, 0.5}, "");
    takes("0.5000001 0.7000004\n0.3 0.4999999", false, 2, (double[]){0.5, 0.7000002, 1 - 0.7000002, 0.5}, "");
    takes("0.5 0.3\n0.7000004 0.5", false, 2, (double[]){0.5, 1 - 0.7000002, 0.7000002, 0.5}, "");
}

static void check_refusals(void)
{
    static const struct {
        const char *text;
        bool counts;
        const char *why;
    } cases[] = {
        {"", false, "f: no numbers in it"},
        {"# nothing\n\n", false, "f: no numbers in it"},
        {"3\n", false, "f:1: ends after 0 of 3 rows"},
        {"0\n", false, "f:1: a matrix cannot have the size 0, only 1 to 20000"},
        {"12345678901\n0.5", false, "f:1: a matrix cannot have the size 12345678901, only 1 to 20000"},
        {"0.5 0.5\n0.5 0.5\n0.5 0.5", false, "f:3: more than 2 rows: not square"},
        {"# x\n0.5 0.7\n\n0.3\n", false, "f:4: row has 1 numbers, expected 2"},
        {"2\n0.5 0.7 0.1\n0.3 0.5\n", false, "f:2: row has 3 numbers, expected 2"},
        {"a b\n0.5 0.7\n", false, "f:2: ends after 1 of 2 rows"},
        {"0.5 0.7\n0.3 O.5\n", false, "f:2: 'O.5' is not a number"},
        {"0.5 x\n0.3 0.5\n", false, "f:1: 'x' is not a number"},
        {"0.5 nan\n0.3 0.5\n", false, "f:1: 'nan' is not a number"},
        {"0.5 0x1\n0.3 0.5\n", false, "f:1: '0x1' is not a number"},
        {"0.5,,0.7\n", false, "f:1: empty field between commas"},
        {"0.5,0.7,\n", false, "f:1: empty field between commas"},
        {"a,,b\n", false, "f:1: name 1 is empty"},
        {",a\n0.5,0.7\n", false, "f:1: name 0 is empty"},
        {",a\n,0.7\n", false, "f:1: name 0 is empty"},
        {",a,b\na,0.5,0.7\nc,0.3,0.5\n", false, "f:3: row begins with 'c', expected 'b'"},
        {",a,b\na,0.5,0.7\n0.3,0.5\n", false, "f:3: row begins with '0.3', expected 'b'"},
        {"a,b\na\nb,0.3,0.5\n", false, "f:2: row has 0 numbers, expected 2"},
        {"a,b\nc,0.5,0.7\n", false, "f:2: 'c' is not a number"},
        {"a b a\n", false, "f:1: the name a is given twice"},
        {"0.5 1.2\n0.3 0.5\n", false, "f:1: 1.2 is outside [0,1]; win counts need counts=1"},
        {"0.5 0.7\n-0.3 0.5\n", false, "f:2: -0.3 is outside [0,1]"},
        {"0.5 0.7 0.5\n0.3 0.5 0.5\n\n0.5 0.4 0.5", false,
         "f:4: P[2][1] = 0.4 and P[1][2] = 0.5 add up to 0.9, not to 1 (tol 1e-06; arms are counted from 0)"},
        {"0.5 0.7\n0.30001 0.5\n", false,
         "f:2: P[1][0] = 0.30001 and P[0][1] = 0.7 add up to 1.00001, not to 1 (tol 1e-06; arms are counted from 0)"},
        {"0.5 0.7\n0.3 0.6\n", false, "f:2: P[1][1] = 0.6 on the diagonal, expected 0.5"},
        {"0 0.7\n0.3 0\n", false, "f:1: P[0][0] = 0 on the diagonal, expected 0.5"},
        {"0 3\n-1 0\n", true, "f:2: -1 is not a number of wins"},
        {"0 1e300\n1 0\n", true, "f:1: 1e300 is not a number of wins"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        spar__matrix m;
        spar_error err = {0};
        spar_status status = parse(cases[c].text, cases[c].counts, &m, &err);
        same_text(err.text, cases[c].why, "refused: %s", cases[c].why);
        ok(status == SPAR_PARSE && err.status == SPAR_PARSE && !m.p && !m.names && !m.n, "and nothing is left behind");
        spar__matrix_free(&m);
    }
    spar__matrix m;
    spar_error err = {0};
    enum { WIDE = SPAR__MATRIX_MOST + 1 };
    static char wide[2 * WIDE + 1];
    for (size_t i = 0; i < WIDE; i++)
        memcpy(wide + 2 * i, "a ", 2);
    ok(spar__matrix_parse(wide, sizeof wide - 1, "f", false, 1e-6, &m, &err) == SPAR_PARSE, "too many columns");
    same_text(err.text, "f:1: 20001 columns, expected at most 20000", "are counted before they are compared");
    ok(spar__matrix_parse("0.5\0 9", 6, "f", false, 1e-6, &m, &err) == SPAR_PARSE, "a zero byte is no white space");
    ok(spar__matrix_parse("0.5 0.75\n0.3 0.5", 16, "f", false, 0.06, &m, &err) == SPAR_OK, "tol=0.06 takes 1.05");
    spar__matrix_free(&m);
    ok(spar__matrix_read("no/such/file", false, 0, &m, &err) == SPAR_IO && strstr(err.text, "no/such/file"),
       "a missing file is named");
}

static void check_starved(void)
{
    static const char text[] = ",a,b\na,0.5,1\nb,0,0.5\n";
    size_t k = 1, refused = 0;
    for (bool whole = false; !whole; k++) {
        spar__matrix m;
        spar__alloc_fail_at(k);
        spar_status status = parse(text, false, &m, NULL);
        whole = spar__alloc_count() < k;
        spar__alloc_fail_at(0);
        refused += status == SPAR_NOMEM;
        spar__matrix_free(&m);
    }
    ok(refused == k - 2 && refused >= 5, "each of %zu allocations may fail", refused);
}

static void check_wins(void)
{
    spar__matrix m;
    spar_error err = {0};
    const char good[] = ",a,b\na,7,21\nb,19,0\n", half[] = "0 1.5\n2 0\n";
    ok(!spar__wins_parse(good, strlen(good), "f", &m, &err) && m.n == 2 && m.p[0] == 0 && m.p[1] == 21 && m.p[2] == 19,
       "the counts themselves");
    spar__matrix_free(&m);
    ok(spar__wins_parse(half, strlen(half), "f", &m, &err) == SPAR_PARSE && !m.p, "half a win is refused");
    ok(strncmp(err.text, "f:1: 1.5 wins, expected whole numbers", 37) == 0, "with its line");
}

static void check_real(void)
{
    const char *data = getenv("SPAR_DATA");
    if (!data) {
        skip("SPAR_DATA is not set");
        return;
    }
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/mslr/MSLR-Perfect.txt", data);
    spar__matrix m;
    spar_error err = {0};
    if (spar__matrix_read(path, false, 1e-6, &m, &err) == SPAR_IO) {
        skip("no mslr/MSLR-Perfect.txt in SPAR_DATA");
        return;
    }
    ok(m.n == 136 && m.p, "MSLR-Perfect.txt has 136 arms");
    double gap = 1;
    for (size_t j = 0; m.p && j < m.n; j++)
        if (j != 109)
            gap = fmin(gap, m.p[109 * m.n + j] - 0.5);
    near(gap, 0.0066, 5e-5, "arm 109 beats all others by 0.0066 at least");
    if (m.p)
        near(m.p[1], 2.746056394403962320e-01, 1e-15, "its first entry");
    spar__matrix_free(&m);
}

int main(void)
{
    check_forms();
    check_refusals();
    check_starved();
    check_wins();
    check_real();
    return done();
}
