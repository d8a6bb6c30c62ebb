/* The terminal, one key at a time. Signals are blocked but while a key is waited for: nothing is cut off in the middle,
 * and none is missed. */
#include "cli/vote/vote.h"

#include "base/file.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <termios.h>
#include <unistd.h>

enum { ESCAPE = 27, DELETE = 127 };

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

/* Ctrl-Z: the shell gets the terminal as it was. */
static void suspend(void)
{
    put(LEAVE);
    (void)tcsetattr(STDIN_FILENO, TCSANOW, &before);
    (void)kill(getpid(), SIGSTOP);
    (void)tcsetattr(STDIN_FILENO, TCSANOW, &raw);
    put(ENTER);
}

static void on_signal(int number)
{
    int kept = errno;
    if (number == SIGTSTP)
        suspend();
    if (number == SIGTSTP || number == SIGWINCH)
        changed = 1;
    else
        stopped = 1;
    errno = kept;
}

bool spar__terminal_there(void)
{
    const char *kind = getenv("TERM");
    return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && kind && *kind && strcmp(kind, "dumb") != 0;
}

static void catch_signals(void)
{
    struct sigaction action = {.sa_handler = on_signal};
    (void)sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < CAUGHT; i++)
        (void)sigaddset(&action.sa_mask, caught[i]);
    (void)sigprocmask(SIG_BLOCK, &action.sa_mask, &outside);
    for (size_t i = 0; i < CAUGHT; i++)
        (void)sigaction(caught[i], &action, &old[i]);
}

spar_status spar__terminal_begin(spar_error *err)
{
    if (tcgetattr(STDIN_FILENO, &before) != 0)
        return spar__fail_file(err, "the terminal", "use");
    raw = before;
    raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO); /* Ctrl-C and Ctrl-Z stay signals */
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    stopped = changed = 0;
    catch_signals();
    if (tcsetattr(STDIN_FILENO, TCSANOW, &raw) == 0) {
        put(ENTER);
        return SPAR_OK;
    }
    spar_status status = spar__fail_file(err, "the terminal", "use");
    spar__terminal_end();
    return status;
}

void spar__terminal_end(void)
{
    put(LEAVE);
    (void)tcsetattr(STDIN_FILENO, TCSANOW, &before);
    for (size_t i = 0; i < CAUGHT; i++)
        (void)sigaction(caught[i], &old[i], NULL);
    (void)sigprocmask(SIG_SETMASK, &outside, NULL);
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

static int read_byte(void)
{
    unsigned char c;
    return read(STDIN_FILENO, &c, 1) == 1 ? c : SPAR__KEY_END;
}

/* An arrow or the like sends several characters, of which none is meant as an answer. */
static int skip_sequence(void)
{
    while (wait_for_input(20) && read_byte() != SPAR__KEY_END)
        ;
    return ESCAPE;
}

int spar__terminal_key(void)
{
    bool ready = wait_for_input(-1);
    if (stopped)
        return SPAR__KEY_STOP;
    if (changed || !ready) {
        changed = 0;
        return SPAR__KEY_REDRAW;
    }
    int key = read_byte();
    return key == ESCAPE ? skip_sequence() : key == DELETE ? '\b' : key == '\r' ? '\n' : key;
}

void spar__terminal_show(const spar__buf *picture, bool forget)
{
    if (forget) /* now, not behind the picture: who has seen it may answer at once */
        (void)tcflush(STDIN_FILENO, TCIFLUSH);
    put("\033[H\033[2J");
    if (picture->text)
        put(picture->text);
}

void spar__terminal_size(size_t *width, size_t *height)
{
    struct winsize size;
    bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 10 && size.ws_row >= 3;
    *width = known ? size.ws_col : 80;
    *height = known ? size.ws_row : 24;
}
