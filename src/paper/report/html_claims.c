/* html_claims.c - the claims as one table: verdict, numbers, and how each is judged. */
#include "paper/report/html.h"

#include "plot/svg.h"

#include <string.h>

void spar__html_verdict(spar__verdict verdict, const char *on, const char *tag, spar__buf *out)
{
    static const struct {
        const char *look, *sign;
    } looks[] = {
        [SPAR__NOT_JUDGED] = {"none", "\xE2\x80\x93"},
        [SPAR__HOLDS] = {"holds", "\xE2\x9C\x93"},
        [SPAR__HOLDS_IN_PART] = {"part", "\xE2\x97\x90"},
        [SPAR__DOES_NOT_HOLD] = {"fails", "\xE2\x9C\x97"},
        [SPAR__UNDECIDED] = {"none", "?"},
    };
    spar__buf_printf(out, "<%s class=\"verdict %s\">%s&nbsp;%s%s%s%s</%s>", tag, looks[verdict].look,
                     looks[verdict].sign, spar__verdict_text(verdict), on ? " (" : "", on ? on : "", on ? ")" : "",
                     tag);
}

void spar__html_totals(const spar__paper *paper, spar__buf *out)
{
    static const spar__verdict order[] = {SPAR__HOLDS, SPAR__HOLDS_IN_PART, SPAR__DOES_NOT_HOLD, SPAR__UNDECIDED,
                                          SPAR__NOT_JUDGED};
    size_t count[SPAR__VERDICTS];
    spar__paper_totals(paper, count);
    spar__buf_adds(out, "<ul class=\"sum\">");
    for (size_t k = 0; k < sizeof order / sizeof *order; k++) {
        if (count[order[k]] == 0)
            continue;
        spar__buf_printf(out, "<li>%zu ", count[order[k]]);
        spar__html_verdict(order[k], NULL, "span", out);
        spar__buf_adds(out, "</li>");
    }
    spar__buf_adds(out, "</ul>\n");
}

bool spar__html_is_drawn(const spar__paper *paper, size_t i)
{
    return paper->claim[i]->draw && paper->finding[i].verdict != SPAR__NOT_JUDGED;
}

bool spar__html_is_listed(const spar__paper *paper, size_t i)
{
    return !paper->options.figure || paper->finding[i].verdict != SPAR__NOT_JUDGED;
}

static bool has_figure(const spar__paper *paper, const char *name)
{
    for (size_t i = 0; name && i < paper->n_figures; i++)
        if (strcmp(paper->figure[i]->name, name) == 0)
            return true;
    return false;
}

/* Up to the end of the first sentence; one in parentheses belongs to the one before it. */
static size_t sentence(const char *text)
{
    for (size_t i = 0; text[i]; i++) {
        size_t end = text[i] == '.' && text[i + 1] == ')' ? i + 2 : i + 1;
        if (text[i] == '.' && text[end] == ' ' && text[end + 1] != '(')
            return end;
    }
    return strlen(text);
}

void spar__html_plain(const char *text, size_t length, spar__buf *out)
{
    for (size_t i = 0, part; i < length; i += part) {
        const char *sign = strstr(text + i, "+-");
        bool plain = !sign || sign >= text + length;
        part = plain ? length - i : (size_t)(sign - text) - i;
        spar__svg_escape_part(out, text + i, part);
        if (!plain) {
            spar__buf_adds(out, "\xC2\xB1");
            part += 2;
        }
    }
}

/* Each sentence on a line of its own. */
static void add_sentences(const char *text, spar__buf *out)
{
    while (*text) {
        size_t length = sentence(text);
        spar__buf_adds(out, "<p>");
        spar__html_plain(text, length, out);
        spar__buf_adds(out, "</p>");
        text += length + strspn(text + length, " ");
    }
}

static void add_row(const spar__paper *paper, size_t i, spar__buf *out)
{
    const spar__claim *claim = paper->claim[i];
    const spar__finding *finding = &paper->finding[i];
    const char *figure = spar__html_is_drawn(paper, i)      ? claim->name
                         : has_figure(paper, claim->figure) ? claim->figure
                                                            : NULL;
    spar__html_add(out, "<tr id=\"claim-%s\"><td><b>%s</b>%s", claim->name, claim->title, claim->says);
    if (figure)
        spar__html_add(out, " (<a href=\"#figure-%s\">figure</a>)", figure);
    spar__html_add(out, "<details><summary>How it is judged</summary><p class=\"note\">%s</p></details></td>",
                   claim->test);
    spar__html_verdict(finding->verdict, finding->on, "td", out);
    spar__buf_adds(out, "<td>");
    if (finding->numbers.text)
        add_sentences(finding->numbers.text, out);
    spar__buf_adds(out, "</td></tr>\n");
}

void spar__html_claims(const spar__paper *paper, spar__buf *out)
{
    if (paper->n_claims == 0)
        return;
    spar__buf_adds(out, "<section id=\"claims\">\n<h2>The claims and their tests</h2>\n");
    spar__html_totals(paper, out);
    spar__sheet_begin_box(out, "Claims", " wide fits");
    spar__buf_adds(out, "<table class=\"claims\">\n<colgroup><col class=\"c\"><col class=\"v\"><col></colgroup>\n"
                        "<thead><tr><th scope=\"col\">claim</th><th scope=\"col\">verdict</th><th scope=\"col\">numbers"
                        "</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < paper->n_claims; i++)
        if (spar__html_is_listed(paper, i))
            add_row(paper, i, out);
    spar__buf_adds(out, "</tbody>\n</table>");
    spar__sheet_end_box(out);
    spar__buf_adds(out, "</section>\n");
}
