#include "env/ranker_matrix.h"

#include "base/file.h"
#include "env/letor.h"
#include "rank/exact.h"

#include <sys/stat.h>

typedef struct bench {
    spar__desk desk;
    spar__ranker_matrix_options options;
    spar__ranker_matrix made;
} bench;

static bench open_seeded(const char *data, const char *click, const char *mix, uint64_t seed)
{
    bench b = {0};
    const char *path = in_folder(data);
    spar__queries_options options = {.path = &path, .paths = 1, .cache = "", .top = 6, .seed = seed, .threads = 1};
    if (spar__queries_open(&options, &b.desk.queries, NULL) || spar__mixer_new(mix, &b.desk.mixer, NULL) ||
        spar__click_new(click, spar__queries_grades(b.desk.queries), 6, &b.desk.click, NULL))
        exit(1);
    b.options = (spar__ranker_matrix_options){.draws = 50, .seed = 1, .threads = 1, .keep = in_folder("$/kept")};
    return b;
}

static bench open_bench(const char *data, const char *click, const char *mix)
{
    return open_seeded(data, click, mix, 1);
}

static spar_status make(bench *b)
{
    b->options.desk = &b->desk;
    spar__ranker_matrix_free(&b->made);
    return spar__ranker_matrix_make(&b->options, &b->made, NULL);
}

static void close_bench(bench *b)
{
    spar__ranker_matrix_free(&b->made);
    spar__queries_free(b->desk.queries);
    spar__click_free(b->desk.click);
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
    b.options.keep = NULL;
    size_t n = spar__queries_rankers(b.desk.queries), queries = spar__queries_count(b.desk.queries);
    double *p = calloc(n * n, sizeof *p), worst = 0, spread = 0;
    spar__exact *exact = NULL;
    ok(make(&b) == SPAR_OK && b.made.exact && !b.made.kept && !b.made.file && b.made.tally->queries == queries &&
           !spar__exact_new(b.desk.click, 6, &exact),
       "%s: made, not kept", click);
    spar__tally_read(b.made.tally, p, NULL, NULL);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double mean = 0;
            for (size_t q = 0; q < queries; q++) {
                spar__query query = spar__queries_get(b.desk.queries, q);
                spar__exact_query(exact, query.grade, query.depth);
                spar__exact_first(exact, query.first + i * query.depth);
                mean += spar__outcome_p(spar__exact_second(exact, query.first + j * query.depth)) / (double)queries;
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
    ok(make(&b) == SPAR_OK && b.made.kept && b.made.file, "kept in a file");
    char *path = strdup(b.made.file);
    ino_t first = inode(path);
    uint64_t sum = b.made.tally->sum[3];
    ok(make(&b) == SPAR_OK && b.made.kept && inode(path) == first && b.made.tally->sum[3] == sum,
       "a second start takes the file");

    bench other = open_bench("$/data", "navigational", "team_draft"),
          drawn = open_bench("$/data", "perfect", "optimised");
    ok(make(&other) == SPAR_OK && inode(other.made.file) != first && inode(path) == first && other.made.exact,
       "another click model has another file");
    ok(make(&drawn) == SPAR_OK && inode(drawn.made.file) != inode(other.made.file) && !drawn.made.exact,
       "and another mix, which is drawn");
    drawn.options.draws = 51;
    ino_t fifty = inode(drawn.made.file);
    ok(make(&drawn) == SPAR_OK && inode(drawn.made.file) != fifty, "more draws, another file");
    close_bench(&other);
    close_bench(&drawn);

    other = open_bench("$/data2", "perfect", "team_draft");
    ok(make(&other) == SPAR_OK && strcmp(other.made.file, path) == 0 && inode(path) != first &&
           other.made.tally->sum[3] != sum,
       "other data of the same shape are not taken for these");
    close_bench(&other);
    (void)make(&b);
    first = inode(path);
    other = open_seeded("$/data", "perfect", "team_draft", 2);
    ok(make(&other) == SPAR_OK && strcmp(other.made.file, path) == 0 && inode(path) != first,
       "nor other lists of the same documents");
    close_bench(&other);
    ok(make(&b) == SPAR_OK && b.made.tally->sum[3] == sum, "and the first are computed again");
    free(path);
    close_bench(&b);
}

static void check_damage(void)
{
    bench b = open_bench("$/data", "informational", "team_draft");
    (void)make(&b);
    spar__buf whole = {0};
    (void)spar__file_read(b.made.file, 0, &whole, NULL);
    char *path = strdup(b.made.file);
    uint64_t sum = b.made.tally->sum[5];
    size_t taken = 0, wrong = 0, tries = 0;
    for (size_t cut = 0; cut < whole.length; cut += 41, tries++) {
        ino_t before;
        spar__buf bad = {0};
        spar__buf_add(&bad, whole.text, whole.length);
        bad.text[cut] = (char)(bad.text[cut] ^ 4);
        (void)spar__file_write(path, bad.text, cut % 2 ? bad.length : cut, NULL);
        before = inode(path);
        wrong += make(&b) != SPAR_OK || b.made.tally->sum[5] != sum || b.made.tally->queries == 0;
        taken += inode(path) == before;
        spar__buf_free(&bad);
    }
    ok(tries > 5 && !taken && !wrong, "%zu damaged files are made again", tries);
    spar__buf_free(&whole);
    free(path);
    b.options.keep = in_folder("$/no/such/place");
    ok(make(&b) == SPAR_OK && !b.made.kept, "what can not be written is not kept");
    b.options.must_keep = true;
    ok(make(&b) == SPAR_IO && !b.made.tally && !b.made.file, "unless it must be");
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
    check_damage();
    letor_close();
    return done();
}
