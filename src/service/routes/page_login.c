/* page_login.c - managers come and go. */
#include "service/page.h"

#include "base/alloc.h"

#include <string.h>

/* Only pages of managers: an address from elsewhere leads nowhere else. */
static const char *next_of(const char *given)
{
    bool good = given && (strncmp(given, "/manage", 7) == 0 || strcmp(given, "/new") == 0) && !strstr(given, "//") &&
                !strpbrk(given, "\\\r\n");
    return good ? given : "/manage";
}

static void show(spar__call *call, const char *next, unsigned status)
{
    spar__page page;
    spar__page_begin(&page, call);
    spar__json_add_string(&page.json, "title", spar__page_text(call, "login.heading"));
    spar__json_add_string(&page.json, "next", next_of(next));
    spar__json_add_boolean(&page.json, "wrong", status != 200);
    spar__page_end(&page, "login", status);
}

void spar__here_page_login(spar__call *call)
{
    show(call, spar__call_query(call, "next"), 200);
}

/* The check of /v1/login, and then on to where the manager wanted to go. */
void spar__here_page_log_in(spar__call *call)
{
    bool good = true;
    const char *next = spar__body_text(call, "next", &good);
    spar__here_login(call);
    if (call->reply.status == 200)
        spar__page_go(call, next_of(next));
    else if (call->reply.status == 401)
        show(call, next, 401);
}

void spar__here_page_log_out(spar__call *call)
{
    spar__here_logout(call);
    spar__page_go(call, "/login");
}
