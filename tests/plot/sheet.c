#include "plot/plot.h"

#include "page.h"
#include "plot/svg.h"

#define EVIL "<b>&\"</script>"

static const double x[] = {1, 2}, y[] = {3, 4};
static const spar__series line = {.label = EVIL, .n = 2, .x = x, .y = y};

static void test_page(void)
{
    spar__drawing drawing = {.name = "A name " EVIL};
    spar__buf page = {0};
    ok(!spar__draw_panels(&(spar__figure){.title = EVIL, .n_series = 1, .series = &line}, 1, 1, &drawing), "drawn");
    spar__sheet_of(&drawing, "a <b>caption</b>", &page);
    ok(!page.failed && strncmp(page.text, "<!DOCTYPE html>", 15) == 0 && strstr(page.text, "</html>\n"), "a page");
    ok(count(page.text, "<script>") == 1 && count(page.text, "</script>") == 1, "nothing breaks out");
    ok(strstr(page.text, "<h1>A name &lt;b&gt;&amp;") && strstr(page.text, "<figcaption>a <b>caption</b></figcaption>"),
       "a heading and a caption");
    ok(strstr(page.text, " aria-label=\"A name &lt;b&gt;&amp;&quot;&lt;/script&gt;\""), "the picture has a name");
    ok(count(page.text, "<table class=\"data\">") == 1, "and a table");
    ok(!strstr(page.text, " src=") && !strstr(page.text, "url(") && !strstr(page.text, "https:"), "nothing is fetched");
    size_t dark = 0;
    for (size_t i = 0; i < SPAR__COLORS; i++) {
        char rule[80];
        (void)snprintf(rule, sizeof rule, "svg [stroke=\"%s\"]{stroke:%s}", spar__palette(i).color,
                       spar__palette(i).dark);
        dark += strstr(page.text, rule) != NULL;
    }
    ok(dark == SPAR__COLORS, "every colour has one for dark pages");
    spar__buf_free(&page);
    spar__drawing_free(&drawing);
}

static void test_grid(void)
{
    const spar__figure panel = {.n_series = 1, .series = &line};
    const char *const one[] = {"one"};
    spar__drawing drawing = {.name = "the name"};
    ok(!spar__draw_grid(&(spar__grid){.rows = 1, .columns = 1, .row = one, .column = one, .panel = &panel}, &drawing) &&
           strstr(drawing.svg.text, " aria-label=\"the name\"") && drawing.tables.length,
       "a grid has its name, too, and a table");
    spar__drawing_free(&drawing);
}

int main(void)
{
    test_page();
    test_grid();
    return done();
}
