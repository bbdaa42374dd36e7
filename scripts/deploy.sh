#!/usr/bin/env bash
# Brings database, settings and Edge Functions of this clone to a project of Supabase, by Supabase's own command
# (docs/supabase.md). Each step may be repeated. Secrets come from the environment. Only for a person: see below.
#   DATABASE_URL=… LORE_SECRET=… LORE_WAKE_SECRET=… LORE_KEY=… scripts/deploy.sh <ref>
set -euo pipefail
if [ -n "${CLAUDECODE:-}" ]; then echo 'Only a person deploys, in a terminal of their own.' >&2; exit 1; fi
: "${DATABASE_URL:?}" "${LORE_SECRET:?}" "${LORE_WAKE_SECRET:?}"
ref=${1:?the project: <ref> of https://<ref>.supabase.co}
root=$(cd "$(dirname "$0")/.." && pwd)
supabase() { command "${LORE_SUPABASE_CLI:-supabase}" "$@" --yes --workdir "$root"; }
# what the functions need; the platform gives them SUPABASE_… itself
secrets='LORE_SECRET|LORE_KEY|LORE_WAKE_SECRET|DATABASE_URL|GEMINI_API_KEY|GEMINI_MODEL'

supabase db push --remote="${LORE_MIGRATE_URL:-$DATABASE_URL}"
supabase config push --remote="$ref"
supabase secrets set --remote="$ref" --env-file <(env | grep -E "^($secrets)=")
node "$root/scripts/build-functions.js"
for entry in "$root"/edge-functions/*/; do
  supabase functions deploy "$(basename "$entry")" --use-api --remote="$ref"
done
node "$root/bin/lore.js" doctor --remote
