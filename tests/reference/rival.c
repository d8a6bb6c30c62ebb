/* rival.c - a match played by the references: the preferences are worked out here, not asked from the library. */
#include "reference/versus.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void matrix_path(const arena *w, char *path, size_t size)
{
    const char *folder = getenv("SPAR_TESTS");
    (void)snprintf(path, size, "%s/reference/%s", folder ? folder : "tests", w->file);
}

static void read_matrix(const arena *w, double *p)
{
    char path[1024];
    matrix_path(w, path, sizeof path);
    FILE *file = fopen(path, "r");
    for (size_t i = 0; i < w->k * w->k; i++)
        if (!file || fscanf(file, "%lf", &p[i]) != 1) {
            printf("Bail out! %s: cannot be read\n", path);
            exit(1);
        }
    (void)fclose(file);
}

static double prefer(link_kind link, double x, double y)
{
    switch (link) {
    case LINK_LINEAR:
        return (1 + x - y) / 2;
    case LINK_LOGIT:
        return 1 / (1 + exp(y - x));
    default:
        return x / (x + y);
    }
}

static ref_result play_plain(const match *m, uint64_t seed)
{
    const arena *w = m->arena;
    switch (m->bandit) {
    case REF_THOMPSON:
        return ref_thompson_plain(w->utility, w->k, m->rounds, seed);
    case REF_UCB1:
        return ref_ucb1_plain(w->utility, w->k, m->rounds, seed);
    default:
        return ref_exp3_plain(w->utility, w->k, m->rounds, seed);
    }
}

static ref_result play(const match *m, const ref_world *w, uint64_t seed)
{
    switch (m->family) {
    case SELF_SPARRING:
        return ref_ind_self_sparring(w, m->m, m->rounds, m->eta, m->self_duels, seed);
    case SPARRING:
        return ref_sparring(w, m->m, m->rounds, m->bandit, m->alpha, m->reward, seed);
    case MULTI_SBM:
        return ref_multi_sbm(w, m->rounds, m->bandit, m->alpha, seed);
    case DOUBLER:
        return ref_doubler(w, m->rounds, m->bandit, m->alpha, seed);
    case DIRECT:
        return m->direct(w, m->rounds, seed);
    default:
        return play_plain(m, seed);
    }
}

/* The arena's preferences, best arm first; p is for them. */
static ref_world users_of(const match *m, double *p)
{
    const arena *w = m->arena;
    if (w->link == LINK_NONE)
        read_matrix(w, p);
    else
        for (size_t i = 0; i < w->k * w->k; i++)
            p[i] = prefer(w->link, w->utility[i / w->k], w->utility[i % w->k]);
    return (ref_world){.k = w->k, .p = p, .utility = w->utility, .x = w->x, .dim = 1, .best = 0};
}

/* A run with users like these, answering as the match has it. */
static ref_result one_run(const match *m, ref_world users, uint64_t seed)
{
    users.ties = m->ties;
    users.feedback = m->feedback;
    users.param = m->param;
    return play(m, &users, seed);
}

static ref_result one_drawn_run(const match *m, uint64_t seed)
{
    ref_field field = m->arena->draw(seed);
    ref_result result = one_run(m, field.world, seed);
    ref_field_close(&field);
    return result;
}

outcome play_reference(const match *m)
{
    double p[MOST_ARMS * MOST_ARMS];
    ref_world users = {0};
    if (!m->arena->draw)
        users = users_of(m, p);
    outcome o = outcome_new(m->runs);
    uint64_t seed = match_seed(m);
    seed = (seed ^ seed >> 32) & 0xffffffffU; /* what the references fold it to; runs then have seeds in a row */
    for (size_t run = 0; run < m->runs; run++)
        outcome_put(&o, run, m->arena->draw ? one_drawn_run(m, seed + run) : one_run(m, users, seed + run));
    return o;
}
