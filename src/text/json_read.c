/* json_read.c - the one reader of JSON: a scanner of its words, and on it a tree of one value and rows of objects. A
 * tree looks members up one by one: objects are small. Rows are trees, one after the other, of a text
 * that may be gigabytes. */
#include "text/json_read.h"

#include "base/alloc.h"

#include <inttypes.h>
#include <string.h>

/* SPAR_PARSE: "file:3: expected a colon at '1}'". */
static spar_status scan_refuse(const spar__json_scan *s, const char *expected, spar_error *err)
{
    if (s->at == s->end)
        return spar__fail(err, SPAR_PARSE, "%s:%zu: the text ends, expected %s", s->path, s->number, expected);
    size_t length = (size_t)(s->end - s->at) < 20 ? (size_t)(s->end - s->at) : 20;
    const char *stop = memchr(s->at, '\n', length);
    return spar__fail(err, SPAR_PARSE, "%s:%zu: expected %s at '%.*s'", s->path, s->number, expected,
                      (int)(stop ? (size_t)(stop - s->at) : length), s->at);
}

char spar__scan_space(spar__json_scan *s)
{
    for (; s->at < s->end; s->at++) {
        char c = *s->at;
        if (c == '\n')
            s->number++;
        else if (c != ' ' && c != '\t' && c != '\r')
            return c;
    }
    return '\0';
}

bool spar__scan_take(spar__json_scan *s, char c)
{
    if (spar__scan_space(s) != c || s->at == s->end)
        return false;
    s->at++;
    return true;
}

static bool hex4(const char *at, const char *end, uint32_t *code)
{
    *code = 0;
    if (end - at < 4)
        return false;
    for (int i = 0; i < 4; i++) {
        const char *digits = "0123456789abcdef", *digit = memchr(digits, at[i] | (at[i] >= 'A' ? 0x20 : 0), 16);
        if (!digit)
            return false;
        *code = *code << 4 | (uint32_t)(digit - digits);
    }
    return true;
}

static bool read_escape(spar__json_scan *s, spar__buf *out)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    s->at++;
    if (s->at == s->end)
        return false;
    char c = *s->at;
    if (c == 'u') {
        s->at++;
        /* \u0041, or two of them for a character beyond the first 65536; half a pair is a replacement character. */
        uint32_t code, low;
        if (!hex4(s->at, s->end, &code) || code == 0)
            return false;
        s->at += 4;
        if (code >= 0xD800 && code < 0xE000) {
            bool pair = code < 0xDC00 && s->end - s->at >= 6 && s->at[0] == '\\' && s->at[1] == 'u' &&
                        hex4(s->at + 2, s->end, &low) && low >= 0xDC00 && low < 0xE000;
            s->at += pair ? 6 : 0;
            code = pair ? 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00) : SPAR__UTF8_BAD;
        }
        static const unsigned char lead[] = {0, 0, 0xC0, 0xE0, 0xF0};
        char bytes[4];
        size_t size = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
        for (size_t i = size; i-- > 1; code >>= 6)
            bytes[i] = (char)(0x80 | (code & 0x3F));
        bytes[0] = (char)(lead[size] | code);
        spar__buf_add(out, bytes, size);
        return true;
    }
    const char *found = memchr(from, c, sizeof from - 1);
    if (!found)
        return false;
    spar__buf_add(out, &to[found - from], 1);
    s->at++;
    return true;
}

spar_status spar__scan_string(spar__json_scan *s, spar__buf *out, spar_error *err)
{
    for (;;) {
        const char *stop = s->at;
        while (stop < s->end && *stop != '"' && *stop != '\\' && (unsigned char)*stop >= 0x20)
            stop++;
        spar__buf_add(out, s->at, (size_t)(stop - s->at));
        s->at = stop;
        if (s->at < s->end && *s->at == '"') {
            s->at++;
            return out->failed ? spar__fail_memory(err) : SPAR_OK;
        }
        if (s->at == s->end || *s->at != '\\')
            return scan_refuse(s, "the closing quote of a string", err);
        if (!read_escape(s, out))
            return scan_refuse(s, "an escape such as \\n or \\u00e9", err);
    }
}

static bool skip_digits(spar__json_scan *s)
{
    const char *from = s->at;
    while (s->at < s->end && *s->at >= '0' && *s->at <= '9')
        s->at++;
    return s->at > from;
}

static bool skip_byte(spar__json_scan *s, const char *either)
{
    bool here = s->at < s->end && memchr(either, *s->at, strlen(either));
    s->at += here;
    return here;
}

