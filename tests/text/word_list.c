#include "text/names.h"

#include "tap.h"

/* The names and marks as "[name]mark", or the status. */
static const char *read_all(const char *text)
{
    static char all[400];
    spar__word_list words = spar__words_of(text);
    size_t used = 0;
    bool more;
    spar_status status;
    all[0] = '\0';
    while ((status = spar__word_next(&words, &more)) == SPAR_OK && more)
        used += (size_t)snprintf(all + used, sizeof all - used, "[%s]%c", words.scan.word.text,
                                 words.mark ? words.mark : '.');
    if (status)
        (void)snprintf(all, sizeof all, "%d", (int)status);
    spar__words_close(&words);
    return all;
}

static void test_words(void)
{
    same_text(read_all(""), "", "nothing");
    same_text(read_all("A"), "[A].", "one name");
    same_text(read_all(" B , A = C "), "[B],[A]=[C].", "blanks around names");
    same_text(read_all("A>B,C<A"), "[A]>[B],[C]<[A].", "pairs");
    same_text(read_all("\"Earl, Grey\",\"a\\nb\"=Earl Grey"), "[Earl, Grey],[a\nb]=[Earl Grey].", "quotes");
    same_text(read_all("\"\""), "[].", "an empty name in quotes");
    same_text(read_all("A,"), "-3", "nothing behind a comma");
    same_text(read_all(",A"), "-3", "nothing before a comma");
    same_text(read_all("A\"b\""), "-3", "a quote inside a name");
    same_text(read_all("\"A\"b"), "-3", "something behind a quoted name");
    same_text(read_all("\"A"), "-3", "a quote that is never closed");
}

/* Every name comes back, and can be told from its neighbours. */
static void test_round_trip(void)
{
    static const char *const name[] = {"A",     "Earl Grey", "a,b", "a>b", "\"q\"", "back\\slash", " blank ",
                                       "\x1b[", "",          "=",   "ä",   "{1,2}", "\xE2\x80\xAE"};
    enum { N = sizeof name / sizeof *name };
    spar__buf out = {0};
    for (size_t i = 0; i < N; i++) {
        spar__buf_adds(&out, i ? "," : "");
        spar__word_add(&out, name[i]);
    }
    spar__word_list words = spar__words_of(out.text);
    bool more, same = true;
    for (size_t i = 0; i < N; i++)
        same = same && !spar__word_next(&words, &more) && more && strcmp(words.scan.word.text, name[i]) == 0;
    ok(same && !spar__word_next(&words, &more) && !more, "all names come back");
    ok(!strchr(out.text, 0x1b), "nothing acts on a terminal");
    spar__words_close(&words);
    spar__buf_free(&out);
}

int main(void)
{
    test_words();
    test_round_trip();
    return done();
}
