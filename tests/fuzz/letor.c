/* Any bytes: the parser refuses them with a place, or gives documents that are all in range, and sees the same queries
 * as a glance at each line does. */
#include "rank/letor.h"

#include "base/alloc.h"
#include "fuzz.h"

#include <math.h>

static void check_rows(const spar__letor_rows *rows)
{
    size_t largest = 0;
    for (size_t e = 0; e < rows->entries; e++) {
        const spar__letor_entry *entry = &rows->entry[e];
        require(entry->doc < rows->docs && entry->value != 0 && isfinite(entry->value));
        require(entry->feature >= 1 && entry->feature <= rows->features);
        require(e == 0 || rows->entry[e - 1].doc <= entry->doc);
        largest = entry->feature > largest ? entry->feature : largest;
    }
    require(rows->docs <= SPAR__DOCS_MOST && largest <= rows->features && rows->features <= SPAR__FEATURE_MOST);
}

void fuzz_letor(const uint8_t *data, size_t size)
{
    static spar__letor_rows rows; /* used again, as in a reader */
    spar_error err = {0};
    char *text = spar__alloc(size + 2, 1);
    if (!text)
        return;
    memcpy(text, data, size);
    if (spar__letor_parse(text, size, "f", 1, &rows, &err)) {
        require(err.status == SPAR_PARSE && strncmp(err.text, "f:", 2) == 0);
        spar__free(text);
        return;
    }
    check_rows(&rows);
    text[size] = '\n';
    size_t docs = 0;
    for (const char *line = text; line < text + size; line = strchr(line, '\n') + 1) {
        uint64_t id;
        const char *where;
        if (spar__letor_peek(line, &id, &where))
            docs += id == rows.id;
        else
            require(spar__letor_empty(line));
    }
    require(docs == rows.docs);
    spar__free(text);
}
