/* page.c - pages for browsers (pages.h): the files of web/, what every page has, redirections, and problems as pages. A
 * page is a JSON object, which is parsed again for its template: some 50 us. */
#include "base/alloc.h"
#include "service/auth/auth.h"
#include "service/server.h"

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

/* No inline script, no inline style, nothing from elsewhere. */
static const char page_rules[] = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; "
                                 "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const char *spar__page_language(const spar__call *call)
{
    return spar__web_choose_language(spar__call_query(call, "lang"), spar__call_header(call, "Accept-Language"));
}

const char *spar__page_text(const spar__call *call, const char *key)
{
    return spar__web_text_find(spar__page_language(call), key);
}

static const char *lang_query(const spar__call *call)
{
    return !spar__call_query(call, "lang")                ? ""
           : strcmp(spar__page_language(call), "de") == 0 ? "?lang=de"
                                                          : "?lang=en";
}

/* --- members of a page --- */

void spar__json_begin_list(spar__json *json, const char *key)
{
    spar__json_key(json, key);
    spar__json_begin_array(json);
}

void spar__json_begin_member(spar__json *json, const char *key)
{
    spar__json_key(json, key);
    spar__json_begin_object(json);
}

void spar__json_add_buf(spar__json *json, const char *key, spar__buf *text)
{
    json->out->failed |= text->failed;
    spar__json_add_string(json, key, text->failed || !text->text ? "" : text->text);
    spar__buf_free(text);
}

void spar__json_add_url(spar__json *json, const char *key, const char *before, const char *name)
{
    spar__buf url = {0};
    spar__buf_adds(&url, before);
    spar__url_encode(name ? name : "", &url);
    spar__json_add_buf(json, key, &url);
}

/* --- what every page has --- */

/* The path of the call: that of its route with the parameters in it. */
static void add_path(const spar__call *call, spar__buf *out)
{
    size_t param = 0;
    for (const char *at = call->route ? call->route->path : "/"; *at; at++) {
        if (*at != '{') {
            spar__buf_add(out, at, 1);
            continue;
        }
        spar__url_encode(spar__call_param(call, param++), out);
        at += strcspn(at, "}");
    }
}

static void add_file_url(spar__json *json, const char *key, const char *name)
{
    const spar__web_file *file = spar__web_file_find(name);
    spar__buf url = {0};
    spar__buf_printf(&url, "/static/%s/%s", file ? file->hash : "0", name);
    spar__json_add_buf(json, key, &url);
}

void spar__page_begin(spar__page *page, spar__call *call)
{
    *page = (spar__page){.call = call};
    page->json.out = &page->data;
    spar__json *json = &page->json;
    spar__json_begin_object(json);
    spar__buf path = {0};
    const char *name = call->route && strstr(call->route->path, "{experiment}") ? spar__call_param(call, 0) : NULL;
    add_path(call, &path);
    spar__json_add_buf(json, "here", &path);
    spar__json_add_string(json, "experiment", name);
    if (name)
        spar__json_add_url(json, "vote_url", "/e/", name);
    else
        spar__json_add_string(json, "vote_url", NULL);
    spar__json_add_string(json, "lang", spar__page_language(call));
    spar__json_add_string(json, "lang_asked", spar__call_query(call, "lang") ? spar__page_language(call) : "");
    spar__json_add_string(json, "dir", "ltr");
    spar__json_add_string(json, "lang_query", lang_query(call));
    add_file_url(json, "style_url", "spar.css");
    add_file_url(json, "script_url", "spar.js");
    add_file_url(json, "icon_url", "icon.svg");
    /* What forms of this session must bring back. */
    char session[SPAR__SESSION_LENGTH + 1], token[SPAR__FORM_LENGTH + 1];
    spar__keyring keys = spar__service_keys(call->service);
    bool good = call->caller.manager &&
                spar__call_cookie(call, spar__cookie_name(call->service, "spar_session"), session, sizeof session) &&
                !spar__form_token(&keys, session, token);
    spar__json_add_boolean(json, "manager", call->caller.manager);
    spar__json_add_string(json, "csrf", good ? token : "");
}

