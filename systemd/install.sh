#!/bin/sh
# Installs pi_board on Raspberry Pi OS or Debian (Bookworm, Trixie), as root. Running it again updates; nothing is done twice.
#
#   sudo systemd/install.sh [--no-start] [--no-apt]
#   sudo systemd/install.sh --uninstall [--purge]
#
# --no-start: install only. --no-apt: every package is there already. --purge: also the games and settings.
set -eu

prefix=/opt/pi-board
venv=$prefix/venv
source=$(cd "$(dirname "$0")/.." && pwd)
units=/etc/systemd/system
rules=/etc/udev/rules.d/99-pi-board.rules
start=yes apt=yes uninstall=no purge=no

say() { echo "pi-board: $*"; }
fail() { echo "pi-board: $*" >&2; exit 1; }

for option in "$@"; do
  case $option in
    --no-start) start=no ;;
    --no-apt) apt=no ;;
    --uninstall) uninstall=yes ;;
    --purge) purge=yes ;;
    -h|--help) sed -n '2,8s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) fail "unknown option $option; known: --no-start --no-apt --uninstall --purge" ;;
  esac
done
[ "$(id -u)" = 0 ] || fail "must run as root: sudo $0 $*"

# In an image being built, or a container, systemd is there but does not run.
running() { [ -d /run/systemd/system ]; }
have() { command -v "$1" >/dev/null 2>&1; }

uninstall_all() {
  if running; then
    systemctl disable --now pi-board.service pi-board-poweroff.path >/dev/null 2>&1 || true
  fi
  for unit in pi-board.service pi-board-poweroff.path pi-board-poweroff.service; do
    rm -f "$units/$unit" "$units/multi-user.target.wants/$unit"
  done
  rm -f "$rules"
  if [ "$(readlink /usr/local/bin/pi-board 2>/dev/null)" = "$venv/bin/pi-board" ]; then rm -f /usr/local/bin/pi-board; fi
  rm -rf "$prefix"
  if running; then systemctl daemon-reload; fi
  if [ "$purge" = yes ]; then
    rm -rf /var/lib/pi-board /etc/pi-board
    if id pi-board >/dev/null 2>&1; then userdel pi-board; fi
    say "removed, with games and settings"
  else
    say "removed; games stay in /var/lib/pi-board, settings in /etc/pi-board (--purge removes them too)"
  fi
}

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
  # Only Raspberry Pi OS has picamera2; plain Debian has at most some of these.
  for package in python3-picamera2 python3-libcamera python3-lgpio python3-spidev i2c-tools; do
    if known "$package"; then wanted="$wanted $package"; fi
  done
  # shellcheck disable=SC2086
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $wanted >/dev/null
fi
have python3 || fail "python3 is missing"
python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || fail "Python 3.11 or newer is needed, this is $(python3 -V)"

# ---------------------------------------------------------------------------------------------- program

say "program in $venv"
mkdir -p "$prefix"
# libcamera's Python half exists only as a system package, hence --system-site-packages.
if [ ! -x "$venv/bin/python" ] || ! "$venv/bin/python" -c '' 2>/dev/null; then
  rm -rf "$venv"
  python3 -m venv --system-site-packages "$venv"
fi
pip() { "$venv/bin/python" -m pip --quiet --disable-pip-version-check "$@"; }
# A copy: building inside the checkout would leave files of root there.
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
(cd "$source" && tar -cf - pyproject.toml README.md LICENSE pi_board calibration hardware systemd) | tar -xf - -C "$build"
pip install --upgrade "$build[display]"
# The same version again is not reinstalled by pip, but its files may have changed.
pip install --upgrade --force-reinstall --no-deps "$build"
# Bookworm's apt has numpy 1.24; the venv's own numpy is newer, and apt's simplejpeg (needed by picamera2) was built for the old
# one: "numpy.dtype size changed". A simplejpeg of our own fits whatever numpy the venv has.
if ! "$venv/bin/python" -c 'import simplejpeg' >/dev/null 2>&1 && "$venv/bin/python" -c 'import importlib.util as u, sys; sys.exit(u.find_spec("simplejpeg") is None)'; then
  pip install --upgrade --force-reinstall --no-deps simplejpeg
