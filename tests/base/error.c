#include "base/error.h"

#include "tap.h"

int main(void)
{
    spar_error err = {0};
    ok(spar__fail(&err, SPAR_PARSE, "%s: row %d", "a.txt", 3) == SPAR_PARSE && err.status == SPAR_PARSE, "a status");
    same_text(err.text, "a.txt: row 3", "and its sentence");
    (void)spar__fail(&err, SPAR_IO, "%s: cannot open", "a\nb\x1b[31m\x7f\t\xc3\xa9");
    same_text(err.text, "a\\nb\\x1b[31m\\x7f\\t\xc3\xa9: cannot open", "stays on one line, whatever a name holds");
    char lengthy[2 * sizeof err.text];
    memset(lengthy, 'x', sizeof lengthy - 1);
    lengthy[sizeof lengthy - 1] = '\0';
    (void)spar__fail(&err, SPAR_IO, "%s", lengthy);
    ok(strlen(err.text) > sizeof err.text - 10 && strlen(err.text) < sizeof err.text, "too long a sentence is cut");
    (void)spar__fail(&err, SPAR_IO, "/home/%s/a.txt: cannot write: No space left on device", lengthy);
    ok(strncmp(err.text, "/home/xxx", 9) == 0 && strstr(err.text, "xxx...xxx") &&
           strstr(err.text, "xx/a.txt: cannot write: No space left on device"),
       "in its middle: the reason stays");
    for (size_t i = 0; i + 3 < sizeof lengthy; i += 3)
        memcpy(lengthy + i, "\xE2\x82\xAC", 3);
    (void)spar__fail(&err, SPAR_IO, "a%s: gone", lengthy);
    ok(strstr(err.text, "\xAC...\xE2") && !strstr(err.text, "\\x"), "between characters");
    (void)spar__fail(&err, SPAR_IO, "b");
    (void)spar__fail(&err, SPAR_IO, "a: %s", err.text);
    same_text(err.text, "a: b", "a sentence may be put into another");
    ok(spar__fail(NULL, SPAR_IO, "no error object") == SPAR_IO, "the error may be NULL");
    ok(spar__fail_memory(&err) == SPAR_NOMEM && err.status == SPAR_NOMEM, "no memory");
    return done();
}
