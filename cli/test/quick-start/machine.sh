# A machine: what is installed here, with changes of its own that end with it, and a shell in it.
#   machine.sh <name> <folder with hosts and certificates> <the repository>
set -e
hostname "$1"
mount -t tmpfs tmpfs /mnt
mkdir /mnt/changes /mnt/work /mnt/root
mount -t overlay overlay -o lowerdir=/,upperdir=/mnt/changes,workdir=/mnt/work /mnt/root
mount -t proc proc /mnt/root/proc
mount --rbind /dev /mnt/root/dev
for place in dev/shm run tmp; do mount -t tmpfs -o mode=1777 tmpfs "/mnt/root/$place"; done
mkdir -p "/mnt/root$3"
mount --bind "$2" /mnt/root/media
mount --bind "$3" "/mnt/root$3"
mount -o remount,bind,ro "/mnt/root$3"
cat "$2/hosts" > /mnt/root/etc/hosts
rm -f /mnt/root/etc/resolv.conf
echo 'nameserver 10.17.0.1' > /mnt/root/etc/resolv.conf
# The folder of the repository after `npm ci && npm run build`, where a reader can write.
mkdir /mnt/root/root/payassent
ln -s "$3/node_modules" "$3/deploy" /mnt/root/root/payassent
exec chroot /mnt/root bash -c 'cd /root/payassent; exec bash' 2>&1
