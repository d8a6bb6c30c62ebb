/* Any request, as anybody who has any of the secrets may send it: it is answered, by a status that the document has, in
 * JSON that can be read, and never by the fault of the server; and no secret is told to whom it does not belong. */
#include "service_world.h"

static bool has(const uint8_t *data, size_t size, const char *word)
{
    size_t length = strlen(word);
    for (size_t at = 0; at + length <= size; at++)
        if (memcmp(data + at, word, length) == 0)
            return true;
    return false;
}

/* Is the text in the reply? */
static bool told(const spar__reply *reply, const char *text)
{
    return has((const uint8_t *)reply->body.text, reply->body.length, text);
}

static void check_json(const spar__reply *reply)
{
    spar__json_tree tree = {0};
    spar_error err = {0};
    if (!reply->type || !strstr(reply->type, "json") || strstr(reply->type, "jsonl") || !reply->body.length)
        return;
    fuzz_accepted(spar__json_tree_parse(&tree, reply->body.text, reply->body.length, "reply", 1, &err), &err);
    require(spar__json_root(&tree)->kind == SPAR__JSON_OBJECT);
    spar__json_tree_free(&tree);
}

void fuzz_service_call(const uint8_t *data, size_t size)
{
    spar__reply reply = {0};
    service_world *world = service_world_get();
    if (size > 4096)
        return;
    service_world_call(world, data, size, &reply);
    unsigned status = reply.status;
    require(status >= 200 && status < 600);
    require(status < 500 || status == 503); /* 503: nobody computes results here */
    require(strcmp(spar__http_reason(status), "Unknown") != 0);
    require(!reply.body.failed);
    check_json(&reply);
    require(!told(&reply, world->manager) || has(data, size, "{manager}")); /* a sentence may say what was sent */
    require(!told(&reply, world->voter) || has(data, size, "{voter}"));
    require(!told(&reply, "memory:fuzz") || has(data, size, "memory:fuzz"));
    service_reply_free(&reply);
}
