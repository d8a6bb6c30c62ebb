/* Every claim on numbers that were made up so that it holds, holds in part, and does not. */
#include "judged.h"

#include "num/elementary.h"
#include "paper/paper.h"

static spar__paper *workspace(bool quick)
{
    spar__paper_options options = {.quick = quick, .cells = "/nowhere", .seed = 1};
    return workspace_paper(&options);
}

/* A setting with these policies, as a figure would ask for it. */
static void plan(spar__paper *paper, const char *name, const spar__paper_policy *policy, size_t n_policies)
{
    spar__paper_setting wanted = {.name = name,
                                  .title = name,
                                  .env = "-",
                                  .m = 4,
                                  .rounds = 100,
                                  .runs = 10,
                                  .policy = policy,
                                  .n_policies = n_policies};
    ok(!spar__paper_add(paper, &wanted, NULL), "%s is planned", name);
}

static spar__cell *cell_of(spar__paper *paper, const char *setting, const char *label)
{
    for (size_t s = 0; s < paper->n_settings; s++)
        for (size_t c = 0; c < paper->setting[s]->n_policies; c++) {
            spar__cell *cell = &paper->setting[s]->cell[c];
            if (strcmp(paper->setting[s]->name, setting) || strcmp(cell->spec.label, label))
                continue;
            if (!cell->done)
                (void)spar__cell_reset(cell);
            cell->done = true;
            return cell;
        }
    printf("# no cell %s of %s\n", label, setting);
    exit(1);
}

/* Run r differs from the mean by a few percent, as much up as down. */
static double spread = 0.04;

static double factor(size_t r)
{
    return 1 + spread * ((double)(r % 5) - 2) / 2;
}

/* Regret `mean` in the end, the curve reaching it as shape(t) / shape(T) does, each run on its own way. */
static void play(spar__paper *paper, const char *setting, const char *label, double mean, double (*shape)(double t))
{
    spar__cell *cell = cell_of(paper, setting, label);
    for (size_t r = 0; r < cell->runs; r++) {
        double end = mean * factor(r + strlen(label)), rounds = (double)cell->checkpoint[cell->n_checkpoints - 1];
        for (size_t c = 0; c < cell->n_checkpoints; c++)
            cell->curve[r * cell->n_checkpoints + c] =
                end * spar__pow(shape((double)cell->checkpoint[c]) / shape(rounds), factor(r));
        cell->regret[r] = cell->per_slot[r] = end;
    }
}

static double logarithm(double t)
{
    return spar__log(1 + t);
}

static double line(double t)
{
    return t;
}

/* Steeper than a logarithm: after a decade a round costs 6.3 times less, not ten times. */
static double fifth_root(double t)
{
    return spar__pow(t, 0.2);
}

/* All cells that are not filled yet. */
static void play_rest(spar__paper *paper, double mean, double (*shape)(double t))
{
    for (size_t s = 0; s < paper->n_settings; s++)
        for (size_t c = 0; c < paper->setting[s]->n_policies; c++)
            if (!paper->setting[s]->cell[c].done)
                play(paper, paper->setting[s]->name, paper->setting[s]->cell[c].spec.label, mean, shape);
}

/* IndSelfSparring is near the best and DTS the best in the first of 15 scenarios (logit / arith is the eleventh), both
 * are three times worse in the others. */
static void check_standing(size_t near_best, double dts, spar__verdict wanted, spar__verdict best)
{
    static const char *const links[] = {"linear", "logit", "natural"};
    static const char *const sets[] = {"1good", "2good", "6good", "arith", "geom"};
    static const spar__paper_policy policies[] = {{"RMED1", "rmed1"}, {"IndSelfSparring", "x"}, {"DTS", "dts"}};
    spar__paper *paper = workspace(false);
    for (size_t i = 0; i < 15; i++) {
        char name[64];
        (void)snprintf(name, sizeof name, "grid/%s-%s", links[i % 3], sets[i / 3]);
        plan(paper, name, policies, 3);
        play(paper, name, "RMED1", 100, line);
        play(paper, name, "IndSelfSparring", i < near_best ? 140 : 300, line);
        play(paper, name, "DTS", i < near_best ? dts : 300, line);
    }
    judged(paper, "competitive", wanted, "by its rank");
    judged(paper, "dts-best", best, "by its rank");
    spar__paper_free(paper);
}

