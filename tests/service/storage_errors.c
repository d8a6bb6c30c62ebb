/* Troubles are told once for each cause, and once when they are over. */
#include "service/hosting/hosting.h"

#include "tap.h"

#include "base/error.h"

#include <stdlib.h>
#include <unistd.h>

static char path[] = "/tmp/spar-troubles-XXXXXX";
static spar__storage_errors troubles;

/* Lines on standard error that hold the word, since the start. */
static size_t told(const char *word)
{
    char line[1000];
    size_t n = 0;
    (void)fflush(stderr);
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file))
        n += strstr(line, word) && strncmp(line, "spar: warning: ", 15) == 0;
    if (file)
        (void)fclose(file);
    return n;
}

static void add(spar_status status, const char *sentence, double now)
{
    spar_error err = {0};
    (void)spar__fail(&err, status, "%s", sentence);
    spar__storage_errors_add(&troubles, status, &err, now);
}

static void test_once(void)
{
    for (int i = 0; i < 100; i++)
        add(SPAR_IO, "tea.db: red", i);
    ok(told("red") == 1, "100 times, told once");
    add(SPAR_FULL, "tea.db: blue", 100);
    add(SPAR_INVALID, "green", 100);
    add(SPAR_CONFLICT, "green", 100);
    add(SPAR_UNKNOWN, "green", 100);
    ok(told("blue") == 1 && told("green") == 0, "another cause, too; what is wrong with a request is not");
    spar__storage_errors_good(&troubles, 101);
    ok(told("over") == 0, "one that came up just now is not over");
    spar__storage_errors_good(&troubles, 109.5);
    ok(told("over, after 100 times: tea.db: red") == 1 && told("over") == 1, "one of ten seconds ago is");
    spar__storage_errors_good(&troubles, 200);
    spar__storage_errors_good(&troubles, 300);
    ok(told("over") == 2, "each once");
    add(SPAR_IO, "tea.db: red", 400);
    ok(told("red") == 3, "after that it is told again");
}

static void test_many(void)
{
    char text[40];
    for (int i = 0; i < 100; i++) {
        (void)snprintf(text, sizeof text, "many %d", i);
        add(SPAR_IO, text, 500);
    }
    ok(told("many") == SPAR__MAX_STORAGE_ERRORS - 1, "not more than %d at a time", SPAR__MAX_STORAGE_ERRORS);
    spar__storage_errors_add(NULL, SPAR_IO, &(spar_error){.text = "nobody"}, 0);
    add(SPAR_IO, "", 500);
    ok(told("nobody") == 0, "nowhere to tell");
}

int main(void)
{
    int fd = mkstemp(path);
    if (fd < 0 || dup2(fd, STDERR_FILENO) < 0)
        return 1;
    spar__storage_errors_init(&troubles);
    test_once();
    test_many();
    spar__storage_errors_fini(&troubles);
    (void)unlink(path);
    return done();
}
