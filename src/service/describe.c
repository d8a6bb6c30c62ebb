/* describe.c - what to open, in lines of text: for whoever has started the server. */
#include "service/server.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <stdio.h>
#include <string.h>

enum { LISTED = 8 }; /* experiments, and addresses */

static void add_votes(const spar__service *service, const char *base, spar__buf *out)
{
    spar__places *places = (spar__places *)&service->places; /* has its own lock */
    size_t n = spar__places_count(places);
    for (size_t i = 0; i < n && i < LISTED; i++) {
        spar__buf_printf(out, "  %-10s %s/e/", i ? "" : "vote", base);
        spar__url_encode(spar__places_get(places, i)->name, out);
        spar__buf_adds(out, "\n");
    }
    if (n > LISTED)
        spar__buf_printf(out, "  %-10s %s/ has all %zu\n", "", base, n);
}

/* Those of IPv4: they can be typed into a phone. */
static void add_addresses(const spar__service *service, spar__buf *out)
{
    struct ifaddrs *all = NULL;
    size_t n = 0;
    if (getifaddrs(&all))
        return;
    for (const struct ifaddrs *one = all; one && n < LISTED; one = one->ifa_next) {
        char text[INET_ADDRSTRLEN] = "";
        struct sockaddr_in address;
        if (!one->ifa_addr || one->ifa_addr->sa_family != AF_INET)
            continue;
        memcpy(&address, one->ifa_addr, sizeof address);
        if (!inet_ntop(AF_INET, &address.sin_addr, text, sizeof text) || strncmp(text, "127.", 4) == 0)
            continue;
        spar__buf_printf(out, "  %-10s http://%s:%u/\n", n++ ? "" : "phones", text, service->port);
    }
    freeifaddrs(all);
    spar__buf_adds(out, "warning: everybody in the networks of this machine can reach it, and nothing is encrypted\n");
}

static bool is_local(const char *listen)
{
    return strncmp(listen, "127.", 4) == 0 || strncmp(listen, "localhost:", 10) == 0 ||
           strncmp(listen, "[::1]", 5) == 0;
}

void spar__service_describe(const spar__service *service, spar__buf *out)
{
    const spar__service_settings *settings = &service->settings;
    char base[300];
    (void)snprintf(base, sizeof base, "%s%s", service->https ? "https://" : "http://", service->host[0]);
    spar__buf_printf(out, "serving %s at %s\n", settings->place, base);
    add_votes(service, base, out);
    if (service->first.open)
        spar__buf_printf(out, "  %-10s %s/new: there is no experiment yet; a token to log in, which works once: %s\n",
                         "make one", base, service->first.text);
    spar__buf_printf(out, "  %-10s %s/manage: log in with a token from 'spar token new %s'\n", "dashboard", base,
                     settings->place);
    if (service->wildcard)
        add_addresses(service, out);
    else if (!settings->base_url && is_local(settings->listen))
        spar__buf_printf(out,
                         "  %-10s only this machine can open it; --listen 0.0.0.0:%u lets in all that are in its "
                         "networks, without encryption\n",
                         "phones", service->port);
}
