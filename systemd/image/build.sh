#!/bin/sh
# The official Raspberry Pi OS Lite image with our package in it. Never run yet: see README.md here.
#
#   sudo systemd/image/build.sh IMAGE.img PACKAGE.deb
set -eu

[ $# = 2 ] && [ -f "$1" ] && [ -f "$2" ] || { echo "build.sh: expected IMAGE.img PACKAGE.deb" >&2; exit 2; }
command -v sdm >/dev/null || { echo "build.sh: sdm is not installed" >&2; exit 1; }
image=$PWD/pi-board.img
package=$(readlink -f "$2")
here=$(cd "$(dirname "$0")" && pwd)

cp "$1" "$image"
# Room for two versions of the program, packed and unpacked.
sdm --customize "$image" --batch --extend --xmb 3072 \
  --plugin copyfile:"from=$package|to=/root" \
  --plugin runscript:"script=$here/in_image.sh|dir=/root|stdout=/dev/stdout|stderr=/dev/stderr"
sdm --shrink "$image"
xz -T0 -6 "$image"
echo "$image.xz"
