#!/bin/sh
# Builds the container image from an unpacked distribution, a linked Java and the system libraries that the two load, all
# taken from this machine: no daemon, no base image, no network. The result is a docker-archive: `docker load -i FILE`.
#
#   build.sh DISTRIBUTION JAVA_HOME MODULES VERSION TIME OUTPUT
#
# DISTRIBUTION is the tar.gz, MODULES the modules for jlink, TIME the time that every file in the image carries, OUTPUT the
# file to write; its folder holds the work. The same input gives the same bytes.
set -eu
export LC_ALL=C TZ=UTC
umask 022

distribution=$1 java_home=$2 modules=$3 version=$4 time=$5 output=$6
here=$(CDPATH='' cd -P "$(dirname "$0")" && pwd)
work=$(dirname "$output")/work
user=65532

fail() {
  echo "the image cannot be built: $*; build without it: mvn -P '!image'" >&2
  exit 1
}

[ "$(uname -s)" = Linux ] || fail 'this is not Linux'
getconf GNU_LIBC_VERSION >/dev/null 2>&1 || fail 'the C library is not glibc'
tar --version 2>/dev/null | grep -q 'GNU tar' || fail 'tar is not GNU tar'
[ -x "$java_home/bin/jlink" ] || fail "$java_home has no jlink"
case $(uname -m) in
  x86_64) architecture=amd64 rocksdb=librocksdbjni-linux64.so netty=x86_64 ;;
  aarch64) architecture=arm64 rocksdb=librocksdbjni-linux-aarch64.so netty=aarch_64 ;;
  *) fail "no image is made for $(uname -m)" ;;
esac

rm -rf "$work" "$output"
system=$work/system runtime=$work/runtime libraries=$work/libraries own=$work/own
app=opt/heatshield
mkdir -p "$system" "$runtime/$app" "$libraries/$app/lib" "$libraries/$app/native" "$own/$app/lib" "$work/unpacked"

# ---- Java: without the parts that draw, whose libraries a server never loads ------------------------------------------
drawing='**/lib*awt*.so,**/libfontmanager.so,**/libfreetype.so,**/libharfbuzz.so,**/libjavajpeg.so,**/liblcms.so'
drawing="$drawing,**/libmlib_image.so,**/libsplashscreen.so,**/libjsound.so"
jre=$runtime/$app/jre
"$java_home/bin/jlink" --add-modules "$modules" --strip-java-debug-attributes --no-header-files --no-man-pages \
  --exclude-files "$drawing" --output "$jre"
[ -s "$jre/lib/security/cacerts" ] || cp -L "$java_home/lib/security/cacerts" "$jre/lib/security/cacerts"
java_version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$jre/release")

# ---- The distribution: jars of others, and what changes with every build ----------------------------------------------
tar -xzf "$distribution" -C "$work/unpacked" --strip-components=1
mv "$work"/unpacked/lib/heatshield-*.jar "$own/$app/lib/"
mv "$work"/unpacked/lib/*.jar "$libraries/$app/lib/"
mv "$work/unpacked/LICENSE" "$work/unpacked/DEPENDENCIES.md" "$own/$app/"

# Native code lies unpacked beside the jars, so that nothing has to be unpacked in a read-only container.
extract() {
  (cd "$libraries/$app/native" && "$java_home/bin/jar" --extract --file "$1" "$2" && [ -f "$2" ]) || fail "$1 has no $2"
}
rocksdb_jar=$(echo "$libraries/$app"/lib/rocksdbjni-*.jar)
epoll_jar=$(echo "$libraries/$app"/lib/netty-transport-native-epoll-*-linux-$netty.jar)
extract "$rocksdb_jar" "$rocksdb"
extract "$epoll_jar" "META-INF/native/libnetty_transport_native_epoll_$netty.so"
mv "$libraries/$app"/native/META-INF/native/*.so "$libraries/$app/native/"
rm -r "$libraries/$app/native/META-INF"

# RocksDB's jar carries its code for eleven platforms, nine tenths of this image.
mkdir "$work/rocksdb"
(
  cd "$work/rocksdb"
  "$java_home/bin/jar" --extract --file "$rocksdb_jar"
  find . \( -name '*.so' -o -name '*.jnilib' -o -name '*.dll' \) -delete
  find . -type f | sed 's|^\./||' | sort >"$work/rocksdb.files"
  find . -exec touch -h -d "$time" {} +
  "$java_home/bin/jar" --create --no-manifest --file "$rocksdb_jar" "@$work/rocksdb.files"
)

# ---- System libraries: whatever Java and the native code load ---------------------------------------------------------
# A library of Java is found by Java itself; any other that is missing here would be missing in the image.
needed() {
  find "$jre" "$libraries/$app/native" -type f \( -name '*.so' -o -path '*/bin/java' \) -exec ldd {} + >"$work/ldd.txt" ||
    fail 'ldd does not know what Java loads'
  for missing in $(sed -n 's/^[[:space:]]*\([^ ]*\) => not found$/\1/p' "$work/ldd.txt" | sort -u); do
    [ -n "$(find "$jre" -name "$missing")" ] || fail "this machine has no $missing"
  done
  sed -n -e 's/^[[:space:]]*[^ ]* => \(\/[^ ]*\) (.*/\1/p' -e 's/^[[:space:]]*\(\/[^ ]*ld-linux[^ ]*\) (.*/\1/p' \
    "$work/ldd.txt" | grep -v -F "$jre" | sort -u
}
needed >"$work/needed.txt"
while read -r library; do
  mkdir -p "$system$(dirname "$library")"
  cp -L "$library" "$system$library"
  case $library in
    */libc.so.6) libc=$(dirname "$library") ;;
  esac
