#!/bin/sh
# Installs pi_board on Raspberry Pi OS or Debian (Bookworm, Trixie), as root. Running it again updates, as `pi-board update` does: the
# new version is built beside the running one, checked, and then switched to; the version before stays for `pi-board rollback`.
#
#   sudo systemd/install.sh [--no-start] [--no-apt] [--wheels FOLDER]
#   sudo systemd/install.sh --uninstall [--purge]
#
# --no-start: install only. --no-apt: every package is there already. --wheels: Python libraries from there, not from the network.
# --purge: also games, settings, user and groups.
set -eu

prefix=/opt/pi-board
source=$(cd "$(dirname "$0")/.." && pwd)
units=/etc/systemd/system
rules=/etc/udev/rules.d/99-pi-board.rules
start=yes apt=yes uninstall=no purge=no wheels=

say() { echo "pi-board: $*"; }
fail() { echo "pi-board: $*" >&2; exit 1; }

while [ $# -gt 0 ]; do
  case $1 in
    --no-start) start=no ;;
    --no-apt) apt=no ;;
    --wheels) [ $# -gt 1 ] || fail "--wheels: expected a folder"; wheels=$(cd "$2" && pwd) || exit 1; shift ;;
    --uninstall) uninstall=yes ;;
    --purge) purge=yes ;;
    -h|--help) sed -n '2,10s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) fail "unknown option $1; known: --no-start --no-apt --wheels --uninstall --purge" ;;
  esac
  shift
done
[ "$(id -u)" = 0 ] || fail "must run as root: sudo $0"

# In an image being built, or a container, systemd is there but does not run.
running() { [ -d /run/systemd/system ]; }
have() { command -v "$1" >/dev/null 2>&1; }
packaged() { have dpkg-query && [ "$(dpkg-query -W -f '${db:Status-Status}' pi-board 2>/dev/null)" = installed ]; }

uninstall_all() {
  if running; then
    systemctl disable --now pi-board.service pi-board-poweroff.path >/dev/null 2>&1 || true
  fi
  for unit in pi-board.service pi-board-poweroff.path pi-board-poweroff.service; do
    rm -f "$units/$unit" "$units/multi-user.target.wants/$unit"
  done
  rm -f "$rules"
  case $(readlink /usr/local/bin/pi-board 2>/dev/null) in "$prefix"/*) rm -f /usr/local/bin/pi-board ;; esac
  rm -rf "$prefix"
  if running; then systemctl daemon-reload; fi
  if [ "$purge" = yes ]; then
    "$source/systemd/prepare.sh" --purge
    say "removed, with games, settings, user and groups"
  else
    say "removed; what stays: games in /var/lib/pi-board, settings in /etc/pi-board, the user pi-board and its groups (--purge takes them too)"
  fi
}

if packaged; then
  fail "installed from a package: use apt (sudo apt-get remove pi-board, or purge), or sudo pi-board update $source"
fi
if [ "$uninstall" = yes ]; then uninstall_all; exit 0; fi
[ "$purge" = no ] || fail "--purge belongs to --uninstall"

. /etc/os-release
case ${VERSION_CODENAME:-} in
  bookworm|trixie) ;;
  *) say "made for Debian Bookworm and Trixie, this is ${PRETTY_NAME:-unknown}: trying all the same" ;;
esac
[ -f "$source/pyproject.toml" ] || fail "$source: no pyproject.toml; run this script from the project's folder"

# ---------------------------------------------------------------------------------------------- packages

known() { apt-cache show "$1" >/dev/null 2>&1; }
if [ "$apt" = yes ]; then
  say "packages"
  apt-get update -qq
  # libglib2.0-0 is called libglib2.0-0t64 in Trixie; apt finds it under both names only for some tools.
  glib=libglib2.0-0; if known libglib2.0-0t64; then glib=libglib2.0-0t64; fi
  wanted="python3-venv python3-pip libgl1 $glib"
  # Only Raspberry Pi OS has picamera2. gpiozero and lgpio from there know the pins of a Pi 5.
  for package in python3-picamera2 python3-libcamera python3-gpiozero python3-lgpio python3-spidev i2c-tools; do
    if known "$package"; then wanted="$wanted $package"; fi
  done
  # shellcheck disable=SC2086
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $wanted >/dev/null
fi
have python3 || fail "python3 is missing"
python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || fail "Python 3.11 or newer is needed, this is $(python3 -V)"

# ----------------------------------------------------------------------- user and settings, program, service

"$source/systemd/prepare.sh"
set -- "$source"
[ -z "$wheels" ] || set -- "$@" --wheels "$wheels"
if [ "$start" = no ]; then set -- "$@" --no-restart; fi
# The update of the version that runs, where one does; the first one is made by the checkout itself.
if [ -x "$prefix/current/bin/pi-board" ] && "$prefix/current/bin/pi-board" update --help >/dev/null 2>&1; then
  "$prefix/current/bin/pi-board" update "$@"
else
  (cd / && PYTHONPATH="$source" PYTHONDONTWRITEBYTECODE=1 python3 -m pi_board update "$@")
fi
# An installation from before there were versions.
rm -rf "$prefix/venv"

if running; then
  if have udevadm && [ -S /run/udev/control ]; then udevadm control --reload && udevadm trigger --subsystem-match=tty --subsystem-match=gpio --subsystem-match=i2c-dev --subsystem-match=spidev; fi
  systemctl enable --quiet pi-board.service pi-board-poweroff.path
  if [ "$start" = yes ]; then systemctl start pi-board-poweroff.path pi-board.service; fi
elif have systemctl; then
  systemctl enable --quiet pi-board.service pi-board-poweroff.path 2>/dev/null || true
else
  mkdir -p "$units/multi-user.target.wants"
  ln -sf "$units/pi-board.service" "$units/pi-board-poweroff.path" "$units/multi-user.target.wants/"
fi
say "installed: $(pi-board --version); check with: pi-board doctor"
