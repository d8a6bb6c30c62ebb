/* exchange.h - an experiment with every kind of event and answer, and exports of it as text. */
#ifndef SPAR_TESTS_LIVE_EXCHANGE_H
#define SPAR_TESTS_LIVE_EXCHANGE_H

#include "live/exchange/exchange.h"

#include <spar/experiment.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static spar_error err;

static void must_at(spar_status status, int line)
{
    if (!status)
        return;
    (void)fprintf(stderr, "# line %d: %s: %s\n", line, spar_status_text(status), err.text);
    abort();
}
#define must(status) must_at((status), __LINE__)

/* Ids that spreadsheets, separators and quotes would like to have. */
static const char *const IDS[] = {"Assam", "=cmd|'/c'!A1", "Earl, \"Grey\"", "a>b=c",
                                  "gr\xC3\xBCner Tee \xF0\x9F\x8D\xB5"};
enum { N_IDS = sizeof IDS / sizeof *IDS };

static const char *const COMMENTS[] = {"quotes \" and ' and, commas", "two\nlines\tand a tab\r\nand more",
                                       "-1 gr\xC3\xBC\xC3\x9F", "=SUM(A1)", " blanks "};

__attribute__((unused)) static void add_options(spar_setup *setup, size_t n)
{
    static const unsigned char image[] = {0x89, 'P', 'N', 'G', 0, 255, 1};
    for (size_t i = 0; i < n; i++) {
        spar_option *option = NULL;
        must(spar_option_new(IDS[i], &option, &err));
        if (i == 0)
            must(spar_option_set_title(option, "Assam \xE2\x80\x94 strong", &err));
        if (i == 1)
            must(spar_option_set_body(option, "# Markdown\n\n*body*, \"quoted\"\ttab", &err));
        if (i == 2)
            must(spar_option_set_image(option, "image/png", image, sizeof image, &err));
        if (i == 3)
            must(spar_option_set_title(option, IDS[i], &err));
        must(spar_setup_add_option(setup, option, &err));
        spar_option_free(option);
    }
}

__attribute__((unused)) static spar_experiment *make_experiment(const char *place, size_t m, size_t n)
{
    spar_setup *setup = NULL;
    spar_experiment *experiment = NULL;
    must(spar_setup_new(&setup));
    must(spar_setup_set_question(setup, "Which tea?\nReally?", &err));
    must(spar_setup_set_slots(setup, m, &err));
    spar_setup_set_seed(setup, 15);
    add_options(setup, n);
    must(spar_experiment_create(place, setup, &experiment, &err));
    spar_setup_free(setup);
    return experiment;
}

/* The i-th answer to a screen of m places. */
static void set_answer(spar_answer *answer, size_t i, size_t m)
{
    size_t order[] = {2 % m, 0, 1}, level[] = {0, 0, 1};
    switch (i % 8) {
    case 0:
        spar_answer_set_winner(answer, i % m);
        break;
    case 1:
        must(spar_answer_set_ranking(answer, m > 2 ? 3 : 1, order, m > 2 ? level : NULL, &err));
        break;
    case 2:
        spar_answer_set_skip(answer);
        must(spar_answer_add_pair(answer, 1, 0, SPAR_WIN, &err));
        if (m > 2)
            must(spar_answer_add_pair(answer, 2, 1, SPAR_TIE, &err));
        break;
    case 3:
        spar_answer_set_tie(answer);
        break;
    case 4:
        spar_answer_set_bad(answer);
        break;
    case 5:
        spar_answer_set_skip(answer);
        break;
    case 6:
        must(spar_answer_set_ranking(answer, 2, (size_t[]){1, 0}, NULL, &err));
        break;
    default:
        must(spar_answer_set_ranking(answer, 1, (size_t[]){1}, NULL, &err));
        break;
    }
}

static uint64_t ask_and_tell(spar_experiment *experiment, size_t i)
{
    static const char *const voters[] = {"ann", "b\xC3\xA9n\xC3\xA9", NULL};
    spar_screen *screen = NULL;
    spar_answer *answer = NULL;
    spar_remarks *remarks = NULL;
    must(spar_answer_new(&answer));
    must(spar_remarks_new(&remarks));
    must(spar_experiment_ask(experiment, voters[i % 3], &screen, &err));
    set_answer(answer, i, spar_screen_slots(screen));
    if (i % 3 == 0)
        must(spar_remarks_set_comment(remarks, COMMENTS[i / 3 % 5], &err));
    spar_remarks_set_taken(remarks, i % 2 ? (uint32_t)(100 * i) : 0);
    spar_remarks_set_flags(remarks, i % 5 == 0);
    uint64_t number = spar_screen_number(screen);
    must(spar_experiment_tell(experiment, number, voters[i % 3], answer, remarks, NULL, &err));
    spar_screen_free(screen);
    spar_answer_free(answer);
    spar_remarks_free(remarks);
    return number;
}

static void import_one(spar_experiment *experiment, const char *source)
{
    spar_import *import = NULL;
    spar_answer *answer = NULL;
    unsigned char key[SPAR_HASH_SIZE] = {7};
    uint64_t added = 0;
    must(spar_answer_new(&answer));
    spar_answer_set_winner(answer, 1);
    must(spar_import_new(experiment, &import, &err));
    must(spar_import_add(import, key, 3, (size_t[]){2, 0, 1}, answer, "cem", 1000000, source, &err));
    must(spar_import_finish(import, &added, NULL, &err));
    spar_import_free(import);
    spar_answer_free(answer);
}

/* Options come and go, answers are undone, it is closed and opened again. */
__attribute__((unused)) static void live_through(spar_experiment *experiment, size_t answers)
{
    spar_option *option = NULL;
    for (size_t i = 0; i < answers; i++) {
        uint64_t number = ask_and_tell(experiment, i);
        if (i % 7 == 3)
            must(spar_experiment_undo(experiment, number, NULL, SPAR_ANY_REVISION, NULL, &err));
        if (i == answers / 2) {
            must(spar_option_new("late", &option, &err));
            must(spar_experiment_add(experiment, option, NULL, &err));
            must(spar_option_set_body(option, "second version", &err));
            must(spar_experiment_add(experiment, option, NULL, &err));
            spar_option_free(option);
            must(spar_experiment_retire(experiment, IDS[0], &err));
        }
    }
    import_one(experiment, NULL);
    must(spar_experiment_set_question(experiment, "Which tea now?", &err));
    must(spar_experiment_end(experiment, &err));
    must(spar_experiment_reopen(experiment, &err));
}

typedef spar_status export_fn(spar__export *export, spar_error *err);

/* The export as a text of its own; its notes go to *notes if that is not NULL. */
__attribute__((unused)) static char *export_text(export_fn *fn, const char *place, bool names, char **notes)
{
    char *text = NULL;
    size_t length = 0;
    spar__export export = {.stream = open_memstream(&text, &length), .names = names};
    must(spar__history_open(place, NULL, NULL, &export.history, &err));
    must(fn(&export, &err));
    (void)fclose(export.stream);
    spar__history_free(export.history);
    if (notes)
        *notes = strdup(export.notes.text ? export.notes.text : "");
    spar__buf_free(&export.notes);
    return text;
}

#endif