static void check_bouts(const char *claim, const char *const *setting, const spar__paper_policy *policy,
                        size_t n_policies, spar__verdict narrowly)
{
    const struct {
        double first, others;
        spar__verdict wanted;
    } cases[] = {{50, 50, SPAR__HOLDS},
                 {50, 99.9, SPAR__HOLDS_IN_PART},
                 {50, 80, SPAR__HOLDS_IN_PART},
                 {80, 80, narrowly}, /* less, but not much */
                 {99.9, 300, SPAR__DOES_NOT_HOLD}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        spar__paper *paper = workspace(false);
        for (size_t s = 0; setting[s]; s++) {
            plan(paper, setting[s], policy, n_policies);
            play(paper, setting[s], policy[0].label, s ? cases[i].others : cases[i].first, line);
        }
        play_rest(paper, 100, line);
        judged(paper, claim, cases[i].wanted, "by paired differences");
        spar__paper_free(paper);
    }
}

/* Against BOPPER, whose regret is 100, less regret is not enough. */
static void check_bopper(double own, spar__verdict wanted)
{
    spar__paper *paper = workspace(false);
    plan(paper, "kernel/forrester", spar__kernel_policies, 3);
    play(paper, "kernel/forrester", "KernelSelfSparring", own, line);
    play_rest(paper, 100, line);
    judged(paper, "beats-bopper", wanted, "by paired differences");
    spar__paper_free(paper);
}

/* Regret of SelfSparring as m^own, but `last` times that at m = 16; of its rivals as m^others. */
static void check_shown(double own, double others, double last, spar__verdict advantage, spar__verdict flat)
{
    static const double m[] = {2, 4, 8, 16};
    spar__paper *paper = workspace(false);
    ok(!spar__paper_need(paper, claim_of("advantage")->needs, NULL) &&
           !spar__paper_need(paper, claim_of("advantage-kernel")->needs, NULL),
       "planned");
    for (size_t i = 0; i < 12; i++) {
        static const char *const cases[] = {"linear-1good", "linear-arith", "forrester"};
        char name[64];
        (void)snprintf(name, sizeof name, "shown/%s-%.0f", cases[i / 4], m[i % 4]);
        play(paper, name, i < 8 ? "IndSelfSparring" : "KernelSelfSparring",
             100 * spar__pow(m[i % 4], own) * (i % 4 == 3 ? last : 1), line);
        for (size_t c = 1; c < (i < 8 ? 3 : 2); c++) {
            const char *rival = i < 8 ? spar__multi_policies[c].label : spar__kernel_policies[c].label;
            play(paper, name, rival, 150 * spar__pow(m[i % 4], others), line);
        }
    }
    judged(paper, "advantage", advantage, "by its exponent");
    judged(paper, "advantage-kernel", advantage, "by its exponent");
    judged(paper, "shown-arms", flat, "by its exponent");
    judged(paper, "shown-arms-kernel", flat, "by its exponent");
    spar__paper_free(paper);
}

/* Regret 100 at 16 arms, growing as (K - 1)^exponent, where random play has 14000. */
static void check_offered(double exponent, double first, spar__verdict wanted)
{
    spar__paper *paper = workspace(false);
    ok(!spar__paper_need(paper, claim_of("offered-arms")->needs, NULL), "planned");
    for (size_t k = 16; k <= 1024; k *= 4) {
        char name[64];
        (void)snprintf(name, sizeof name, "offered/linear-arith-%zu", k);
        play(paper, name, "IndSelfSparring", first * spar__pow((double)(k - 1) / 15, exponent), line);
    }
    play_rest(paper, 14000, line);
    judged(paper, "offered-arms", wanted, "by its exponent");
    spar__paper_free(paper);
}

