/* Invitations in a store: codes that are hashed, caps, revocation that holds, numbers never used again. */
#include "service/auth/auth.h"

#include "tap.h"

#include "base/alloc.h"

enum { NOW = 1000000 };

typedef char code_text[SPAR__INVITATION_LENGTH + 1];

static spar__store *store;
static spar__invitations table;

static spar__invitation model(uint32_t most, int64_t expires)
{
    spar__invitation one = {.created = NOW, .expires = expires, .most = most};
    memcpy(one.experiment, "tea", 4);
    memcpy(one.label, "ann", 4);
    return one;
}

static bool load(void)
{
    return spar__invitations_load(&table, store, NULL) == SPAR_OK;
}

static void test_life(void)
{
    spar__invitation two[2] = {model(1, 0), model(3, NOW + 60)}, got;
    code_text code[2];
    ok(!spar__invitation_new(store, 2, two, code, NULL) && two[0].number == 1 && two[1].number == 2, "two at once");
    ok(load() && spar__invitations_find(&table, code[1], &got) && got.number == 2 && got.most == 3 &&
           strcmp(got.label, "ann") == 0 && strcmp(got.experiment, "tea") == 0 && got.expires == NOW + 60,
       "found by its code, as it was made");
    ok(!spar__invitations_find(&table, "", &got) && !spar__invitations_find(&table, "0", &got), "not by another");
    code[0][5] = code[0][5] == '0' ? '1' : '0';
    ok(!spar__invitations_find(&table, code[0], &got), "nor by one that differs in a digit");
    ok(spar__invitations_good(&table, 2, "tea", NOW + 59) && !spar__invitations_good(&table, 2, "tea", NOW + 60) &&
           spar__invitations_good(&table, 1, "tea", (int64_t)1 << 40),
       "good until it ends");
    ok(!spar__invitations_good(&table, 1, "coffee", NOW) && !spar__invitations_good(&table, 0, "tea", NOW) &&
           !spar__invitations_good(&table, 7, "tea", NOW),
       "for its experiment only");
}

static void test_use(void)
{
    bool full = false;
    spar__invitation got;
    bool good = true;
    for (uint32_t i = 1; i <= 3; i++)
        good = good && !spar__invitation_use(&table, store, 2, &full, NULL) && !full &&
               spar__invitations_get(&table, 2, &got) && got.used == i;
    ok(good, "three voters come, the table follows");
    ok(!spar__invitation_use(&table, store, 2, &full, NULL) && full && load() &&
           spar__invitations_get(&table, 2, &got) && got.used == 3,
       "the fourth does not");
    spar_error err = {0};
    ok(!spar__invitation_revoke(store, 2, NULL) && spar__invitations_get(&table, 2, &got),
       "revoked by another program: the table still has it");
    ok(spar__invitation_use(&table, store, 2, &full, &err) == SPAR_UNKNOWN, "%s", err.text);
    ok(load() && !spar__invitations_get(&table, 2, &got), "and its use does not bring it back");
    ok(spar__invitation_revoke(store, 2, NULL) == SPAR_UNKNOWN &&
           spar__invitation_revoke(store, 99, NULL) == SPAR_UNKNOWN,
       "it is gone");
    spar__invitation one = model(0, 0);
    code_text code[1];
    ok(!spar__invitation_new(store, 1, &one, code, NULL) && one.number == 3,
       "its number is never that of another: voters have it");
    good = load();
    for (int i = 0; i < 10; i++)
        good = good && !spar__invitation_use(&table, store, 3, &full, NULL) && !full;
    ok(good, "most 0: any number of voters");
}

static void test_limits(void)
{
    spar__invitation one = model(UINT32_MAX, 0), got;
    code_text code[1];
    memset(one.label, 'l', SPAR__INVITATION_LABEL);
    memset(one.experiment, 'e', SPAR__INVITATION_NAME);
    ok(!spar__invitation_new(store, 1, &one, code, NULL) && load() && spar__invitations_find(&table, code[0], &got) &&
           strcmp(got.label, one.label) == 0 && strcmp(got.experiment, one.experiment) == 0 && got.most == UINT32_MAX,
       "the longest label and name");
}

static void test_many(void)
{
    enum { MANY = 1000 };
    static spar__invitation many[MANY], got;
    static code_text code[MANY];
    for (size_t i = 0; i < MANY; i++)
        many[i] = model(1, 0);
    bool good = !spar__invitation_new(store, MANY, many, code, NULL) && load();
    for (size_t i = 0; i < MANY && good; i++)
        good = spar__invitations_find(&table, code[i], &got) && got.number == many[i].number;
    ok(good, "%d at once", MANY);
}

static spar_status short_life(const char *place)
{
    spar__store *mine = NULL;
    spar__invitation two[2] = {model(1, 0), model(2, 0)};
    code_text code[2];
    bool full;
    spar_status status = spar__store_open(place, SPAR__STORE_CREATE, &mine, NULL);
    if (!status)
        status = spar__invitation_new(mine, 2, two, code, NULL);
    if (!status)
        status = spar__invitations_load(&table, mine, NULL);
    if (!status)
        status = spar__invitation_use(&table, mine, two[0].number, &full, NULL);
    if (!status)
        status = spar__invitation_revoke(mine, two[0].number, NULL);
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
    if (spar__store_open("memory:invitations", SPAR__STORE_CREATE, &store, NULL))
        return 1;
    spar__invitations_init(&table);
    test_life();
    test_use();
    test_limits();
    test_memory();
    test_many();
    spar__invitations_fini(&table);
    spar__store_close(store);
    return done();
}
