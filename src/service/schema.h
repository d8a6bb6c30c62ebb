/* schema.h - what bodies, queries and replies are made of. schemas.def is the one table: the server refuses what is not
 * in it, and the OpenAPI document and doc/http.md are made from it. */
#ifndef SPAR_SERVICE_SCHEMA_H
#define SPAR_SERVICE_SCHEMA_H

#include "service/route.h"

typedef enum spar__member_kind {
    SPAR__MEMBER_TEXT,
    SPAR__MEMBER_CHOICE, /* one of the words in `of`: "open|invited" */
    SPAR__MEMBER_BYTES,  /* a text in base64 */
    SPAR__MEMBER_FLAG,   /* true or false */
    SPAR__MEMBER_WHOLE,  /* 0, 1, 2, ...; beyond 2^53 perhaps as a text */
    SPAR__MEMBER_NUMBER,
    SPAR__MEMBER_WORD,   /* a text, or a number */
    SPAR__MEMBER_REASON, /* true, false, or a text */
    SPAR__MEMBER_OBJECT, /* of the schema `of` */
    SPAR__MEMBER_LIST,   /* of objects of the schema `of`, or of "texts" or "numbers" */
    SPAR__MEMBER_ANY
} spar__member_kind;

typedef enum spar__member_need {
    SPAR__NEED_MAY,      /* it may be missing; in a request null is as missing */
    SPAR__NEED_MUST,     /* it is always there */
    SPAR__NEED_NULLABLE, /* it is always there, and may be null */
    SPAR__NEED_EITHER    /* it may be missing, and may be null */
} spar__member_need;

typedef struct spar__member {
    const char *name; /* NULL: the end of the list */
    spar__member_kind kind;
    spar__member_need need;
    const char *of, *brief;
} spar__member;

typedef struct spar__schema {
    const char *name, *brief;
    const spar__member *member;
} spar__schema;

extern const spar__schema spar__schemas[];
extern const size_t spar__n_schemas;
const spar__schema *spar__schema_find(const char *name); /* NULL: none */

/* What a route takes and gives. */
typedef struct spar__shape {
    const char *route; /* its id */
    const spar__schema *query, *request;
    bool raw;                  /* the body is no JSON */
    bool page;                 /* for browsers: the body is a form, problems are pages, callers come by cookies */
    unsigned status;           /* of success, */
    bool or_200;               /* or 200: it was there already */
    const char *types;         /* of the reply, with blanks between; the first is given to those who take all */
    const spar__schema *reply; /* NULL: it is no JSON object */
} spar__shape;

extern const spar__shape spar__shapes[];
extern const size_t spar__n_shapes;
const spar__shape *spar__shape_of(const spar__route *route); /* one that takes nothing where the table has none */

/* Is the word one of "this|or|that"? */
bool spar__word_among(const char *words, const char *word);

#endif