fi
# gpiozero drives the pins through lgpio; where apt has none, PyPI does.
if ! "$venv/bin/python" -c 'import lgpio' >/dev/null 2>&1; then
  pip install --only-binary :all: "lgpio>=0.2.2" 2>/dev/null || say "lgpio cannot be installed: lights, buzzer and buttons will not work"
fi
# libcamera without picamera2: plain Debian.
if "$venv/bin/python" -c 'import libcamera' >/dev/null 2>&1 && ! "$venv/bin/python" -c 'import picamera2' >/dev/null 2>&1; then
  pip install picamera2 || say "picamera2 cannot be installed: a webcam still works (backend = \"opencv\")"
fi
"$venv/bin/python" -c 'import cv2, numpy, PIL, rich, serial, starlette; import pi_board' || fail "the program does not start, see above"
ln -sf "$venv/bin/pi-board" /usr/local/bin/pi-board
say "$("$venv/bin/pi-board" --version)"

# ----------------------------------------------------------------------------------- user, settings, units

# Groups that plain Debian lacks: without them the unit would not start.
for group in video render gpio i2c spi dialout; do
  getent group "$group" >/dev/null || groupadd --system "$group"
done
getent group pi-board >/dev/null || groupadd --system pi-board
id pi-board >/dev/null 2>&1 || useradd --system --gid pi-board --home-dir /var/lib/pi-board --no-create-home --shell /usr/sbin/nologin pi-board
for group in video render gpio i2c spi dialout; do usermod -a -G "$group" pi-board; done
install -d -o pi-board -g pi-board -m 0750 /var/lib/pi-board /var/lib/pi-board/games
install -d -o pi-board -g pi-board -m 0755 /etc/pi-board
# Made here, so that it belongs to the service even if root asks for the page's address first.
token=/var/lib/pi-board/token
if [ ! -s "$token" ]; then
  install -o pi-board -g pi-board -m 0600 /dev/null "$token"
  head -c 18 /dev/urandom | base64 | tr '+/' '-_' >"$token"
fi
if [ ! -f /etc/pi-board/settings.toml ]; then
  install -o pi-board -g pi-board -m 0644 "$source/systemd/settings.toml" /etc/pi-board/settings.toml
  say "settings: /etc/pi-board/settings.toml"
fi
install -d "$units" /etc/udev/rules.d
for unit in pi-board.service pi-board-poweroff.path pi-board-poweroff.service; do
  install -m 0644 "$source/systemd/$unit" "$units/$unit"
done
install -m 0644 "$source/systemd/99-pi-board.rules" "$rules"

# The buses of the small display are off on a fresh Pi.
if have raspi-config; then
  raspi-config nonint do_i2c 0 || say "I2C could not be switched on (only the small OLED needs it)"
  raspi-config nonint do_spi 0 || say "SPI could not be switched on (only the colour display needs it)"
fi
if running; then
  systemctl daemon-reload
  if have udevadm; then udevadm control --reload && udevadm trigger --subsystem-match=tty --subsystem-match=gpio --subsystem-match=i2c-dev --subsystem-match=spidev; fi
  systemctl enable --quiet pi-board.service pi-board-poweroff.path
  if [ "$start" = yes ]; then systemctl restart pi-board-poweroff.path pi-board.service; fi
elif have systemctl; then
  systemctl enable --quiet pi-board.service pi-board-poweroff.path 2>/dev/null || true
else
  mkdir -p "$units/multi-user.target.wants"
  ln -sf "$units/pi-board.service" "$units/pi-board-poweroff.path" "$units/multi-user.target.wants/"
fi
say "installed; check with: pi-board doctor"
