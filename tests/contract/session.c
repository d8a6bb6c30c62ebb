/* Every policy in a session: a random life of late, partial, repeated, smaller, larger and imported answers and of arms
 * that come and go, killed at random moments and rebuilt from its log, or from the last save and the rest of the log. A
 * shadow, a bare policy with rounds of its own, is asked and told the same; it shares no code with the session but the
 * policy, so what a session forgets (a memo, a probability) or learns twice makes a difference. */
#include "contract/stacks.h"
#include "session/log.h"

#include "base/alloc.h"

enum {
    ARMS = 6,
    STEPS = 600,
    EARLY = 6,
    BOX_STEPS = 60,
    MOST_ARMS = 64,
    PURPOSE =
        0x5e5510, /* of the streams: question n is drawn from (seed, n, PURPOSE), the policy's key from (seed, 0) */
    SEED = 77
};

typedef struct told_answer {
    uint64_t number;
    spar_answer *answer;
} told_answer;

typedef struct life {
    const stack_case *c;
    bool box;
    spar_session *session;
    test_log log;
    unsigned char *saved; /* the last save, and how long the log was then */
    size_t saved_length, saved_at;
    spar_rng luck;
    told_answer told[STEPS];
    size_t n_told;
    /* the shadow */
    spar_policy *policy;
    spar_scratch *scratch;
    spar_feedback *feedback;
    spar_round *asked[STEPS + 1];
    spar_answer *answer; /* the one being made */
    size_t kills, refused;
    char fault[160]; /* the first thing that went wrong */
} life;

static bool need(life *l, bool good, const char *what)
{
    if (!good && !l->fault[0])
        (void)snprintf(l->fault, sizeof l->fault, "%s (event %zu)", what, l->log.n);
    return good;
}

static size_t below(life *l, size_t n)
{
    return (size_t)spar_rng_below(&l->luck, n);
}

/* The shadow's policy is born with the first question or answer, over the arms there are by then. */
static spar_policy *shadow(life *l)
{
    spar_rng rng;
    spar_rng_seed(&rng, SEED, 0, PURPOSE);
    if (!l->policy && spar_policy_new(l->c->spec, spar_session_arms(l->session), l->c->m, 1000, &rng, &l->policy, NULL))
        abort();
    return l->policy;
}

/* Some slots of m, in random order. */
static size_t random_slots(life *l, size_t m, size_t *slot)
{
    for (size_t j = 0; j < m; j++)
        slot[j] = j;
    spar_rng_shuffle(&l->luck, slot, m);
    return 1 + below(l, m);
}

static void make_answer(life *l, size_t m)
{
    size_t slot[MOST_ARMS], level[MOST_ARMS], n = random_slots(l, m, slot), kind = below(l, 8);
    if (kind < 3)
        spar_answer_set_winner(l->answer, slot[0]);
    else if (kind < 5 && m > 1) {
        for (size_t a = 0; a < n; a++)
            level[a] = a ? level[a - 1] + below(l, 3) : 0;
        if (spar_answer_set_ranking(l->answer, n, slot, level, NULL))
            abort();
    } else if (kind < 6 && m > 1) {
        spar_answer_set_skip(l->answer);
        for (size_t a = 0; a < n; a++)
            (void)spar_answer_add_pair(l->answer, below(l, m), below(l, m), (spar_outcome)(1 + below(l, 3)), NULL);
    } else if (kind < 7)
        spar_answer_set_tie(l->answer);
    else if (below(l, 2))
        spar_answer_set_bad(l->answer);
    else
        spar_answer_set_skip(l->answer);
}

static bool teaches(const spar_answer *answer)
{
    return spar_answer_kind_of(answer) != SPAR_ANSWER_BAD && spar_answer_kind_of(answer) != SPAR_ANSWER_SKIP;
}

/* The shadow learns; what it cannot learn it leaves. */
static spar_status shadow_learn(life *l, const spar_round *round)
{
    if (spar_answer_feedback(l->answer, round->m, l->feedback, NULL))
        abort();
    return teaches(l->answer) ? spar_policy_learn(shadow(l), round, l->feedback, NULL) : SPAR_OK;
}

static void ask(life *l)
{
    uint64_t number = 0;
    spar_rng rng;
    spar_rng_seed(&rng, SEED, spar_session_questions(l->session) + 1, PURPOSE);
    spar_round *expected = NULL;
    if (spar_round_new(1, &expected))
        abort();
    spar_status status = spar_policy_choose(shadow(l), l->scratch, &rng, expected, NULL);
    need(l, spar_session_ask(l->session, &number, NULL) == status, "ask as choose");
    if (status) {
        spar_round_free(expected);
        return;
    }
    l->asked[number] = expected;
    const spar_round *round = spar_session_round(l->session, number);
    need(l, round && round->m == expected->m && memcmp(round->arm, expected->arm, round->m * sizeof *round->arm) == 0,
         "the question that the stream gives");
}

