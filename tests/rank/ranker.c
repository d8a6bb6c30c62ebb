#include "rank/letor.h"

#include "base/alloc.h"

#include "lab.h"

static void check_names(void)
{
    spar__rankers k;
    spar_error err = {0};
    ok(!spar__rankers_features(NULL, 0, &k, &err) && k.n == 0 && k.names == 0 && k.hash == 0, "features without names");
    spar__rankers_free(&k);
    lab_text("names", "# features of the page\nterm number  \n\n  body, title\t\r\nlast");
    ok(!spar__rankers_features(lab_path("names"), 0, &k, &err) && k.n == 0 && k.names == 3 && k.hash == 0, "three names");
    ok(k.names == 3 && !strcmp(k.name[0], "term number") && !strcmp(k.name[1], "body, title") &&
           !strcmp(k.name[2], "last"),
       "are whole lines without the blanks around");
    spar__rankers_free(&k);
    lab_text("names", "# nothing\n");
    ok(spar__rankers_features(lab_path("names"), 0, &k, &err) == SPAR_PARSE && strstr(err.text, "names: nothing in it"),
       "no names in a file of names");
    lab_write("names", "a\nb\0c\n", 6);
    ok(spar__rankers_features(lab_path("names"), 0, &k, &err) == SPAR_PARSE &&
           strstr(err.text, "names:2:2: expected a name, found a zero byte"),
       "a zero byte: %s", err.text);
    ok(spar__rankers_features(lab_path("none"), 0, &k, &err) == SPAR_IO && strstr(err.text, "none"), "no file");
    ok(!k.name && !k.names, "nothing is left behind");
}

static void check_weights(void)
{
    spar__rankers k, other;
    spar_error err = {0};
    lab_text("weights", "# two\nbm25 110:1\n\nmixed  3:0.5 1:-2e-1\t7:1 # tuned\r\n");
    ok(!spar__rankers_weights(lab_path("weights"), &k, &err) && k.n == 2 && k.names == 2, "two sums: %s", err.text);
    ok(k.n == 2 && !strcmp(k.name[0], "bm25") && !strcmp(k.name[1], "mixed") && k.start[0] == 0 && k.start[1] == 1 &&
           k.start[2] == 4 && k.feature[0] == 110 && k.feature[1] == 3 && k.feature[3] == 7 && k.weight[2] == -0.2,
       "with their names, features and weights");
    lab_text("weights", "a 110:1\nb 3:0.5 1:-2e-1 7:1");
    ok(!spar__rankers_weights(lab_path("weights"), &other, &err) && other.hash == k.hash && k.hash,
       "other names are no other rankers");
    spar__rankers_free(&other);
    lab_text("weights", "a 110:1 3:0.5\nb 1:-2e-1 7:1");
    ok(!spar__rankers_weights(lab_path("weights"), &other, &err) && other.hash != k.hash, "other borders are");
    spar__rankers_free(&other);
    lab_text("weights", "a 110:1\nb 3:0.5 1:-2e-1 7:1.0000001");
    ok(!spar__rankers_weights(lab_path("weights"), &other, &err) && other.hash != k.hash, "and other weights");
    spar__rankers_free(&other);
    spar__rankers_free(&k);
}

static void check_refusals(void)
{
    static const char *const cases[][2] = {
        {"", ": nothing in it"},
        {"\n#\n", ": nothing in it"},
        {"a\n", ":1:2: expected feature:value with a feature from 1 to 65535, found the end of the line"},
        {"\na 1:1\nb # 2:1\n", ":3:3: expected feature:value with a feature from 1 to 65535, found '#'"},
        {"a 0:1\n", ":1:3: expected feature:value with a feature from 1 to 65535, found '0:1'"},
        {"a 1:inf\n", ":1:5: expected a finite number as feature 1, found 'inf'"},
        {"a 1:1 2\n", ":1:8: expected ':' after feature 2, found the end of the line"},
        {"a 1:1 2:1 1:3\n", ":1:11: feature 1 is given twice"},
        {"ab 1:1\na 2:1\nab 3:1\n", ":3:1: the name ab is given twice"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        spar__rankers k;
        spar_error err = {0};
        char why[1000];
        lab_text("weights", cases[c][0]);
        (void)snprintf(why, sizeof why, "%s%s", lab_path("weights"), cases[c][1]);
        ok(spar__rankers_weights(lab_path("weights"), &k, &err) == SPAR_PARSE && !k.name && !k.n, "refused");
        same_text(err.text, why, "%s", cases[c][1]);
    }
}

static void check_starved(void)
{
    lab_text("weights", "a 1:1\nb 2:1\n");
    const char *path = lab_path("weights");
    size_t k = 1, refused = 0;
    for (bool whole = false; !whole; k++) {
        spar__rankers rankers;
        spar__alloc_fail_at(k);
        spar_status status = spar__rankers_weights(path, &rankers, NULL);
        whole = spar__alloc_count() < k;
        spar__alloc_fail_at(0);
        refused += status == SPAR_NOMEM;
        spar__rankers_free(&rankers);
    }
    ok(refused == k - 2 && refused >= 6, "each of %zu allocations may fail", refused);
}

int main(void)
{
    lab_open();
    check_names();
    check_weights();
    check_refusals();
    check_starved();
    lab_close();
    return done();
}
