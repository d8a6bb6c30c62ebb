/* tea.c - an experiment in a file: every screen and every answer is on disk before the next one is asked.
 *
 *     cc tea.c $(pkg-config --cflags --libs spar-live) -o tea && ./tea tea.db && spar status tea.db */
#include <spar/experiment.h>

#include <stdio.h>
#include <string.h>

#define CHECK(call)                                                                                                    \
    if (call)                                                                                                          \
    return fprintf(stderr, "%s\n", err.text), 1

/* Adds the options to a new experiment and makes its file. */
static int create(const char *file, spar_experiment **experiment)
{
    static const char *const teas[] = {"Assam", "Darjeeling", "Earl Grey", "Sencha"};
    spar_error err = {SPAR_NOMEM, "out of memory"};
    spar_setup *setup = NULL;
    CHECK(spar_setup_new(&setup) || spar_setup_set_question(setup, "Which tea?", &err));
    spar_setup_set_seed(setup, 2017);
    for (int i = 0; i < 4; i++) {
        spar_option *option = NULL;
        CHECK(spar_option_new(teas[i], &option, &err) || spar_setup_add_option(setup, option, &err));
        spar_option_free(option);
    }
    CHECK(spar_experiment_create(file, setup, experiment, &err));
    spar_setup_free(setup);
    return 0;
}

/* The people: they like what comes late in the alphabet. */
static size_t best_place(const spar_screen *screen)
{
    size_t best = 0;
    for (size_t place = 1; place < spar_screen_slots(screen); place++)
        if (strcmp(spar_option_id(spar_screen_option(screen, place)),
                   spar_option_id(spar_screen_option(screen, best))) > 0)
            best = place;
    return best;
}

int main(int argc, char **argv)
{
    const char *file = argc > 1 ? argv[1] : "memory:tea"; /* memory: gone when the program ends */
    spar_error err = {SPAR_NOMEM, "out of memory"};
    spar_experiment *experiment = NULL;
    spar_answer *answer = NULL;
    char sentence[400];
    if (create(file, &experiment))
        return 1;
    CHECK(spar_answer_new(&answer));
    for (int i = 0; i < 40; i++) {
        spar_screen *screen = NULL;
        char voter[20];
        (void)snprintf(voter, sizeof voter, "voter %d", i % 8);
        CHECK(spar_experiment_ask(experiment, voter, &screen, &err));
        spar_answer_set_winner(answer, best_place(screen));
        CHECK(spar_experiment_tell(experiment, spar_screen_number(screen), voter, answer, NULL, NULL, &err));
        spar_screen_free(screen);
    }
    spar_experiment_sentence(experiment, sentence, sizeof sentence);
    puts(sentence);
    spar_verdict verdict = spar_decision_verdict(spar_experiment_decision(experiment));
    spar_answer_free(answer);
    spar_experiment_close(experiment);
    return verdict != SPAR_VERDICT_BEST;
}
