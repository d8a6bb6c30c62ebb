#include "types/arms.h"

#include "base/alloc.h"
#include "tap.h"

static bool same(const spar_arms *a, const spar_arms *b)
{
    bool good = a->n == b->n && a->dim == b->dim && a->live == b->live && a->space.n_axes == b->space.n_axes;
    for (size_t i = 0; good && i < a->n; i++) {
        const char *p = a->name ? a->name[i] : NULL, *q = b->name ? b->name[i] : NULL;
        good &= a->alive[i] == b->alive[i] && (p ? q && strcmp(p, q) == 0 : !q);
        for (size_t d = 0; d < a->dim; d++)
            good &= a->x[i * a->dim + d] == b->x[i * a->dim + d];
    }
    good = good && a->space.n_axes == b->space.n_axes;
    for (size_t d = 0; good && d < a->space.n_axes; d++) {
        const spar__space_axis *p = &a->space.axis[d], *q = &b->space.axis[d];
        good &= p->kind == q->kind && p->lo == q->lo && p->hi == q->hi && p->n == q->n;
    }
    return good;
}

static void copies(const spar_arms *arms, const char *what)
{
    spar_arms *copy = NULL, *back = NULL;
    ok(spar_arms_dup(arms, &copy) == SPAR_OK && same(arms, copy), "%s: copied", what);
    spar__archive out = {.loading = false};
    spar__arms_archive(&copy, &out);
    spar__archive in = {.loading = true, .in = (const unsigned char *)out.out.text, .left = out.out.length};
    spar__arms_archive(&back, &in);
    ok(!in.failed && in.left == 0 && same(arms, back), "%s: saved and loaded", what);
    bool clean = true;
    size_t k = 1;
    for (spar_status status = SPAR_NOMEM; status; k++) {
        spar_arms *again = NULL;
        spar__alloc_fail_at(k);
        status = spar_arms_dup(arms, &again);
        clean &= (status == SPAR_OK) == (again != NULL);
        spar__alloc_fail_at(0);
        spar_arms_free(again);
    }
    ok(clean && k > 2, "%s: each of %zu allocations fails once, cleanly", what, k - 2);
    spar__buf_free(&out.out);
    spar_arms_free(copy);
    spar_arms_free(back);
}

