/* item_groups.h - standings for each group of items: the same question asked of a part of the answers. As JSON here; as
 * text in cli/status, as a page in view_groups.c. They are approximate, and no decision is taken by group. */
#ifndef SPAR_REPORT_ITEM_GROUPS_H
#define SPAR_REPORT_ITEM_GROUPS_H

#include "live/answer_summary.h"
#include "report/standings.h"

typedef struct spar__group_report {
    char *name; /* NULL: no group, or it was redacted */
    bool none;  /* items without a group, and answers without an item */
    spar__group_answers has;
    spar__standings_report standings; /* of its own, moved out of `has` */
} spar__group_report;

typedef struct spar__item_groups_report { /* all zero: there are no items */
    spar__group_report *group;
    size_t n;
    const char *why_not; /* there are items, but this is left out, in words */
} spar__item_groups_report;

spar_status spar__item_groups_look(spar_experiment *experiment, bool without_flagged, spar__item_groups_report *out,
                                   spar_error *err);
void spar__item_groups_free(spar__item_groups_report *r);

/* The members "items" and "by_group" of an object; nothing where there are no items. */
void spar__item_groups_json(const spar__item_groups_report *r, const spar__verdict_report *verdict, spar__json *json);

#endif
