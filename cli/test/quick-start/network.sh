# Runs in namespaces of its own for network, mounts and processes, and makes a network of machines in it. When it ends,
# however it ends, everything goes with it.
#   network.sh <folder with hosts and certificates> <command …>
set -e
folder=$1
shift
mount -t tmpfs tmpfs /run
mount --bind "$folder/hosts" /etc/hosts
ip link set lo up
ip link add lan type bridge
ip address add 10.17.0.1/24 dev lan
ip link set lan up
while read -r address name _; do
  case $name in *.internal) ;; *) continue ;; esac
  machine=${name%.internal}
  ip netns add "$machine"
  ip link add "to-$machine" type veth peer name eth0 netns "$machine"
  ip link set "to-$machine" master lan up
  ip -n "$machine" address add "$address/24" dev eth0
  ip -n "$machine" link set eth0 up
  ip -n "$machine" link set lo up
done < "$folder/hosts"
# Not replaced by the command: this shell is the first process, which has to wait for those that lost their parent.
"$@" &
wait $!
exit $?
