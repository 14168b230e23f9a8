"""Random programs of the dialects that mlir-opt knows, read in three forms.

usage: mlir_random.py READ_ALL MLIR_OPT SEED COUNT

Each program draws ops from TEMPLATES, with operands of the types that they
want, inside of randomly nested loops, branches and blocks.  mlir-opt must
accept it.  The program, what mlir-opt prints of it in pretty and generic form,
and what PIPELINES make of it (where they can) must each have the ops, results,
operands and types of its generic print: same_as_mlir_opt.py compares."""
import os
import random
import subprocess
import sys
import tempfile

T, M, V = "tensor<4x8xf32>", "memref<4x8xf32>", "vector<8xf32>"
C, D, B = "complex<f32>", "tensor<?x8xf32>", "tensor<4x8xi1>"

# (types of results, text): {type} is an operand of that type.
TEMPLATES = [
    ([T], "arith.addf {T}, {T} : T"),
    ([T], "arith.mulf {T}, {T} fastmath<fast> : T"),
    ([B], "arith.cmpf ogt, {T}, {T} : T"),
    (["i1"], "arith.cmpi slt, {index}, {index} : index"),
    (["i1"], "arith.cmpf une, {f32}, {f32} : f32"),
    ([T], "arith.select {B}, {T}, {T} : B, T"),
    (["f32"], "arith.select {i1}, {f32}, {f32} : f32"),
    ([T], "arith.constant dense<1.0> : T"),
    (["i1"], "arith.constant false"),
    (["index"], "arith.constant 7 : index"),
    (["f32"], "arith.constant 0x7FC00000 : f32"),
    (["f64"], "arith.extf {f32} : f32 to f64"),
    (["i32"], "arith.index_cast {index} : index to i32"),
    (["i32", "i1"], "arith.addui_extended {i32}, {i32} : i32, i1"),
    (["i32", "i32"], "arith.mulsi_extended {i32}, {i32} : i32"),
    (["f32"], "arith.bitcast {i32} : i32 to f32"),
    ([T], "math.exp {T} : T"),
    (["f32"], "math.fma {f32}, {f32}, {f32} : f32"),
    ([C], "complex.create {f32}, {f32} : C"),
    (["f32"], "complex.re {C} : C"),
    (["f32"], "complex.abs {C} : C"),
    (["i1"], "complex.eq {C}, {C} : C"),
    ([C], "complex.constant [1.0 : f32, 2.0 : f32] : C"),
    (["index"], "index.add {index}, {index}"),
    (["i1"], "index.cmp slt({index}, {index})"),
    (["i32"], "index.casts {index} : index to i32"),
    (["index"], "index.constant 3"),
    ([T], "tensor.empty() : T"),
    ([D], "tensor.empty({index}) : D"),
    (["index"], "tensor.dim {T}, {index} : T"),
    (["index"], "tensor.rank {T} : T"),
    (["f32"], "tensor.extract {T}[{index}, {index}] : T"),
    ([T], "tensor.insert {f32} into {T}[{index}, {index}] : T"),
    ([D], "tensor.cast {T} : T to D"),
    (["tensor<2x8xf32>"], "tensor.extract_slice {T}[1, 0] [2, 8] [1, 1] : "
     "T to tensor<2x8xf32>"),
    ([T], "tensor.insert_slice {tensor<2x8xf32>} into {T}[{index}, 0] [2, 8] "
     "[1, 1] : tensor<2x8xf32> into T"),
    (["tensor<32xf32>"], "tensor.collapse_shape {T} [[0, 1]] : T into "
     "tensor<32xf32>"),
    ([T], "tensor.expand_shape {tensor<32xf32>} [[0, 1]] output_shape [4, 8] "
     ": tensor<32xf32> into T"),
    (["tensor<2xf32>"], "tensor.from_elements {f32}, {f32} : tensor<2xf32>"),
    ([T], "tensor.splat {f32} : T"),
    ([D], "tensor.splat {f32}[{index}] : D"),
    (["tensor<6x8xf32>"], "tensor.pad {T} low[1, 0] high[1, 0] {{\n^bb0("
     "%@a: index, %@b: index):\n  tensor.yield {f32} : f32\n}} : T to "
     "tensor<6x8xf32>"),
    ([T], "tensor.generate {{\n^bb0(%@a: index, %@b: index):\n  tensor.yield "
     "{f32} : f32\n}} : T"),
    ([M], "memref.alloc() {{alignment = 64 : i64}} : M"),
    (["memref<?x8xf32>"], "memref.alloc({index}) : memref<?x8xf32>"),
    ([], "memref.dealloc {M} : M"),
    (["f32"], "memref.load {M}[{index}, {index}] : M"),
    ([], "memref.store {f32}, {M}[{index}, {index}] : M"),
    (["memref<?x8xf32>"], "memref.cast {M} : M to memref<?x8xf32>"),
    (["index"], "memref.dim {memref<?x8xf32>}, {index} : memref<?x8xf32>"),
    (["memref<2x8xf32, strided<[8, 1], offset: ?>>"], "memref.subview "
     "{M}[{index}, 0] [2, 8] [1, 1] : M to memref<2x8xf32, strided<[8, 1], "
     "offset: ?>>"),
    ([M], "memref.get_global @global : M"),
    (["memref<f32>", "index", "index", "index", "index", "index"],
     "memref.extract_strided_metadata {M} : M -> memref<f32>, index, index, "
     "index, index, index"),
    ([T], "bufferization.to_tensor {M} restrict : M"),
    ([M], "bufferization.to_memref {T} : M"),
    ([V], "vector.transfer_read {M}[{index}, {index}], {f32} : M, V"),
    ([], "vector.transfer_write {V}, {M}[{index}, {index}] : V, M"),
    ([V], "vector.broadcast {f32} : f32 to V"),
    (["f32"], "vector.extract {V}[3] : f32 from V"),
    ([V], "vector.insert {f32}, {V}[2] : f32 into V"),
    (["f32"], "vector.reduction <add>, {V} : V into f32"),
    ([V], "vector.fma {V}, {V}, {V} : V"),
    (["vector<2x4xf32>"], "vector.shape_cast {V} : V to vector<2x4xf32>"),
    ([V], "vector.load {M}[{index}, {index}] : M, V"),
    (["f32"], "vector.extractelement {V}[{i32} : i32] : V"),
    (["vector<8xi1>"], "vector.create_mask {index} : vector<8xi1>"),
    (["vector<4xf32>"], "vector.extract_strided_slice {V} {{offsets = [2], "
     "sizes = [4], strides = [1]}} : V to vector<4xf32>"),
    (["index"], "affine.apply affine_map<(d0)[s0] -> (d0 + s0 * 2)>"
     "(%i)[%n]"),
    (["index"], "affine.min affine_map<(d0) -> (d0 * 4, 100)>(%i)"),
    (["f32"], "affine.load {M}[0, 3] : M"),
    ([], "affine.store {f32}, {M}[1, 2] : M"),
    ([], "affine.for %@i = 0 to 4 {{\n  affine.for %@j = max "
     "affine_map<(d0) -> (d0, 2)>(%@i) to %n step 2 {{\n    \"x.body\"(%@i, "
     "%@j) : (index, index) -> ()\n  }}\n}}"),
    (["f32"], "affine.for %@i = 0 to 4 iter_args(%@x = {f32}) -> (f32) {{\n"
     "  affine.yield %@x : f32\n}}"),
    ([], "affine.if affine_set<(d0) : (d0 - 1 >= 0)>(%i) {{\n  \"x.then\"() "
     ": () -> ()\n}} else {{\n  \"x.else\"() : () -> ()\n}}"),
    ([], "affine.parallel (%@i, %@j) = (0, 0) to (4, 8) {{\n  \"x.body\"(%@i)"
     " : (index) -> ()\n}}"),
    ([], "scf.parallel (%@i, %@j) = ({index}, {index}) to ({index}, {index}) "
     "step ({index}, {index}) {{\n  \"x.body\"(%@i, %@j) : (index, index) -> "
     "()\n}}"),
    (["f32"], "scf.parallel (%@i) = ({index}) to ({index}) step ({index}) "
     "init ({f32}) -> f32 {{\n  scf.reduce({f32} : f32) {{\n  ^bb0(%@x: f32, "
     "%@y: f32):\n    %@z = arith.addf %@x, %@y : f32\n    scf.reduce.return "
     "%@z : f32\n  }}\n}}"),
    ([T], "scf.forall (%@i, %@j) in (4, {index}) shared_outs(%@o = {T}) -> "
     "(T) {{\n  scf.forall.in_parallel {{\n    tensor.parallel_insert_slice "
     "{tensor<2x8xf32>} into %@o[0, 0] [2, 8] [1, 1] : tensor<2x8xf32> into "
     "T\n  }}\n}}"),
    (["f32"], "scf.execute_region -> f32 {{\n  scf.yield {f32} : f32\n}}"),
    (["f32"], "scf.index_switch {index} -> f32\ncase 2 {{\n  scf.yield "
     "{f32} : f32\n}}\ndefault {{\n  scf.yield {f32} : f32\n}}"),
    (["i32", T], "scf.while (%@x = {i32}, %@y = {T}) : (i32, T) -> (i32, T) "
     "{{\n  scf.condition({i1}) %@x, %@y : i32, T\n}} do {{\n^bb0(%@p: i32, "
     "%@q: T):\n  scf.yield %@p, %@q : i32, T\n}}"),
    ([T], "linalg.matmul ins({T}, {tensor<8x8xf32>} : T, tensor<8x8xf32>) "
     "outs({T} : T) -> T"),
    ([T], "linalg.fill ins({f32} : f32) outs({T} : T) -> T"),
    ([], "linalg.fill ins({f32} : f32) outs({M} : M)"),
    ([T], "linalg.generic {{indexing_maps = [affine_map<(d0, d1) -> (d0, "
     "d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = "
     "[\"parallel\", \"parallel\"]}} ins({T} : T) outs({T} : T) {{\n^bb0("
     "%@x: f32, %@y: f32):\n  %@k = linalg.index 1 : index\n  linalg.yield "
     "%@x : f32\n}} -> T"),
    (["tensor<8x4xf32>"], "linalg.transpose ins({T} : T) outs({"
     "tensor<8x4xf32>} : tensor<8x4xf32>) permutation = [1, 0]"),
    (["tensor<4xf32>"], "linalg.reduce ins({T} : T) outs({tensor<4xf32>} : "
     "tensor<4xf32>) dimensions = [1] (%@x: f32, %@y: f32) {{\n  %@z = "
     "arith.maximumf %@x, %@y : f32\n  linalg.yield %@z : f32\n}}"),
    (["tensor<4xf32>"], "linalg.reduce {{ arith.addf }} ins({T} : T) outs("
     "{tensor<4xf32>} : tensor<4xf32>) dimensions = [1]"),
    ([T], "linalg.map {{ math.exp }} ins({T} : T) outs({T} : T)"),
    ([T], "linalg.broadcast ins({tensor<4xf32>} : tensor<4xf32>) outs({T} : "
     "T) dimensions = [1]"),
    ([T], "tosa.add {T}, {T} : (T, T) -> T"),
    ([T], "tosa.clamp {T} {{min_fp = 0.0 : f32, max_fp = 6.0 : f32, min_int "
     "= 0 : i64, max_int = 6 : i64}} : (T) -> T"),
    (["f32"], "func.call @callee({f32}) : (f32) -> f32"),
    (["(f32) -> f32"], "func.constant @callee : (f32) -> f32"),
    (["f32"], "func.call_indirect {(f32) -> f32}({f32}) : (f32) -> f32"),
    (["!async.token"], "async.execute {{\n  \"x.body\"() : () -> ()\n  "
     "async.yield\n}}"),
    (["!async.token", "!async.value<f32>"], "async.execute [{!async.token}] ("
     "{!async.value<f32>} as %@v : !async.value<f32>) -> !async.value<f32> "
     "{{\n  async.yield %@v : f32\n}}"),
    (["f32"], "async.await {!async.value<f32>} : !async.value<f32>"),
    (["!shape.shape"], "shape.shape_of {T} : T -> !shape.shape"),
    (["!shape.witness"], "shape.cstr_eq {!shape.shape}, {!shape.shape} : "
     "!shape.shape, !shape.shape"),
    ([T], "shape.assuming {!shape.witness} -> T {{\n  shape.assuming_yield "
     "{T} : T\n}}"),
    ([], "gpu.launch blocks(%@a, %@b, %@c) in (%@d = {index}, %@e = {index}, "
     "%@f = {index}) threads(%@g, %@h, %@i) in (%@j = {index}, %@k = {index},"
     " %@l = {index}) {{\n  \"x.body\"(%@a, %@g) : (index, index) -> ()\n  "
     "gpu.terminator\n}}"),
    (["!gpu.async.token"], "gpu.wait async"),
    (["i32", "f32"], '"x.two"({T}, {f32}) <{{k = array<i64: 1, 2>}}> {{u, v '
     '= "}} %0"}} : (T, f32) -> (i32, f32)'),
    ([T], '"x.region"({T}) ({{\n^bb0(%@x: T):\n  "x.done"(%@x) : (T) -> ()\n'
     '}}, {{\n}}) : (T) -> T'),
    (["!llvm.ptr"], "llvm.mlir.zero : !llvm.ptr"),
    (["f32"], "llvm.load {!llvm.ptr} : !llvm.ptr -> f32"),
    ([], "llvm.store {f32}, {!llvm.ptr} : f32, !llvm.ptr"),
    (["!llvm.ptr"], "llvm.getelementptr {!llvm.ptr}[4] : (!llvm.ptr) -> "
     "!llvm.ptr, f32"),
    (["i1"], "llvm.icmp \"eq\" {i32}, {i32} : i32"),
    (["i32"], "llvm.mlir.constant(42 : i32) : i32"),
]
# Passes that bring other dialects: cf, llvm, spirv, omp, gpu modules, memrefs.
PIPELINES = [
    ["--lower-affine", "--convert-scf-to-cf", "--convert-arith-to-llvm",
     "--finalize-memref-to-llvm", "--convert-cf-to-llvm",
     "--convert-vector-to-llvm", "--convert-math-to-llvm"],
    ["--convert-scf-to-openmp"],
    ["--gpu-kernel-outlining"],
    ["--convert-arith-to-spirv"],
    ["--convert-linalg-to-affine-loops", "--affine-loop-unroll"],
    ["--async-to-async-runtime"],
]
NAMES = {"T": T, "M": M, "V": V, "C": C, "D": D, "B": B}


