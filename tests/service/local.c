/* Shell commands write to a file that is served: who is slow, dies, lies or is somebody else. */
#define _GNU_SOURCE /* setresuid */
#include "../store/events.h"
#include "../store/serving.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "store/served/socket.h"
#include "store/served/wire.h"

#include <errno.h>
#include <math.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>

enum { LEASE = 40 }; /* milliseconds */

static char folder[64], path[200];
static spar_error err;

static void nap(long milliseconds)
{
    (void)nanosleep(&(struct timespec){.tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000000}, NULL);
}

static double now(void) /* milliseconds */
{
    return spar__clock_wall() / 1e6;
}

static const char *at(const char *name)
{
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static spar__store *open_served(const char *file)
{
    char place[300];
    spar__store *store = NULL;
    (void)snprintf(place, sizeof place, "served:%s", file);
    if (spar__store_open(place, SPAR__STORE_WRITE, &store, &err))
        printf("# %s\n", err.text);
    return store;
}

static spar_status append_answer(spar__store *store, uint64_t experiment, uint64_t number)
{
    spar_event *event = new_event();
    set_answer(event, number, 0);
    spar__store_entry entry = {event, NULL, 0, SPAR_OK};
    spar_status status = spar__store_append(store, experiment, 1, &entry, &err);
    spar_event_free(event);
    return status ? status : entry.status;
}

static uint64_t events_of(spar__store *store, uint64_t experiment)
{
    uint64_t last = 0;
    unsigned char hash[SPAR_HASH_SIZE];
    return spar__store_head(store, experiment, &last, hash, &err) ? UINT64_MAX : last;
}

/* --- a server in this process --- */

typedef struct local_world {
    spar__store *store;
    spar__fair_lock turn;
    spar__local *local;
    uint64_t experiment;
} local_world;

static atomic_uint changes[4];

static void count_change(void *context, spar__local_change what, uint64_t experiment)
{
    const local_world *world = context;
    if (what == SPAR__LOCAL_SECRETS || experiment >= world->experiment)
        atomic_fetch_add(&changes[what], 1);
}

static void start(local_world *world, const char *file)
{
    *world = (local_world){.store = NULL};
    for (int i = 0; i < 4; i++)
        atomic_store(&changes[i], 0);
    spar__fair_lock_init(&world->turn);
    need(!spar__store_open(file, SPAR__STORE_CREATE, &world->store, &err) && !spar__store_hold(world->store, &err));
    need(!spar__store_create(world->store, "", &world->experiment, &err));
    if (spar__local_start(file, &world->turn, count_change, world, &world->local, &err))
        printf("# %s\n", err.text);
}

static void stop(local_world *world)
{
    spar__local_stop(world->local);
    spar__store_close(world->store);
    spar__fair_lock_fini(&world->turn);
}

static void test_changes(void)
{
    local_world world;
    uint64_t e = 0, number = 0;
    start(&world, at("changes.db"));
    struct stat info;
    ok(world.local && stat(at("changes.db-socket"), &info) == 0 && S_ISSOCK(info.st_mode) &&
           (info.st_mode & 0777) == 0600,
       "a socket for its owner only");
    spar__store *shell = open_served(at("changes.db"));
    ok(append_answer(shell, world.experiment, 1) == SPAR_OK && atomic_load(&changes[SPAR__LOCAL_EVENTS]) == 1,
       "the server hears of events");
    ok(append_answer(shell, world.experiment, 1) == SPAR_CONFLICT, "the same again is refused");
    spar__store_text text = {.kind = SPAR__TEXT_VOTER, .owner = 7, .version = 1};
    text.bytes = (const unsigned char *)"ann";
    text.length = 3;
    const spar__text_key key = {SPAR__TEXT_VOTER, 7, 1};
    spar__text_dropped dropped;
    ok(!spar__store_text_put(shell, world.experiment, &text, &err) &&
           !spar__store_text_drop(shell, world.experiment, 1, &key, &dropped, &err) && dropped.n == 1 &&
           atomic_load(&changes[SPAR__LOCAL_TEXTS]) == 2,
       "of texts");
    const spar__store_secret two[] = {{"a", (const unsigned char *)"x", 1}, {"b", (const unsigned char *)"", 0}};
    ok(!spar__store_secret_put(shell, "token:1", (const unsigned char *)"x", 1, &err) &&
           !spar__store_secret_drop(shell, "token:1", &err) && !spar__store_secret_add(shell, 2, two, &err) &&
           spar__store_secret_add(shell, 2, two, &err) == SPAR_CONFLICT &&
           atomic_load(&changes[SPAR__LOCAL_SECRETS]) == 3,
       "of secrets");
    ok(!spar__store_create(shell, "two", &e, &err) && e == 2 && atomic_load(&changes[SPAR__LOCAL_EXPERIMENTS]) == 1,
       "of experiments");
    ok(!spar__store_next_screen(shell, world.experiment, &number, &err) && number == 1, "a number for a screen");
    ok(spar__store_create(shell, "two", &e, &err) == SPAR_CONFLICT && e == 0, "%s", err.text);
    spar__store_close(shell);
    stop(&world);
    ok(stat(at("changes.db-socket"), &info) != 0, "the socket is gone with the server");
}

/* Drops a text while another store reads. */
static spar_status drop_meanwhile(void *context, uint64_t sequence, const unsigned char *bytes, size_t length,
                                  const unsigned char hash[SPAR_HASH_SIZE], spar_error *why)
{
    const spar__text_key key = {SPAR__TEXT_VOTER, 7, 1};
    (void)sequence, (void)bytes, (void)length, (void)hash;
    return spar__store_text_drop(context, 1, 1, &key, NULL, why) == SPAR_BUSY ? SPAR_OK : SPAR_CORRUPT;
}

/* Old bytes of a text stay while somebody reads; that is waited for, but not for long: others want to write. */
static void test_drop(void)
{
    local_world world;
    spar__store *reader = NULL;
    spar__store_text text = {.kind = SPAR__TEXT_VOTER, .owner = 7, .version = 1};
    spar__text_dropped dropped = {0};
    start(&world, at("drop.db"));
    text.bytes = (const unsigned char *)"ann";
    text.length = 3;
    spar__store *shell = open_served(at("drop.db"));
    need(!append_answer(shell, world.experiment, 1) && !spar__store_text_put(shell, world.experiment, &text, &err));
    need(!spar__store_open(at("drop.db"), SPAR__STORE_READ, &reader, &err));
    double start_time = now();
    bool good = !spar__store_read(reader, world.experiment, 1, 1, drop_meanwhile, shell, &err);
    double took = now() - start_time;
    ok(good && took > 100 && took < 9000, "a reader is not waited for long: %.1f s", took / 1e3);
    ok(!spar__store_text_drop(shell, world.experiment, 0, NULL, &dropped, &err) && dropped.completed,
       "completed later");
    spar__store_close(reader);
    spar__store_close(shell);
    stop(&world);
}

static void test_turn(void)
{
    local_world world;
    spar__local_lease = 20000;
    start(&world, at("turn.db"));
    spar__store *shell = open_served(at("turn.db"));
    uint64_t e = world.experiment;
    need(spar__fair_lock_take(&world.turn, 0));
    spar__store_patience = 100;
    double start_time = now();
    ok(append_answer(shell, e, 1) == SPAR_BUSY && now() - start_time < 9000, "the server has the turn: %s", err.text);
    spar__store_patience = 10000;
    spar__fair_lock_give(&world.turn);
    ok(!append_answer(shell, e, 1), "given up: it is written");
    ok(!spar__store_lock(shell, e, &err) && !spar__fair_lock_take(&world.turn, 0), "with the lock goes the turn");
    spar__store_unlock(shell);
    ok(spar__fair_lock_take(&world.turn, 60000), "unlocked");
    spar__fair_lock_give(&world.turn);
    spar__store_close(shell);
    stop(&world);
    spar__local_lease = LEASE;
}

/* --- locks that are lost --- */

static void test_lapse(void)
{
    local_world world;
    uint64_t number = 0, again = 0, other = 0;
    start(&world, at("lapse.db"));
    spar__store *slow = open_served(at("lapse.db")), *quick = open_served(at("lapse.db"));
    uint64_t e = world.experiment;
    ok(!spar__store_lock(slow, e, &err) && !spar__store_next_screen(slow, e, &number, &err) && number == 1, "locked");
    double start_time = now();
    ok(spar__fair_lock_take(&world.turn, 60000) && now() - start_time < 20000, "the lock is taken back");
    spar__fair_lock_give(&world.turn);
    ok(!spar__store_next_screen(slow, e, &again, &err) && again == 2, "nobody wrote: it goes on");
    ok(!append_answer(slow, e, 1) && !spar__store_lapsed(slow), "and writes");
    ok(!spar__store_lock(slow, e, &err), "locked");
    ok(!append_answer(quick, e, 2), "another one gets it after a while");
    ok(append_answer(slow, e, 3) == SPAR_BUSY && spar__store_lapsed(slow), "lost: %s", err.text);
    ok(events_of(slow, e) == 2, "nothing of it was written");
    ok(!spar__store_lock(slow, e, &err) && !spar__store_lapsed(slow) && !append_answer(slow, e, 3), "once more");
    ok(!spar__store_lock(slow, e, &err) && !spar__store_next_screen(slow, e, &number, &err), "locked");
    ok(!spar__store_next_screen(quick, e, &other, &err) && other == number, "another one takes the number");
    ok(append_answer(slow, e, 4) == SPAR_BUSY && spar__store_lapsed(slow), "lost: %s", err.text);
    const spar__text_key key = {SPAR__TEXT_ARM, 0, 0};
    ok(!spar__store_lock(slow, e, &err) && !append_answer(quick, e, 5) &&
           spar__store_text_drop(slow, e, 1, &key, NULL, &err) == SPAR_BUSY && spar__store_lapsed(slow),
       "nor is anything dropped");
    spar__store_close(slow);
    spar__store_close(quick);
    stop(&world);
}

/* Who begins again has more time; in the end it is told. */
static void test_longer(void)
{
    local_world world;
    double length[10];
    bool lapsed[10];
    start(&world, at("longer.db"));
    spar__store *slow = open_served(at("longer.db"));
    uint64_t e = world.experiment;
    for (int i = 0; i < 10; i++) {
        double start_time = now();
        need(!spar__store_lock(slow, e, &err));
        need(spar__fair_lock_take(&world.turn, 60000));
        length[i] = now() - start_time;
        need(!append_answer(world.store, e, (uint64_t)i + 1));
        spar__fair_lock_give(&world.turn);
        need(append_answer(slow, e, 100) == SPAR_BUSY);
        lapsed[i] = spar__store_lapsed(slow);
    }
    ok(length[3] > 4 * LEASE && length[9] > 4 * LEASE, "the lock lasts for %.0f, %.0f, %.0f, %.0f, %.0f ms", length[0],
       length[1], length[2], length[3], length[9]);
    ok(lapsed[0] && lapsed[6] && !lapsed[7] && !lapsed[9], "it is not tried for ever");
    ok(!append_answer(slow, e, 100), "without the lock it works");
    spar__store_close(slow);
    stop(&world);
}

/* A process that takes the lock and then only waits. */
static pid_t lock_and_wait(const char *file, uint64_t experiment)
{
    int ready[2];
    char byte;
    need(pipe(ready) == 0);
    (void)fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        spar__store *store = open_served(file);
        bool good = store && !spar__store_lock(store, experiment, &err);
        if (write(ready[1], good ? "y" : "n", 1) == 1)
            (void)pause();
        _exit(0);
    }
    need(child > 0 && read(ready[0], &byte, 1) == 1 && byte == 'y');
    (void)close(ready[0]);
    (void)close(ready[1]);
    return child;
}

