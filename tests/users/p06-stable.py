#!/usr/bin/env python3
"""Is a plan stable (P06)?  usage: p06-stable.py REMAT

Plans a training chain, then the same with every value renamed, with one op more
that has nothing to do with it, and with two of them in either order.  The plans, as --save-plan writes them,
must name the same decisions."""
import os
import re
import subprocess
import sys
import tempfile

from shape import chain


def plan(remat, text, folder):
    source, saved = (os.path.join(folder, n) for n in ("in.mlir", "plan"))
    with open(source, "w", encoding="utf-8") as file:
        file.write(text)
    subprocess.run([remat, "--target=generic", "--memory-model=live",
                    "--budget=9MiB", f"--save-plan={saved}", "-o",
                    os.path.join(folder, "out.mlir"), source], check=True)
    with open(saved, encoding="utf-8") as file:
        return file.read()


def main():
    text = chain("bw", 20).text()
    renamed = re.sub(r"%([vgx]\d*)", r"%name_\1", text)
    small = ('  %apart = "tessera.gelu"(%x) : (tensor<1x512x512xf32>) '
             "-> tensor<8xf32>\n"
             '  "test.keep"(%apart) : (tensor<8xf32>) -> ()\n')
    at = text.index("  %v0 =")
    with tempfile.TemporaryDirectory() as folder:
        first = plan(sys.argv[1], text, folder)
        assert "clone" in first, first
        assert plan(sys.argv[1], text, folder) == first
        again = plan(sys.argv[1], renamed, folder)
        assert again.replace("%name_", "%") == first, (first, again)
        more = plan(sys.argv[1], text[:at] + small + text[at:], folder)
        assert more == first, (first, more)
        # two ops that do not read each other, either way round
        other = small.replace("%apart", "%other")
        both = [plan(sys.argv[1], text[:at] + a + b + text[at:], folder)
                for a, b in ((small, other), (other, small))]
        assert both == [first, first], (first, both)


main()
