#include "service_world.h"

#include "base/alloc.h"
#include "service/stream/stream.h"

#include <microhttpd.h>
#include <stdio.h>
#include <strings.h>

enum { HEADERS = 32 };

typedef struct request_header {
    char *name, *value;
} request_header;

/* --- in place of libmicrohttpd: the headers of the one request there is --- */

static request_header headers[HEADERS];
static size_t n_headers;

const char *MHD_lookup_connection_value(struct MHD_Connection *connection, enum MHD_ValueKind kind, const char *key)
{
    (void)connection;
    for (size_t i = 0; i < n_headers && kind == MHD_HEADER_KIND; i++)
        if (strcasecmp(headers[i].name, key) == 0)
            return headers[i].value;
    return NULL;
}

/* Cookies: "a=b; c=d". They stay until the next call. */
int MHD_get_connection_values(struct MHD_Connection *connection, enum MHD_ValueKind kind, MHD_KeyValueIterator fn,
                              void *context)
{
    static char *kept;
    const char *line = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Cookie");
    free(kept);
    kept = kind == MHD_COOKIE_KIND && line ? strdup(line) : NULL;
    char *rest = kept;
    for (char *part; rest && (part = strtok_r(NULL, "; ", &rest));) {
        char *value = strchr(part, '=');
        if (value)
            *value++ = '\0';
        if (fn(context, kind, part, value) == MHD_NO)
            break;
    }
    return 0;
}

void MHD_suspend_connection(struct MHD_Connection *connection)
{
    (void)connection;
}

void MHD_resume_connection(struct MHD_Connection *connection)
{
    (void)connection;
}

/* --- the world --- */

static service_world world;

static void close_world(void)
{
    spar__service *service = world.service;
    if (!service)
        return;
    spar__hosting_fini(&service->hosting);
    spar__invitations_fini(&service->invitations);
    spar__store_close(service->store);
    spar__tokens_fini(&service->tokens);
    spar__idempotency_fini(&service->managers_replies);
    spar__idempotency_fini(&service->voters_replies);
    for (size_t i = 0; i < service->n_hosts; i++)
        spar__free(service->host[i]);
    spar__free(service->host);
    spar__free(service);
    world.service = NULL;
}

static void make_experiment(void)
{
    static const unsigned char image[] = "\x89PNG\r\n\x1a\n....";
    spar_setup *setup = NULL;
    spar_experiment *experiment = NULL;
    spar_screen *screen = NULL;
    spar_error err = {0};
    require(!spar_setup_new(&setup));
    for (int i = 0; i < 4; i++) {
        char id[2] = {(char)('a' + i), '\0'};
        spar_option *option = NULL;
        require(!spar_option_new(id, &option, NULL));
        if (i == 3)
            require(!spar_option_set_image(option, "image/png", image, sizeof image, NULL));
        require(!spar_setup_add_option(setup, option, NULL));
        spar_option_free(option);
    }
    spar_setup_set_seed(setup, 1);
    require(!spar_setup_set_slots(setup, 2, NULL));
    spar_setup_set_results(setup, SPAR_RESULTS_AFTER_VOTE);
    fuzz_accepted(spar_experiment_create("memory:fuzz#tea", setup, &experiment, &err), &err);
    fuzz_accepted(spar_experiment_ask(experiment, world.name, &screen, &err), &err);
    spar__keyring keys = spar__service_keys(world.service);
    require(!spar__screen_token_write(&keys, "tea", screen, world.name, world.screen));
    spar_screen_free(screen);
    spar_experiment_close(experiment);
    spar_setup_free(setup);
}

static void make_secrets(void)
{
    spar__service *service = world.service;
    uint64_t number = 0;
    require(!spar__token_new(service->store, "fuzz", spar__now(), 0, world.manager, &number, NULL));
    require(!spar__secrets_load(service, NULL));
    spar__keyring keys = spar__service_keys(service);
    require(!spar__voter_new(&keys, 0, world.voter, NULL));
    require(!spar__voter_name(service->voter_key, "tea", world.voter, world.name));
    require(!spar__login_new(&keys, number, spar__now(), world.session, NULL));
    require(!spar__form_token(&keys, world.session, world.form));
}

service_world *service_world_get(void)
{
    spar_error err = {0};
    if (world.service && !world.changed)
        return &world;
    close_world();
    spar__service *service = world.service = spar__alloc(1, sizeof *service);
    require(service && !spar__tokens_init(&service->tokens, NULL));
    service->settings = (spar__service_settings){.place = "memory:fuzz", .limits = spar__service_standard};
    service->standings.stopping = true; /* nobody would answer */
    service->host = spar__alloc(1, sizeof *service->host);
    require(service->host && (service->host[0] = spar__strdup("localhost")));
    service->n_hosts = 1;
    spar__hosting_init(&service->hosting, "memory:fuzz");
    spar__sse_hub_init(&service->sse, service);
    spar__invitations_init(&service->invitations);
    spar__idempotency_init(&service->managers_replies, 64, 1 << 20);
    spar__idempotency_init(&service->voters_replies, 64, 1 << 20);
    fuzz_accepted(spar__store_open("memory:fuzz", SPAR__STORE_CREATE, &service->store, &err), &err);
    make_secrets();
    make_experiment();
    fuzz_accepted(spar__hosting_load(&service->hosting, service->store, &err), &err);
    world.changed = false;
    return &world;
}

