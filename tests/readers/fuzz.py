"""Damage dumps in seeded ways; the reader must accept or refuse each.

usage: fuzz.py READ_ALL SEED COUNT FILE...

COUNT damaged versions of each FILE: bytes dropped, doubled, exchanged for
others of the format's own, runs cut out or moved, the end cut off.  Fails when
READ_ALL does not end by itself with 0 (a graph that breaks its own rules, a
crash, a sanitizer's report, more than a minute)."""
import random
import subprocess
import sys
import tempfile
import os

BYTES = b"(){}[]<>,=:%#\"'\\/* \n-.0123456789abTSE"


def damage(rng, text):
    text = bytearray(text)
    for _ in range(rng.choice((1, 1, 1, 2, 4, 8))):
        at = rng.randrange(len(text))
        kind = rng.randrange(6)
        run = rng.choice((1, 2, 3, 8, 30, 200))
        if kind == 0:
            del text[at:at + run]
        elif kind == 1:
            text[at:at] = text[at:at + run]
        elif kind == 2:
            text[at] = rng.choice(BYTES)
        elif kind == 3:
            text[at:at] = bytes([rng.choice(BYTES)])
        elif kind == 4:
            piece = text[at:at + run]
            to = rng.randrange(len(text))
            text[to:to] = piece
        else:
            del text[at:at + rng.randrange(1, len(text) + 1)]
        if not text:
            text = bytearray(b"x")
    return bytes(text)


def main():
    tool, seed, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        for name in sys.argv[4:]:
            with open(name, "rb") as file:
                text = file.read()
            files = []
            for i in range(count):
                files.append(os.path.join(folder, f"{i}.hlo"))
                with open(files[-1], "wb") as file:
                    file.write(damage(rng, text))
            done = subprocess.run([tool, *files], stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, timeout=60)
            if done.returncode:
                sys.stdout.write(done.stdout.decode("utf-8", "replace")[-4000:])
                sys.exit(f"{name}: seed {seed}: {tool} ended with "
                         f"{done.returncode}")
    print("all ended by themselves")


main()
