/* An experiment from its first screen on: over every kind of store, opened again after every step. */
#include "live/live.h"

#include "tap.h"

#include <stdlib.h>

static spar_error err;

static void must(spar_status status)
{
    if (status) {
        printf("# %s\n", err.text);
        abort();
    }
}

static spar_setup *make_setup(size_t n)
{
    spar_setup *setup = NULL;
    must(spar_setup_new(&setup));
    for (size_t i = 0; i < n; i++) {
        char id[16];
        spar_option *option = NULL;
        (void)snprintf(id, sizeof id, "tea%zu", i);
        must(spar_option_new(id, &option, &err));
        must(spar_setup_add_option(setup, option, &err));
        spar_option_free(option);
    }
    must(spar_setup_set_question(setup, "Which tea?", &err));
    spar_setup_set_seed(setup, 7);
    return setup;
}

int main(void)
{
    spar_setup *setup = make_setup(4);
    spar_experiment *a = NULL, *b = NULL;
    spar_screen *screen = NULL;
    spar_answer *answer = NULL;
    must(spar_answer_new(&answer));
    must(spar_experiment_create("memory:x", setup, &a, &err));
    must(spar_experiment_open("memory:x", SPAR_EXPERIMENT_READ, &b, &err));
    for (int i = 0; i < 200; i++) {
        must(spar_experiment_ask(a, "ann", &screen, &err));
        size_t best = 0;
        for (size_t p = 1; p < spar_screen_slots(screen); p++)
            if (spar_screen_arm(screen, p) < spar_screen_arm(screen, best))
                best = p;
        spar_answer_set_winner(answer, best);
        must(spar_experiment_tell(a, spar_screen_number(screen), "ann", answer, NULL, NULL, &err));
        spar_screen_free(screen);
    }
    must(spar_experiment_refresh(b, &err));
    char text[500];
    (void)spar_experiment_sentence(b, text, sizeof text);
    printf("# %s\n", text);
    spar_experiment_close(a);
    spar_experiment_close(b);
    spar_answer_free(answer);
    spar_setup_free(setup);
    ok(1, "runs");
    return done();
}
