#include "sim/sweep.h"

#include "base/alloc.h"
#include "base/file.h"
#include "tap.h"

#include <spar/catalog.h>

#include <dirent.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { N = 40, WORKERS = 5 };

static char dir[64];

/* Cell i has the number i * i; its sum is what was taken. */
typedef struct squares {
    size_t n, fails; /* the cell that fails, SIZE_MAX: none */
    double number[N], held[WORKERS];
    double sum;
    atomic_size_t played, wrong, calls; /* read and written under different locks */
    size_t stop_after;                  /* cells */
    size_t prepared, seen_done;
    uint64_t last, total;
    double salt; /* part of every number, and not of the key */
    const char *name;
} squares;

static void text(const void *self, size_t i, spar__buf *out)
{
    const squares *s = self;
    spar__buf_printf(out, "spar; %s; square of %zu", s->name ? s->name : "test", i);
}

static uint64_t work(const void *self, size_t i)
{
    (void)self;
    return 10 + i % 3;
}

static spar_status prepare(void *self, const bool *finished, spar_error *err)
{
    squares *s = self;
    (void)err;
    s->prepared++;
    for (size_t i = 0; i < s->n; i++)
        s->seen_done += finished[i];
    return SPAR_OK;
}

static spar_status play(void *self, size_t i, size_t worker, spar_progress *progress, void *context, bool *complete,
                        spar_error *err)
{
    squares *s = self;
    struct timespec nap = {0, i == s->fails ? 10000000 : 30000000}; /* the first to fail is not the last to say so */
    if (i >= s->fails) {
        (void)nanosleep(&nap, NULL);
        return spar__fail(err, SPAR_INVALID, "cell %zu fails", i);
    }
    bool goes_on = progress(context, 1, 2);
    s->held[worker] = (double)(i * i) + s->salt;
    (void)atomic_fetch_add(&s->played, 1);
    *complete = goes_on || s->stop_after == 0;
    return SPAR_OK;
}

static void archive(void *self, size_t i, size_t worker, spar__archive *ar)
{
    squares *s = self;
    double seconds = (double)s->calls;
    (void)i;
    spar__archive_f64(ar, &s->held[worker]);
    spar__archive_f64(ar->cache ? ar->cache : ar, &seconds);
}

static void take(void *self, size_t i, size_t worker)
{
    squares *s = self;
    s->wrong += s->number[i] != 0;
    s->number[i] = s->held[worker] + 1;
    s->sum += s->held[worker];
}

static bool watch(void *context, uint64_t finished, uint64_t total)
{
    squares *s = context;
    s->wrong += finished < s->last && s->total == total ? 0 : finished > total;
    s->last = finished;
    s->total = total;
    s->calls++;
    return !s->stop_after || atomic_load(&s->played) < s->stop_after;
}

static spar__cell_list list_of(squares *s)
{
    return (spar__cell_list){.n = s->n,
                             .self = s,
                             .text = text,
                             .work = work,
                             .prepare = prepare,
                             .play = play,
                             .archive = archive,
                             .take = take};
}

static const char *const words[] = {"run", "--rounds", "7"};

static spar__sweep sweep_with(squares *s, size_t threads)
{
    return (spar__sweep){.dir = dir,
                         .threads = threads,
                         .progress = watch,
                         .context = s,
                         .word = words,
                         .n_words = sizeof words / sizeof *words};
}

static squares fresh(void)
{
    return (squares){.n = N, .fails = SIZE_MAX};
}

static double wanted_sum(void)
{
    double sum = 0;
    for (size_t i = 0; i < N; i++)
        sum += (double)(i * i);
    return sum;
}

static spar_status play_once(squares *s, spar__sweep *sweep, spar_error *err)
{
    spar__cell_list list = list_of(s);
    return spar__sweep_play(sweep, &list, err);
}

/* The files of cells: how many, and the last of them. */
static size_t files_in(const char *folder, char *last, size_t size)
{
    size_t n = 0;
    DIR *d = opendir(folder);
    for (struct dirent *entry; d && (entry = readdir(d));)
        if (entry->d_name[0] != '.' && ++n && last)
            (void)snprintf(last, size, "%s/%s", folder, entry->d_name);
    if (d)
        (void)closedir(d);
    return n;
}

static void clear(const char *folder)
{
    char path[400];
    while (files_in(folder, path, sizeof path))
        (void)remove(path);
    (void)rmdir(folder);
}

