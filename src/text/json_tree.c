#include "text/json_tree.h"

#include "base/alloc.h"
#include "base/number.h"
#include "base/utf8.h"

#include <string.h>

static bool is_utf8(const char *text, size_t length)
{
    static const char mark[] = "\xEF\xBF\xBD"; /* U+FFFD itself is fine */
    for (size_t size; length > 0; text += size, length -= size) {
        uint32_t code;
        size = spar__utf8_next(text, length, &code);
        if (code == SPAR__UTF8_BAD && (size != 3 || memcmp(text, mark, 3) != 0))
            return false;
    }
    return true;
}

/* A new node; its number goes to *out. */
static spar_status add_node(spar__json_tree *tree, size_t *out, spar_error *err)
{
    spar__json_node *node = spar__grow(tree->node, &tree->room, tree->n + 1, 16, sizeof *node);
    if (!node)
        return spar__fail_memory(err);
    tree->node = node;
    tree->node[tree->n] = (spar__json_node){0};
    *out = tree->n++;
    return SPAR_OK;
}

/* The word that was read, terminated. */
static spar_status keep_word(spar__json_tree *tree, size_t *start, spar_error *err)
{
    const spar__buf *word = &tree->scan.word;
    if (!is_utf8(word->text, word->length))
        return spar__fail(err, SPAR_PARSE, "%s:%zu: a text is not valid UTF-8", tree->scan.path, tree->scan.number);
    *start = tree->text.length;
    spar__buf_add(&tree->text, word->text, word->length);
    spar__buf_add(&tree->text, "", 1);
    return tree->text.failed ? spar__fail_memory(err) : SPAR_OK;
}

static spar_status read_word(spar__json_tree *tree, size_t at, spar_error *err)
{
    bool null, string = spar__scan_space(&tree->scan) == '"';
    spar_status status = spar__scan_scalar(&tree->scan, &null, err);
    size_t start = 0;
    if (!status)
        status = keep_word(tree, &start, err);
    if (status)
        return status;
    const char *word = tree->text.text + start;
    tree->node[at].text = start;
    tree->node[at].length = tree->scan.word.length;
    tree->node[at].kind = string           ? SPAR__JSON_STRING
                          : null           ? SPAR__JSON_NULL
                          : word[0] == 't' ? SPAR__JSON_TRUE
                          : word[0] == 'f' ? SPAR__JSON_FALSE
                                           : SPAR__JSON_NUMBER;
    return SPAR_OK;
}

static spar_status read_key(spar__json_tree *tree, size_t object, size_t *key, spar_error *err)
{
    if (!spar__scan_take(&tree->scan, '"'))
        return spar__scan_refuse(&tree->scan, "a name in quotes", err);
    spar_status status = spar__scan_string(&tree->scan, err);
    if (!status)
        status = keep_word(tree, key, err);
    if (!status && !spar__scan_take(&tree->scan, ':'))
        status = spar__scan_refuse(&tree->scan, "a colon", err);
    if (status)
        return status;
    const char *name = tree->text.text + *key;
    if (spar__json_member(tree, &tree->node[object], name))
        return spar__fail(err, SPAR_PARSE, "%s:%zu: '%.80s' is given twice", tree->scan.path, tree->scan.number, name);
    size_t most = tree->members ? tree->members : SPAR__JSON_MEMBERS;
    if (tree->node[object].count == most)
        return spar__fail(err, SPAR_PARSE, "%s:%zu: an object has more than %zu members", tree->scan.path,
                          tree->scan.number, most);
    return SPAR_OK;
}

static spar_status read_value(spar__json_tree *tree, size_t depth, size_t *out, spar_error *err);

/* What is inside the list or object `at`, behind its bracket. */
static spar_status read_inside(spar__json_tree *tree, size_t at, size_t depth, spar_error *err)
{
    bool object = tree->node[at].kind == SPAR__JSON_OBJECT;
    if (depth == SPAR__JSON_TREE_DEPTH)
        return spar__fail(err, SPAR_PARSE, "%s:%zu: lists and objects inside each other, more than %d", tree->scan.path,
                          tree->scan.number, SPAR__JSON_TREE_DEPTH);
    if (spar__scan_take(&tree->scan, object ? '}' : ']'))
        return SPAR_OK;
    for (size_t last = 0, next = 0, key = 0;; last = next) {
        spar_status status = object ? read_key(tree, at, &key, err) : SPAR_OK;
        if (!status)
            status = read_value(tree, depth + 1, &next, err);
        if (status)
            return status;
        tree->node[next].key = key;
        *(last ? &tree->node[last].next : &tree->node[at].first) = next;
        tree->node[at].count++;
        if (spar__scan_take(&tree->scan, object ? '}' : ']'))
            return SPAR_OK;
        if (!spar__scan_take(&tree->scan, ','))
            return spar__scan_refuse(&tree->scan, object ? "a comma or }" : "a comma or ]", err);
    }
}

