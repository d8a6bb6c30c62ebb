/* page_vote.h - what the pages for voting share. */
#ifndef SPAR_SERVICE_PAGE_VOTE_H
#define SPAR_SERVICE_PAGE_VOTE_H

#include "service/page.h"

/* page_screen.c: a screen with its cards, and what was chosen of a ranking or of pairs so far, as members. */
bool spar__page_screen(spar__page *page, spar_experiment *experiment, const spar_screen *screen);

/* page_vote.c: the voter's first open screen whose token is still good, new; NULL: none. *old, if not NULL: there is
 * one that is too old. */
spar_status spar__voter_screen(const spar__call *call, spar_experiment *experiment, spar_screen **out, bool *old,
                               spar_error *err);

/* 303 to the page of the experiment, which then says this ("saved"; NULL: nothing). */
void spar__go_vote(spar__call *call, const char *said);

/* page_start.c: the code of the invitation that was opened, if it is for this experiment. */
bool spar__invitation_cookie(const spar__call *call, char code[SPAR__INVITATION_LENGTH + 1], spar__invitation *out);

#endif