static void test_death(void)
{
    serving server;
    spar__store *store = NULL;
    uint64_t e = 0;
    double start_time;
    need(serving_start(&server, at("death.db"), 20000));
    store = open_served(at("death.db"));
    need(!spar__store_create(store, "", &e, &err));
    pid_t child = lock_and_wait(at("death.db"), e);
    (void)kill(child, SIGKILL);
    start_time = now();
    ok(!append_answer(store, e, 1) && now() - start_time < 15000, "who dies with the lock loses it");
    (void)waitpid(child, NULL, 0);
    ok(serving_stop(&server), "the server ends well");
    need(serving_start(&server, at("death.db"), 250));
    child = lock_and_wait(at("death.db"), e);
    (void)kill(child, SIGSTOP);
    start_time = now();
    ok(!append_answer(store, e, 2) && now() - start_time < 15000, "who is stopped, too; a new server is found again");
    (void)kill(child, SIGKILL);
    (void)waitpid(child, NULL, 0);
    spar__store_close(store);
    ok(serving_stop(&server), "the server ends well");
}

/* --- servers that end --- */

static void test_end(void)
{
    serving server;
    spar__store *store = NULL, *direct = NULL;
    uint64_t e = 0;
    struct stat info;
    need(serving_start(&server, at("end.db"), 20000));
    ok(!spar__store_open(at("end.db"), SPAR__STORE_WRITE, &store, &err) &&
           strcmp(spar__store_class_name(store), "served") == 0 && !spar__store_create(store, "", &e, &err),
       "a file that is served is opened through its server");
    ok(!spar__store_open(at("end.db"), SPAR__STORE_READ, &direct, &err) &&
           strcmp(spar__store_class_name(direct), "sqlite") == 0,
       "but not to read it");
    spar__store_close(direct);
    need(!spar__store_lock(store, e, &err));
    serving_kill(&server);
    ok(append_answer(store, e, 1) == SPAR_IO && strstr(err.text, "server"), "%s", err.text);
    ok(spar__store_lock(store, e, &err) == SPAR_IO && strstr(err.text, "not served"), "%s", err.text);
    ok(events_of(store, e) == 0, "reading goes on");
    spar__store_close(store);
    ok(stat(at("end.db-socket"), &info) == 0 && stat(at("end.db-serve"), &info) == 0, "its files stay");
    ok(!spar__store_open(at("end.db"), SPAR__STORE_WRITE, &store, &err) &&
           strcmp(spar__store_class_name(store), "sqlite") == 0 && !append_answer(store, e, 1),
       "the next one goes to the file");
    spar__store_close(store);
    ok(serving_start(&server, at("end.db"), 20000) && (store = open_served(at("end.db"))) &&
           !append_answer(store, e, 2),
       "a new server takes the place");
    spar__store_close(store);
    ok(serving_stop(&server) && stat(at("end.db-socket"), &info) != 0, "and cleans up");
}

