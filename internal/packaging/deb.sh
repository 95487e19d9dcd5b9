#!/bin/sh
# deb.sh BIN VERSION OUT: makes a Debian package of the program in the folder
# BIN, with manual pages, completion and documentation, in the folder OUT.
set -eu
bin=$1 version=$2 out=$3
arch=$(dpkg --print-architecture)
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
chmod 755 "$root"

install -Dm755 -t "$root/usr/bin" "$bin/tacheck" "$bin/tacheck-hub"
install -Dm644 -t "$root/usr/lib/systemd/system" internal/packaging/tacheck-worker.service
mkdir -p "$root/etc/default"
cat >"$root/etc/default/tacheck-worker" <<EOF
# Options of the service tacheck-worker: tacheck explain cluster.
TACHECK_WORKER_OPTIONS="--nats nats://127.0.0.1:4222"
EOF
mkdir -p "$root/usr/share/man"
"$bin/tacheck" man "$root/usr/share/man/man1"
gzip -9n "$root"/usr/share/man/man1/*.1
for shell in bash zsh fish; do
	case $shell in
	bash) to=usr/share/bash-completion/completions/tacheck ;;
	zsh) to=usr/share/zsh/vendor-completions/_tacheck ;;
	fish) to=usr/share/fish/vendor_completions.d/tacheck.fish ;;
	esac
	mkdir -p "$root/$(dirname $to)"
	"$bin/tacheck" completion $shell >"$root/$to"
done
install -Dm644 -t "$root/usr/share/doc/tacheck" README.md CHANGELOG.md docs/*.md
install -Dm644 LICENSE "$root/usr/share/doc/tacheck/copyright"

mkdir "$root/DEBIAN"
echo /etc/default/tacheck-worker >"$root/DEBIAN/conffiles"
cat >"$root/DEBIAN/control" <<EOF
Package: tacheck
Version: $version
Architecture: $arch
Maintainer: the tacheck developers <tacheck@localhost>
Section: science
Priority: optional
Depends: libz3-4, libc6
Suggests: cvc5
Installed-Size: $(du -sk --exclude=DEBIAN "$root" | cut -f1)
Description: verifier of fault-tolerant distributed algorithms
 Proves safety and liveness of threshold automata for every number of processes,
 every bound on faults and every number of faults, or shows a counterexample that
 has been replayed step by step.
EOF
mkdir -p "$out"
dpkg-deb --root-owner-group --build "$root" "$out/tacheck_${version}_$arch.deb"
