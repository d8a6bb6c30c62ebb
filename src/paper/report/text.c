#include "paper/report/report.h"

#include <string.h>

enum { WIDTH = 100, INDENT = 4 };

/* Words in lines of at most `width` characters. */
static void wrap(const char *text, size_t width, spar__buf *out)
{
    size_t at = 0;
    while (*text) {
        size_t word = strcspn(text, " \n");
        if (at == 0 || at + 1 + word > width) {
            spar__buf_printf(out, "%s%*s", at ? "\n" : "", INDENT, "");
            at = INDENT;
        } else {
            spar__buf_adds(out, " ");
            at++;
        }
        spar__buf_add(out, text, word);
        at += word;
        text += word + strspn(text + word, " \n");
    }
    spar__buf_adds(out, "\n");
}

void spar__finding_text(const spar__finding *finding, spar__buf *out)
{
    spar__buf_adds(out, spar__verdict_text(finding->verdict));
    if (finding->on)
        spar__buf_printf(out, " (%s)", finding->on);
}

void spar__paper_totals_text(const spar__paper *paper, spar__buf *out)
{
    static const struct {
        spar__verdict verdict;
        const char *one, *several;
    } words[] = {
        {SPAR__HOLDS, "holds", "hold"},
        {SPAR__HOLDS_IN_PART, "holds in part", "hold in part"},
        {SPAR__DOES_NOT_HOLD, "does not hold", "do not hold"},
        {SPAR__UNDECIDED, "is undecided (quick form)", "are undecided (quick form)"},
        {SPAR__NOT_JUDGED, "was not judged", "were not judged"},
    };
    size_t count[SPAR__VERDICTS], listed = 0;
    spar__paper_totals(paper, count);
    spar__buf_printf(out, "%zu claim%s", paper->n_claims, paper->n_claims == 1 ? "" : "s");
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        size_t n = count[words[k].verdict];
        if (n)
            spar__buf_printf(out, "%s %zu %s", listed++ ? "," : ":", n, n == 1 ? words[k].one : words[k].several);
    }
}

void spar__paper_text(const spar__paper *paper, bool styled, size_t width, spar__buf *out)
{
    for (size_t i = 0; i < paper->n_claims; i++) {
        const spar__claim *claim = paper->claim[i];
        const spar__finding *finding = &paper->finding[i];
        if (finding->verdict == SPAR__NOT_JUDGED)
            continue;
        spar__buf_printf(out, "%s%s%s: ", styled ? "\033[1m" : "", claim->title, styled ? "\033[0m" : "");
        spar__finding_text(finding, out);
        spar__buf_adds(out, "\n");
        if (finding->numbers.text)
            wrap(finding->numbers.text, width ? width : WIDTH, out);
    }
    spar__buf_adds(out, "\n");
    spar__paper_totals_text(paper, out);
    spar__buf_adds(out, "\n");
}
