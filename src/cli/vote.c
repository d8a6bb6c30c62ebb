/* vote.c - spar vote: screens and keys in the terminal, until q. An answer is called saved when it is in the log.
 *
 * Keys: 1..m or A, B, ... choose, 0 tie, b bad, s skip, u undo, f full texts, ? help, q quit. Small letters are
 * commands, large ones are places. A ranking is typed ("213", "2=13"), and so are pairs of more than two options ("1>2
 * 3=2"). */
#include "cli/vote.h"

#include "base/buf.h"
#include "base/clock.h"
#include "base/file.h"
#include "cli/common.h"
#include "cli/terminal.h"
#include "live/answer_request.h"
#include "live/screen.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <termios.h>
#include <unistd.h>

/* --- from keys to answers, which knows no terminal --- */

bool spar__vote_types(const spar__vote_keys *keys)
{
    return keys->asks == SPAR_ANSWER_RANKING || (keys->asks == SPAR_ANSWER_PAIRS && keys->m > 2);
}

char spar__vote_label(size_t m, size_t place)
{
    return (char)((m > 9 ? 'A' : '1') + (int)place);
}

/* The place of a key, m if it is none. */
static size_t place_of(const spar__vote_keys *keys, int key)
{
    size_t place = key >= '1' && key <= '9'   ? (size_t)(key - '1')
                   : key >= 'A' && key <= 'Z' ? (size_t)(key - 'A')
                                              : keys->m;
    return place < keys->m ? place : keys->m;
}

/* "2=13" becomes "B=A,C", "1>2 3=2" becomes "A>B,C=B": words that spar_answer_parse_... reads. Blanks only separate. */
static void make_words(const spar__vote_keys *keys, char *words, size_t room)
{
    bool place_before = false;
    size_t length = 0;
    words[0] = '\0';
    for (size_t i = 0; i < keys->n; i++) {
        size_t place = place_of(keys, keys->typed[i]);
        char text[SPAR__PLACE_SIZE] = {keys->typed[i], '\0'};
        if (keys->typed[i] == ' ')
            continue;
        if (place < keys->m)
            spar__place_name(place, text);
        (void)snprintf(words + length, room - length, "%s%s", place < keys->m && place_before ? "," : "", text);
        length += strlen(words + length);
        place_before = place < keys->m;
    }
}

static spar__vote_action finish(spar__vote_keys *keys, spar_answer *answer)
{
    char made[SPAR__VOTE_MOST][SPAR__PLACE_SIZE], words[8 * SPAR__VOTE_TYPED];
    const char *name[SPAR__VOTE_MOST];
    spar_error err = {0};
    for (size_t j = 0; j < keys->m; j++) {
        spar__place_name(j, made[j]);
        name[j] = made[j];
    }
    make_words(keys, words, sizeof words);
    bool pairs = keys->asks == SPAR_ANSWER_PAIRS;
    spar_status status =
        (pairs ? spar_answer_parse_pairs : spar_answer_parse_ranking)(answer, words, keys->m, name, &err);
    if (!status)
        return SPAR__VOTE_ANSWER;
    (void)snprintf(keys->hint, sizeof keys->hint, "That is no %s: %.150s.", pairs ? "list of pairs" : "ranking",
                   status == SPAR_PARSE ? err.text /* which has names; others have numbers of slots */
                   : pairs              ? "a pair is in it twice, or an option is compared with itself"
                                        : "an option is in it twice");
    return SPAR__VOTE_NOTHING;
}

static spar__vote_action type(spar__vote_keys *keys, int key, spar_answer *answer)
{
    const char *marks = keys->asks == SPAR_ANSWER_PAIRS ? "<>=, " : "=, ";
    if (key == '\n')
        return keys->n ? finish(keys, answer) : SPAR__VOTE_NOTHING;
    if (key == '\b') {
        keys->n -= keys->n > 0;
    } else if (keys->n == SPAR__VOTE_TYPED ||
               (place_of(keys, key) == keys->m && !(key > 0 && key < 0x7F && strchr(marks, key)))) {
        (void)snprintf(keys->hint, sizeof keys->hint, "Enter ends the answer, Backspace takes back a key.");
    } else {
        keys->typed[keys->n++] = (char)key;
    }
    keys->typed[keys->n] = '\0';
    return SPAR__VOTE_NOTHING;
}

