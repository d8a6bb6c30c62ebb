/* decide.h - what may be concluded from answers: which option is best, which are still in the running, and when one
 * may stop. It needs no model, does not care which policy chose the screens, and holds however often one looks.
 *
 *     spar_decision_new(3, NULL, &decision, &err);
 *     spar_decision_tell(decision, round, answer, voter, SPAR_NO_ITEM, &err);
 *
 * or, from votes collected elsewhere,
 *
 *     size_t shown[] = {0, 2};
 *     unsigned char outcome[] = {SPAR_MISSING, SPAR_WIN, SPAR_LOSS, SPAR_MISSING};
 *     spar_ballot ballot = {.size = sizeof ballot, .m = 2, .option = shown, .outcome = outcome, .voter = 17};
 *     spar_decision_answer(decision, &ballot, &err);
 *
 * and then
 *
 *     spar_decision_sentence(decision, NULL, text, sizeof text);
 *
 * A decision is a fold over answers in the order they were given, and over options that are added and retired. To undo
 * an answer, fold the others again. Options are numbered from 0 and never renumbered.
 *
 * The error bound assumes that a voter's answers do not repeat that voter's own taste: with few voters who answer
 * often set first_only, and heed the warnings.
 *
 * Threads: any number may read one decision at a time (functions that take a const spar_decision), while none changes
 * it. NULL is refused unless said otherwise: see status.h. Options out of range are refused where a status is
 * returned, and are otherwise neither live nor in the running. */
#ifndef SPAR_DECIDE_H
#define SPAR_DECIDE_H

#include <spar/answer.h>
#include <spar/event.h>
#include <spar/round.h>
#include <spar/status.h>

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct spar_decision spar_decision;

#define SPAR_NO_OPTION ((size_t)-1)

/* The first that holds. */
typedef enum spar_verdict {
    SPAR_VERDICT_NONE,      /* no answers */
    SPAR_VERDICT_EARLY,     /* fewer than 10 */
    SPAR_VERDICT_BEST,      /* one option is best */
    SPAR_VERDICT_EQUAL,     /* the options still in the running are practically equal */
    SPAR_VERDICT_PRACTICAL, /* one option is within eps of the best */
    SPAR_VERDICT_NO_SCALE,  /* every option is beaten by another: preferences go in a circle */
    SPAR_VERDICT_OPEN       /* more answers are needed */
} spar_verdict;

/* "none", "early", "best", "equal", "practical", "no_scale", "open"; never NULL. */
SPAR_API const char *spar_verdict_name(spar_verdict verdict);

/* Zero is the default of every field but size. */
typedef struct spar_decision_settings {
    size_t size;    /* sizeof(spar_decision_settings) */
    double delta;   /* a false statement is made with at most this probability: in (0,1), default 0.05 */
    double eps;     /* what is practically the same, in log-odds: above 0, at most 20, default 0.2 */
    int live;       /* options may be added after the first answer; those at the first answer then have 0.8 delta */
    int first_only; /* of each voter only the first answer on each pair (and item) counts */
    int unordered;  /* the answers come in another order than they were given (sorted, counted): only their totals
                       speak, and a statement may be taken back by later answers */
} spar_decision_settings;

/* Starts with that many options. settings may be NULL. */
SPAR_API spar_status spar_decision_new(size_t options, const spar_decision_settings *settings, spar_decision **out,
                                       spar_error *err);
SPAR_API void spar_decision_free(spar_decision *decision);

/* A new option, whose number goes to *option if not NULL. SPAR_UNSUPPORTED after the first answer unless live. */
SPAR_API spar_status spar_decision_add(spar_decision *decision, size_t *option, spar_error *err);

/* The option is no rival any more; its late answers still count for the others. To retire one that is in the running
 * makes later statements harder, once. Retiring it again changes nothing. */
SPAR_API spar_status spar_decision_retire(spar_decision *decision, size_t option, spar_error *err);

/* What one voter said about one screen. Zero is the default of the last five fields. */
typedef struct spar_ballot {
    size_t size;                  /* sizeof(spar_ballot) */
    size_t m;                     /* slots on the screen */
    const size_t *option;         /* m: what they showed */
    const unsigned char *outcome; /* m x m: SPAR_WIN where the row's slot came before the column's, SPAR_LOSS behind it,
                                     SPAR_TIE, SPAR_MISSING where the answer does not say; all missing: skipped */
    int independent;              /* the outcomes are duels independent of each other, not one person's choice */
    uint64_t voter;               /* any number but 0, which is 'unknown' */
    uint64_t item;                /* what was judged, where there are several; 0 for none */
    double weight;                /* in (0,1], fixed before the answer was known; 0 is 1 */
    uint64_t times;               /* that many gave this same answer, looked at together; at most 2^40, 0 is 1 */
} spar_ballot;

/* Whole or not at all. Refused, too, when all answers together would say more than 2^49 things about pairs. */
SPAR_API spar_status spar_decision_answer(spar_decision *decision, const spar_ballot *ballot, spar_error *err);

