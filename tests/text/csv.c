#include "text/csv.h"

#include "base/alloc.h"
#include "tap.h"

static void test_writer(void)
{
    spar__buf buf = {0};
    spar__csv_writer csv = {.out = &buf};
    spar__csv_text(&csv, "plain");
    spar__csv_text(&csv, "a,b");
    spar__csv_text(&csv, "say \"hi\"");
    spar__csv_text(&csv, "two\nlines");
    spar__csv_text(&csv, " blank");
    spar__csv_text(&csv, "\xEF\xBB\xBF");
    spar__csv_end_row(&csv);
    spar__csv_integer(&csv, -3);
    spar__csv_number(&csv, 0.1);
    spar__csv_number(&csv, NAN);
    spar__csv_number(&csv, HUGE_VAL);
    spar__csv_text(&csv, "");
    spar__csv_end_row(&csv);
    spar__csv_text(&csv, "");
    spar__csv_end_row(&csv);
    same_text(buf.text,
              "plain,\"a,b\",\"say \"\"hi\"\"\",\"two\nlines\",\" blank\",\"\xEF\xBB\xBF\"\n"
              "-3,0.1,,inf,\n"
              "\"\"\n",
              "fields are quoted where they must be");
    spar__buf_free(&buf);
}

/* Text that a spreadsheet would compute comes back as it was, whatever apostrophes it has; numbers are left alone. */
static void test_formulas(void)
{
    static const char *const texts[] = {"=1+1", "+x",  "-y",     "@z",   "'=1",  "''-2", "'quoted'", "'",    "-5",
                                        "",     "a=b", "=a,\"b", "\t=1", "'\n=", "-",    "\r\t@",    "\ta=", " =1"};
    enum { N = sizeof texts / sizeof *texts };
    spar__buf buf = {0};
    spar__csv_writer csv = {.out = &buf};
    for (size_t i = 0; i < N; i++)
        spar__csv_text(&csv, texts[i]);
    spar__csv_number(&csv, -1.5);
    spar__csv_integer(&csv, -2);
    spar__csv_end_row(&csv);
    same_text(buf.text,
              "'=1+1,'+x,'-y,'@z,''=1,'''-2,'quoted',','-5,,a=b,\"'=a,\"\"b\",\"'\t=1\",\"''\n=\",'-,\"'\r\t@\",\"\ta="
              "\",\" =1\",-1.5,-2\n",
              "an apostrophe goes before formulas");
    spar__csv_reader reader = {.name = "f.csv", .at = buf.text, .left = buf.length};
    spar_error err = {0};
    bool more, same = spar__csv_next(&reader, &more, &err) == SPAR_OK && more && reader.fields == N + 2;
    for (size_t i = 0; same && i < N; i++)
        same = strcmp(spar__csv_field(&reader, i), texts[i]) == 0;
    same = same && strcmp(spar__csv_field(&reader, N), "-1.5") == 0;
    ok(same, "and the reader removes it");
    spar__csv_close(&reader);
    spar__buf_free(&buf);
}

/* All rows as "line:[field][field]" one after the other, or the error. */
static const char *read_all(const char *text, size_t length, char comment)
{
    static char all[1024];
    size_t used = 0;
    spar__csv_reader csv = {.name = "t.csv", .at = text, .left = length, .comment = comment};
    spar_error err = {0};
    bool more;
    spar_status status;
    all[0] = '\0';
    while ((status = spar__csv_next(&csv, &more, &err)) == SPAR_OK && more) {
        used += (size_t)snprintf(all + used, sizeof all - used, "%zu:", csv.line);
        for (size_t i = 0; i < csv.fields; i++)
            used += (size_t)snprintf(all + used, sizeof all - used, "[%s]", spar__csv_field(&csv, i));
        if (spar__csv_field(&csv, csv.fields))
            return "a field too many";
    }
    if (status)
        (void)snprintf(all, sizeof all, "%s", err.text);
    spar__csv_close(&csv);
    return all;
}

#define READ(text) read_all((text), sizeof(text) - 1, 0)

static void test_reader(void)
{
    same_text(READ(""), "", "an empty file has no rows");
    same_text(READ("a,b\n1,2\n"), "1:[a][b]2:[1][2]", "rows and fields");
    same_text(READ("a,b\r\n1,2"), "1:[a][b]2:[1][2]", "CRLF, and no line end at the end");
    same_text(READ("a,\n,\n"), "1:[a][]2:[][]", "empty fields");
    same_text(READ("\n\na\n\nb\n\n"), "3:[a]5:[b]", "blank lines are skipped but counted");
    same_text(READ("\"a,\"\"b\"\"\",\"two\r\nlines\"\nc\n"), "1:[a,\"b\"][two\r\nlines]3:[c]", "quoted fields");
    same_text(READ("\"\"\n"), "1:[]", "a quoted empty field is a row");
    same_text(READ("\xEF\xBB\xBF"
                   "a\n"),
              "1:[a]", "a byte order mark is not data");
    same_text(READ("a\r"), "1:[a]", "a carriage return at the very end");
    same_text(READ("#a\nb\n"), "1:[#a]2:[b]", "no comments unless asked for");
    same_text(read_all("#a\n#b\n\nc,#d\n#", 14, '#'), "4:[c][#d]", "comments when asked for");
    same_text(READ("a\n\"b\nc"), "t.csv:2: a quoted field is never closed", "an open quote, where it was opened");
    same_text(READ("a\nb\"c\n"), "t.csv:2: a quote inside a field that does not start with one", "a stray quote");
    same_text(READ("a\n1,\"b\"c\n"), "t.csv:2: expected a comma or the end of the line after field 2", "after a quote");
    same_text(READ("a\rb\n"), "t.csv:1: expected a comma or the end of the line after field 1", "a lone return");
    same_text(READ("a\nb\0c\n"), "t.csv:2: holds a zero byte", "a zero byte");
    same_text(READ("a\n\"b\0c\"\n"), "t.csv:2: holds a zero byte", "a zero byte in quotes");
}

static void test_memory(void)
{
    char text[1200];
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = i % 12 == 11 ? ',' : 'a';
    size_t failures = 0;
    for (size_t k = 1;; k++) {
        spar__csv_reader csv = {.name = "t.csv", .at = text, .left = sizeof text};
        spar_error err = {0};
        bool more;
        spar__alloc_fail_at(k);
        spar_status status = spar__csv_next(&csv, &more, &err);
        spar__alloc_fail_at(0);
        if (status == SPAR_OK)
            ok(more && csv.fields == 101, "101 fields when all goes well");
        else if (status != SPAR_NOMEM || more || csv.fields != 0)
            ok(false, "allocation %zu fails without a clean error", k);
        spar__csv_close(&csv);
        if (status == SPAR_OK)
            break;
        failures++;
    }
    ok(failures >= 5, "each of %zu failed allocations is an error", failures);
}

int main(void)
{
    test_writer();
    test_formulas();
    test_reader();
    test_memory();
    return done();
}
