#!/bin/sh
# enter.sh FOLDER COMMAND…: runs a command as root with FOLDER as its root folder, in a mount namespace of its own, with /proc
# and devices. Not a chroot: Chromium's sandbox doesn't start in one.
set -e
export ROOT_FOLDER="$1"
shift
exec unshare --mount --pid --fork --kill-child /bin/sh -ec '
mount --make-rprivate /
mount --bind "$ROOT_FOLDER" "$ROOT_FOLDER"
cd "$ROOT_FOLDER"
mkdir -p old-root
mount -t proc proc proc
mount --rbind /sys sys
mount -t tmpfs -o mode=755 dev dev
mkdir dev/pts dev/shm
for name in null zero full random urandom tty; do touch dev/$name; mount --bind /dev/$name dev/$name; done
mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts
mount -t tmpfs -o mode=1777 shm dev/shm
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
pivot_root . old-root
cd /
umount -l /old-root
exec "$@"' sh "$@"