static void check_threads(void)
{
    for (size_t threads = 1; threads <= 4; threads += 3) {
        squares s = fresh();
        spar__sweep sweep = sweep_with(&s, threads);
        spar_error err = {0};
        sweep.dir = NULL;
        ok(play_once(&s, &sweep, &err) == SPAR_OK && s.sum == wanted_sum() && !s.wrong, "%zu threads: %s", threads,
           err.text);
        ok(sweep.cells == N && sweep.done == N && sweep.found == 0 && !sweep.interrupted, "all are played");
        ok(s.prepared == 1 && s.seen_done == 0 && s.calls > 1 && s.last == s.total && s.total > 10 * N, "progress");
        spar__sweep_close(&sweep, true);
    }
    ok(files_in(dir, NULL, 0) == 0, "nothing is kept without a directory");
}

/* In parts, each once more, then read by one who plays nothing. */
static void check_parts(void)
{
    size_t played = 0;
    for (uint32_t round = 0; round < 6; round++) {
        squares s = fresh();
        spar__sweep sweep = sweep_with(&s, 2);
        sweep.part = round % 3;
        sweep.parts = 3;
        sweep.strict = sweep.must_keep = true;
        spar_error err = {0};
        ok(play_once(&s, &sweep, &err) == SPAR_OK && !s.wrong, "part %u of 3 %s", sweep.part + 1, err.text);
        ok(sweep.done == (round < 2 ? sweep.found + s.played : N), "what others did is seen");
        played += s.played;
        spar__sweep_close(&sweep, true);
    }
    ok(played == N && files_in(dir, NULL, 0) == 3, "every cell is played once, and a file is kept for each part");
    squares s = fresh();
    const char *from[] = {dir, dir};
    spar__sweep sweep = sweep_with(&s, 1);
    sweep.dir = NULL;
    sweep.from = from;
    sweep.n_from = 2;
    sweep.only_read = sweep.strict = true;
    spar_error err = {0};
    ok(play_once(&s, &sweep, &err) == SPAR_OK && s.sum == wanted_sum() && sweep.found == N && !s.played && !s.prepared,
       "all are found, though given twice %s", err.text);
    spar__sweep_close(&sweep, false);
    ok(files_in(dir, NULL, 0) == 3, "and left where they are");
}

static spar_status reads(squares *s, bool strict, spar__sweep *sweep, spar_error *err)
{
    *sweep = sweep_with(s, 1);
    sweep->only_read = true;
    sweep->strict = strict;
    *err = (spar_error){0};
    return play_once(s, sweep, err);
}

/* A file with the head of another plan or version, or with other numbers. */
static void add_file(const char *version, uint64_t plan, double salt, const char *name)
{
    squares s = fresh();
    char key[100], path[200], *word[] = {(char *)(uintptr_t) "tune", (char *)(uintptr_t) "--by x"};
    const spar__sweep_head head = {
        .version = (char *)(uintptr_t)version, .plan = plan, .cells = N, .n_words = 2, .word = word};
    spar__archive time = {0}, ar = {.cache = &time};
    spar__buf out = {0};
    s.held[0] = 9 + salt;
    archive(&s, 3, 0, &ar);
    (void)snprintf(key, sizeof key, "spar; test; square of 3");
    (void)snprintf(path, sizeof path, "%s/%s.cells", dir, name);
    spar__sweep_head_write(&head, &out);
    spar__cell_frame_write(key, &ar, &out);
    ok(!out.failed && !spar__file_write(path, out.text, out.length, NULL), "%s is written", name);
    spar__buf_free(&out);
    spar__buf_free(&ar.out);
    spar__buf_free(&time.out);
}

static void remove_file(const char *name)
{
    char path[200];
    (void)snprintf(path, sizeof path, "%s/%s.cells", dir, name);
    (void)remove(path);
}

static void check_refused(void)
{
    squares s = fresh();
    spar__sweep sweep;
    spar_error err;
    ok(reads(&s, true, &sweep, &err) == SPAR_OK && sweep.plan, "the plan");
    uint64_t plan = sweep.plan;
    spar__sweep_close(&sweep, false);
    const struct {
        const char *version, *name, *says;
        uint64_t plan;
        double salt;
    } bad[] = {{"0.0.9", "old", "old.cells: written by spar 0.0.9, and this is spar ", plan, 0},
               {spar_version(), "other", "other.cells: has cells of another plan", plan + 1, 0},
               {spar_version(), "differs", "have other numbers for the same cell: spar; test; square of 3", plan, 1}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        add_file(bad[i].version, bad[i].plan, bad[i].salt, bad[i].name);
        s = fresh();
        ok(reads(&s, true, &sweep, &err) != SPAR_OK && strstr(err.text, bad[i].says), "%s", err.text);
        ok(bad[i].salt != 0 || i == 0 || strstr(err.text, "(spar tune '--by x')"), "with its command");
        spar__sweep_close(&sweep, false);
        s = fresh();
        ok(reads(&s, false, &sweep, &err) == SPAR_OK && sweep.done == N, "who is not strict does not mind");
        spar__sweep_close(&sweep, false);
        remove_file(bad[i].name);
    }
    add_file(spar_version(), plan, 0, "same");
    s = fresh();
    ok(reads(&s, true, &sweep, &err) == SPAR_OK && sweep.done == N, "the same numbers twice are fine");
    spar__sweep_close(&sweep, false);
    remove_file("same");
    s = fresh();
    s.name = "else";
    ok(reads(&s, false, &sweep, &err) == SPAR_OK && sweep.done == 0, "other keys are other cells");
    spar__sweep_close(&sweep, false);
}

