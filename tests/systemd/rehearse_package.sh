#!/bin/sh
# The package from start to end: installed, upgraded, rolled back, a broken one that goes back by itself, removed, installed, purged.
# As root, in a throw-away Debian root; where systemd runs (`boot_root.sh`) the service's states are looked at too:
#
#   sh tests/systemd/rehearse_package.sh --throw-away OLD.deb NEW.deb [BROKEN.deb]
#
# BROKEN.deb: a newer version that is healthy, but whose `pi-board run` ends at once.
set -eu
[ "${1:-}" = --throw-away ] && [ $# -ge 3 ] || { echo "this installs, and then purges: expected --throw-away OLD.deb NEW.deb" >&2; exit 2; }
old=$2 new=$3 broken=${4:-}
export DEBIAN_FRONTEND=noninteractive
faults=0

running() { [ -d /run/systemd/system ]; }
version() { dpkg-deb -f "$1" Version; }
expect() {
  if [ "$2" = "$3" ]; then echo "ok    $1: $2"; else echo "FAULT $1: $2, expected $3"; faults=$((faults + 1)); fi
}
# The folder's name of what the service runs, once it does; "none" when it does not come up.
serves() {
  running || { basename "$(readlink /opt/pi-board/current)"; return; }
  tries=0
  while [ $tries -lt "${1:-60}" ]; do
    if [ "$(systemctl is-active pi-board.service)" = active ]; then
      process=$(systemctl show -p MainPID --value pi-board.service)
      grep -o '/opt/pi-board/versions/[^/]*' "/proc/$process/maps" | head -1 | xargs basename
      return
    fi
    sleep 2; tries=$((tries + 1))
  done
  echo none
}
install() { apt-get install -y -qq --no-install-recommends "$1" 2>&1 | grep -E '^pi-board|^dpkg: error|^E:' || true; }
folder() { basename "$(readlink /opt/pi-board/current)"; }

apt-get update -qq
install "$old"
expect "apt knows" "$(dpkg-query -W -f '${Version}' pi-board)" "$(version "$old")"
first=$(folder)
expect "installed, the service runs" "$(serves)" "$first"
running && expect "and starts at every power-on" "$(systemctl is-enabled pi-board.service)" enabled
pi-board --version
cat >/etc/pi-board/settings.toml <<'S'
[camera]
backend = "simulated"
realtime = true
[record]
folder = "/var/lib/pi-board/games"
S
if running; then systemctl restart pi-board.service; fi
expect "with other settings" "$(serves)" "$first"
install "$new"
expect "apt knows" "$(dpkg-query -W -f '${Version}' pi-board)" "$(version "$new")"
second=$(folder)
expect "upgraded, it is another version" "$([ "$second" != "$first" ] && echo yes)" yes
# A game that was being played goes on with the old version until the service starts again.
if running; then systemctl restart pi-board.service; fi
expect "upgraded, the service runs" "$(serves)" "$second"
expect "settings are kept" "$(grep -c simulated /etc/pi-board/settings.toml)" 1
pi-board rollback --now
expect "rolled back, the service runs" "$(serves)" "$first"
if [ -n "$broken" ] && running; then
  install "$broken"
  expect "a broken one is installed" "$(dpkg-query -W -f '${Version}' pi-board)" "$(version "$broken")"
  systemctl restart --no-block pi-board.service
  sleep 25
  expect "and goes back by itself" "$(serves)" "$first"
  journalctl -u pi-board --no-pager -o cat | grep "did not come up" | head -2
fi
apt-get remove -y -qq pi-board >/dev/null
expect "removed: games stay" "$([ -d /var/lib/pi-board/games ] && echo yes)" yes
expect "removed: the program is gone" "$([ -e /opt/pi-board ] || echo yes)" yes
running && expect "removed: no service" "$(systemctl is-active pi-board.service)" inactive
install "$new"
expect "installed again" "$(serves)" "$(folder)"
apt-get purge -y -qq pi-board >/dev/null
for left in /opt/pi-board /etc/pi-board /var/lib/pi-board /usr/lib/systemd/system/pi-board.service /usr/bin/pi-board; do
  expect "purged: $left" "$([ -e "$left" ] && echo there || echo gone)" gone
done
expect "purged: the user" "$(id pi-board >/dev/null 2>&1 && echo there || echo gone)" gone
running && expect "purged: systemd knows nothing of it" "$(systemctl list-unit-files --no-legend 'pi-board*' | wc -l)" 0
[ $faults = 0 ] && echo "all well" || { echo "$faults faults"; exit 1; }