/* --- the reply --- */

spar_status spar__page_end(spar__page *page, const char *name, unsigned status, spar_error *err)
{
    spar__call *call = page->call;
    spar__json_tree tree = {0};
    spar__json_end_object(&page->json);
    spar_status parsed = page->data.failed
                             ? spar__fail_memory(err)
                             : spar__json_tree_parse(&tree, page->data.text, page->data.length, "page", 1, err);
    if (!parsed) {
        spar__buf_clear(&call->reply.body);
        call->reply.status = status;
        call->reply.type = "text/html; charset=utf-8";
        call->reply.policy = page_rules;
        /* A mistake in a template is told on standard error; the page is shown without what is wrong. */
        spar_error mistake = {0};
        spar__template_kit kit = {spar__page_language(call), spar__web_template_find, spar__web_text_find, 0};
        if (spar__template_render(&kit, name, &tree, &call->reply.body, &mistake) && !call->reply.body.failed)
            spar__storage_errors_add(call->reply.storage_errors, SPAR_CORRUPT, &mistake, spar__seconds());
    }
    spar__json_tree_free(&tree);
    spar__buf_free(&page->data);
    return parsed;
}

spar_status spar__page_go(spar__call *call, const char *before, const char *name, const char *after)
{
    spar__buf url = {0};
    char *cookie[SPAR__REPLY_COOKIES];
    const char *query = lang_query(call);
    spar__buf_adds(&url, before);
    if (name)
        spar__url_encode(name, &url);
    spar__buf_adds(&url, after);
    if (*query && !url.failed)
        spar__buf_printf(&url, "%s%s", strchr(url.text, '?') ? "&" : "?", query + 1);
    memcpy(cookie, call->reply.cookie, sizeof cookie);
    memset(call->reply.cookie, 0, sizeof cookie);
    spar__reply_clear(&call->reply);
    memcpy(call->reply.cookie, cookie, sizeof cookie);
    call->reply.status = 303;
    call->reply.type = "text/plain; charset=utf-8";
    if (url.failed)
        (void)spar__reply_problem(&call->reply, 503, "out_of_memory", "out of memory");
    else
        call->reply.location = spar__strdup(url.text);
    spar__buf_free(&url);
    return SPAR_OK;
}

/* --- a / too many --- */

bool spar__page_find_slash(const char *method, const char *path, spar__match *match)
{
    size_t length = strlen(path);
    char *plain = length > 1 && path[length - 1] == '/' ? spar__strdup(path) : NULL;
    if (!plain)
        return false;
    plain[length - 1] = '\0';
    (void)spar__route_find(method, plain, match);
    spar__free(plain);
    bool found = match->route && match->route->method == SPAR__GET && match->route->shape.page;
    if (!found)
        spar__match_free(match);
    return found;
}

/* The path is that of the route, so it never leads to another host, whatever was asked for. */
void spar__page_go_without_slash(spar__call *call)
{
    spar__buf url = {0};
    char mark = '?';
    add_path(call, &url);
    for (size_t i = 0; i < call->n_query; i++) {
        if (strcmp(call->query[i].name, "lang") == 0)
            continue; /* spar__page_go adds it */
        spar__buf_add(&url, &mark, 1);
        spar__url_encode(call->query[i].name, &url);
        spar__buf_adds(&url, "=");
        spar__url_encode(call->query[i].value, &url);
        mark = '&';
    }
    url.failed |= !url.text;
    (void)spar__page_go(call, url.failed ? "/" : url.text, NULL, "");
    spar__buf_free(&url);
}

/* --- problems --- */

