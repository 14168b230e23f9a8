"""With nothing to change, output is byte for byte the input.

usage: same_bytes.py REMAT REFUSED FILE...

Every FILE must come back as it is; REFUSED of them must be refused instead,
with status 1, a located error and no output."""
import re
import subprocess
import sys


def main():
    remat, refused, *paths = sys.argv[1:]
    same = no = wrong = 0
    for path in paths:
        with open(path, "rb") as file:
            text = file.read()
        done = subprocess.run([remat, "--strategy=none", path],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        message = done.stderr.decode("utf-8", "replace")
        if done.returncode == 0 and done.stdout == text:
            same += 1
        elif done.returncode == 1 and not done.stdout and \
                re.search(r":\d+:\d+: error: ", message):
            no += 1
            print(message.split("\n")[0])
        else:
            wrong += 1
            print(f"{path}: status {done.returncode}, {len(done.stdout)} bytes"
                  f" for {len(text)}\n{message[:300]}")
    print(f"{same} come back as they are, {no} refused, {wrong} wrong")
    sys.exit(1 if wrong or no != int(refused) else 0)


main()
