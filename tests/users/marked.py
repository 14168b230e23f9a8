#!/usr/bin/env python3
"""A training chain whose forward values all carry remat.recompute.
usage: marked.py K > out.mlir"""
import sys

from shape import chain

text = chain("bw", int(sys.argv[1])).text()
print(text.replace(
    ") : (tensor<1x512x512xf32>) -> tensor<1x512x512xf32>",
    ") {remat.recompute} : (tensor<1x512x512xf32>) -> tensor<1x512x512xf32>"),
    end="")
