/* Addresses, networks, proxies. */
#include "service/http/http.h"

#include "tap.h"

static spar__address parsed(const char *text)
{
    spar__address out = {{0}};
    ok(spar__address_parse(text, strlen(text), &out), "%s is an address", text);
    return out;
}

static bool same(spar__address a, spar__address b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static void test_parse(void)
{
    ok(same(parsed("192.0.2.7"), parsed("192.0.2.7:8080")), "a port does not matter");
    ok(same(parsed("2001:db8::1"), parsed("[2001:db8::1]:443")), "nor do brackets");
    ok(same(parsed("::ffff:192.0.2.7"), parsed("192.0.2.7")), "IPv4 in IPv6 is IPv4");
    static const char *const wrong[] = {"", "1.2.3", "1.2.3.4.5", "unknown", "[::1", "2001:db8::g", "1.2.3.4 "};
    spar__address out;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        ok(!spar__address_parse(wrong[i], strlen(wrong[i]), &out), "'%s' is none", wrong[i]);
}

static void test_networks(void)
{
    spar__network network;
    spar_error err = {0};
    spar__address in = parsed("10.1.2.3"), out = parsed("11.1.2.3"), six = parsed("2001:db8:1::5");
    ok(!spar__network_parse("10.0.0.0/8", &network, &err) && spar__network_has(&network, &in), "10/8 has 10.1.2.3");
    ok(!spar__network_has(&network, &out) && !spar__network_has(&network, &six), "and not 11.1.2.3 or an IPv6 address");
    ok(!spar__network_parse("10.1.2.2/31", &network, &err) && spar__network_has(&network, &in), "31 bits");
    ok(!spar__network_parse("2001:db8::/32", &network, &err) && spar__network_has(&network, &six), "IPv6");
    ok(!spar__network_parse("0.0.0.0/0", &network, &err) && spar__network_has(&network, &out), "all of IPv4");
    ok(!spar__network_has(&network, &six), "is not all of IPv6");
    static const char *const wrong[] = {"10.0.0.0/33", "10.0.0.0/", "10.0.0.0/-1", "10.0.0.0/8x", "ten", "::/129"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        ok(spar__network_parse(wrong[i], &network, &err) == SPAR_INVALID, "'%s': %s", wrong[i], err.text);
}

static void test_proxies(void)
{
    spar__network trusted[2];
    ok(!spar__network_parse("127.0.0.1", &trusted[0], NULL) && !spar__network_parse("10.0.0.0/8", &trusted[1], NULL),
       "two trusted networks");
    spar__address here = parsed("127.0.0.1"), far = parsed("198.51.100.9");
    ok(same(spar__address_client(far, "203.0.113.5", 2, trusted), far), "a stranger is not believed");
    ok(same(spar__address_client(here, "203.0.113.5", 0, NULL), here), "nor is anybody when none is trusted");
    ok(same(spar__address_client(here, "203.0.113.5", 2, trusted), parsed("203.0.113.5")), "a proxy is");
    ok(same(spar__address_client(here, "1.1.1.1, 203.0.113.5, 10.0.0.2", 2, trusted), parsed("203.0.113.5")),
       "the last address that is no proxy counts: what is left of it may be made up");
    ok(same(spar__address_client(here, "rubbish", 2, trusted), here), "rubbish is not an address");
    ok(same(spar__address_client(here, NULL, 2, trusted), here), "no header");
    ok(same(spar__address_client(here, " 10.0.0.1 ,10.0.0.2", 2, trusted), parsed("10.0.0.1")),
       "only proxies: the first");
}

int main(void)
{
    test_parse();
    test_networks();
    test_proxies();
    ok(same(spar__address_key(parsed("2001:db8:1:2:3:4:5:6")), parsed("2001:db8:1:2::")), "IPv6 counts by /64");
    ok(same(spar__address_key(parsed("192.0.2.7")), parsed("192.0.2.7")), "IPv4 by address");
    return done();
}
