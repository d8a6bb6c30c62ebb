#include "rank/queries.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/file.h"
#include "rank/letor.h"

#include "lab.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

static char noted[1000]; /* the last note */
static int kill_at, stop_at, progress_calls;

static void take_note(void *context, const char *sentence)
{
    (void)context;
    (void)snprintf(noted, sizeof noted, "%s", sentence);
}

static bool progress(void *context, uint64_t bytes, uint64_t total)
{
    (void)context;
    (void)total;
    progress_calls++;
    if (kill_at && bytes >= (uint64_t)kill_at)
        (void)raise(SIGKILL);
    return !stop_at || bytes < (uint64_t)stop_at;
}

static spar__queries_options options_for(const char *const *path)
{
    return (spar__queries_options){
        .path = path, .paths = 1, .threads = 1, .seed = 1, .note = take_note, .progress = progress};
}

static spar__queries *open_with(spar__queries_options options)
{
    spar__queries *queries = NULL;
    spar_error err = {0};
    noted[0] = '\0';
    if (spar__queries_open(&options, &queries, &err))
        printf("# %s\n", err.text);
    return queries;
}

/* Opens, and says whether the cache was used, and if not why: the note without the path before it. */
static bool opens(spar__queries_options options, bool cached, const char *why)
{
    spar__queries *q = open_with(options);
    char wanted[1000] = "";
    if (why)
        (void)snprintf(wanted, sizeof wanted, "%s.spar-cache: %s", options.path[0], why);
    bool good = q && spar__queries_cached(q) == cached && strcmp(noted, wanted) == 0;
    if (!good)
        printf("# %s, \"%s\"\n", q && spar__queries_cached(q) ? "cached" : "not cached", noted);
    spar__queries_free(q);
    return good;
}

static bool refused(spar__queries_options options, spar_status status, const char *why)
{
    spar__queries *q = NULL;
    spar_error err = {0};
    noted[0] = '\0';
    bool good = spar__queries_open(&options, &q, &err) == status && !q && strstr(err.text, why);
    if (!good)
        printf("# \"%s\"\n", err.text);
    spar__queries_free(q);
    return good;
}

static bool collect(void *context, const char *text, size_t length)
{
    spar__buf_add(context, text, length);
    return true;
}

/* Each query by itself must be what parsing and ranking it gives. */
typedef struct comparison {
    const spar__queries *queries;
    size_t at, top;
    bool good;
} comparison;

static bool compare(void *context, const char *text, size_t length)
{
    comparison *c = context;
    spar__rankers features = {0};
    spar__letor_rows rows = {0};
    spar__ranking ranking = {0};
    spar__query q = spar__queries_get(c->queries, c->at++);
    c->good = c->good && !spar__letor_parse(text, length, "f", 1, &rows, NULL) &&
              !spar__rankers_rank(&features, &rows, 1, c->top, &ranking) && q.id == rows.id && q.docs == rows.docs &&
              q.depth == ranking.depth && memcmp(q.grade, rows.grade, q.docs) == 0 && ranking.lists <= 24;
    for (size_t r = 0; c->good && r < 24; r++)
        c->good = memcmp(q.first + r * q.depth, r < ranking.lists ? ranking.list + r * q.depth : ranking.tied,
                         q.depth * sizeof *q.first) == 0;
    spar__letor_rows_free(&rows);
    spar__ranking_free(&ranking);
    return c->good;
}

static const spar__generate_options small = {24, 12, 24, 5, 1};

static void write_small(void)
{
    spar__buf text = {0};
    (void)spar__generate(&small, collect, &text, NULL);
    lab_write("data", text.text, text.length);
    spar__buf_free(&text);
}

static void check_contents(void)
{
    const char *path = lab_path("data");
    write_small();
    for (int again = 0; again < 2; again++) {
        spar__queries *q = open_with(options_for(&path));
        ok(q && spar__queries_cached(q) == (again == 1), "%s", again ? "taken from the cache" : "read");
        ok(q && spar__queries_count(q) == 24 && spar__queries_rankers(q) == 24 && spar__queries_top(q) == 10 &&
               spar__queries_grades(q) == 5,
           "24 queries, 24 rankers, top 10, 5 grades");
        same_text(spar__queries_name(q, 23), "f24", "names of features");
        comparison c = {q, 0, 10, true};
        (void)spar__generate(&small, compare, &c, NULL);
        ok(c.good && c.at == 24, "grades and lists are those of each query by itself");
        spar__queries_free(q);
    }
}

