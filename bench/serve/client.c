/* client.c - see client.h. */
#include "client.h"

#include "base/alloc.h"
#include "base/clock.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

typedef struct wire {
    int fd;
    spar__buf out, in;
    size_t sent;
    double start;
    bool busy, dead;
} wire;

struct spar__load_lines {
    wire *wires;
    size_t n;
    int epoll;
};

typedef struct load_state {
    const spar__load *load;
    spar__load_result *result;
    const spar__load_lines *lines;
    size_t active, room;
    double until;
} load_state;

double spar__load_now(void)
{
    return 1e-9 * spar__clock_wall();
}

static int dial(unsigned port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    const int yes = 1;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address)) {
        if (fd >= 0)
            (void)close(fd);
        return -1;
    }
    (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    return fd;
}

static void push(load_state *s, wire *w)
{
    while (w->sent < w->out.length) {
        ssize_t n = send(w->fd, w->out.text + w->sent, w->out.length - w->sent, MSG_NOSIGNAL);
        if (n <= 0) {
            w->dead = true;
            s->result->failures++;
            s->active--;
            return;
        }
        w->sent += (size_t)n;
    }
}

static void begin(load_state *s, size_t i)
{
    wire *w = &s->lines->wires[i];
    spar__buf_clear(&w->out);
    spar__buf_clear(&w->in);
    w->sent = 0;
    w->busy = spar__load_now() < s->until && s->load->write(s->load->context, i, &w->out);
    if (!w->busy) {
        s->active--;
        return;
    }
    w->start = spar__load_now();
    push(s, w);
}

/* The value of Content-Length, and where the body begins; false while the headers are not whole. */
static bool parse_headers(const spar__buf *in, size_t *body, size_t *length)
{
    const char *end = in->length ? strstr(in->text, "\r\n\r\n") : NULL;
    *length = 0;
    if (!end)
        return false;
    for (const char *line = in->text; line < end; line = strstr(line, "\r\n") + 2)
        if (strncasecmp(line, "Content-Length:", 15) == 0)
            *length = strtoul(line + 15, NULL, 10);
    *body = (size_t)(end + 4 - in->text);
    return true;
}

static void note(load_state *s, double took)
{
    spar__load_result *r = s->result;
    if (r->replies == s->room) {
        size_t room = s->room ? 2 * s->room : 65536;
        double *grown = spar__realloc(r->latency, s->room, room, sizeof *grown);
        if (!grown)
            abort();
        r->latency = grown;
        s->room = room;
    }
    r->latency[r->replies++] = took;
}

static void pull(load_state *s, size_t i)
{
    char bytes[65536];
    wire *w = &s->lines->wires[i];
    size_t body, length;
    ssize_t n = recv(w->fd, bytes, sizeof bytes, 0);
    if (n <= 0) {
        w->dead = true;
        s->result->failures += w->busy;
        s->active -= w->busy;
        (void)epoll_ctl(s->lines->epoll, EPOLL_CTL_DEL, w->fd, NULL);
        return;
    }
    spar__buf_add(&w->in, bytes, (size_t)n);
    if (!parse_headers(&w->in, &body, &length) || w->in.length < body + length)
        return;
    note(s, spar__load_now() - w->start);
    s->load->read(s->load->context, i, (unsigned)strtoul(w->in.text + 9, NULL, 10), w->in.text + body, length);
    begin(s, i);
}

static bool open_all(spar__load_lines *lines, unsigned port)
{
    for (size_t i = 0; i < lines->n; i++) {
        lines->wires[i].fd = dial(port);
        if (lines->wires[i].fd < 0)
            return false;
        struct epoll_event event = {.events = EPOLLIN, .data.u64 = i};
        if (epoll_ctl(lines->epoll, EPOLL_CTL_ADD, lines->wires[i].fd, &event))
            return false;
    }
    return true;
}

spar__load_lines *spar__load_open(unsigned port, size_t connections)
{
    spar__load_lines *lines = spar__alloc(1, sizeof *lines);
    if (!lines)
        return NULL;
    *lines = (spar__load_lines){.n = connections, .epoll = epoll_create1(EPOLL_CLOEXEC)};
    lines->wires = spar__alloc(connections, sizeof *lines->wires);
    if (lines->wires && lines->epoll >= 0 && open_all(lines, port))
        return lines;
    spar__load_close(lines);
    return NULL;
}

void spar__load_close(spar__load_lines *lines)
{
    for (size_t i = 0; lines && lines->wires && i < lines->n; i++) {
        if (lines->wires[i].fd > 0)
            (void)close(lines->wires[i].fd);
        spar__buf_free(&lines->wires[i].in);
        spar__buf_free(&lines->wires[i].out);
    }
    if (lines) {
        (void)close(lines->epoll);
        spar__free(lines->wires);
    }
    spar__free(lines);
}

static int rising(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void play(load_state *s)
{
    struct epoll_event event[64];
    double start = spar__load_now();
    s->active = s->lines->n;
    for (size_t i = 0; i < s->lines->n; i++)
        begin(s, i);
    while (s->active) {
        int n = epoll_wait(s->lines->epoll, event, 64, 30000);
        if (n == 0) { /* nothing for half a minute: whoever waits has failed */
            s->result->failures += s->active;
            break;
        }
        for (int k = 0; k < n; k++)
            pull(s, (size_t)event[k].data.u64);
    }
    s->result->seconds = spar__load_now() - start;
}

void spar__load_play(spar__load_lines *lines, double seconds, const spar__load *load, spar__load_result *result)
{
    load_state s = {.load = load, .result = result, .lines = lines, .until = spar__load_now() + seconds};
    *result = (spar__load_result){0};
    play(&s);
    if (result->latency)
        qsort(result->latency, result->replies, sizeof *result->latency, rising);
}

bool spar__load_run(unsigned port, size_t connections, double seconds, const spar__load *load,
                    spar__load_result *result)
{
    spar__load_lines *lines = spar__load_open(port, connections);
    *result = (spar__load_result){0};
    if (lines)
        spar__load_play(lines, seconds, load, result);
    spar__load_close(lines);
    return lines != NULL;
}

void spar__load_merge(spar__load_result *into, const spar__load_result *from)
{
    size_t n = into->replies + from->replies;
    double *grown = spar__realloc(into->latency, into->replies, n, sizeof *grown);
    if (!grown)
        abort();
    if (from->replies)
        memcpy(grown + into->replies, from->latency, from->replies * sizeof *grown);
    qsort(grown, n, sizeof *grown, rising);
    into->latency = grown;
    into->replies = n;
    into->failures += from->failures;
    into->seconds += from->seconds;
}

double spar__load_quantile(const spar__load_result *result, double q)
{
    if (!result->replies)
        return 0;
    size_t at = (size_t)(q * (double)result->replies);
    return result->latency[at < result->replies ? at : result->replies - 1];
}

void spar__load_post(spar__buf *out, const char *path, const char *authorization, const char *body, unsigned port)
{
    spar__buf_printf(out, "POST %s HTTP/1.1\r\nHost: 127.0.0.1:%u\r\nContent-Type: application/json\r\n", path, port);
    if (authorization)
        spar__buf_printf(out, "Authorization: %s\r\n", authorization);
    spar__buf_printf(out, "Content-Length: %zu\r\n\r\n%s", strlen(body), body);
}
