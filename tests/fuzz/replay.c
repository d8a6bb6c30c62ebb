/* Every input of every corpus once more, without libFuzzer: those in corpus/NAME here, and those in
 * SPAR_FUZZ_CORPUS/NAME if that is set. An input that breaks a promise ends the program. */
#include "fuzz.h"

#include "base/file.h"
#include "tap.h"

#include <dirent.h>

typedef struct fuzz_target {
    const char *name;
    void (*run)(const uint8_t *data, size_t size);
} fuzz_target;

/* Those that are not built have no function. */
#ifdef SPAR__HAVE_LIVE
#define LIVE_FUZZ(name) FUZZ(name)
#else
#define LIVE_FUZZ(name) {#name, NULL},
#endif
#ifdef SPAR__HAVE_SERVICE
#define SERVICE_FUZZ(name) FUZZ(name)
#else
#define SERVICE_FUZZ(name) {#name, NULL},
#endif

static const fuzz_target targets[] = {
#define FUZZ(name) {#name, fuzz_##name},
#include "targets.def"
#undef FUZZ
};
enum { TARGETS = sizeof targets / sizeof *targets };

/* In a block of its exact size, so that the sanitizer sees a step beyond it. */
static void run_file(const fuzz_target *target, const char *path)
{
    spar__buf text = {0};
    if (spar__file_read(path, 0, &text, NULL))
        return;
    printf("# %s\n", path);
    (void)fflush(stdout);
    uint8_t *bytes = malloc(text.length ? text.length : 1);
    if (!bytes)
        abort();
    if (text.length)
        memcpy(bytes, text.text, text.length);
    target->run(bytes, text.length);
    free(bytes);
    spar__buf_free(&text);
}

static size_t run_folder(const fuzz_target *target, const char *root)
{
    char path[1024];
    size_t n = 0;
    (void)snprintf(path, sizeof path, "%s/%s", root, target->name);
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        if (entry->d_name[0] == '.')
            continue;
        (void)snprintf(path, sizeof path, "%s/%s/%s", root, target->name, entry->d_name);
        run_file(target, path);
        n++;
    }
    if (folder)
        (void)closedir(folder);
    return n;
}

/* Is every folder of inputs that of a target? */
static bool all_known(const char *root)
{
    bool known = true;
    DIR *folder = opendir(root);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        bool found = entry->d_name[0] == '.';
        for (size_t i = 0; i < TARGETS; i++)
            found |= strcmp(entry->d_name, targets[i].name) == 0;
        if (!found)
            printf("# no target %s\n", entry->d_name);
        known &= found;
    }
    if (folder)
        (void)closedir(folder);
    return folder && known;
}

int main(int argc, char **argv)
{
    char root[512];
    const char *tests = getenv("SPAR_TESTS"), *more = getenv("SPAR_FUZZ_CORPUS");
    (void)snprintf(root, sizeof root, "%s/fuzz/corpus", tests ? tests : "tests");
    ok(all_known(root), "every corpus has its target");
    for (size_t i = 0; i < TARGETS; i++) {
        if (argc > 1 && strcmp(argv[1], targets[i].name) != 0)
            continue;
        if (!targets[i].run) {
            skip("no live library");
            continue;
        }
        targets[i].run((const uint8_t *)"", 0);
        size_t n = run_folder(&targets[i], root);
        ok(n > 0, "%s: %zu inputs of the tree", targets[i].name, n);
        if (more)
            ok(true, "%s: %zu more", targets[i].name, run_folder(&targets[i], more));
    }
    return done();
}