static void check_growing(void)
{
    const char *path[] = {lab_path("a"), lab_path("b")};
    lab_text("a", "1 qid:5 1:1\n0 qid:5 1:2\n0 qid:6\n");
    lab_text("b", "2 qid:7 3:1\n0 qid:7 3:2 2:0\n0 qid:7 4:-1\n");
    spar__queries_options options = options_for(path);
    options.paths = 2;
    spar__queries *q = open_with(options);
    ok(q && spar__queries_count(q) == 3 && spar__queries_rankers(q) == 4 && spar__queries_grades(q) == 3,
       "two files, features that come late");
    spar__query a = spar__queries_get(q, 0), b = spar__queries_get(q, 1), c = spar__queries_get(q, 2);
    ok(a.id == 5 && a.docs == 2 && a.first[0] == 1 && a.first[1] == 0, "sorted by the one it has");
    ok(!memcmp(a.first + 2, a.first + 4, 4) && !memcmp(a.first + 2, a.first + 6, 4) && a.first[2] + a.first[3] == 1,
       "ties broken alike for those it has not");
    ok(b.docs == 1 && b.depth == 1 && !b.first[0] && !b.first[3], "one document is every ranker's first");
    ok(c.docs == 3 && c.first[6] == 1 && c.first[7] == 0 && c.first[8] == 2 && c.first[11] == 2,
       "a missing feature is zero: before it less, behind it more");
    spar__queries_free(q);
    options.path = path + 1;
    options.paths = 1;
    ok(opens(options, false, NULL), "each first file has a cache of its own");
    options.path = path;
    ok(opens(options, false, "made again: it was made from 2 files, not 1"), "and another set of files another one");
}

static void check_reasons(void)
{
    const char *path = lab_path("data");
    char cache[1000];
    (void)snprintf(cache, sizeof cache, "%s.spar-cache", path);
    write_small();
    (void)remove(cache);
    spar__queries_options options = options_for(&path);
    ok(opens(options, false, NULL) && opens(options, true, NULL), "made once, used twice");
    struct timespec past[2] = {{1000000000, 5}, {1000000000, 5}};
    ok(!utimensat(AT_FDCWD, path, past, 0), "another time");
    progress_calls = 0;
    ok(opens(options, true, NULL) && progress_calls > 0, "but the same bytes: used after looking");

    spar__buf text = {0};
    char why[900];
    (void)spar__file_read(path, 0, &text, NULL);
    text.text[text.length - 2] = text.text[text.length - 2] == '1' ? '2' : '1';
    lab_write("data", text.text, text.length);
    (void)snprintf(why, sizeof why, "made again: %s has changed", path);
    ok(opens(options, false, why), "another byte, the same size");
    struct timespec now[2] = {{4000000000, 5}, {4000000000, 5}};
    (void)utimensat(AT_FDCWD, path, now, 0);
    ok(opens(options, true, NULL), "the same again");
    text.text[text.length - 2] ^= 3;
    lab_write("data", text.text, text.length);
    (void)utimensat(AT_FDCWD, path, now, 0);
    ok(opens(options, false, why), "and another byte");
    text.text[text.length - 2] ^= 3;
    lab_write("data", text.text, text.length);
    (void)utimensat(AT_FDCWD, path, now, 0);
    ok(opens(options, false, why), "even within one tick of the clock: a file as young as that is looked into");
    lab_write("data", text.text, text.length - 1);
    ok(opens(options, false, why) && opens(options, true, NULL), "another size");
    spar__buf_free(&text);

    options.top = 3;
    ok(opens(options, false, "made again: it was made with top 10, not 3"), "another top");
    options.seed = 2;
    ok(opens(options, false, "made again: it was made with seed 1, not 2") && opens(options, true, NULL),
       "another seed");
    lab_text("weights", "x 1:1 2:0.5\n");
    const char *weights = lab_path("weights");
    options.weights = weights;
    ok(opens(options, false, "made again: it was made for other rankers") && opens(options, true, NULL), "weights");
    lab_text("weights", "renamed 1:1 2:0.5\n");
    ok(opens(options, true, NULL), "other names are no reason");
    options = options_for(&path);
    ok(opens(options, false, "made again: it was made with top 3, not 10"), "back to the first");

    spar__buf image = {0};
    ok(!spar__file_read(cache, 0, &image, NULL) && image.length > 1000, "a cache of %zu bytes", image.length);
    lab_write("data.spar-cache", image.text, image.length / 2);
    ok(opens(options, false, "made again: cache: it is cut short") && opens(options, true, NULL), "half of a cache");
    image.text[image.length / 2] ^= 1;
    lab_write("data.spar-cache", image.text, image.length);
    ok(opens(options, false, "made again: cache: its checksum is wrong"), "one wrong bit");
    image.text[8]++;
    lab_write("data.spar-cache", image.text, image.length);
    ok(opens(options, false, "made again: it has version 3 of the format, not 2"), "another version");
    lab_text("data.spar-cache", "");
    ok(opens(options, false, "made again: it is empty") && opens(options, true, NULL), "an empty file");
    lab_text("data.spar-cache", "something else");
    ok(opens(options, false, "made again: not a cache of spar"), "something else under its name");
    spar__buf_free(&image);
}

