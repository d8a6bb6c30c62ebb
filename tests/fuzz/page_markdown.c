/* Any text as Markdown: HTML with tags of a known list only, without images, and links to the web alone. */
#include "fuzz.h"

#include "service/pages/pages.h"

static bool starts(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* What libcmark writes, and nothing else. Attributes: links, titles, the first number of a list, the name of a
 * language. */
static bool is_known(const char *tag)
{
    static const char *const known[] = {"p>",
                                        "h3>",
                                        "h4>",
                                        "h5>",
                                        "h6>",
                                        "ul>",
                                        "ol>",
                                        "ol start=\"",
                                        "li>",
                                        "em>",
                                        "hr />",
                                        "br />",
                                        "pre>",
                                        "strong>",
                                        "blockquote>",
                                        "code>",
                                        "a>",
                                        "code class=\"language-",
                                        "p class=\"plain\">",
                                        "a href=\"http://",
                                        "a href=\"https://",
                                        "a href=\"mailto:"};
    tag += *tag == '/';
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (starts(tag, known[i]))
            return true;
    return false;
}

static void lower(char *text)
{
    for (; *text; text++)
        if (*text >= 'A' && *text <= 'Z')
            *text = (char)(*text + 32);
}

void fuzz_page_markdown(const uint8_t *data, size_t size)
{
    spar__buf out = {0};
    spar__markdown_html((const char *)data, size, &out);
    require(!out.failed);
    if (out.text)
        lower(out.text);
    for (const char *at = out.text ? strchr(out.text, '<') : NULL; at; at = strchr(at + 1, '<'))
        require(is_known(at + 1));
    spar__buf_free(&out);
}