/* An answer to a random open question. */
static void tell(life *l)
{
    uint64_t open[STEPS], n = 0;
    for (uint64_t q = 0; (q = spar_session_next_open(l->session, q));)
        open[n++] = q;
    if (n == 0)
        return;
    uint64_t number = open[below(l, n)];
    make_answer(l, spar_session_slots(l->session, number));
    spar_status expected = shadow_learn(l, l->asked[number]);
    need(l, spar_session_tell(l->session, number, l->answer, NULL) == expected, "tell as learn");
    l->told[l->n_told].number = number;
    if (spar_answer_dup(l->answer, &l->told[l->n_told++].answer))
        abort();
}

/* Answers that were given before: the same one, and another. */
static void tell_again(life *l)
{
    if (l->n_told == 0)
        return;
    const told_answer *told = &l->told[below(l, l->n_told)];
    uint64_t before = spar_session_sequence(l->session);
    need(l, spar_session_tell(l->session, told->number, told->answer, NULL) == SPAR_OK, "the same answer again");
    spar_answer_set_winner(l->answer, 50);
    need(l, spar_session_tell(l->session, told->number, l->answer, NULL) == SPAR_CONFLICT, "another answer");
    need(l, spar_session_tell(l->session, 100000, l->answer, NULL) == SPAR_UNKNOWN, "an answer to nothing");
    need(l, spar_session_sequence(l->session) == before, "no event of it");
}

static void import(life *l)
{
    size_t n = spar_arms_count(spar_session_arms(l->session)), arm[MOST_ARMS];
    spar_round *round = NULL;
    if (l->box || spar_round_new(1, &round))
        return;
    (void)random_slots(l, n, arm);
    size_t m = 2 + below(l, n - 1);
    make_answer(l, m);
    (void)shadow(l); /* built now, if at all */
    if (spar_round_set(round, m, arm))
        abort();
    spar_status expected = shadow_learn(l, round);
    need(l, spar_session_import(l->session, m, arm, l->answer, NULL) == expected, "import as learn");
    l->refused += expected != SPAR_OK;
    spar_round_free(round);
}

static void add(life *l)
{
    size_t n = spar_arms_count(spar_session_arms(l->session));
    double x = spar_rng_uniform(&l->luck);
    if (l->box || n >= 2 * ARMS)
        return;
    spar_status expected = l->policy ? spar_policy_add_arm(l->policy, &x, NULL, NULL, NULL) : SPAR_OK;
    need(l, spar_session_add_arm(l->session, &x, NULL, NULL, NULL) == expected, "add as the policy");
    need(l, spar_arms_count(spar_session_arms(l->session)) == n + !expected, "one more arm, or none");
}

static void retire(life *l)
{
    const spar_arms *arms = spar_session_arms(l->session);
    size_t arm = below(l, spar_arms_count(arms) + 1);
    if (l->box || spar_arms_live(arms) <= 4)
        return;
    if (!spar_arms_alive(arms, arm)) {
        need(l, spar_session_retire_arm(l->session, arm, NULL) == SPAR_INVALID, "no arm to retire");
        return;
    }
    spar_status expected = l->policy ? spar_policy_retire_arm(l->policy, arm, NULL) : SPAR_OK;
    need(l, spar_session_retire_arm(l->session, arm, NULL) == expected, "retire as the policy");
    need(l, spar_arms_alive(spar_session_arms(l->session), arm) == (expected != SPAR_OK), "the arm is retired, or not");
}

static void save(life *l)
{
    spar_bytes_free(l->saved);
    if (spar_session_save(l->session, &l->saved, &l->saved_length, NULL))
        abort();
    l->saved_at = l->log.n;
}

/* The session that a save and the rest of the log give. */
static spar_session *reload(life *l)
{
    spar_session *session = NULL;
    spar_error err = {0};
    if (spar_session_load(l->saved, l->saved_length, &session, &err)) {
        printf("# %s\n", err.text);
        return NULL;
    }
    if (log_apply(&l->log, l->saved_at, session))
        return session;
    spar_session_free(session);
    return NULL;
}