int main(void)
{
    static const double x[] = {0, 1, 2, 3, 4, 5};
    static const char *const names[] = {"red", NULL, "blue"};
    spar_arms *arms = NULL;
    ok(spar_arms_new(3, 2, x, names, &arms) == SPAR_OK && arms->live == 3, "three arms with features and names");
    static const double more[] = {6, 7};
    size_t index = 0;
    bool grew = true;
    for (size_t i = 0; i < 100; i++)
        grew &= spar_arms_add(arms, more, i % 2 ? "odd" : NULL, &index) == SPAR_OK && index == 3 + i;
    ok(grew && arms->n == 103 && arms->x[2 * 102 + 1] == 7 && arms->x[5] == 5, "the table grows");
    ok(spar_arms_retire(arms, 1) == SPAR_OK && arms->live == 102 && !arms->alive[1], "an arm retires");
    ok(spar_arms_retire(arms, 1) == SPAR_INVALID && spar_arms_retire(arms, 103) == SPAR_INVALID, "once, if it exists");
    ok(spar_arms_add(arms, NULL, NULL, NULL) == SPAR_INVALID, "an arm needs its features");
    copies(arms, "names and features");
    spar_arms_free(arms);

    ok(spar_arms_new(2, 0, NULL, NULL, &arms) == SPAR_OK && spar_arms_add(arms, NULL, "late", NULL) == SPAR_OK,
       "arms without features");
    double *count = NULL, *sum = NULL, **const arrays[] = {&count, &sum};
    spar__per_arm size = {0};
    ok(spar__per_arm_fit(&size, arms, 2, arrays) == SPAR_OK && size.n == 3 && sum[2] == 0, "numbers per arm");
    count[1] = sum[2] = 5;
    for (size_t i = 0; i < 50; i++)
        (void)spar_arms_add(arms, NULL, NULL, NULL);
    ok(spar__per_arm_fit(&size, arms, 2, arrays) == SPAR_OK && size.n == 53 && count[1] == 5 && sum[2] == 5 &&
           sum[52] == 0,
       "follow the table");
    spar__free(count);
    spar__free(sum);
    copies(arms, "late name");
    spar_arms_free(arms);

    static const double lo[] = {0, -1}, hi[] = {1, 1};
    ok(spar_arms_new_box(2, lo, hi, &arms) == SPAR_OK && spar__arms_continuous(arms) && arms->n == 0, "a box");
    ok(spar_arms_add(arms, (double[]){1, -1}, NULL, NULL) == SPAR_OK && arms->n == 1, "a corner is inside");
    ok(spar_arms_add(arms, (double[]){0.5, 1.001}, NULL, NULL) == SPAR_INVALID && arms->n == 1, "outside is refused");
    copies(arms, "box");
    spar_arms_free(arms);
    ok(spar_arms_new_box(2, hi, lo, &arms) == SPAR_INVALID && !arms, "upside down it is refused");
    static spar__space_axis mixed[] = {
        {SPAR__AXIS_RANGE, 0, 1, 0}, {SPAR__AXIS_LEVELS, -1, 1, 5}, {SPAR__AXIS_CHOICE, 0, 0.7, 3}};
    ok(spar_arms_new_space(&(spar_space){3, mixed}, &arms) == SPAR_OK && arms->dim == 5, "axes of several kinds");
    ok(spar__axis_level(&mixed[1], 0) == -1 && spar__axis_level(&mixed[1], 1) == -0.5 &&
           spar__axis_level(&mixed[1], 4) == 1,
       "levels from end to end");
    ok(spar_arms_add(arms, (double[]){0.3, 0.5, 0, 0.7, 0}, NULL, NULL) == SPAR_OK, "a point on all of them");
    ok(!spar_arms_admit(arms, (double[]){0.3, 0.4, 0, 0.7, 0}), "between levels is outside");
    ok(!spar_arms_admit(arms, (double[]){0.3, 1.5, 0, 0.7, 0}), "so is a level too many");
    ok(!spar_arms_admit(arms, (double[]){0.3, 0.5, 0.7, 0.7, 0}), "two categories");
    ok(!spar_arms_admit(arms, (double[]){0.3, 0.5, 0, 0, 0}), "none");
    ok(!spar_arms_admit(arms, (double[]){0.3, 0.5, 0, 0.6, 0}), "half of one");
    copies(arms, "mixed");
    spar_arms_free(arms);
    ok(spar_arms_new_space(&(spar_space){1, (spar__space_axis[]){{SPAR__AXIS_LEVELS, 0, 1, 1}}}, &arms) ==
               SPAR_INVALID &&
           !arms,
       "one level");
    ok(spar_arms_new_space(&(spar_space){1, (spar__space_axis[]){{SPAR__AXIS_LEVELS, -1e308, 1e308, 3}}}, &arms) ==
               SPAR_INVALID &&
           !arms,
       "an axis of infinite length");
    ok(spar_arms_new_space(&(spar_space){0, mixed}, &arms) == SPAR_INVALID && !arms, "no axis");
    ok(spar_arms_new_space(&(spar_space){1, (spar__space_axis[]){{SPAR__AXIS_CHOICE, 0, 1, (size_t)1 << 60}}}, &arms) ==
               SPAR_INVALID &&
           !arms,
       "more categories than there is memory");
    static const double bad[] = {0, NAN};
    ok(spar_arms_new(1, 2, bad, NULL, &arms) == SPAR_INVALID && !arms, "so are features that are no numbers");
    ok(spar_arms_new(1, 2, NULL, NULL, &arms) == SPAR_INVALID && !arms, "and missing ones");
    return done();
}
