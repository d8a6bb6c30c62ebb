#include "rank/letor.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/hash.h"

#include "lab.h"

#include <fcntl.h>
#include <sys/stat.h>

/* All chunks of some files, as "[first line]text|", with windows of that many bytes. */
static spar_status chunks(const char *const *path, size_t n, size_t window, spar__buf *out, spar_error *err)
{
    spar__stream *stream = NULL;
    spar__stream_batch batch;
    spar_status status = spar__stream_new(path, n, NULL, NULL, &stream, err);
    if (status)
        return status;
    spar__stream_window(stream, window);
    while (!(status = spar__stream_next(stream, &batch, err)) && batch.n > 0)
        for (size_t i = 0; i < batch.n; i++)
            spar__buf_printf(out, "[%zu]%.*s|", batch.chunk[i].line, (int)batch.chunk[i].length, batch.chunk[i].text);
    spar__stream_free(stream);
    return status;
}

static void splits(const char *text, const char *wanted)
{
    const char *path = lab_path("data");
    lab_text("data", text);
    bool good = true;
    for (size_t window = 1; window < 80; window++) {
        spar__buf got = {0};
        spar_error err = {0};
        (void)chunks(&path, 1, window, &got, &err);
        good = good && got.text && strcmp(got.text, wanted) == 0;
        if (!good)
            printf("# window %zu, %s: \"%s\"\n", window, err.text, got.text ? got.text : "");
        spar__buf_free(&got);
    }
    ok(good, "%zu bytes are split at the queries, whatever the windows", strlen(text));
}

static void check_splits(void)
{
    splits("1 qid:1 1:1\n0 qid:1 1:2\n", "[1]1 qid:1 1:1\n0 qid:1 1:2\n|");
    splits("1 qid:1 1:1\n0 qid:1 1:2\n0 qid:2\n1 qid:3 1:1",
           "[1]1 qid:1 1:1\n0 qid:1 1:2\n|[3]0 qid:2\n|[4]1 qid:3 1:1\n|");
    splits("# head\n\n1 qid:1\n# mid\n2 qid:2\n\n#end\n", "[1]# head\n\n1 qid:1\n# mid\n|[5]2 qid:2\n\n#end\n|");
    splits("1 qid:0\r\n1 qid:7\r\n", "[1]1 qid:0\r\n|[2]1 qid:7\r\n|");
    splits("", "[1]|");
    splits("\n", "[1]\n|");
    splits("# x", "[1]# x\n|");
}

static void refuses(const char *text, const char *wanted, const char *before)
{
    const char *path = lab_path("data");
    char why[1000];
    lab_text("data", text);
    (void)snprintf(why, sizeof why, "%s%s", path, wanted);
    for (size_t window = 3; window < 100; window += 96) {
        spar__buf got = {0};
        spar_error err = {0};
        ok(chunks(&path, 1, window, &got, &err) == SPAR_PARSE, "refused, window %zu", window);
        same_text(err.text, why, "at its place");
        same_text(got.text ? got.text : "", before, "after what was good, and the line itself for the parser");
        spar__buf_free(&got);
    }
}

static void check_refusals(void)
{
    refuses("1 qid:1\n1 qid:2\n 0 qid:1 1:1\n", ":3:4: query 1 again: its lines must stand together",
            "[1]1 qid:1\n|[2]1 qid:2\n|");
    refuses("1 qid:1\nwrong\n1 qid:2\n", ":2:1: not a line of grade, qid and features", "[1]1 qid:1\nwrong\n|");
    const char *path[] = {lab_path("one"), lab_path("two")};
    lab_text("one", "1 qid:1\n1 qid:2\n");
    lab_text("two", "1 qid:3\n1 qid:2\n");
    spar__buf got = {0};
    spar_error err = {0};
    char why[1000];
    ok(chunks(path, 2, 100, &got, &err) == SPAR_PARSE, "a query in two files");
    (void)snprintf(why, sizeof why, "%s:2:3: query 2 again: its lines must stand together", path[1]);
    same_text(err.text, why, "is named in the second");
    spar__buf_free(&got);
    path[1] = lab_path("none");
    ok(chunks(path, 2, 100, &got, &err) == SPAR_IO && strstr(err.text, "none: cannot open"), "a missing file");
    ok(!got.text, "is missed before anything is read");
    path[1] = lab_folder;
    ok(chunks(path, 2, 100, &got, &err) == SPAR_IO && strstr(err.text, "is a directory"), "a folder is no file");
    ok(chunks(path, 0, 100, &got, &err) == SPAR_INVALID, "no files at all");
    char *zeros = spar__alloc(20 << 20, 1);
    lab_write("zeros", zeros, 20 << 20);
    path[0] = lab_path("zeros");
    ok(chunks(path, 1, 1 << 20, &got, &err) == SPAR_PARSE &&
           strstr(err.text, "zeros:1: a line of more than 16777216 bytes"),
       "a line without end: %s", err.text);
    spar__free(zeros);
    spar__buf_free(&got);
}

typedef struct meter {
    int calls, stop_at;
    uint64_t done, total;
    const char *grow, *touch; /* this file, while it is read */
} meter;

