#!/usr/bin/env python3
"""Changes every byte of a bundle in turn and prints the places at which verify.py notices nothing: none, when all is well.

    python3 flip.py bundle.json keys.json
"""

import json
import sys

from verify import verify

with open(sys.argv[1], "rb") as file:
    bundle = file.read().rstrip(b"\n")
with open(sys.argv[2], "rb") as file:
    keys = json.load(file)["keys"]

unnoticed = []
for at in range(len(bundle)):
    flipped = bytearray(bundle)
    flipped[at] ^= 1
    if not any(outcome == "broken" for _, outcome, _ in verify(bytes(flipped), keys)):
        unnoticed.append(at)
print(json.dumps({"tried": len(bundle), "unnoticed": unnoticed}))
