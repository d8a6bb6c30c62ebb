/* Saved policies of every version of the format, which must load for ever: tests/golden/VERSION/NAME.spar with the
 * scores beside it in NAME.scores.
 *
 *     test_golden_policies           loads every file of every version and compares the scores
 *     test_golden_policies --write   writes the files of the present version that are missing
 *
 * Files that stand in the tree are never changed. When the format changes, its version is raised (policy/save.c), a new
 * folder is written, and the old ones stay. */
#include "contract/stacks.h"

#include "base/file.h"
#include "policy/saved.h"

#include <dirent.h>
#include <sys/stat.h>

enum { ARMS = 5, MANY = 70, ROUNDS = 12 };

static const double value[MANY] = {0.9, 0.3, 0.5, 0.1, 0.6};

/* Besides every stack of the registries: other ways to hold a belief. */
static const struct {
    const char *name, *spec;
    size_t m;
    enum { FEW, LARGE, SPACE } arms;
} extra[] = {{"ladder", "self_sparring", 4, LARGE},
             {"fraction", "self_sparring(eta=2.5)/thompson/beta(a=0.5,b=0.5)", 2, FEW},
             {"dense", "gp_sparring(backing=dense)", 2, FEW},
             {"matheron", "kernel_self_sparring(backing=matheron,kernel=matern32)", 2, FEW},
             {"grid", "kernel_self_sparring(backing=grid)", 2, FEW},
             {"fit", "kernel_self_sparring(fit=4)", 2, FEW},
             {"box", "kernel_self_sparring", 2, SPACE},
             {"box_duels", "kernel_self_sparring(duels=1,length=0.35,variance=9,fit=4,explore=0.7)", 2, SPACE}};

static spar_arms *arms_of(int kind)
{
    static const double lo = -1, hi = 1;
    static const char *const names[ARMS] = {"apple", "b", "c", "d", "elder"};
    double x[ARMS];
    spar_arms *arms = NULL;
    for (size_t i = 0; i < ARMS; i++)
        x[i] = (double)i / ARMS;
    if (kind == SPACE   ? spar_arms_new_box(1, &lo, &hi, &arms)
        : kind == LARGE ? spar_arms_new(MANY, 0, NULL, NULL, &arms)
                        : spar_arms_new(ARMS, 1, x, names, &arms))
        abort();
    return arms;
}

/* Exact but for Gaussian process and Plackett-Luce beliefs, which may be computed again in another order. */
static double tolerance(const spar_policy *policy)
{
    const char *spec = spar_policy_spec(policy);
    return strstr(spec, "gp") || strstr(spec, "kernel") || strstr(spec, "bopper") || strstr(spec, "pl") ? 1e-9 : 0;
}

static void write_scores(player *p, spar__buf *out)
{
    double score[MANY];
    size_t n = spar_policy_arms(p->policy)->n;
    if (spar_policy_score(p->policy, p->scratch, n, score, NULL))
        abort();
    for (size_t i = 0; i < n; i++)
        spar__buf_printf(out, "%.17g\n", score[i]);
}

static void tell(player *p, spar_rng *luck)
{
    (void)spar_feedback_reset(p->feedback, p->round->m);
    if (spar__arms_continuous(spar_policy_arms(p->policy))) {
        bool first = p->round->x[0] > p->round->x[1];
        (void)spar_feedback_set(p->feedback, 0, 1, first ? SPAR_WIN : SPAR_LOSS);
    } else {
        answer(p, luck, value, 0.1);
    }
    if (spar_policy_learn(p->policy, p->round, p->feedback, NULL))
        abort();
}

static const char *root(void)
{
    const char *tests = getenv("SPAR_TESTS");
    return tests ? tests : "tests";
}

static spar__buf path;

static const char *path_of(unsigned version, const char *name, const char *ending)
{
    spar__buf_clear(&path);
    spar__buf_printf(&path, "%s/golden/%u/%s.%s", root(), version, name, ending);
    return path.text;
}

/* To the path. */
static void write_file(const char *text, size_t length)
{
    spar_error err = {0};
    ok(!spar__file_write(path.text, text, length, &err), "%s %s", path.text, err.text);
}

static void write_one(const char *name, const char *spec, size_t m, int kind)
{
    stack_case c = {.m = m};
    (void)snprintf(c.spec, sizeof c.spec, "%s", spec);
    spar_arms *arms = arms_of(kind);
    player p = player_new(&c, arms, 5, 1000);
    spar_rng luck;
    spar_rng_seed(&luck, 6, 1, 1);
    for (int t = 0; t < ROUNDS; t++)
        if (choose(&p))
            tell(&p, &luck);
    bytes saved = state_of(p.policy);
    unsigned version = spar__get_u32(saved.at + 8);
    struct stat there;
    spar__buf scores = {0};
    spar__buf_clear(&path);
    spar__buf_printf(&path, "%s/golden/%u", root(), version);
    (void)mkdir(path.text, 0777);
    if (stat(path_of(version, name, "spar"), &there) != 0) {
        write_scores(&p, &scores);
        write_file((const char *)saved.at, saved.length);
        (void)path_of(version, name, "scores");
        write_file(scores.text, scores.length);
    }
    spar__buf_free(&scores);
    spar_bytes_free(saved.at);
    player_free(&p);
    spar_arms_free(arms);
}

