/* status.h - the report of `spar status` as text. */
#ifndef SPAR_CLI_STATUS_H
#define SPAR_CLI_STATUS_H

#include "cli/verdict/verdict.h"
#include "report/status.h"

/* space.c: the part about a space; nothing before the first answer. */
void spar__space_text(const spar__space_report *report, spar__layout layout, spar__buf *out);

void spar__status_text(const spar__status_report *report, spar__layout layout, spar__buf *out);

/* item_groups.c: the standings of each group of items, where there are items. */
void spar__item_groups_text(const spar__item_groups_report *groups, const spar__verdict_report *verdict,
                            spar__layout layout, spar__buf *out);

#endif
