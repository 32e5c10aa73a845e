#!/bin/sh
# The installer from start to end: install, install again, the quick tests on the packages it chose, uninstall with everything.
# As root, in a throw-away Debian or Raspberry Pi OS root (a chroot will do):
#
#   sh tests/systemd/rehearse_install.sh --throw-away [pytest arguments]
set -eu
[ "${1:-}" = --throw-away ] || { echo "this installs, and then removes games and settings too: expected --throw-away" >&2; exit 2; }
shift
cd "$(dirname "$0")/../.."
venv=/opt/pi-board/current

# The serial tests want pseudo-terminals, which a bare chroot has not.
if [ ! -e /dev/pts/ptmx ]; then
  mkdir -p /dev/pts
  mount -t devpts -o newinstance,ptmxmode=0666 devpts /dev/pts && trap 'umount /dev/pts' EXIT
  ln -sf pts/ptmx /dev/ptmx
fi

sh systemd/install.sh --no-start
sh systemd/install.sh --no-start
(
  # Elsewhere, so that it is the installed program that answers.
  cd /
  pi-board --version
  pi-board plays --xgid XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10 >/dev/null
  pi-board doctor || true
)
python3 -m pip --python "$venv/bin/python" install -q pytest hypothesis httpx selenium
code=0
"$venv/bin/python" -m pytest -p no:cacheprovider "$@" || code=$?
sh systemd/install.sh --uninstall --purge
for left in /opt/pi-board /etc/pi-board /var/lib/pi-board /etc/systemd/system/pi-board.service /etc/udev/rules.d/99-pi-board.rules /usr/local/bin/pi-board; do
  if [ -e "$left" ] || [ -L "$left" ]; then echo "left behind: $left" >&2; code=1; fi
done
exit "$code"