static bool progress(void *context, uint64_t bytes, uint64_t total)
{
    meter *m = context;
    m->done = bytes;
    m->total = total;
    if (m->grow && m->calls == 0) {
        FILE *file = fopen(m->grow, "ab");
        if (file)
            (void)fclose((fputs("2 qid:9\n", file), file));
    }
    struct stat info;
    if (m->touch && m->calls == 0 && !stat(m->touch, &info)) {
        struct timespec later[2] = {info.st_mtim, {info.st_mtim.tv_sec, (info.st_mtim.tv_nsec + 1) % 1000000000}};
        (void)utimensat(AT_FDCWD, m->touch, later, 0);
    }
    return ++m->calls != m->stop_at;
}

static void check_sources(void)
{
    const char *path[] = {lab_path("one"), lab_path("two")};
    spar__stream *stream = NULL;
    spar__stream_batch batch;
    spar_error err = {0};
    meter m = {0};
    lab_text("one", "1 qid:1 1:1\n");
    lab_text("two", "1 qid:3 1:1");
    ok(!spar__stream_new(path, 2, progress, &m, &stream, &err), "two files");
    while (!spar__stream_next(stream, &batch, &err) && batch.n)
        ;
    const spar__source *source = spar__stream_sources(stream);
    ok(m.done == 23 && m.total == 23 && m.calls >= 2, "progress counts their bytes");
    ok(source[0].size == 12 && source[1].size == 11 && source[0].hash == spar__hash_of("1 qid:1 1:1\n", 12) &&
           source[1].hash == spar__hash_of("1 qid:3 1:1", 11),
       "which are hashed as they are");
    struct stat info;
    ok(!stat(path[0], &info) && source[0].seconds == info.st_mtim.tv_sec &&
           source[0].nanoseconds == info.st_mtim.tv_nsec && source[0].regular,
       "with the time of the file");
    spar__stream_free(stream);
    uint64_t hash = 0;
    ok(!spar__source_hash(path[1], NULL, NULL, 0, &hash, &err) && hash == spar__hash_of("1 qid:3 1:1", 11),
       "and can be hashed without being parsed");
    m = (meter){.stop_at = 1};
    ok(!spar__stream_new(path, 2, progress, &m, &stream, &err) &&
           spar__stream_next(stream, &batch, &err) == SPAR_INTERRUPTED && batch.n == 0,
       "progress can stop it");
    spar__stream_free(stream);
    m = (meter){.grow = path[0]};
    ok(!spar__stream_new(path, 1, progress, &m, &stream, &err) && spar__stream_next(stream, &batch, &err) == SPAR_IO,
       "a file that grows while it is read");
    ok(strstr(err.text, "one: changed while it was read"), "is not trusted: %s", err.text);
    spar__stream_free(stream);
    m = (meter){.touch = path[0]};
    ok(!spar__stream_new(path, 1, progress, &m, &stream, &err) && spar__stream_next(stream, &batch, &err) == SPAR_IO,
       "nor one that is written again with the same size");
    spar__stream_free(stream);
    spar__source old = {0};
    const struct timespec past[2] = {{1000000000, 5}, {1000000000, 5}};
    ok(!utimensat(AT_FDCWD, path[1], past, 0) && !spar__source_look(path[1], &old, &err) && !old.fresh,
       "an old file is not fresh");
    lab_text("two", "1 qid:3 1:1");
    ok(!spar__source_look(path[1], &old, &err) && old.fresh, "one just written is");
}

static void check_pipe(void)
{
    const char *path = "-";
    spar_error err = {0};
    spar__buf got = {0};
    int ends[2];
    int kept = dup(STDIN_FILENO);
    ok(!pipe(ends) && write(ends[1], "1 qid:1\n1 qid:2\n1 qid:1\n", 24) == 24, "a pipe");
    (void)close(ends[1]);
    (void)dup2(ends[0], STDIN_FILENO);
    (void)close(ends[0]);
    ok(chunks(&path, 1, 5, &got, &err) == SPAR_PARSE, "on standard input");
    same_text(err.text, "standard input:3:3: query 1 again: its lines must stand together", "is called by that name");
    same_text(got.text, "[1]1 qid:1\n|[2]1 qid:2\n|", "and read");
    spar__buf_free(&got);
    (void)dup2(kept, STDIN_FILENO);
    (void)close(kept);
}

static void check_starved(void)
{
    const char *path = lab_path("data");
    lab_text("data", "1 qid:1 1:1\n1 qid:2 1:1\n");
    size_t k = 1, refused = 0;
    for (bool whole = false; !whole; k++) {
        spar__buf got = {.text = spar__alloc(1000, 1), .capacity = 1000};
        spar__alloc_fail_at(k);
        spar_status status = chunks(&path, 1, 5, &got, NULL);
        whole = spar__alloc_count() < k;
        spar__alloc_fail_at(0);
        refused += status == SPAR_NOMEM;
        spar__buf_free(&got);
    }
    ok(refused == k - 2 && refused >= 5, "each of %zu allocations may fail", refused);
}

int main(void)
{
    lab_open();
    check_splits();
    check_refusals();
    check_sources();
    check_pipe();
    check_starved();
    lab_close();
    return done();
}
