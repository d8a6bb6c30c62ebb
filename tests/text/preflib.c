#include "votes_text.h"

#include "base/file.h"

#include <stdlib.h>

#define HEAD(type) "# FILE NAME: f." type "\n# DATA TYPE: " type "\n# NUMBER ALTERNATIVES: 3\n"
#define NAMES "# ALTERNATIVE NAME 1: cat\n# ALTERNATIVE NAME 2: big dog\n# ALTERNATIVE NAME 3: eel\n"

static void test_forms(void)
{
    same_text(READ(PREFLIB, HEAD("soc") NAMES "2: 2,1,3\n1: 3,1,2\n"), "7:2xbig dog0,cat1,eel2;8:eel0,cat1,big dog2;",
              "complete orders");
    same_text(READ(PREFLIB, HEAD("toc") NAMES "5: 2,{1,3}\n"), "7:5xbig dog0,cat1,eel1;", "ties");
    same_text(READ(PREFLIB, HEAD("soi") NAMES "1: 2\r\n"), "7:big dog0,cat1,eel1;", "those left out are last");
    same_text(READ(PREFLIB, HEAD("toi") "1: {2,3}\n"), "4:20,30,11;", "alternatives without names have numbers");
    same_text(READ(PREFLIB, HEAD("soc") NAMES), "", "no votes");
    same_text(READ(PREFLIB, ""), "", "nothing at all");
}

static void test_refusals(void)
{
    same_text(READ(PREFLIB, HEAD("soc") "2: 1,2\n"), "f:4: 2 of 3 alternatives, expected all in data of this type",
              "soc is complete");
    ok(strstr(READ(PREFLIB, HEAD("soi") "2: {1,2}\n"), "f:4: '1,2}', expected no ties"), "soi has no ties");
    ok(strstr(READ(PREFLIB, HEAD("soc") "1: 1,2,2\n"), "f:4: '2', expected each alternative once"), "one twice");
    ok(strstr(READ(PREFLIB, HEAD("soc") "1: 1,2,4\n"), "f:4: '4', expected the number of an alternative"), "unknown");
    ok(strstr(READ(PREFLIB, HEAD("soc") "1,2,3\n"), "expected a number of people, a colon"), "no count");
    ok(strstr(READ(PREFLIB, HEAD("toc") "1: {1,2\n"), "expected a comma or }"), "an open brace");
    ok(strstr(READ(PREFLIB, "1: 1,2\n"), "f:1: '1: 1,2', expected '# NUMBER ALTERNATIVES: 10'"), "no head");
    ok(strstr(READ(PREFLIB, "# DATA TYPE: cat\n"), "expected the type soc, soi, toc or toi"), "another type");
    ok(strstr(READ(PREFLIB, "# NUMBER ALTERNATIVES: 3000\n"), "1 to 2000 alternatives"), "too many alternatives");
    ok(strstr(READ(PREFLIB, HEAD("soc") "# ALTERNATIVE NAME 4: x\n"), "f:4: "), "a name too many");
    ok(strstr(READ(PREFLIB, HEAD("soc") "# ALTERNATIVE NAME 1: x\n# ALTERNATIVE NAME 2: x\n1: 1,2,3\n"),
              "names of their own"),
       "two of one name");
}

static void test_data(const char *name, size_t options, uint64_t people, uint64_t unranked)
{
    const char *data = getenv("SPAR_DATA");
    char path[500];
    spar__buf text = {0};
    spar__votes votes = {0};
    spar_error err = {0};
    (void)snprintf(path, sizeof path, "%s/preflib/%s", data ? data : "", name);
    if (!data || spar__file_read(path, 0, &text, &err)) {
        skip("no data");
        return;
    }
    uint64_t total = 0;
    ok(spar__preflib_parse(text.text, text.length, path, &votes, &err) == SPAR_OK, "%s is read", name);
    for (size_t i = 0; i < votes.n; i++)
        total += votes.vote[i].times;
    ok(votes.options.n == options && total == people && votes.unranked == unranked && votes.unordered,
       "%s: %zu options, %zu people, %zu left some out", name, votes.options.n, (size_t)total, (size_t)votes.unranked);
    spar__votes_free(&votes);
    spar__buf_free(&text);
}

int main(void)
{
    test_forms();
    test_refusals();
    test_memory(PREFLIB, HEAD("soi") NAMES "3: 1,2\n1: 3\n");
    test_data("sushi.soc", 10, 5000, 0);
    test_data("debian.soi", 7, 504, 177);
    test_data("debian.toc", 7, 504, 0);
    return done();
}
