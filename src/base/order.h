/* order.h - sort numbers: in place, without duplicates, or with their indices. */
#ifndef SPAR_BASE_ORDER_H
#define SPAR_BASE_ORDER_H

#include <stddef.h>

/* Of two doubles, for qsort and bsearch: the smaller one first. */
int spar__by_value(const void *a, const void *b);

/* Sorts the values and keeps each once; returns how many are left. */
size_t spar__distinct(size_t n, double *value);

typedef struct spar__ranked {
    double value;
    size_t index;
} spar__ranked;

/* The smallest value first, and of equal ones the smallest index. */
void spar__rank(size_t n, spar__ranked *item);

#endif
