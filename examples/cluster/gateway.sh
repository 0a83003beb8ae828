#!/bin/sh
# Join the Ray cluster at RAY_ADDRESS as a node without browsers, then serve MCP over HTTP.
# Arguments are flags of `charlotte serve`.
set -eu
# Ray passes the environment on to its workers, which need no token.
env -u CHARLOTTE_AUTH_TOKEN ray start --address="$RAY_ADDRESS" --num-cpus=0 --object-store-memory=200000000 --disable-usage-stats
exec charlotte serve --http --engine ray --address "$RAY_ADDRESS" "$@"
