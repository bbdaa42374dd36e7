#!/usr/bin/env bash
# Runs the tests as on a machine that has only Node and what every system has: no git, browser, terminal or database on the
# PATH, for a user without rights or a home, in another language and time zone. Arguments are vitest's.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
bare=$(mktemp -d)
trap 'rm -rf "$bare"' EXIT
chmod 755 "$bare"

mkdir "$bare/bin" "$bare/tmp"
for program in node npm npx sh bash cat cp mv rm ls ln mkdir rmdir mkfifo chmod env sed grep find sort xargs tr head tail wc \
  sleep kill tar sha256sum mount umount uname; do
  path=$(type -P $program) && ln -s "$path" "$bare/bin/$program"
done
mkdir "$bare/lore"
tar -c --exclude=./node_modules --exclude=./.git --exclude=./dist . | tar -x -C "$bare/lore"
user=()
if [ "$(id -u)" = 0 ]; then
  chown -R nobody "$bare/lore" "$bare/tmp"
  user=(setpriv --reuid=nobody --clear-groups)
fi
# modules are only read, so they may be the same files; what was built from them is made anew
cp -al node_modules "$bare/lore/" 2>/dev/null || cp -a node_modules "$bare/lore/"
rm -rf "$bare"/lore/node_modules/.{cache,vite,vite-temp}
[ ${#user[@]} = 0 ] || chown nobody "$bare/lore/node_modules"
cd "$bare/lore"
${user[@]:+"${user[@]}"} env -i PATH="$bare/bin" HOME=/nonexistent TMPDIR="$bare/tmp" LANG=tr_TR.UTF-8 TZ=Asia/Kolkata TERM=dumb \
  npm_config_update_notifier=false LORE_SKIPPED_FILES="${LORE_SKIPPED_FILES:-}" npm test -- "$@"
