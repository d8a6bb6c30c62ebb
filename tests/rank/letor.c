#include "rank/letor.h"

#include "base/alloc.h"
#include "base/buf.h"

#include "tap.h"

#include <time.h>

/* What was read, in one line: "id: grade{f:v f:v} grade{}; largest feature". */
static void show(const spar__letor_rows *rows, char *out, size_t size)
{
    size_t e = 0;
    int at = snprintf(out, size, "%llu:", (unsigned long long)rows->id);
    for (size_t d = 0; d < rows->docs; d++) {
        at += snprintf(out + at, size - (size_t)at, " %u{", rows->grade[d]);
        for (; e < rows->entries && rows->entry[e].doc == d; e++)
            at +=
                snprintf(out + at, size - (size_t)at, "%u:%g ", (unsigned)rows->entry[e].feature, rows->entry[e].value);
        at += snprintf(out + at, size - (size_t)at, "}");
    }
    (void)snprintf(out + at, size - (size_t)at, "; %zu", rows->features);
}

static void takes(const char *text, const char *wanted)
{
    spar__letor_rows rows = {0};
    spar_error err = {0};
    char got[500];
    for (int again = 0; again < 2; again++) { /* with memory that was used */
        spar_status status = spar__letor_parse(text, strlen(text), "f", 1, &rows, &err);
        show(&rows, got, sizeof got);
        same_text(status ? err.text : got, wanted, "taken: %s", wanted);
    }
    spar__letor_rows_free(&rows);
}

static void check_forms(void)
{
    takes("2 qid:10 1:0.5 2:-1e-3 3:7\n0 qid:10 1:1 # docid = 7\n", "10: 2{1:0.5 2:-0.001 3:7 } 0{1:1 }; 3");
    takes("2 qid:10 1:0.5", "10: 2{1:0.5 }; 1");
    takes("2 qid:10 1:0.5 2:25", "10: 2{1:0.5 2:25 }; 2");
    takes("2 qid:10", "10: 2{}; 0");
    takes("2 qid:10\r\n1 qid:10 2:1\r\n", "10: 2{} 1{2:1 }; 2");
    takes("2 qid:10 1:3\r", "10: 2{1:3 }; 1");
    takes("# head\n\n \t\n\r\n2 qid:10 3:1#x\n#\n1\tqid:10\t3:2\t#y\n  # tail", "10: 2{3:1 } 1{3:2 }; 3");
    takes("0 qid:0 5:1 2:2 9:0 1:-0.0\n", "0: 0{5:1 2:2 }; 9");
    takes("255 qid:18446744073709551615 65535:1\n", "18446744073709551615: 255{65535:1 }; 65535");
    takes("007 qid:01 01:1 \n", "1: 7{1:1 }; 1");
    takes("", "0:; 0");
    takes("# only words\n\n", "0:; 0");
}

static void refuses_bytes(const char *text, size_t length, const char *why)
{
    spar__letor_rows rows = {0};
    spar_error err = {0};
    spar_status status = spar__letor_parse(text, length, "f", 1, &rows, &err);
    same_text(err.text, why, "refused: %s", why);
    ok(status == SPAR_PARSE, "as malformed");
    spar__letor_rows_free(&rows);
}

