#!/bin/sh
# judge-length.sh - a judge that prefers the longest text: spar judge FILE --with 'sh examples/judge-length.sh'
#
# A judge reads a screen a line and writes an answer a line, until its input ends. jq reads and writes the JSON; what
# counts is the line in the middle, which may be any rule. Use it to see whether length alone explains a verdict.
exec jq --unbuffered -c '
  (.options | map({place, size: ((.body // .title // "") | length)})) as $seen
  | ($seen | max_by(.size)) as $longest
  | if ($seen | map(select(.size == $longest.size)) | length) > 1
    then {screen, tie: true}
    else {screen, winner: $longest.place, comment: "\($longest.size) characters"} end'
