#include "env/env.h"
#include "env/lab.h"

/* Shows points in the slots of round t. */
static spar_status show(lab *l, uint64_t t, size_t m, size_t dim, const double *x)
{
    if (spar__round_reserve(l->round, m) || spar__round_set_dim(l->round, dim))
        return SPAR_NOMEM;
    l->round->m = m;
    for (size_t j = 0; j < m; j++)
        l->round->arm[j] = SPAR_FRESH;
    memcpy(l->round->x, x, m * dim * sizeof *x);
    return spar_user_answer(l->user, l->world, t, l->round, l->feedback);
}

/* Luck does not know the environment: points of a grid are answered as the arms of that grid are. */
static void check_answers(const char *feedback)
{
    lab grid = lab_open("function(points=30,ties=0.4)", feedback), box = lab_open("function(box=1,ties=0.4)", feedback);
    bool same = true;
    size_t heard = 0;
    for (uint64_t t = 1; t <= 500; t++) {
        size_t arm[4], m = 2 + t % 3;
        double x[4];
        for (size_t j = 0; j < m; j++) {
            arm[j] = (size_t)(t * (j + 7)) % 30;
            x[j] = grid.world->arms->x[arm[j]];
        }
        same &= lab_ask(&grid, t, m, arm) == SPAR_OK && show(&box, t, m, 1, x) == SPAR_OK;
        same &= memcmp(grid.feedback->outcome, box.feedback->outcome, m * m) == 0;
        for (size_t j = 0; j < m; j++)
            same &= !box.feedback->rewarded[j];
        heard += !spar_feedback_empty(box.feedback);
    }
    ok(same && heard > 100, "%s: a point is answered as the arm there", feedback);
    lab_close(&grid);
    lab_close(&box);
}

static void check_worth(void)
{
    lab box = lab_open("function(name=branin,box=1)", "all_pairs");
    const double best[2] = {(3.14159265358979323846 + 5) / 15, 2.275 / 15}, poor[2] = {0, 0};
    near(spar_world_utility_at(box.world, best), -0.397887357729738, 1e-14, "the utility of a point");
    near(spar_world_gap_at(box.world, 1, best), 0, 1e-12, "showing the best costs nothing");
    near(spar_world_gap_at(box.world, 1, poor), 0.5, 1e-12, "and a poor point half a duel");
    ok(spar_world_gap_at(box.world, 1, best) >= 0, "no gap is negative");
    ok(spar_world_best(box.world, 1) == SPAR_FRESH && !spar_world_utilities(box.world), "there is no best arm");
    const spar_arms *arms = spar_world_arms(box.world);
    ok(arms->n == 0 && arms->dim == 2 && spar__arms_continuous(arms), "its arms are an empty table over a box");
    lab_close(&box);
    lab grid = lab_open("function", "all_pairs");
    ok(isnan(spar_world_utility_at(grid.world, poor)) && isnan(spar_world_gap_at(grid.world, 1, poor)),
       "a finite world has no points");
    lab_close(&grid);
}

static void check_refusals(void)
{
    lab box = lab_open("function(name=camel,box=1,levels=0:11)", "all_pairs");
    const spar_arms *arms = spar_world_arms(box.world);
    ok(arms->space.n_axes == 2 && arms->space.axis[0].kind == SPAR__AXIS_RANGE &&
           arms->space.axis[1].kind == SPAR__AXIS_LEVELS && arms->space.axis[1].n == 11,
       "levels are in the space");
    static const struct {
        double x[4];
        spar_status status;
        const char *what;
    } cases[] = {
        {{0.123, 0.5, 1, 0.30000000000000004}, SPAR_INVALID, "a point beside a level"},
        {{0.123, 0.5, 1, 0.3}, SPAR_OK, "points on levels"},
        {{0.123, 0.5, 1.01, 0.3}, SPAR_INVALID, "a point outside"},
        {{NAN, 0.5, 1, 0.3}, SPAR_INVALID, "no number"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        ok(show(&box, 1, 2, 2, cases[c].x) == cases[c].status, "%s", cases[c].what);
    ok(show(&box, 1, 2, 1, cases[1].x) == SPAR_INVALID, "points of another dimension");
    ok(lab_ask(&box, 1, 2, (size_t[]){0, 1}) == SPAR_INVALID, "arms without points");
    lab_close(&box);
}

static void check_starved(void)
{
    size_t k = 1, refused = 0;
    static const double x[6] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6};
    for (bool whole = false; !whole; k++) {
        lab l;
        spar__alloc_fail_at(k);
        spar_status status = lab_try(&l, "function(name=goldstein,box=1)", "ranking", NULL);
        if (!status)
            status = show(&l, 1, 3, 2, x);
        whole = spar__alloc_count() < k;
        spar__alloc_fail_at(0);
        refused += status == SPAR_NOMEM;
        lab_close(&l);
    }
    ok(refused == k - 2 && refused > 10, "each of %zu allocations may fail", refused);
}

int main(void)
{
    for (size_t i = 0; i < spar__n_feedback_classes; i++)
        if (!spar__feedback_classes[i]->needs_lists)
            check_answers(spar__feedback_classes[i]->entry.name);
    check_answers("winner(rule=luce)");
    check_answers("winner(rule=pair)");
    check_answers("confusable(mode=coin,scale=0.3)");
    check_worth();
    check_refusals();
    check_starved();
    return done();
}