/* The same from a question and the answer to it, as a session or a log has them (spar_event_round, spar_event_answer):
 * arm i is option i, and one person chose; 'bad' counts like a tie. voter as above; item as in events, SPAR_NO_ITEM for
 * none. An answer that names slots the round does not have, and a round in a continuous space, are refused. */
SPAR_API spar_status spar_decision_tell(spar_decision *decision, const spar_round *round, const spar_answer *answer,
                                        uint64_t voter, uint32_t item, spar_error *err);

/* The state as bytes (free with spar_bytes_free), and back. */
SPAR_API spar_status spar_decision_save(const spar_decision *decision, unsigned char **bytes, size_t *length);
SPAR_API spar_status spar_decision_load(const unsigned char *bytes, size_t length, spar_decision **out,
                                        spar_error *err);

/* What may be said now. */
SPAR_API spar_verdict spar_decision_verdict(const spar_decision *decision);

/* The option that the verdict names (best, practical), else the one in the running with the largest share of wins;
 * SPAR_NO_OPTION where several have the same, or none is in the running. */
SPAR_API size_t spar_decision_leader(const spar_decision *decision);

SPAR_API size_t spar_decision_options(const spar_decision *decision);             /* live or not */
SPAR_API uint64_t spar_decision_answers(const spar_decision *decision);           /* that say anything */
SPAR_API uint64_t spar_decision_skipped(const spar_decision *decision);           /* that do not */
SPAR_API int spar_decision_is_live(const spar_decision *decision, size_t option); /* not retired */

/* Not out: the best option is among those in the running with probability 1 - delta. */
SPAR_API int spar_decision_in_running(const spar_decision *decision, size_t option);
SPAR_API size_t spar_decision_running(const spar_decision *decision); /* how many are */

/* On how many screens the option stood, and on how many it was chosen: before some other option, behind and level with
 * none. Either pointer may be NULL. */
SPAR_API spar_status spar_decision_record(const spar_decision *decision, size_t option, uint64_t *shown,
                                          uint64_t *chosen);

/* How often a came before b, b before a, and neither, as counted. Any pointer may be NULL. */
SPAR_API spar_status spar_decision_pair(const spar_decision *decision, size_t a, size_t b, double *before,
                                        double *behind, double *ties);

/* An interval for the share of answers in which a comes before b. It holds for all pairs at once, always, with
 * probability 1 - delta; with `alone` for this pair only, if it was named before the first answer. */
SPAR_API spar_status spar_decision_interval(const spar_decision *decision, size_t a, size_t b, int alone, double *low,
                                            double *high);

/* At most `most` pairs of options in the running, those whose shares are nearest to one half first; and pairs to ask
 * next, those that hold up the decision: the leader and the rivals it has not been shown to beat, the hardest first.
 * Both return how many there are in a and b. */
SPAR_API size_t spar_decision_closest(const spar_decision *decision, size_t most, size_t *a, size_t *b);
SPAR_API size_t spar_decision_next(const spar_decision *decision, size_t most, size_t *a, size_t *b);

/* What to call options and voters in sentences. A function that is NULL, or returns NULL, leaves 'option 3' (counted
 * from 1) or 'voter 17'. */
typedef struct spar_decision_names {
    size_t size; /* sizeof(spar_decision_names) */
    void *context;
    const char *(*option)(void *context, size_t option);
    const char *(*voter)(void *context, uint64_t voter);
} spar_decision_names;

/* The verdict in words, without a full stop. Writes at most room bytes, the last one 0, and returns the length of the
 * whole sentence, like snprintf. names may be NULL, and out too if room is 0. */
SPAR_API size_t spar_decision_sentence(const spar_decision *decision, const spar_decision_names *names, char *out,
                                       size_t room);

typedef enum spar_warning {
    SPAR_WARNING_FEW_VOTERS,   /* at most 20 voters gave most answers, each of them several */
    SPAR_WARNING_ONE_VOTER,    /* without one voter there would be another verdict */
    SPAR_WARNING_ONE_ITEM,     /* one of several items had most answers */
    SPAR_WARNING_NEVER_SHOWN,  /* an option has not been on a screen */
    SPAR_WARNING_DISCONNECTED, /* no chain of answers connects all options */
    SPAR_WARNING_NO_SCALE,     /* preferences go in a circle, whatever the verdict */
    SPAR_WARNINGS
} spar_warning;

/* The warning in words; *length, which is otherwise as above, is 0 where there is nothing to warn of. ONE_VOTER may
 * fold the answers again up to 20 times: ask for it when the verdict is shown, not after every answer. */
SPAR_API spar_status spar_decision_warning(const spar_decision *decision, spar_warning warning,
                                           const spar_decision_names *names, char *out, size_t room, size_t *length);

/* The voter of ONE_VOTER, 0 for none: of the voters with at least 2 answers and a twentieth of all, the one with most
 * answers without whom best, equal, practical or no_scale would be another verdict or name another option. Where more
 * than 2,000,000 statements would have to be folded again, those with fewer answers are left out. A live decision,
 * whose memory is bounded, forgets who said what when it has more than 1,048,576 statements: then it is 0. */
SPAR_API spar_status spar_decision_one_voter(const spar_decision *decision, uint64_t *voter);

#ifdef __cplusplus
}
#endif

#endif
