/* alloc.h - all memory comes from here. Sizes are checked for overflow, and tests can make the k-th call fail. */
#ifndef SPAR_BASE_ALLOC_H
#define SPAR_BASE_ALLOC_H

#include <stdbool.h>
#include <stddef.h>

/* Zeroed memory for count objects of size bytes, large ones aligned to 64 bytes; NULL: out of memory. Never NULL for
 * count 0. */
void *spar__alloc(size_t count, size_t size);

/* Grows or shrinks p (NULL is fine) from old_count to count objects; new objects are zeroed. On failure NULL is
 * returned and p is as it was. */
void *spar__realloc(void *p, size_t old_count, size_t count, size_t size);

/* p with room for `need` objects: as it is if *room is enough, else for twice as many as before, at least `least`. On
 * failure NULL is returned, and p and *room are as they were. Never NULL for need 0. */
void *spar__grow(void *p, size_t *room, size_t need, size_t least, size_t size);

/* The same two for the array that a pointer holds, whose address is given: it then holds the new one. False, with
 * everything as it was, when out of memory. The next of several may fail: what has grown before it may stay so. */
bool spar__resize(void *pointer, size_t old_count, size_t count, size_t size);
bool spar__reserve(void *pointer, size_t *room, size_t need, size_t least, size_t size);

/* For texts and other bytes: neither zeroed nor aligned, which costs more than everything else for small ones. */
void *spar__grow_bytes(void *p, size_t bytes);

void spar__free(void *p);

char *spar__strdup(const char *text);

/* For tests: the k-th allocation from now fails (1 = the next one), 0 = none; and how many were made since. Not
 * meant for several threads. */
void spar__alloc_fail_at(size_t k);
size_t spar__alloc_count(void);

#endif