static void check_threads(void)
{
    const char *path = lab_path("wide");
    char cache[1000];
    spar__buf text = {0}, image[2] = {{0}};
    (void)snprintf(cache, sizeof cache, "%s.spar-cache", path);
    (void)spar__generate(&(spar__generate_options){200, 100, 136, 5, 1}, collect, &text, NULL);
    lab_write("wide", text.text, text.length);
    struct timespec past[2] = {{1000000000, 5}, {1000000000, 5}};
    (void)utimensat(AT_FDCWD, path, past, 0); /* so that it is not fresh in one and old in the other */
    for (size_t i = 0; i < 2; i++) {
        spar__queries_options options = options_for(&path);
        options.threads = i ? 5 : 1;
        (void)remove(cache);
        ok(opens(options, false, NULL) && !spar__file_read(cache, 0, &image[i], NULL), "%zu threads", options.threads);
    }
    ok(image[0].length > 100000 && image[0].length == image[1].length &&
           memcmp(image[0].text, image[1].text, image[0].length) == 0,
       "the same bytes for any number of threads");
    spar__buf_free(&image[0]);
    spar__buf_free(&image[1]);
    text.text[text.length - 2] = 'x';
    *(strchr(text.text + text.length / 2, '\n') + 1) = 'y';
    lab_write("wide", text.text, text.length);
    spar__queries_options options = options_for(&path);
    options.threads = 5;
    ok(refused(options, SPAR_PARSE, "found 'y'"), "of two mistakes the first is told");
    spar__buf_free(&text);
    (void)remove(path);
    (void)remove(cache);
}

static void check_places(void)
{
    const char *path = lab_path("data"), *elsewhere = lab_path("elsewhere");
    spar__queries_options options = options_for(&path);
    write_small();
    (void)remove(lab_path("data.spar-cache"));
    int before = lab_files();
    options.cache = "";
    ok(opens(options, false, NULL) && opens(options, false, NULL) && lab_files() == before,
       "kept nowhere if so wished");
    options.cache = elsewhere;
    spar__queries *q = open_with(options);
    ok(q && !spar__queries_cached(q) && lab_files() == before + 1, "or at a place of choice");
    spar__queries_free(q);
    q = open_with(options);
    ok(q && spar__queries_cached(q), "and found there");
    spar__queries_free(q);
    lab_text("precious", "not a cache, and not to be lost\n");
    const char *precious = lab_path("precious");
    options.cache = precious;
    ok(refused(options, SPAR_IO, "precious: exists and is not a cache: not overwritten"), "no file is lost by a slip");
    options.cache = path;
    ok(refused(options, SPAR_IO, "data: exists and is not a cache: not overwritten"), "least of all the data");
    const char *nowhere = lab_path("no/such/folder");
    options.cache = nowhere;
    ok(refused(options, SPAR_IO, "no/such/folder: cannot write: No such file"), "a place that is none");
    const char *fifo = lab_path("fifo");
    options.cache = fifo;
    ok(mkfifo(fifo, 0600) == 0 && refused(options, SPAR_IO, "fifo: is not a regular file") && remove(fifo) == 0,
       "a FIFO is neither read nor replaced");
    const char *link = lab_path("link");
    struct stat info;
    options.cache = link;
    ok(symlink("elsewhere", link) == 0 && opens(options, true, NULL) && remove(elsewhere) == 0 &&
           opens(options, false, NULL) && lstat(link, &info) == 0 && S_ISLNK(info.st_mode) && remove(link) == 0 &&
           access(elsewhere, R_OK) == 0,
       "a symbolic link stays, and what it points to is written");
    ok(lab_files() == before + 2, "and nothing else is left behind");

    /* A folder where nothing can be written, whoever we are. */
    char handle[64];
    int fd = open(path, O_RDONLY);
    (void)snprintf(handle, sizeof handle, "/proc/self/fd/%d", fd);
    path = handle;
    options = options_for(&path);
    if (access(handle, R_OK)) {
        skip("no /proc");
    } else {
        q = open_with(options);
        ok(q && spar__queries_count(q) == 24 && strstr(noted, ".spar-cache: not kept, cannot write: "),
           "where it cannot be kept it is used all the same: %s", noted);
        spar__queries_free(q);
    }
    (void)close(fd);
}

