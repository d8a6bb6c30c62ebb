#include "text/option_rows.h"
#include "tap.h"

#define TYPE(bytes) spar__image_type((bytes), sizeof(bytes) - 1)

int main(void)
{
    same_text(TYPE("\x89PNG\r\n\x1A\n"), "image/png", "PNG");
    same_text(TYPE("\xFF\xD8\xFF\xE1"), "image/jpeg", "JPEG");
    same_text(TYPE("GIF87a"), "image/gif", "GIF");
    same_text(TYPE("GIF89a.."), "image/gif", "the later GIF");
    same_text(TYPE("RIFF\1\2\3\4WEBPVP8 "), "image/webp", "WebP");
    same_text(TYPE("<svg xmlns='x'/>"), "image/svg+xml", "SVG");
    same_text(TYPE("\xEF\xBB\xBF <?xml?>\n<!-- <svg> -->\n<!DOCTYPE svg>\n<svg>"), "image/svg+xml",
              "with what may precede it");
    ok(!TYPE(""), "nothing");
    ok(!TYPE("\x89PNG\r\n\x1A"), "half a PNG");
    ok(!TYPE("RIFF\1\2\3\4WAVE"), "a sound");
    ok(!TYPE("RIFF\1\2\3"), "half a header");
    ok(!TYPE("<svgx>") && !TYPE("<svg") && !TYPE("<svg\0") && !TYPE("<html><svg>"), "other elements");
    ok(!TYPE("<!-- <svg>") && !TYPE("<?xml <svg>"), "what does not end");
    return done();
}