static void check_refusals(void)
{
#define GRADE "expected a grade, a whole number from 0 to 255, found "
#define PAIR "expected feature:value with a feature from 1 to 65535, found "
    static const char *const cases[][2] = {
        {"0\n", "f:1:2: expected qid: and the number of the query, found the end of the line"},
        {"0 ", "f:1:3: expected qid: and the number of the query, found the end of the line"},
        {"0 qid\n", "f:1:3: expected qid: and the number of the query, found 'qid'"},
        {"0 1:2 2:3\n", "f:1:3: expected qid: and the number of the query, found '1:2'"},
        {"0 # qid:1\n", "f:1:3: expected qid: and the number of the query, found '#'"},
        {"0 qid:\n", "f:1:7: expected the number of the query, found the end of the line"},
        {"0 qid:x7\n", "f:1:7: expected the number of the query, found 'x7'"},
        {"0 qid:7x\n", "f:1:7: expected the number of the query, found '7x'"},
        {"0 qid:-7\n", "f:1:7: expected the number of the query, found '-7'"},
        {"0 qid: 7\n", "f:1:7: expected the number of the query, found a blank"},
        {"0 qid:18446744073709551616\n", "f:1:7: expected the number of the query, found '18446744073709551616'"},
        {"\n# x\n\n0 qid:1 1:1\n1 qid:2 1:1\n", "f:5:3: expected qid:1, found 'qid:2'"},
        {"-1 qid:1\n", "f:1:1: " GRADE "'-1'"},
        {"1.5 qid:1\n", "f:1:1: " GRADE "'1.5'"},
        {"256 qid:1\n", "f:1:1: " GRADE "'256'"},
        {"99999999999999999999999 qid:1\n", "f:1:1: " GRADE "'99999999999999999999999'"},
        {"  relevant qid:1\n", "f:1:3: " GRADE "'relevant'"},
        {"qid:1 1:1\n", "f:1:1: " GRADE "'qid:1'"},
        {"\xEF\xBB\xBF"
         "1 qid:1\n",
         "f:1:1: " GRADE "'\xEF\xBB\xBF"
         "1'"},
        {"0 qid:1 0:1\n", "f:1:9: " PAIR "'0:1'"},
        {"0 qid:1 -3:1\n", "f:1:9: " PAIR "'-3:1'"},
        {"0 qid:1 65536:1\n", "f:1:9: " PAIR "'65536:1'"},
        {"0 qid:1 99999999999:1\n", "f:1:9: " PAIR "'99999999999:1'"},
        {"0 qid:1 1:1 x\n", "f:1:13: " PAIR "'x'"},
        {"0 qid:1 1:1\r 2:1\n", "f:1:11: expected a finite number as feature 1, found '1\\r'"},
        {"0 qid:1 1:1 2\n", "f:1:14: expected ':' after feature 2, found the end of the line"},
        {"0 qid:1 1:1 2 :1\n", "f:1:14: expected ':' after feature 2, found a blank"},
        {"0 qid:1 1:1 2=1\n", "f:1:14: expected ':' after feature 2, found '=1'"},
        {"0 qid:1 1:1 2:\n", "f:1:15: expected a finite number as feature 2, found the end of the line"},
        {"0 qid:1 1:1 2:", "f:1:15: expected a finite number as feature 2, found the end of the line"},
        {"0 qid:1 1:1 2:-", "f:1:15: expected a finite number as feature 2, found '-'"},
        {"0 qid:1 2: 1\n", "f:1:11: expected a finite number as feature 2, found a blank"},
        {"0 qid:1 2:nan\n", "f:1:11: expected a finite number as feature 2, found 'nan'"},
        {"0 qid:1 2:NULL\n", "f:1:11: expected a finite number as feature 2, found 'NULL'"},
        {"0 qid:1 2:-inf\n", "f:1:11: expected a finite number as feature 2, found '-inf'"},
        {"0 qid:1 2:1e999\n", "f:1:11: expected a finite number as feature 2, found '1e999'"},
        {"0 qid:1 2:1e\n", "f:1:11: expected a finite number as feature 2, found '1e'"},
        {"0 qid:1 2:0x10\n", "f:1:11: expected a finite number as feature 2, found '0x10'"},
        {"0 qid:1 2:1,5\n", "f:1:11: expected a finite number as feature 2, found '1,5'"},
        {"0 qid:1 2:1:3\n", "f:1:11: expected a finite number as feature 2, found '1:3'"},
        {"0 qid:1 1:1\n0 qid:1 3:1 2:1 3:2\n", "f:2:17: feature 3 is given twice"},
        {"0 qid:1 3:0 3:0\n", "f:1:13: feature 3 is given twice"},
        {"0 qid:1 1:1\n\n\n0 qid:1 1:x", "f:4:11: expected a finite number as feature 1, found 'x'"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        refuses_bytes(cases[c][0], strlen(cases[c][0]), cases[c][1]);
    refuses_bytes("0 qid:1 1:1\0 2:1\n", 17,
                  "f:1:11: expected a finite number as feature 1, found '1' and a zero byte");
    refuses_bytes("0 qid:1 \0 2:1\n", 14, "f:1:9: " PAIR "a zero byte");
    refuses_bytes("0 qid:1 1:1 # a\0b\n", 18, "f:1:16: expected text, found a zero byte");
    refuses_bytes("#\n\0", 3, "f:2:1: " GRADE "a zero byte");
    refuses_bytes("0\0qid:1\n", 8, "f:1:1: " GRADE "'0' and a zero byte");
}

static void check_limits(void)
{
    spar__buf text = {0};
    spar__letor_rows rows = {0};
    spar_error err = {0};
    for (int i = 0; i < SPAR__DOCS_MOST; i++)
        spar__buf_adds(&text, "1 qid:3\n");
    ok(!spar__letor_parse(text.text, text.length, "f", 1, &rows, &err) && rows.docs == SPAR__DOCS_MOST,
       "a query may have 65535 documents");
    spar__buf_adds(&text, "1 qid:3\n");
    ok(spar__letor_parse(text.text, text.length, "f", 1, &rows, &err) == SPAR_PARSE, "but no more");
    same_text(err.text, "f:65536:3: query 3 has more than 65535 documents", "as the sentence says");
    spar__buf_clear(&text);
    spar__buf_adds(&text, "1 qid:3");
    for (int f = SPAR__FEATURE_MOST; f > 0; f--)
        spar__buf_printf(&text, " %d:%d", f, f);
    ok(!spar__letor_parse(text.text, text.length, "f", 1, &rows, &err) && rows.entries == SPAR__FEATURE_MOST,
       "and each 65535 features, backwards too");
    rows.stamp = UINT32_MAX;
    ok(!spar__letor_parse("1 qid:1 1:1\n1 qid:1 1:1", 23, "f", 1, &rows, &err) && rows.docs == 2,
       "after 2^32 lines nothing is taken for seen");
    spar__letor_rows_free(&rows);
    spar__buf_free(&text);
}

static void check_starved(void)
{
    static const char text[] = "1 qid:1 1:1\n0 qid:1 2:1\n";
    for (size_t k = 1; k <= 4; k++) {
        spar__letor_rows rows = {0};
        spar__alloc_fail_at(k);
        spar_status status = spar__letor_parse(text, strlen(text), "f", 1, &rows, NULL);
        spar__alloc_fail_at(0);
        ok(status == (k <= 3 ? SPAR_NOMEM : SPAR_OK), "allocation %zu fails", k);
        spar__letor_rows_free(&rows);
    }
}

static void check_peek(void)
{
    uint64_t id = 0;
    const char *where = NULL, *line = " 1  qid:77 1:1\n";
    ok(spar__letor_peek(line, &id, &where) && id == 77 && where == line + 4, "the number of a query at a glance");
    ok(!spar__letor_peek("1 q:1\n", &id, &where) && !spar__letor_peek("# 1 qid:1\n", &id, &where) &&
           !spar__letor_peek("\n", &id, &where),
       "where there is one");
    ok(spar__letor_empty("\n") && spar__letor_empty(" \r\n") && spar__letor_empty("\t# x\n") &&
           !spar__letor_empty("x\n"),
       "lines with nothing on them");
}

/* 50 MB in memory, one query repeated. */
static bool sink(void *context, const char *text, size_t length)
{
    spar__buf_add(context, text, length);
    return true;
}

static void tell_speed(void)
{
    spar__buf text = {0};
    spar__letor_rows rows = {0};
    spar_error err = {0};
    (void)spar__generate(&(spar__generate_options){1, 2000, 136, 5, 2}, sink, &text, &err);
    size_t bytes = 0;
    clock_t start = clock();
    bool good = true;
    for (; bytes < 50000000; bytes += text.length)
        good = good && !spar__letor_parse(text.text, text.length, "made-up", 1, &rows, &err);
    double took = (double)(clock() - start) / CLOCKS_PER_SEC;
    ok(good && rows.docs > 100 && rows.features == 136, "50 MB of lines with 136 features");
    printf("# parsed at %.0f MB/s\n", (double)bytes / took / 1e6);
    spar__letor_rows_free(&rows);
    spar__buf_free(&text);
}

int main(void)
{
    check_forms();
    check_refusals();
    check_limits();
    check_starved();
    check_peek();
    tell_speed();
    return done();
}