/* A server that begins has the lock but no socket yet; one that holds and never listens is named. */
static void test_begin(void)
{
    serving server;
    spar__store *store = NULL;
    int control[2], go_on[2];
    char byte;
    need(pipe(control) == 0 && pipe(go_on) == 0);
    (void)fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        need(!spar__store_open(at("begin.db"), SPAR__STORE_CREATE, &store, &err) && !spar__store_hold(store, &err));
        need(write(control[1], "", 1) == 1 && read(go_on[0], &byte, 1) == 1);
        nap(200);
        spar__store_close(store);
        _exit(0);
    }
    need(read(control[0], &byte, 1) == 1);
    spar__store_patience = 50;
    ok(spar__store_open(at("begin.db"), SPAR__STORE_WRITE, &store, &err) == SPAR_BUSY && !store &&
           strstr(err.text, "process"),
       "held without a socket: %s", err.text);
    spar__store_patience = 60000;
    need(write(go_on[1], "", 1) == 1);
    ok(!spar__store_open(at("begin.db"), SPAR__STORE_WRITE, &store, &err) &&
           strcmp(spar__store_class_name(store), "sqlite") == 0,
       "who waits gets it when the lock is given up");
    spar__store_patience = 10000;
    (void)waitpid(child, NULL, 0);
    spar__store_close(store);
    for (int i = 0; i < 2; i++) {
        (void)close(control[i]);
        (void)close(go_on[i]);
    }
    FILE *file = fopen(at("begin.db-socket"), "w");
    need(file != NULL && fclose(file) == 0);
    need(!spar__store_open(at("begin.db"), SPAR__STORE_WRITE, &store, &err) && !spar__store_hold(store, &err));
    spar__fair_lock turn;
    spar__local *local = (spar__local *)&turn;
    spar__fair_lock_init(&turn);
    ok(spar__local_start(at("begin.db"), &turn, NULL, NULL, &local, &err) == SPAR_IO && !local &&
           strstr(err.text, "no socket"),
       "what is no socket stays: %s", err.text);
    need(unlink(at("begin.db-socket")) == 0);
    spar__store *memory = NULL;
    need(!spar__store_open("memory:x", SPAR__STORE_CREATE, &memory, &err));
    ok(!spar__local_start("memory:x", &turn, NULL, NULL, &local, &err) && !local, "no socket without a file");
    spar__store_close(memory);
    spar__fair_lock_fini(&turn);
    spar__store_close(store);
    need(serving_start(&server, at("begin.db"), 250));
    ok(spar__local_start(at("begin.db"), &turn, NULL, NULL, &local, &err) == SPAR_BUSY && !local, "%s", err.text);
    ok(serving_stop(&server), "one server");
}

