/* compare_bopper.c - the library's bopper against the reference: small worlds with every kind of feedback, and
 * Forrester's function. More runs of the latter are in compare_bopper_long.c. */
#include "reference/fields.h"

/* Ties are half a win and half a loss. */
static void compare_feedback(void)
{
    for (size_t i = 0; i < FEEDBACK_KINDS; i++) {
        match b = bopper_match(&arenas[i % 3], 25, 250);
        b.feedback = (ref_feedback_kind)i;
        b.ties = i < 3 ? 1 : 0;
        expect_same(&b);
    }
}

static ref_result narrow(const ref_world *world, size_t rounds, uint64_t seed)
{
    return ref_bopper(world, rounds, 0.5, seed);
}

int main(void)
{
    compare_feedback();
    match forty = bopper_match(&forrester, 40, 40), right = bopper_match(&arenas[2], 30, 1000), wrong = right;
    expect_same(&forty);
    expect_same(&right);
    wrong.direct = narrow;
    expect_different(&right, &wrong, "bopper with length 0.5 instead of 1");
    return verdict_done();
}
