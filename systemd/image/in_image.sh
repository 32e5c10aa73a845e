#!/bin/sh
# Runs inside the image, where the package was copied to /root. No service is started there; every card makes its own secrets.
set -eu

export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-get install -y -qq /root/pi-board_*.deb
rm -f /root/pi-board_*.deb /var/lib/pi-board/token
apt-get clean
pi-board --version