class Program:
    def __init__(self, rng):
        self.rng = rng
        self.lines = []
        self.number = 0

    def fresh(self):
        self.number += 1
        return f"v{self.number}"

    def operand(self, scope, kind):
        """A value of type KIND: one in SCOPE, or of an op made for it."""
        known = [name for name, type_ in scope if type_ == kind]
        if known and self.rng.random() < 0.9:
            return self.rng.choice(known[-6:])
        name = "%" + self.fresh()
        self.lines.append(f'{name} = "x.make"() : () -> '
                          f"{'(' + kind + ')' if '->' in kind else kind}")
        scope.append((name, kind))
        return name

    def fill(self, scope, text):
        """TEXT with its operands, types and local names put in."""
        out, i, local = "", 0, self.fresh()
        while i < len(text):
            c = text[i]
            if text[i:i + 2] in ("{{", "}}"):
                out, i = out + c, i + 2
            elif c == "{":
                end = text.index("}", i)
                kind = text[i + 1:end]
                out += self.operand(scope, NAMES.get(kind, kind))
                i = end + 1
            elif c == "@" and text[i - 1] == "%":
                out, i = out + local, i + 1
            elif c in NAMES and not (text[i - 1].isalnum() or
                                     text[i + 1:i + 2].isalnum() or
                                     text[i - 1] in "%@\"'_"):
                out, i = out + NAMES[c], i + 1
            else:
                out, i = out + c, i + 1
        return out

    def add(self, scope):
        results, text = self.rng.choice(TEMPLATES)
        text = self.fill(scope, text)
        types = [NAMES.get(kind, kind) for kind in results]
        if not types:
            self.lines.append(text)
            return
        if len(types) > 1 and self.rng.random() < 0.5:
            name = "%" + self.fresh()
            self.lines.append(f"{name}:{len(types)} = {text}")
            names = [f"{name}#{i}" for i in range(len(types))]
        else:
            names = ["%" + self.fresh() for _ in types]
            self.lines.append(f"{', '.join(names)} = {text}")
        scope.extend(zip(names, types))

    def nest(self, scope, depth):
        """An op with a region that holds more of the same."""
        inner = list(scope)
        name = "%" + self.fresh()
        if self.rng.random() < 0.5:
            condition = self.operand(inner, "i1")
            other = self.operand(inner, T)
            self.lines.append(f"{name} = scf.if {condition} -> ({T}) {{")
            self.body(list(inner), depth)
            self.lines.append("} else {")
            self.lines.append(f"scf.yield {other} : {T}\n}}")
        else:
            low, start = self.operand(inner, "index"), self.operand(inner, T)
            i, x = "%" + self.fresh(), "%" + self.fresh()
            self.lines.append(
                f"{name} = scf.for {i} = {low} to {low} step {low} iter_args("
                f"{x} = {start}) -> ({T}) {{")
            self.body(inner + [(i, "index"), (x, T)], depth)
            self.lines.append("}")
        scope.append((name, T))

    def body(self, scope, depth):
        for _ in range(self.rng.randrange(2, 9)):
            if depth < 3 and self.rng.random() < 0.15:
                self.nest(scope, depth + 1)
            else:
                self.add(scope)
        result = self.operand(scope, T)
        self.lines.append(f"scf.yield {result} : {T}")

    def function(self, name):
        self.lines.append(f"func.func @{name}(%i: index, %n: index, %t: {T} "
                          f"{{x.u}}, %m: {M}) -> {T} attributes {{x.k = 1 : "
                          "i32} {")
        scope = [("%i", "index"), ("%n", "index"), ("%t", T), ("%m", M)]
        for _ in range(self.rng.randrange(5, 30)):
            if self.rng.random() < 0.15:
                self.nest(scope, 1)
            else:
                self.add(scope)
        first, flag = self.operand(scope, T), self.operand(scope, "i1")
        self.lines.append(f"cf.cond_br {flag}, ^bb1({first} : {T}), ^bb2")
        self.lines.append(f"^bb1(%p: {T}):")
        self.add(scope)
        self.lines.append(f"return %p : {T}\n^bb2:\ncf.br ^bb1(%t : {T})\n}}")


