#include "text/option_rows.h"
#include "base/alloc.h"
#include "base/file.h"
#include "base/buf.h"
#include "tap.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { YAML = SPAR__OPTIONS_YAML, JSON = SPAR__OPTIONS_JSON, CSV = SPAR__OPTIONS_CSV, LINES = SPAR__OPTIONS_LINES };

static void print_rows(const spar__option_rows *rows, spar__buf *out)
{
    for (size_t i = 0; i < rows->n; i++) {
        const spar__option_row *row = &rows->row[i];
        spar__buf_printf(out, "%zu:%s", row->line, row->id);
        if (row->title)
            spar__buf_printf(out, "/%s", row->title);
        if (row->body)
            spar__buf_printf(out, "|%s", row->body);
        if (row->image)
            spar__buf_printf(out, "@%s", row->image);
        for (size_t k = 0; k < rows->dim; k++) {
            char number[SPAR__NUMBER_SIZE];
            (void)spar__number_print_fixed(number, rows->x[i * rows->dim + k], 3);
            spar__buf_printf(out, " %s", number);
        }
        spar__buf_adds(out, ";");
    }
}

/* "line:id/title|body@image features;" for each option, or the error. */
static const char *read_as(int form, const char *text, size_t length, const char *path)
{
    static char all[4096];
    spar__option_rows rows;
    spar__buf out = {0};
    spar_error err = {0};
    spar_status status = spar__option_rows_parse((spar__option_form)form, text, length, path, &rows, &err);
    print_rows(&rows, &out);
    (void)snprintf(all, sizeof all, "%s", status ? err.text : out.text);
    spar__buf_free(&out);
    spar__option_rows_free(&rows);
    return all;
}

#define READ(form, text) read_as((form), (text), sizeof(text) - 1, "f")

static void test_forms(void)
{
    same_text(READ(LINES, "# teas\n  Assam \n\nNo #1\n"), "2:Assam;4:No #1;", "lines");
    same_text(READ(YAML, "- Assam\n- Sencha\n"), "1:Assam;2:Sencha;", "a YAML list of texts");
    same_text(READ(YAML, "- id: a\n  title: Assam\n  body: |\n    **strong**\n    black\n- title: Sencha\n"),
              "1:a/Assam|**strong**\nblack\n;6:Sencha/Sencha;", "a YAML list of maps");
    same_text(READ(YAML, "- Assam\n- id: s\n  image: s.png\n"), "1:Assam;2:s@s.png;", "both, and an image");
    same_text(READ(JSON, "[\"Assam\",\n{\"id\":\"s\",\"title\":\"Sencha\",\"body\":\"x\\ny\"}]"),
              "1:Assam;2:s/Sencha|x\ny;", "a JSON list");
    same_text(READ(JSON, "{\"id\":1}\n{\"title\":\"\\u00e9\",\"body\":null}\n"), "1:1;2:\xC3\xA9/\xC3\xA9;",
              "JSON lines");
    same_text(READ(CSV, "title,id,body\nAssam,a,\"two\nlines\"\nSencha,s,\n"), "2:a/Assam|two\nlines;4:s/Sencha;",
              "CSV");
    same_text(read_as(CSV, "id,image\na,x.png\nb,/y.png\n", 25, "dir/f.csv"), "2:a@dir/x.png;3:b@/y.png;",
              "images are beside the file");
}

static void test_features(void)
{
    same_text(READ(CSV, "id,size,price\na,1,2.5\nb,-3,1e2\n"), "2:a 1 2.5;3:b -3 100;", "numbers");
    same_text(READ(CSV, "id,colour,n\na,red,1\nb,blue,2\nc,red,3\n"), "2:a 0.707 0 1;3:b 0 0.707 2;4:c 0.707 0 3;",
              "categories");
    same_text(READ(YAML, "- {id: a, x: 1}\n- {x: 2, id: b}\n"), "1:a 1;2:b 2;", "in YAML");
    same_text(READ(JSON, "{\"id\":\"a\",\"x\":1}{\"id\":\"b\",\"x\":2}"), "1:a 1;1:b 2;", "in JSON");
    same_text(READ(CSV, "id,x\na,1\nb,\n"),
              "f:3: expected a number or a text, as the other options have, for the feature 'x'",
              "every option has them");
    spar__buf text = {0};
    spar__buf_adds(&text, "id,notes\n");
    for (int i = 0; i < 70; i++)
        spar__buf_printf(&text, "%d,note %d\n", i, i);
    same_text(read_as(CSV, text.text, text.length, "f"),
              "f:66: more than 64 different texts; expected id, title, body, image or a feature, not 'notes'",
              "texts are no categories");
    spar__buf_clear(&text);
    spar__buf_adds(&text, "id");
    for (int i = 0; i <= SPAR__OPTION_FEATURES; i++)
        spar__buf_printf(&text, ",x%d", i);
    spar__buf_adds(&text, "\na");
    for (int i = 0; i <= SPAR__OPTION_FEATURES; i++)
        spar__buf_adds(&text, ",1");
    same_text(read_as(CSV, text.text, text.length, "f"),
              "f:2: too many features; expected id, title, body, image and a few features, not 'x256'", "too many");
    spar__buf_free(&text);
}

