/* html.c - the report. */
#include "paper/paper.h"

spar_status spar__paper_html(const spar__paper *paper, const char *command, spar__buf *out, spar_error *err)
{
    (void)err;
    spar__buf_printf(out, "<!doctype html><title>spar paper</title><p>%s</p><ul>\n", command);
    for (size_t i = 0; i < paper->n_claims; i++)
        spar__buf_printf(out, "<li>%s: %s</li>\n", paper->claim[i]->title,
                         spar__verdict_text(paper->finding[i].verdict));
    spar__buf_adds(out, "</ul>\n");
    return SPAR_OK;
}
