/* standings.h - how strong the options are, in a model of choices, and how sure that is.
 *
 *     spar_standings_new(3, &standings, &err);
 *     size_t shown[] = {0, 2};
 *     spar_answer_set_winner(answer, 1);
 *     spar_standings_answer(standings, 2, shown, NULL, answer, 0, 1, &err);
 *     spar_standings_compute(standings, &err);
 *     spar_standings_strength(standings, 2, &mean, &low, &high);
 *
 * The model is the law of Plackett and Luce with ties and places: a slot is chosen from a screen with probability
 * proportional to exp(strength of its option + effect of its place), and where 'tie' is a possible answer it is one
 * more alternative with weight nu exp(mean strength on the screen). A ranking is one choice after the other from what
 * is left; slots that are level in a ranking came in either order. 'bad' and 'skip' do not enter.
 *
 * Strengths are N(0, s^2) with s half-normal of scale 2, effects of places N(0, 0.5^2) with that of the first place 0,
 * log nu is N(0, 2^2). All are drawn from their posterior by a Markov chain whose random numbers come from the answers:
 * the same answers give the same numbers. With more than 200 options, or when asked for, the posterior is
 * approximated by a normal law at its mode, and s by its most probable value.
 *
 * What is said here holds if the model does, and for one look: a probability of being best is no rule for stopping.
 * <spar/decide.h> is for that.
 *
 * Threads: any number may read one object at a time (functions that take a const spar_standings), while none changes
 * it. NULL is refused unless said otherwise: see status.h. */
#ifndef SPAR_STANDINGS_H
#define SPAR_STANDINGS_H

#include <spar/answer.h>
#include <spar/status.h>

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct spar_standings spar_standings;

/* Options are numbered from 0. */
SPAR_API spar_status spar_standings_new(size_t options, spar_standings **out, spar_error *err);
SPAR_API void spar_standings_free(spar_standings *standings);

/* A new option, whose number goes to *option if not NULL. A retired one cannot be best any more; what is known of it
 * stays. */
SPAR_API spar_status spar_standings_add(spar_standings *standings, size_t *option, spar_error *err);
SPAR_API spar_status spar_standings_retire(spar_standings *standings, size_t option, spar_error *err);

/* How the posterior is found: AUTO is SAMPLED up to 200 options. */
typedef enum spar_standings_method {
    SPAR_STANDINGS_AUTO,
    SPAR_STANDINGS_SAMPLED,
    SPAR_STANDINGS_APPROXIMATE
} spar_standings_method;
SPAR_API void spar_standings_set_method(spar_standings *standings, spar_standings_method method);

/* The standard deviation of strengths: 0 to learn it (the default), or a number above 0; infinity is a flat prior (the
 * method is then APPROXIMATE, and compute refuses answers that leave strengths without a bound). */
SPAR_API spar_status spar_standings_set_sd(spar_standings *standings, double sd, spar_error *err);

/* Places have no effect (on 0; the default is 1). Of answers from here on: ties count as half a win of each (half 1;
 * the default 0 is an alternative of its own). */
SPAR_API void spar_standings_set_places(spar_standings *standings, int on);
SPAR_API void spar_standings_set_half_ties(spar_standings *standings, int half);

/* One answer to a screen with m slots, given `times` times (at least 1): the option of each slot, and its place on the
 * screen from 0, or NULL where places are unknown or the same for all. may_tie: a tie was a possible answer. An option
 * in several slots counts once, in the slot that did best. */
SPAR_API spar_status spar_standings_answer(spar_standings *standings, size_t m, const size_t *option,
                                           const size_t *place, const spar_answer *answer, int may_tie, uint64_t times,
                                           spar_error *err);

SPAR_API size_t spar_standings_options(const spar_standings *standings);   /* live or not */
SPAR_API uint64_t spar_standings_answers(const spar_standings *standings); /* that say anything */
SPAR_API uint64_t spar_standings_tied(const spar_standings *standings);    /* of these, that all are equal */
SPAR_API uint64_t spar_standings_all_bad(const spar_standings *standings); /* beside these: that none is acceptable */
SPAR_API uint64_t spar_standings_bad(const spar_standings *standings,
                                     size_t option); /* screens with it that were bad */

/* Finds the posterior of all answers so far. What follows is about the answers at the last compute; before it, and for
 * options out of range, numbers are NaN. */
SPAR_API spar_status spar_standings_compute(spar_standings *standings, spar_error *err);
SPAR_API int spar_standings_is_approximate(const spar_standings *standings);

/* The strength of an option, in log-odds against the average live one: its mean, and an interval that holds it with
 * probability 95 %. Any pointer may be NULL. */
SPAR_API spar_status spar_standings_strength(const spar_standings *standings, size_t option, double *mean, double *low,
                                             double *high);

SPAR_API size_t spar_standings_leader(const spar_standings *standings); /* of the highest mean; (size_t)-1: none */

/* The probability that an option is the best of the live ones, what is lost on average (in log-odds) if it is chosen
 * now, and the probability that one is stronger than the other. */
SPAR_API double spar_standings_best(const spar_standings *standings, size_t option);
SPAR_API double spar_standings_loss(const spar_standings *standings, size_t option);
SPAR_API double spar_standings_before(const spar_standings *standings, size_t a, size_t b);

/* The tier of a live option, from 0; `group` here and in JSON, which has nothing to do with groups of items. The first
 * tier begins with the leader and holds all options that it is not before with probability 95 %; the strongest of the
 * others begins the next one. (size_t)-1 for a retired one. */
SPAR_API size_t spar_standings_group(const spar_standings *standings, size_t option);

/* Places seen, and the effect of one in log-odds against the first, as above. 0 places: no answer had any. */
SPAR_API size_t spar_standings_places(const spar_standings *standings);
SPAR_API spar_status spar_standings_place(const spar_standings *standings, size_t place, double *mean, double *low,
                                          double *high);

/* The weight nu of a tie and the spread s of strengths, as above; NaN for nu where no answer could be a tie. */
SPAR_API spar_status spar_standings_tie(const spar_standings *standings, double *mean, double *low, double *high);
SPAR_API spar_status spar_standings_spread(const spar_standings *standings, double *mean, double *low, double *high);

/* Does one scale fit? The evidence, as a logarithm, against all strengths at once: a bet on the answers, each fixed
 * before it was known, over the largest probability that the model can give them. With error delta no single logistic
 * scale fits if it ever reaches log(1/delta), however often one looks. It is a test of the model, not of circles only:
 * steps of another shape are found as well. The first `most` of *n options, each preferred to the next and the
 * last to the first, are a cycle at the top; *n is 0 where the wins have none. Needs no compute. */
SPAR_API spar_status spar_standings_scale(spar_standings *standings, double *log_evidence, size_t most, size_t *cycle,
                                          size_t *n, spar_error *err);

#ifdef __cplusplus
}
#endif

#endif
