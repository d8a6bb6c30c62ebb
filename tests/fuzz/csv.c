/* Whatever can be read is written back and reads the same: as many rows, the same fields. */
#include "text/csv.h"

#include "fuzz.h"

static spar_status copy(const char *text, size_t length, spar__buf *out)
{
    spar__csv_reader csv = {.name = "fuzz.csv", .at = text, .left = length};
    spar__csv_writer writer = {.out = out};
    spar_error err = {0};
    bool more;
    spar_status status;
    while ((status = spar__csv_next(&csv, &more, &err)) == SPAR_OK && more) {
        for (size_t i = 0; i < csv.fields; i++)
            spar__csv_text(&writer, spar__csv_field(&csv, i));
        spar__csv_end_row(&writer);
    }
    fuzz_refused(status, &err, "fuzz.csv:");
    spar__csv_close(&csv);
    return status;
}

void fuzz_csv(const uint8_t *data, size_t size)
{
    spar__buf once = {0}, twice = {0};
    if (copy((const char *)data, size, &once) == SPAR_OK && once.length > 0) {
        require(copy(once.text, once.length, &twice) == SPAR_OK);
        require(twice.length == once.length && memcmp(twice.text, once.text, once.length) == 0);
    }
    spar__buf_free(&once);
    spar__buf_free(&twice);
}
