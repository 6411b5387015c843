#!/bin/sh
# Builds the examples with pkg-config, into the folder $1 (default: here). If abut is not installed where pkg-config looks,
# set PKG_CONFIG_PATH. A shared libabut does not need --static: MODE= build.sh
set -eu
out=${1:-.}
mode=${MODE---static}
examples=$(cd "$(dirname "$0")/../.." && pwd)

cflags=$(pkg-config --cflags abut)
# What pkg-config prints must be split into words.
# shellcheck disable=SC2086
{
  libs=$(pkg-config $mode --libs abut)
  ${CXX:-c++} -std=c++20 $cflags "$examples/first.cpp" -o "$out/first" $libs
  ${CXX:-c++} -std=c++20 $cflags "$examples/own_data.cpp" -o "$out/own_data" $libs
  ${CC:-cc} -std=c99 $cflags "$examples/c/first.c" -o "$out/first_c" $libs
}
