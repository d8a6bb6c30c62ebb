/* The files of web/ in the binary: all texts in all languages, languages by what browsers say, templates that are
 * whole. */
#include "service/pages/pages.h"

#include "tap.h"

static void test_texts(void)
{
    size_t missing = 0, unordered = 0;
    for (size_t i = 0; i < spar__n_web_texts; i++) {
        for (size_t j = 0; j < SPAR__WEB_LANGUAGES; j++)
            missing += !spar__web_text_find(spar__web_language[j], spar__web_texts[i].key);
        unordered += i && strcmp(spar__web_texts[i - 1].key, spar__web_texts[i].key) >= 0;
    }
    ok(spar__n_web_texts > 20 && !missing && !unordered, "%zu texts are found in each language", spar__n_web_texts);
    ok(!spar__web_text_find("en", "no.such"), "others are not");
    size_t apart = 0;
    for (size_t i = 0; i < spar__n_web_texts; i++)
        for (size_t j = 0; j < SPAR__WEB_LANGUAGES; j++)
            apart += strstr(spar__web_text_find(spar__web_language[j], spar__web_texts[i].key), " %") != NULL;
    for (size_t i = 0; i < spar__n_web_templates; i++)
        apart += strstr(spar__web_templates[i].text, " %") != NULL;
    ok(!apart && strstr(spar__web_text_find("de", "space.chance"), "{chance}\xC2\xA0%"),
       "no line ends between a number and its percent sign");
    ok(strcmp(spar__web_text_find("de", "vote.start"), spar__web_text_find("en", "vote.start")) != 0, "by language");
}

static void test_languages(void)
{
    static const struct {
        const char *asked, *accepted, *wanted;
    } row[] = {
        {NULL, NULL, "en"},
        {NULL, "", "en"},
        {NULL, "de", "de"},
        {NULL, "de-CH", "de"},
        {NULL, "den", "en"},
        {NULL, "en,de", "en"},
        {NULL, "en;q=0.5,de", "de"},
        {NULL, "de;q=0", "en"},
        {NULL, "fr, de;q=0.1", "de"},
        {"de", "en", "de"},
        {"xx", "de", "de"},
        {"", "de", "de"},
        {NULL, "*", "en"},
        {NULL, "de;q=0.001,en;q=0", "de"},
        {NULL, " ,;, DE ; q=1", "de"},
        {NULL, "de;level=1;q=0.2,en;q=0.3", "en"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        same_text(spar__web_choose_language(row[i].asked, row[i].accepted), row[i].wanted, "%s, %s",
                  row[i].asked ? row[i].asked : "-", row[i].accepted ? row[i].accepted : "-");
}

static size_t count(const char *text, const char *what)
{
    size_t n = 0;
    for (const char *at = strstr(text, what); at; at = strstr(at + 1, what))
        n++;
    return n;
}

static void test_files(void)
{
    const spar__web_file *style = spar__web_file_find("spar.css"), *script = spar__web_file_find("spar.js");
    ok(style && script && style->length > 1000 && script->length > 1000, "style and script");
    ok(style && strlen(style->hash) == 16 && strcmp(style->hash, script->hash) != 0, "by their content");
    ok(!spar__web_file_find("vote.html") && !spar__web_file_find(""), "templates are not served as files");
    for (size_t i = 0; i < spar__n_web_templates; i++) {
        const char *text = spar__web_templates[i].text;
        if (count(text, "{{") != count(text, "}}"))
            ok(false, "%s: braces do not fit", spar__web_templates[i].name);
    }
    ok(spar__web_template_find("vote") && !spar__web_template_find("none"), "templates by name");
}

int main(void)
{
    test_texts();
    test_languages();
    test_files();
    return done();
}
