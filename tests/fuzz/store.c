/* A database file with any damage: it can be opened, read, checked and written to, or is refused with a sentence.
 *
 * The first byte is the mode; each further group of six bytes writes four bytes over a small good file (two say where).
 */
#include "fuzz.h"

#include "../store/damage.h"

static char folder[64], path[100];
static spar__buf whole;

static void start(void)
{
    (void)strcpy(folder, access("/dev/shm", W_OK) == 0 ? "/dev/shm/spar-fuzz-XXXXXX" : "/tmp/spar-fuzz-XXXXXX");
    need(mkdtemp(folder) != NULL);
    (void)snprintf(path, sizeof path, "%s/fuzz.db", folder);
    make_whole(path);
    need(!spar__file_read(path, 0, &whole, NULL));
    spar__store_patience = 50;
    remove_folder(folder);
}

void fuzz_store(const uint8_t *data, size_t size)
{
    if (!whole.length)
        start();
    if (size == 0)
        return;
    char *bytes = (char *)spar__bytes_copy(whole.text, whole.length);
    need(bytes && mkdir(folder, 0700) == 0);
    for (size_t at = 1; at + 6 <= size; at += 6)
        memcpy(bytes + (size_t)(data[at] | data[at + 1] << 8) % (whole.length - 4), data + at + 2, 4);
    need(!spar__file_write(path, bytes, data[0] & 2 ? whole.length / 3 : whole.length, NULL));
    damage_visit v = visit(path, data[0] & 1 ? SPAR__STORE_WRITE : SPAR__STORE_READ);
    if (!v.good) {
        printf("%s\n", v.why);
        abort();
    }
    spar__free(bytes);
    remove_folder(folder);
}
