#!/usr/bin/env python3
"""A target of one rule a class.  usage: two_targets.py FILE NORM_NS GELU_NS"""
import sys

path, norm, gelu = sys.argv[1:]
with open(path, "w", encoding="utf-8") as file:
    file.write(f"""rules 1;
target small "two prices";
device only {{ memory = 1 GiB; source "none: a test"; }}
default device only;
class plain "anything pure" pure, same_bits;
dialect tessera {{
  class plain "add", "gelu", "layer_norm", "matmul";
}}
dialect func, "" {{ class ends "return" terminator; }}
class ends "terminators";
memory {{ default = bytes; }}
recompute {{
  op "tessera.layer_norm" cost {norm} us;
  op "tessera.gelu" cost {gelu} us;
  default cost 10 us;
}}
""")