/* --- paths --- */

static void make_folders(char *out, size_t size, size_t depth)
{
    int used = snprintf(out, size, "%s", folder);
    for (size_t i = 0; i < depth; i++) {
        used += snprintf(out + used, size - (size_t)used, "/a folder with a rather long name %zu", i);
        need(mkdir(out, 0700) == 0);
    }
}

static bool works_at(const char *file)
{
    serving server;
    uint64_t e = 0;
    need(serving_start(&server, file, 20000));
    spar__store *store = NULL;
    bool good = !spar__store_open(file, SPAR__STORE_WRITE, &store, &err) &&
                strcmp(spar__store_class_name(store), "served") == 0 && !spar__store_create(store, "", &e, &err) &&
                !append_answer(store, e, 1);
    if (!good)
        printf("# %s\n", err.text);
    spar__store_close(store);
    return serving_stop(&server) && good;
}

static void test_paths(void)
{
    char deep[1000], file[1400], link_name[200];
    serving server;
    spar__store *store = NULL;
    make_folders(deep, sizeof deep, 8);
    (void)snprintf(file, sizeof file, "%s/tea.db", deep);
    ok(strlen(file) > 200 && works_at(file), "a path of %zu bytes", strlen(file));
    (void)snprintf(file, sizeof file, "%s/%0150d.db", deep, 7);
    ok(works_at(file), "with a long name in it");
    (void)snprintf(file, sizeof file, "%s/%080d", folder, 7);
    ok(works_at(file), "a name of 80 bytes");
    char before[500];
    need(getcwd(before, sizeof before) && chdir(deep) == 0);
    ok(works_at("plain.db") && works_at("./dotted.db"), "no path at all");
    need(chdir(before) == 0);
    need(serving_start(&server, at("real.db"), 20000));
    (void)snprintf(link_name, sizeof link_name, "%s/link.db", folder);
    need(symlink(at("real.db"), link_name) == 0);
    ok(!spar__store_open(link_name, SPAR__STORE_WRITE, &store, &err) &&
           strcmp(spar__store_class_name(store), "served") == 0,
       "by another name it is served, too");
    spar__store_close(store);
    ok(serving_stop(&server), "ended");
    need(unlink(link_name) == 0);
    char command[1200];
    (void)snprintf(command, sizeof command, "rm -rf '%s'/a*", folder);
    need(system(command) == 0);
}

