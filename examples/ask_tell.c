/* ask_tell.c - the loop of a live experiment: ask the session what to show, tell it what people said.
 *
 *     cc ask_tell.c $(pkg-config --cflags --libs spar) -o ask_tell && ./ask_tell */
#include <spar/spar.h>

#include <stdio.h>

/* Stands for the people: do they prefer headline a over headline b? */
static int people_prefer(size_t a, size_t b, spar_rng *rng)
{
    static const double appeal[] = {0.30, 0.80, 0.45, 0.50};
    return spar_rng_uniform(rng) < 0.5 + (appeal[a] - appeal[b]) / 2;
}

/* One visitor sees three headlines together and compares them in pairs; pairs that are not compared are left out. */
static spar_status serve(spar_session *session, spar_answer *answer, spar_rng *rng, spar_error *err)
{
    uint64_t question;
    spar_status status = spar_session_ask(session, &question, err);
    spar_answer_set_skip(answer);
    for (size_t j = 0; !status && j < spar_session_slots(session, question); j++)
        for (size_t k = j + 1; !status && k < spar_session_slots(session, question); k++) {
            size_t a = spar_session_slot_arm(session, question, j), b = spar_session_slot_arm(session, question, k);
            status = spar_answer_add_pair(answer, j, k, people_prefer(a, b, rng) ? SPAR_WIN : SPAR_LOSS, err);
        }
    return status ? status : spar_session_tell(session, question, answer, err);
}

int main(void)
{
    static const char *const headline[] = {"plain", "question", "number", "quote"};
    spar_arms *arms = NULL;
    spar_session *session = NULL;
    spar_answer *answer = NULL;
    spar_rng *rng = NULL;
    spar_error err = {SPAR_NOMEM, "out of memory"};
    double score[4];
    int failed = spar_rng_new(2017, 0, 0, &rng) || spar_arms_new(4, 0, NULL, headline, &arms) ||
                 spar_answer_new(&answer) || /* the same seed gives the same questions */
                 spar_session_new("ind_self_sparring", arms, 3, 0, 2017, &session, &err);
    for (int visitor = 0; visitor < 500 && !failed; visitor++)
        failed = serve(session, answer, rng, &err) != SPAR_OK;
    if (!failed)
        failed = spar_session_score(session, 4, score, &err) != SPAR_OK; /* higher is better */
    for (size_t i = 0; i < 4 && !failed; i++)
        printf("%-10s %.3f\n", spar_session_name(session, i), score[i]);
    if (failed)
        fprintf(stderr, "%s\n", err.text);
    spar_session_free(session);
    spar_answer_free(answer);
    spar_arms_free(arms);
    spar_rng_free(rng);
    return failed;
}