spar__vote_action spar__vote_key(spar__vote_keys *keys, int key, spar_answer *answer)
{
    size_t place = place_of(keys, key);
    keys->hint[0] = '\0';
    if (spar__vote_types(keys) && (keys->n || place < keys->m))
        return type(keys, key, answer);
    if (place < keys->m && keys->asks == SPAR_ANSWER_PAIRS) {
        spar_answer_set_skip(answer); /* add_pair starts anew on another kind */
        (void)spar_answer_add_pair(answer, place, 1 - place, SPAR_WIN, NULL);
        return SPAR__VOTE_ANSWER;
    }
    if (place < keys->m) {
        spar_answer_set_winner(answer, place);
        return SPAR__VOTE_ANSWER;
    }
    switch (key) {
    case '0':
        spar_answer_set_tie(answer);
        return SPAR__VOTE_ANSWER;
    case 'b':
        spar_answer_set_bad(answer);
        return SPAR__VOTE_ANSWER;
    case 's':
        spar_answer_set_skip(answer);
        return SPAR__VOTE_ANSWER;
    case 'u':
        return SPAR__VOTE_UNDO;
    case '?':
        return SPAR__VOTE_HELP;
    case 'f':
        return SPAR__VOTE_FULL;
    case 'q':
        return SPAR__VOTE_QUIT;
    default:
        if (key != '\n' && key != ' ' && key != '\b')
            (void)snprintf(keys->hint, sizeof keys->hint, "This key does nothing. ? shows those that do.");
        return SPAR__VOTE_NOTHING;
    }
}

/* --- the terminal, one key at a time. Signals are blocked but while a key is waited for: nothing is cut off in the
 * middle, and none is missed --- */

enum { KEY_END = -1, KEY_REDRAW = -2, KEY_STOP = -3, ESCAPE = 27, DELETE = 127 };

static const char ENTER[] = "\033[?1049h", LEAVE[] = "\033[?1049l"; /* the second screen of the terminal, and back */

static struct termios before, raw;
static sigset_t outside; /* the signals that were blocked before us */
static volatile sig_atomic_t stopped, changed;
static const int caught[] = {SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGWINCH};
enum { CAUGHT = sizeof caught / sizeof *caught };
static struct sigaction old[CAUGHT];

static void put(const char *text)
{
    size_t length = strlen(text);
    while (length > 0) {
        ssize_t n = write(STDOUT_FILENO, text, length);
        if (n < 0 && errno != EINTR)
            return;
        text += n > 0 ? n : 0;
        length -= n > 0 ? (size_t)n : 0;
    }
}

static void on_signal(int number)
{
    int kept = errno;
    if (number == SIGTSTP) { /* Ctrl-Z: the shell gets the terminal as it was */
        put(LEAVE);
        (void)tcsetattr(STDIN_FILENO, TCSANOW, &before);
        (void)kill(getpid(), SIGSTOP);
        (void)tcsetattr(STDIN_FILENO, TCSANOW, &raw);
        put(ENTER);
    }
    if (number == SIGTSTP || number == SIGWINCH)
        changed = 1;
    else
        stopped = 1;
    errno = kept;
}

static void terminal_end(void)
{
    put(LEAVE);
    (void)tcsetattr(STDIN_FILENO, TCSANOW, &before);
    for (size_t i = 0; i < CAUGHT; i++)
        (void)sigaction(caught[i], &old[i], NULL);
    (void)sigprocmask(SIG_SETMASK, &outside, NULL);
}

