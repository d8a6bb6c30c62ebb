/* http_head.c - what the headers of a request say about the request itself: where it ends, and whose it is. */
#include "service/server.h"

#include <microhttpd.h>
#include <string.h>
#include <strings.h>

/* --- where the body ends --- */

typedef struct header_census {
    unsigned hosts, lengths, encodings;
    bool odd; /* something that another program may read otherwise */
} header_census;

static bool begins(const char *name, const char *with)
{
    return strncasecmp(name, with, strlen(with)) == 0;
}

/* Those of a name (RFC 9110, 5.6.2). Not strspn, which is slow for so many letters. */
static bool is_name_letter(unsigned char c)
{
    if ((c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z'))
        return true;
    return c == '-' || (c && strchr("!#$%&'*+.^_`|~", c));
}

/* libmicrohttpd appends a line that goes on in the next one to the name. */
static bool is_odd_name(const char *name)
{
    size_t n = 0;
    while (is_name_letter((unsigned char)name[n]))
        n++;
    return name[n] || (begins(name, "Transfer-Encoding") && strlen(name) != 17) ||
           (begins(name, "Content-Length") && strlen(name) != 14) || (begins(name, "Host") && strlen(name) != 4);
}

static bool has_controls(const char *value)
{
    for (; *value; value++)
        if ((unsigned char)*value < ' ' && *value != '\t')
            return true;
    return false;
}

static enum MHD_Result see_header(void *context, enum MHD_ValueKind kind, const char *name, const char *value)
{
    header_census *census = context;
    bool length = strcasecmp(name, "Content-Length") == 0, encoding = strcasecmp(name, "Transfer-Encoding") == 0;
    (void)kind;
    value = value ? value : "";
    census->hosts += strcasecmp(name, "Host") == 0;
    census->lengths += length;
    census->encodings += encoding;
    census->odd |= is_odd_name(name) || has_controls(value);
    census->odd |= length && (!*value || value[strspn(value, "0123456789")]);
    census->odd |= encoding && strcasecmp(value, "chunked") != 0;
    return MHD_YES;
}

/* Where does the body end? If a proxy before us could see it elsewhere, what it takes for a part of the body would be
 * a request of somebody else for us (RFC 9112, 6.3 and 11.2). */
bool spar__http_is_framed(const spar__call *call)
{
    header_census census = {0};
    (void)MHD_get_connection_values(call->connection, MHD_HEADER_KIND, see_header, &census);
    return !census.odd && census.hosts <= 1 && census.lengths + census.encodings <= 1;
}

/* --- whose it is --- */

static enum MHD_Result see_forwarded(void *context, enum MHD_ValueKind kind, const char *name, const char *value)
{
    spar__buf *list = context;
    (void)kind;
    if (strcasecmp(name, "X-Forwarded-For") == 0 && value)
        spar__buf_printf(list, "%s%s", list->length ? "," : "", value);
    return MHD_YES;
}

/* By which limits count. A proxy may add a line of its own to that of the client: all lines are one list. */
spar__address spar__http_client(const spar__call *call)
{
    const spar__service_settings *settings = &call->service->settings;
    spar__buf list = {0};
    (void)MHD_get_connection_values(call->connection, MHD_HEADER_KIND, see_forwarded, &list);
    spar__address client = spar__address_client(spar__address_of(spar__http_address(call->connection)),
                                                list.failed ? NULL : list.text, settings->n_trusted, settings->trusted);
    spar__buf_free(&list);
    return spar__address_key(client);
}
