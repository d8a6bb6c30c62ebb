/* json_tree.h - one JSON value, read whole: for lines with lists and objects inside. Strict JSON in valid UTF-8, at
 * most SPAR__JSON_TREE_DEPTH levels and SPAR__JSON_MEMBERS members in an object, none of them twice.
 *
 *     spar__json_tree tree = {0};
 *     spar__json_tree_parse(&tree, line, length, "log.jsonl", number, err);
 *     const spar__json_node *kind = spar__json_member(&tree, spar__json_root(&tree), "kind");
 *
 * The tree may be parsed into again; what it gave before is then gone. */
#ifndef SPAR_TEXT_JSON_TREE_H
#define SPAR_TEXT_JSON_TREE_H

#include "text/json_scan.h"

#include <stdint.h>

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
} spar__json_node;

typedef struct spar__json_tree { /* all zero: empty */
    spar__json_scan scan;
    spar__json_node *node;
    size_t n, room;
    spar__buf text;
    size_t members; /* at most, in an object; 0: SPAR__JSON_MEMBERS. The caller sets it */
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

#endif
