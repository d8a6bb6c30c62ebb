/* judged.h - a claim that is judged, and drawn if it can be. */
#ifndef SPAR_TESTS_PAPER_JUDGED_H
#define SPAR_TESTS_PAPER_JUDGED_H

#include "workspace.h"

static inline const spar__claim *claim_of(const char *name)
{
    for (size_t i = 0; i < spar__n_claims; i++)
        if (!strcmp(spar__claims[i].name, name))
            return &spar__claims[i];
    printf("# no claim %s\n", name);
    return NULL;
}

static inline void judged(const spar__paper *paper, const char *name, spar__verdict wanted, const char *why)
{
    spar__finding finding = {0};
    spar_error err = {0};
    const spar__claim *claim = claim_of(name);
    spar_status status = claim ? claim->judge(claim->data, paper, &finding, &err) : SPAR_UNKNOWN;
    if (!ok(!status && finding.verdict == wanted, "%s: %s (%s)", name, spar__verdict_text(wanted), why))
        printf("# %s, %s %s\n", spar__verdict_text(finding.verdict), err.text, finding.numbers.text);
    if (claim && claim->draw && finding.verdict != SPAR__NOT_JUDGED) {
        spar__drawing drawing = {.name = claim->title};
        ok(!claim->draw(claim->data, paper, &drawing, &err) && drawing.svg.length > 500, "%s is drawn: %s", name,
           err.text);
        ok(strstr(drawing.svg.text, " runs") && strstr(drawing.svg.text, "bands: "), "%s tells its runs and bands",
           name);
        ok(finding.brief.text && strncmp(finding.brief.text, "We find", 7) == 0 &&
               finding.brief.text[finding.brief.length - 1] == '.' && !strstr(finding.brief.text, "nan") &&
               !strstr(finding.brief.text, "inf"),
           "%s is found: %s", name, finding.brief.text ? finding.brief.text : "nothing");
        spar__drawing_free(&drawing);
    }
    spar__finding_free(&finding);
}

#endif