/* What at least must be paid for each unit of ln t, computed apart from the library. */
static double least_slope(const char *setting)
{
    static const struct {
        const char *setting;
        double slope;
    } known[] = {
        {"plain/2-0.1", 4.8993},           {"plain/10-0.1", 44.0939},          {"plain/50-0.1", 240.0667},
        {"plain/10-0.05", 89.5492},        {"plain/10-0.2", 20.6477},          {"one-sided/fixed-linear", 52.59},
        {"one-sided/fixed-logit", 114.41}, {"one-sided/fixed-natural", 80.25}, {"long/linear-arith", 55.37},
        {"long/logit-arith", 113.01},      {"long/natural-arith", 74.28}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].setting, setting) == 0)
            return known[i].slope;
    return 50;
}

/* A claim about growth like ln t: the slope in the end is `times` the least possible. */
static void check_growth(const char *name, double times, double (*shape)(double t), spar__verdict wanted)
{
    spar__paper *paper = workspace(false);
    ok(!spar__paper_need(paper, claim_of(name)->needs, NULL), "%s is planned", name);
    for (size_t s = 0; s < paper->n_settings; s++) {
        double regret = times * least_slope(paper->setting[s]->name) * spar__log(10) / (1 - shape(1e5) / shape(1e6));
        play(paper, paper->setting[s]->name, paper->setting[s]->cell[0].spec.label, regret, shape);
    }
    char why[64];
    (void)snprintf(why, sizeof why, "%.2f times the least possible slope", times);
    judged(paper, name, wanted, why);
    spar__paper_free(paper);
}

/* With a factor of at most `most`: that, and growth, must be right. */
static void check_optimal(const char *name, double most)
{
    check_growth(name, 1, logarithm, SPAR__HOLDS);
    check_growth(name, 0.9 * most, logarithm, SPAR__HOLDS);
    check_growth(name, 1.1 * most, logarithm, SPAR__DOES_NOT_HOLD);
    check_growth(name, 0.4, logarithm, SPAR__DOES_NOT_HOLD);
    check_growth(name, 100, line, SPAR__DOES_NOT_HOLD);
    spread = 0.5; /* it may well be above */
    check_growth(name, 0.95 * most, logarithm, SPAR__DOES_NOT_HOLD);
    spread = 0.04;
}

/* The probe of the long runs: plays of the least played arm and of the best one, and the error of belief, at
 * round 10^3 ... 10^6. */
static void probe(spar__paper *paper, const double least[4], const double share[4], const double error[4])
{
    ok(!spar__paper_need(paper, claim_of("lemma-2")->needs, NULL) &&
           !spar__paper_need(paper, claim_of("theorem-1")->needs, NULL),
       "planned");
    play_rest(paper, 100, logarithm);
    for (size_t s = 0; s < paper->n_settings; s++) {
        spar__cell *cell = &paper->setting[s]->cell[0];
        for (size_t i = 0; i < cell->runs * 4; i++) {
            double all = 2 * (double)paper->setting[s]->mark[i % 4];
            const double number[] = {least[i % 4], share[i % 4] * all, all, error[i % 4] * factor(i / 4)};
            memcpy(cell->probe + i * cell->width, number, sizeof number);
        }
    }
}

