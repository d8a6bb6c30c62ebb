#include "paper/report/report.h"

#include <string.h>

enum { WIDTH = 100, INDENT = 4 };

/* Words in lines of at most WIDTH characters. */
static void wrap(const char *text, spar__buf *out)
{
    size_t at = 0;
    while (*text) {
        size_t word = strcspn(text, " \n");
        if (at == 0 || at + 1 + word > WIDTH) {
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

void spar__paper_text(const spar__paper *paper, bool styled, spar__buf *out)
{
    size_t count[4] = {0};
    for (size_t i = 0; i < paper->n_claims; i++) {
        const spar__claim *claim = paper->claim[i];
        const spar__finding *finding = &paper->finding[i];
        count[finding->verdict]++;
        if (finding->verdict == SPAR__NOT_JUDGED)
            continue;
        spar__buf_printf(out, "%s%s%s: %s\n", styled ? "\033[1m" : "", claim->title, styled ? "\033[0m" : "",
                         spar__verdict_text(finding->verdict));
        if (finding->numbers.text)
            wrap(finding->numbers.text, out);
    }
    if (count[SPAR__NOT_JUDGED] < paper->n_claims)
        spar__buf_printf(out, "\n%zu claim%s, %zu in part, %zu not%s\n", count[SPAR__HOLDS],
                         count[SPAR__HOLDS] == 1 ? " holds" : "s hold", count[SPAR__HOLDS_IN_PART],
                         count[SPAR__DOES_NOT_HOLD], paper->options.quick ? " (quick: few runs)" : "");
}
