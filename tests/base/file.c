#include "base/file.h"

#include "base/alloc.h"
#include "tap.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static spar_error err;

static bool holds(const char *path, const char *wanted)
{
    spar__buf text = {0};
    bool same = !spar__file_read(path, 0, &text, &err) && strcmp(text.text, wanted) == 0;
    spar__buf_free(&text);
    return same;
}

static bool writes(const char *path, const char *text)
{
    return spar__file_write(path, text, strlen(text), &err) == SPAR_OK;
}

static size_t entries(const char *folder, const char *prefix)
{
    DIR *dir = opendir(folder);
    size_t n = 0;
    for (struct dirent *e; (e = readdir(dir));)
        n += strncmp(e->d_name, prefix, strlen(prefix)) == 0;
    (void)closedir(dir);
    return n;
}

static void check_whole(void)
{
    spar__buf back = {0};
    ok(writes("a", "one") && holds("a", "one"), "a file is written and read");
    ok(writes("a", "two") && holds("a", "two"), "and replaced");
    ok(writes("empty", "") && holds("empty", ""), "an empty one too");
    ok(spar__file_read("a", 2, &back, &err) == SPAR_IO && !back.length, "a limit holds");
    same_text(err.text, "a: larger than 2 bytes", "and names the file");
    ok(spar__file_read("none", 0, &back, &err) == SPAR_IO, "a missing file");
    same_text(err.text, "none: cannot open: No such file or directory", "is named");
    ok(spar__file_read(".", 0, &back, &err) == SPAR_IO && strstr(err.text, "directory"), "a directory is refused");
    ok(!writes("no/such/x", ""), "a missing directory");
    same_text(err.text, "no/such/x: cannot write: No such file or directory", "is refused");
    ok(!writes(".", ""), "a directory");
    same_text(err.text, ".: cannot write: Is a directory", "is not written");
    spar__buf_free(&back);
}

static void check_modes(void)
{
    struct stat info;
    mode_t old = umask(027);
    ok(writes("mode", "x") && stat("mode", &info) == 0 && (info.st_mode & 0777) == 0640, "the umask counts");
    (void)umask(old);
    (void)chmod("mode", 0600);
    ok(writes("mode", "y") && stat("mode", &info) == 0 && (info.st_mode & 0777) == 0600, "permissions are kept");
}

static void check_links(void)
{
    struct stat info;
    (void)mkdir("sub", 0777);
    (void)!symlink("sub/target", "link");
    ok(writes("link", "through") && holds("sub/target", "through"), "a link to nothing yet: its target is made");
    ok(writes("link", "again") && holds("sub/target", "again"), "a link: its target is replaced");
    ok(lstat("link", &info) == 0 && S_ISLNK(info.st_mode), "and the link stays");
    (void)!symlink("../link", "sub/back");
    ok(writes("sub/back", "far") && holds("sub/target", "far"), "a link to a link, relative to its directory");
    (void)!symlink("loop", "loop");
    ok(!writes("loop", "") && strstr(err.text, "loop: cannot write: "), "a loop of links is refused");
}

static void check_databases(void)
{
    static const char head[] = "SQLite format 3\0and more";
    FILE *file = fopen("data", "wb");
    (void)fwrite(head, 1, sizeof head, file);
    (void)fclose(file);
    (void)!symlink("data", "to-data");
    ok(!writes("data", "x") && strstr(err.text, "data: cannot write: it is a database"), "a database is not replaced");
    ok(!writes("to-data", "x"), "nor through a link");
    ok(holds("data", "SQLite format 3"), "and is as it was");
    ok(writes("text", "SQLite format 3") && writes("text", "x"), "a text with the same words is replaced");
}

static void *read_fifo(void *text)
{
    FILE *file = fopen("fifo", "rb");
    size_t n = fread(text, 1, 63, file);
    ((char *)text)[n] = '\0';
    (void)fclose(file);
    return NULL;
}

static void check_devices(void)
{
    struct stat info;
    char got[64] = "";
    pthread_t reader;
    (void)mkfifo("fifo", 0666);
    (void)pthread_create(&reader, NULL, read_fifo, got);
    bool good = writes("fifo", "hello");
    (void)pthread_join(reader, NULL);
    same_text(good ? got : err.text, "hello", "a FIFO is written through");
    ok(lstat("fifo", &info) == 0 && S_ISFIFO(info.st_mode), "and stays");
    ok(writes("/dev/null", "x") && stat("/dev/null", &info) == 0 && S_ISCHR(info.st_mode), "so does a device");
    (void)!symlink("/dev/null", "nothing");
    ok(writes("nothing", "x") && lstat("nothing", &info) == 0 && S_ISLNK(info.st_mode), "also through a link");
    ok(!writes("/dev/full", "x"), "a full device");
    same_text(err.text, "/dev/full: cannot write: No space left on device", "says so");
    static char large[1 << 20];
    ok(spar__file_write("/dev/full", large, sizeof large, &err) == SPAR_IO && strstr(err.text, "No space"),
       "also late");
}

