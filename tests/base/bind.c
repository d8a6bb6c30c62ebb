#include "base/spec.h"

#include "tap.h"

static const spar_param params[] = {{"size", SPAR_PARAM_NUMBER, "2", 0, 9, NULL, ""}, {0}};
static const spar_entry entries[] = {{"red", "", NULL, NULL}, {"blue", "", NULL, params}};

static const spar_entry *entry(size_t i)
{
    return i < 2 ? &entries[i] : NULL;
}

int main(void)
{
    size_t index;
    spar__values values;
    spar_error err;
    ok(spar__bind_one("blue(size=3)", "colour", entry, &index, &values, &err) == SPAR_OK && index == 1 &&
           spar__number(&values, "size") == 3,
       "a name and a parameter");
    spar__values_free(&values);
    ok(spar__bind_one("red", "colour", entry, &index, &values, &err) == SPAR_OK && index == 0, "the first name");
    spar__values_free(&values);
    ok(spar__bind_one("green", "colour", entry, &index, &values, &err) == SPAR_UNKNOWN, "an unknown name");
    same_text(err.text, "unknown colour 'green'; known: red, blue", "is refused in a sentence");
    ok(spar__bind_one("blu", "colour", entry, &index, &values, &err) == SPAR_UNKNOWN, "or one that is near");
    same_text(err.text, "unknown colour 'blu'; did you mean 'blue'?", "to another");
    ok(spar__bind_one("red/blue", "colour", entry, &index, &values, &err) == SPAR_PARSE, "two stages are one too many");
    ok(spar__bind_one("blue(size=10)", "colour", entry, &index, &values, &err) == SPAR_INVALID, "out of range");
    ok(spar__bind_one("", "colour", entry, &index, &values, &err) == SPAR_PARSE, "no name");
    return done();
}
