/* 100,000 questions where the best setting is in a corner: limits are never left, and no two slots are equal. What is
 * shown is a setting to the bit; the setting nearest to a point would always be within the limits. */
#include "session/axes.h"
#include "tap.h"

#include <spar/session.h>

#include <stdlib.h>

static spar_error err;

static void must(spar_status status)
{
    if (!status)
        return;
    printf("Bail out! %s\n", err.text);
    abort();
}

static spar_session *make(const char *space)
{
    spar_session *session = NULL;
    spar_event *event = NULL;
    spar_axes *axes = NULL;
    spar_arms *arms = NULL;
    must(spar_session_new_empty(&session) || spar_event_new(&event) || spar_axes_new(space, &axes, &err) ||
         spar_axes_arms(axes, &arms));
    must(spar_event_set_created(
        event, "kernel_self_sparring(duels=1,length=0.35,variance=9,fit=10,explore=0.7,apart=0.5,start=15)", 1,
        SPAR_ANSWER_WINNER));
    must(spar_event_set_space(event, arms) || spar_event_set_axes(event, space, false));
    spar_event_set_stamp(event, 1, 0);
    must(spar_session_apply(session, event, &err));
    must(spar_event_set_settings(event, 2, SPAR_RESULTS_MANAGERS, SPAR_ACCESS_OPEN));
    spar_event_set_stamp(event, 2, 0);
    must(spar_session_apply(session, event, &err));
    spar_event_free(event);
    spar_axes_free(axes);
    spar_arms_free(arms);
    return session;
}

/* The lower the first number and the higher the second, the better. */
static void answer_some(spar_session *session)
{
    spar_answer *answer = NULL;
    must(spar_answer_new(&answer));
    for (int i = 0; i < 15; i++) {
        uint64_t number = 0;
        must(spar_session_ask(session, &number, &err));
        const spar_round *round = spar_session_round(session, number);
        const double *x = spar_round_point(round, 0), *y = spar_round_point(round, 1);
        spar_answer_set_winner(answer, x[1] - x[0] > y[1] - y[0] ? 0 : 1);
        must(spar_session_tell(session, number, answer, &err));
    }
    spar_answer_free(answer);
}

int main(void)
{
    spar_session *session = make("a 0.1..2, b 1..10 log");
    const spar_axes *axes = spar_session_axes(session);
    spar_event *event = NULL;
    size_t outside = 0, equal = 0, corner = 0, between = 0;
    must(spar_event_new(&event));
    answer_some(session);
    for (uint64_t n = 1; n <= 100000; n++) {
        size_t value[2][2];
        must(spar_session_draft(session, 1000 + n, event, &err));
        for (size_t j = 0; j < 2; j++) {
            const double *shown = spar_round_point(spar_event_round(event), j);
            double x[2];
            spar_axes_nearest(axes, shown, value[j]);
            spar_axes_point(axes, value[j], x);
            between += memcmp(x, shown, sizeof x) != 0;
            double a = spar_axes_number(axes, 0, value[j][0]), b = spar_axes_number(axes, 1, value[j][1]);
            outside += !(a >= 0.1 && a <= 2 && b >= 1 && b <= 10);
            corner += value[j][0] == 0 && value[j][1] == spar_axes_values(axes, 1) - 1;
        }
        equal += memcmp(value[0], value[1], sizeof value[0]) == 0;
    }
    ok(outside == 0, "no setting is outside of the limits");
    ok(between == 0, "what is shown is a setting to the bit");
    ok(equal == 0, "no question shows a setting twice");
    ok(corner > 1000, "the corner was shown %zu times", corner);
    spar_event_free(event);
    spar_session_free(session);
    return done();
}
