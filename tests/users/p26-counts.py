"""P26: how often iterations run again, counted by another program.

usage: p26-counts.py REMAT SCRATCH TRIPS...

For each number of trips a loop is written out that stacks the tanh of what it
carries and one that reads it from the end, and what --analyze proposes is held
against the least that is possible.  Found by search, up to 9 trips: of all
schedules that advance, keep a state in a free slot, go back to a kept one, or
reverse the last iteration that is left, the one with the fewest runs of the
body.  Beyond that by recursion over where the second state is kept, which the
search confirms for all that it can reach.
"""
import functools
import heapq
import re
import subprocess
import sys


def search(trips, slots):
    """The fewest runs of the body beyond one of each iteration."""
    start = (0, trips, ())  # where we are, iterations left, states kept
    best, queue = {start: 0}, [(0, start)]
    while queue:
        cost, state = heapq.heappop(queue)
        here, left, kept = state
        if left == 0:
            return cost - trips
        if cost > best[state]:
            continue
        steps = [(0, (k, left, kept)) for k in kept]
        if here < left - 1:
            steps.append((1, (here + 1, left, kept)))
        if here == left - 1:
            steps.append((1, (here, left - 1, kept)))
        if here not in kept and len(kept) < slots:
            steps.append((0, (here, left, tuple(sorted(kept + (here,))))))
        for k in kept:
            steps.append((0, (here, left, tuple(x for x in kept if x != k))))
        for more, after in steps:
            if cost + more < best.get(after, cost + more + 1):
                best[after] = cost + more
                heapq.heappush(queue, (cost + more, after))
    return None


@functools.lru_cache(None)
def recursion(trips, slots):
    """The first state is kept; the next one after SPLIT iterations."""
    if slots == 1 or trips == 1:
        return trips * (trips - 1) // 2
    return min(split + recursion(trips - split, slots - 1)
               + recursion(split, slots) for split in range(1, trips))


def program(trips):
    row, stack = "tensor<8xf32>", f"tensor<{trips}x8xf32>"
    slot, number = "tensor<1x8xf32>", "tensor<i32>"
    test = f"""  cond {{
    %n = stablehlo.constant dense<{trips}> : {number}
    %p = stablehlo.compare LT, %i, %n, SIGNED : ({number}, {number}) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }} do {{
    %k = stablehlo.constant dense<0> : {number}
    %one = stablehlo.constant dense<1> : {number}
    %i1 = stablehlo.add %i, %one : {number}"""
    return f"""func.func @main(%c: {row}) -> {row} {{
  %zero = stablehlo.constant dense<0> : {number}
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %e = stablehlo.broadcast_in_dim %z, dims = [] : (tensor<f32>) -> {stack}
  %a:3 = stablehlo.while(%i = %zero, %h = %c, %s = %e) : {number}, {row}, {stack}
{test}
    %v = stablehlo.tanh %h : {row}
    %w = stablehlo.reshape %v : ({row}) -> {slot}
    %t = stablehlo.dynamic_update_slice %s, %w, %i, %k : ({stack}, {slot}, {number}, {number}) -> {stack}
    stablehlo.return %i1, %v, %t : {number}, {row}, {stack}
  }}
  %b:2 = stablehlo.while(%i = %zero, %g = %a#1) : {number}, {row}
{test}
    %last = stablehlo.constant dense<{trips - 1}> : {number}
    %m = stablehlo.subtract %last, %i : {number}
    %w = stablehlo.dynamic_slice %a#2, %m, %k, sizes = [1, 8] : ({stack}, {number}, {number}) -> {slot}
    %v = stablehlo.reshape %w : ({slot}) -> {row}
    %d = stablehlo.multiply %g, %v : {row}
    stablehlo.return %i1, %d : {number}, {row}
  }}
  return %b#1 : {row}
}}
"""


for trips in range(1, 10):
    for slots in range(1, 5):
        assert search(trips, slots) == recursion(trips, slots), (trips, slots)
remat, scratch, *counts = sys.argv[1:]
checked = 0
for trips in map(int, counts):
    path = f"{scratch}/p26-{trips}.mlir"
    with open(path, "w") as out:
        out.write(program(trips))
    said = subprocess.run([remat, "--analyze", path], capture_output=True,
                          text=True, check=True).stdout
    line = re.search(rf": {trips} iterations carry .*", said).group(0)
    for slots, again in re.findall(r"at (\d+) of them \([^)]*\), (\d+) run",
                                   line):
        assert int(again) == recursion(trips, int(slots)), (trips, line)
        checked += 1
    every = re.search(r"at all, (\d+)", line)
    assert int(every.group(1)) == recursion(trips, trips), (trips, line)
    checked += 1
print(f"{checked} counts are the least possible")