static bool skip_number(spar__json_scan *s)
{
    (void)skip_byte(s, "-");
    bool good = skip_byte(s, "0") || skip_digits(s);
    if (good && skip_byte(s, "."))
        good = skip_digits(s);
    if (good && skip_byte(s, "eE")) {
        (void)skip_byte(s, "+-");
        good = skip_digits(s);
    }
    return good;
}

/* --- A tree. --- */

/* The string at `at`, behind its quote, to the end of the text, terminated. */
static spar_status read_string(spar__json_tree *tree, size_t *start, spar_error *err)
{
    *start = tree->text.length;
    spar_status status = spar__scan_string(&tree->scan, &tree->text, err);
    if (status)
        return status;
    for (size_t at = *start, size; at < tree->text.length && !tree->loose; at += size) {
        static const char mark[] = "\xEF\xBF\xBD"; /* U+FFFD itself is fine */
        const char *text = tree->text.text + at;
        uint32_t code;
        size = spar__utf8_next(text, tree->text.length - at, &code);
        if (code == SPAR__UTF8_BAD && (size != 3 || memcmp(text, mark, 3) != 0))
            return spar__fail(err, SPAR_PARSE, "%s:%zu: a text is not valid UTF-8", tree->scan.path, tree->scan.number);
    }
    spar__buf_add(&tree->text, "", 1);
    return tree->text.failed ? spar__fail_memory(err) : SPAR_OK;
}

/* A string, or a number, true, false or null as it is written. */
static spar_status read_word(spar__json_tree *tree, spar__json_node *node, spar_error *err)
{
    static const char *const words[] = {"null", "false", "true"}; /* in the order of their kinds */
    spar__json_scan *s = &tree->scan;
    const char *start = s->at;
    if (spar__scan_take(s, '"')) {
        node->kind = SPAR__JSON_STRING;
        spar_status status = read_string(tree, &node->text, err);
        node->length = tree->text.length - node->text - 1;
        return status;
    }
    for (node->kind = SPAR__JSON_NULL; node->kind < SPAR__JSON_NUMBER; node->kind++) {
        size_t length = strlen(words[node->kind]);
        if ((size_t)(s->end - s->at) >= length && memcmp(s->at, words[node->kind], length) == 0) {
            s->at += length;
            break;
        }
    }
    if (node->kind == SPAR__JSON_NUMBER && !skip_number(s))
        return scan_refuse(s, "a value", err);
    node->text = tree->text.length;
    node->length = (size_t)(s->at - start);
    spar__buf_add(&tree->text, start, node->length);
    spar__buf_add(&tree->text, "", 1);
    return tree->text.failed ? spar__fail_memory(err) : SPAR_OK;
}

/* The name of a member of `object`, and the colon behind it. */
static spar_status read_key(spar__json_tree *tree, size_t object, size_t *key, spar_error *err)
{
    if (!spar__scan_take(&tree->scan, '"'))
        return scan_refuse(&tree->scan, "a name in quotes", err);
    spar_status status = read_string(tree, key, err);
    if (!status && !spar__scan_take(&tree->scan, ':'))
        status = scan_refuse(&tree->scan, "a colon", err);
    if (status || tree->loose)
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
    size_t deepest = tree->loose ? SPAR__JSON_ROW_DEPTH : SPAR__JSON_TREE_DEPTH;
    if (depth == deepest)
        return spar__fail(err, SPAR_PARSE, "%s:%zu: lists and objects inside each other, more than %zu",
                          tree->scan.path, tree->scan.number, deepest);
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
            return scan_refuse(&tree->scan, object ? "a comma or }" : "a comma or ]", err);
    }
}

