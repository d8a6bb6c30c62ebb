/* xml.h - is this text well-formed XML? As far as plots go: elements, attributes in double quotes, the five named
 * entities, valid characters; no comments, declarations or sections. Returns NULL, or what is wrong. */
#ifndef SPAR_TESTS_PLOT_XML_H
#define SPAR_TESTS_PLOT_XML_H

#include "base/buf.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { XML_DEPTH = 32, XML_NAME = 32 };

static bool xml_name_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == ':';
}

static const char *xml_name(const char *at, char name[XML_NAME])
{
    size_t n = 0;
    while (xml_name_char(*at) && n + 1 < XML_NAME)
        name[n++] = *at++;
    name[n] = '\0';
    return at;
}

static bool xml_entity(const char *at)
{
    static const char *const known[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"};
    for (size_t i = 0; i < 5; i++)
        if (strncmp(at, known[i], strlen(known[i])) == 0)
            return true;
    return false;
}

static bool xml_characters(const char *text)
{
    for (size_t left = strlen(text), size; left > 0; text += size, left -= size) {
        uint32_t code;
        size = spar__utf8_next(text, left, &code);
        if ((code == SPAR__UTF8_BAD && size == 1) || (code < 0x20 && code != '\n') || (code & 0xFFFE) == 0xFFFE)
            return false;
    }
    return true;
}

/* Past the attributes of an opening tag; NULL when one is malformed or comes twice. */
static const char *xml_attributes(const char *at)
{
    char seen[24][XML_NAME];
    size_t n = 0;
    while (*at == ' ') {
        if (n == 24)
            return NULL;
        at = xml_name(at + 1, seen[n]);
        for (size_t i = 0; i < n; i++)
            if (strcmp(seen[i], seen[n]) == 0)
                return NULL;
        if (!*seen[n++] || at[0] != '=' || at[1] != '"')
            return NULL;
        for (at += 2; *at != '"'; at++)
            if (!*at || *at == '<' || (*at == '&' && !xml_entity(at)))
                return NULL;
        at++;
    }
    return at;
}

static const char *xml_wrong(const char *text)
{
    char open[XML_DEPTH][XML_NAME], name[XML_NAME];
    size_t depth = 0, roots = 0;
    if (!xml_characters(text))
        return "a character XML does not know";
    for (const char *at = text; *at;) {
        if (*at == '&' && !xml_entity(at))
            return "a bare &";
        if (*at != '<') {
            if (depth == 0 && *at != '\n')
                return "text outside the root";
            at++;
        } else if (at[1] == '/') {
            at = xml_name(at + 2, name);
            if (depth == 0 || strcmp(open[--depth], name) != 0 || *at++ != '>')
                return "a closing tag that does not match";
        } else {
            if (depth == XML_DEPTH || (depth == 0 && roots++ > 0))
                return "too deep, or two roots";
            at = xml_name(at + 1, open[depth]);
            at = *open[depth] ? xml_attributes(at) : NULL;
            if (!at)
                return "a malformed tag";
            depth++;
            if (at[0] == '/') {
                depth--;
                at++;
            }
            if (*at++ != '>')
                return "a tag that does not end";
        }
    }
    return depth == 0 && roots == 1 ? NULL : "an element that is not closed, or none";
}

#endif
