#!/usr/bin/env python3
"""Do two texts of one program get one plan (P08)?  usage: p08-twins.py REMAT

The second text has other metadata, in another order of attributes.  Every
device of a program in parallel must take the same decisions, so the plan is a
function of the program alone; and no collective runs twice."""
import os
import re
import subprocess
import sys
import tempfile

TEXT = """HloModule m, is_scheduled=true

less {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = pred[] compare(a, b), direction=LT
}

ENTRY main {
  p = f32[1024] parameter(0)
  g = f32[4096] all-gather(p), channel_id=1, replica_groups={{0,1,2,3}}, dimensions={0}, metadata={op_name="gather"}
  z = f32[] constant(0)
  e = f32[4096] exponential(g), metadata={op_name="early"}
  s = f32[16384] pad(e, z), padding=0_12288, metadata={op_name="pad"}
  t = f32[16384] sort(s), dimensions={0}, to_apply=less, metadata={op_name="sort"}
  u = f32[4096] slice(t), slice={[0:4096]}, metadata={op_name="cut"}
  v = f32[4096] add(u, e), metadata={op_name="late e"}
  ROOT w = f32[4096] add(v, g), metadata={op_name="late g"}
}
"""


def main():
    twin = re.sub(r", metadata=\{op_name=\"([^\"]*)\"\}",
                  lambda m: f', metadata={{op_name="other {m[1][::-1]}" '
                  f'source_file="x.py" source_line={len(m[1])}}}', TEXT)
    twin = twin.replace("channel_id=1, replica_groups={{0,1,2,3}}",
                        "replica_groups={{0,1,2,3}}, channel_id=1")
    assert twin != TEXT
    plans = []
    with tempfile.TemporaryDirectory() as folder:
        for one in (TEXT, twin):
            source, saved, out = (os.path.join(folder, n)
                                  for n in ("in.hlo", "plan", "out.hlo"))
            with open(source, "w", encoding="utf-8") as file:
                file.write(one)
            done = subprocess.run(
                [sys.argv[1], "--target=generic", "--budget=60%temp",
                 "-Wno-budget", f"--save-plan={saved}", "-o", out, source],
                capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stderr
            with open(saved, encoding="utf-8") as file:
                plans.append(file.read())
            with open(out, encoding="utf-8") as file:
                assert file.read().count(" all-gather(") == 1
    assert plans[0] == plans[1], plans
    assert "clone e" in plans[0] or "move" in plans[0], plans


main()
