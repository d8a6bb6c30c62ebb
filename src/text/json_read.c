/* json_read.c - the one reader of JSON: a scanner of its words, and on it a tree of one value and rows of objects. A
 * tree looks members up one by one: objects are small. Rows keep only what was asked for and may be gigabytes. */
#include "text/json_read.h"

#include "base/alloc.h"
#include "base/buf.h"

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

static void add_code(spar__buf *out, uint32_t code)
{
    char bytes[4];
    size_t size = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const unsigned char lead[] = {0, 0, 0xC0, 0xE0, 0xF0};
    for (size_t i = size; i-- > 1; code >>= 6)
        bytes[i] = (char)(0x80 | (code & 0x3F));
    bytes[0] = (char)(lead[size] | code);
    spar__buf_add(out, bytes, size);
}

/* \u0041, or two of them for a character beyond the first 65536; half a pair becomes the replacement character. */
static bool read_code(spar__json_scan *s)
{
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
    add_code(&s->word, code);
    return true;
}

static bool read_escape(spar__json_scan *s)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    s->at++;
    if (s->at == s->end)
        return false;
    char c = *s->at;
    if (c == 'u') {
        s->at++;
        return read_code(s);
    }
    const char *found = memchr(from, c, sizeof from - 1);
    if (!found)
        return false;
    spar__buf_add(&s->word, &to[found - from], 1);
    s->at++;
    return true;
}

/* The string at `at`, behind its quote, into word. */
spar_status spar__scan_string(spar__json_scan *s, spar_error *err)
{
    spar__buf_clear(&s->word);
    spar__buf_add(&s->word, "", 0);
    for (;;) {
        const char *stop = s->at;
        while (stop < s->end && *stop != '"' && *stop != '\\' && (unsigned char)*stop >= 0x20)
            stop++;
        spar__buf_add(&s->word, s->at, (size_t)(stop - s->at));
        s->at = stop;
        if (s->at < s->end && *s->at == '"') {
            s->at++;
            return s->word.failed ? spar__fail_memory(err) : SPAR_OK;
        }
        if (s->at == s->end || *s->at != '\\')
            return scan_refuse(s, "the closing quote of a string", err);
        if (!read_escape(s))
            return scan_refuse(s, "an escape such as \\n or \\u00e9", err);
    }
}

static bool is_digit(const spar__json_scan *s)
{
    return s->at < s->end && *s->at >= '0' && *s->at <= '9';
}

static bool skip_digits(spar__json_scan *s)
{
    bool any = is_digit(s);
    while (is_digit(s))
        s->at++;
    return any;
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

static bool skip_word(spar__json_scan *s, const char *word)
{
    size_t length = strlen(word);
    if ((size_t)(s->end - s->at) < length || memcmp(s->at, word, length) != 0)
        return false;
    s->at += length;
    return true;
}

/* A number, true, false or null, as it is written, into word. */
static spar_status read_plain(spar__json_scan *s, bool *null, spar_error *err)
{
    const char *start = s->at;
    *null = skip_word(s, "null");
    if (!*null && !skip_word(s, "true") && !skip_word(s, "false") && !skip_number(s))
        return scan_refuse(s, "a value", err);
    spar__buf_clear(&s->word);
    spar__buf_add(&s->word, start, (size_t)(s->at - start));
    return s->word.failed ? spar__fail_memory(err) : SPAR_OK;
}

/* A string, or a number, true, false or null as it is written, into word. */
static spar_status scan_scalar(spar__json_scan *s, bool *null, spar_error *err)
{
    *null = false;
    return spar__scan_take(s, '"') ? spar__scan_string(s, err) : read_plain(s, null, err);
}

/* The name of a member, into word, and the colon behind it. */
static spar_status scan_key(spar__json_scan *s, spar_error *err)
{
    if (!spar__scan_take(s, '"'))
        return scan_refuse(s, "a name in quotes", err);
    spar_status status = spar__scan_string(s, err);
    return status || spar__scan_take(s, ':') ? status : scan_refuse(s, "a colon", err);
}

/* --- A tree. --- */

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
    spar_status status = scan_scalar(&tree->scan, &null, err);
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
    spar_status status = scan_key(&tree->scan, err);
    if (!status)
        status = keep_word(tree, key, err);
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
            return scan_refuse(&tree->scan, object ? "a comma or }" : "a comma or ]", err);
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
    spar__json_rows rows = {.scan = {.path = path, .at = text + mark, .end = text + length, .number = 1}, .keys = keys};
    for (size_t i = 0; i < keys; i++)
        rows.key[i] = key[i];
    return rows;
}

/* Any value; `open` has the brackets it stands in. */
static spar_status skip_value(spar__json_rows *r, spar_error *err)
{
    char open[SPAR__JSON_DEPTH];
    size_t depth = 0;
    for (bool null;;) {
        char c = spar__scan_space(&r->scan);
        spar_status status = SPAR_OK;
        if (c == '{' || c == '[') {
            if (depth == SPAR__JSON_DEPTH)
                return spar__fail(err, SPAR_PARSE, "%s:%zu: lists and objects inside each other, more than %d",
                                  r->scan.path, r->scan.number, SPAR__JSON_DEPTH);
            open[depth++] = c == '{' ? '}' : ']';
            r->scan.at++;
            if (spar__scan_space(&r->scan) != open[depth - 1] || r->scan.at == r->scan.end) {
                if (c == '{' && (status = scan_key(&r->scan, err)))
                    return status;
                continue;
            }
        } else if ((status = scan_scalar(&r->scan, &null, err)))
            return status;
        while (depth > 0 && spar__scan_take(&r->scan, open[depth - 1]))
            depth--;
        if (depth == 0)
            return SPAR_OK;
        if (!spar__scan_take(&r->scan, ','))
            return scan_refuse(&r->scan, open[depth - 1] == '}' ? "a comma or }" : "a comma or ]", err);
        if (open[depth - 1] == '}' && (status = scan_key(&r->scan, err)))
            return status;
    }
}

