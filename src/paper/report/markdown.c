#include "paper/report/report.h"

#include "spar_version.h"

/* A text in a cell of a table: a bar would end the cell. */
static void add_cell(const char *text, spar__buf *out)
{
    for (; *text; text++) {
        if (*text == '|')
            spar__buf_adds(out, "\\");
        spar__buf_add(out, text, 1);
    }
}

static void add_verdicts(const spar__paper *paper, spar__buf *out)
{
    spar__buf_adds(out, "| claim | verdict |\n|---|---|\n");
    for (size_t i = 0; i < paper->n_claims; i++) {
        if (paper->finding[i].verdict == SPAR__NOT_JUDGED)
            continue;
        spar__buf_adds(out, "| ");
        add_cell(paper->claim[i]->title, out);
        spar__buf_adds(out, " | ");
        spar__finding_text(&paper->finding[i], out);
        spar__buf_adds(out, " |\n");
    }
    spar__buf_adds(out, "\n");
    spar__paper_totals_text(paper, out);
    spar__buf_adds(out, ".\n");
}

static void add_claim(const spar__claim *claim, const spar__finding *finding, spar__buf *out)
{
    spar__buf_printf(out, "\n### %s: ", claim->title);
    spar__finding_text(finding, out);
    spar__buf_adds(out, "\n\n");
    spar__buf_printf(out, "*The paper:* %s\n\n%s\n\n*Test:* %s\n", claim->says,
                     finding->numbers.text ? finding->numbers.text : "", claim->test);
    if (claim->draw)
        spar__buf_printf(out, "\n![%s](%s.svg)\n", claim->title, claim->name);
}

void spar__paper_markdown(const spar__paper *paper, const char *command, spar__buf *out)
{
    spar__buf_adds(out, "# The paper, reproduced\n\n");
    spar__buf_printf(out,
                     "Every experiment, figure and claim of *Multi-dueling Bandits with Dependent Arms* (Sui, Zhuang, "
                     "Burdick, Yue; UAI 2017). Made by `%s`, version %s; all final regrets are in `results.csv`.\n\n",
                     command, SPAR_VERSION);
    add_verdicts(paper, out);
    spar__buf_adds(out, "\n## Figures\n");
    for (size_t i = 0; i < paper->n_figures; i++)
        spar__buf_printf(out, "\n### %s\n\n*The paper:* %s\n\n![%s](%s.svg)\n", paper->figure[i]->title,
                         paper->figure[i]->says, paper->figure[i]->title, paper->figure[i]->name);
    spar__buf_adds(out, "\n## Claims\n");
    for (size_t i = 0; i < paper->n_claims; i++)
        if (paper->finding[i].verdict != SPAR__NOT_JUDGED)
            add_claim(paper->claim[i], &paper->finding[i], out);
}
