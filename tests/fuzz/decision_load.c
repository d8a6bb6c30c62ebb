/* Bytes with the right frame are a decision that can be asked and told, or are refused; what was loaded and saved loads
 * again to the same bytes. */
#include "fuzz.h"

#include <spar/decide.h>
#include <spar/feedback.h>

static void answer(spar_decision *decision, size_t a, size_t b, uint64_t voter)
{
    const size_t shown[] = {a, b};
    static const unsigned char outcome[] = {SPAR_MISSING, SPAR_WIN, SPAR_LOSS, SPAR_MISSING};
    spar_ballot ballot = {.size = sizeof ballot, .m = 2, .option = shown, .outcome = outcome, .voter = voter};
    spar_error err = {0};
    fuzz_refused(spar_decision_answer(decision, &ballot, &err), &err, NULL);
}

static fuzz_saved example(void)
{
    static fuzz_saved saved;
    spar_decision *decision = NULL;
    spar_decision_settings settings = {.size = sizeof settings, .live = 1};
    if (saved.bytes)
        return saved;
    require(!spar_decision_new(3, &settings, &decision, NULL));
    for (size_t i = 0; i < 12; i++)
        answer(decision, i % 3, (i + 1 + i % 2) % 3, i % 4);
    require(!spar_decision_retire(decision, 2, NULL) && !spar_decision_add(decision, NULL, NULL));
    require(!spar_decision_save(decision, &saved.bytes, &saved.length));
    spar_decision_free(decision);
    return saved;
}

/* How the pair a, b stands; the interval is one of shares. */
static void check_pair(const spar_decision *decision, size_t a, size_t b)
{
    double low, high;
    spar_status status = spar_decision_interval(decision, a, b, 0, &low, &high);
    require(status || (low >= 0 && low <= high && high <= 1));
}

static void check(spar_decision *decision)
{
    char text[400];
    size_t n = spar_decision_options(decision);
    for (int told = 0; told < 2; told++) {
        size_t leader = spar_decision_leader(decision);
        require(leader == SPAR_NO_OPTION || leader < n);
        require(spar_decision_running(decision) <= n && spar_verdict_name(spar_decision_verdict(decision))[0]);
        (void)spar_decision_sentence(decision, NULL, text, sizeof text);
        if (n >= 2) {
            check_pair(decision, 0, n - 1);
            answer(decision, 0, n - 1, 7);
        }
    }
}

static void save(const spar_decision *decision, fuzz_saved *out)
{
    require(!spar_decision_save(decision, &out->bytes, &out->length));
}

void fuzz_decision_load(const uint8_t *data, size_t size)
{
    static const spar__frame_kind kind = {.name = "decision", .tag = "deci", .version = 1, .section = {{"stat", 0}}};
    fuzz_saved in = fuzz_damage(&kind, example(), data, size), once, twice;
    spar_decision *decision = NULL, *again = NULL;
    spar_error err = {0};
    spar_status status = spar_decision_load(in.bytes, in.length, &decision, &err);
    fuzz_refused(status, &err, NULL);
    require(!status == (decision != NULL));
    if (decision) {
        save(decision, &once);
        require(!spar_decision_load(once.bytes, once.length, &again, &err));
        save(again, &twice);
        require(once.length == twice.length && memcmp(once.bytes, twice.bytes, once.length) == 0);
        spar_bytes_free(once.bytes);
        spar_bytes_free(twice.bytes);
        check(decision);
    }
    spar_decision_free(decision);
    spar_decision_free(again);
    free(in.bytes);
}
