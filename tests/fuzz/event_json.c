/* Any bytes as an event, and any JSON as one: what is accepted goes from one form to the other and back unchanged. */
#include "fuzz.h"

#include "live/log/event_json.h"

#include <spar/event.h>

#include <stdlib.h>
#include <string.h>

/* An event that is sound is printed, and read back to the same bytes. */
static void there_and_back(const unsigned char *bytes, size_t length)
{
    static spar__json_tree tree;
    spar__buf line = {0}, again = {0};
    spar__json json = {.out = &line};
    spar__json_begin_object(&json);
    require(!spar__event_json_add(&json, bytes, length, NULL));
    spar__json_end_object(&json);
    require(!spar__json_tree_parse(&tree, line.text, line.length, "f", 1, NULL));
    require(!spar__event_json_read(&tree, &again, NULL));
    require(again.length == length && memcmp(again.text, bytes, length) == 0);
    spar__buf_free(&line);
    spar__buf_free(&again);
}

static void read_bytes(spar_event *event, const uint8_t *data, size_t size)
{
    spar__buf line = {0};
    spar__json json = {.out = &line};
    spar_error err = {0};
    if (!spar_event_decode(event, data, size, NULL)) {
        /* the name of a policy is text: a byte that is none becomes another one */
        if (spar_event_kind_of(event) != SPAR_EVENT_CREATED)
            there_and_back(data, size);
    } else {
        spar__json_begin_object(&json);
        require(!spar__event_json_add(&json, data, size, &err) || err.text[0]);
    }
    spar__buf_free(&line);
}

static void read_text(spar_event *event, const uint8_t *data, size_t size)
{
    static spar__json_tree tree;
    spar__buf bytes = {0};
    spar_error err = {0};
    if (spar__json_tree_parse(&tree, (const char *)data, size, "f", 1, &err))
        require(strncmp(err.text, "f:1", 3) == 0 || strchr((const char *)err.text, ':') != NULL);
    else if (spar__event_json_read(&tree, &bytes, &err))
        require(err.text[0]);
    else if (!spar_event_decode(event, (const unsigned char *)bytes.text, bytes.length, NULL))
        there_and_back((const unsigned char *)bytes.text, bytes.length);
    spar__buf_free(&bytes);
}

void fuzz_event_json(const uint8_t *data, size_t size)
{
    static spar_event *event;
    if (!event)
        require(!spar_event_new(&event));
    read_bytes(event, data, size);
    read_text(event, data, size);
}
