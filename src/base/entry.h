/* entry.h - how a class describes itself: name, one line, paper, parameters. */
#ifndef SPAR_BASE_ENTRY_H
#define SPAR_BASE_ENTRY_H

#include <spar/catalog.h>

/* The only place where a parameter is described. A list of them ends with a name of NULL. */
struct spar_param {
    const char *name;
    spar_param_kind kind;
    const char *standard; /* the default as text, NULL for none */
    double low, high;     /* range of numbers, ends included */
    const char *choices;
    const char *help;
};

struct spar_entry {
    const char *name;
    const char *brief;        /* one line */
    const char *paper;        /* where it comes from, NULL for none */
    const spar_param *params; /* NULL for none */
};

#endif
