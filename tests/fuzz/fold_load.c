/* Snapshots of an experiment: bytes with the right frame are a state that saves to the same bytes again, and whose
 * session and decision can be asked, or are refused: then the log is folded again. */
#include "live/live.h"

#include "base/alloc.h"
#include "fuzz.h"

static spar_event *next_event(void)
{
    static spar_event *event;
    if (!event)
        require(!spar_event_new(&event));
    return event;
}

static void apply(spar__fold *state, spar_event *event)
{
    static const unsigned char hash[SPAR_HASH_SIZE] = {1};
    spar_error err = {0};
    spar_event_set_stamp(event, state->sequence + 1, 1);
    fuzz_accepted(spar__fold_apply(state, event, hash, &err), &err);
}

static void live_a_little(spar__fold *state)
{
    spar_event *event = next_event();
    spar_answer *answer = NULL;
    require(!spar_answer_new(&answer));
    require(!spar_event_set_created(event, "self_sparring(distinct=1)", 1, SPAR_ANSWER_WINNER));
    apply(state, event);
    require(!spar_event_set_settings(event, 2, SPAR_RESULTS_MANAGERS, SPAR_ACCESS_OPEN));
    apply(state, event);
    for (size_t arm = 0; arm < 3; arm++) {
        require(!spar_event_set_option(event, arm, 1, 0, NULL));
        apply(state, event);
    }
    for (uint64_t number = 1; number <= 3; number++) {
        require(!spar_session_draft(state->session, number, event, NULL));
        spar_event_set_voter(event, number);
        apply(state, event);
        spar_answer_set_winner(answer, 0);
        require(!spar_event_set_answer(event, number, 0, answer));
        if (number < 3)
            apply(state, event);
    }
    spar_answer_free(answer);
}

static fuzz_saved save(spar__fold *state)
{
    fuzz_saved saved;
    spar_error err = {0};
    fuzz_accepted(spar__fold_save(state, &saved.bytes, &saved.length, &err), &err);
    return saved;
}

static fuzz_saved example(void)
{
    static fuzz_saved saved;
    spar__fold *state = NULL;
    if (saved.bytes)
        return saved;
    require(!spar__fold_new(&state));
    live_a_little(state);
    saved = save(state);
    spar__fold_free(state);
    return saved;
}

static void check(spar__fold *state)
{
    spar_error err = {0};
    spar__fold *again = NULL;
    uint64_t number;
    fuzz_saved once = save(state);
    fuzz_accepted(spar__fold_load(once.bytes, once.length, &again, &err), &err);
    fuzz_saved twice = save(again);
    require(once.length == twice.length && memcmp(once.bytes, twice.bytes, once.length) == 0);
    for (size_t i = 0; i < state->n_open; i++)
        require(spar__fold_find_open(state, state->open[i].number) < state->n_open);
    if (state->session)
        fuzz_refused(spar_session_ask(state->session, &number, &err), &err, NULL);
    if (state->decision)
        require(spar_verdict_name(spar_decision_verdict(state->decision))[0]);
    spar__free(once.bytes);
    spar__free(twice.bytes);
    spar__fold_free(again);
}

void fuzz_fold_load(const uint8_t *data, size_t size)
{
    static const spar__frame_kind kind = {
        .name = "snapshot", .tag = "live", .version = 1, .section = {{"stat", 0}, {"sess", 0}, {"deci", 0}}};
    fuzz_saved in = fuzz_damage(&kind, example(), data, size);
    spar__fold *state = NULL;
    spar_error err = {0};
    spar_status status = spar__fold_load(in.bytes, in.length, &state, &err);
    fuzz_refused(status, &err, NULL);
    require(!status == (state != NULL));
    if (state)
        check(state);
    spar__fold_free(state);
    free(in.bytes);
}
