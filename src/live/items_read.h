/* items_read.h - items as JSON lines: {"id", "prompt", "group", "outputs": {option: text}}. */
#ifndef SPAR_LIVE_ITEMS_READ_H
#define SPAR_LIVE_ITEMS_READ_H

#include "base/error.h"

#include <spar/item.h>

typedef struct spar__item_list { /* all zero: empty */
    spar_item **item;
    size_t *line; /* of each */
    size_t n, room;
} spar__item_list;

/* All items of text[length], in addition to those in the list; errors name path, line and item. Ids may repeat. */
spar_status spar__items_read(const char *text, size_t length, const char *path, spar__item_list *list, spar_error *err);

/* The file, "-" is standard input. */
spar_status spar__items_load(const char *path, spar__item_list *list, spar_error *err);

void spar__item_list_free(spar__item_list *list);

#endif
