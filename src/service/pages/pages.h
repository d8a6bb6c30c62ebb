/* pages.h - pages for browsers. First the files of web/, as they are in the binary: scripts/embed-web makes web_data.c
 * of them. */
#ifndef SPAR_SERVICE_PAGES_PAGES_H
#define SPAR_SERVICE_PAGES_PAGES_H

#include "base/buf.h"
#include "service/auth/auth.h"
#include "service/http/http.h"
#include "text/json.h"
#include "text/json_read.h"

#include <stddef.h>

enum { SPAR__WEB_LANGUAGES = 2 };

typedef struct spar__web_template {
    const char *name; /* "vote" for web/templates/vote.html */
    const char *text;
} spar__web_template;

typedef struct spar__web_text {
    const char *key;
    const char *in[SPAR__WEB_LANGUAGES];
} spar__web_text;

typedef struct spar__web_file { /* served as it is */
    const char *name, *type;
    const char *hash; /* of its content; its URL has it */
    const char *bytes;
    size_t length;
} spar__web_file;

extern const char
    *const spar__web_language[SPAR__WEB_LANGUAGES]; /* "en", "de"; the first where nothing else is known */
extern const spar__web_template spar__web_templates[];
extern const size_t spar__n_web_templates;
extern const spar__web_text spar__web_texts[]; /* sorted by key */
extern const size_t spar__n_web_texts;
extern const spar__web_file spar__web_files[];
extern const size_t spar__n_web_files;

/* page.c */
const char *spar__web_template_find(const char *name);                          /* NULL: none */
const char *spar__web_text_find(const char *language, const char *key);         /* NULL: none */
const spar__web_file *spar__web_file_find(const char *name);                    /* NULL: none */
const char *spar__web_choose_language(const char *asked, const char *accepted); /* by ?lang= and Accept-Language */

/* A page is a template and data: HTML with tags, and a JSON object.
 *
 *     {{name}}             the value, escaped for HTML; inner values as {{option.title}}; {{.}} is the item itself
 *     {{&name_html}}       the value as it is: only names that end in _html or _svg, which our own code made safe
 *     {{#name}}...{{/name}}   for every item of a list; once, with its members, for an object; once for true, a text
 *                          that is not empty, a number but 0; else not at all
 *     {{^name}}...{{/name}}   where {{#name}} shows nothing
 *     {{_key}}             a text of web/texts in the language of the page, in which {name} stands for a value, and
 *                          {n|answer|answers} for the first word where n is 1, else for the second
 *     {{>name}}            another template, with the same data
 *     {{!...}}             nothing
 *
 * A name is looked for in the item, then in what is around it. One that is nowhere is a mistake, unless it is followed
 * by ? ({{#name?}}), as are tags that do not fit together: what is wrong is left out, rendering goes on, and the first
 * mistake is returned. */

enum { SPAR__TEMPLATE_DEPTH = 32 }; /* sections and templates inside each other */

typedef struct spar__template_kit {
    const char *language;
    const char *(*find)(const char *name);                      /* the text of a template, NULL: none */
    const char *(*text)(const char *language, const char *key); /* a translated text, NULL: none */
    size_t most; /* tags that are rendered, where templates are not our own; 0: any number */
} spar__template_kit;

spar_status spar__template_render(const spar__template_kit *kit, const char *name, const spar__json_tree *data,
                                  spar__buf *out, spar_error *err);

/* Pages for browsers: a template of web/templates, filled with a JSON object (above).
 *
 *     spar__page page;
 *     spar__page_begin(&page, call);
 *     spar__json_add_string(&page.json, "question", question);
 *     spar__page_end(&page, "vote", 200);
 *
 * A page has: here (its path), lang, dir, lang_query ("?lang=de" where the address has it, to be put behind every
 * address of ours), lang_asked ("de" there: forms that are sent with GET have it as a field), style_url, script_url,
 * icon_url, manager (true: logged in), csrf (what forms of managers must bring back, as a field of this name),
 * experiment (its name, or null), vote_url (its page, without lang_query). Requests come by cookies and forms (http.h);
 * problems are answered with the template "problem". */

typedef struct spar__page {
    spar__call *call;
    spar__buf data;
    spar__json json;
} spar__page;

void spar__page_begin(spar__page *page, spar__call *call);
/* Renders it as the reply and frees it. */
spar_status spar__page_end(spar__page *page, const char *name, unsigned status, spar_error *err);

/* A member that is a list or an object; one that is the text of a buffer, which is freed; an address, with a name
 * encoded at its end. */
