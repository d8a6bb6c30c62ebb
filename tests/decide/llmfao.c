/* Bradley-Terry scores of the votes in SPAR_DATA/votes/llmfao.csv against the published ones. */
#include "base/file.h"
#include "text/votes.h"

#include <spar/standings.h>

#include "tap.h"

#include <stdlib.h>

static bool read_data(const char *name, spar__buf *out)
{
    char path[1024];
    const char *data = getenv("SPAR_DATA");
    (void)snprintf(path, sizeof path, "%s/%s", data ? data : ".", name);
    return data && spar__file_read(path, 0, out, NULL) == SPAR_OK;
}

static spar_standings *standings_of(const spar__votes *votes)
{
    spar_standings *st = NULL;
    spar_answer *answer = NULL;
    if (spar_standings_new(votes->options.n, &st, NULL) || spar_answer_new(&answer))
        abort();
    spar_standings_set_half_ties(st, 1);
    (void)spar_standings_set_sd(st, INFINITY, NULL);
    for (size_t i = 0; i < votes->n; i++) {
        const spar__vote_slot *slot = votes->slot + votes->vote[i].first;
        size_t option[2] = {slot[0].option, slot[1].option};
        if (slot[0].place == slot[1].place)
            spar_answer_set_tie(answer);
        else
            spar_answer_set_winner(answer, slot[0].place > slot[1].place);
        if (spar_standings_answer(st, 2, option, NULL, answer, 1, 1, NULL))
            abort();
    }
    spar_answer_free(answer);
    return st;
}

/* The published score of an option: the line 'bradley_terry,NAME,SCORE'. */
static double published(const char *text, const char *name)
{
    char key[300];
    (void)snprintf(key, sizeof key, "\nbradley_terry,%s,", name);
    const char *at = strstr(text, key);
    return at ? atof(at + strlen(key)) : NAN;
}

int main(void)
{
    spar__buf text = {0}, golden = {0};
    if (!read_data("votes/llmfao.csv", &text) || !read_data("votes/llmfao-golden.csv", &golden)) {
        skip("SPAR_DATA has no votes");
        spar__buf_free(&text);
        return done();
    }
    spar__votes votes = {0};
    spar__votes_columns columns = {.a = "left", .b = "right", .winner = "winner"};
    spar_error err = {0};
    ok(spar__votes_parse_csv(text.text, text.length, "llmfao.csv", &columns, &votes, &err) == SPAR_OK,
       "votes are read %s", err.text);
    spar_standings *st = standings_of(&votes);
    ok(spar_standings_compute(st, &err) == SPAR_OK, "a flat prior has an estimate %s", err.text);
    double sum = 0, worst = 0, mean;
    for (size_t k = 0; k < votes.options.n; k++) {
        (void)spar_standings_strength(st, k, &mean, NULL, NULL);
        sum += exp(mean);
    }
    for (size_t k = 0; k < votes.options.n; k++) {
        double wanted = published(golden.text, spar__names_at(&votes.options, k));
        (void)spar_standings_strength(st, k, &mean, NULL, NULL);
        worst = isnan(wanted) ? INFINITY : fmax(worst, fabs(exp(mean) / sum - wanted));
    }
    ok(votes.options.n == 59 && worst < 1e-6, "the scores of %zu options are the published ones, %.0e", votes.options.n,
       worst);
    spar_standings_free(st);
    spar__votes_free(&votes);
    spar__buf_free(&text);
    spar__buf_free(&golden);
    return done();
}