/* --- a request --- */

/* The input with the secrets in place of their names. */
static void expand(const uint8_t *data, size_t size, spar__buf *out)
{
    const struct {
        const char *name, *text;
    } known[] = {{"{manager}", world.manager},
                 {"{voter}", world.voter},
                 {"{session}", world.session},
                 {"{form}", world.form},
                 {"{screen}", world.screen}};
    for (size_t at = 0; at < size;) {
        size_t k = 0, length = 0;
        for (; k < 5; k++) {
            length = strlen(known[k].name);
            if (size - at >= length && memcmp(data + at, known[k].name, length) == 0)
                break;
        }
        spar__buf_add(out, k < 5 ? known[k].text : (const char *)data + at, k < 5 ? strlen(known[k].text) : 1);
        at += k < 5 ? length : 1;
    }
    spar__buf_add(out, "", 0);
}

static char *take_line(char **at)
{
    char *line = *at, *end = line ? strchr(line, '\n') : NULL;
    *at = end ? end + 1 : NULL;
    if (end)
        *end = '\0';
    return line;
}

static void take_headers(char **at)
{
    n_headers = 0;
    for (char *line; (line = take_line(at)) && *line;) {
        char *colon = strchr(line, ':');
        if (!colon || n_headers == HEADERS)
            continue;
        *colon = '\0';
        headers[n_headers++] = (request_header){line, colon + 1 + strspn(colon + 1, " ")};
    }
    if (!MHD_lookup_connection_value(NULL, MHD_HEADER_KIND, "Host") && n_headers < HEADERS)
        headers[n_headers++] = (request_header){"Host", "localhost"};
}

static bool take_query(spar__call *call, char *text)
{
    char *rest = text;
    for (char *part; rest && (part = strtok_r(NULL, "&", &rest));) {
        char *value = strchr(part, '=');
        if (value)
            *value++ = '\0';
        if (!spar__call_query_add(call, part, value))
            return false;
    }
    return true;
}

/* As http.c does it. */
static void work(spar__call *call, char *query, const char *body, size_t length)
{
    if (!spar__guard_check(call) || !take_query(call, query) || !spar__accept_check(call))
        return;
    if (call->route->role == SPAR__ROLE_MANAGER && !(call->admitted = spar__auth_check(call)))
        return;
    if (length <= call->route->body)
        spar__buf_add(&call->body, body, length);
    if (!spar__body_read(call) || !(call->admitted || spar__auth_check(call)) || !spar__body_check(call) ||
        !spar__idempotency_begin(call))
        return;
    if (call->route->kind == SPAR__INLINE)
        spar__call_answer(call, call->route->answer, NULL);
    else if (call->route->kind == SPAR__READER)
        (void)spar__reader_work(call->service, call);
    else if (call->route->kind == SPAR__TRANSFER)
        (void)spar__transfer_work(call->service, call);
    else
        spar__writer_work(call->service, call);
}

static void end(spar__call *call, spar__reply *reply)
{
    spar__idempotency_end(call);
    spar__sse_close(call->reply.stream);
    *reply = call->reply;
    reply->stream = NULL;
    spar__match_free(&call->match);
    spar__buf_free(&call->body);
    spar__json_tree_free(&call->json);
    spar__call_query_free(call);
    spar__free(call);
}

void service_world_call(service_world *w, const uint8_t *data, size_t size, spar__reply *reply)
{
    spar__buf text = {0};
    expand(data, size, &text);
    char *at = text.text, *first = take_line(&at);
    char *path = first ? strchr(first, ' ') : NULL, *query = path ? strchr(path, '?') : NULL;
    spar__call *call = spar__alloc(1, sizeof *call);
    require(call);
    call->service = w->service;
    call->reply.hidden = "memory:fuzz";
    take_headers(&at);
    if (path)
        *path++ = '\0';
    if (query)
        *query++ = '\0';
    (void)spar__route_find(path ? first : "GET", path ? path : "", &call->match);
    call->route = call->match.route;
    call->head = path && strcmp(first, "HEAD") == 0;
    if (call->route) {
        call->shape = &call->route->shape;
        w->changed = true;
        work(call, query, at ? at : "", at ? text.length - (size_t)(at - text.text) : 0);
        w->changed = call->route->method != SPAR__GET && call->reply.status < 300;
    } else {
        spar__reply_problem(&call->reply, call->match.other_method ? 405 : 404, "unknown", "%.200s", call->match.allow);
    }
    end(call, reply);
    spar__buf_free(&text);
}

void service_reply_free(spar__reply *reply)
{
    spar__reply_free(reply);
}