static void check_input(void)
{
    const char *path = "-";
    int kept = dup(STDIN_FILENO), fd = open(lab_path("data"), O_RDONLY), before = lab_files();
    (void)dup2(fd, STDIN_FILENO);
    (void)close(fd);
    spar__queries *q = open_with(options_for(&path));
    ok(q && spar__queries_count(q) == 24 && !noted[0] && lab_files() == before, "standard input is read, and not kept");
    spar__queries_free(q);
    (void)lseek(STDIN_FILENO, 0, SEEK_SET);
    const char *cache = lab_path("of-input");
    spar__queries_options options = options_for(&path);
    options.cache = cache;
    q = open_with(options);
    ok(q && strstr(noted, "of-input: not made: not all sources are files") && lab_files() == before,
       "not even if so wished, which is said");
    spar__queries_free(q);
    (void)dup2(kept, STDIN_FILENO);
    (void)close(kept);
}

static void check_killed(void)
{
    const char *path = lab_path("data");
    write_small();
    (void)remove(lab_path("data.spar-cache"));
    int before = lab_files(), state = 0;
    (void)fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        spar__queries *q;
        spar__queries_options options = options_for(&path);
        kill_at = 100;
        (void)spar__queries_open(&options, &q, NULL);
        _exit(0);
    }
    ok(child > 0 && waitpid(child, &state, 0) == child && WIFSIGNALED(state), "killed while reading");
    ok(lab_files() == before, "leaves nothing");
    ok(opens(options_for(&path), false, NULL) && opens(options_for(&path), true, NULL), "and the next one begins anew");
    (void)remove(lab_path("data.spar-cache"));
    stop_at = 1;
    ok(refused(options_for(&path), SPAR_INTERRUPTED, "data: interrupted") && lab_files() == before,
       "stopped, it leaves nothing");
    stop_at = 0;
}

