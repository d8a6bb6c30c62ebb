/* template.c - HTML with tags, filled with a JSON object (pages.h). Templates are short and parsed as they are
 * rendered. */
#include "service/pages/pages.h"
#include "text/escape.h"

#include <string.h>

typedef struct stretch {
    const char *text;
    size_t length;
} stretch;

typedef struct frame { /* where names are looked for */
    const spar__json_node *node;
    const struct frame *outer;
} frame;

typedef struct work {
    const spar__template_kit *kit;
    const spar__json_tree *data;
    spar__buf *out;
    const char *name;  /* of the template */
    const char *start; /* of its text */
    size_t depth;
    size_t *done;       /* tags */
    spar_status status; /* the first mistake */
    spar_error *err;
} work;

typedef struct tag {
    char kind; /* '#', '^', '/', '&', '_', '>', '!', or 'v' for a value */
    stretch name;
    bool optional;
    const char *start, *end; /* with its braces */
} tag;

static void render(work *w, stretch text, const frame *around);

/* --- mistakes --- */

static void complain(work *w, const char *at, const char *sentence, stretch name)
{
    size_t line = 1;
    char shown[60];
    if (w->status)
        return;
    for (const char *c = w->start; c < at; c++)
        line += *c == '\n';
    size_t length = name.length < sizeof shown ? name.length : sizeof shown - 1;
    memcpy(shown, name.text, length);
    shown[length] = '\0';
    w->status = spar__fail(w->err, SPAR_INVALID, "%s:%zu: '%s' %s", w->name, line, shown, sentence);
}

/* --- tags --- */

static stretch trim(stretch s)
{
    while (s.length && strchr(" \t\n", s.text[0])) {
        s.text++;
        s.length--;
    }
    while (s.length && strchr(" \t\n", s.text[s.length - 1]))
        s.length--;
    return s;
}

static const char *find(const char *text, const char *end, const char *what)
{
    for (; end - text >= 2; text++)
        if (text[0] == what[0] && text[1] == what[1])
            return text;
    return NULL;
}

/* The next tag of the text; false: there is none. */
static bool next_tag(stretch text, tag *out)
{
    const char *end = text.text + text.length, *start = find(text.text, end, "{{");
    const char *close = start ? find(start + 2, end, "}}") : NULL;
    if (!close)
        return false;
    stretch inside = trim((stretch){start + 2, (size_t)(close - start - 2)});
    *out = (tag){.kind = 'v', .start = start, .end = close + 2};
    if (inside.length && strchr("#^/&_>!", inside.text[0])) {
        out->kind = inside.text[0];
        inside = trim((stretch){inside.text + 1, inside.length - 1});
    }
    if (inside.length && inside.text[inside.length - 1] == '?') {
        out->optional = true;
        inside.length--;
    }
    out->name = inside;
    return true;
}

/* Where the section that was opened ends; false: nowhere, or something else ends first. */
static bool find_end(stretch text, const tag *open, tag *close)
{
    size_t inside = 1;
    const char *end = text.text + text.length;
    while (next_tag(text, close)) {
        if (close->kind == '#' || close->kind == '^')
            inside++;
        if (close->kind == '/' && --inside == 0)
            return close->name.length == open->name.length &&
                   memcmp(close->name.text, open->name.text, open->name.length) == 0;
        text = (stretch){close->end, (size_t)(end - close->end)};
    }
    return false;
}

/* --- values --- */

static const spar__json_node *member(const work *w, const spar__json_node *node, stretch name)
{
    char key[60];
    if (!node || node->kind != SPAR__JSON_OBJECT || name.length >= sizeof key)
        return NULL;
    memcpy(key, name.text, name.length);
    key[name.length] = '\0';
    return spar__json_member(w->data, node, key);
}

static stretch first_part(stretch name)
{
    const char *dot = memchr(name.text, '.', name.length);
    return dot ? (stretch){name.text, (size_t)(dot - name.text)} : name;
}

static const spar__json_node *look_up(const work *w, const frame *around, stretch name)
{
    if (name.length == 1 && name.text[0] == '.')
        return around->node;
    stretch part = first_part(name);
    const spar__json_node *node = NULL;
    for (; around && !node; around = around->outer)
        node = member(w, around->node, part);
    while (node && part.length < name.length) {
        name = (stretch){name.text + part.length + 1, name.length - part.length - 1};
        part = first_part(name);
        node = member(w, node, part);
    }
    return node;
}

static bool shows(const work *w, const spar__json_node *node)
{
    double number = 0;
    switch (node ? node->kind : SPAR__JSON_NULL) {
    case SPAR__JSON_NULL:
    case SPAR__JSON_FALSE:
        return false;
    case SPAR__JSON_STRING:
        return node->length > 0;
    case SPAR__JSON_LIST:
        return node->count > 0;
    case SPAR__JSON_NUMBER:
        return spar__json_get_number(w->data, node, &number) && (number < 0 || number > 0);
    default:
        return true;
    }
}

/* Texts and numbers as they are; nothing else has one. */
static stretch text_of(const work *w, const spar__json_node *node)
{
    if (!node || (node->kind != SPAR__JSON_STRING && node->kind != SPAR__JSON_NUMBER))
        return (stretch){"", 0};
    return (stretch){w->data->text.text + node->text, node->length};
}

static bool ends_in(stretch name, const char *end)
{
    size_t n = strlen(end);
    return name.length > n && memcmp(name.text + name.length - n, end, n) == 0;
}

