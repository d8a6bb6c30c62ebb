/* The same checks over every environment and every kind of feedback. */
#include "base/buf.h"
#include "base/file.h"
#include "env/env.h"
#include "env/lab.h"

#include "posterior/stat.h"

#include <glob.h>
#include <unistd.h>

enum { SPECS = 64, ROUNDS = 60, MOST_ARMS = 64 };
static char env_spec[SPECS][256], feedback_spec[SPECS][64];
static size_t n_envs, n_feedbacks;

static void add_env(const char *format, const char *path)
{
    if (n_envs < SPECS)
        (void)snprintf(env_spec[n_envs++], sizeof env_spec[0], format, path);
}

/* A class that is not listed here stands for itself, when its defaults suffice. */
static void find_envs(const char *path)
{
    for (size_t i = 0; i < spar__n_env_classes; i++) {
        const char *name = spar__env_classes[i]->entry.name;
        spar_env *env = NULL;
        if (strcmp(name, "utility") == 0) {
            add_env("utility", path);
            add_env("utility(set=arith,link=logit,k=6)", path);
            add_env("utility(set=uniform,link=natural,k=5)", path);
            add_env("utility(values=0.9:0.5:0.4:0.1,x=0:1:2:3,ties=0.5)", path);
        } else if (strcmp(name, "matrix") == 0) {
            add_env("matrix(file=\"%s\")", path);
            add_env("matrix(file=\"%s\",subset=3)", path);
            add_env("matrix(files=\"%1$s:%1$s\",every=10,ties=1)", path);
        } else if (strcmp(name, "rewards") == 0) {
            add_env("rewards(mu=0.8:0.5:0.2:0.1)", path);
        } else if (strcmp(name, "function") == 0) {
            add_env("function(points=12)", path);
            add_env("function(name=camel,points=5,ties=0.2)", path);
            add_env("function(name=gp,points=8)", path);
        } else if (strcmp(name, "rankers") == 0) {
            add_env("rankers(data=\"%1$s.letor\",cache=\"%1$s.cache\",subset=3,threads=1,tie=half)", path);
        } else if (strcmp(name, "voters") == 0) {
            add_env("voters(file=\"%s.toi\")", path);
        } else if (strcmp(name, "votes") == 0) {
            add_env("votes(file=\"%s.csv\",complete=1)", path);
        } else if (spar_env_new(name, &env, NULL) == SPAR_OK) {
            add_env(name, path);
        } else {
            skip("an environment that needs a spec of its own");
        }
        spar_env_free(env);
    }
    for (size_t i = 0; i < spar__n_feedback_classes && i < SPECS; i++)
        (void)snprintf(feedback_spec[n_feedbacks++], sizeof feedback_spec[0], "%s",
                       spar__feedback_classes[i]->entry.name);
}

/* Rankers of a few queries, read once here so that reading is not what the checks below are about. */
static void write_letor(const char *path)
{
    char name[64], spec[256];
    spar__buf text = {0};
    for (size_t q = 0; q < 6; q++)
        for (size_t d = 0; d < 5; d++) {
            size_t x = 7 * q + 3 * d + d * d;
            spar__buf_printf(&text, "%zu qid:%zu 1:%zu 2:%zu 3:%zu 4:%zu 5:%zu\n", x % 3, q, x % 3, (x + q) % 4, x % 5,
                             (2 * x + q) % 7, (x / 2) % 3);
        }
    (void)snprintf(name, sizeof name, "%s.letor", path);
    (void)snprintf(spec, sizeof spec, "rankers(data=\"%s.letor\",cache=\"%s.cache\",subset=2)", path, path);
    spar_env *env = NULL;
    spar_error err = {0};
    if (spar__file_write(name, text.text, text.length, NULL) || spar_env_new(spec, &env, &err)) {
        printf("Bail out! %s\n", err.text);
        exit(1);
    }
    spar_env_free(env);
    spar__buf_free(&text);
}

