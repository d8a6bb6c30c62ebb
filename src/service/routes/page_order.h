/* page_order.h - a ranking or pairs that a voter puts together by clicks, before it is sent: kept in the address of the
 * page ("?order=B,A=C"), so that it needs no script, and Back takes a click back. */
#ifndef SPAR_SERVICE_PAGE_ORDER_H
#define SPAR_SERVICE_PAGE_ORDER_H

#include "text/json.h"

enum { SPAR__ORDER_MOST = 26 }; /* places that have a name of one letter */

typedef struct spar__order {
    size_t m;
    size_t level[SPAR__ORDER_MOST]; /* of each place: 1 is best, 0: not ranked */
} spar__order;

typedef enum spar__pair_mark {
    SPAR__PAIR_OPEN = 0,
    SPAR__PAIR_FIRST,
    SPAR__PAIR_EQUAL,
    SPAR__PAIR_SECOND
} spar__pair_mark;

typedef struct spar__pair_marks {
    size_t m;
    unsigned char mark[SPAR__ORDER_MOST][SPAR__ORDER_MOST]; /* j < k: a spar__pair_mark */
} spar__pair_marks;

/* What the address says; what makes no sense is passed over. */
void spar__order_read(spar__order *order, size_t m, const char *text);
void spar__pair_marks_read(spar__pair_marks *pairs, size_t m, const char *text);

/* Members of the page, and of the card of a place. */
void spar__order_json(const spar__order *order, spar__json *json);
void spar__order_card_json(const spar__order *order, size_t place, spar__json *json);
void spar__pair_marks_json(const spar__pair_marks *pairs, const char *const *title, spar__json *json);

#endif
