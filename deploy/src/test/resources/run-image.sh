#!/bin/sh
# Runs a command in an unpacked image as a container runtime would: as process 1 of a process namespace, with a read-only
# root, a /tmp in memory, a volume for the state, and as the image's user, whose change takes every capability away.
# Without root it does the same in a user namespace, in which the image's user cannot be had: the caller stays itself.
#
#   run-image.sh ROOT STATE USER:GROUP COMMAND...    the environment is passed on
set -eu
if [ "$1" != inside ]; then
  if [ "$(id -u)" = 0 ]; then
    exec unshare --mount --pid --fork "$0" inside "$@"
  fi
  exec unshare --user --map-root-user --mount --pid --fork "$0" inside "$@"
fi
root=$2 state=$3 user=$4
shift 4
mount --make-rprivate /
mount --bind "$root" "$root"
mount --bind "$state" "$root/var/lib/heatshield"
mount -t tmpfs tmpfs "$root/tmp"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -o remount,bind,ro "$root"
cd "$root"
# A user namespace of one user has no other to become.
if [ "$(wc -l </proc/self/uid_map)" = 1 ] && ! grep -q 4294967295 /proc/self/uid_map; then
  exec setpriv --no-new-privs chroot "$root" "$@"
fi
exec setpriv --no-new-privs chroot --userspec="$user" "$root" "$@"