static void check_refusals(void)
{
    const char *path = lab_path("bad");
    spar__queries_options options = options_for(&path);
    lab_text("bad", "");
    ok(refused(options, SPAR_PARSE, "bad: no documents in it"), "an empty file");
    lab_text("bad", "# only words\n");
    ok(refused(options, SPAR_PARSE, "bad: no documents in it"), "no documents");
    lab_text("bad", "1 qid:1\n");
    ok(refused(options, SPAR_PARSE, "bad: no features in it"), "no features");
    lab_text("bad", "1 qid:1 1:1\n1 qid:2 1:1\n\n1 qid:2 1:1 7:\n");
    ok(refused(options, SPAR_PARSE, "bad:4:15: expected a finite number as feature 7, found the end of the line"),
       "a line that breaks off");
    lab_text("bad", "1 qid:1 1:1\n1 qid:2 1:x\n1 qid:1 1:1\n");
    ok(refused(options, SPAR_PARSE, "bad:2:11: expected"), "the first mistake is told");
    lab_text("bad", "1 qid:1 1:1\n1 qid:2 1:0\n1 qid:1 1:1\n");
    ok(refused(options, SPAR_PARSE, "bad:3:3: query 1 again"), "a query that comes again");
    lab_text("bad", "1 qid:1 1:1\nx qid:2 1:0\n1 qid:1 1:1\n");
    ok(refused(options, SPAR_PARSE, "bad:2:1: expected a grade"), "a line that is none");
    path = lab_path("none");
    ok(refused(options, SPAR_IO, "none: cannot open"), "no file");
    path = lab_path("data");
    options.top = 1001;
    ok(refused(options, SPAR_INVALID, "top is 1001, expected 1 to 1000"), "too many to keep");
    options.top = 0;
    lab_text("names", "one\ntwo\n");
    const char *names = lab_path("names");
    options.names = names;
    ok(refused(options, SPAR_INVALID, "names: 2 names, but there are 24 features"), "too few names");
    options.weights = names;
    ok(refused(options, SPAR_INVALID, "names of features cannot be combined with weights"), "names and weights");
    spar__buf text = {0};
    for (int i = 0; i < 30; i++)
        spar__buf_printf(&text, "feature %d\n", i);
    lab_text("names", text.text);
    spar__buf_free(&text);
    options.weights = NULL;
    spar__queries *q = open_with(options);
    ok(q && !strcmp(spar__queries_name(q, 23), "feature 23"), "more names than features do no harm");
    spar__queries_free(q);
    lab_text("weights", "down 2:-1\nup 2:1\n");
    const char *weights = lab_path("weights");
    options.names = NULL;
    options.weights = weights;
    q = open_with(options);
    ok(q && spar__queries_rankers(q) == 2 && !strcmp(spar__queries_name(q, 1), "up"), "weights have names");
    spar__queries_free(q);
}

static void check_starved(void)
{
    const char *path = lab_path("tiny");
    lab_text("tiny", "1 qid:1 1:1\n1 qid:2 1:1\n0 qid:2 2:1\n");
    size_t k = 1, refused_times = 0;
    for (bool whole = false; !whole; k++) {
        spar__queries *q = NULL;
        spar__queries_options options = options_for(&path);
        options.note = NULL;
        (void)remove(lab_path("tiny.spar-cache"));
        spar__alloc_fail_at(k);
        spar_status status = spar__queries_open(&options, &q, NULL);
        whole = spar__alloc_count() < k;
        spar__alloc_fail_at(0);
        refused_times += status == SPAR_NOMEM || status == SPAR_IO;
        spar__queries_free(q);
    }
    ok(refused_times + 5 >= k && refused_times > 20, "allocations may fail: %zu of %zu do harm", refused_times, k - 2);
}

static void check_real(void)
{
    char path[4096];
    const char *data = getenv("SPAR_DATA"), *paths = path;
    (void)snprintf(path, sizeof path, "%s/mq2008/train.txt", data ? data : "");
    if (!data || access(path, R_OK)) {
        skip("no mq2008/train.txt in SPAR_DATA");
        return;
    }
    const char *cache = lab_path("mq2008");
    for (int again = 0; again < 2; again++) {
        spar__queries_options options = options_for(&paths);
        options.cache = cache;
        struct timespec from, to;
        (void)clock_gettime(CLOCK_MONOTONIC, &from);
        spar__queries *q = open_with(options);
        (void)clock_gettime(CLOCK_MONOTONIC, &to);
        size_t docs = 0;
        for (size_t i = 0; q && i < spar__queries_count(q); i++)
            docs += spar__queries_get(q, i).docs;
        ok(q && docs == 9630 && spar__queries_count(q) == 471 && spar__queries_rankers(q) == 46 &&
               spar__queries_grades(q) == 3 && spar__queries_cached(q) == (again == 1),
           "MQ2008: 9630 documents of 471 queries, 46 features, 3 grades");
        printf("# %s in %.3f s\n", again ? "opened again" : "read and cached",
               (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec));
        spar__queries_free(q);
    }
}

int main(void)
{
    lab_open();
    check_contents();
    check_growing();
    check_reasons();
    check_threads();
    check_places();
    check_input();
    check_killed();
    check_refusals();
    check_starved();
    check_real();
    lab_close();
    return done();
}