/* --- other users --- */

static int as_nobody(int (*fn)(void))
{
    int status = 1;
    (void)fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        if (setresgid(65534, 65534, 65534) || setresuid(65534, 65534, 65534))
            _exit(99);
        _exit(fn());
    }
    (void)waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 98;
}

static int refused_connect(void)
{
    int fd;
    bool absent;
    return spar__socket_connect(path, "x", &fd, &absent, &err) == SPAR_IO && !absent && strstr(err.text, "another user")
               ? 0
               : 1;
}

/* The client's check is left out: what does the server say? */
static int refused_by_server(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    unsigned char head[SPAR__WIRE_HEAD] = {0}, rest[600];
    size_t length;
    (void)snprintf(address.sun_path, sizeof address.sun_path, "%.90s-socket", path);
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    if (connect(fd, (const struct sockaddr *)&address, sizeof address) != 0)
        return 2;
    if (!spar__socket_receive(fd, head, sizeof head, 60000) || spar__wire_head(head, &length, &err) || length > 600)
        return 3;
    spar__buf frame = {0};
    spar__wire_reply reply;
    spar__buf_add(&frame, (const char *)head, sizeof head);
    if (!spar__socket_receive(fd, rest, length, 60000))
        return 4;
    spar__buf_add(&frame, (const char *)rest, length);
    if (spar__wire_reply_read((const unsigned char *)frame.text, frame.length, &reply, &err))
        return 5;
    return reply.err.status == SPAR_IO && recv(fd, rest, 1, 0) == 0 ? 0 : 6;
}

static int listen_there(void)
{
    int fd = -1;
    if (spar__socket_listen(path, "x", &fd, &err) || chmod(path, 0666))
        (void)0;
    (void)pause();
    return 0;
}

static void test_users(void)
{
    serving server;
    char socket_name[300];
    if (geteuid() != 0) {
        skip("only root can become somebody else");
        return;
    }
    need(chmod(folder, 0777) == 0);
    need(serving_start(&server, at("users.db"), 20000));
    ok(as_nobody(refused_connect) == 0, "another user cannot connect");
    (void)snprintf(socket_name, sizeof socket_name, "%s-socket", at("users.db"));
    need(chmod(socket_name, 0666) == 0);
    ok(as_nobody(refused_connect) == 0, "nor would it trust the server");
    ok(as_nobody(refused_by_server) == 0, "nor the server it");
    spar__store *store = open_served(at("users.db"));
    ok(store != NULL, "which goes on");
    spar__store_close(store);
    ok(serving_stop(&server), "ended");
    (void)fflush(stdout);
    (void)at("users.db");
    pid_t child = fork();
    if (child == 0) {
        if (setresgid(65534, 65534, 65534) || setresuid(65534, 65534, 65534))
            _exit(99);
        _exit(listen_there());
    }
    struct stat info;
    for (int i = 0; i < 6000 && stat(socket_name, &info) != 0; i++)
        nap(10);
    nap(50);
    int fd;
    bool absent;
    ok(spar__socket_connect(at("users.db"), "users.db", &fd, &absent, &err) == SPAR_IO && fd < 0,
       "root does not speak to a socket that somebody put there: %s", err.text);
    (void)kill(child, SIGKILL);
    (void)waitpid(child, NULL, 0);
    (void)unlink(socket_name);
    need(chmod(folder, 0700) == 0);
}

