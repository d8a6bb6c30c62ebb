/* web.c - see web.h. */
#include "service/web.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

const char *spar__web_template_find(const char *name)
{
    for (size_t i = 0; i < spar__n_web_templates; i++)
        if (strcmp(spar__web_templates[i].name, name) == 0)
            return spar__web_templates[i].text;
    return NULL;
}

const spar__web_file *spar__web_file_find(const char *name)
{
    for (size_t i = 0; i < spar__n_web_files; i++)
        if (strcmp(spar__web_files[i].name, name) == 0)
            return &spar__web_files[i];
    return NULL;
}

static int compare(const void *key, const void *text)
{
    return strcmp(key, ((const spar__web_text *)text)->key);
}

const char *spar__web_text_find(const char *language, const char *key)
{
    const spar__web_text *found = bsearch(key, spar__web_texts, spar__n_web_texts, sizeof *found, compare);
    size_t i = 0;
    while (i < SPAR__WEB_LANGUAGES - 1 && strcmp(spar__web_language[i], language) != 0)
        i++;
    return found ? found->in[i] : NULL;
}

/* The language that "de" or "de-AT" names; NULL: one we do not have. */
static const char *known(const char *tag, size_t length)
{
    for (size_t i = 0; i < SPAR__WEB_LANGUAGES; i++) {
        size_t n = strlen(spar__web_language[i]);
        if (length >= n && strncasecmp(tag, spar__web_language[i], n) == 0 && (length == n || tag[n] == '-'))
            return spar__web_language[i];
    }
    return NULL;
}

/* ";q=0.8" as 800; 1000 where there is none. */
static unsigned weight(const char *params, size_t length)
{
    unsigned value = 0, digit = 1000;
    size_t at = 0;
    while (at + 1 < length && !(strncasecmp(params + at, "q=", 2) == 0))
        at++;
    if (at + 1 >= length)
        return 1000;
    for (at += 2; at < length && digit; at++) {
        if (params[at] >= '0' && params[at] <= '9') {
            value += digit * (unsigned)(params[at] - '0');
            digit /= 10;
        } else if (params[at] != '.') {
            break;
        }
    }
    return value < 1000 ? value : 1000;
}

const char *spar__web_choose_language(const char *asked, const char *accepted)
{
    const char *best = asked ? known(asked, strlen(asked)) : NULL;
    unsigned most = 0;
    if (best)
        return best;
    for (const char *at = accepted ? accepted : ""; *at;) {
        at += strspn(at, " \t,");
        size_t item = strcspn(at, ","), tag = strcspn(at, ",; \t");
        const char *language = known(at, tag);
        unsigned q = weight(at + tag, item - tag);
        if (language && q > most) {
            best = language;
            most = q;
        }
        at += item;
    }
    return best ? best : spar__web_language[0];
}