/* Cut anywhere, or with a wrong bit anywhere: whole cells count, and the rest is played again. */
static void check_damage(void)
{
    char path[400];
    spar__buf whole = {0};
    size_t wrong = 0, less = 0, tries = 0;
    clear(dir);
    squares s = fresh();
    spar__sweep sweep = sweep_with(&s, 1);
    ok(play_once(&s, &sweep, NULL) == SPAR_OK, "all in one file");
    spar__sweep_close(&sweep, false);
    ok(files_in(dir, path, sizeof path) == 1 && !spar__file_read(path, 0, &whole, NULL), "%s", path);
    for (size_t at = 0; at < whole.length; at += 23, tries++) {
        char bit = whole.text[at];
        bool cut = tries % 2;
        whole.text[at] = (char)(bit ^ 16);
        (void)spar__file_write(path, whole.text, cut ? at : whole.length, NULL);
        whole.text[at] = bit;
        s = fresh();
        sweep = sweep_with(&s, 1);
        spar_error err = {0};
        wrong += play_once(&s, &sweep, &err) != SPAR_OK || s.sum != wanted_sum() || sweep.done != N || s.wrong;
        wrong += sweep.found + s.played != N;
        less += sweep.found < N;
        spar__sweep_close(&sweep, true);
        clear(dir);
    }
    ok(!wrong && less == tries, "%zu damaged files lead to the same numbers", tries);
    spar__buf_free(&whole);
}

static void check_finished(void)
{
    squares s = fresh();
    spar__sweep sweep = sweep_with(&s, 1);
    s.stop_after = 5;
    ok(play_once(&s, &sweep, NULL) == SPAR_OK && sweep.interrupted && sweep.done >= 4 && sweep.done < N, "stopped");
    size_t before = sweep.done;
    spar__sweep_close(&sweep, false);
    ok(files_in(dir, NULL, 0) == 1, "what is done is kept");
    s = fresh();
    sweep = sweep_with(&s, 2);
    ok(play_once(&s, &sweep, NULL) == SPAR_OK && sweep.found == before && s.seen_done == before &&
           s.sum == wanted_sum(),
       "the next one goes on");
    spar__sweep_close(&sweep, true);
    ok(access(dir, F_OK) != 0, "and leaves nothing");
}

static void check_failures(void)
{
    for (size_t threads = 1; threads <= 4; threads += 3) {
        squares s = fresh();
        spar_error err = {0};
        s.fails = 17;
        spar__sweep sweep = sweep_with(&s, threads);
        ok(play_once(&s, &sweep, &err) == SPAR_INVALID, "a cell that fails");
        same_text(err.text, "cell 17 fails", "is the first that did");
        spar__sweep_close(&sweep, false);
        ok(files_in(dir, NULL, 0) == 1, "what was done before is kept");
        clear(dir);
    }
    for (int must = 0; must < 2; must++) {
        squares s = fresh();
        spar_error err = {0};
        spar__sweep sweep = sweep_with(&s, 2);
        sweep.dir = "/no/such/place";
        sweep.must_keep = must;
        spar_status status = play_once(&s, &sweep, &err);
        ok(must ? status == SPAR_IO && strstr(err.text, "/no/such/place") : !status && sweep.done == N, "%s %s",
           must ? "it must be kept:" : "it need not be kept", err.text);
        ok(strstr(sweep.unkept.text, "/no/such/place"), "%s", sweep.unkept.text);
        spar__sweep_close(&sweep, true);
    }
}

static void check_order(void)
{
    size_t order[N];
    squares s = fresh();
    spar__sweep sweep = sweep_with(&s, 1);
    sweep.dir = NULL;
    s.stop_after = 1;
    for (size_t i = 0; i < N; i++)
        order[i] = N - 1 - i;
    spar__cell_list list = list_of(&s);
    list.order = order;
    ok(spar__sweep_play(&sweep, &list, NULL) == SPAR_OK && s.number[0] == 0 && sweep.done <= 1, "the order is kept");
    spar__sweep_close(&sweep, false);
}

