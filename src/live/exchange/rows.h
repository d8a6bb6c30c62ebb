/* rows.h - answers as rows of text.
 *
 * What a row said besides its answer is kept as a text beside the imported event: a JSON object with those of
 *
 *   screen, taken, flags   numbers, as the experiment that exported the row had them
 *   item, comment          texts
 *
 * that the row had. None: no text at all. */
#ifndef SPAR_LIVE_EXCHANGE_ROWS_H
#define SPAR_LIVE_EXCHANGE_ROWS_H

#include "base/order.h"
#include "live/exchange/history.h"
#include "text/json_read.h"
#include "text/names.h"

#include <spar/axes.h>
#include <spar/experiment.h>

typedef struct spar__row_source { /* all zero: nothing */
    uint64_t screen;
    uint32_t taken, flags;
    const char *item, *comment; /* NULL: none */
} spar__row_source;

/* Adds the object, or nothing. */
void spar__source_print(const spar__row_source *source, spar__buf *out);

/* False if it is something else; texts are borrowed from the tree. */
bool spar__source_read(spar__json_tree *tree, const char *text, size_t length, spar__row_source *out);

/* Adds (sequence, 0) of each imported answer whose source has flags. */
spar_status spar__source_flagged(spar_experiment *experiment, spar__key_table *flagged, spar_error *err);

/* What the options and voters of a log are called in rows.
 *
 * An option is called by its id; one whose text was removed is 'redacted-7' (or with more dashes, where an option has
 * that id). A voter is called by name only if names are wanted; else 'voter-' and 16 digits, which say nothing but who
 * is the same. Who was imported under such a name keeps it: so rows that are exported, imported and exported again are
 * the same. */

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

/* Borrowed until the next event. `made` is where a label is made that is not there. */
const char *spar__label_option(const spar__labels *labels, size_t arm, char made[SPAR__LABEL_SIZE]);
const char *spar__label_title(const spar__labels *labels, size_t arm); /* NULL: none any more */
bool spar__label_is_made(const char *name); /* voter-0123456789abcdef: made by an export, so nobody's name */
const char *spar__label_voter(const spar__labels *labels, uint64_t voter, char made[SPAR__LABEL_SIZE]); /* "": 0 */

/* The settings of a space as options of rows: what each screen showed, by places. */

typedef struct spar__setting_rows { /* all zero: empty */
    spar_axes *axes;
    spar__key_table screens; /* by number; the count is where its settings begin in `shown` */
    size_t *shown;           /* options of labels, place by place */
    size_t n, room;
} spar__setting_rows;

/* The settings become options of the labels. */
spar_status spar__setting_rows_event(spar__setting_rows *rows, const spar_event *event, spar__labels *labels,
                                     spar_error *err);

/* The answer, in terms of these options; borrowed until the next event. False: its screen is not there. */
bool spar__setting_rows_answer(const spar__setting_rows *rows, const spar__answered *answered, spar__answered *out);
void spar__setting_rows_free(spar__setting_rows *rows);

/* An answer as a row of text: the form that csv has, and that answers have on their way from one experiment to
 * another. */

#define SPAR__ROW_HEADER "id,screen,time,voter,shown,kind,answer,taken,flags,item,comment"

/* What the row says besides the answer. `made` is room for the label of an item that was removed. False: the text of an
 * import says something else. */
bool spar__row_source_of(const spar__answered *answered, const spar__labels *labels, spar__json_tree *tree,
                         char made[SPAR__LABEL_SIZE], spar__row_source *out);

/* 'A,B,C', in the order of the places. */
void spar__row_shown(const spar__answered *answered, const spar__labels *labels, spar__buf *out);

/* 'B' or 'B,A=C' or 'A>B,C=A'; nothing for tie, bad and skip. */
void spar__row_answer(const spar__answered *answered, const spar__labels *labels, spar__buf *out);

/* And back. Options are numbered as they come; shown has room for SPAR__ROW_SLOTS. SPAR_PARSE: a sentence without file
 * and line. */
enum { SPAR__ROW_SLOTS = 4096 };
spar_status spar__row_read_shown(const char *text, spar__names *options, size_t *shown, size_t *m, spar_error *err);
spar_status spar__row_read_answer(const char *kind, const char *text, const spar__names *options, const size_t *shown,
                                  size_t m, spar_answer *out, spar_error *err);

#endif