/* Root writes to the file of another user who serves it. */
static void test_root(void)
{
    char home[100], file[200];
    int ready[2], control[2];
    char byte;
    spar__store *store = NULL;
    uint64_t e = 0;
    if (geteuid() != 0) {
        skip("only root can become somebody else");
        return;
    }
    (void)snprintf(home, sizeof home, "%s/home", folder);
    (void)snprintf(file, sizeof file, "%s/tea.db", home);
    need(chmod(folder, 0711) == 0 && mkdir(home, 0700) == 0 && chown(home, 65534, 65534) == 0);
    need(pipe(ready) == 0 && pipe(control) == 0);
    (void)fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        if (setresgid(65534, 65534, 65534) || setresuid(65534, 65534, 65534))
            _exit(99);
        serve_file(file, 20000, ready[1], control[0]);
    }
    need(read(ready[0], &byte, 1) == 1);
    ok(!spar__store_open(file, SPAR__STORE_WRITE, &store, &err) && !spar__store_create(store, "", &e, &err) &&
           !append_answer(store, e, 1) && strcmp(spar__store_class_name(store), "served") == 0,
       "root writes to the file of another user");
    spar__store_close(store);
    need(write(control[1], "", 1) == 1);
    (void)waitpid(child, NULL, 0);
    for (int i = 0; i < 2; i++) {
        (void)close(ready[i]);
        (void)close(control[i]);
    }
    remove_folder(home);
}

/* --- hostile bytes --- */

static uint64_t random_state = 12345;

static uint64_t draw(uint64_t n)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (random_state >> 33) % n;
}

static int dial(const char *file)
{
    int fd = -1;
    bool absent;
    need(!spar__socket_connect(file, "hostile", &fd, &absent, &err));
    return fd;
}

/* Sends it, and waits until the server closes the connection or replies. */
static bool endures(const char *file, const void *bytes, size_t length, bool ends)
{
    int fd = dial(file);
    char byte;
    bool sent = spar__socket_send(fd, bytes, length, 60000);
    if (ends)
        (void)shutdown(fd, SHUT_WR);
    bool heard = spar__socket_receive(fd, &byte, 1, 60000);
    int error = errno;
    (void)close(fd);
    return (sent || error != ETIMEDOUT) && (heard || error == 0 || error == ECONNRESET);
}

/* A request that can be read, with numbers and lengths of any kind. */
static void random_request(spar__buf *out, spar_event *event)
{
    static const uint64_t numbers[] = {0, 1, 2, 77, UINT64_C(1) << 40, INT64_MAX, UINT64_MAX};
    static const char *const names[] = {"", "a", "a/b", "token:1", "spar:truncate", "\xff\n"};
    spar__store_text text = {.kind = (spar__text_kind)(1 + draw(6)), .owner = numbers[draw(7)], .version = 1};
    uint64_t sequence[3] = {numbers[draw(7)], numbers[draw(7)], 3};
    spar__text_key key[2] = {{text.kind, text.owner, (uint32_t)draw(3)}, {SPAR__TEXT_VOTER, 1, 0}};
    text.bytes = (const unsigned char *)"text";
    text.length = draw(5);
    spar__store_entry entry[2] = {{event, &text, draw(2), SPAR_OK}, {event, NULL, 0, SPAR_OK}};
    spar__store_secret secret[2] = {{names[draw(6)], text.bytes, draw(5)}, {names[draw(6)], text.bytes, draw(5)}};
    set_answer(event, numbers[draw(7)], (uint32_t)draw(2));
    spar__wire_request request = {.op = (spar__wire_op)(1 + draw(12)),
                                  .locked = draw(3) == 0,
                                  .lapses = (unsigned char)draw(256),
                                  .patience = (uint32_t)draw(30),
                                  .experiment = numbers[draw(7)],
                                  .name = names[draw(6)],
                                  .bytes = text.bytes,
                                  .length = draw(5),
                                  .snapshot = {.sequence = numbers[draw(7)], .engine = (uint32_t)draw(9)},
                                  .text = text};
    request.n = draw(3);
    request.entry = entry;
    request.key = key;
    request.sequence = sequence;
    request.secret = secret;
    spar__wire_request_write(&request, out);
}