static void write_all(void)
{
    find_cases();
    for (size_t i = 0; i < n_cases; i++) {
        spar__buf name = {0};
        spar__buf_printf(&name, "%s-m%zu", cases[i].spec, cases[i].m);
        for (char *at = name.text; *at; at++)
            *at = *at == '/' ? '.' : *at;
        write_one(name.text, cases[i].spec, cases[i].m, FEW);
        spar__buf_free(&name);
    }
    for (size_t i = 0; i < sizeof extra / sizeof *extra; i++)
        write_one(extra[i].name, extra[i].spec, extra[i].m, extra[i].arms);
}

static bool same_scores(player *p, const char *wanted, double off)
{
    spar__buf got = {0};
    write_scores(p, &got);
    const char *a = got.text;
    char *a_end, *b_end;
    bool same = true;
    while (same && *a && *wanted) {
        double x = strtod(a, &a_end), y = strtod(wanted, &b_end);
        same = fabs(x - y) <= off * (1 + fabs(y)) && a_end != a && b_end != wanted;
        a = a_end + (*a_end == '\n');
        wanted = b_end + (*b_end == '\n');
    }
    same = same && !*a && !*wanted;
    spar__buf_free(&got);
    return same;
}

/* Loads, has the scores, and goes on. */
static bool is_right(const unsigned char *saved, size_t length, const char *scores, spar_error *err)
{
    player p = {0};
    if (spar_policy_load(saved, length, &p.policy, err))
        return false;
    size_t m = spar_policy_slots(p.policy);
    spar_rng luck;
    spar_rng_seed(&p.rng, 7, 1, 1);
    spar_rng_seed(&luck, 7, 1, 2);
    if (spar_scratch_new(&p.scratch) || spar_round_new(m, &p.round) || spar_feedback_new(m, &p.feedback))
        abort();
    bool right = same_scores(&p, scores, tolerance(p.policy));
    for (int t = 0; right && t < 3; t++) {
        right = choose(&p);
        if (right)
            tell(&p, &luck);
    }
    player_free(&p);
    return right;
}

/* What this version loaded it also saves, to the byte: else the version should have been raised. */
static bool saves_the_same(const spar__buf *file)
{
    spar_policy *policy = NULL;
    if (spar_policy_load((const unsigned char *)file->text, file->length, &policy, NULL))
        return false;
    bytes again = state_of(policy);
    bool same = spar__get_u32(again.at + 8) != spar__get_u32((const unsigned char *)file->text + 8) ||
                (again.length == file->length && memcmp(again.at, file->text, file->length) == 0);
    spar_bytes_free(again.at);
    spar_policy_free(policy);
    return same;
}

static void check_file(unsigned version, const char *name)
{
    spar__buf file = {0}, scores = {0};
    spar_error err = {0};
    spar_status status = spar__file_read(path_of(version, name, "spar"), 0, &file, &err);
    status = status ? status : spar__file_read(path_of(version, name, "scores"), 0, &scores, &err);
    unsigned char *saved = (unsigned char *)file.text;
    ok(!status && is_right(saved, file.length, scores.text, &err), "%s has its scores and goes on %s", name, err.text);
    ok(!status && saves_the_same(&file), "%s: and is saved the same", name);
    size_t length = status ? 0 : saved_drop_cache(saved, file.length);
    ok(!status && is_right(saved, length, scores.text, &err), "%s: the same without caches %s", name, err.text);
    spar__buf_free(&file);
    spar__buf_free(&scores);
}

static size_t check_folder(unsigned version)
{
    size_t found = 0;
    spar__buf_clear(&path);
    spar__buf_printf(&path, "%s/golden/%u", root(), version);
    DIR *dir = opendir(path.text);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        char *dot = strrchr(entry->d_name, '.');
        if (!dot || strcmp(dot, ".spar") != 0)
            continue;
        *dot = '\0';
        check_file(version, entry->d_name);
        found++;
    }
    if (dir)
        (void)closedir(dir);
    return found;
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--write") == 0) {
        write_all();
        spar__buf_free(&path);
        return done();
    }
    stack_case c = {"self_sparring", 2, NULL};
    spar_arms *arms = arms_of(FEW);
    player p = player_new(&c, arms, 1, 1);
    bytes saved = state_of(p.policy);
    unsigned version = spar__get_u32(saved.at + 8);
    for (unsigned v = 1; v <= version; v++)
        ok(check_folder(v) > 50, "version %u has its files", v);
    spar_bytes_free(saved.at);
    player_free(&p);
    spar_arms_free(arms);
    spar__buf_free(&path);
    return done();
}