/* Standard output is a file that somebody else appends to. */
static void check_stdout(void)
{
    (void)fflush(stdout);
    int saved = dup(1), log = open("log", O_WRONLY | O_CREAT | O_APPEND, 0666);
    (void)dup2(log, 1);
    (void)printf("1 ");
    bool good = writes("-", "2 ") && writes("/dev/stdout", "3 ") && writes("/proc/self/fd/1", "4 ");
    (void)printf("5");
    (void)fflush(stdout);
    (void)dup2(saved, 1);
    (void)close(log);
    (void)close(saved);
    ok(good && holds("log", "1 2 3 4 5"), "standard output is written in order, under all its names");
}

static void check_pieces(void)
{
    spar__file file;
    (void)writes("b", "old");
    ok(!spar__file_begin(&file, "b", &err), "begin");
    (void)fputs("new", file.stream);
    ok(holds("b", "old") && entries(".", ".spar-") == 1, "the old contents stay until the end");
    spar__file_abandon(&file);
    ok(holds("b", "old") && entries(".", ".spar-") == 0, "or, abandoned, for ever");
    (void)spar__file_begin(&file, "b", &err);
    (void)fputs("newer", file.stream);
    ok(!spar__file_commit(&file, true, &err) && holds("b", "newer"), "commit, with sync");
    (void)spar__file_begin(&file, "b", &err);
    file.error = ENOSPC;
    ok(spar__file_commit(&file, false, &err) == SPAR_IO && holds("b", "newer"), "a noted error is one");
    same_text(err.text, "b: cannot write: No space left on device", "with its reason");
    ok(entries(".", ".spar-") == 0, "nothing is left behind");
    FILE *unnamed = spar__file_unnamed("b");
    ok(unnamed && entries(".", ".spar-") == 0, "a file without a name");
    (void)fclose(unnamed);
}

/* A process is killed while it writes; another one goes on writing. */
static void check_collection(void)
{
    (void)mkdir("kill", 0777);
    (void)fflush(stdout);
    int ready[2];
    (void)!pipe(ready);
    pid_t child = fork();
    if (child == 0) {
        spar__file file;
        (void)spar__file_begin(&file, "kill/x", NULL);
        (void)!write(ready[1], "", 1);
        (void)pause();
        _exit(0);
    }
    char byte;
    (void)!read(ready[0], &byte, 1);
    ok(writes("kill/y", "1") && entries("kill", ".spar-") == 1, "the temporary of a living process is left alone");
    (void)kill(child, SIGKILL);
    (void)waitpid(child, NULL, 0);
    ok(writes("kill/y", "2") && entries("kill", ".spar-") == 1, "one look at a directory while we write there");
    (void)!symlink("y", "kill/.spar-0123456789abcdef.tmp");
    (void)writes("kill/.spar-0123.tmp", "");
    (void)writes("elsewhere", "");
    ok(writes("kill/y", "3") && entries("kill", ".spar-") == 2, "that of a killed one is removed, and nothing else");
    ok(holds("kill/y", "3"), "links are not followed");
    (void)close(ready[0]);
    (void)close(ready[1]);
}

static void check_memory(void)
{
    bool good = true;
    size_t k = 0;
    for (spar_status status = SPAR_NOMEM; status && k < 100;) {
        spar__alloc_fail_at(++k);
        status = spar__file_write("memory", "x", 1, &err);
        good &= !status || (status == SPAR_NOMEM && access("memory", F_OK) != 0 && entries(".", ".spar-") == 0);
    }
    spar__alloc_fail_at(0);
    ok(good && k > 2 && holds("memory", "x"), "each of %zu allocations may fail", k - 1);
}

int main(void)
{
    char folder[] = "/tmp/spar-test-file-XXXXXX";
    if (!mkdtemp(folder) || chdir(folder) != 0)
        return 1;
    check_whole();
    check_modes();
    check_links();
    check_databases();
    check_devices();
    check_stdout();
    check_pieces();
    check_collection();
    check_memory();
    char command[100];
    (void)snprintf(command, sizeof command, "rm -r %s", folder);
    ok(system(command) == 0, "removed");
    return done();
}