static bool same_draft(spar_session *a, spar_session *b)
{
    spar_event *x = NULL, *y = NULL;
    unsigned char *p = NULL, *q = NULL;
    size_t n = 0, m = 0;
    uint64_t number = spar_session_questions(a) + 3;
    if (spar_event_new(&x) || spar_event_new(&y))
        abort();
    spar_status status = spar_session_draft(a, number, x, NULL);
    bool same = status == spar_session_draft(b, number, y, NULL);
    if (same && !status)
        same = !spar_event_encode(x, &p, &n) && !spar_event_encode(y, &q, &m) && n == m && memcmp(p, q, n) == 0;
    spar_bytes_free(p);
    spar_bytes_free(q);
    spar_event_free(x);
    spar_event_free(y);
    return same;
}

/* The process is gone; the log is not. */
static void kill_and_rebuild(life *l)
{
    bool from_save = l->saved && below(l, 2);
    spar_session *rebuilt = from_save ? reload(l) : log_replay(&l->log);
    if (!need(l, rebuilt != NULL, from_save ? "load and replay the rest" : "replay"))
        return;
    need(l, same_sessions(l->session, rebuilt), from_save ? "same bytes after a load" : "same bytes after a replay");
    need(l, same_draft(l->session, rebuilt), "same next question");
    if (l->policy)
        need(l, same_bytes(state_of(spar_session_policy(rebuilt)), state_of(l->policy)), "same state as the shadow");
    spar_session_free(l->session);
    l->session = rebuilt;
    if (spar_session_log(rebuilt, log_write, &l->log, NULL))
        abort();
    l->kills++;
}

/* Of the first steps some come before the first question. */
static void step(life *l, bool early)
{
    size_t what = early ? 84 + below(l, 16) : below(l, 100);
    if (what < 38)
        ask(l);
    else if (what < 70)
        tell(l);
    else if (what < 76)
        tell_again(l);
    else if (what < 84)
        import(l);
    else if (what < 88)
        add(l);
    else if (what < 91)
        retire(l);
    else if (what < 94)
        save(l);
    else
        kill_and_rebuild(l);
}

static void life_free(life *l)
{
    spar_session_free(l->session);
    log_free(&l->log);
    spar_bytes_free(l->saved);
    for (size_t i = 0; i < l->n_told; i++)
        spar_answer_free(l->told[i].answer);
    for (size_t i = 0; i <= STEPS; i++)
        spar_round_free(l->asked[i]);
    spar_policy_free(l->policy);
    spar_scratch_free(l->scratch);
    spar_feedback_free(l->feedback);
    spar_answer_free(l->answer);
    free(l);
}

static void lives(const stack_case *c, const spar_arms *arms, bool box, uint64_t run)
{
    life *l = calloc(1, sizeof *l);
    spar_error err = {0};
    if (!l || spar_scratch_new(&l->scratch) || spar_feedback_new(1, &l->feedback) || spar_answer_new(&l->answer))
        abort();
    l->c = c;
    l->box = box;
    spar_rng_seed(&l->luck, 5, run, 1);
    spar_status status = spar_session_new(c->spec, arms, c->m, 1000, SEED, &l->session, &err);
    if (c->policy->plain || (box && status == SPAR_UNSUPPORTED)) {
        ok(status == SPAR_UNSUPPORTED && err.text[0], "%s m=%zu: refused: %s", c->spec, c->m, err.text);
        life_free(l);
        return;
    }
    if (status || spar_session_set_shuffle(l->session, run % 2, NULL) ||
        spar_session_log(l->session, log_write, &l->log, NULL)) {
        printf("Bail out! %s: %s\n", c->spec, err.text);
        abort();
    }
    for (size_t i = 0; i < (box ? BOX_STEPS : STEPS); i++)
        step(l, i < EARLY && !box);
    kill_and_rebuild(l);
    if (!ok(!l->fault[0] && l->kills > 1, "%s m=%zu: %zu events, killed %zu times%s", c->spec, c->m, l->log.n, l->kills,
            box ? ", in a box" : ""))
        printf("# %s\n", l->fault);
    life_free(l);
}

int main(void)
{
    spar_arms *arms = make_arms(ARMS), *square = NULL;
    if (spar_arms_new_box(2, (double[]){0, -1}, (double[]){1, 1}, &square))
        abort();
    find_cases();
    for (size_t i = 0; i < n_cases; i++) {
        lives(&cases[i], arms, false, 2 * i + (i % 3 == 0));
        if (cases[i].policy->box && cases[i].m <= 2)
            lives(&cases[i], square, true, 2 * i);
    }
    spar_arms_free(arms);
    spar_arms_free(square);
    return done();
}
