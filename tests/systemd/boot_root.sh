#!/bin/sh
# Starts a throw-away Debian root with its own systemd as process 1, runs a command in it and stops it again. As root, on Linux:
#
#   sh tests/systemd/boot_root.sh ROOT -- COMMAND [ARG ...]
#
# The root needs systemd and dbus. It has process numbers, mounts, control groups and a host name of its own; network and kernel are
# this machine's, and nothing of /proc/sys or /sys can be written there. COMMAND runs in /opt/pi_board of the root.
set -eu
[ $# -ge 3 ] && [ "$2" = -- ] || { echo "boot_root.sh: expected ROOT -- COMMAND" >&2; exit 2; }
root=$(cd "$1" && pwd); shift 2
[ -x "$root/lib/systemd/systemd" ] || { echo "boot_root.sh: no systemd in $root" >&2; exit 2; }
name=$(basename "$root")

# A control group of its own, as the only hierarchy that the root sees: newer systemds know no other.
groups=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
[ -n "$groups" ] || { groups=/run/boot_root/cgroup2; mkdir -p $groups; mount -t cgroup2 none $groups; }
mkdir -p "$groups/$name"

setup='
root=$1
mount --make-rprivate /
mount --bind "$root" "$root"
for folder in proc sys dev run tmp; do mkdir -p "$root/$folder"; done
umount -R "$root/proc" 2>/dev/null || true
umount -R "$root/dev/shm" 2>/dev/null || true
mount -t proc proc "$root/proc"
for path in sys sysrq-trigger irq bus; do
  [ ! -e "$root/proc/$path" ] || { mount --bind "$root/proc/$path" "$root/proc/$path"; mount -o remount,bind,ro "$root/proc/$path"; }
done
mount -t sysfs -o ro sysfs "$root/sys"
mount -t cgroup2 none "$root/sys/fs/cgroup"
mount -t tmpfs -o mode=755 tmpfs "$root/dev"
for device in null zero full random urandom tty; do cp -a "/dev/$device" "$root/dev/$device"; done
mkdir "$root/dev/pts" "$root/dev/shm"
mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$root/dev/pts"
mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
ln -s pts/ptmx "$root/dev/ptmx"; ln -s /proc/self/fd "$root/dev/fd"
mount -t tmpfs -o mode=755 tmpfs "$root/run"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
exec chroot "$root" env -i container=unshare PATH=/usr/sbin:/usr/bin:/sbin:/bin \
  /lib/systemd/systemd --system --show-status=no --log-target=journal
'
(echo 0 >"$groups/$name/cgroup.procs" && exec unshare --mount --pid --uts --ipc --cgroup --fork --kill-child sh -c "$setup" boot "$root") </dev/null >/dev/null 2>&1 &
outer=$!
first=
tries=0
while [ -z "$first" ] && [ $tries -lt 50 ]; do
  sleep 0.1; tries=$((tries + 1))
  first=$(cat "/proc/$outer/task/$outer/children" 2>/dev/null | tr -d ' ')
done
[ -n "$first" ] || { echo "boot_root.sh: nothing started" >&2; exit 1; }

enter() { nsenter --target "$first" --mount --pid --uts --ipc --cgroup --root --wdns=/opt/pi_board -- "$@"; }
clean() {
  enter systemctl --no-block exit >/dev/null 2>&1 || true
  tries=0
  while kill -0 "$first" 2>/dev/null && [ $tries -lt 300 ]; do sleep 0.1; tries=$((tries + 1)); done
  kill -KILL "$first" 2>/dev/null || true
  wait "$outer" 2>/dev/null || true
  find "$groups/$name" -depth -type d -exec rmdir {} + 2>/dev/null || true
}
trap clean EXIT
trap 'exit 130' INT TERM

state=
tries=0
while [ $tries -lt 600 ]; do
  state=$(enter systemctl is-system-running 2>/dev/null || true)
  case $state in running|degraded) break ;; esac
  sleep 0.2; tries=$((tries + 1))
done
echo "systemd $(enter systemctl --version | awk 'NR == 1 { print $2 }') as process 1: $state" >&2

enter env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
  PIP_DISABLE_PIP_VERSION_CHECK=1 "$@"
