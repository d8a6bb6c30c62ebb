/* Any bytes as a file of items: refused with a sentence that names the file, or items that are sound and come back from
 * their records. */
#include "fuzz.h"

#include "base/buf.h"
#include "live/items/items.h"
#include "live/text_limits.h"

#include <string.h>

static size_t number_of(const void *context, const char *id)
{
    const spar_item *item = context;
    size_t i = 0;
    while (strcmp(spar_item_option(item, i), id) != 0)
        i++;
    return i;
}

static void check_text(const char *text, size_t most, bool lines)
{
    size_t length = strlen(text);
    uint32_t code;
    require(length <= most);
    for (size_t at = 0; at < length;) {
        size_t size = spar__utf8_next(text + at, length - at, &code);
        require(!spar__utf8_acts(code) || (lines && strchr("\n\t\r", (int)code)));
        at += size;
    }
}

static void there_and_back(const spar_item *item)
{
    spar_item *with_arms = NULL, *back = NULL;
    spar__buf record = {0}, again = {0};
    require(!spar__item_resolve(item, number_of, item, &with_arms, NULL));
    require(!spar__item_record(with_arms, &record));
    require(!spar__item_read((const unsigned char *)record.text, record.length, &back, NULL));
    require(!spar__item_record(back, &again));
    require(again.length == record.length && memcmp(again.text, record.text, again.length) == 0);
    spar_item_free(with_arms);
    spar_item_free(back);
    spar__buf_free(&record);
    spar__buf_free(&again);
}

static void check(const spar_item *item)
{
    check_text(spar_item_id(item), 4 * SPAR__MOST_TITLE, false);
    if (spar_item_prompt(item))
        check_text(spar_item_prompt(item), SPAR__MOST_BODY, true);
    if (spar_item_group(item))
        check_text(spar_item_group(item), 4 * SPAR__MOST_TITLE, false);
    for (size_t i = 0; i < spar_item_outputs(item); i++)
        check_text(spar_item_output(item, i), SPAR__MOST_BODY, true);
    there_and_back(item);
}

void fuzz_items(const uint8_t *data, size_t size)
{
    spar__item_list list = {0};
    spar_item *item = NULL;
    spar_error err = {0};
    spar_status status = spar__items_read((const char *)data, size, "d/f", &list, &err);
    if (status)
        require(err.status == status && strncmp(err.text, "d/f:", 4) == 0);
    for (size_t i = 0; i < list.n; i++)
        check(list.item[i]);
    spar__item_list_free(&list);
    if (!spar__item_read(data, size, &item, &err)) /* as a record, too */
        require(item != NULL);
    spar_item_free(item);
}
