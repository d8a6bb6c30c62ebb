/* told_json.c - an answer in words out of JSON, and what became of it (told.h). */
#include "live/told.h"

#include "text/json_read.h"

/* true and false; a text is a skip that says why. */
static spar_status read_skip(const spar__json_tree *tree, spar__told *told, spar_error *err)
{
    const char *why = spar__json_text(tree, spar__json_member(tree, spar__json_root(tree), "skip"));
    if (!why)
        return spar__json_read_flag(tree, "skip", &told->skip, err);
    told->skip = true;
    if (told->comment)
        return spar__fail(err, SPAR_PARSE, "'skip' says why, and there is a 'comment', too");
    told->comment = why;
    return SPAR_OK;
}

static spar_status read_texts(const spar__json_tree *tree, spar__told *told, spar_error *err)
{
    const char **const out[] = {&told->winner, &told->ranking, &told->pairs, &told->comment, &told->key};
    static const char *const key[] = {"winner", "ranking", "pairs", "comment", "key"};
    spar_status status = SPAR_OK;
    for (size_t i = 0; i < sizeof key / sizeof *key && !status; i++)
        status = spar__json_read_text(tree, key[i], out[i], err);
    return status;
}

static spar_status read_numbers(const spar__json_tree *tree, spar__told *told, spar_error *err)
{
    uint64_t taken = 0, revision = 0;
    bool has_screen;
    spar_status status = spar__json_read_number(tree, "screen", UINT64_MAX, &has_screen, &told->screen, err);
    if (!status && has_screen && !told->screen)
        status = spar__fail(err, SPAR_PARSE, "'screen' is 0, and screens are numbered from 1");
    if (!status)
        status = spar__json_read_number(tree, "taken", UINT32_MAX, &told->has_taken, &taken, err);
    if (!status)
        status = spar__json_read_number(tree, "revision", UINT32_MAX - 1, &told->has_revision, &revision, err);
    told->taken = (uint32_t)taken;
    told->revision = (uint32_t)revision;
    return status;
}

spar_status spar__told_read(const spar__json_tree *tree, spar__told *told, spar_error *err)
{
    spar_status status = read_texts(tree, told, err);
    if (!status)
        status = read_numbers(tree, told, err);
    if (!status)
        status = spar__json_read_flag(tree, "tie", &told->tie, err);
    if (!status)
        status = spar__json_read_flag(tree, "bad", &told->bad, err);
    return status ? status : read_skip(tree, told, err);
}

void spar__told_json(const spar__told_reply *reply, spar__json *json)
{
    if (reply->screen)
        spar__json_add_unsigned(json, "screen", reply->screen);
    else
        spar__json_add_boolean(json, "imported", true);
    if (reply->undone) {
        spar__json_add_boolean(json, "undone", true);
        spar__json_add_boolean(json, "again", reply->again);
        spar__json_add_unsigned(json, "revision", reply->revision);
    } else {
        spar__json_add_boolean(json, "saved", true);
        spar__json_add_boolean(json, "again", reply->again);
    }
}