/* The number of its node goes to *out. */
static spar_status read_value(spar__json_tree *tree, size_t depth, size_t *out, spar_error *err)
{
    if (!spar__reserve(&tree->node, &tree->room, tree->n + 1, 16, sizeof *tree->node))
        return spar__fail_memory(err);
    tree->node[tree->n] = (spar__json_node){0};
    *out = tree->n++;
    char c = spar__scan_space(&tree->scan);
    tree->node[*out].line = tree->scan.number;
    if (c != '{' && c != '[')
        return read_word(tree, &tree->node[*out], err);
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
        status = scan_refuse(&tree->scan, "the end behind the value", err);
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

/* --- The members of a request. --- */

/* NULL where it is null or not there. */
static const spar__json_node *value_of(const spar__json_tree *tree, const char *key)
{
    const spar__json_node *node = spar__json_member(tree, spar__json_root(tree), key);
    return node && node->kind != SPAR__JSON_NULL ? node : NULL;
}

spar_status spar__json_read_text(const spar__json_tree *tree, const char *key, const char **out, spar_error *err)
{
    const spar__json_node *node = value_of(tree, key);
    *out = NULL;
    if (!node)
        return SPAR_OK;
    if (node->kind != SPAR__JSON_STRING && node->kind != SPAR__JSON_NUMBER)
        return spar__fail(err, SPAR_PARSE, "'%s' is not a text", key);
    *out = tree->text.text + node->text;
    return SPAR_OK;
}

spar_status spar__json_read_number(const spar__json_tree *tree, const char *key, uint64_t most, bool *has,
                                   uint64_t *out, spar_error *err)
{
    const spar__json_node *node = value_of(tree, key);
    *has = node != NULL;
    *out = 0;
    if (!node || (spar__json_get_unsigned(tree, node, out) && *out <= most))
        return SPAR_OK;
    return spar__fail(err, SPAR_PARSE, "'%s' is not a whole number from 0 to %" PRIu64, key, most);
}

spar_status spar__json_read_flag(const spar__json_tree *tree, const char *key, bool *out, spar_error *err)
{
    const spar__json_node *node = value_of(tree, key);
    *out = false;
    if (!node || spar__json_get_boolean(node, out))
        return SPAR_OK;
    return spar__fail(err, SPAR_PARSE, "'%s' is not true or false", key);
}

/* --- Rows. --- */

spar__json_rows spar__json_rows_of(const char *text, size_t length, const char *path, size_t keys,
                                   const char *const *key)
{
    size_t mark = length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    spar__json_rows rows = {.keys = keys};
    rows.tree.scan = (spar__json_scan){.path = path, .at = text + mark, .end = text + length, .number = 1};
    rows.tree.loose = true;
    for (size_t i = 0; i < keys; i++)
        rows.key[i] = key[i];
    return rows;
}

/* Finds the members that were asked for: texts, none of them twice. */
static spar_status find_members(spar__json_rows *r, spar_error *err)
{
    const spar__json_tree *tree = &r->tree;
    const spar__json_node *node = spar__json_first(tree, tree->node);
    for (; node; node = spar__json_next(tree, node)) {
        const char *name = spar__json_key_of(tree, node);
        bool nested = node->kind >= SPAR__JSON_LIST, asked = r->flat;
        for (size_t i = 0; i < r->keys; i++)
            if (r->key[i] && strcmp(r->key[i], name) == 0) {
                asked = true;
                if (r->found[i])
                    return spar__fail(err, SPAR_PARSE, "%s:%zu: '%s' is given twice", tree->scan.path, node->line,
                                      name);
                r->found[i] = node;
            }
        if (asked && nested)
            return spar__fail(err, SPAR_PARSE, "%s:%zu: '%.80s' is %s, expected text", tree->scan.path, node->line,
                              name, node->kind == SPAR__JSON_OBJECT ? "an object" : "a list");
    }
    return SPAR_OK;
}

spar_status spar__json_rows_next(spar__json_rows *r, bool *more, spar_error *err)
{
    spar__json_scan *scan = &r->tree.scan;
    *more = false;
    memset(r->found, 0, sizeof r->found);
    r->tree.n = 0;
    spar__buf_clear(&r->tree.text);
    if (!r->begun && !r->list)
        r->list = spar__scan_take(scan, '[');
    (void)spar__scan_space(scan);
    if (r->list && spar__scan_take(scan, ']')) {
        r->list = false;
        r->begun = true;
        (void)spar__scan_space(scan);
        return scan->at == scan->end ? SPAR_OK : scan_refuse(scan, "the end behind the list", err);
    }
    if (!r->list && scan->at == scan->end)
        return SPAR_OK;
    if (r->list && r->begun && !spar__scan_take(scan, ','))
        return scan_refuse(scan, "a comma or ]", err);
    r->begun = true;
    char c = spar__scan_space(scan);
    size_t root;
    r->line = scan->number;
    if (c != '{' && !(r->plain && c == '"'))
        return scan_refuse(scan, r->plain ? "a text in quotes or an object, {...}" : "an object, {...}", err);
    spar_status status = read_value(&r->tree, 0, &root, err);
    if (!status && c == '"')
        r->found[0] = r->tree.node;
    else if (!status)
        status = find_members(r, err);
    *more = !status;
    return status;
}

const char *spar__json_row_text(const spar__json_rows *r, const spar__json_node *node)
{
    return node && node->kind != SPAR__JSON_NULL ? r->tree.text.text + node->text : NULL;
}

void spar__json_rows_close(spar__json_rows *r)
{
    spar__json_tree_free(&r->tree);
}
