#include "text/escape.h"

#include "tap.h"

static const char *encoded(const char *bytes, size_t length)
{
    static spar__buf out;
    spar__buf_clear(&out);
    spar__buf_adds(&out, "");
    spar__base64_add(&out, bytes, length);
    return out.text;
}

static bool decodes(const char *text, const char *bytes, size_t length)
{
    spar__buf out = {0};
    spar__buf_adds(&out, "");
    bool good =
        spar__base64_read(text, strlen(text), &out) && out.length == length && memcmp(out.text, bytes, length) == 0;
    spar__buf_free(&out);
    return good;
}

static void test_base64(void)
{
    static const char *const word[] = {"", "f", "fo", "foo", "foob", "fooba", "foobar"}; /* RFC 4648, section 10 */
    static const char *const text[] = {"", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"};
    for (size_t i = 0; i < 7; i++) {
        same_text(encoded(word[i], i), text[i], "base64 of %zu bytes", i);
        ok(decodes(text[i], word[i], i), "and back");
    }
    char all[256];
    for (int i = 0; i < 256; i++)
        all[i] = (char)i;
    ok(decodes(encoded(all, 256), all, 256), "all bytes");
    static const char *const bad[] = {
        "Zg", "Zg=", "Zh==", "Zm9=", "Z===", "====", "Zg==Zg==", "Zm 9v", "Zm9v\n", "Zm-_"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ok(!decodes(bad[i], "f", 1) && !decodes(bad[i], "foo", 3) && !decodes(bad[i], "", 0), "bad text %zu is refused",
           i);
}

static void test_hex(void)
{
    unsigned char byte[3] = {0x00, 0xAB, 0xFF}, back[3];
    spar__buf out = {0};
    spar__hex_add(&out, byte, 3);
    same_text(out.text, "00abff", "hexadecimal");
    ok(spar__hex_read(out.text, back, 3) && memcmp(byte, back, 3) == 0, "and back");
    ok(!spar__hex_read("00abf", back, 3) && !spar__hex_read("00abff0", back, 3), "a wrong length is refused");
    ok(!spar__hex_read("00ABff", back, 3) && !spar__hex_read("0xabff", back, 3), "other digits are refused");
    spar__buf_free(&out);
}

typedef void add_text(spar__buf *, const char *, size_t);

static void adds(add_text *add, const char *text, const char *wanted)
{
    spar__buf out = {0};
    add(&out, text, strlen(text));
    same_text(out.text, wanted, "escaped: %.2s...", text);
    spar__buf_free(&out);
}

static void test_markup(void)
{
    adds(spar__html_escape, "a<b>&\"'\n\tc", "a&lt;b&gt;&amp;&quot;&#39;\n\tc");
    adds(spar__html_escape, "\x1b[1m \u202e \u200e \xff", "\\x1b[1m \\u202e \u200e \\xff");
    adds(spar__html_visible, "<i>\x07</i>", "<i>\\x07</i>");
    adds(spar__xml_escape, "a<b>&\"'\n\tc", "a&lt;b&gt;&amp;&quot;'  c");
    adds(spar__xml_escape, "\x1b \xff \uffff \u202e", "\ufffd \ufffd \ufffd \u202e");
}

static void quotes(const char *word, const char *wanted)
{
    spar__buf out = {0};
    spar__shell_quote(&out, word);
    same_text(out.text, wanted, "a shell reads %s", wanted);
    spar__buf_free(&out);
}

static void test_shell(void)
{
    quotes("tea.db#green", "tea.db#green");
    quotes("--env=utility", "--env=utility");
    quotes("", "''");
    quotes("#1", "'#1'");
    quotes("Earl Grey", "'Earl Grey'");
    quotes("it's \\n", "'it'\\''s \\n'");
    quotes("caf\u00e9 $HOME", "'caf\u00e9 $HOME'");
    quotes("a\nb'c\\d", "$'a\\nb\\'c\\\\d'");
    quotes("\x1b[31m\xff", "$'\\x1b[31m\\xff'");
}

int main(void)
{
    test_base64();
    test_hex();
    test_markup();
    test_shell();
    return done();
}
