/* rows.h - an answer as a row of text: the form that csv has, and that answers have on their way from one experiment to
 * another. */
#ifndef SPAR_LIVE_ROWS_H
#define SPAR_LIVE_ROWS_H

#include "live/answers.h"
#include "live/labels.h"
#include "live/source.h"

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
