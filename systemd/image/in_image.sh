#!/bin/sh
# Runs inside the image. No service is started there; every card makes its own secrets.
set -eu

export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-get install -y -qq "$1"
rm -f "$1" /var/lib/pi-board/token
apt-get clean
pi-board --version
