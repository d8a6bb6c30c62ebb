/* Markdown as HTML: what could run is text, what would be loaded from elsewhere is not there. */
#include "service/pages/pages.h"

#include "tap.h"

static spar__buf out;

static const char *html(const char *text)
{
    spar__buf_clear(&out);
    spar__markdown_html(text, strlen(text), &out);
    return out.text ? out.text : "";
}

static void test_markdown(void)
{
    same_text(html("a **b** *c*\n\n- d"), "<p>a <strong>b</strong> <em>c</em></p>\n<ul>\n<li>d</li>\n</ul>\n",
              "Markdown");
    same_text(html("# a\n## b\n#### c"), "<h3>a</h3>\n<h4>b</h4>\n<h6>c</h6>\n",
              "headings stand below those of the page");
    same_text(html("[a](https://x.org \"t\") <mailto:a@b.c>"),
              "<p><a href=\"https://x.org\" title=\"t\">a</a> <a href=\"mailto:a@b.c\">mailto:a@b.c</a></p>\n",
              "links to the web");
    same_text(html("a\n| b | c |\n|---|---|\n| *d* | e |"),
              "<p>a<br />\n| b | c |<br />\n|---|---|<br />\n| <em>d</em> | e |</p>\n", "rows of a table stay lines");
    same_text(html(""), "", "nothing");
}

static void test_hostile(void)
{
    same_text(html("<script>x</script>"), "<p>&lt;script&gt;x&lt;/script&gt;\n</p>\n", "a block of HTML is text");
    same_text(html("a <b onclick=x>c</b>"), "<p>a &lt;b onclick=x&gt;c&lt;/b&gt;</p>\n", "so is HTML inside a line");
    same_text(html("[a](javascript:x) [b](/manage) [c](data:x) [*d*](vbscript:x)"), "<p>a b c <em>d</em></p>\n",
              "other links are text");
    same_text(html("![a **b**](http://x/y.png)"), "<p>a <strong>b</strong></p>\n", "images are their text");
    same_text(html("[![a](x)](https://y)"), "<p><a href=\"https://y\">a</a></p>\n", "inside a link, too");
    same_text(html("a\xE2\x80\xAE"
                   "b\x01"),
              "<p>a\\u202eb\\x01</p>\n", "what turns the direction of writing is shown");
    same_text(html("```x\" onclick=\"y\nz\n```"), "<pre><code class=\"language-x&quot;\">z\n</code></pre>\n",
              "names of languages are escaped");
}

static const char *focused(const char *text)
{
    static spar__buf made;
    spar__buf_clear(&made);
    spar__markdown_focus_code(html(text), &made);
    return made.text ? made.text : "";
}

static void test_code(void)
{
    same_text(focused("```c\n0123456789012345678901234\n```\nx"),
              "<pre tabindex=\"0\"><code class=\"language-c\">0123456789012345678901234\n</code></pre>\n<p>x</p>\n",
              "code that may be too wide takes the focus");
    same_text(focused("```a-long-name-of-a-language\n012345678901234567890123\na\n```\n`0123456789012345678901234567`"),
              "<pre><code class=\"language-a-long-name-of-a-language\">012345678901234567890123\na\n</code></pre>\n"
              "<p><code>0123456789012345678901234567</code></p>\n",
              "other code does not, whatever stands around it");
    same_text(focused("    a\n\nx <pre>\n\n    0123456789012345678901234\n\n[x](http://y \"<pre>\")"),
              "<pre><code>a\n</code></pre>\n<p>x &lt;pre&gt;</p>\n<pre tabindex=\"0\"><code>0123456789012345678901234\n"
              "</code></pre>\n<p><a href=\"http://y\" title=\"&lt;pre&gt;\">x</a></p>\n",
              "each for itself, and what is written so stays a text");
    same_text(focused("a"), "<p>a</p>\n", "none");
}

int main(void)
{
#ifdef SPAR__HAVE_CMARK
    test_markdown();
    test_hostile();
    test_code();
#else
    same_text(html("<b> **a**\n"), "<p class=\"plain\">&lt;b&gt; **a**\n</p>\n", "without libcmark it is plain text");
    (void)test_markdown;
    (void)test_hostile;
    (void)test_code;
#endif
    spar__buf_free(&out);
    return done();
}
