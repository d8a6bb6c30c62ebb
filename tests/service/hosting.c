/* The addresses of experiments: each has one of its own, which stays when the store is copied. */
#include "service/server.h"

#include "live/exchange/exchange.h"
#include "live/world.h"

static const char *place_in(const char *name)
{
    static char place[8][128];
    static size_t n;
    char *at = place[n++ % 8];
    (void)snprintf(at, sizeof *place, "%s/%s", folder, name);
    return at;
}

/* The addresses in the order of the experiments: "tea tea-2". */
static const char *addresses(const char *place)
{
    static char list[256];
    spar__store *store = NULL;
    spar__hosting places;
    size_t length = 0;
    list[0] = 0;
    spar__hosting_init(&places, place);
    must(spar__store_open(place, SPAR__STORE_READ, &store, &err));
    must(spar__hosting_load(&places, store, &err));
    for (size_t i = 0; i < places.n && length < sizeof list; i++) {
        const spar__hosted *one = spar__hosting_get(&places, i);
        length += (size_t)snprintf(list + length, sizeof list - length, "%s%s", i ? " " : "", one->name);
        if (spar__hosting_find(&places, one->name) != one)
            return "an address of two";
    }
    spar__hosting_fini(&places);
    spar__store_close(store);
    return list;
}

static bool at(const char *place, const char *expected)
{
    const char *found = addresses(place);
    bool same = strcmp(found, expected) == 0;
    if (!same)
        printf("# %s: %s, expected %s\n", place, found, expected);
    return same;
}

static void make(const char *name)
{
    spar_experiment_close(new_experiment(place_in(name), 3, 1));
}

static void ignore(void *context, const spar__copied *copied)
{
    (void)context;
    (void)copied;
}

static void copy(const char *from, const char *to, bool secrets)
{
    spar__copy_job job = {.from = from, .to = to, .secrets = secrets, .report = ignore};
    must(spar__copy(&job, &err));
}

static void add_key(const char *place)
{
    spar__store *store = NULL;
    must(spar__store_open(place, SPAR__STORE_WRITE, &store, &err));
    must(spar__store_secret_put(store, "signing", (const unsigned char *)"key", 3, &err));
    spar__store_close(store);
}

static void test_own(void)
{
    make("tea.db");
    make("tea.db#coffee");
    ok(at(place_in("tea.db"), "tea coffee"), "without a name it has that of the file");
    make("tea.db#tea");
    ok(at(place_in("tea.db"), "tea coffee tea-2"), "another one of that name is elsewhere");
    make("tea.db#tea-2");
    ok(at(place_in("tea.db"), "tea coffee tea-2 tea-2-2"), "and so on");
    make("milk.db#milk");
    make("milk.db");
    ok(at(place_in("milk.db"), "milk milk-2"), "who was there first stays");
}

static void test_moved(void)
{
    copy(place_in("tea.db"), place_in("look.db"), false);
    ok(at(place_in("look.db"), "look coffee tea tea-2"), "a copy to look at has addresses of its own");
    add_key(place_in("tea.db"));
    copy(place_in("tea.db"), place_in("moved.db"), true);
    copy(place_in("tea.db"), place_in("moved.db"), true);
    ok(at(place_in("moved.db"), "tea coffee tea-2 tea-2-2"), "with its keys a store keeps the addresses");
    copy(place_in("moved.db"), place_in("again.db"), true);
    ok(at(place_in("again.db"), "tea coffee tea-2 tea-2-2"), "also when it moves once more");
}

int main(void)
{
    (void)snprintf(folder, sizeof folder, "/tmp/spar-places-XXXXXX");
    if (!mkdtemp(folder))
        return 1;
    test_own();
    test_moved();
    close_places();
    return done();
}