/* From here on keys come one by one and are not shown, and signals are seen only by terminal_key. end restores all. */
static spar_status terminal_begin(spar_error *err)
{
    struct sigaction action = {.sa_handler = on_signal};
    if (tcgetattr(STDIN_FILENO, &before) != 0)
        return spar__fail_file(err, "the terminal", "use");
    raw = before;
    raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO); /* Ctrl-C and Ctrl-Z stay signals */
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    stopped = changed = 0;
    (void)sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < CAUGHT; i++)
        (void)sigaddset(&action.sa_mask, caught[i]);
    (void)sigprocmask(SIG_BLOCK, &action.sa_mask, &outside);
    for (size_t i = 0; i < CAUGHT; i++)
        (void)sigaction(caught[i], &action, &old[i]);
    if (tcsetattr(STDIN_FILENO, TCSANOW, &raw) == 0) {
        put(ENTER);
        return SPAR_OK;
    }
    spar_status status = spar__fail_file(err, "the terminal", "use");
    terminal_end();
    return status;
}

/* Is there something to read within that many milliseconds? (-1: for ever) */
static bool wait_for_input(int milliseconds)
{
    fd_set set;
    struct timespec limit = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
    FD_ZERO(&set);
    FD_SET(STDIN_FILENO, &set);
    return pselect(STDIN_FILENO + 1, &set, NULL, NULL, milliseconds < 0 ? NULL : &limit, &outside) > 0;
}

/* A key as above, or: the input has ended; the picture must be drawn again; the user wants to stop. */
static int terminal_key(void)
{
    unsigned char c;
    bool ready = wait_for_input(-1);
    if (stopped)
        return KEY_STOP;
    if (changed || !ready) {
        changed = 0;
        return KEY_REDRAW;
    }
    int key = read(STDIN_FILENO, &c, 1) == 1 ? c : KEY_END;
    while (key == ESCAPE && wait_for_input(20) && read(STDIN_FILENO, &c, 1) == 1)
        ; /* an arrow or the like sends several characters, of which none is meant as an answer */
    return key == DELETE ? '\b' : key == '\r' ? '\n' : key;
}

/* --- the picture --- */

enum { MARGIN = 5, HELP_MARGIN = 10, TITLE_LINES = 3, QUESTION_LINES = 6, MOST_LINES = 100, ALL_LINES = 100000 };

/* Text in lines, styled (NULL: not), and what ends it. */
static void add_text(const char *text, const spar__vote_view *view, const char *style, size_t width, size_t margin,
                     size_t lines, const char *end, spar__buf *out)
{
    if (style && view->styled)
        spar__buf_printf(out, "\033[%sm", style);
    spar__wrap(text, width, margin, margin, lines, out);
    spar__buf_adds(out, style && view->styled ? "\033[0m" : "");
    spar__buf_adds(out, end);
}

/* What stands at a place, behind its key. Of an item only the outputs are shown: whose they are is not. */
static void add_place(const spar_screen *screen, size_t place, const spar__vote_view *view, spar__buf *out)
{
    const spar_option *option = spar_screen_option(screen, place);
    const char *body = spar_screen_body(screen, place), *image = option ? spar_option_image_type(option) : NULL;
    size_t m = spar_screen_slots(screen), other = QUESTION_LINES + 6 + m, width = view->width ? view->width : 80;
    size_t each = view->height > other ? (view->height - other) / m : 1; /* lines for one text, so that all fit */
    size_t lines = view->full ? ALL_LINES : view->height == 0 || each > 12 ? 12 : each ? each : 1, length = 0;
    spar__buf_printf(out, "  %s%c%s  ", view->styled ? "\033[1m" : "", spar__vote_label(m, place),
                     view->styled ? "\033[0m" : "");
    if (spar_screen_item(screen) != SPAR_NO_ITEM) {
        const char *output = !body ? "(removed)" : *body ? body : "(empty)";
        add_text(output, view, NULL, width, MARGIN, lines, "\n", out);
        return;
    }
    add_text(option ? spar_option_title(option) : "(removed)", view, NULL, view->width, MARGIN, TITLE_LINES, "\n", out);
    if (image) {
        (void)spar_option_image(option, &length);
        spar__buf_printf(out, "%*s(an image: %s, %zu KB)\n", MARGIN, "", image, (length + 1023) / 1024);
    }
    if (body) {
        spar__buf_printf(out, "%*s", MARGIN, "");
        add_text(body, view, "2", width, MARGIN, lines, "\n", out);
    }
}

