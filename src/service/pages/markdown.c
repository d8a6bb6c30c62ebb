/* markdown.c - Markdown as HTML by libcmark, as part of a page. Whatever stands in it is shown and
 * never run: HTML inside the Markdown becomes text (libcmark in its safe mode would leave it out without a word); links
 * stay if they lead to the web or to a mail address; of others the text is shown; images would be loaded from
 * elsewhere: their text is shown instead; headings stand below those of the page; rows of a table, which libcmark does
 * not know, stay lines of their own. Without libcmark the text is shown as it is. */
#include "service/pages/pages.h"
#include "text/escape.h"

#include <string.h>

#ifdef SPAR__HAVE_CMARK

#include <cmark.h>
#include <stdlib.h>
#include <strings.h>

static void replace_by_text(cmark_node *node, const char *literal, bool block)
{
    cmark_node *text = cmark_node_new(CMARK_NODE_TEXT), *outer = block ? cmark_node_new(CMARK_NODE_PARAGRAPH) : text;
    if (!text || !outer || !cmark_node_set_literal(text, literal ? literal : "") ||
        (block && !cmark_node_append_child(outer, text)) || !cmark_node_replace(node, outer)) {
        if (outer && outer != text)
            cmark_node_free(outer);
        else if (text)
            cmark_node_free(text);
        cmark_node_unlink(node);
    }
    cmark_node_free(node);
}

/* An image or a link: its text moves out of it. */
static void dissolve(cmark_node *node)
{
    for (cmark_node *child = cmark_node_first_child(node); child; child = cmark_node_first_child(node)) {
        cmark_node_unlink(child);
        if (!cmark_node_insert_before(node, child))
            cmark_node_free(child);
    }
    cmark_node_unlink(node);
    cmark_node_free(node);
}

static bool is_kept(const char *url)
{
    static const char *const scheme[] = {"https://", "http://", "mailto:"};
    for (size_t i = 0; url && i < sizeof scheme / sizeof *scheme; i++)
        if (strncasecmp(url, scheme[i], strlen(scheme[i])) == 0)
            return true;
    return false;
}

/* A line that begins with '|' is a row. */
static void keep_row(cmark_node *soft)
{
    cmark_node *next = cmark_node_next(soft), *hard;
    const char *text = next ? cmark_node_get_literal(next) : NULL;
    if (!text || text[0] != '|' || !(hard = cmark_node_new(CMARK_NODE_LINEBREAK)))
        return;
    if (cmark_node_replace(soft, hard))
        cmark_node_free(soft);
    else
        cmark_node_free(hard);
}

void spar__markdown_html(const char *text, size_t length, spar__buf *out)
{
    spar__buf shown = {0};
    spar__html_visible(&shown, text, length);
    cmark_node *root = shown.failed ? NULL : cmark_parse_document(shown.text, shown.length, CMARK_OPT_DEFAULT);
    if (root) {
        cmark_iter *iter = cmark_iter_new(root);
        for (cmark_event_type event = cmark_iter_next(iter); event != CMARK_EVENT_DONE; event = cmark_iter_next(iter)) {
            cmark_node *node = cmark_iter_get_node(iter);
            cmark_node_type type = cmark_node_get_type(node);
            int level = type == CMARK_NODE_HEADING ? cmark_node_get_heading_level(node) : 0;
            if (type == CMARK_NODE_HTML_BLOCK || type == CMARK_NODE_HTML_INLINE)
                replace_by_text(node, cmark_node_get_literal(node), type == CMARK_NODE_HTML_BLOCK);
            else if (event == CMARK_EVENT_EXIT &&
                     (type == CMARK_NODE_IMAGE || (type == CMARK_NODE_LINK && !is_kept(cmark_node_get_url(node)))))
                dissolve(node);
            else if (event == CMARK_EVENT_ENTER && type == CMARK_NODE_HEADING)
                (void)cmark_node_set_heading_level(node, level < 4 ? level + 2 : 6);
            else if (type == CMARK_NODE_SOFTBREAK)
                keep_row(node);
        }
        cmark_iter_free(iter);
    }
    char *html = root ? cmark_render_html(root, CMARK_OPT_DEFAULT) : NULL;
    if (html)
        spar__buf_adds(out, html);
    else
        out->failed = true;
    cmark_get_default_mem_allocator()->free(html);
    if (root)
        cmark_node_free(root);
    spar__buf_free(&shown);
}

#else

void spar__markdown_html(const char *text, size_t length, spar__buf *out)
{
    spar__buf_adds(out, "<p class=\"plain\">");
    spar__html_escape(out, text, length);
    spar__buf_adds(out, "</p>\n");
}

#endif

/* Is any line of the code too long for a phone? Escapes count as they are written, which is safe. */
static bool is_wide(const char *pre)
{
    enum { NARROW = 24 };
    const char *at = strstr(pre, "<code"), *end = strstr(pre, "</code>");
    at = at && end ? strchr(at, '>') : NULL;
    while (at && at < end) {
        size_t length = strcspn(++at, "\n");
        if (length > NARROW && at + NARROW < end)
            return true;
        at += length;
    }
    return false;
}

void spar__markdown_focus_code(const char *html, spar__buf *out)
{
    for (const char *pre; (pre = strstr(html, "<pre>")); html = pre) { /* our own: that of a text is &lt;pre> */
        bool wide = is_wide(pre);
        pre += strlen("<pre");
        spar__buf_add(out, html, (size_t)(pre - html));
        spar__buf_adds(out, wide ? " tabindex=\"0\"" : "");
    }
    spar__buf_adds(out, html);
}
