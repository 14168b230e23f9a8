#!/bin/sh
# Install what building and testing need, where it is missing.  Debian and its
# kin only; elsewhere it says what to install and stops.
set -eu

packages="gcc make pkg-config python3 python3-venv flex bison check clang-19
clang-format-19 libclang-rt-19-dev llvm-19 llvm-19-tools mlir-19-tools"

missing=
for package in $packages; do
  if ! dpkg-query -W -f='${Status}' "$package" 2>/dev/null |
      grep -q 'install ok installed'; then
    missing="$missing $package"
  fi
done
[ -n "$missing" ] || exit 0

if ! command -v apt-get >/dev/null; then
  echo "remat needs a C11 compiler, GNU make, pkg-config, Python 3, flex," >&2
  echo "bison 3.6 or later, Check, and for its tests clang, clang-format," >&2
  echo "lit, FileCheck and mlir-opt of LLVM 19.  Please install these." >&2
  exit 1
fi
sudo=
[ "$(id -u)" = 0 ] || sudo=sudo
echo "installing:$missing"
export DEBIAN_FRONTEND=noninteractive
$sudo apt-get update -qq
# shellcheck disable=SC2086
$sudo apt-get install -y -qq --no-install-recommends $missing >/dev/null
