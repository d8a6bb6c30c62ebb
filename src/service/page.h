/* page.h - pages for browsers: a template of web/templates, filled with a JSON object (template.h).
 *
 *     spar__page page;
 *     spar__page_begin(&page, call);
 *     spar__json_add_string(&page.json, "question", question);
 *     spar__page_end(&page, "vote", 200);
 *
 * A page has: here (its path), lang, dir, lang_query ("?lang=de" where the address has it, to be put behind every
 * address of ours), lang_asked ("de" there: forms that are sent with GET have it as a field), style_url, script_url, icon_url, manager (true: logged in), csrf (what forms of managers must bring
 * back, as a field of this name), experiment (its name, or null), vote_url (its page, without lang_query). Requests come by cookies and forms (form.h);
 * problems are answered with the template "problem". */
#ifndef SPAR_SERVICE_PAGE_H
#define SPAR_SERVICE_PAGE_H

#include "service/server.h"

typedef struct spar__page {
    spar__call *call;
    spar__buf data;
    spar__json json;
} spar__page;

void spar__page_begin(spar__page *page, spar__call *call);
void spar__page_end(spar__page *page, const char *name, unsigned status); /* renders it as the reply, frees */
void spar__page_drop(spar__page *page);                                   /* frees: the call has another reply */

/* 303: the browser asks for this address of ours instead; lang_query is added. */
void spar__page_go(spar__call *call, const char *path);

/* Is it a GET of a page, but for one / at the end of the path? Then the match is that of the page, else none. */
bool spar__page_find_slash(const char *method, const char *path, spar__match *match);
void spar__page_go_without_slash(spar__call *call); /* 303 to that page, with the query */

const char *spar__page_language(const spar__call *call);
const char *spar__page_text(const spar__call *call, const char *key); /* of web/texts, in its language; NULL: none */

/* Is a problem in reply to this call to be shown as a page? Then makes it one. */
void spar__page_problem(spar__call *call);

/* routes/page_home.c and others: markdown.c: Markdown as HTML that is safe to insert. */
void spar__markdown_html(const char *text, size_t length, spar__buf *out);
/* The same HTML, in which code that may be too wide for a phone takes the focus, so that keys can scroll it. */
void spar__markdown_focus_code(const char *html, spar__buf *out);

#endif
