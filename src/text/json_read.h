/* json_read.h - JSON read: a tree of one value, the members of a request, and rows of objects. */
#ifndef SPAR_TEXT_JSON_READ_H
#define SPAR_TEXT_JSON_READ_H

#include "base/buf.h"

/* The words of JSON, for the readers of this folder: strict JSON, of which bytes that are no UTF-8 pass
 * through. */
typedef struct spar__json_scan {
    const char *path; /* for errors */
    const char *at, *end;
    size_t number;  /* of the line at `at`, from 1 */
    spar__buf word; /* for the caller */
} spar__json_scan;

/* Skips white space. What comes then, '\0' at the end. */
char spar__scan_space(spar__json_scan *scan);

/* Is this the next character behind white space? Then it is taken. */
bool spar__scan_take(spar__json_scan *scan, char c);

/* The string at `at`, behind its quote, appended to out. */
spar_status spar__scan_string(spar__json_scan *scan, spar__buf *out, spar_error *err);

/* One JSON value, read whole: for lines with lists and objects inside. Strict JSON in valid UTF-8, at
 * most SPAR__JSON_TREE_DEPTH levels and SPAR__JSON_MEMBERS members in an object, none of them twice.
 *
 *     spar__json_tree tree = {0};
 *     spar__json_tree_parse(&tree, line, length, "log.jsonl", number, err);
 *     const spar__json_node *kind = spar__json_member(&tree, spar__json_root(&tree), "kind");
 *
 * The tree may be parsed into again; what it gave before is then gone. */

enum { SPAR__JSON_TREE_DEPTH = 16, SPAR__JSON_MEMBERS = 64 };

typedef enum spar__json_kind {
    SPAR__JSON_NULL,
    SPAR__JSON_FALSE,
    SPAR__JSON_TRUE,
    SPAR__JSON_NUMBER,
    SPAR__JSON_STRING,
    SPAR__JSON_LIST,
    SPAR__JSON_OBJECT
} spar__json_kind;

typedef struct spar__json_node {
    spar__json_kind kind;
    size_t key;          /* in text; only of members */
    size_t text, length; /* of a string or number, terminated */
    size_t first, next;  /* the first inside; the next of the same list or object: nodes, 0 for none */
    size_t count;        /* how many are inside */
    size_t line;
} spar__json_node;

typedef struct spar__json_tree { /* all zero: empty */
    spar__json_scan scan;
    spar__json_node *node;
    size_t n, room;
    spar__buf text;
    size_t members; /* at most, in an object; 0: SPAR__JSON_MEMBERS. The caller sets it */
    bool loose;     /* bytes that are no UTF-8, names twice, more levels and any number of members are fine */
} spar__json_tree;

/* The whole of text[length]; number is that of its first line. Errors read "file.jsonl:3: ...". */
spar_status spar__json_tree_parse(spar__json_tree *tree, const char *text, size_t length, const char *path,
                                  size_t number, spar_error *err);
void spar__json_tree_free(spar__json_tree *tree);

/* Borrowed until the next parse. NULL where there is none; a node that is NULL has nothing inside. */
const spar__json_node *spar__json_root(const spar__json_tree *tree);
const spar__json_node *spar__json_member(const spar__json_tree *tree, const spar__json_node *object, const char *key);
const spar__json_node *spar__json_first(const spar__json_tree *tree, const spar__json_node *node);
const spar__json_node *spar__json_next(const spar__json_tree *tree, const spar__json_node *node);
const char *spar__json_key_of(const spar__json_tree *tree, const spar__json_node *member);

/* The text of a string; NULL for anything else. */
const char *spar__json_text(const spar__json_tree *tree, const spar__json_node *node);

/* Whole numbers, as numbers or, where that is longer than 2^53, as strings; and any number. False for anything else. */
bool spar__json_get_unsigned(const spar__json_tree *tree, const spar__json_node *node, uint64_t *out);
bool spar__json_get_integer(const spar__json_tree *tree, const spar__json_node *node, int64_t *out);
bool spar__json_get_number(const spar__json_tree *tree, const spar__json_node *node, double *out);
bool spar__json_get_boolean(const spar__json_node *node, bool *out);

/* The members of a request: of the object at the root of a tree, by name. What is null is not there. */

/* SPAR_PARSE with a sentence if the member is something else. A text, or a number as it was written; borrowed like the
 * tree; NULL: it is not there. */
spar_status spar__json_read_text(const spar__json_tree *tree, const char *key, const char **out, spar_error *err);

/* A whole number from 0 to `most`; *has: it is there. */
spar_status spar__json_read_number(const spar__json_tree *tree, const char *key, uint64_t most, bool *has,
                                   uint64_t *out, spar_error *err);

/* true or false, which it is also where it is not there. */
spar_status spar__json_read_flag(const spar__json_tree *tree, const char *key, bool *out, spar_error *err);

/* Rows of values from JSON: objects one after the other (JSON lines), or a list of objects. Of the members asked for
 * none may be there twice, and all are texts or as good as texts. Strict JSON (bytes that are no UTF-8 pass through),
 * at most SPAR__JSON_ROW_DEPTH levels. Errors name the line. */
enum { SPAR__JSON_ROW_DEPTH = 64, SPAR__JSON_KEYS = 16 };

typedef struct spar__json_rows {
    spar__json_tree tree; /* of the row last read */
    size_t line;          /* where it starts */
    size_t keys;
    const char *key[SPAR__JSON_KEYS];              /* NULL: never there */
    const spar__json_node *found[SPAR__JSON_KEYS]; /* NULL: the row has none of that name */
    bool list, begun;                              /* inside [ ]; an object came before */
    bool plain;                                    /* a row may also be a text: the value of the first key */
    bool flat;                                     /* the members that were not asked for must be texts, too */
} spar__json_rows;

/* Members of these names (at most SPAR__JSON_KEYS, NULL for none) of text[length], which must outlive the rows. */
spar__json_rows spar__json_rows_of(const char *text, size_t length, const char *path, size_t keys,
                                   const char *const *key);

/* Reads one object. At the end *more is false. */
spar_status spar__json_rows_next(spar__json_rows *rows, bool *more, spar_error *err);

/* The value of a member of the row: a string, or a number, true or false as it was written; NULL if it is null or not
 * there. */
const char *spar__json_row_text(const spar__json_rows *rows, const spar__json_node *member);

void spar__json_rows_close(spar__json_rows *rows);

#endif