static void test_errors(void)
{
    same_text(READ(LINES, "# none\n"), "f: there are no options in it", "nothing");
    same_text(READ(JSON, "[]"), "f: there are no options in it", "an empty list");
    same_text(READ(CSV, "id\n"), "f: there are no options in it", "only a header");
    same_text(READ(LINES, "a\nb\na\n"), "f:3: there are two options with the id 'a'", "twice");
    same_text(READ(LINES, "a\0b\n"), "f:1: holds a zero byte", "a zero byte");
    same_text(READ(CSV, "name,body\na,b\n"), "f:1: expected a header with 'id' or 'title', as in 'id,title,body'",
              "no id column");
    same_text(READ(CSV, "id,x,x\n"), "f:1: two columns are called 'x'; expected a name for each column", "two alike");
    same_text(READ(CSV, "id,\n"), "f:1: there is a column ''; expected a name for each column", "one without a name");
    same_text(READ(CSV, "id,title\na\n"), "f:2: 1 fields, expected 2", "a short row");
    same_text(READ(CSV, "id,title\n,\n"), "f:2: this option has no id; expected 'id' or 'title'", "no id");
    same_text(READ(JSON, "[{\"id\":[1]}]"), "f:1: 'id' is a list, expected text", "a list in JSON");
    same_text(READ(JSON, "[{\"x\":{}}]"), "f:1: 'x' is an object, expected text", "an object as a feature");
    same_text(READ(JSON, "[\n{\"x\":1,\"x\":1}]"), "f:2: the option has two values of 'x'", "a member twice");
    same_text(READ(JSON, "[1]"), "f:1: expected a text in quotes or an object, {...} at '1]'", "a number in JSON");
    same_text(READ(YAML, "a: b\n"),
              "f:1:4: expected a list of options: '- Assam', or '- id: assam' and below it 'title: Assam'",
              "a YAML map");
    same_text(READ(YAML, "- &x a\n- *x\n"), "f:1:3: anchors (&name) are not supported: write the value out", "anchors");
    same_text(READ(YAML, "- a\n- *x\n"), "f:2:3: aliases (*name) are not supported: write the value out", "aliases");
    same_text(READ(YAML, "- id: {a: b}\n"),
              "f:1:11: expected text or a number, as in '- id: assam' and below it 'title: Assam'", "a map in a map");
}

static void test_limits(void)
{
    spar__buf text = {0};
    spar__option_rows rows;
    spar_error err;
    static const char *const line[] = {"- %d\n", "{\"id\":%d}\n", "%d\n", "%d\n"};
    for (int form = YAML; form <= LINES; form++) {
        spar__buf_clear(&text);
        if (form == CSV)
            spar__buf_adds(&text, "id\n");
        for (int i = 0; i < SPAR__OPTION_ROWS; i++) {
            char row[32];
            (void)snprintf(row, sizeof row, line[form], i);
            spar__buf_adds(&text, row);
        }
        ok(!spar__option_rows_parse((spar__option_form)form, text.text, text.length, "f", &rows, &err) &&
               rows.n == SPAR__OPTION_ROWS,
           "form %d: 10,000 options", form);
        spar__option_rows_free(&rows);
        spar__buf_adds(&text, form == JSON ? "\"x\"" : form == YAML ? "- x" : "x");
        ok(spar__option_rows_parse((spar__option_form)form, text.text, text.length, "f", &rows, &err) == SPAR_PARSE &&
               strstr(err.text, "more than 10000 options"),
           "and no more: %s", err.text);
    }
    spar__buf_free(&text);
    char *large = calloc(1, SPAR__OPTION_BYTES + 1);
    ok(spar__option_rows_parse(SPAR__OPTIONS_LINES, large, SPAR__OPTION_BYTES + 1, "f", &rows, &err) == SPAR_PARSE,
       "too large: %s", err.text);
    free(large);
}

