"""Wrong segments of a loop, one fault each: the proof has to refuse them all.

usage: segments.py LOOPS_SAME BEFORE AFTER SCRATCH

AFTER is BEFORE with what is carried stacked only when a segment begins, and
right.  WRONG are changes that make it another program, RIGHT ones that do not.
"""
import subprocess
import sys

loops_same, before, after, scratch = sys.argv[1:]
text = open(after).read()

wrong = {
    "the slot of another segment": ("%f#3, %seg, %z", "%f#3, %bo, %z"),
    "the first segment, always": ("%f#3, %seg, %z", "%f#3, %z, %z"),
    "the last segment comes first":
        ("%last = stablehlo.constant dense<2>",
         "%last = stablehlo.constant dense<1>"),
    "a segment that begins one iteration late":
        ("%start = stablehlo.multiply %seg, %length : tensor<i32>",
         "%even = stablehlo.multiply %seg, %length : tensor<i32>\n"
         "    %start = stablehlo.add %even, %one : tensor<i32>"),
    "segments of another length":
        ("%length = stablehlo.constant dense<2>",
         "%length = stablehlo.constant dense<3>"),
    "a slot of the buffer in the writer's order": ("%rf#2, %slot,", "%rf#2, %s,"),
    "always the same slot of the buffer": ("%rf#2, %slot,", "%rf#2, %zi,"),
    "the buffer's counter for the iteration's":
        ("%xs, %n, %zi, %zi, sizes = [1, 4, 8] : (tensor<6x4x8xf32>, "
         "tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x8xf32>\n"
         "      %rx =",
         "%xs, %v, %zi, %zi, sizes = [1, 4, 8] : (tensor<6x4x8xf32>, "
         "tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x8xf32>\n"
         "      %rx ="),
    "a counter that is not the iteration":
        ("%rg = stablehlo.convert %n", "%rg = stablehlo.convert %v"),
    "a refill that begins with the first carry":
        ("%rc = %begin,", "%rc = %c0,"),
    "a refill that begins with another carry": ("%rc = %begin,", "%rc = %d0,"),
    "a refill that stays where it is":
        ("return %v1, %rr, %rbuf1", "return %v1, %rc, %rbuf1"),
    "a buffer of what comes next":
        ("%rc1 = stablehlo.reshape %rc :", "%rc1 = stablehlo.reshape %begin :"),
    "a buffer that is not filled":
        ("return %v1, %rr, %rbuf1", "return %v1, %rr, %rbuf"),
    "a refill that stops early":
        ("%rbuf = %e2) : tensor<i32>, tensor<4x8xf32>, tensor<2x4x8xf32>\n"
         "    cond {\n      %t = stablehlo.constant dense<2>",
         "%rbuf = %e2) : tensor<i32>, tensor<4x8xf32>, tensor<2x4x8xf32>\n"
         "    cond {\n      %t = stablehlo.constant dense<1>"),
    "a refill by another op": ("%rb = stablehlo.tanh", "%rb = stablehlo.sine"),
    "another carry is stacked":
        ("%c1 = stablehlo.reshape %co", "%c1 = stablehlo.reshape %do"),
    "the segment's end is stacked":
        ("%so1 = stablehlo.dynamic_update_slice %so, %c1, %fo,",
         "%so1 = stablehlo.dynamic_update_slice %so, %c1, %one,"),
    "a writer whose segments are shorter":
        ("%g0 = %fo) : tensor<i32>, tensor<4x8xf32>, tensor<4x8xf32>, "
         "tensor<6x4x8xf32>, tensor<i32>\n    cond {\n"
         "      %t = stablehlo.constant dense<2>",
         "%g0 = %fo) : tensor<i32>, tensor<4x8xf32>, tensor<4x8xf32>, "
         "tensor<6x4x8xf32>, tensor<i32>\n    cond {\n"
         "      %t = stablehlo.constant dense<1>"),
    "a writer that counts its segments otherwise":
        ("%two = stablehlo.constant dense<2>",
         "%two = stablehlo.constant dense<1>"),
    "a writer that forgets what an inner loop made":
        ("return %fo1, %fi#1, %fi#2", "return %fo1, %fi#1, %do"),
    "a writer that begins each segment anew":
        ("%c = %co, %d = %do", "%c = %c0, %d = %do"),
    "a writer of fewer segments":
        ("%t = stablehlo.constant dense<3>", "%t = stablehlo.constant dense<2>"),
    "a reader that begins each segment anew":
        ("%q = %qo)", "%q = %c0)"),
    "a reader that forgets a segment":
        ("return %bo1, %bi#1", "return %bo1, %qo"),
    "a reader that counts down from elsewhere":
        ("%five = stablehlo.constant dense<5>",
         "%five = stablehlo.constant dense<4>"),
    "a reader whose segments are longer":
        ("%bi:2 = stablehlo.while(%s = %z, %q = %qo) : tensor<i32>, "
         "tensor<4x8xf32>\n    cond {\n"
         "      %t = stablehlo.constant dense<2>",
         "%bi:2 = stablehlo.while(%s = %z, %q = %qo) : tensor<i32>, "
         "tensor<4x8xf32>\n    cond {\n"
         "      %t = stablehlo.constant dense<3>"),
    "residuals of the segment's first iteration":
        ("%vm = stablehlo.dot_general %vc,", "%vm = stablehlo.dot_general %begin,"),
    "an op with effects in the refill":
        ("%v1 = stablehlo.add",
         "stablehlo.custom_call @effect(%rb) {has_side_effect = true} : "
         "(tensor<4x8xf32>) -> ()\n      %v1 = stablehlo.add"),
}
right = {
    "nothing": ("", ""),
    "a sum the other way round":
        ("%i = stablehlo.add %first, %u", "%i = stablehlo.add %u, %first"),
    "a slot counted from the iteration":
        ("%slot = stablehlo.subtract %onei, %s : tensor<i32>",
         "%slot = stablehlo.subtract %n, %start : tensor<i32>"),
    "a buffer that begins with something else":
        ("%no = stablehlo.constant dense<0.000000e+00>",
         "%no = stablehlo.constant dense<1.000000e+00>"),
}


def is_accepted(name, old, new):
    assert not old or old in text, f"{name}: nothing to replace"
    with open(scratch, "w") as out:
        out.write(text.replace(old, new, 1) if old else text)
    run = subprocess.run([loops_same, before, scratch], capture_output=True,
                         text=True)
    if run.returncode not in (0, 1):
        sys.exit(f"does not read: {name}: {run.stderr}")
    return run.returncode == 0


misjudged = [name for name, change in wrong.items()
             if is_accepted(name, *change)]
misjudged += [name for name, change in right.items()
              if not is_accepted(name, *change)]
print("\n".join(misjudged))
print(f"{len(wrong)} wrong ones, {len(right)} right ones, "
      f"{len(misjudged)} misjudged")
sys.exit(bool(misjudged))