/* People who order four things, and people who compared two of them. */
static void write_recorded(const char *path)
{
    static const char ballots[] = "# DATA TYPE: toi\n# NUMBER ALTERNATIVES: 4\n"
                                  "9: 1,2,3,4\n4: 2,{1,4},3\n3: 1,3\n2: 4,2,1\n1: 3\n";
    static const char votes[] = "model_a,model_b,winner\na,b,model_a\na,b,tie\na,c,model_a\nc,a,model_a\na,c,model_a\n"
                                "b,c,model_b\nb,c,tie\nd,a,model_b\nd,b,tie\nd,b,model_a\nd,c,model_a\nd,c,model_b\n"
                                "a,e,model_b\n";
    char name[64];
    (void)snprintf(name, sizeof name, "%s.toi", path);
    spar_status status = spar__file_write(name, ballots, sizeof ballots - 1, NULL);
    (void)snprintf(name, sizeof name, "%s.csv", path);
    if (status || spar__file_write(name, votes, sizeof votes - 1, NULL))
        exit(1);
}

static void remove_all(const char *path)
{
    glob_t files;
    char pattern[64];
    (void)snprintf(pattern, sizeof pattern, "%s*", path);
    if (glob(pattern, 0, NULL, &files) == 0)
        for (size_t i = 0; i < files.gl_pathc; i++)
            (void)unlink(files.gl_pathv[i]);
    globfree(&files);
}

static spar_world *world_of(const spar_env *env, uint64_t seed, uint64_t run)
{
    spar_world *world = NULL;
    spar_error err = {0};
    if (spar_world_new(env, seed, run, &world, &err)) {
        printf("Bail out! %s\n", err.text);
        exit(1);
    }
    return world;
}

static bool same_world(const spar_world *a, const spar_world *b)
{
    size_t n = spar_world_arms(a)->n;
    bool same = n == spar_world_arms(b)->n && spar_world_best(a, 1) == spar_world_best(b, 1);
    for (size_t i = 0; same && i < n; i++) {
        same &= spar_world_gap(a, 1, i) == spar_world_gap(b, 1, i);
        for (size_t j = 0; j < n; j++)
            same &= spar_world_prefer(a, 1, i, j) == spar_world_prefer(b, 1, i, j);
    }
    return same;
}

static bool sound(const spar_world *world, uint64_t t, bool plain)
{
    size_t n = spar_world_arms(world)->n, best = spar_world_best(world, t);
    bool good = best < n && spar_world_gap(world, t, best) == 0;
    for (size_t i = 0; i < n; i++) {
        good &= spar_world_gap(world, t, i) >= 0;
        for (size_t j = 0; !plain && j < n; j++) {
            double p = spar_world_prefer(world, t, i, j);
            good &= p >= 0 && p <= 1 && fabs(p + spar_world_prefer(world, t, j, i) - 1) <= 1e-15;
            good &= i != j || p == 0.5;
        }
        if (!plain)
            good &= fabs(spar_world_gap(world, t, i) - (spar_world_prefer(world, t, best, i) - 0.5)) < 1e-15;
    }
    return good;
}

static void sorted_gaps(const spar_world *world, double *gap)
{
    size_t n = spar_world_arms(world)->n;
    for (size_t i = 0; i < n; i++)
        gap[i] = spar_world_gap(world, 1, i);
    qsort(gap, n, sizeof *gap, by_value);
}

static void check_worlds(const char *spec)
{
    spar_env *env = NULL;
    spar_error err = {0};
    if (!ok(spar_env_new(spec, &env, &err) == SPAR_OK, "%s %s", spec, err.text))
        return;
    spar_world *a = world_of(env, 5, 1), *b = world_of(env, 5, 1);
    ok(same_world(a, b), "%s: the same seed and run, the same world", spec);
    ok(sound(a, 1, spar_env_plain(env)) && sound(a, 11, spar_env_plain(env)), "%s: P + P^T = 1, and no gap is negative",
       spec);
    size_t n = spar_world_arms(a)->n, moved = 0, reseeded = 0;
    bool fixed = !strstr(spec, "uniform") && !strstr(spec, "subset") && !strstr(spec, "gp"), gaps = true;
    double first[MOST_ARMS], other[MOST_ARMS], where[MOST_ARMS] = {0}, even[MOST_ARMS];
    sorted_gaps(a, first);
    for (uint64_t run = 0; run < 600; run++) {
        spar_world *w = world_of(env, 5, run);
        spar_world *v = world_of(env, 6, run);
        moved += run != 1 && !same_world(a, w);
        reseeded += !same_world(w, v);
        sorted_gaps(w, other);
        gaps &= memcmp(first, other, n * sizeof *first) == 0;
        where[spar_world_best(w, 1)]++;
        spar_world_free(w);
        spar_world_free(v);
    }
    for (size_t i = 0; i < n; i++)
        even[i] = 1 / (double)n;
    ok(moved > 400 && reseeded > 400, "%s: other runs and seeds are other worlds", spec);
    ok(!fixed || gaps, "%s: labels are permuted, the gaps stay", spec);
    ok(fit_sigma(n, where, even) < 5, "%s: every label is the best equally often", spec);
    spar_world_free(a);
    spar_world_free(b);
    spar_env_free(env);
}