static void add_keys(const spar__vote_keys *keys, bool texts, const spar__vote_view *view, spar__buf *out)
{
    spar__buf line = {0};
    char first = spar__vote_label(keys->m, 0), last = spar__vote_label(keys->m, keys->m - 1);
    if (keys->asks == SPAR_ANSWER_RANKING)
        spar__buf_printf(&line, "%c-%c the best first, '=' between equals, then Enter; or ", first, last);
    else if (spar__vote_types(keys))
        spar__buf_printf(&line, "pairs as in %c>%c %c=%c, then Enter; or ", first, last, first, last);
    else
        spar__buf_printf(&line, "%c-%c the best, ", first, last);
    spar__buf_adds(&line, "0 all equal, b all bad, s skip, u undo, ");
    spar__buf_adds(&line, texts ? "f full, ? help, q quit" : "? help, q quit");
    out->failed |= line.failed;
    add_text(line.failed ? "" : line.text, view, "2", view->width, 0, MOST_LINES, "\n", out);
    spar__buf_free(&line);
}

static void add_help(const spar__vote_keys *keys, const spar__vote_view *view, spar__buf *out)
{
    char places[] = {spar__vote_label(keys->m, 0), ' ', '.', '.', ' ', spar__vote_label(keys->m, keys->m - 1), '\0'};
    const struct {
        const char *key, *what;
    } help[] = {
        {places, keys->asks == SPAR_ANSWER_RANKING
                     ? "rank: the best first, as many as you like; those left out come behind, in no order; = puts two "
                       "on one place; Backspace takes back a key; Enter ends"
                 : spar__vote_types(keys) ? "pairs: > < or = between two places, a blank between pairs; Enter ends"
                                          : "this one is the best"},
        {"A B ..", "the same, as capital letters"},
        {"0", "all are equal"},
        {"b", "bad: none is acceptable"},
        {"s", "skip: no answer"},
        {"u", "undo your last answer"},
        {"f", "full texts: nothing is cut; once more cuts them again"},
        {"q", "quit; everything is saved"},
    };
    for (size_t i = 0; i < sizeof help / sizeof *help; i++) {
        spar__buf_printf(out, "  %-8s", help[i].key);
        add_text(help[i].what, view, NULL, view->width, HELP_MARGIN, MOST_LINES, "\n", out);
    }
}

void spar__vote_draw(const spar_experiment *experiment, const spar_screen *screen, const spar__vote_keys *keys,
                     const spar__vote_view *view, spar__buf *out)
{
    const char *question = spar_experiment_question(experiment), *prompt = spar_screen_prompt(screen);
    const char *said = keys->hint[0] ? keys->hint : view->message;
    bool texts = false;
    if (question)
        add_text(question, view, "1", view->width, 0, QUESTION_LINES, "\n\n", out);
    if (spar_screen_item(screen) != SPAR_NO_ITEM)
        add_text(prompt ? prompt : "(removed)", view, NULL, view->width ? view->width : 80, 0,
                 view->full ? ALL_LINES : QUESTION_LINES, "\n\n", out);
    for (size_t place = 0; place < keys->m; place++) {
        add_place(screen, place, view, out);
        texts = texts || spar_screen_body(screen, place);
    }
    spar__buf_adds(out, "\n");
    if (view->help)
        add_help(keys, view, out);
    else
        add_keys(keys, texts, view, out);
    if (view->width && spar__vote_types(keys))
        spar__buf_printf(out, "%s: %s_\n", keys->asks == SPAR_ANSWER_RANKING ? "ranking" : "pairs", keys->typed);
    if (said && *said)
        add_text(said, view, NULL, view->width, 0, MOST_LINES, "\n", out);
}

/* --- screens and answers --- */

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
    if (!status && spar_screen_slots(screen) > SPAR__VOTE_MOST)
        status = spar__fail(err, SPAR_UNSUPPORTED, "%s: a screen has %zu options; spar vote shows %d at most",
                            spar_experiment_place(v->experiment), spar_screen_slots(screen), SPAR__VOTE_MOST);
    if (!status)
        start_screen(v, screen);
    else
        spar_screen_free(screen);
    return status;
}