def program(rng):
    made = Program(rng)
    made.lines.append(f"module {{\nmemref.global \"private\" @global : {M} = "
                      "dense<0.0>\nfunc.func private @callee(f32) -> f32")
    for i in range(rng.randrange(1, 4)):
        made.function(f"f{i}")
    made.lines.append("}")
    return "\n".join(made.lines) + "\n"


def main():
    read_all, mlir_opt, seed, count = sys.argv[1:]
    rng = random.Random(int(seed))
    here = os.path.dirname(os.path.abspath(__file__))
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for number in range(int(count)):
            path = os.path.join(folder, f"{number}")
            with open(path + ".mlir", "w", encoding="utf-8") as file:
                file.write(program(rng))
            run = [mlir_opt, "--allow-unregistered-dialect", path + ".mlir"]
            subprocess.run(run + ["-o", path + ".pretty.mlir"], check=True)
            subprocess.run(run + ["--mlir-print-op-generic", "-o",
                                  path + ".generic.mlir"], check=True)
            paths += [path + ".mlir", path + ".pretty.mlir",
                      path + ".generic.mlir"]
            for i, passes in enumerate(PIPELINES):
                made = f"{path}.{i}.mlir"
                done = subprocess.run(run + passes + ["-o", made],
                                      stderr=subprocess.DEVNULL)
                if done.returncode == 0:
                    paths.append(made)
        done = subprocess.run(
            [sys.executable, os.path.join(here, "same_as_mlir_opt.py"),
             read_all, mlir_opt, *paths])
    sys.exit(done.returncode)


if __name__ == "__main__":
    main()