done <"$work/needed.txt"
[ -n "${libc:-}" ] || fail 'Java loads no libc.so.6 here'
# What the C library itself loads by name: for threads that end, and for names of hosts.
for name in libgcc_s.so.1 libnss_files.so.2 libnss_dns.so.2 libresolv.so.2; do
  [ ! -e "$libc/$name" ] || cp -L "$libc/$name" "$system$libc/$name"
done
if [ -d /usr/lib/locale/C.utf8 ]; then
  mkdir -p "$system/usr/lib/locale"
  cp -RL /usr/lib/locale/C.utf8 "$system/usr/lib/locale/"
fi
mkdir -p "$system/etc" "$system/dev" "$system/proc" "$system/sys" "$system/tmp" "$system/var/lib/heatshield"
echo "root:x:0:0:root:/:/sbin/nologin
heatshield:x:$user:$user:heatshield:/var/lib/heatshield:/sbin/nologin" >"$system/etc/passwd"
echo "root:x:0:
heatshield:x:$user:" >"$system/etc/group"
echo 'hosts: files dns' >"$system/etc/nsswitch.conf"

# Licences and versions of these libraries, where scanners of images look for them.
owner() {
  dpkg-query -S "$1" 2>/dev/null || dpkg-query -S "$(readlink -f "$1")" 2>/dev/null
}
if command -v dpkg-query >/dev/null; then
  mkdir -p "$system/var/lib/dpkg/status.d"
  packages=$(find "$system" -name '*.so*' -type f | sed "s|^$system||" | sort | while read -r library; do
    owner "$library" || echo "no package has $library: its version will not be found in the image" >&2
  done | cut -d : -f 1 | sort -u)
  for package in $packages; do
    dpkg-query -s "$package" >"$system/var/lib/dpkg/status.d/$package"
    mkdir -p "$system/usr/share/doc/$package"
    cp -L "/usr/share/doc/$package/copyright" "$system/usr/share/doc/$package/"
  done
fi
[ ! -f /etc/os-release ] || cp -L /etc/os-release "$system/etc/os-release"

# ---- What starts it, and its configuration ----------------------------------------------------------------------------
mkdir -p "$own/etc/heatshield"
cp "$here/heatshield.yaml" "$own/etc/heatshield/heatshield.yaml"
cp "$here/java.options" "$own/heatshield"
[ "$java_version" -lt 24 ] ||
  printf '%s\n' --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow >>"$own/heatshield"
printf '%s\n' "-cp /$app/lib/heatshield-cli-$version.jar" io.heatshield.cli.Heatshield >>"$own/heatshield"

# ---- The archive ------------------------------------------------------------------------------------------------------
pack() {
  tar --create --sort=name --format=ustar --mtime="$time" --numeric-owner "$@"
}
archive=$work/archive
mkdir "$archive"
chmod -R u=rwX,go=rX "$system" "$runtime" "$libraries" "$own"
chmod 1777 "$system/tmp"
for layer in system runtime libraries own; do
  pack --owner=0 --group=0 --file "$archive/$layer.tar" -C "$work/$layer" .
done
chmod 750 "$system/var/lib/heatshield"
pack --owner=$user --group=$user --file "$archive/state.tar" -C "$system" ./var/lib/heatshield

layers='' digests=''
for layer in system state runtime libraries own; do
  layers="$layers,\"$layer.tar\""
  digests="$digests,\"sha256:$(sha256sum <"$archive/$layer.tar" | cut -d ' ' -f 1)\""
done
sed -e "s|@ARCHITECTURE@|$architecture|" -e "s|@TIME@|$time|" -e "s|@USER@|$user|g" -e "s|@VERSION@|$version|" \
  -e "s|@LAYERS@|${digests#,}|" "$here/config.json" >"$archive/config.json"
id=$(sha256sum <"$archive/config.json" | cut -d ' ' -f 1)
mv "$archive/config.json" "$archive/$id.json"
printf '[{"Config":"%s.json","RepoTags":["heatshield:%s"],"Layers":[%s]}]\n' "$id" "$version" "${layers#,}" \
  >"$archive/manifest.json"
pack --owner=0 --group=0 --mode=u=rwX,go=rX -C "$archive" . | gzip -n >"$output"
rm -rf "$work"
echo "heatshield:$version sha256:$id"