static void add_value(work *w, const tag *t, const frame *around)
{
    const spar__json_node *node = look_up(w, around, t->name);
    stretch text = text_of(w, node);
    if (!node && !t->optional)
        complain(w, t->start, "is not in the data", t->name);
    if (t->kind == 'v')
        spar__html_escape(w->out, text.text, text.length);
    else if (ends_in(t->name, "_html") || ends_in(t->name, "_svg"))
        spar__buf_add(w->out, text.text, text.length);
    else
        complain(w, t->start, "is not a name of what may stand unescaped", t->name);
}

/* --- translated texts --- */

/* {name}, or {n|one|other}. */
static void add_placeholder(work *w, const tag *t, stretch inside, const frame *around)
{
    const char *bar = memchr(inside.text, '|', inside.length);
    stretch name = {inside.text, bar ? (size_t)(bar - inside.text) : inside.length};
    const spar__json_node *node = look_up(w, around, name);
    stretch value = text_of(w, node);
    if (!node)
        complain(w, t->start, "is not in the data", name);
    if (bar) {
        stretch words = {bar + 1, inside.length - name.length - 1};
        const char *other = memchr(words.text, '|', words.length);
        bool one = value.length == 1 && value.text[0] == '1';
        if (!other)
            complain(w, t->start, "has no second word", inside);
        else if (one)
            value = (stretch){words.text, (size_t)(other - words.text)};
        else
            value = (stretch){other + 1, (size_t)(words.text + words.length - other - 1)};
    }
    spar__html_escape(w->out, value.text, value.length);
}

static void add_text(work *w, const tag *t, const frame *around)
{
    char key[80] = "";
    if (t->name.length < sizeof key)
        memcpy(key, t->name.text, t->name.length);
    const char *text = w->kit->text(w->kit->language, key);
    if (!text)
        complain(w, t->start, "is not among the texts", t->name);
    while (text && *text) {
        size_t n = strcspn(text, "{"), inside = text[n] ? strcspn(text + n + 1, "}") : 0;
        spar__html_escape(w->out, text, n);
        text += n;
        if (*text && text[1 + inside] == '}') {
            add_placeholder(w, t, (stretch){text + 1, inside}, around);
            text += inside + 2;
        } else if (*text) {
            spar__html_escape(w->out, text++, 1);
        }
    }
}

/* --- sections and templates --- */

static void add_section(work *w, const tag *t, stretch inside, const frame *around)
{
    const spar__json_node *node = look_up(w, around, t->name);
    frame here = {node, around};
    if (!node && !t->optional)
        complain(w, t->start, "is not in the data", t->name);
    if (shows(w, node) == (t->kind == '^'))
        return;
    if (t->kind == '^' || node->kind != SPAR__JSON_LIST) {
        render(w, inside, t->kind == '^' ? around : &here);
        return;
    }
    for (here.node = spar__json_first(w->data, node); here.node; here.node = spar__json_next(w->data, here.node))
        render(w, inside, &here);
}

static void add_template(work *w, const tag *t, const frame *around)
{
    char name[60] = "";
    work inner = *w;
    if (t->name.length < sizeof name)
        memcpy(name, t->name.text, t->name.length);
    inner.name = name;
    inner.start = w->kit->find(name);
    if (inner.start)
        render(&inner, (stretch){inner.start, strlen(inner.start)}, around);
    else
        complain(w, t->start, "is not a template", t->name);
    if (!w->status)
        w->status = inner.status;
}

static void render(work *w, stretch text, const frame *around)
{
    tag t = {0}, close = {0};
    const char *end = text.text + text.length;
    if (w->depth >= SPAR__TEMPLATE_DEPTH) {
        complain(w, text.text, "is too deep inside", (stretch){w->name, strlen(w->name)});
        return;
    }
    w->depth++;
    while (next_tag(text, &t)) {
        if (w->kit->most && (*w->done)++ >= w->kit->most) {
            complain(w, t.start, "is one tag too many", t.name);
            break;
        }
        spar__buf_add(w->out, text.text, (size_t)(t.start - text.text));
        text = (stretch){t.end, (size_t)(end - t.end)};
        if (t.kind == 'v' || t.kind == '&') {
            add_value(w, &t, around);
        } else if (t.kind == '_') {
            add_text(w, &t, around);
        } else if (t.kind == '>') {
            add_template(w, &t, around);
        } else if (t.kind == '/') {
            complain(w, t.start, "ends nothing", t.name);
        } else if (t.kind == '!') {
            continue;
        } else if (!find_end(text, &t, &close)) {
            complain(w, t.start, "has no end", t.name);
        } else {
            add_section(w, &t, (stretch){text.text, (size_t)(close.start - text.text)}, around);
            text = (stretch){close.end, (size_t)(end - close.end)};
        }
    }
    spar__buf_add(w->out, text.text, text.length);
    w->depth--;
}

spar_status spar__template_render(const spar__template_kit *kit, const char *name, const spar__json_tree *data,
                                  spar__buf *out, spar_error *err)
{
    size_t done = 0;
    work w = {.done = &done, .kit = kit, .data = data, .out = out, .name = name, .start = kit->find(name), .err = err};
    frame top = {spar__json_root(data), NULL};
    if (!w.start)
        return spar__fail(err, SPAR_UNKNOWN, "there is no template '%.60s'", name);
    render(&w, (stretch){w.start, strlen(w.start)}, &top);
    return out->failed ? spar__fail_memory(err) : w.status;
}