static void check_long(void)
{
    static const double slow[] = {5, 10, 15, 20}, fast[] = {50, 500, 5000, 50000}, stuck[] = {5, 10, 10, 10};
    static const double rising[] = {0.3, 0.9, 0.98, 0.999}, flat[] = {0.0625, 0.0625, 0.0625, 0.0625};
    static const double low[] = {0.1, 0.2, 0.3, 0.4};
    static const double falling[] = {0.2, 0.1, 0.09, 0.08}, none[] = {NAN, NAN, NAN, NAN};
    spar__paper *paper = workspace(false);
    probe(paper, slow, rising, falling);
    judged(paper, "lemma-2", SPAR__HOLDS, "slow growth");
    judged(paper, "theorem-1", SPAR__HOLDS, "a rising share");
    spar__paper_free(paper);

    paper = workspace(false);
    probe(paper, fast, flat, none);
    judged(paper, "lemma-2", SPAR__DOES_NOT_HOLD, "random play");
    judged(paper, "theorem-1", SPAR__DOES_NOT_HOLD, "random play, which believes nothing");
    spar__paper_free(paper);

    paper = workspace(false);
    probe(paper, stuck, rising, stuck);
    judged(paper, "lemma-2", SPAR__DOES_NOT_HOLD, "an arm is given up");
    judged(paper, "theorem-1", SPAR__HOLDS_IN_PART, "belief gets worse");
    spar__paper_free(paper);

    paper = workspace(false);
    probe(paper, slow, low, falling);
    judged(paper, "theorem-1", SPAR__HOLDS_IN_PART, "the share stays low");
    spar__paper_free(paper);
}

/* Regret of the kernel policy as points^a and, as the length shrinks, length^-b. */
static void check_dimension(double a, double b, double start, spar__verdict wanted)
{
    static const double points[] = {30, 100, 300, 1000, 3000}, length[] = {0.05, 0.1, 0.15, 0.2, 0.4};
    spar__paper *paper = workspace(false);
    ok(!spar__paper_need(paper, claim_of("dimension")->needs, NULL), "planned");
    for (size_t i = 0; i < 5; i++) {
        char name[64];
        (void)snprintf(name, sizeof name, "dimension/%.0f-0.2", points[i]);
        play(paper, name, "KernelSelfSparring", start * spar__pow(points[i] / 30, a), line);
        if (length[i] == 0.2) /* a setting of the other study */
            continue;
        (void)snprintf(name, sizeof name, "dimension/300-%g", length[i]);
        play(paper, name, "KernelSelfSparring", start * spar__pow(10, a) * spar__pow(0.2 / length[i], b), line);
    }
    play_rest(paper, 200, line);
    judged(paper, "dimension", wanted, "by its exponents");
    spar__paper_free(paper);
}

static void check_confusable(double missing, double coin, double slight, spar__verdict wanted)
{
    spar__paper *paper = workspace(false);
    ok(!spar__paper_need(paper, claim_of("confusable")->needs, NULL), "planned");
    for (size_t s = 0; s < paper->n_settings; s++) {
        const char *name = paper->setting[s]->name;
        double mean = strstr(name, "-0.25")     ? slight
                      : strstr(name, "missing") ? missing
                      : strstr(name, "coin")    ? coin
                                                : 50;
        play(paper, name, "KernelSelfSparring", mean, line);
    }
    play_rest(paper, 100, line);
    judged(paper, "confusable", wanted, "beside clear answers");
    spar__paper_free(paper);
}