static spar_status read_value(spar__json_tree *tree, size_t depth, size_t *out, spar_error *err)
{
    spar_status status = add_node(tree, out, err);
    if (status)
        return status;
    char c = spar__scan_space(&tree->scan);
    if (c != '{' && c != '[')
        return read_word(tree, *out, err);
    tree->scan.at++;
    tree->node[*out].kind = c == '{' ? SPAR__JSON_OBJECT : SPAR__JSON_LIST;
    return read_inside(tree, *out, depth, err);
}

spar_status spar__json_tree_parse(spar__json_tree *tree, const char *text, size_t length, const char *path,
                                  size_t number, spar_error *err)
{
    tree->scan = (spar__json_scan){path, text, text + length, number, tree->scan.word};
    tree->n = 0;
    spar__buf_clear(&tree->text);
    size_t root;
    spar_status status = read_value(tree, 0, &root, err);
    (void)spar__scan_space(&tree->scan);
    if (!status && tree->scan.at != tree->scan.end)
        status = spar__scan_refuse(&tree->scan, "the end behind the value", err);
    if (status)
        tree->n = 0;
    return status;
}

void spar__json_tree_free(spar__json_tree *tree)
{
    spar__free(tree->node);
    spar__buf_free(&tree->text);
    spar__buf_free(&tree->scan.word);
    *tree = (spar__json_tree){0};
}

const spar__json_node *spar__json_root(const spar__json_tree *tree)
{
    return tree->n ? tree->node : NULL;
}

const spar__json_node *spar__json_first(const spar__json_tree *tree, const spar__json_node *node)
{
    return node && node->first ? &tree->node[node->first] : NULL;
}

const spar__json_node *spar__json_next(const spar__json_tree *tree, const spar__json_node *node)
{
    return node && node->next ? &tree->node[node->next] : NULL;
}

const char *spar__json_key_of(const spar__json_tree *tree, const spar__json_node *member)
{
    return tree->text.text + member->key;
}

const spar__json_node *spar__json_member(const spar__json_tree *tree, const spar__json_node *object, const char *key)
{
    if (!object || object->kind != SPAR__JSON_OBJECT)
        return NULL;
    const spar__json_node *node = spar__json_first(tree, object);
    while (node && strcmp(spar__json_key_of(tree, node), key) != 0)
        node = spar__json_next(tree, node);
    return node;
}

const char *spar__json_text(const spar__json_tree *tree, const spar__json_node *node)
{
    return node && node->kind == SPAR__JSON_STRING ? tree->text.text + node->text : NULL;
}

/* Digits only, without leading zeros. */
static bool parse_digits(const char *digits, uint64_t *out)
{
    size_t length = strlen(digits);
    bool plain = length > 0 && strspn(digits, "0123456789") == length && (digits[0] != '0' || length == 1);
    return plain && spar__parse_u64(digits, out);
}

static const char *digits_of(const spar__json_tree *tree, const spar__json_node *node)
{
    bool fits = node && (node->kind == SPAR__JSON_NUMBER || node->kind == SPAR__JSON_STRING);
    return fits ? tree->text.text + node->text : "";
}

bool spar__json_get_unsigned(const spar__json_tree *tree, const spar__json_node *node, uint64_t *out)
{
    return parse_digits(digits_of(tree, node), out);
}

bool spar__json_get_integer(const spar__json_tree *tree, const spar__json_node *node, int64_t *out)
{
    const char *text = digits_of(tree, node);
    bool minus = text[0] == '-';
    uint64_t size;
    if (!parse_digits(text + minus, &size) || size > (uint64_t)INT64_MAX + minus || (minus && size == 0))
        return false;
    *out = minus ? -(int64_t)(size - 1) - 1 : (int64_t)size;
    return true;
}

bool spar__json_get_number(const spar__json_tree *tree, const spar__json_node *node, double *out)
{
    return node && node->kind == SPAR__JSON_NUMBER && spar__parse_double(tree->text.text + node->text, out);
}

bool spar__json_get_boolean(const spar__json_node *node, bool *out)
{
    *out = node && node->kind == SPAR__JSON_TRUE;
    return node && (*out || node->kind == SPAR__JSON_FALSE);
}
