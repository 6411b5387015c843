#!/usr/bin/env bash
# Makes the pictures of the pages, beside this file, with the abut on the PATH, in some minutes:
#
#     docs/pictures/draw.sh
#
# Those of the silo of Lazarević et al. are made from a longer run: docs/silo.md says how.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
runs=$(mktemp -d)
trap 'rm -rf "$runs"' EXIT

abut run silo-small --out "$runs/silo"
abut render "$runs/silo" --frame 15 --cut y=0 --color speed --range 0,1 --out silo.png

abut run settling-bed --set output.frames=10 --set 'output.frame_files=["vtp", "contacts"]' --out "$runs/bed"
abut render "$runs/bed" --frame 4 --color speed --size 640x540 --out speed.png
abut render "$runs/bed" --cut y=0.1 --color coordination --size 640x540 --out section.png

abut run hourglass --set 'output.frame_files=["vtp", "contacts"]' --out "$runs/hourglass"
abut render "$runs/hourglass" --frame 8 --contacts --in=-0.16,0.16,-0.02,0.24 --size 640x440 --out forces.png
