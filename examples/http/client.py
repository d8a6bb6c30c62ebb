"""client.py [URL] [EXPERIMENT] [ANSWERS] - a voter in 40 lines: asks, answers, and repeats whatever got no reply."""
import json
import random
import sys
import time
import urllib.error
import urllib.request


class Voter:
    """Becomes a voter of an experiment; `invitation` is the code of a link, where one is needed."""

    def __init__(self, url, experiment, invitation=None):
        self.base, self.secret = f"{url}/v1/experiments/{experiment}", None
        self.secret = self.post("voters", {"invitation": invitation} if invitation else {})["secret"]

    def post(self, path, body, tries=8):
        """The reply. No reply, 429 and 503 are tried again: the same answer has one effect, however often it is sent."""
        request = urllib.request.Request(f"{self.base}/{path}", json.dumps(body).encode(),
                                         {"Content-Type": "application/json"})
        if self.secret:
            request.add_header("Authorization", "Voter " + self.secret)
        for trial in range(tries):
            try:
                with urllib.request.urlopen(request, timeout=30) as reply:
                    return json.load(reply)
            except urllib.error.HTTPError as error:
                if error.code not in (429, 503) or trial == tries - 1:
                    raise RuntimeError(json.load(error)["detail"]) from None
                time.sleep(int(error.headers.get("Retry-After", 1)))
            except OSError:
                if trial == tries - 1:
                    raise
                time.sleep(2 ** trial * 0.1)


if __name__ == "__main__":
    url, experiment, answers = (sys.argv[1:] + ["http://127.0.0.1:8080", "tea", "5"][len(sys.argv) - 1:])[:3]
    voter = Voter(url, experiment)
    screen = voter.post("screens", {})
    for _ in range(int(answers)):
        best = random.choice(screen["options"])  # here a person, or your program, looks at the options
        screen = voter.post("answers", {"token": screen["token"], "winner": best["place"], "next": True})["next"]
        print("answered:", best["id"])
