/* template.h - a page is a template and data: HTML with tags, and a JSON object.
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
#ifndef SPAR_SERVICE_TEMPLATE_H
#define SPAR_SERVICE_TEMPLATE_H

#include "text/json_read.h"

enum { SPAR__TEMPLATE_DEPTH = 32 }; /* sections and templates inside each other */

typedef struct spar__template_kit {
    const char *language;
    const char *(*find)(const char *name);                      /* the text of a template, NULL: none */
    const char *(*text)(const char *language, const char *key); /* a translated text, NULL: none */
    size_t most; /* tags that are rendered, where templates are not our own; 0: any number */
} spar__template_kit;

spar_status spar__template_render(const spar__template_kit *kit, const char *name, const spar__json_tree *data,
                                  spar__buf *out, spar_error *err);

#endif
