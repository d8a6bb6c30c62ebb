/* Manage tokens in a store: shown once, hashed, ended for ever, numbers never used again. */
#include "service/auth/auth.h"

#include "tap.h"

#include "base/alloc.h"

#include <stdlib.h>

enum { NOW = 1000000, EACH = 40, RIVALS = 4 };

static spar__store *store;

static uint64_t check(const char *text, int64_t now)
{
    spar__tokens tokens;
    if (spar__tokens_init(&tokens, NULL) || spar__tokens_load(&tokens, store, NULL))
        abort();
    uint64_t number = spar__tokens_check(&tokens, text, now);
    ok(spar__tokens_alive(&tokens, number, now) == (number != 0), "alive is the same by its number");
    spar__tokens_fini(&tokens);
    return number;
}

static void test_life(void)
{
    char a[SPAR__TOKEN_LENGTH + 1], b[SPAR__TOKEN_LENGTH + 1], other[SPAR__TOKEN_LENGTH + 1];
    uint64_t number = 0;
    ok(!spar__token_new(store, "ann", NOW, 0, a, &number, NULL) && number == 1, "the first");
    ok(!spar__token_new(store, "", NOW, NOW + 60, b, &number, NULL) && number == 2, "the second");
    ok(strlen(a) == SPAR__TOKEN_LENGTH && strncmp(a, "spar_", 5) == 0 && strcmp(a, b) != 0, "%zu characters",
       strlen(a));
    ok(check(a, NOW) == 1 && check(b, NOW + 59) == 2, "both are good");
    ok(check(b, NOW + 60) == 0 && check(a, (int64_t)1 << 40) == 1, "until they end");
    memcpy(other, a, sizeof other);
    other[SPAR__TOKEN_LENGTH - 1] = other[SPAR__TOKEN_LENGTH - 1] == '0' ? '1' : '0';
    ok(check(other, NOW) == 0 && check("", NOW) == 0 && check("spar_", NOW) == 0, "others are not");
    a[4] = '-';
    ok(check(a, NOW) == 0, "also not without the prefix");
    a[4] = '_';
    ok(!spar__token_revoke(store, 2, NULL) && check(b, NOW) == 0 && check(a, NOW) == 1, "revoked");
    spar_error err = {0};
    ok(spar__token_revoke(store, 2, &err) == SPAR_UNKNOWN && spar__token_revoke(store, 9, &err) == SPAR_UNKNOWN, "%s",
       err.text);
    ok(!spar__token_new(store, "", NOW, 0, other, &number, NULL) && number == 3,
       "the number of a token that was revoked is never that of another: sessions have it");
    ok(check(b, NOW) == 0 && check(other, NOW) == 3, "and the old one stays revoked");
}

static void test_label(void)
{
    char text[SPAR__TOKEN_LENGTH + 1], label[SPAR__TOKEN_LABEL + 2];
    uint64_t number = 0;
    spar_error err = {0};
    memset(label, 'x', sizeof label);
    label[SPAR__TOKEN_LABEL + 1] = '\0';
    ok(spar__token_new(store, label, NOW, 0, text, &number, &err) == SPAR_INVALID, "%s", err.text);
    label[SPAR__TOKEN_LABEL] = '\0';
    ok(!spar__token_new(store, label, NOW, 0, text, &number, &err) && check(text, NOW) == number, "80 bytes fit");
}

static spar_status no_text(void *context, const char *name, const unsigned char *bytes, size_t length)
{
    const char *text = context;
    for (size_t i = 0; i + 16 <= length; i++)
        if (memcmp(bytes + i, text + 5, 16) == 0)
            return SPAR_CORRUPT;
    return strstr(name, text + 5) ? SPAR_CORRUPT : SPAR_OK;
}

static void test_hashed(void)
{
    char text[SPAR__TOKEN_LENGTH + 1];
    uint64_t number = 0;
    ok(!spar__token_new(store, "x", NOW, 0, text, &number, NULL) &&
           !spar__store_secret_each(store, "", no_text, text, NULL),
       "the token itself is nowhere in the store");
}

static void *rival(void *place)
{
    spar__store *mine = NULL;
    char text[SPAR__TOKEN_LENGTH + 1];
    uint64_t number = 0;
    size_t failures = spar__store_open(place, SPAR__STORE_WRITE, &mine, NULL) != SPAR_OK;
    for (int i = 0; i < EACH && !failures; i++)
        failures += spar__token_new(mine, "", NOW, 0, text, &number, NULL) != SPAR_OK;
    spar__store_close(mine);
    return failures ? place : NULL;
}

/* Several programs at once: no token overwrites another. */
static void test_rivals(char *place)
{
    pthread_t thread[RIVALS];
    spar__tokens tokens;
    bool good = true;
    if (spar__tokens_init(&tokens, NULL) || spar__tokens_load(&tokens, store, NULL))
        abort();
    size_t before = tokens.n;
    for (int i = 0; i < RIVALS; i++)
        if (pthread_create(&thread[i], NULL, rival, place))
            abort();
    for (int i = 0; i < RIVALS; i++) {
        void *failed = NULL;
        (void)pthread_join(thread[i], &failed);
        good = good && !failed;
    }
    ok(good && !spar__tokens_load(&tokens, store, NULL) && tokens.n == before + EACH * RIVALS, "%zu tokens, wanted %zu",
       tokens.n, before + EACH * RIVALS);
    spar__tokens_fini(&tokens);
}

static spar_status short_life(const char *place)
{
    char text[SPAR__TOKEN_LENGTH + 1];
    uint64_t number = 0;
    spar__store *mine = NULL;
    spar__tokens tokens;
    spar_status status = spar__store_open(place, SPAR__STORE_CREATE, &mine, NULL);
    if (!status)
        status = spar__token_new(mine, "x", NOW, 0, text, &number, NULL);
    if (!status && !(status = spar__tokens_init(&tokens, NULL))) {
        status = spar__tokens_load(&tokens, mine, NULL);
        spar__tokens_fini(&tokens);
    }
    if (!status)
        status = spar__token_revoke(mine, number, NULL);
    spar__store_close(mine);
    return status;
}

static void test_memory(void)
{
    spar_status status = SPAR_NOMEM;
    size_t k = 0;
    while (status == SPAR_NOMEM && k++ < 100) {
        spar__alloc_fail_at(k);
        status = short_life("memory:short");
        spar__alloc_fail_at(0);
    }
    ok(!status && k > 5, "each of %zu allocations may fail", k - 1);
}

int main(void)
{
    char place[] = "memory:tokens";
    if (spar__store_open(place, SPAR__STORE_CREATE, &store, NULL))
        return 1;
    test_life();
    test_label();
    test_hashed();
    test_rivals(place);
    test_memory();
    spar__store_close(store);
    return done();
}
