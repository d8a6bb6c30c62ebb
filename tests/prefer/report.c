#include "prefer/prefer.h"

#include "base/alloc.h"
#include "matrix.h"
#include "tap.h"

static const double chase[] = {0.5, 0.9, 0.2, 0.6, /**/ 0.1, 0.5, 0.7, 0.6, /**/ 0.8, 0.3, 0.5, 0.6, /**/
                               0.4, 0.4, 0.4, 0.5};
static const double order[] = {0.5, 0.4, 0.7, /**/ 0.6, 0.5, 0.9, /**/ 0.3, 0.1, 0.5};

static void cyclic(void)
{
    spar__prefer_report r;
    ok(spar__prefer_analyse(4, chase, &r, NULL) == SPAR_OK && r.n == 4, "three chase each other before a fourth");
    ok(!r.has_condorcet && !r.has_order && r.order.count == 0, "no winner, no order");
    ok(r.top_cycle.count == 3 && r.top_cycle.arm[2] == 2, "a top cycle of three");
    ok(r.copeland.count == 3 && r.copeland_score == 2, "three Copeland winners");
    ok(r.borda.count == 2 && r.borda.arm[1] == 2, "two Borda winners");
    near(r.borda_score, 1.7 / 3, 1e-15, "their score");
    ok(r.von_neumann_support.count == 3 && r.von_neumann_support.arm[2] == 2, "a mixed strategy of three");
    near(r.von_neumann[0], 0.2 / 0.9, 1e-15, "the weight of one is the gap between the two others");
    ok(r.von_neumann[3] == 0 && r.exploitability < 1e-15, "nothing on the fourth, nothing to lose");
    ok(r.transitivity.chains == 6 && r.transitivity.weak.count == 3, "three of six chains are cyclic");
    spar__prefer_report_free(&r);
    ok(!r.von_neumann && !r.top_cycle.arm && r.top_cycle.count == 0, "freed");
    spar__prefer_report_free(&r);
    spar__prefer_report_free(NULL);
}

static void ordered(void)
{
    spar__prefer_report r;
    ok(spar__prefer_analyse(3, order, &r, NULL) == SPAR_OK, "a total order");
    ok(r.has_order && r.order.count == 3 && r.order.arm[0] == 1 && r.order.arm[1] == 0 && r.order.arm[2] == 2, "1 0 2");
    ok(r.has_condorcet && r.condorcet == 1, "its first is the Condorcet winner");
    near(r.condorcet_gap, 0.1, 1e-15, "whose least gap is");
    ok(r.von_neumann_support.count == 1 && r.von_neumann_support.arm[0] == 1, "and is played alone");
    spar__prefer_report_free(&r);
    const double one[] = {0.5};
    ok(spar__prefer_analyse(1, one, &r, NULL) == SPAR_OK && r.has_condorcet && r.has_order, "a single arm");
    ok(r.condorcet_gap == 0.5 && r.borda_score == 0.5 && r.von_neumann[0] == 1, "wins in every sense");
    spar__prefer_report_free(&r);
}

static void refused(size_t n, const double *p, const char *sentence)
{
    spar__prefer_report r;
    spar_error err = {0};
    ok(spar__prefer_analyse(n, p, &r, &err) == SPAR_INVALID && !r.von_neumann && r.n == 0, "refused");
    same_text(err.text, sentence, "and says why");
}

static void wrong(void)
{
    const double outside[] = {0.5, 1.25, -0.25, 0.5}, sum[] = {0.5, 0.75, 0.5, 0.5}, diagonal[] = {0.5, 0, 1, 0.75};
    const double nan[] = {0.5, NAN, 0.5, 0.5};
    refused(0, sum, "a preference matrix needs at least one arm");
    refused(2, outside, "preference (1, 2) is 1.25, not a probability");
    refused(2, nan, "preference (1, 2) is nan, not a probability");
    refused(2, sum, "preferences (2, 1) and (1, 2) add up to 1.25, not 1");
    refused(2, diagonal, "preference (2, 2) is 0.75, not 1/2");
}

static void without_memory(void)
{
    spar__prefer_report r;
    spar_error err;
    spar__alloc_fail_at(0);
    (void)spar__prefer_analyse(4, chase, &r, NULL);
    spar__prefer_report_free(&r);
    size_t calls = spar__alloc_count();
    for (size_t k = 1; k <= calls; k++) {
        spar__alloc_fail_at(k);
        err.status = SPAR_OK;
        ok(spar__prefer_analyse(4, chase, &r, &err) == SPAR_NOMEM && err.status == SPAR_NOMEM && !r.von_neumann &&
               !r.order.arm,
           "allocation %zu of %zu fails", k, calls);
    }
    spar__alloc_fail_at(0);
}

int main(void)
{
    cyclic();
    ordered();
    wrong();
    without_memory();
    return done();
}
