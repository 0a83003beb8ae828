"""Token counts with ``gpt-tokenizer`` from npm, whose package contains its vocabulary (o200k)."""

import json
from collections.abc import Sequence
from typing import Final

import trio

from bench.peers import install

TOKENIZER: Final = {"gpt-tokenizer": "4.0.0"}
_COUNT: Final = """
const { countTokens } = require(process.argv[1]);
const options = { disallowedSpecial: new Set() };
let input = '';
process.stdin.setEncoding('utf8').on('data', (chunk) => { input += chunk; });
process.stdin.on('end', () => {
  const counts = JSON.parse(input).map((text) => countTokens(text, options));
  process.stdout.write(JSON.stringify(counts));
});
"""


async def count_tokens(texts: Sequence[str]) -> list[int]:
    """Return the number of tokens of each text. Raises `bench.peers.NoPeers`."""
    node, modules = await install(TOKENIZER)
    vocabulary = modules / "gpt-tokenizer" / "cjs" / "encoding" / "o200k_base.js"
    command = [node, "--eval", _COUNT, str(vocabulary)]
    done = await trio.run_process(command, stdin=json.dumps(texts).encode(), capture_stdout=True)
    counts: list[int] = json.loads(done.stdout)
    return counts