static void add_field(spar__call *call, const spar__json_node *node, const char *name, spar__json *json)
{
    const char *text = spar__json_text(&call->json, node);
    for (const spar__json_node *item = spar__json_first(&call->json, node); item;
         item = spar__json_next(&call->json, item))
        add_field(call, item, name, json);
    if (node->kind == SPAR__JSON_NUMBER)
        text = call->json.text.text + node->text;
    if (node->kind == SPAR__JSON_TRUE)
        text = "true";
    if (!text)
        return;
    spar__json_begin_object(json);
    spar__json_add_string(json, "name", name);
    spar__json_add_string(json, "value", text);
    spar__json_end_object(json);
}

/* The sentence for its code, or, for those that have none, the detail, which is in English. */
static void add_words(spar__page *page, const spar__json_tree *problem)
{
    char key[80] = "problem.";
    const spar__json_node *root = spar__json_root(problem);
    const char *type = spar__json_text(problem, spar__json_member(problem, root, "type"));
    const char *code = type ? strrchr(type, ':') : NULL;
    if (code && strlen(code) < sizeof key - 20)
        strcat(key, code + 1);
    const char *text = spar__page_text(page->call, key);
    strcat(key, ".hint");
    spar__json_add_string(&page->json, "hint", text ? spar__page_text(page->call, key) : NULL);
    spar__json_add_string(&page->json, "code", code ? code + 1 : "");
    spar__json_add_string(&page->json, "message", text ? text : spar__page_text(page->call, "problem.other"));
    spar__json_add_string(&page->json, "detail",
                          text ? "" : spar__json_text(problem, spar__json_member(problem, root, "detail")));
}

void spar__page_problem(spar__call *call)
{
    enum { REPEAT_MOST = 65536 };
    const spar__route *route = call->route;
    bool shown = call->shape ? call->shape->page : spar__accepts(spar__call_header(call, "Accept"), "text/html", true);
    if (call->reply.status == 401 && route && route->role == SPAR__ROLE_MANAGER && route->method == SPAR__GET &&
        shown) {
        /* A manager who has not logged in yet, or not for a while. */
        spar__buf path = {0};
        add_path(call, &path);
        if (!path.failed)
            (void)spar__page_go(call, "/login?next=", path.text, "");
        spar__buf_free(&path);
        return;
    }
    spar__page page;
    spar__json_tree problem = {0};
    spar__reply *reply = &call->reply;
    unsigned status = reply->status;
    if (!reply->type || strcmp(reply->type, "application/problem+json") != 0 || !shown ||
        spar__json_tree_parse(&problem, reply->body.text, reply->body.length, "problem", 1, NULL))
        return;
    /* May the same be sent again later? Then the page has all that was sent, for a button that does. */
    bool repeat = route && route->method == SPAR__POST && route->rate != SPAR__RATE_LOGIN &&
                  call->body.length < REPEAT_MOST && (status == 429 || status == 500 || status == 503 || status == 507);
    spar__page_begin(&page, call);
    add_words(&page, &problem);
    spar__json_add_unsigned(&page.json, "status", status);
    spar__json_add_unsigned(&page.json, "wait", reply->retry_after);
    spar__json_add_boolean(&page.json, "repeat", repeat);
    spar__json_add_boolean(&page.json, "back", status != 404); /* there is no page to go back to */
    if (repeat) {
        /* What was sent, also if it was refused before it was read. */
        spar__reply kept = call->reply;
        call->reply = (spar__reply){0};
        if (!call->json.n)
            (void)spar__body_read(call);
        spar__reply_free(&call->reply);
        call->reply = kept;
        const spar__json_node *root = spar__json_root(&call->json);
        spar__json_begin_list(&page.json, "fields");
        for (const spar__json_node *node = spar__json_first(&call->json, root); node;
             node = spar__json_next(&call->json, node))
            add_field(call, node, spar__json_key_of(&call->json, node), &page.json);
        spar__json_end_array(&page.json);
    }
    spar_error err = {0};
    spar_status failed = spar__page_end(&page, "problem", status, &err);
    if (failed)
        spar__reply_failure(reply, failed, &err);
    spar__json_tree_free(&problem);
}
