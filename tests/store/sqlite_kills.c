/* Eight programs append to one file, each killed at random moments and started again: what was acknowledged is there
 * exactly once, and the chain holds. SPAR_KILLS says how often (10).
 *
 * Odd ones give answers with numbers of their own, again if they do not know whether the last one was taken. Even ones
 * take the lock, get the number of a screen and append it with its answer: no number is left out. */
#include "store/events.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>

enum { WORKERS = 8, MOST = 1 << 20 };

typedef struct board { /* shared by all */
    _Atomic uint64_t next[WORKERS];
    _Atomic unsigned char acknowledged[MOST];
    _Atomic unsigned char wrong;
} board;

static board *shared;
static const char *path;

/* Numbers of odd workers; those of even ones come from the store, and are small. */
static uint64_t number_of(size_t worker, uint64_t i)
{
    return MOST / 2 + i * WORKERS + worker;
}

static bool answer_own(spar__store *store, uint64_t e, size_t worker)
{
    uint64_t number = number_of(worker, shared->next[worker]);
    spar__store_entry entry = {.event = new_event()};
    set_answer(entry.event, number, 0);
    bool good = number < MOST && !spar__store_append(store, e, 1, &entry, NULL) &&
                (!entry.status || entry.status == SPAR_CONFLICT),
         again = entry.status == SPAR_CONFLICT;
    spar_event_free(entry.event);
    if (!good)
        return false;
    bool before = shared->acknowledged[number];
    shared->acknowledged[number] = 1;
    if (before) /* each is sent twice */
        shared->next[worker]++;
    return !before || again;
}

static bool answer_screen(spar__store *store, uint64_t e)
{
    uint64_t number;
    spar_error err = {0};
    if (spar__store_lock(store, e, &err) || spar__store_next_screen(store, e, &number, &err))
        return false;
    spar__store_entry entry[] = {{.event = new_event()}, {.event = new_event()}};
    set_screen(entry[0].event, number, 4);
    set_answer(entry[1].event, number, 0);
    bool good =
        number < MOST / 2 && !spar__store_append(store, e, 2, entry, &err) && !entry[0].status && !entry[1].status;
    spar_event_free(entry[0].event);
    spar_event_free(entry[1].event);
    if (good)
        shared->acknowledged[number] = 1;
    return good;
}

static void work(size_t worker)
{
    spar__store *store;
    spar_error err = {0};
    uint64_t e;
    bool good = !spar__store_open(path, SPAR__STORE_WRITE, &store, &err) && !spar__store_find(store, "k", &e, &err);
    while (good)
        good = worker % 2 ? answer_own(store, e, worker) : answer_screen(store, e);
    shared->wrong = 1; /* only a signal ends it */
    _exit(1);
}

static pid_t start(size_t worker)
{
    pid_t child = fork();
    if (child == 0)
        work(worker);
    need(child > 0);
    return child;
}

static void nap(unsigned milliseconds)
{
    (void)nanosleep(&(struct timespec){.tv_nsec = (long)milliseconds * 1000000}, NULL);
}

static void stop(pid_t child)
{
    (void)kill(child, SIGKILL);
    (void)waitpid(child, NULL, 0);
}

/* On a busy machine it may take a while until a worker has answered a screen. */
static void await_screen(void)
{
    bool some = false;
    for (int i = 0; i < 3000 && !some && !shared->wrong; i++) {
        for (size_t k = 1; k < 100; k++)
            some = some || shared->acknowledged[k];
        if (!some)
            nap(20);
    }
}

static void kill_often(size_t kills)
{
    pid_t child[WORKERS];
    uint64_t luck = 1;
    for (size_t w = 0; w < WORKERS; w++)
        child[w] = start(w);
    nap(100);
    for (size_t i = 0; i < kills && !shared->wrong; i++) {
        luck = luck * UINT64_C(6364136223846793005) + 1442695040888963407u;
        size_t w = luck >> 61;
        nap((unsigned)(luck >> 33) % 30);
        stop(child[w]);
        child[w] = start(w);
    }
    await_screen();
    for (size_t w = 0; w < WORKERS; w++)
        stop(child[w]);
}

static void count_finding(void *context, const char *sentence)
{
    printf("# found: %s\n", sentence);
    ++*(size_t *)context;
}

static void look(uint32_t *times)
{
    spar__store *store;
    spar_error err = {0};
    uint64_t e = 0, acknowledged = 0, wrong = 0, last = 0;
    size_t findings = 0;
    follower f = {.event = new_event(), .whole = true, .times = times, .room = MOST};
    bool whole = !spar__store_open(path, SPAR__STORE_WRITE, &store, &err) && !spar__store_find(store, "k", &e, &err) &&
                 !spar__store_read(store, e, 1, 0, follow, &f, &err) && f.whole;
    ok(whole, "%llu events, and the chain holds %s", (unsigned long long)f.n, err.text);
    for (size_t i = 0; i < MOST; i++) {
        acknowledged += shared->acknowledged[i];
        wrong += times[i] > 1 || (shared->acknowledged[i] && times[i] == 0);
        last = i < MOST / 2 && times[i] ? i : last;
    }
    ok(wrong == 0 && acknowledged > 0, "%llu acknowledged answers are there once", (unsigned long long)acknowledged);
    for (size_t i = 1; i <= last; i++)
        wrong += times[i] == 0;
    ok(wrong == 0 && last > 0, "screens 1 to %llu, without gaps", (unsigned long long)last);
    ok(!spar__store_check(store, count_finding, &findings, &err) && findings == 0, "no damage %s", err.text);
    spar_event_free(f.event);
    spar__store_close(store);
}

int main(void)
{
    const char *text = getenv("SPAR_KILLS");
    size_t kills = text ? (size_t)strtoul(text, NULL, 10) : 10;
    char folder[64], place[100];
    uint64_t e;
    spar__store *store;
    (void)snprintf(place, sizeof place, "%s/kills.db", new_folder(folder));
    path = place;
    FILE *file = tmpfile();
    need(file && ftruncate(fileno(file), sizeof *shared) == 0);
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(file), 0);
    uint32_t *times = calloc(MOST, sizeof *times);
    need(shared != MAP_FAILED && times && !spar__store_open(path, SPAR__STORE_CREATE, &store, NULL));
    need(!spar__store_create(store, "k", &e, NULL));
    spar__store_close(store); /* before the others are forked: a connection must not cross a fork */
    kill_often(kills);
    ok(!shared->wrong, "%zu kills, and no call failed", kills);
    look(times);
    free(times);
    (void)fclose(file);
    remove_folder(folder);
    return done();
}
