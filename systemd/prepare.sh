#!/bin/sh
# What the service needs beside the program: user, groups, folders, token, settings. Called by install.sh and by the Debian package;
# running it again changes nothing.
#
#   prepare.sh [--purge]
#
# --purge: takes all of it away, with the games.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
# Groups that plain Debian lacks; without them the unit would not start.
made=/etc/pi-board/groups-made

say() { echo "pi-board: $*"; }
have() { command -v "$1" >/dev/null 2>&1; }

if [ "${1:-}" = --purge ]; then
  if id pi-board >/dev/null 2>&1; then userdel pi-board; fi
  if getent group pi-board >/dev/null; then groupdel pi-board; fi
  if [ -f "$made" ]; then
    # Only those that were not there before, and that nobody else has joined since.
    while read -r group; do
      if [ -z "$(getent group "$group" | cut -d: -f4)" ]; then groupdel "$group" 2>/dev/null || true; fi
    done <"$made"
  fi
  rm -rf /var/lib/pi-board /etc/pi-board
  exit 0
fi

getent group pi-board >/dev/null || groupadd --system pi-board
id pi-board >/dev/null 2>&1 || useradd --system --gid pi-board --home-dir /var/lib/pi-board --no-create-home --shell /usr/sbin/nologin pi-board
install -d -o pi-board -g pi-board -m 0755 /etc/pi-board
for group in video render gpio i2c spi dialout; do
  if ! getent group "$group" >/dev/null; then
    groupadd --system "$group"
    echo "$group" >>"$made"
  fi
  usermod -a -G "$group" pi-board
done
install -d -o pi-board -g pi-board -m 0750 /var/lib/pi-board /var/lib/pi-board/games
# Made here, so that it belongs to the service even if root asks for the page's address first.
token=/var/lib/pi-board/token
if [ ! -s "$token" ]; then
  install -o pi-board -g pi-board -m 0600 /dev/null "$token"
  head -c 18 /dev/urandom | base64 | tr '+/' '-_' >"$token"
fi
if [ ! -f /etc/pi-board/settings.toml ]; then
  install -o pi-board -g pi-board -m 0644 "$here/settings.toml" /etc/pi-board/settings.toml
  say "settings: /etc/pi-board/settings.toml"
fi

# The buses of the small display are off on a fresh Pi.
if have raspi-config; then
  raspi-config nonint do_i2c 0 || say "I2C could not be switched on (only the small OLED needs it)"
  raspi-config nonint do_spi 0 || say "SPI could not be switched on (only the colour display needs it)"
fi
