"""Inputs that are not text, and the message that each must get.

usage: mlir_binary.py READ_ALL"""
import os
import subprocess
import sys
import tempfile

CASES = [
    (b"", "1:1: error: the input is empty"),
    (b"ML\xefR\x01\x02", "1:1: error: this is MLIR bytecode, not text; "
     "'mlir-opt --allow-unregistered-dialect FILE' prints it as text"),
    (b"ML\xefR\rStableHLO_v1.2.0\0", "1:1: error: this is a StableHLO portable "
     "artifact, not text; 'stablehlo-translate --deserialize FILE' prints it "
     "as text"),
    (b"\n\x08jit_step\x12\x04main\x00\x01", "1:1: error: this is a binary HLO "
     "proto, not text; python3 -c 'from jaxlib import xla_client as x; "
     "print(x.XlaComputation(open(\"FILE\", \"rb\").read()).as_hlo_text())' "
     "prints it as text"),
    (b"BC\xc0\xde1234", "1:1: error: this is LLVM bitcode, not text; "
     "'llvm-dis FILE -o -' prints it as text"),
    (b"\x1f\x8b\x08\x00", "1:1: error: this is a gzip archive, not text; "
     "'gzip -dc FILE' prints it as text"),
    (b"module {\n  \x00\n}\n", "2:3: error: a NUL byte, which no text holds"),
    (b"module {\n  // \xff\n}\n",
     "2:6: error: byte 0xff is not valid UTF-8 here"),
    # Overlong, a surrogate, above U+10FFFF, cut off at the end.
    (b"// \xc0\xaf\n", "1:4: error: byte 0xc0 is not valid UTF-8 here"),
    (b"// \xed\xa0\x80\n", "1:4: error: byte 0xed is not valid UTF-8 here"),
    (b"// \xf4\x90\x80\x80\n", "1:4: error: byte 0xf4 is not valid UTF-8 here"),
    (b"module {}\n// \xe2\x82", "2:4: error: byte 0xe2 is not valid UTF-8 "
     "here"),
]


def main():
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "input")
        for data, expected in CASES:
            with open(path, "wb") as file:
                file.write(data)
            done = subprocess.run([sys.argv[1], path], stdout=subprocess.PIPE)
            line = done.stdout.decode("utf-8", "replace").split("\n")[0]
            got = line[len(path) + 1:].split(" [REMAT_")[0]
            if got != expected or done.returncode:
                wrong += 1
                print(f"{data}:\n  expected {expected}\n  got      {got}")
    sys.exit(1 if wrong else 0)


main()