static size_t find_key(const spar__json_rows *r)
{
    for (size_t i = 0; i < r->keys; i++)
        if (r->key[i] && strcmp(r->key[i], r->scan.word.text) == 0)
            return i;
    return r->keys;
}

static spar_status refuse_nested(spar__json_rows *r, const char *key, spar_error *err)
{
    char c = spar__scan_space(&r->scan);
    if (c != '{' && c != '[')
        return SPAR_OK;
    return spar__fail(err, SPAR_PARSE, "%s:%zu: '%.80s' is %s, expected text", r->scan.path, r->scan.number, key,
                      c == '{' ? "an object" : "a list");
}

/* The key is in word. */
static spar_status give_other(spar__json_rows *r, spar_error *err)
{
    bool null;
    spar__buf key = r->scan.word;
    r->scan.word = (spar__buf){0};
    spar_status status = refuse_nested(r, key.text, err);
    if (!status)
        status = scan_scalar(&r->scan, &null, err);
    if (!status)
        status = r->take(r->context, key.text, null ? NULL : r->scan.word.text, err);
    spar__buf_free(&key);
    return status;
}

static void keep_value(spar__json_rows *r, size_t key)
{
    r->has[key] = true;
    r->start[key] = r->text.length;
    spar__buf_add(&r->text, r->scan.word.text, r->scan.word.length);
    spar__buf_add(&r->text, "", 1);
}

static spar_status read_member(spar__json_rows *r, spar_error *err)
{
    spar_status status = scan_key(&r->scan, err);
    if (status)
        return status;
    size_t key = find_key(r);
    if (key == r->keys)
        return r->take ? give_other(r, err) : skip_value(r, err);
    status = refuse_nested(r, r->key[key], err);
    if (status)
        return status;
    if (r->has[key])
        return spar__fail(err, SPAR_PARSE, "%s:%zu: '%s' is given twice", r->scan.path, r->scan.number, r->key[key]);
    status = scan_scalar(&r->scan, &r->null[key], err);
    keep_value(r, key);
    for (size_t i = key + 1; i < r->keys && !status; i++) /* a name may be asked for twice */
        if (r->key[i] && strcmp(r->key[i], r->key[key]) == 0) {
            r->has[i] = true;
            r->null[i] = r->null[key];
            r->start[i] = r->start[key];
        }
    return !status && r->text.failed ? spar__fail_memory(err) : status;
}

/* A row that is one text. */
static spar_status read_text(spar__json_rows *r, spar_error *err)
{
    spar_status status = spar__scan_string(&r->scan, err);
    r->null[0] = false;
    keep_value(r, 0);
    return !status && r->text.failed ? spar__fail_memory(err) : status;
}

static spar_status read_object(spar__json_rows *r, spar_error *err)
{
    r->line = r->scan.number;
    if (r->plain && spar__scan_take(&r->scan, '"'))
        return read_text(r, err);
    if (!spar__scan_take(&r->scan, '{'))
        return scan_refuse(&r->scan, r->plain ? "a text in quotes or an object, {...}" : "an object, {...}", err);
    if (spar__scan_take(&r->scan, '}'))
        return SPAR_OK;
    for (;;) {
        spar_status status = read_member(r, err);
        if (status || spar__scan_take(&r->scan, '}'))
            return status;
        if (!spar__scan_take(&r->scan, ','))
            return scan_refuse(&r->scan, "a comma or }", err);
    }
}

spar_status spar__json_rows_next(spar__json_rows *r, bool *more, spar_error *err)
{
    *more = false;
    memset(r->has, 0, sizeof r->has);
    spar__buf_clear(&r->text);
    if (!r->begun && !r->list)
        r->list = spar__scan_take(&r->scan, '[');
    (void)spar__scan_space(&r->scan);
    if (r->list && spar__scan_take(&r->scan, ']')) {
        r->list = false;
        r->begun = true;
        (void)spar__scan_space(&r->scan);
        return r->scan.at == r->scan.end ? SPAR_OK : scan_refuse(&r->scan, "the end behind the list", err);
    }
    if (!r->list && r->scan.at == r->scan.end)
        return SPAR_OK;
    if (r->list && r->begun && !spar__scan_take(&r->scan, ','))
        return scan_refuse(&r->scan, "a comma or ]", err);
    (void)spar__scan_space(&r->scan);
    r->begun = true;
    spar_status status = read_object(r, err);
    *more = !status;
    return status;
}

bool spar__json_rows_has(const spar__json_rows *r, size_t key)
{
    return r->has[key];
}

const char *spar__json_rows_value(const spar__json_rows *r, size_t key)
{
    return r->has[key] && !r->null[key] ? r->text.text + r->start[key] : NULL;
}

void spar__json_rows_close(spar__json_rows *r)
{
    spar__buf_free(&r->text);
    spar__buf_free(&r->scan.word);
}
