/* Files with damage of many kinds: every call works or fails with a sentence. SPAR_DAMAGES says how many (150). */
#include "store/damage.h"

static uint64_t luck = 4242;

static uint64_t below(uint64_t n)
{
    luck = luck * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (luck >> 33) % n;
}

static size_t damage(unsigned char *bytes, size_t length)
{
    for (uint64_t n = 1 + below(12); n > 0; n--) {
        size_t at = (size_t)below(length), page = at / 4096 * 4096;
        switch (below(6)) {
        case 0:
            bytes[at] ^= (unsigned char)(1u << below(8));
            break;
        case 1:
            bytes[page + below(100)] = (unsigned char)below(256); /* the head of a page */
            break;
        case 2:
            memset(bytes + at, (int)below(256), length - at < 40 ? length - at : 40);
            break;
        case 3:
            memcpy(bytes + page, bytes + below(length / 4096) * 4096, 64);
            break;
        case 4:
            bytes[18 + below(60)] = (unsigned char)below(256); /* the head of the file */
            break;
        default:
            if (below(8) == 0)
                return at;
        }
    }
    return length;
}

int main(void)
{
    char folder[64], path[100];
    const char *text = getenv("SPAR_DAMAGES");
    size_t files = text ? (size_t)strtoul(text, NULL, 10) : 150, failures = 0;
    spar__buf whole = {0};
    damage_visit v = {.good = true};
    (void)snprintf(path, sizeof path, "%s/damage.db", new_folder(folder));
    make_whole(path);
    need(!spar__file_read(path, 0, &whole, NULL));
    v = visit(path, SPAR__STORE_READ);
    ok(v.good && v.failures == 0 && v.n == 1, "a whole file has no fault");
    spar__store_patience = 100;
    for (size_t i = 0; i < files && v.good; i++) {
        unsigned char *bytes = spar__bytes_copy(whole.text, whole.length);
        need(bytes != NULL);
        size_t length = damage(bytes, whole.length);
        for (int mode = SPAR__STORE_READ; mode <= SPAR__STORE_WRITE && v.good; mode++) {
            empty_folder(folder);
            need(!spar__file_write(path, (const char *)bytes, length, NULL));
            v = visit(path, (spar__store_mode)mode);
            failures += v.failures;
        }
        spar__free(bytes);
    }
    ok(v.good && failures > files, "%zu damaged files: %zu calls failed, each with a sentence %s", files, failures,
       v.why);
    spar__buf_free(&whole);
    remove_folder(folder);
    return done();
}
