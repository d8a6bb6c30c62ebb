/* Signatures, voters, sessions, form tokens: every changed bit is found, nothing fits where it does not belong. */
#include "service/auth/auth.h"

#include "tap.h"

static spar__keyring keys;
static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

static void test_sign(void)
{
    unsigned char a[SPAR_HASH_SIZE], b[SPAR_HASH_SIZE];
    const spar__part ab_c[] = {{"ab", 2}, {"c", 1}}, a_bc[] = {{"a", 1}, {"bc", 2}};
    ok(!spar__sign(&keys, "x", 2, ab_c, a) && !spar__sign(&keys, "x", 2, a_bc, b), "two signatures");
    ok(memcmp(a, b, sizeof a) != 0, "parts are not run together");
    ok(spar__signed(&keys, "x", 2, ab_c, 0, a) && !spar__signed(&keys, "y", 2, ab_c, 0, a), "a purpose is part of it");
    spar__keyring next = keys, after, read;
    unsigned char bytes[SPAR__KEYRING_SIZE];
    ok(!spar__keyring_rotate(&next, 1000, NULL), "a new key");
    ok(spar__signed(&next, "x", 2, ab_c, 999, a) && !spar__signed(&next, "x", 2, ab_c, 1000, a),
       "the old one is good until its time is over");
    spar__keyring_write(&next, bytes);
    ok(spar__keyring_read(&read, bytes, sizeof bytes) && memcmp(&read, &next, sizeof read) == 0, "kept in the store");
    ok(!spar__keyring_read(&read, bytes, sizeof bytes - 1), "a short one is refused");
    after = next;
    ok(!spar__keyring_rotate(&after, 0, NULL) && !spar__signed(&after, "x", 2, ab_c, 0, a), "or drops it at once");
}

/* How many of all texts that differ in one character are taken? */
static size_t forged(const char *text, bool (*check)(const char *text))
{
    char copy[200];
    size_t taken = 0;
    for (size_t i = 0; text[i]; i++)
        for (size_t d = 0; d < 64; d++) {
            memcpy(copy, text, strlen(text) + 1);
            if (copy[i] != digits[d]) {
                copy[i] = digits[d];
                taken += check(copy);
            }
        }
    return taken;
}

static bool check_voter(const char *text)
{
    uint64_t invitation = 0;
    return spar__voter_check(&keys, text, 0, &invitation);
}

static bool check_session(const char *text)
{
    spar__login login;
    return spar__login_check(&keys, text, 100, &login);
}

static void test_voters(void)
{
    char text[SPAR__VOTER_LENGTH + 1], other[SPAR__VOTER_LENGTH + 1];
    char a[SPAR__VOTER_NAME_LENGTH + 1], b[SPAR__VOTER_NAME_LENGTH + 1];
    uint64_t invitation = 0;
    ok(!spar__voter_new(&keys, 7, text, NULL) && !spar__voter_new(&keys, 7, other, NULL), "two voters");
    ok(strcmp(text, other) != 0 && strlen(text) == SPAR__VOTER_LENGTH, "are different");
    ok(spar__voter_check(&keys, text, 0, &invitation) && invitation == 7,
       "the secret is ours and names the invitation");
    ok(forged(text, check_voter) == 0, "no change of one character is taken");
    ok(!check_voter("") && !check_voter("rubbish"), "nor is rubbish");
    unsigned char key[SPAR_HASH_SIZE] = {1};
    ok(!spar__voter_name(key, "tea", text, a) && !spar__voter_name(key, "tea", text, b), "a name for the log");
    same_text(a, b, "is always the same");
    ok(strlen(a) == SPAR__VOTER_NAME_LENGTH, "as long as it says: %s", a);
    ok(!spar__voter_name(key, "coffee", text, b) && strcmp(a, b) != 0, "in another experiment it is another one");
}

static void test_sessions(void)
{
    spar__login login;
    char text[SPAR__SESSION_LENGTH + 1], form[SPAR__FORM_LENGTH + 1];
    ok(!spar__login_new(&keys, 42, 100, text, NULL), "a session");
    ok(spar__login_check(&keys, text, 100, &login) && login.token == 42, "knows its token");
    ok(spar__login_check(&keys, text, 99 + SPAR__SESSION_SECONDS, &login), "for 12 hours");
    ok(!spar__login_check(&keys, text, 100 + SPAR__SESSION_SECONDS, &login), "and not longer");
    ok(forged(text, check_session) == 0, "no change of one character is taken");
    ok(!spar__form_token(&keys, text, form) && spar__form_check(&keys, text, 0, form), "a form token of the session");
    ok(!spar__form_check(&keys, "another session", 0, form), "is not one of another");
    ok(!check_voter(text), "a session is no voter");
}

int main(void)
{
    ok(!spar__keyring_new(&keys, NULL), "keys");
    test_sign();
    test_voters();
    test_sessions();
    return done();
}
