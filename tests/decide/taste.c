/* A utility over a space from answers: it is found, its intervals hold, and every kind of answer counts. */
#include "tap.h"
#include <spar/taste.h>

#include <stdint.h>
#include <stdlib.h>

static spar_error err;
static uint64_t state = 1;

static double uniform(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(state >> 11) / 9007199254740992.0;
}

enum { REFERENCES = 16 };

static spar_taste *make(void)
{
    double x[REFERENCES];
    const size_t axis = 0;
    spar_taste *taste = NULL;
    for (size_t i = 0; i < REFERENCES; i++)
        x[i] = ((double)i + 0.5) / REFERENCES;
    if (spar_taste_new(1, &axis, REFERENCES, x, &taste))
        abort();
    return taste;
}

/* A function with a random phase and height, relative to its mean. */
typedef struct wave {
    double height, phase, speed;
} wave;

static double height_at(const wave *w, double x)
{
    double sum = 0;
    for (size_t i = 0; i < REFERENCES; i++)
        sum += sin(w->phase + w->speed * ((double)i + 0.5) / REFERENCES) / REFERENCES;
    return w->height * (sin(w->phase + w->speed * x) - sum);
}

static void tell(spar_taste *taste, const wave *w, size_t n)
{
    spar_answer *answer = NULL;
    if (spar_answer_new(&answer))
        abort();
    for (size_t i = 0; i < n; i++) {
        double x[2] = {uniform(), uniform()};
        double p = 1 / (1 + exp(height_at(w, x[1]) - height_at(w, x[0])));
        spar_answer_set_winner(answer, uniform() < p ? 0 : 1);
        if (spar_taste_tell(taste, 2, x, answer, &err))
            abort();
    }
    if (spar_taste_compute(taste, &err))
        abort();
    spar_answer_free(answer);
}

/* 150 functions, 60 answers each, 8 places: 95 % of the intervals should hold; neighbours are not independent. */
static void test_coverage(void)
{
    size_t held = 0, all = 0;
    double error = 0;
    for (size_t i = 0; i < 150; i++) {
        wave w = {0.5 + 3 * uniform(), 6.28 * uniform(), 2 + 5 * uniform()};
        spar_taste *taste = make();
        tell(taste, &w, 60);
        for (size_t k = 0; k < 8; k++, all++) {
            double x = ((double)k + 0.5) / 8;
            double mean, low, high;
            if (spar_taste_at(taste, &x, &mean, &low, &high))
                abort();
            held += low <= height_at(&w, x) && height_at(&w, x) <= high;
            error += fabs(mean - height_at(&w, x));
            if (k == 0)
                near(spar_taste_mean(taste, &x), mean, 1e-6, "the cheap mean is the mean");
        }
        spar_taste_free(taste);
    }
    double share = (double)held / (double)all;
    ok(share > 0.90 && share < 0.99, "intervals hold %.3f of the time", share);
    ok(error / (double)all < 0.6, "the mean is off by %.2f", error / (double)all);
}

/* A choice of one from three, a ranking and a tie of three points. */
/* Axes that do not begin with 0, that fall, or that leave one out. */
static void test_axes(void)
{
    static const size_t wrong[][3] = {{1, 1, 1}, {0, 1, 0}, {0, 0, 2}, {2, 1, 0}}, right[] = {0, 1, 1};
    const double x[3] = {0.5, 0.5, 0.5};
    spar_taste *taste = NULL;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        ok(spar_taste_new(3, wrong[i], 1, x, &taste) == SPAR_INVALID && !taste, "axes that do not rise by one");
    ok(!spar_taste_new(3, right, 1, x, &taste) && taste, "two axes, one of two numbers");
    spar_taste_free(taste);
}

static void test_kinds(void)
{
    double x[3] = {0.1, 0.5, 0.9}, chance;
    spar_answer *answer = NULL;
    spar_taste *taste = make();
    if (spar_answer_new(&answer))
        abort();
    spar_answer_set_winner(answer, 2);
    for (int i = 0; i < 20; i++)
        (void)spar_taste_tell(taste, 3, x, answer, &err);
    (void)spar_taste_compute(taste, &err);
    (void)spar_taste_against(taste, &x[2], &x[0], &chance);
    ok(chance > 0.8, "the winner of three is preferred: %.2f", chance);
    (void)spar_taste_against(taste, &x[0], &x[1], &chance);
    ok(chance > 0.3 && chance < 0.7, "of the two others nothing is said: %.2f", chance);
    if (spar_answer_set_ranking(answer, 3, (size_t[]){2, 0, 1}, (size_t[]){0, 1, 2}, &err))
        abort();
    for (int i = 0; i < 20; i++)
        (void)spar_taste_tell(taste, 3, x, answer, &err);
    (void)spar_taste_compute(taste, &err);
    (void)spar_taste_against(taste, &x[0], &x[1], &chance);
    ok(chance > 0.75, "a ranking orders them, too: %.2f", chance);
    const double *told;
    ok(spar_taste_points(taste, &told) == 3 && told[1] == 0.5, "equal points are one");
    spar_answer_set_skip(answer);
    (void)spar_taste_tell(taste, 3, (double[]){0.2, 0.3, 0.4}, answer, &err);
    ok(spar_taste_points(taste, &told) == 3, "a skip says nothing");
    spar_answer_set_winner(answer, 3);
    ok(spar_taste_tell(taste, 3, x, answer, &err) != SPAR_OK, "a slot that is not there: %s", err.text);
    spar_taste_free(taste);
    taste = make();
    spar_answer_set_tie(answer);
    for (int i = 0; i < 20; i++)
        (void)spar_taste_tell(taste, 2, x, answer, &err);
    (void)spar_taste_compute(taste, &err);
    double low, high;
    (void)spar_taste_against(taste, &x[0], &x[1], &chance);
    (void)spar_taste_at(taste, &x[0], NULL, &low, &high);
    near(chance, 0.5, 1e-9, "ties make equal");
    ok(high - low < 3, "and are known: %.2f", high - low);
    spar_taste_free(taste);
    spar_answer_free(answer);
}

int main(void)
{
    test_coverage();
    test_kinds();
    test_axes();
    return done();
}
