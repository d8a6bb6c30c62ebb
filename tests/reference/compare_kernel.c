/* compare_kernel.c - the library's policies with Gaussian processes against the references: small worlds with every
 * kind of feedback, Forrester's function, the camel on the unit square, and fresh draws from a process. Longer matches
 * are in compare_kernel_long.c. */
#include "reference/fields.h"

static void compare_both(const arena *a, size_t m, size_t rounds, size_t runs)
{
    match k = kernel_match(a, m, rounds, runs), g = gp_sparring_match(a, m, rounds, runs);
    expect_same(&k);
    expect_same(&g);
}

static void compare_functions(void)
{
    for (size_t m = 2; m <= 4; m += 2) {
        compare_both(&forrester, m, 100, 200);
        compare_both(&gp_draws, m, 100, 200);
    }
    compare_both(&camel[0], 4, 100, 200);
    compare_both(&forrester, 4, 8, 2000); /* when little is known, what is believed of the rest shows most */
    expect_kernel_better(&forrester, 200);
    expect_kernel_better(&camel[0], 200);
}

/* Every kind of feedback, with features. */
static void compare_feedback(void)
{
    for (size_t i = 0; i < FEEDBACK_KINDS; i++) {
        size_t m = i % 2 ? 4 : 2;
        match k = kernel_match(&arenas[i % 3], m, 60, 600), g = gp_sparring_match(&arenas[i % 3], m, 60, 600);
        k.feedback = g.feedback = (ref_feedback_kind)i;
        k.ties = g.ties = i < 3 ? 1 : 0;
        expect_same(&k);
        expect_same(&g);
    }
}

#define WRONG_RUN(name, play, field, value)                                                                            \
    static ref_result name(const ref_world *world, size_t rounds, uint64_t seed)                                       \
    {                                                                                                                  \
        ref_gp gp = REF_GP_USUAL;                                                                                      \
        gp.field = value;                                                                                              \
        return play(world, 4, rounds, &gp, seed);                                                                      \
    }

WRONG_RUN(wide_kernel, ref_kernel_self_sparring, length, 0.25)
WRONG_RUN(noisy_kernel, ref_kernel_self_sparring, noise, 0.05)
WRONG_RUN(centred_kernel, ref_kernel_self_sparring, centre, true)
WRONG_RUN(rough_kernel, ref_kernel_self_sparring, kind, TEXTBOOK_MATERN52)
WRONG_RUN(wide_ucb, ref_gp_sparring, length, 0.25)
WRONG_RUN(noisy_ucb, ref_gp_sparring, noise, 0.05)
WRONG_RUN(centred_ucb, ref_gp_sparring, centre, true)
WRONG_RUN(bold_ucb, ref_gp_sparring, delta, 0.002)

/* The reference is off in one parameter: the comparison must see it. */
static void see_differences(void)
{
    static const arena apart = {
        .name = "apart",
        .link = LINK_LINEAR,
        .k = 16,
        .utility = {0.8, 0.7, 0.7, 0.7, 0.7, 0.7, 0.7, 0.7, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2},
        .x = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}};
    static const struct {
        direct_run *run;
        bool sparring;
        const arena *arena;
        size_t rounds, runs;
        const char *what;
    } wrong[] = {
        {wide_kernel, false, &forrester, 100, 1000, "kernel_self_sparring with length 0.25 instead of 0.2"},
        {noisy_kernel, false, &forrester, 100, 1000, "kernel_self_sparring with noise 0.05 instead of 0.025"},
        {rough_kernel, false, &forrester, 100, 1000, "kernel_self_sparring with matern52 instead of se"},
        {centred_kernel, false, &apart, 5, 2000, "kernel_self_sparring with centred rewards"},
        {wide_ucb, true, &forrester, 100, 400, "gp_sparring with length 0.25 instead of 0.2"},
        {noisy_ucb, true, &forrester, 100, 400, "gp_sparring with noise 0.05 instead of 0.025"},
        {centred_ucb, true, &apart, 5, 2000, "gp_sparring with centred rewards"},
        {bold_ucb, true, &forrester, 8, 2500, "gp_sparring with delta 0.002 instead of 0.1"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        match right = wrong[i].sparring ? gp_sparring_match(wrong[i].arena, 4, wrong[i].rounds, wrong[i].runs)
                                        : kernel_match(wrong[i].arena, 4, wrong[i].rounds, wrong[i].runs);
        match other = right;
        other.direct = wrong[i].run;
        expect_different(&right, &other, wrong[i].what);
    }
    compare_both(&apart, 4, 5, 2000);
}

int main(void)
{
    compare_functions();
    compare_feedback();
    see_differences();
    return verdict_done();
}
