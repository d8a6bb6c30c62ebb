/* Hostile logs: events of any contents applied to a session of some policy. Whatever is refused changes nothing; what
 * remains can be saved, loaded and asked. The first byte chooses the policy; then come events, each as its kind, the
 * length of its body, and the body. */
#include "fuzz.h"

#include <spar/spar.h>

static const char *const specs[] = {"self_sparring/thompson/beta",
                                    "sparring/exp3",
                                    "rucb",
                                    "rmed1",
                                    "merge_rucb",
                                    "interleaved_filter",
                                    "beat_the_mean",
                                    "doubler/ucb1",
                                    "mdb",
                                    "savage",
                                    "dts",
                                    "self_sparring/thompson/gp",
                                    "multi_sbm/ucb1"};
enum { SPECS = sizeof specs / sizeof *specs, MOST_EVENTS = 60, MOST_SLOTS = 64, HEAD = 22 };

static spar_session *make(uint8_t which)
{
    static spar_arms *arms;
    spar_session *session = NULL;
    uint64_t number;
    if (!arms)
        require(!spar_arms_new(4, 1, (double[]){0, 0.3, 0.7, 1}, NULL, &arms));
    require(!spar_session_new(specs[which % SPECS], arms, 2, 100, 1, &session, NULL));
    require(which < 128 || !spar_session_ask(session, &number, NULL));
    return session;
}

/* The next event of the input; false at its end. */
static bool next(fuzz_input *in, uint64_t sequence, spar_event *event)
{
    unsigned char bytes[HEAD + 255] = {1};
    if (in->left < 2)
        return false;
    bytes[1] = fuzz_byte(in);
    size_t length = fuzz_byte(in);
    length = length < in->left ? length : in->left;
    bytes[2] = (unsigned char)length;
    bytes[6] = (unsigned char)sequence;
    bytes[7] = (unsigned char)(sequence >> 8);
    memcpy(bytes + HEAD, in->at, length);
    *in = (fuzz_input){in->at + length, in->left - length};
    (void)spar_event_decode(event, bytes, HEAD + length, NULL);
    return true;
}

static void check(spar_session *session)
{
    unsigned char *bytes = NULL, *again = NULL;
    size_t length = 0, n = 0;
    uint64_t number;
    spar_session *loaded = NULL;
    spar_error err = {0};
    require(!spar_session_save(session, &bytes, &length, &err) && !spar_session_load(bytes, length, &loaded, &err));
    require(!spar_session_save(loaded, &again, &n, &err) && n == length && memcmp(bytes, again, n) == 0);
    for (int i = 0; i < 3; i++)
        (void)spar_session_ask(loaded, &number, &err);
    spar_bytes_free(bytes);
    spar_bytes_free(again);
    spar_session_free(loaded);
}

void fuzz_session_log(const uint8_t *data, size_t size)
{
    static spar_event *event;
    fuzz_input in = {data, size};
    if (!event)
        require(!spar_event_new(&event));
    spar_session *session = make(fuzz_byte(&in));
    for (int i = 0; i < MOST_EVENTS && next(&in, spar_session_sequence(session) + 1, event); i++)
        if (spar_event_slots(event) <= MOST_SLOTS) {
            spar_status checked = spar_session_check(session, event, NULL);
            spar_status applied = spar_session_apply(session, event, NULL);
            require(checked || !applied || applied == SPAR_NOMEM);
        }
    check(session);
    spar_session_free(session);
}