static void check_lists(void)
{
    for (int json = 0; json < 2; json++) {
        squares s = fresh();
        spar__buf out = {0};
        spar__sweep sweep = sweep_with(&s, 1);
        sweep.list = &out;
        sweep.list_json = json;
        sweep.parts = 20;
        sweep.part = 3;
        ok(play_once(&s, &sweep, NULL) == SPAR_OK && !s.played && !out.failed, "a list");
        ok(strstr(out.text, "square of 3") && strstr(out.text, "square of 23") && !strstr(out.text, "square of 4"),
           "of one part");
        spar__buf_free(&out);
        spar__sweep_close(&sweep, false);
    }
    squares s = fresh(), t = fresh();
    spar__sweep one = sweep_with(&s, 1), other = sweep_with(&t, 1);
    spar__buf lists = {0};
    one.list = other.list = &lists;
    other.about = "something else";
    ok(!play_once(&s, &one, NULL) && !play_once(&t, &other, NULL) && one.plan != other.plan,
       "about is part of the plan");
    spar__buf_free(&lists);
    spar__sweep_close(&one, false);
    spar__sweep_close(&other, false);
}

/* A runner that plays every cell elsewhere: bytes go to one that has the results. */
static spar__buf carried;

static spar_status run_elsewhere(spar__sweep_run *run, spar_error *err)
{
    const size_t *cell;
    size_t n = spar__sweep_missing(run, &cell);
    bool helps = spar__sweep_of(run)->runner->helps;
    for (size_t i = 0; i < n && helps; i++)
        spar__sweep_cell(run, cell[i], 0, &carried);
    if (helps)
        return SPAR_OK;
    spar_status status = SPAR_OK;
    for (int twice = 0; !status && twice < 2; twice++) /* is taken once */
        status = spar__sweep_take(run, (const unsigned char *)carried.text, carried.length, err);
    spar__sweep_tell(run, 3);
    return status;
}

static void check_elsewhere(void)
{
    const spar__sweep_runner helper = {.helps = true, .run = run_elsewhere}, leader = {.run = run_elsewhere};
    squares s = fresh(), t = fresh();
    spar__sweep there = sweep_with(&s, 1), here = sweep_with(&t, 1);
    spar_error err = {0};
    there.runner = &helper;
    here.runner = &leader;
    ok(play_once(&s, &there, &err) == SPAR_OK && s.played == N && s.sum == 0, "played for another one %s", err.text);
    ok(access(dir, F_OK) != 0, "who helps keeps nothing");
    ok(play_once(&t, &here, &err) == SPAR_OK && t.played == 0 && t.sum == wanted_sum() && here.done == N, "taken %s",
       err.text);
    ok(files_in(dir, NULL, 0) == 1, "and kept");
    spar__sweep_close(&there, false);
    spar__sweep_close(&here, true);
    carried.text[8] ^= 1; /* a length */
    t = fresh();
    here = sweep_with(&t, 1);
    here.runner = &leader;
    ok(play_once(&t, &here, &err) == SPAR_CORRUPT, "bytes that make no sense: %s", err.text);
    spar__sweep_close(&here, true);
    clear(dir);
    spar__buf_free(&carried);
}

/* Every allocation fails once, with and without cells to be found. */
static void check_memory(void)
{
    size_t wrong = 0, failed = 0;
    for (size_t k = 1, more = 1; more; k++) {
        squares s = fresh();
        spar__sweep sweep = sweep_with(&s, 1);
        spar_error err = {0};
        sweep.must_keep = true;
        spar__alloc_fail_at(k);
        spar_status status = play_once(&s, &sweep, &err);
        more = spar__alloc_count() >= k;
        spar__alloc_fail_at(0);
        wrong += status ? status != SPAR_NOMEM : s.sum != wanted_sum();
        failed += status != SPAR_OK;
        spar__sweep_close(&sweep, false);
        if (k % 3 == 0)
            clear(dir);
    }
    ok(!wrong && failed > 20, "%zu allocations fail", failed);
    clear(dir);
}

int main(void)
{
    const char *tmp = getenv("TMPDIR");
    (void)snprintf(dir, sizeof dir, "%s/spar-sweep-XXXXXX", tmp && strlen(tmp) < 40 ? tmp : "/tmp");
    if (!mkdtemp(dir))
        return 1;
    check_threads();
    check_parts();
    check_refused();
    check_damage();
    check_finished();
    check_failures();
    check_order();
    check_lists();
    check_elsewhere();
    check_memory();
    return done();
}
