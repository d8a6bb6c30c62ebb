/* html_claims.c - the claims as one table, and below it the drawings that some of them have. */
#include "paper/report/html.h"

#include "plot/svg.h"

#include <string.h>

/* A word, a colour and a sign: each alone is enough. */
static void add_verdict(spar__verdict verdict, const char *on, const char *tag, spar__buf *out)
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

static void add_totals(const spar__paper *paper, spar__buf *out)
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
        add_verdict(order[k], NULL, "span", out);
        spar__buf_adds(out, "</li>");
    }
    spar__buf_adds(out, "</ul>\n");
}

static bool is_drawn(const spar__paper *paper, size_t i)
{
    return paper->claim[i]->draw && paper->finding[i].verdict != SPAR__NOT_JUDGED;
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

/* Each sentence on a line of its own, with a proper sign for plus or minus. */
static void add_sentences(const char *text, spar__buf *out)
{
    while (*text) {
        size_t length = sentence(text);
        spar__buf_adds(out, "<p>");
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
        spar__buf_adds(out, "</p>");
        text += length + strspn(text + length, " ");
    }
}

static void add_row(const spar__paper *paper, size_t i, spar__buf *out)
{
    const spar__claim *claim = paper->claim[i];
    const spar__finding *finding = &paper->finding[i];
    spar__html_add(out, "<tr id=\"row-%s\"><td><b>", claim->name);
    if (is_drawn(paper, i))
        spar__html_add(out, "<a href=\"#claim-%s\">%s</a>", claim->name, claim->title);
    else
        spar__html_add(out, "%s", claim->title);
    spar__html_add(out, "</b>%s", claim->says);
    if (has_figure(paper, claim->figure))
        spar__html_add(out, " (<a href=\"#figure-%s\">figure</a>)", claim->figure);
    spar__buf_adds(out, "</td>");
    add_verdict(finding->verdict, finding->on, "td", out);
    spar__buf_adds(out, "<td>");
    if (finding->numbers.text)
        add_sentences(finding->numbers.text, out);
    spar__html_add(out, "</td><td class=\"note\">%s</td></tr>\n", claim->test);
}

static spar_status add_section(const spar__paper *paper, size_t i, spar__buf *out, spar_error *err)
{
    const spar__claim *claim = paper->claim[i];
    spar__html_add(out, "<section class=\"keep\" id=\"claim-%s\">\n<h3>%s</h3>\n<p>", claim->name, claim->title);
    add_verdict(paper->finding[i].verdict, paper->finding[i].on, "span", out);
    spar__html_add(out, ": %s</p>\n", claim->says);
    spar_status status = spar__html_drawing(paper, claim->draw, claim->data, "There is nothing to draw.", out, err);
    spar__buf_adds(out, "</section>\n");
    return status;
}

spar_status spar__html_claims(const spar__paper *paper, spar__buf *out, spar_error *err)
{
    if (paper->n_claims == 0)
        return SPAR_OK;
    spar__buf_adds(out, "<section id=\"claims\">\n<h2>Claims</h2>\n");
    add_totals(paper, out);
    spar__buf_adds(out,
                   "<div class=\"scroll wide\" tabindex=\"0\"><table class=\"claims\">\n<colgroup><col class=\"c\">"
                   "<col class=\"v\"><col><col class=\"t\"></colgroup>\n<thead><tr><th>claim</th><th>verdict</th>"
                   "<th>numbers</th><th>test</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < paper->n_claims; i++)
        if (!paper->options.figure || paper->finding[i].verdict != SPAR__NOT_JUDGED) /* one figure decides few */
            add_row(paper, i, out);
    spar__buf_adds(out, "</tbody>\n</table></div>\n");
    spar_status status = SPAR_OK;
    for (size_t i = 0; !status && i < paper->n_claims; i++)
        if (is_drawn(paper, i))
            status = add_section(paper, i, out, err);
    spar__buf_adds(out, "</section>\n");
    return status;
}
