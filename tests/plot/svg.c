#include "plot/svg.h"

#include "tap.h"
#include "xml.h"

static void test_text(void)
{
    spar__buf out = {0};
    spar__svg_escape(&out, "a<b> & \"c\"\n\x01\xFF\xEF\xBF\xBF\xC2\xB1");
    same_text(out.text, "a&lt;b&gt; &amp; &quot;c&quot; \xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xC2\xB1",
              "text is escaped");
    spar__buf_clear(&out);
    spar__svg_number(&out, 12.3456);
    spar__buf_adds(&out, " ");
    spar__svg_number(&out, -0.0001);
    spar__buf_adds(&out, " ");
    spar__svg_number(&out, 100);
    same_text(out.text, "12.35 0 100", "numbers are short");
    spar__buf_free(&out);
}

static void test_elements(void)
{
    spar__buf out = {0};
    spar__svg_begin(&out, 100, 50.5, "a & b", "<c>");
    spar__svg_line(&out, 1, 2, 3, 4, " stroke=\"#000\"");
    spar__svg_rect(&out, 1, 2, 3, 4, "");
    spar__svg_circle(&out, 1, 2, 3, "");
    spar__svg_text(&out, 1, 2, &spar__font_title, SPAR__MIDDLE, "<title>");
    spar__svg_text_power(&out, 1, 2, &spar__font_tick, SPAR__END, "10", "-9");
    spar__svg_text_turned(&out, 1, 2, &spar__font_label, "up");
    size_t lines = spar__svg_paragraph(&out, 1, 2, &spar__font_note, 45, "one two three four");
    spar__svg_end(&out);
    const char *wrong = xml_wrong(out.text);
    ok(!wrong, "all elements together are well-formed: %s", wrong ? wrong : "yes");
    ok(strstr(out.text, "<line x1=\"1\" y1=\"2\" x2=\"3\" y2=\"4\" stroke=\"#000\"/>"), "a line");
    ok(strstr(out.text, ">10<tspan dy=\"-4.4\" font-size=\"8.25\">-9</tspan></text>"), "an exponent is raised");
    ok(lines == 3, "a paragraph breaks (%zu lines)", lines);
    spar__buf_free(&out);
}

static void test_width(void)
{
    near(spar__svg_text_width(&(spar__font){100, false, ""}, "iW "), 28 + 99 + 32, 1e-9, "widths of letters add up");
    ok(spar__svg_text_width(&spar__font_title, "regret") > spar__svg_text_width(&spar__font_label, "regret"),
       "bold is wider");
    ok(spar__svg_text_width(&spar__font_label, "\xE4\xB8\xAD") >= spar__font_label.size, "so are ideographs");
    ok(spar__svg_paragraph(NULL, 0, 0, &spar__font_label, 10, "") == 0, "no text, no line");
    ok(spar__svg_paragraph(NULL, 0, 0, &spar__font_label, 10, "unbreakable") == 1, "a long word stays whole");
    ok(spar__svg_paragraph(NULL, 0, 0, &spar__font_label, 1000, "a b c d") == 1, "what fits is one line");
}

static void test_checker(void)
{
    static const char *const bad[] = {"",
                                      "<a>",
                                      "<a></b>",
                                      "<a/><b/>",
                                      "<a>&x;</a>",
                                      "<a b=c/>",
                                      "<a b=\"1\" b=\"2\"/>",
                                      "<a>\x01</a>",
                                      "<a>\xFF</a>",
                                      "<a b=\"<\"/>",
                                      "x<a/>",
                                      "</a>"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ok(xml_wrong(bad[i]) != NULL, "the checker sees through %zu", i);
}

int main(void)
{
    test_text();
    test_elements();
    test_width();
    test_checker();
    return done();
}
