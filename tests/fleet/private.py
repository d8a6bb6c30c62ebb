"""TLS as the URL says; a password in a URL is shown nowhere, whatever a command does or fails to do."""
import os
import pathlib
import subprocess

import fleet
import postgres
from harness import accepts, done, folder, ok, refuses, spar

fleet.begin()


def certificate(work, name):
    """A key, and a certificate of its own for 127.0.0.1."""
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", f"{name}.key", "-out",
                    f"{name}.crt", "-days", "2", "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"],
                   cwd=work, check=True, stderr=subprocess.DEVNULL)
    return pathlib.Path(work) / f"{name}.crt"


def silent(*args):
    """Whatever comes of it, the password is not in it."""
    got = spar(*args)
    said = got.stdout + got.stderr
    ok(postgres.PASSWORD not in said, f"{args[0]}: {said.splitlines()[0] if said else ''}")
    return got


with folder() as work, postgres.Server(tcp=True, settings=fleet.FAST) as server:
    url = server.url
    os.chdir(work)

    # --- the password ---

    (pathlib.Path(work) / "votes.csv").write_text("model_a,model_b,winner,judge\nAssam,Sencha,model_a,ann\n")
    silent("init", url, "Assam", "Sencha", "Oolong", "--question", "Which?")
    for args in [("ask", url), ("tell", url, 1, "--winner", "A"), ("tell", url, 1, "--winner", "B"), ("tell", url, 99, "--tie"),
                 ("status", url), ("status", url, "--json"), ("set", url), ("set", url, "--m", "3"), ("add", url, "Assam"),
                 ("add", url, "Matcha"), ("retire", url, "Matcha"), ("redact", url, "Matcha"), ("forget", url, "nobody"),
                 ("close", url), ("ask", url), ("reopen", url), ("export", url, "--out", "log.jsonl"), ("verify", url), ("replay", url),
                 ("backup", url, "copy.db"), ("copy", url, "copy.db"), ("copy", "copy.db", url), ("import", url, "none.csv"), ("import", url, "log.jsonl"), ("import", url, "votes.csv"),
                 ("retire", url, "Nothing"), ("vote", url), ("export", url, "--format", "arena"),
                 ("token", "new", url), ("token", "list", url), ("invite", url), ("init", url, "A", "B"),
                 ("init", url + "#two", "A", "B"), ("status", url), ("status", url + "#three"), ("verify", url + "#two"),
                 ("status", url + "?schema=none"), ("status", url + "?sslmode=sometimes"), ("status", url + "?schema=No"),
                 ("serve", url + "?schema=none"), ("serve", url.replace("spar:", "spar:x"))]:
        silent(*args)
    for bad in [url.replace("spar:", "spar:x"), url.replace("@127.0.0.1", "@127.0.0.2"), url.replace("/spar", "/none"),
                url.replace(f":{server.port}", ":1"), url.replace("spar:", "ann:"), url.replace(":drow", ":@drow"),
                url.replace("drowssap", "drow/drowssap"), url.replace("@127.0.0.1", ""), url.replace("://", ":")]:
        ok(silent("status", bad).returncode != 0, "and it fails")

    # --- TLS ---

    ours, other = certificate(work, "ours"), certificate(work, "other")
    refuses(1, "status", url + "?sslmode=require", says=["SSL"], what="the server has no TLS")
    for name in ["ours.key", "ours.crt"]:
        target = server.data / name
        target.write_bytes((pathlib.Path(work) / name).read_bytes())
        os.chmod(target, 0o600)
        if os.geteuid() == 0:
            os.chown(target, server.user.pw_uid, server.user.pw_gid)
    with open(server.data / "postgresql.conf", "a", encoding="utf-8") as file:
        file.write("ssl = on\nssl_cert_file = 'ours.crt'\nssl_key_file = 'ours.key'\n")
    server.restart()
    accepts("verify", f"{url}?sslmode=verify-full&sslrootcert={ours}#two", what="the right certificate")
    refuses(1, "status", f"{url}?sslmode=verify-full&sslrootcert={other}#two", says=["certificate"], what="another one")
    refuses(1, "status", f"{url}?sslmode=verify-full&sslrootcert={work}/none.crt#two", says=["none.crt"], what="none")

done()
