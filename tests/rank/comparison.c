#include "rank/comparison.h"

#include "base/alloc.h"
#include "env/letor.h"
#include "rank/golden.h"

#include <sys/stat.h>

typedef struct bench {
    spar__interleaving lists;
    spar__comparison_options options;
    char file[300];
    spar__tally *tally;
    char note[600]; /* the last one */
} bench;

static void take_note(void *context, const char *sentence)
{
    bench *b = context;
    (void)snprintf(b->note, sizeof b->note, "%s", sentence);
}

static bench open_seeded(const char *data, const char *click, const char *mix, uint64_t seed)
{
    bench b = {0};
    const char *path = in_folder(data);
    spar__queries_options options = {.path = &path, .paths = 1, .cache = "", .top = 6, .seed = seed, .threads = 1};
    if (spar__interleaving_open(mix, click, &options, &b.lists, NULL))
        exit(1);
    b.options = (spar__comparison_options){.how = {.seed = 1, .threads = 1}, .mix = mix, .click = click};
    b.options.how.draws = strcmp(mix, "team_draft") == 0 ? 0 : 50;
    (void)snprintf(b.file, sizeof b.file, "%s", in_folder("$/kept"));
    return b;
}

static bench open_bench(const char *data, const char *click, const char *mix)
{
    return open_seeded(data, click, mix, 1);
}

static spar_status make(bench *b)
{
    b->options.how.of = &b->lists;
    b->options.file = b->file[0] ? b->file : NULL;
    b->options.note = take_note;
    b->options.context = b;
    b->note[0] = '\0';
    spar__tally_free(b->tally);
    return spar__comparison_run(&b->options, &b->tally, NULL);
}

static void close_bench(bench *b)
{
    spar__tally_free(b->tally);
    spar__interleaving_close(&b->lists);
}

/* A file that is written gets a new inode. */
static ino_t inode(const char *path)
{
    struct stat info = {0};
    return path && stat(path, &info) == 0 ? info.st_ino : 0;
}

/* Straight from the definition. */
static void check_numbers(const char *click)
{
    bench b = open_bench("$/data", click, "team_draft");
    b.file[0] = '\0';
    size_t n = spar__queries_rankers(b.lists.queries), queries = spar__queries_count(b.lists.queries);
    double *p = calloc(n * n, sizeof *p), worst = 0, spread = 0;
    spar__exact *exact = NULL;
    ok(make(&b) == SPAR_OK && access(b.file, F_OK) != 0 && b.tally->queries == queries &&
           !spar__exact_new(b.lists.click, 6, &exact),
       "%s: made, not kept", click);
    spar__tally_read(b.tally, p, NULL, NULL);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double mean = 0;
            for (size_t q = 0; q < queries; q++) {
                spar__query query = spar__queries_get(b.lists.queries, q);
                spar__exact_query(exact, query.grade, query.depth);
                spar__exact_first(exact, query.first + i * query.depth);
                mean += spar__duel_odds_p(spar__exact_second(exact, query.first + j * query.depth)) / (double)queries;
            }
            worst = fmax(worst, fabs(mean - p[i * n + j]));
            spread = fmax(spread, fabs(mean - 0.5));
        }
    ok(worst < 1e-11 && spread > 0.05, "%s: P is the mean over queries (off by %.1e)", click, worst);
    spar__exact_free(exact);
    free(p);
    close_bench(&b);
}

static void check_kept(void)
{
    bench b = open_bench("$/data", "perfect", "team_draft");
    ok(make(&b) == SPAR_OK && access(b.file, F_OK) == 0 && !b.note[0], "kept in a file");
    ino_t first = inode(b.file);
    uint64_t sum = b.tally->sum[3];
    ok(make(&b) == SPAR_OK && access(b.file, F_OK) == 0 && inode(b.file) == first && b.tally->sum[3] == sum &&
           !b.note[0],
       "a second start takes the file");

    static const struct {
        const char *data, *click, *mix;
        size_t draws;
        uint64_t queries_seed, seed;
        const char *why;
    } other[] = {
        {"$/data", "navigational", "team_draft", 0, 1, 1, "click perfect, not navigational"},
        {"$/data", "perfect", "optimised", 50, 1, 1, "mix team_draft, not optimised"},
        {"$/data", "perfect", "team_draft", 50, 1, 1, "0 draws, not 50 (0 is exact)"},
        {"$/data", "perfect", "team_draft", 0, 1, 2, "seed 1, not 2"},
        {"$/data2", "perfect", "team_draft", 0, 1, 1, "other data, rankers or top"},
        {"$/data", "perfect", "team_draft", 0, 2, 1, "other data, rankers or top"},
    };
    for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
        bench c = open_seeded(other[i].data, other[i].click, other[i].mix, other[i].queries_seed);
        c.options.how.draws = other[i].draws;
        c.options.how.seed = other[i].seed;
        (void)make(&b);
        first = inode(b.file);
        ok(make(&c) == SPAR_OK && access(c.file, F_OK) == 0 && inode(c.file) != first &&
               strstr(c.note, ": started over: it was made") && strstr(c.note, other[i].why),
           "%s", c.note);
        close_bench(&c);
    }
    ok(make(&b) == SPAR_OK && b.tally->sum[3] == sum, "and the first is computed again");
    close_bench(&b);
}

