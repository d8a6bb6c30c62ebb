/* Any text as a time: refused, or a time that prints and reads back as the same one; and so does any number. */
#include "base/clock.h"

#include "fuzz.h"

/* The years that have a text of their own. */
static bool has_text(const char *text)
{
    return strchr(text, 'T') != NULL;
}

static void print_and_read(int64_t time)
{
    char text[SPAR__UTC_SIZE];
    int64_t again;
    spar__utc_print(text, time);
    require(strlen(text) < sizeof text);
    require(!has_text(text) || (spar__utc_parse(text, &again) && again == time));
}

void fuzz_utc(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    fuzz_input in = {data, size};
    int64_t time;
    if (spar__utc_parse(text, &time))
        print_and_read(time);
    print_and_read((int64_t)fuzz_word(&in));
    free(text);
}
