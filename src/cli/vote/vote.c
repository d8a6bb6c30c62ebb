/* vote.c - spar vote: screens and keys, until q. An answer is called saved when it is in the log. */
#include "cli/vote/vote.h"

#include "base/clock.h"
#include "cli/common.h"
#include "cli/table.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct voting {
    spar_experiment *experiment;
    const char *voter;
    bool terminal;
    spar_screen *screen; /* the one that is shown */
    spar_answer *answer;
    spar__vote_keys keys;
    bool help, fresh; /* fresh: not drawn yet */
    bool full;        /* texts are not folded */
    double shown;     /* when it was drawn first, in nanoseconds */
    uint64_t saved;
    uint64_t last; /* the screen answered last in this run */
    char message[600];
} voting;

static void start_screen(voting *v, spar_screen *screen)
{
    spar_screen_free(v->screen);
    v->screen = screen;
    v->keys = (spar__vote_keys){.m = spar_screen_slots(screen), .asks = spar_experiment_asks(v->experiment)};
    v->help = v->full = false;
    v->fresh = true;
}

static spar_status check_size(const voting *v, const spar_screen *screen, spar_error *err)
{
    return spar_screen_slots(screen) <= SPAR__VOTE_MOST
               ? SPAR_OK
               : spar__fail(err, SPAR_UNSUPPORTED, "%s: a screen has %zu options; spar vote shows %d at most",
                            spar_experiment_place(v->experiment), spar_screen_slots(screen), SPAR__VOTE_MOST);
}

/* The voter's open screen, if there is one, else a new one. */
static spar_status next_screen(voting *v, spar_error *err)
{
    uint64_t number = 0;
    spar_screen *screen = NULL;
    spar_status status = spar_experiment_refresh(v->experiment, err);
    if (status)
        return status;
    bool open = *v->voter && spar_experiment_open_screens(v->experiment, v->voter, 1, &number) > 0;
    status = open ? spar_experiment_screen(v->experiment, number, &screen, err)
                  : spar_experiment_ask(v->experiment, v->voter, &screen, err);
    if (!status)
        status = check_size(v, screen, err);
    if (!status)
        start_screen(v, screen);
    else
        spar_screen_free(screen);
    return status;
}

static uint32_t time_taken(const voting *v)
{
    double milliseconds = 1e-6 * (spar__clock_wall() - v->shown);
    return milliseconds < 1 ? 1 : milliseconds < 4e9 ? (uint32_t)milliseconds : UINT32_MAX;
}

static spar_status tell(const voting *v, spar_error *err)
{
    spar_remarks *remarks = NULL;
    if (spar_remarks_new(&remarks))
        return spar__fail_memory(err);
    if (v->terminal)
        spar__remarks_time(remarks, time_taken(v));
    spar_remarks_set_revision(remarks, spar_screen_revision(v->screen));
    spar_status status =
        spar_experiment_tell(v->experiment, spar_screen_number(v->screen), v->voter, v->answer, remarks, NULL, err);
    spar_remarks_free(remarks);
    return status;
}

/* That somebody else has answered this screen meanwhile is no reason to stop; nor is a full disk or a busy file: the
 * screen stays, and the key may be pressed again. */
static spar_status save(voting *v, spar_error *err)
{
    spar_error problem = {0};
    spar_status status = tell(v, &problem);
    bool later = status == SPAR_IO || status == SPAR_FULL || status == SPAR_BUSY;
    if (status && status != SPAR_CONFLICT && !(later && v->terminal))
        return spar__fail(err, status, "%s", problem.text);
    v->saved += !status;
    if (!status)
        v->last = spar_screen_number(v->screen);
    if (status)
        (void)snprintf(v->message, sizeof v->message, "Not saved: %s.", problem.text);
    else
        (void)snprintf(v->message, sizeof v->message, "Saved: %" PRIu64 " %s.", v->saved,
                       v->saved == 1 ? "answer" : "answers");
    return later ? SPAR_OK : next_screen(v, err);
}

static spar_status undo(voting *v, spar_error *err)
{
    spar_error problem = {0};
    spar_screen *screen = NULL;
    spar_status status = spar_experiment_refresh(v->experiment, err);
    if (status)
        return status;
    uint64_t number = *v->voter ? spar_experiment_last_answered(v->experiment, v->voter) : v->last;
    status = number ? spar_experiment_undo(v->experiment, number, v->voter, SPAR_ANY_REVISION, NULL, &problem)
                    : spar__fail(&problem, SPAR_CONFLICT, "there is no answer of yours to take back");
    if (status == SPAR_CONFLICT || status == SPAR_UNSUPPORTED) {
        (void)snprintf(v->message, sizeof v->message, "Not undone: %s.", problem.text);
        return SPAR_OK;
    }
    if (!status)
        status = spar_experiment_screen(v->experiment, number, &screen, &problem);
    if (status)
        return spar__fail(err, status, "%s", problem.text);
    v->saved -= v->saved > 0;
    v->last = 0; /* one step back, for voters that are not known */
    (void)snprintf(v->message, sizeof v->message, "Taken back. Answer this screen again.");
    start_screen(v, screen);
    return SPAR_OK;
}

