/* What a judge wrote, which may be anything. */
#include "cli/judge/judge.h"

#include "base/alloc.h"
#include "live/screen.h"

#include <inttypes.h>
#include <string.h>

/* The members of an object become an answer in words. */
static spar_status read_told(const spar__json_tree *tree, uint64_t screen, spar__told *told, spar_error *err)
{
    if (spar__json_root(tree)->kind != SPAR__JSON_OBJECT)
        return spar__fail(err, SPAR_PARSE, "expected an object, {...}");
    spar_status status = spar__told_read(tree, told, err);
    if (!status && !told->screen)
        status = spar__fail(err, SPAR_PARSE, "there is no 'screen'");
    if (!status && told->screen != screen)
        status = spar__fail(err, SPAR_PARSE, "it is about screen %" PRIu64 ", and screen %" PRIu64 " was asked",
                            told->screen, screen);
    if (!status && spar__told_check(told, NULL))
        status = spar__fail(err, SPAR_PARSE, "expected one of winner, ranking, pairs, tie, bad and skip");
    return status;
}

/* An id or a title of the screen was written, or a place that it does not have. */
static spar_status refuse_names(size_t m, spar_error *err)
{
    char last[SPAR__PLACE_SIZE];
    spar__place_name(m - 1, last);
    return spar__fail(err, SPAR_UNKNOWN, "expected places, A to %s, not ids or titles", last);
}

/* Where it stops being JSON, without the name of a file, and what was expected. */
static spar_status refuse_text(const char *who, uint64_t screen, spar_error *err)
{
    spar_error why = err ? *err : (spar_error){0};
    size_t head = strlen(who) + strlen(":1: ");
    const char *text = strncmp(why.text, who, strlen(who)) == 0 && strlen(why.text) > head ? why.text + head : why.text;
    return spar__fail(err, SPAR_PARSE, "%s; an answer is a line such as {\"screen\":%" PRIu64 ",\"winner\":\"A\"}",
                      text, screen);
}

static spar_status keep_comment(const spar__told *told, char **comment, spar_error *err)
{
    *comment = told->comment && *told->comment ? spar__strdup(told->comment) : NULL;
    return told->comment && *told->comment && !*comment ? spar__fail_memory(err) : SPAR_OK;
}

spar_status spar__judge_read(const char *line, size_t length, const char *who, uint64_t screen, size_t m,
                             spar_answer *answer, char **comment, spar_error *err)
{
    spar__json_tree tree = {0};
    spar__told told = {.places = true};
    *comment = NULL;
    spar_status status = spar__json_tree_parse(&tree, line, length, who, 1, err);
    if (status == SPAR_PARSE)
        status = refuse_text(who, screen, err);
    if (!status)
        status = read_told(&tree, screen, &told, err);
    if (!status)
        status = spar__answer_to_places(&told, m, answer, err);
    if (status == SPAR_UNKNOWN)
        status = refuse_names(m, err);
    if (!status)
        status = keep_comment(&told, comment, err);
    spar__json_tree_free(&tree);
    return status;
}

size_t spar__judge_best(const spar_answer *answer)
{
    bool shared = spar_answer_count(answer) > 1 && spar_answer_level(answer, 1) == 0;
    if (spar_answer_kind_of(answer) == SPAR_ANSWER_RANKING)
        return shared ? SPAR_NO_SLOT : spar_answer_slot(answer, 0);
    return spar_answer_winner(answer);
}