/* The file of version 1 is read, and written in the same way. */
static void check_golden(void)
{
    bench b = open_bench("$/data", "perfect", "team_draft");
    (void)snprintf(b.file, sizeof b.file, "%s", in_folder("$/golden"));
    spar__buf golden = golden_read("comparison-1"), written = {0};
    (void)spar__file_write(b.file, golden.text, golden.length, NULL);
    ino_t before = inode(b.file);
    ok(make(&b) == SPAR_OK && access(b.file, F_OK) == 0 && inode(b.file) == before && !b.note[0],
       "a file of version 1 is read %s", b.note);
    (void)remove(b.file);
    (void)make(&b);
    ok(!spar__file_read(b.file, 0, &written, NULL) && golden_same("comparison-1", &written),
       "and its bytes are as they were");
    spar__buf_free(&golden);
    spar__buf_free(&written);
    close_bench(&b);
}

/* Stops after the calls that are left. */
static bool count_down(void *context, uint64_t done_queries, uint64_t total)
{
    bench *b = context;
    (void)total;
    return done_queries < (uint64_t)b->options.how.threads;
}

static void check_stopped(void)
{
    bench b = open_bench("$/data", "perfect", "team_draft");
    (void)snprintf(b.file, sizeof b.file, "%s", in_folder("$/stopped"));
    size_t queries = spar__queries_count(b.lists.queries);
    b.options.progress = count_down;
    spar_status status = make(&b);
    ok(!status && access(b.file, F_OK) == 0 && b.tally->queries >= 1 && b.tally->queries < queries,
       "stopped: %d of %zu queries", status ? 0 : (int)b.tally->queries, queries);
    b.options.progress = NULL;
    ok(make(&b) == SPAR_OK && access(b.file, F_OK) == 0 && b.tally->queries == queries &&
           strstr(b.note, "/stopped: continues after ") && strstr(b.note, " of 30 queries"),
       "%s", b.note);
    uint64_t sum = b.tally->sum[3];
    b.file[0] = '\0';
    ok(make(&b) == SPAR_OK && b.tally->sum[3] == sum, "the same sums as in one go");
    close_bench(&b);
}

static void check_damage(void)
{
    bench b = open_bench("$/data", "informational", "team_draft");
    (void)make(&b);
    spar__buf whole = {0};
    (void)spar__file_read(b.file, 0, &whole, NULL);
    uint64_t sum = b.tally->sum[5];
    size_t taken = 0, wrong = 0, tries = 0;
    for (size_t cut = 0; cut < whole.length; cut += 41, tries++) {
        spar__buf bad = {0};
        spar__buf_add(&bad, whole.text, whole.length);
        bad.text[cut] = (char)(bad.text[cut] ^ 4);
        (void)spar__file_write(b.file, bad.text, cut % 2 ? bad.length : cut, NULL);
        ino_t before = inode(b.file);
        wrong += make(&b) != SPAR_OK || b.tally->sum[5] != sum || b.tally->queries == 0 || !b.note[0];
        taken += inode(b.file) == before;
        spar__buf_free(&bad);
    }
    ok(tries > 5 && !taken && !wrong, "%zu damaged files are made again", tries);
    spar__buf_free(&whole);
    (void)snprintf(b.file, sizeof b.file, "%s", in_folder("$/no/such/place"));
    ok(make(&b) == SPAR_OK && access(b.file, F_OK) != 0 && strstr(b.note, "not kept: "), "%s", b.note);
    b.options.must_keep = true;
    ok(make(&b) == SPAR_IO && !b.tally, "or it is a failure, if it must be kept");
    close_bench(&b);
}

static void check_memory(void)
{
    bench b = open_bench("$/data", "perfect", "team_draft");
    size_t failed = 0;
    (void)snprintf(b.file, sizeof b.file, "%s", in_folder("$/starved"));
    for (size_t k = 1;; k++) {
        (void)remove(b.file);
        if (k % 2)
            (void)make(&b); /* with a file to load, or without */
        spar__alloc_fail_at(k / 2 + 1);
        spar_status status = make(&b);
        spar__alloc_fail_at(0);
        if (!status && k % 2 == 0)
            break;
        failed += status == SPAR_NOMEM && !b.tally;
    }
    ok(failed > 10, "out of memory %zu times", failed);
    close_bench(&b);
}

int main(void)
{
    letor_open();
    letor_generate("$/data", 30, 9, 6, 11);
    letor_generate("$/data2", 30, 9, 6, 12);
    check_numbers("perfect");
    check_numbers("navigational");
    check_kept();
    check_golden();
    check_stopped();
    check_damage();
    check_memory();
    letor_close();
    return done();
}
