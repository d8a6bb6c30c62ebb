/* web.h - the files of web/, as they are in the binary: scripts/embed-web makes web_data.c of them. */
#ifndef SPAR_SERVICE_WEB_H
#define SPAR_SERVICE_WEB_H

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

/* web.c */
const char *spar__web_template_find(const char *name);                          /* NULL: none */
const char *spar__web_text_find(const char *language, const char *key);         /* NULL: none */
const spar__web_file *spar__web_file_find(const char *name);                    /* NULL: none */
const char *spar__web_choose_language(const char *asked, const char *accepted); /* by ?lang= and Accept-Language */

#endif