void spar__json_begin_list(spar__json *json, const char *key);
void spar__json_begin_member(spar__json *json, const char *key);
void spar__json_add_buf(spar__json *json, const char *key, spar__buf *text);
void spar__json_add_url(spar__json *json, const char *key, const char *before, const char *name);

/* 303: the browser asks for the address before + name (encoded; NULL: none) + after instead; lang_query is added. */
spar_status spar__page_go(spar__call *call, const char *before, const char *name, const char *after);

/* Is it a GET of a page, but for one / at the end of the path? Then the match is that of the page, else none. */
bool spar__page_find_slash(const char *method, const char *path, spar__match *match);
void spar__page_go_without_slash(spar__call *call); /* 303 to that page, with the query */

const char *spar__page_language(const spar__call *call);
const char *spar__page_text(const spar__call *call, const char *key); /* of web/texts, in its language; NULL: none */

/* Is a problem in reply to this call to be shown as a page? Then makes it one. */
void spar__page_problem(spar__call *call);

/* markdown.c: Markdown as HTML that is safe to insert. */
void spar__markdown_html(const char *text, size_t length, spar__buf *out);
/* The same HTML, in which code that may be too wide for a phone takes the focus, so that keys can scroll it. */
void spar__markdown_focus_code(const char *html, spar__buf *out);

/* A ranking or pairs that a voter puts together by clicks, before it is sent: kept in the address of the
 * page ("?order=B,A=C"), so that it needs no script, and Back takes a click back. */

enum { SPAR__MAX_ORDER_POSITIONS = 26 }; /* places that have a name of one letter */

typedef struct spar__order {
    size_t m;
    size_t level[SPAR__MAX_ORDER_POSITIONS]; /* of each place: 1 is best, 0: not ranked */
} spar__order;

typedef enum spar__pair_mark {
    SPAR__PAIR_OPEN = 0,
    SPAR__PAIR_FIRST,
    SPAR__PAIR_EQUAL,
    SPAR__PAIR_SECOND
} spar__pair_mark;

typedef struct spar__pair_marks {
    size_t m;
    unsigned char mark[SPAR__MAX_ORDER_POSITIONS][SPAR__MAX_ORDER_POSITIONS]; /* j < k: a spar__pair_mark */
} spar__pair_marks;

/* What the address says; what makes no sense is passed over. */
void spar__order_read(spar__order *order, size_t m, const char *text);
void spar__pair_marks_read(spar__pair_marks *pairs, size_t m, const char *text);

/* Members of the page, and of the card of a place. */
void spar__order_json(const spar__order *order, spar__json *json);
void spar__order_card_json(const spar__order *order, size_t position, spar__json *json);
void spar__pair_marks_json(const spar__pair_marks *pairs, const char *const *title, spar__json *json);

/* --- what the pages for voting share --- */

/* vote.c: the voter's first open screen whose token is still good, new; NULL: none. *old, if not NULL: there is one
 * that is too old. */
spar_status spar__voter_screen(const spar__call *call, spar_experiment *experiment, spar_screen **out, bool *old,
                               spar_error *err);

/* 303 to the page of the experiment, which then says this ("saved"; NULL: nothing). */
spar_status spar__go_vote(spar__call *call, const char *said);

/* voters.c: the code of the invitation that was opened, if it is for this experiment. */
bool spar__invitation_cookie(const spar__call *call, char code[SPAR__INVITATION_LENGTH + 1], spar__invitation *out);

/* --- what the pages of managers share (routes/experiments.c) --- */

/* Begins a page with what all of them have. experiment NULL: none. */
void spar__manage_begin(spar__page *page, spar__call *call, const spar_experiment *experiment);

/* Calls the function of a route with this body. True: it was done, and the call has no reply yet; false: its reply is a
 * problem. */
bool spar__manage_do(spar__call *call, spar_experiment *experiment, const spar__buf *body, spar__route_fn *route);

/* The end of a form: where it was done, 303 to "/manage/NAME" and `after`; where the problem is about what was entered,
 * the form again with the sentence; else the problem. */
typedef spar_status spar__manage_show(spar__call *call, spar_experiment *experiment, unsigned status, const char *error,
                                      spar_error *err);
spar_status spar__manage_end(spar__call *call, spar_experiment *experiment, bool done, const char *after,
                             spar__manage_show *show, spar_error *err);

/* The address of the server as people know it: the base URL, else the one that this page was asked by. */
void spar__manage_base(const spar__call *call, spar__buf *out);

/* options.c: options of the form, as items of a list that has begun: a line each, an image each. */
void spar__form_options(const spar__call *call, spar__json *json);

#endif
