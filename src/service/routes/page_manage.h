/* page_manage.h - what the pages of managers share. Each does what a program would ask for by /v1: a form becomes the
 * JSON body of that route, whose function is called; the reply becomes a page, or leads to one. */
#ifndef SPAR_SERVICE_PAGE_MANAGE_H
#define SPAR_SERVICE_PAGE_MANAGE_H

#include "service/page.h"

/* Begins a page with what all of them have. experiment NULL: none. */
void spar__manage_begin(spar__page *page, spar__call *call, const spar_experiment *experiment);

/* Calls the function of a route with this body. True: it was done, and the call has no reply yet; false: its reply is a
 * problem. */
typedef void spar__change_fn(spar__call *call, spar_experiment *experiment);
bool spar__manage_do(spar__call *call, spar_experiment *experiment, const spar__buf *body, spar__change_fn *change);

/* Is the problem about what was entered, so that the form is shown again? Then *status and *detail (new) are those of
 * the problem, and the call has no reply any more. */
bool spar__manage_failed(spar__call *call, unsigned *status, char **detail);

/* The address of the server as people know it: the base URL, else the one that this page was asked by. */
void spar__manage_base(const spar__call *call, spar__buf *out);

/* 303 to "/manage/NAME" and `rest`. */
void spar__manage_go(spar__call *call, const char *rest);

/* A text of the form; "" where it is missing. */
const char *spar__manage_text(const spar__call *call, const char *name);

/* Choices of a form: is_open, is_invited, is_managers, is_after_vote, is_public, sizes. */
void spar__manage_choices(spar__json *json, const char *access, const char *results, uint64_t m);

/* Options of the form, as items of a list that has begun: a line each, an image each. */
void spar__manage_options(const spar__call *call, spar__json *json);

#endif
