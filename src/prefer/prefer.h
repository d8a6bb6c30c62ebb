/* prefer.h - what can be said about a preference matrix: who wins, in which sense, and how far it is transitive.
 *
 * P is n x n by rows, P[i*n+j] = P(i beats j), with P + P^T = 1 and 1/2 on the diagonal; phi = P - 1/2. Arm i beats arm
 * j when P[i*n+j] > 1/2, exactly; 1/2 is a tie. Functions are pure; arrays of arms belong to the caller, have room for
 * n and come back ascending. */
#ifndef SPAR_PREFER_PREFER_H
#define SPAR_PREFER_PREFER_H

#include <spar/status.h>

#include <stdbool.h>
#include <stddef.h>

/* The arm that beats all others, into *winner (which may be NULL). A single arm is one; *winner is untouched if there
 * is none. O(n). */
bool spar__condorcet(size_t n, const double *p, size_t *winner);

/* The smallest nonempty set whose members beat every arm outside it (Smith set); returns its size, 0 only for n = 0.
 * O(n^2). */
size_t spar__top_cycle(size_t n, const double *p, size_t *members);

/* The arms that beat most others; returns how many there are, and their number of wins in *score. */
size_t spar__copeland(size_t n, const double *p, size_t *members, size_t *score);

/* The arms with the highest mean against the others, equal within 1e-12; returns how many, and that mean in *score (1/2
 * for a single arm). */
size_t spar__borda(size_t n, const double *p, size_t *members, double *score);

/* Best to worst, where every pair is strict and every better arm beats every worse one. order has room for n and is
 * untouched if there is no such order. O(n^2). */
bool spar__total_order(size_t n, const double *p, size_t *order);

/* An optimal mixed strategy w[n] of the zero-sum game phi, one of them where there are several. Its certificate is what
 * the best opponent wins against it: *exploitability = max_j sum_i w_i (1/2 - P[i*n+j]), never below 0, and 0 (to 1e-9)
 * only for an optimum. Fails only when out of memory. */
spar_status spar__von_neumann(size_t n, const double *p, double *w, double *exploitability);

/* The same where several are optimal: that of largest entropy, which does not depend on the order of the arms. To about
 * 1e-6; where there is only one, as exact as the above. */
spar_status spar__von_neumann_even(size_t n, const double *p, double *w);

/* Triples are skipped above this many arms: their time grows with the cube, to a few seconds here. */
enum { SPAR__TRIPLES_MAX_ARMS = 1024 };

/* How many triples break a law, and by how much the worst of them does (0 when none). */
typedef struct spar__violations {
    size_t count;
    double worst;
} spar__violations;

/* A chain is (i, j, k) with i over j and j over k; it is an ordered triple when also i is over k. Here "over" means
 * phi > 1e-12 and laws are broken by more than 1e-12, so that rounding neither makes preferences nor breaks laws. */
typedef struct spar__transitivity {
    bool skipped; /* n too large; nothing below is filled */
    size_t chains, triples;
    spar__violations weak;     /* of chains: phi(i,k) >= 0, off by -phi(i,k) */
    spar__violations strong;   /* of chains: phi(i,k) >= max(phi(i,j), phi(j,k)), off by the difference */
    spar__violations triangle; /* of ordered triples: phi(i,k) <= phi(i,j) + phi(j,k), off by the difference */
    bool has_linearity;        /* is there any ordered triple? */
    double linearity;          /* the least (phi(i,k) - phi(j,k)) / phi(i,j) of ordered triples */
    bool has_relaxed;          /* is there a Condorcet winner? */
    double relaxed;            /* the least g >= 1 with g phi(i,k) >= max(phi(i,j), phi(j,k)) where it is i, */
    double relaxed_all;        /* and where i is any arm; both over ordered triples */
} spar__transitivity;

/* Fails only when out of memory. */
spar_status spar__transitivity_measure(size_t n, const double *p, spar__transitivity *out);

typedef struct spar__arm_list {
    size_t count;
    size_t *arm;
} spar__arm_list;

typedef struct spar__prefer_report {
    size_t n;
    bool has_condorcet;
    size_t condorcet;
    double condorcet_gap; /* the least phi(winner, other); 1/2 for a single arm */
    bool has_order;
    spar__arm_list order; /* best to worst; empty without has_order */
    spar__arm_list top_cycle;
    spar__arm_list copeland;
    size_t copeland_score;
    spar__arm_list borda;
    double borda_score;
    double *von_neumann;                /* the strategy, n weights */
    spar__arm_list von_neumann_support; /* arms of weight above 1e-9 */
    double exploitability;
    spar__transitivity transitivity;
} spar__prefer_report;

/* SPAR_INVALID for no arms, an entry outside [0, 1], or P + P^T or the diagonal off by more than 1e-9; the sentence
 * names row and column, counted from 1. After a failure the report is empty. */
spar_status spar__prefer_analyse(size_t n, const double *p, spar__prefer_report *report, spar_error *err);
void spar__prefer_report_free(spar__prefer_report *report);

#endif
