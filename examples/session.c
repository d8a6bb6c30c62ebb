/* session.c - a vote that outlives its process: every run answers 20 questions, asks one more, saves and exits.
 *
 *     cc session.c $(pkg-config --cflags --libs spar) -o session && ./session tea.spar && ./session tea.spar */
#include <spar/spar.h>
#include <stdio.h>
#include <string.h>
#define CHECK(call) if (call) return fprintf(stderr, "%s\n", err.text), 1

int main(int argc, char **argv)
{
    static const char *const teas[] = {"Assam", "Darjeeling", "Earl Grey", "Sencha"};
    static unsigned char saved[1 << 16], *bytes;
    spar_error err = {SPAR_IO, "the vote cannot be saved"};
    spar_session *session = NULL;
    spar_arms *arms = NULL;
    size_t length = 0, best = 0;
    FILE *file = fopen(argc > 1 ? argv[1] : "session.spar", "rb");
    if (file) { /* there is a vote: go on with it */
        length = fread(saved, 1, sizeof saved, file);
        fclose(file);
    }
    CHECK(length ? spar_session_load(saved, length, &session, &err)
                 : (spar_arms_new(4, 0, NULL, teas, &arms) ||
                    spar_session_new("ind_self_sparring", arms, 2, 0, 2017, &session, &err)));
    uint64_t question = spar_session_next_open(session, 0); /* asked by the last run and not answered yet, or 0 */
    for (int i = 0; i <= 20; i++, question = 0) {
        CHECK(!question && spar_session_ask(session, &question, &err));
        const char *a = spar_session_slot_name(session, question, 0), *b = spar_session_slot_name(session, question, 1);
        printf("%d. %s or %s?\n", (int)question, a, b);
        if (i < 20) /* this voter likes what comes late in the alphabet */
            CHECK(spar_session_tell_winner(session, question, strcmp(a, b) > 0 ? a : b, &err));
    }
    CHECK(spar_session_best(session, &best, 0, NULL, &err) || spar_session_save(session, &bytes, &length, &err) ||
          !(file = fopen(argc > 1 ? argv[1] : "session.spar", "wb")) || fwrite(bytes, 1, length, file) != length);
    printf("best so far: %s\n", spar_session_name(session, best));
    spar_session_free(session);
    spar_arms_free(arms);
    spar_bytes_free(bytes);
    return fclose(file) != 0;
}