static void draw(voting *v)
{
    spar__buf picture = {0};
    spar__vote_view view = {.help = v->help, .full = v->full, .styled = spar__output_styled(), .message = v->message};
    if (v->terminal)
        spar__terminal_size(&view.width, &view.height);
    spar__vote_draw(v->experiment, v->screen, &v->keys, &view, &picture);
    if (v->terminal)
        spar__terminal_show(&picture, v->fresh);
    else if (picture.text)
        (void)fputs(picture.text, stdout);
    (void)fflush(stdout);
    if (v->fresh)
        v->shown = spar__clock_wall();
    v->fresh = false;
    spar__buf_free(&picture);
}

/* Sets *quit when the voter wants to. */
static spar_status act(voting *v, int key, bool *quit, spar_error *err)
{
    v->help = false;
    v->message[0] = '\0'; /* it was about the key before */
    switch (spar__vote_key(&v->keys, key, v->answer)) {
    case SPAR__VOTE_ANSWER:
        return save(v, err);
    case SPAR__VOTE_UNDO:
        return undo(v, err);
    case SPAR__VOTE_HELP:
        v->help = true;
        break;
    case SPAR__VOTE_FULL:
        v->full = !v->full;
        break;
    case SPAR__VOTE_QUIT:
        *quit = true;
        break;
    case SPAR__VOTE_NOTHING:
        break;
    }
    return SPAR_OK;
}

static spar_status vote_by_keys(voting *v, spar_error *err)
{
    bool quit = false;
    spar_status status = spar__terminal_begin(err);
    if (status)
        return status;
    while (!status && !quit) {
        draw(v);
        int key = spar__terminal_key();
        if (key == SPAR__KEY_STOP)
            status = spar__fail(err, SPAR_INTERRUPTED, "interrupted; every answer that was called saved is saved");
        else if (key == SPAR__KEY_END)
            quit = true;
        else if (key != SPAR__KEY_REDRAW)
            status = act(v, key, &quit, err);
    }
    spar__terminal_end();
    return status;
}

/* A line is one key, or a ranking. */
static spar_status take_line(voting *v, const char *line, bool *quit, spar_error *err)
{
    size_t length = strcspn(line, "\r\n");
    if (!spar__vote_types(&v->keys) && length > 1) {
        (void)snprintf(v->keys.hint, sizeof v->keys.hint, "Expected one key a line.");
        return SPAR_OK;
    }
    spar_status status = SPAR_OK;
    for (size_t i = 0; i < length && !status && !*quit; i++)
        status = act(v, (unsigned char)line[i], quit, err);
    if (!status && !*quit && v->keys.n)
        status = act(v, '\n', quit, err);
    v->keys.n = 0;
    v->keys.typed[0] = '\0';
    return status;
}

static spar_status vote_by_lines(voting *v, spar_error *err)
{
    char line[1024];
    bool quit = false;
    spar_status status = SPAR_OK;
    while (!status && !quit) {
        draw(v);
        if (!fgets(line, sizeof line, stdin))
            break;
        status = take_line(v, line, &quit, err);
    }
    return status;
}

/* One person, one voter: so that status can warn of somebody who answered most screens. */
static const char *default_voter(void)
{
    static char number[32];
    const char *user = getenv("USER"), *login = getenv("LOGNAME");
    (void)snprintf(number, sizeof number, "user %lu", (unsigned long)getuid());
    return user && *user ? user : login && *login ? login : number;
}

static void print_end(const voting *v, const char *file, spar__buf *out)
{
    spar__buf_printf(out, "%" PRIu64 " %s saved. What they say: spar status ", v->saved,
                     v->saved == 1 ? "answer is" : "answers are");
    spar__shell_word(file, out);
    spar__buf_adds(out, "\n");
}

static spar_status vote(const spar__settings *settings, spar__buf *out, spar_error *err)
{
    const char *voter = spar__setting_text(settings, "voter");
    voting v = {.voter = voter ? voter : default_voter(), .terminal = spar__terminal_there()};
    spar_status status = spar__experiment_of(settings, SPAR_EXPERIMENT_WRITE, &v.experiment, err);
    if (!status && spar_answer_new(&v.answer))
        status = spar__fail_memory(err);
    if (!status)
        status = next_screen(&v, err);
    if (!status)
        status = v.terminal ? vote_by_keys(&v, err) : vote_by_lines(&v, err);
    if ((status == SPAR_UNSUPPORTED && v.saved) || status == SPAR_ALL_SEEN) { /* closed meanwhile, say */
        spar__buf_printf(out, "%s\n", err ? err->text : "");
        status = SPAR_OK;
    }
    if (v.screen)
        print_end(&v, spar_experiment_place(v.experiment), out);
    spar_screen_free(v.screen);
    spar_answer_free(v.answer);
    spar_experiment_close(v.experiment);
    return status;
}

static const spar__option options[] = {
    SPAR__TEXT_OPTION("voter", "V", "who answers: any text; by default the name you are logged in with"),
    {.name = NULL},
};

const spar__command spar__command_vote = {
    .name = "vote",
    .brief = "Answer screens in the terminal, key by key, until q",
    .operands = "FILE [OPTIONS]",
    .max_operands = 1,
    .options = options,
    .notes =
        "Keys: 1, 2, ... (or A, B, ...) the best; 0 all are equal; b bad, none is acceptable; s skip; u undo; f full\n"
        "texts; ? help; q quit. A ranking is typed: 213 and Enter, or 2=13. Every answer is on disk before the next "
        "screen comes.\n"
        "Standings are never shown while you vote. Without a terminal keys are read from lines.",
    .example = "spar vote tea.db --voter ann",
    .run = vote,
};
