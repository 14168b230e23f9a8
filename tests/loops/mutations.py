"""Wrong rewrites of a loop, one fault each: the proof has to refuse them all.

usage: mutations.py LOOPS_SAME BEFORE AFTER SCRATCH

AFTER is BEFORE with two stacks dropped, and right.  Each mutation replaces a
piece of its text; the mutant still reads.  A second list holds changes that
leave the program the same; those have to be accepted.
"""
import subprocess
import sys

loops_same, before, after, scratch = sys.argv[1:]
text = open(after).read()

SLICE = ("sizes = [1, 4, 8] : (tensor<6x4x8xf32>, tensor<i32>, tensor<i32>, "
         "tensor<i32>) -> tensor<1x4x8xf32>")
wrong = {
    "the slot of another iteration": ("%f#3, %n, %z", "%f#3, %j, %z"),
    "another slot in the writer": ("%sc, %c1, %i,", "%sc, %c1, %z,"),
    "the reader's counter for the writer's":
        ("%vg = stablehlo.convert %n", "%vg = stablehlo.convert %j"),
    "an input of another iteration": ("%xs, %n,", "%xs, %j,"),
    "off by one in the inverse":
        ("%five = stablehlo.constant dense<5> : tensor<i32>\n    %n ",
         "%five = stablehlo.constant dense<4> : tensor<i32>\n    %n "),
    "an index that is clamped":
        ("%five = stablehlo.constant dense<5> : tensor<i32>\n    %n ",
         "%five = stablehlo.constant dense<6> : tensor<i32>\n    %n "),
    "a carry that is not stacked":
        ("%vc = stablehlo.reshape %vc1 : (tensor<1x4x8xf32>) -> "
         "tensor<4x8xf32>",
         "%vc = stablehlo.add %c0, %c0 : tensor<4x8xf32>"),
    "the carry as it is at first":
        ("stablehlo.dot_general %vc,", "stablehlo.dot_general %c0,"),
    "another carry is stacked":
        ("%c1 = stablehlo.broadcast_in_dim %c,",
         "%c1 = stablehlo.broadcast_in_dim %d,"),
    "the carry of the next iteration":
        ("%c1 = stablehlo.broadcast_in_dim %c,",
         "%c1 = stablehlo.broadcast_in_dim %r,"),
    "two residuals swapped":
        ("%y0 = stablehlo.multiply %q, %ra", "%y0 = stablehlo.multiply %q, %rb"),
    "a kept residual for a dropped one":
        ("%y1 = stablehlo.subtract %y0, %rb",
         "%y1 = stablehlo.subtract %y0, %rk"),
    "a stack of another value":
        ("%f#4, %n, %z, %z", "%f#3, %n, %z, %z"),
    "a stack that is returned, dropped":
        ("return %u#1, %f#2, %f#5", "return %u#1, %f#2, %e"),
    "another stack returned":
        ("return %u#1, %f#2, %f#5", "return %u#1, %f#2, %f#4"),
    "another carry returned":
        ("return %u#1, %f#2, %f#5", "return %u#1, %f#1, %f#5"),
    "a writer that stops early":
        ("%t = stablehlo.constant dense<6>", "%t = stablehlo.constant dense<5>"),
    "a writer that begins late":
        ("while(%i = %zero", "while(%i = %begin"),
    "a writer in steps of two":
        ("%one = stablehlo.constant dense<1>",
         "%one = stablehlo.constant dense<2>"),
    "a stack that begins elsewhere, and is seen":
        ("%sc1 = stablehlo.dynamic_update_slice %sc, %c1, %i,",
         "%sc1 = stablehlo.dynamic_update_slice %sc, %c1, %five,"),
    "a stack that is written over again":
        ("stablehlo.return %i1, %r, %dn, %sc1,",
         "%sc2 = stablehlo.dynamic_update_slice %sc1, %x1, %z, %z, %z : "
         "(tensor<6x4x8xf32>, tensor<1x4x8xf32>, tensor<i32>, tensor<i32>, "
         "tensor<i32>) -> tensor<6x4x8xf32>\n"
         "    stablehlo.return %i1, %r, %dn, %sc2,"),
    "a stack that forgets":
        ("stablehlo.return %i1, %r, %dn, %sc1,",
         "stablehlo.return %i1, %r, %dn, %e,"),
    "a wrong op in the clone":
        ("%rb = stablehlo.tanh %ra", "%rb = stablehlo.sine %ra"),
    "an attribute of the clone":
        ("%vm = stablehlo.dot_general %vc, %w, contracting_dims = [1] x [0]",
         "%vm = stablehlo.dot_general %vc, %w, contracting_dims = [1] x [1]"),
    "operands in another order":
        ("%y1 = stablehlo.subtract %y0, %rb",
         "%y1 = stablehlo.subtract %rb, %y0"),
    "a reader that runs once more":
        ("%u:2 = stablehlo.while(%j = %zero, %q = %c0) : tensor<i32>, "
         "tensor<4x8xf32>\n  cond {\n"
         "    %t = stablehlo.constant dense<6>",
         "%u:2 = stablehlo.while(%j = %zero, %q = %c0) : tensor<i32>, "
         "tensor<4x8xf32>\n  cond {\n"
         "    %t = stablehlo.constant dense<7>"),
    "a reader that begins with another value":
        ("%q = %c0)", "%q = %d0)"),
    "an op with effects in the reader":
        ("%rb = stablehlo.tanh %ra : tensor<4x8xf32>",
         "%rb = stablehlo.tanh %ra : tensor<4x8xf32>\n"
         "    stablehlo.custom_call @effect(%rb) {has_side_effect = true} : "
         "(tensor<4x8xf32>) -> ()"),
    "an argument for another": ("multiply %vh, %vgb", "multiply %vm, %vgb"),
}
right = {
    "nothing": ("", ""),
    "other names": ("%vh", "%other"),
    "an op that nobody reads":
        ("%vg = ", "%unused = stablehlo.sine %vc : tensor<4x8xf32>\n    %vg = "),
    "the new stack begins with something else":
        ("%sc = %e,", "%sc = %xs,"),
    "the inverse in another way":
        ("%n = stablehlo.subtract %five, %j : tensor<i32>",
         "%neg = stablehlo.negate %j : tensor<i32>\n"
         "    %n = stablehlo.add %neg, %five : tensor<i32>"),
    "an index behind what JAX does with negative ones":
        ("%vc1 = stablehlo.dynamic_slice %f#3, %n,",
         "%isneg = stablehlo.compare LT, %n, %z, SIGNED : (tensor<i32>, "
         "tensor<i32>) -> tensor<i1>\n"
         "    %wrapped = stablehlo.add %n, %five : tensor<i32>\n"
         "    %sel = stablehlo.select %isneg, %wrapped, %n : tensor<i1>, "
         "tensor<i32>\n"
         "    %vc1 = stablehlo.dynamic_slice %f#3, %sel,"),
}


def verdict(change):
    old, new = change
    assert not old or text.count(old) >= 1, old
    mutant = text.replace(old, new) if old == "%vh" else text.replace(
        old, new, 1) if old else text
    if "%begin" in new:
        mutant = mutant.replace(
            "  %f:6", "  %begin = stablehlo.constant dense<1> : tensor<i32>\n"
            "  %f:6", 1)
    with open(scratch, "w") as out:
        out.write(mutant)
    run = subprocess.run([loops_same, before, scratch], capture_output=True,
                         text=True)
    if run.returncode == 2:
        sys.exit(f"does not read: {change}: {run.stderr}")
    return run.returncode == 0, run.stdout.strip()


failed = 0
for name, change in wrong.items():
    accepted, why = verdict(change)
    if accepted:
        failed += 1
        print("accepted, and wrong:", name)
for name, change in right.items():
    accepted, why = verdict(change)
    if not accepted:
        failed += 1
        print(f"refused, and right: {name}: {why}")
print(f"{len(wrong)} wrong ones, {len(right)} right ones, {failed} misjudged")
sys.exit(failed != 0)
