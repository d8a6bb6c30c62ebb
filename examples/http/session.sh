#!/bin/sh
# session.sh [URL] [EXPERIMENT] - a vote by curl: become a voter, get a screen, answer it, twice, take the second back.
# With a manage token in SPAR_TOKEN: what may be concluded so far, and the log.
set -eu
url=${1:-http://127.0.0.1:8080} experiment=${2:-tea}
base=$url/v1/experiments/$experiment

# Posts JSON to a path; waits and tries again where the server says so (429, 503). Repeating an answer is safe.
post() {
    curl --silent --show-error --fail-with-body --retry 5 --header 'Content-Type: application/json' --header "$3" \
        --data "$2" "$base/$1"
    echo
}

# The value of a text or number in a JSON object.
member() {
    sed -n "s/.*\"$1\":\"\{0,1\}\([^\",}]*\).*/\1/p"
}

echo "the question:"
curl --silent --show-error --fail-with-body "$base"
echo

secret=$(post voters '{}' 'X-Nobody: 1' | member secret)
voter="Authorization: Voter $secret"

screen=$(post screens '{}' "$voter")
echo "the first screen: $screen"
token=$(echo "$screen" | member token)

# The answer: what stands at place A. With "next" the reply brings the next screen.
reply=$(post answers "{\"token\":\"$token\",\"winner\":\"A\",\"taken\":4200,\"next\":true}" "$voter")
echo "saved, and the next: $reply"

token=$(echo "$reply" | member token)
post answers "{\"token\":\"$token\",\"winner\":\"B\",\"comment\":\"hard to say\"}" "$voter"
post answers "{\"token\":\"$token\",\"winner\":\"B\",\"comment\":\"hard to say\"}" "$voter" # again: the same reply
post undo "{\"token\":\"$token\"}" "$voter" >/dev/null
echo "the second answer was taken back"

[ -n "${SPAR_TOKEN:-}" ] || exit 0
manager="Authorization: Bearer $SPAR_TOKEN"
echo "so far:"
curl --silent --show-error --fail --header "$manager" "$base/status"
echo
echo "the log:"
curl --silent --show-error --fail --header "$manager" "$base/export"