/* Round t with arms that depend on t and on `shift`. */
static void ask(lab *l, uint64_t t, size_t m, size_t shift)
{
    size_t arm[4];
    for (size_t j = 0; j < m; j++)
        arm[j] = (size_t)(t * (j + 1) + shift * j) % l->world->n;
    if (lab_ask(l, t, m, arm))
        abort();
}

static bool same_answer(const lab *a, const lab *b)
{
    size_t m = a->feedback->m;
    bool same = m == b->feedback->m && memcmp(a->feedback->outcome, b->feedback->outcome, m * m) == 0;
    for (size_t j = 0; j < m; j++)
        same &= a->feedback->rewarded[j] == b->feedback->rewarded[j] &&
                (!a->feedback->rewarded[j] || a->feedback->reward[j] == b->feedback->reward[j]);
    return same;
}

static bool antisymmetric(const spar_feedback *f)
{
    bool good = true;
    for (size_t j = 0; j < f->m; j++)
        for (size_t k = 0; k < f->m; k++) {
            spar_outcome x = spar_feedback_get(f, j, k), y = spar_feedback_get(f, k, j);
            good &= j == k ? x == SPAR_MISSING : x == SPAR_MISSING ? y == SPAR_MISSING : x + y == SPAR_WIN + SPAR_LOSS;
        }
    return good;
}

static void check_answers(const char *env, const char *feedback)
{
    lab a, b;
    spar_error err = {0};
    spar_status status = lab_try(&a, env, feedback, &err);
    if (status) {
        ok(status == SPAR_UNSUPPORTED && strstr(err.text, feedback), "%s, %s: refused: %s", env, feedback, err.text);
        return;
    }
    b = lab_open(env, feedback);
    size_t m = spar_env_plain(a.env) ? 1 : 4, differ = 0, heard = 0;
    bool same = true, whole = true;
    for (uint64_t t = 1; t <= ROUNDS; t++) {
        ask(&a, t, m, 0);
        heard += !spar_feedback_empty(a.feedback);
        whole &= antisymmetric(a.feedback);
        ask(&b, ROUNDS + t, m, 1); /* what was asked before does not matter */
        ask(&b, t, m, 0);
        same &= same_answer(&a, &b);
    }
    spar_world_free(b.world);
    b.world = world_of(b.env, 7, 4);
    for (uint64_t t = 1; t <= ROUNDS; t++) {
        ask(&a, t, m, 0);
        ask(&b, t, m, 0);
        differ += !same_answer(&a, &b);
    }
    ok(same, "%s, %s: the same world and round, the same answer", env, feedback);
    ok(differ > ROUNDS / 6, "%s, %s: another run, other answers", env, feedback);
    ok(whole && heard > ROUNDS / 3, "%s, %s: answers do not contradict themselves", env, feedback);
    lab_close(&a);
    lab_close(&b);
    lab_starve(env, feedback);
}

int main(void)
{
    static const char matrix[] = "0.5 0.8 0.7 0.9\n0.2 0.5 0.6 0.6\n0.3 0.4 0.5 0.7\n0.1 0.4 0.3 0.5\n";
    char path[] = "contract_env_XXXXXX";
    int file = mkstemp(path);
    if (file < 0 || write(file, matrix, sizeof matrix - 1) != (ssize_t)(sizeof matrix - 1) || close(file))
        abort();
    write_letor(path);
    write_recorded(path);
    find_envs(path);
    for (size_t i = 0; i < n_envs; i++) {
        check_worlds(env_spec[i]);
        for (size_t k = 0; k < n_feedbacks; k++)
            check_answers(env_spec[i], feedback_spec[k]);
    }
    remove_all(path);
    return done();
}