static void check_made_up(void)
{
    static const char *const multi[] = {"multi/linear-1good", "multi/linear-arith", NULL};
    static const char *const rankers[] = {"rankers/letor", "rankers/matrix", NULL};
    static const char *const kernel[] = {"kernel/forrester", "kernel/camel", NULL};
    static const char *const kernel_multi[] = {"kernel-multi/forrester", "kernel-multi/camel", NULL};
    check_standing(15, 90, SPAR__HOLDS, SPAR__HOLDS);
    check_standing(15, 110, SPAR__HOLDS, SPAR__HOLDS_IN_PART); /* near, but never first */
    check_standing(9, 90, SPAR__HOLDS_IN_PART, SPAR__HOLDS_IN_PART);
    check_standing(5, 90, SPAR__DOES_NOT_HOLD, SPAR__DOES_NOT_HOLD);
    check_bouts("beats-multi", multi, spar__multi_policies, 2, SPAR__DOES_NOT_HOLD);
    check_bouts("beats-rankers", rankers, spar__multi_policies, 2, SPAR__DOES_NOT_HOLD);
    check_bouts("beats-kernel", kernel, spar__kernel_policies, 2, SPAR__HOLDS_IN_PART);
    check_bouts("beats-kernel-multi", kernel_multi, spar__kernel_policies, 2, SPAR__HOLDS_IN_PART);
    check_bopper(40, SPAR__HOLDS);
    check_bopper(70, SPAR__DOES_NOT_HOLD);
    check_bopper(120, SPAR__DOES_NOT_HOLD);
    check_shown(-0.5, 0, 1, SPAR__HOLDS, SPAR__HOLDS);
    check_shown(1, 1, 1, SPAR__DOES_NOT_HOLD, SPAR__DOES_NOT_HOLD);
    check_shown(0, 0, 1, SPAR__DOES_NOT_HOLD, SPAR__HOLDS);
    check_shown(0.4, 0.4, 1, SPAR__DOES_NOT_HOLD, SPAR__HOLDS_IN_PART);
    check_shown(-1, 0, 2.5, SPAR__HOLDS_IN_PART, SPAR__HOLDS);
    check_offered(1, 100, SPAR__HOLDS);
    check_offered(1.7, 100, SPAR__DOES_NOT_HOLD);
    check_offered(0.2, 100, SPAR__DOES_NOT_HOLD);
    check_offered(0, 14000, SPAR__DOES_NOT_HOLD);
    check_offered(1, 5000, SPAR__DOES_NOT_HOLD);
    check_optimal("lemma-1", 1.5);
    check_optimal("lemma-3", 1.5);
    check_optimal("theorem-2", 2);
    check_growth("lemma-3", 1, fifth_root, SPAR__DOES_NOT_HOLD);
    check_growth("theorem-2", 1, fifth_root, SPAR__DOES_NOT_HOLD);
    check_growth("corollary", 1, logarithm, SPAR__HOLDS);
    check_growth("corollary", 200, logarithm, SPAR__HOLDS);
    check_growth("corollary", 1, fifth_root, SPAR__HOLDS_IN_PART); /* converges, but does not level off */
    check_growth("corollary", 100, line, SPAR__DOES_NOT_HOLD);
    check_long();
    check_dimension(0, 0.5, 50, SPAR__HOLDS);
    check_dimension(0, -0.5, 50, SPAR__HOLDS_IN_PART);
    check_dimension(0.5, -0.5, 5, SPAR__DOES_NOT_HOLD);
    check_dimension(0, 0.5, 190, SPAR__DOES_NOT_HOLD);
    check_confusable(200, 300, 100, SPAR__HOLDS);
    check_confusable(50, 300, 100, SPAR__HOLDS_IN_PART);
    check_confusable(50, 50, 100, SPAR__DOES_NOT_HOLD);
    check_confusable(200, 300, 50, SPAR__DOES_NOT_HOLD);
}

/* What is computed without play. */
static void check_gamma(void)
{
    spar__paper *paper = workspace(true);
    spar__finding finding = {0};
    judged(paper, "gamma", SPAR__HOLDS, "on the scenarios");
    judged(paper, "gamma-domain", SPAR__HOLDS_IN_PART, "linear is linear all over");
    judged(paper, "gamma-any", SPAR__DOES_NOT_HOLD, "a sine is flat at its end");
    judged(paper, "gamma-strong", SPAR__DOES_NOT_HOLD, "three arms");
    (void)claim_of("gamma")->judge(NULL, paper, &finding, NULL);
    ok(strstr(finding.numbers.text, "arith 1.0000") && strstr(finding.numbers.text, "arith 0.9287") &&
           strstr(finding.numbers.text, "arith 0.6667"),
       "linear 1, logit 0.9287, natural 0.6667");
    spar__finding_free(&finding);
    for (size_t i = 0; i < spar__n_claims; i++)
        if (strncmp(spar__claims[i].name, "gamma", 5))
            judged(paper, spar__claims[i].name, SPAR__NOT_JUDGED, "nothing was run");
    spar__paper_free(paper);
}

int main(void)
{
    check_made_up();
    check_gamma();
    return done();
}