static void test_hostile(void)
{
    local_world world;
    char file[200];
    unsigned char junk[300];
    bool good = true;
    spar_event *event = new_event();
    (void)snprintf(file, sizeof file, "%s", at("hostile.db"));
    start(&world, file);
    for (int i = 0; i < 300 && good; i++) {
        size_t length = 1 + draw(sizeof junk);
        for (size_t k = 0; k < length; k++)
            junk[k] = (unsigned char)draw(256);
        if (i % 2 && length > 8) {
            spar__put_u32(junk, (uint32_t)(length - 8));
            junk[4] = SPAR__WIRE_VERSION;
            junk[5] = (unsigned char)(1 + draw(11));
            junk[6] = 0;
        }
        good = endures(file, junk, length, true);
    }
    ok(good, "any bytes");
    spar__put_u32(junk, UINT32_MAX);
    junk[4] = SPAR__WIRE_VERSION;
    ok(endures(file, junk, 8, false), "a request of 4 GiB is refused unread");
    spar__put_u32(junk, (uint32_t)SPAR__WIRE_MOST + 1);
    ok(endures(file, junk, 8, false), "so is one of 256 MiB and a byte");
    junk[4] = 9;
    ok(endures(file, junk, 8, false), "so is another version");
    spar__buf frame = {0};
    for (int i = 0; i < 400 && good; i++) {
        spar__buf_clear(&frame);
        random_request(&frame, event);
        if (i % 5 == 0)
            random_request(&frame, event);
        good = endures(file, frame.text, frame.length, false);
    }
    ok(good, "any requests");
    for (size_t cut = 1; cut < frame.length && good; cut++)
        good = endures(file, frame.text, cut, true);
    ok(good, "any that break off");
    spar__buf_free(&frame);
    spar_event_free(event);
    spar__store *shell = open_served(file);
    ok(shell && !append_answer(shell, world.experiment, 1000), "the server goes on");
    spar__store_close(shell);
    follower f = {.event = new_event(), .whole = true};
    ok(!spar__store_read(world.store, world.experiment, 1, 0, follow, &f, &err) && f.whole, "its log is whole");
    spar_event_free(f.event);
    stop(&world);
}

/* A server that lies: it answers each connection with the next of these, then with junk. */
typedef struct local_liar {
    int socket;
    atomic_bool ends;
    size_t n;
    spar__buf reply[8];
} local_liar;

static void *lie(void *context)
{
    local_liar *liar = context;
    for (size_t i = 0; !atomic_load(&liar->ends);) {
        int fd = accept(liar->socket, NULL, NULL);
        char junk[600];
        if (fd < 0) {
            nap(1);
            continue;
        }
        (void)spar__socket_receive(fd, junk, 20, 60000);
        const spar__buf *reply = i < liar->n ? &liar->reply[i] : NULL;
        for (size_t k = 0; k < sizeof junk; k++)
            junk[k] = (char)draw(256);
        junk[4] = i % 2 ? junk[4] : SPAR__WIRE_VERSION;
        junk[3] = junk[2] = 0;
        (void)spar__socket_send(fd, reply ? reply->text : junk, reply ? reply->length : 1 + i % sizeof junk, 60000);
        i++;
        (void)close(fd);
    }
    return NULL;
}

static void add_lie(local_liar *liar, spar__wire_op op, size_t n, uint64_t sequence)
{
    spar__wire_result result[2] = {{SPAR_OK, sequence}, {SPAR_OK, sequence + 1}};
    spar__wire_reply reply = {.op = op, .n = n, .result = result};
    spar__wire_reply_write(&reply, &liar->reply[liar->n++]);
}

static void test_liar(void)
{
    local_liar liar = {.socket = -1};
    pthread_t thread;
    spar__store *store = NULL;
    bool good = true;
    char file[200];
    (void)snprintf(file, sizeof file, "%s", at("liar.db"));
    need(!spar__store_open(file, SPAR__STORE_CREATE, &store, &err));
    spar__store_close(store);
    need(!spar__socket_listen(file, "liar", &liar.socket, &err));
    add_lie(&liar, SPAR__WIRE_HELLO, 0, 0);
    add_lie(&liar, SPAR__WIRE_LOCK, 0, 0);   /* another one than was asked */
    add_lie(&liar, SPAR__WIRE_APPEND, 2, 1); /* two results for one event */
    add_lie(&liar, SPAR__WIRE_APPEND, 0, 1); /* none */
    add_lie(&liar, SPAR__WIRE_HELLO, 0, 0);
    liar.reply[4].text[4] = 2; /* another version */
    need(pthread_create(&thread, NULL, lie, &liar) == 0);
    store = open_served(file);
    for (int i = 0; i < 3; i++)
        ok(store && append_answer(store, 1, 1) == SPAR_CORRUPT, "%s", err.text);
    ok(append_answer(store, 1, 1) == SPAR_IO && strstr(err.text, "version 2"), "%s", err.text);
    for (int i = 0; i < 300; i++)
        good = good && append_answer(store, 1, 1) != SPAR_OK && strstr(err.text, "server");
    ok(good, "any bytes for a reply: %s", err.text);
    spar__store_close(store);
    atomic_store(&liar.ends, true);
    (void)pthread_join(thread, NULL);
    (void)close(liar.socket);
    for (size_t i = 0; i < liar.n; i++)
        spar__buf_free(&liar.reply[i]);
}

