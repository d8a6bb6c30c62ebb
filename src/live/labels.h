/* labels.h - what the options and voters of a log are called in rows.
 *
 * An option is called by its id; one whose text was removed is 'redacted-7' (or with more dashes, where an option has
 * that id). A voter is called by name only if names are wanted; else 'voter-' and 16 digits, which say nothing but who
 * is the same. Who was imported under such a name keeps it: so rows that are exported, imported and exported again are
 * the same. */
#ifndef SPAR_LIVE_LABELS_H
#define SPAR_LIVE_LABELS_H

#include "live/history.h"
#include "text/names.h"

typedef struct spar__option_label {
    size_t id, title; /* 1 + the number in texts; 0: none */
    bool retired;
} spar__option_label;

typedef struct spar__labels { /* all zero: empty */
    bool names;               /* of voters are wanted */
    spar__names texts;
    spar__option_label *option;
    size_t n, room;
    spar__key_table voters; /* the count is 1 + the number in texts */
    size_t question;        /* as id above */
    size_t *item;           /* ids of items, as id above */
    size_t n_items, items_room;
} spar__labels;

enum { SPAR__LABEL_SIZE = 40 }; /* for labels that are made */

/* The names of all voters; then each event, of which the options and the question count. */
spar_status spar__labels_voters(spar__labels *labels, spar__history *history, spar_error *err);
spar_status spar__labels_event(spar__labels *labels, const spar__history_entry *entry, spar_error *err);
void spar__labels_free(spar__labels *labels);

/* The number of an option of this id, which is added where it is missing: for logs that have no options. */
spar_status spar__labels_add(spar__labels *labels, const char *id, size_t length, size_t *arm);

/* Borrowed until the next event. `made` is where a label is made that is not there. */
const char *spar__label_option(const spar__labels *labels, size_t arm, char made[SPAR__LABEL_SIZE]);
const char *spar__label_item(const spar__labels *labels, size_t item, char made[SPAR__LABEL_SIZE]);
const char *spar__label_title(const spar__labels *labels, size_t arm); /* NULL: none any more */
bool spar__label_is_made(const char *name); /* voter-0123456789abcdef: made by an export, so nobody's name */
const char *spar__label_voter(const spar__labels *labels, uint64_t voter, char made[SPAR__LABEL_SIZE]); /* "": 0 */

#endif
