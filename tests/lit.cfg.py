"""How lit runs the whole-tool tests: files with RUN lines of their own.

Substitutions: %remat, %rulesc (the build under test), %python, %tests (this
folder), %shared (real dumps, where they are), %mlir-opt, FileCheck, not.
Features: `shared`, `mlir-opt`, `release` (no sanitizer), `rulesc`."""
import os
import shutil

import lit.formats

root = os.path.dirname(os.path.abspath(__file__))
build = os.path.abspath(lit_config.params["build"])
llvm = lit_config.params["llvm"]
shared = os.path.abspath(os.path.join(root, "..", "..", "shared"))

config.name = "remat"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".hlo", ".rules", ".test"]
config.excludes = ["Inputs", "unit", "tools", "bench"]
config.test_source_root = root
config.test_exec_root = os.path.join(build, "lit")
config.environment["PATH"] = os.pathsep.join(
    [os.path.join(llvm, "bin"), os.environ["PATH"]])
for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "MLIR_BIN"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

config.substitutions += [
    ("%remat", os.path.join(build, "remat")),
    ("%rulesc", os.path.join(build, "rulesc")),
    ("%build", build),
    ("%python", lit_config.params["python"]),
    ("%tests", root),
    ("%root", os.path.dirname(root)),
    ("%shared", shared),
    ("%mlir-opt", os.path.join(llvm, "bin", "mlir-opt")),
    ("%llvm", os.path.join(llvm, "bin")),
]

if os.path.isdir(os.path.join(shared, "corpus")):
    config.available_features.add("shared")
if shutil.which(os.path.join(llvm, "bin", "mlir-opt")):
    config.available_features.add("mlir-opt")
if os.path.exists(os.path.join(build, "rulesc")):
    config.available_features.add("rulesc")
if not lit_config.params.get("sanitized"):
    config.available_features.add("release")
