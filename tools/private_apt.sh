# Gives a script an apt root of its own, so that fetching a package never touches the machine's apt.
#
# To be sourced. After `private_apt_begin deb|deb-src [ARCHITECTURE]`, the function `private_apt ARGS...` is apt-get
# on an empty dpkg database with the machine's own Debian sources and keys, run in the folder
# $private_apt_root. The root is removed when the script ends. Needs no root rights and no lock.

private_apt_begin() {
  local type=$1 file
  private_apt_architecture=${2:-$(dpkg --print-architecture)}
  private_apt_root=$(mktemp -d)
  trap 'rm -rf "$private_apt_root"' EXIT
  local etc=$private_apt_root/etc/apt
  mkdir -p "$etc/sources.list.d" "$etc/preferences.d" "$private_apt_root"/var/lib/apt/lists/partial \
    "$private_apt_root"/var/lib/dpkg "$private_apt_root"/var/cache/apt/archives/partial
  touch "$private_apt_root"/var/lib/dpkg/status
  for file in apt.conf apt.conf.d auth.conf auth.conf.d trusted.gpg trusted.gpg.d keyrings; do
    [ ! -e "/etc/apt/$file" ] || cp -r "/etc/apt/$file" "$etc/" 2>/dev/null || true
  done
  # Both spellings of a source: deb822 files, and one line an archive. Only Debian's own archive is
  # taken: a third party's source would be slow at best, and may not have what is asked for at all.
  for file in /etc/apt/sources.list.d/*.sources; do
    [ -e "$file" ] && grep -q '^URIs:.*/debian/*$' "$file" || continue
    sed "s/^Types:.*/Types: $type/" "$file" >"$etc/sources.list.d/${file##*/}"
  done
  for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
    [ -s "$file" ] || continue
    sed -nE "s/^deb( \[[^]]*\])? ([^ ]*\/debian\/? .*)/$type\1 \2/p" "$file" \
      >"$etc/sources.list.d/one-line-$(basename "$file" .list).list"
  done
  find "$etc/sources.list.d" -type f -empty -delete
  # A source that cannot be reached is no error here: what matters is whether the package is found.
  private_apt update >/dev/null 2>&1 || true
}

private_apt() {
  local root=$private_apt_root
  (cd "$root" && apt-get -qq -o APT::Architecture="$private_apt_architecture" \
    -o APT::Architectures="$private_apt_architecture" -o Dir="$root" -o Dir::Etc="$root/etc/apt" \
    -o Dir::State="$root/var/lib/apt" -o Dir::State::status="$root/var/lib/dpkg/status" \
    -o Dir::Cache="$root/var/cache/apt" -o APT::Sandbox::User="$(id -un)" "$@")
}

# SPDX-License-Identifier: Apache-2.0
