/* The life of a session: asked, told (late, twice, wrongly, by name), imported answers, options that come and go, saved
 * and loaded, in any order. Every event that the session logs goes to a list; the session that is made from this list
 * saves to the same bytes, and so does the one that was saved and loaded on the way.
 *
 * The first byte picks the policy, the next whether options are shuffled; then each step is a byte. */
#include "fuzz.h"

#include <spar/spar.h>

enum { STEPS = 40, LOG = 3 * STEPS, MOST_ARMS = 8 };

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
                                    "focus/self_sparring(distinct=1)/thompson/beta"};

typedef struct session_record {
    spar_event *event[LOG];
    size_t n;
} session_record;

static spar_status keep(void *context, const spar_event *event, spar_error *err)
{
    session_record *record = context;
    (void)err;
    require(record->n < LOG && !spar_event_dup(event, &record->event[record->n]));
    record->n++;
    return SPAR_OK;
}

/* An answer of any kind about slots that there may be. */
static const spar_answer *answer_of(fuzz_input *in)
{
    static spar_answer *answer;
    uint8_t what = fuzz_byte(in);
    size_t j = what >> 3 & 3, k = what >> 5 & 3;
    if (!answer)
        require(!spar_answer_new(&answer));
    spar_answer_set_skip(answer);
    if (what % 8 == 0)
        spar_answer_set_tie(answer);
    else if (what % 8 == 1)
        spar_answer_set_bad(answer);
    else if (what % 8 == 2)
        (void)spar_answer_set_ranking(answer, 2, (size_t[]){j, k}, what & 128 ? (size_t[]){0, 0} : NULL, NULL);
    else if (what % 8 == 3)
        (void)spar_answer_add_pair(answer, j, k, what & 128 ? SPAR_TIE : SPAR_WIN, NULL);
    else if (what % 8 > 4)
        spar_answer_set_winner(answer, j);
    return answer;
}

static fuzz_saved save(spar_session *session)
{
    fuzz_saved saved;
    spar_error err = {0};
    require(!spar_session_save(session, &saved.bytes, &saved.length, &err));
    return saved;
}

static void same(spar_session *a, spar_session *b)
{
    fuzz_saved x = save(a), y = save(b);
    require(x.length == y.length && memcmp(x.bytes, y.bytes, x.length) == 0);
    spar_bytes_free(x.bytes);
    spar_bytes_free(y.bytes);
}

static void restore(spar_session **session, session_record *record)
{
    fuzz_saved saved = save(*session);
    spar_session *loaded = NULL;
    spar_error err = {0};
    require(!spar_session_load(saved.bytes, saved.length, &loaded, &err));
    same(*session, loaded);
    spar_session_free(*session);
    *session = loaded;
    require(!spar_session_log(loaded, keep, record, &err));
    spar_bytes_free(saved.bytes);
}

static spar_status import(spar_session *s, fuzz_input *in, spar_error *err)
{
    size_t n = spar_arms_count(spar_session_arms(s)), arm[3], m = 2 + fuzz_below(in, 2);
    for (size_t j = 0; j < m; j++)
        arm[j] = fuzz_below(in, n + 1);
    return spar_session_import(s, m, arm, answer_of(in), err);
}

static spar_status step(spar_session *s, fuzz_input *in, spar_error *err)
{
    uint8_t what = fuzz_byte(in);
    uint64_t number = what >> 3;
    const spar_arms *arms = spar_session_arms(s);
    double x = (double)number / 32;
    switch (what % 8) {
    case 0:
    case 1:
        return spar_session_ask(s, &number, err);
    case 2:
    case 3:
        return spar_session_tell(s, number, answer_of(in), err);
    case 4:
        return import(s, in, err);
    case 5:
        return spar_arms_count(arms) < MOST_ARMS ? spar_session_add_arm(s, &x, NULL, NULL, err) : SPAR_OK;
    case 6:
        return spar_session_retire_arm(s, (size_t)number, err);
    default:
        return spar_session_tell(s, spar_session_next_open(s, 0), answer_of(in), err);
    }
}

static spar_session *start(fuzz_input *in, session_record *record)
{
    static spar_arms *arms;
    spar_session *session = NULL;
    spar_error err = {0};
    const char *spec = specs[fuzz_below(in, sizeof specs / sizeof *specs)];
    if (!arms)
        require(!spar_arms_new(4, 1, (double[]){0, 0.3, 0.7, 1}, NULL, &arms));
    require(!spar_session_new(spec, arms, 2, 100, 1, &session, &err));
    require(!spar_session_set_shuffle(session, fuzz_byte(in) % 2, &err));
    require(!spar_session_log(session, keep, record, &err));
    return session;
}

void fuzz_session_life(const uint8_t *data, size_t size)
{
    session_record record = {.n = 0};
    fuzz_input in = {data, size};
    spar_session *session = start(&in, &record), *late = NULL;
    spar_error err = {0};
    for (int t = 0; t < STEPS && in.left; t++) {
        if (*in.at == 0xf8) /* a byte that is no step of its own */
            restore(&session, &record);
        err = (spar_error){0};
        spar_session_set_time(session, t);
        fuzz_refused(step(session, &in, &err), &err, NULL);
    }
    require(!spar_session_replay(record.n, (const spar_event *const *)record.event, &late, &err));
    same(session, late);
    spar_session_free(session);
    spar_session_free(late);
    for (size_t i = 0; i < record.n; i++)
        spar_event_free(record.event[i]);
}