/* Connections that say nothing do not keep others out. */
static void test_crowd(void)
{
    local_world world;
    char file[200];
    int fd[200];
    (void)snprintf(file, sizeof file, "%s", at("crowd.db"));
    start(&world, file);
    for (int i = 0; i < 100; i++)
        fd[i] = dial(file);
    spar__store *shell = open_served(file);
    ok(shell && !append_answer(shell, world.experiment, 1), "100 silent connections do not keep others out");
    spar__store_close(shell);
    for (int i = 0; i < 100; i++)
        (void)close(fd[i]);
    stop(&world);
}

static double cpu_of_children(void) /* seconds */
{
    struct rusage used;
    need(getrusage(RUSAGE_CHILDREN, &used) == 0);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

/* A server runs out of descriptors for a second: the CPU time that it takes. */
static double starve(const char *file)
{
    serving server;
    struct rlimit before, few;
    double start_use = cpu_of_children();
    int fd[40];
    uint64_t e = 0;
    need(getrlimit(RLIMIT_NOFILE, &before) == 0);
    few = (struct rlimit){24, before.rlim_max};
    need(setrlimit(RLIMIT_NOFILE, &few) == 0); /* which the server inherits */
    bool good = serving_start(&server, file, 20000);
    need(setrlimit(RLIMIT_NOFILE, &before) == 0 && good);
    for (int i = 0; i < 40; i++)
        fd[i] = dial(file);
    nap(1000);
    for (int i = 0; i < 40; i++)
        (void)close(fd[i]);
    spar__store *shell = open_served(file);
    ok(shell && !spar__store_create(shell, "", &e, &err), "a server that ran out of descriptors goes on");
    spar__store_close(shell);
    need(serving_stop(&server));
    return cpu_of_children() - start_use;
}

/* A server without descriptors waits for some, and does not spin. Others on the machine only make it slower. */
static void test_descriptors(void)
{
    char file[200];
    double used = INFINITY;
    for (int i = 0; i < 4 && used >= 0.1; i++) {
        (void)snprintf(file, sizeof file, "%s/few%d.db", folder, i);
        used = fmin(used, starve(file));
    }
    ok(used < 0.1, "and waits for them quietly: %.2f s of CPU in a second", used);
}

/* --- many at once --- */

enum { WRITERS = 4, EACH = 40 };

typedef struct local_writer {
    local_world *world;
    unsigned number;
    size_t good;
} local_writer;

/* The last one is the server's own writer: it has a store of its own, and takes the turn. */
static void *write_many(void *context)
{
    local_writer *w = context;
    uint64_t e = w->world->experiment;
    spar_error why = {0};
    spar__store *store = NULL;
    bool own = w->number == WRITERS;
    char place[300];
    (void)snprintf(place, sizeof place, "%s%s/many.db", own ? "" : "served:", folder);
    need(!spar__store_open(place, SPAR__STORE_WRITE, &store, &why));
    for (unsigned i = 0; i < EACH; i++) {
        spar_event *event = new_event();
        spar__store_entry entry = {event, NULL, 0, SPAR_OK};
        uint64_t number = 0;
        need(!own || spar__fair_lock_take(&w->world->turn, 10000));
        spar_status status = spar__store_lock(store, e, &why);
        if (!status)
            status = spar__store_next_screen(store, e, &number, &why);
        set_screen(event, number, 3);
        if (!status)
            status = spar__store_append(store, e, 1, &entry, &why);
        if (own)
            spar__fair_lock_give(&w->world->turn);
        w->good += !status && !entry.status;
        spar_event_free(event);
    }
    spar__store_close(store);
    return NULL;
}

static void test_many(void)
{
    local_world world;
    pthread_t thread[WRITERS + 1];
    local_writer w[WRITERS + 1];
    size_t good = 0;
    spar__local_lease = 20000;
    start(&world, at("many.db"));
    for (unsigned i = 0; i <= WRITERS; i++) {
        w[i] = (local_writer){&world, i, 0};
        need(pthread_create(&thread[i], NULL, write_many, &w[i]) == 0);
    }
    for (unsigned i = 0; i <= WRITERS; i++) {
        (void)pthread_join(thread[i], NULL);
        good += w[i].good;
    }
    uint64_t number = 0;
    ok(good == (WRITERS + 1) * EACH && events_of(world.store, world.experiment) == good &&
           !spar__store_next_screen(world.store, world.experiment, &number, &err) && number == good + 1,
       "%zu screens, their numbers without gaps", good);
    stop(&world);
    spar__local_lease = LEASE;
}

int main(void)
{
    new_folder(folder);
    spar__local_lease = LEASE;
    test_changes();
    test_drop();
    test_turn();
    test_lapse();
    test_longer();
    test_death();
    test_end();
    test_begin();
    test_paths();
    test_users();
    test_root();
    test_hostile();
    test_liar();
    test_crowd();
    test_descriptors();
    test_many();
    remove_folder(folder);
    return done();
}