static void test_guess(void)
{
    static const struct {
        const char *path, *text;
        int form;
    } tried[] = {
        {"f.yaml", "[a]", YAML}, {"f.YML", "", YAML},          {"f.jsonl", "x", JSON},      {"f.csv", "[", CSV},
        {"f.txt", "- a", LINES}, {"-", "# c\n[\"a\"]", JSON},  {"-", "{}", JSON},           {"-", "- a", YAML},
        {"f", "x,id\n", CSV},    {"f", "title, price\n", CSV}, {"f", "red, blue\n", LINES}, {"f", "id\n", LINES},
        {"f", "", LINES},        {".csv", "a", LINES},         {"f", "-5\n", LINES}};
    for (size_t i = 0; i < sizeof tried / sizeof *tried; i++)
        ok((int)spar__option_form_of(tried[i].path, tried[i].text, strlen(tried[i].text)) == tried[i].form,
           "the form of %s, case %zu", tried[i].path, i);
}

static void put(const char *folder, const char *name, const char *bytes, size_t length)
{
    char path[200];
    spar_error err;
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    if (spar__file_write(path, bytes, length, &err))
        printf("# %s\n", err.text);
}

static const char *load(const char *path)
{
    static char all[1024];
    spar__option_rows rows;
    spar__buf out = {0};
    spar_error err = {0};
    spar_status status = spar__option_rows_load(path, &rows, &err);
    print_rows(&rows, &out);
    (void)snprintf(all, sizeof all, "%s", status ? err.text : out.text);
    spar__buf_free(&out);
    spar__option_rows_free(&rows);
    return all;
}

static void test_folder(void)
{
    char old[512], folder[] = "test-options-XXXXXX";
    if (!getcwd(old, sizeof old) || !mkdtemp(folder) || chdir(folder) || mkdir("d", 0700)) {
        ok(false, "a folder");
        return;
    }
    same_text(load("d"), "d: there are no images in it", "an empty folder");
    put("d", ".hidden", "x", 1);
    put("d", "b.jpg", "\x89PNG\r\n\x1A\n....", 12);
    put("d", "a.b.gif", "GIF89a", 6);
    put("d", "c", "<?xml version='1.0'?><!-- x --><svg/>", 37);
    same_text(load("d"), "0:a.b@d/a.b.gif;0:b@d/b.jpg;0:c@d/c;", "images in the order of their names");
    put("d", "b.png", "\xFF\xD8\xFF\xE0", 4);
    same_text(load("d"), "d: there are two options with the id 'b'", "two of one name");
    (void)remove("d/b.png");
    put("d", "x.png", "no image", 8);
    same_text(load("d"), "d/x.png: expected an image (PNG, JPEG, GIF, WebP or SVG)", "by its bytes, not by its name");
    put(".", "f.csv", "id\na\n", 5);
    same_text(load("f.csv"), "2:a;", "a file");
    same_text(load("none"), "none: cannot open: No such file or directory", "a missing file");
    (void)!system("rm -r d f.csv");
    (void)!chdir(old);
    (void)rmdir(folder);
}

/* Every allocation fails once. */
static void test_memory(int form, const char *text)
{
    for (size_t k = 1;; k++) {
        spar__option_rows rows;
        spar_error err = {0};
        spar__alloc_fail_at(k);
        spar_status status = spar__option_rows_parse((spar__option_form)form, text, strlen(text), "x/f", &rows, &err);
        spar__alloc_fail_at(0);
        if (status == SPAR_OK) {
            ok(k > 5 && rows.n == 2, "each of %zu failed allocations is an error", k - 1);
            spar__option_rows_free(&rows);
            return;
        }
        if (status != SPAR_NOMEM || err.status != SPAR_NOMEM || rows.n || rows.row)
            ok(false, "allocation %zu fails without a clean error", k);
    }
}

int main(void)
{
    test_forms();
    test_features();
    test_errors();
    test_limits();
    test_guess();
    test_folder();
    test_memory(YAML, "- {id: a, image: i, c: red}\n- {id: b, c: blue}\n");
    test_memory(JSON, "{\"id\":\"a\",\"image\":\"i\",\"c\":\"red\"}{\"id\":\"b\",\"c\":\"blue\"}");
    test_memory(CSV, "id,image,c\na,i,red\nb,,blue\n");
    test_memory(LINES, "a\nb\n");
    return done();
}