static spar_status tell(const voting *v, spar_error *err)
{
    double ms = 1e-6 * (spar__clock_wall() - v->shown);
    spar_remarks *remarks = NULL;
    if (spar_remarks_new(&remarks))
        return spar__fail_memory(err);
    if (v->terminal)
        spar__remarks_time(remarks, ms < 1 ? 1 : ms < 4e9 ? (uint32_t)ms : UINT32_MAX);
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
    if (status) {
        (void)snprintf(v->message, sizeof v->message, "Not saved: %s.", problem.text);
    } else {
        v->saved++;
        v->last = spar_screen_number(v->screen);
        (void)snprintf(v->message, sizeof v->message, "Saved: %" PRIu64 " answer%s.", v->saved, spar__plural(v->saved));
    }
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
    if (v->terminal) {
        struct winsize size;
        bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 10 && size.ws_row >= 3;
        view.width = known ? size.ws_col : 80;
        view.height = known ? size.ws_row : 24;
    }
    spar__vote_draw(v->experiment, v->screen, &v->keys, &view, &picture);
    if (v->terminal && v->fresh) /* keys from before; now, not behind the picture: who has seen it may answer at once */
        (void)tcflush(STDIN_FILENO, TCIFLUSH);
    if (v->terminal) {
        put("\033[H\033[2J");
        put(picture.text ? picture.text : "");
    } else if (picture.text) {
        (void)fputs(picture.text, stdout);
    }
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
    spar_status status = terminal_begin(err);
    if (status)
        return status;
    while (!status && !quit) {
        draw(v);
        int key = terminal_key();
        if (key == KEY_STOP)
            status = spar__fail(err, SPAR_INTERRUPTED, "interrupted; every answer that was called saved is saved");
        else if (key == KEY_END)
            quit = true;
        else if (key != KEY_REDRAW)
            status = act(v, key, &quit, err);
    }
    terminal_end();
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

static spar_status vote(const spar__settings *settings, spar_experiment *experiment, spar__buf *out, spar_error *err)
{
    /* One person, one voter: so that status can warn of somebody who answered most screens. */
    const char *given = spar__setting_text(settings, "voter"), *user = getenv("USER"), *login = getenv("LOGNAME");
    const char *kind = getenv("TERM"); /* of the terminal: can it be drawn on? */
    char number[32];
    (void)snprintf(number, sizeof number, "user %lu", (unsigned long)getuid());
    voting v = {.experiment = experiment,
                .voter = given             ? given
                         : user && *user   ? user
                         : login && *login ? login
                                           : number,
                .terminal =
                    isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && kind && *kind && strcmp(kind, "dumb") != 0};
    spar_status status = spar_answer_new(&v.answer) ? spar__fail_memory(err) : SPAR_OK;
    if (!status)
        status = next_screen(&v, err);
    if (!status)
        status = v.terminal ? vote_by_keys(&v, err) : vote_by_lines(&v, err);
    if ((status == SPAR_UNSUPPORTED && v.saved) || status == SPAR_ALL_SEEN) { /* closed meanwhile, say */
        spar__buf_printf(out, "%s\n", err ? err->text : "");
        status = SPAR_OK;
    }
    if (v.screen) {
        spar__buf_printf(out, "%" PRIu64 " answer%s saved. What they say: spar status ", v.saved,
                         v.saved == 1 ? " is" : "s are");
        spar__shell_word(spar_experiment_place(experiment), out);
        spar__buf_adds(out, "\n");
    }
    spar_screen_free(v.screen);
    spar_answer_free(v.answer);
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
    .min_operands = 1,
    .max_operands = 1,
    .options = options,
    .notes =
        "Keys: 1, 2, ... (or A, B, ...) the best; 0 all are equal; b bad, none is acceptable; s skip; u undo; f full\n"
        "texts; ? help; q quit. A ranking is typed: 213 and Enter, or 2=13. Every answer is on disk before the next "
        "screen comes.\n"
        "Standings are never shown while you vote. Without a terminal keys are read from lines.",
    .example = "spar vote tea.db --voter ann",
    .run = spar__with_experiment,
    .act = vote,
};
