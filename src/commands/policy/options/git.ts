import type { OptionTable } from '../../options.ts';

const DIFF = `
    -p -u -s -z -a -b -w -W -R -r -t -m -c -D -U= -G= -S= -l= -I= -O< -M? -C? -B? -X? -0 -1 -2 -3 --patch
    --no-patch --raw --patch-with-stat --patch-with-raw --unified= --stat? --stat-width= --stat-name-width=
    --stat-count= --compact-summary --numstat --shortstat --dirstat? --cumulative --summary --name-only
    --name-status --submodule? --color-moved? --no-color-moved --color-moved-ws= --word-diff?
    --word-diff-regex= --color-words? --no-renames --find-renames? --find-copies? --find-copies-harder
    --break-rewrites? --irreversible-delete --check --ws-error-highlight= --full-index --binary --abbrev?
    --diff-filter= --diff-algorithm= --minimal --patience --histogram --anchored= --indent-heuristic
    --find-object= --pickaxe-all --pickaxe-regex --relative? --no-relative --text --ignore-cr-at-eol
    --ignore-space-at-eol --ignore-space-change --ignore-all-space --ignore-blank-lines
    --ignore-matching-lines= --inter-hunk-context= --function-context --exit-code --no-ext-diff
    --no-textconv --ignore-submodules? --src-prefix= --dst-prefix= --no-prefix --default-prefix
    --line-prefix= --output> --no-index --cached --staged --merge-base --cc --combined-all-paths --base
    --ours --theirs --skip-to= --rotate-to= --root --no-commit-id --ita-invisible-in-index`;
const LOG = `
    ${DIFF} -# -n= -g -i -E -F -P -L= --max-count= --skip= --since= --after= --until= --before= --author=
    --committer= --grep= --grep-reflog= --all-match --invert-grep --regexp-ignore-case --extended-regexp
    --fixed-strings --perl-regexp --basic-regexp --merges --no-merges --min-parents= --max-parents=
    --first-parent --not --all --branches? --tags? --remotes? --glob= --exclude= --reflog --walk-reflogs
    --cherry --cherry-pick --cherry-mark --left-only --right-only --left-right --merge --boundary
    --simplify-by-decoration --simplify-merges --full-history --dense --sparse --ancestry-path? --date-order
    --author-date-order --topo-order --reverse --no-walk? --do-walk --pretty? --format= --abbrev-commit
    --no-abbrev-commit --oneline --encoding= --expand-tabs? --notes? --no-notes --show-signature
    --relative-date --date= --show-notes? --parents --children --graph --no-graph --follow --decorate? --no-decorate
    --decorate-refs= --decorate-refs-exclude= --source --mailmap --no-mailmap --use-mailmap --full-diff
    --log-size --diff-merges= --no-diff-merges --remerge-diff --count --timestamp --objects --ignore-missing
    --show-pulls --stdin`;
const SIGN = '-S? --gpg-sign? --no-gpg-sign -s --signoff --no-signoff';
const STRATEGY = '-X= --strategy= --strategy-option= --rerere-autoupdate --no-rerere-autoupdate';
const SEQUENCE = '--continue --skip --quit --abort';
const JOBS = '-j= --jobs= --progress --no-progress -4 -6 --ipv4 --ipv6';
const FETCH = `
    ${JOBS} -a -t -p -P -k --all --append --atomic --depth= --deepen= --shallow-since= --unshallow
    --update-shallow --dry-run --multiple --prune --no-prune --prune-tags --no-tags --tags --keep
    --recurse-submodules? --no-recurse-submodules --set-upstream --show-forced-updates
    --no-show-forced-updates --filter= --porcelain --auto-maintenance --no-auto-maintenance --no-auto-gc
    --write-fetch-head --no-write-fetch-head --negotiation-tip= --refmap=`;
const MERGE = `
    -e -n --commit --no-commit --edit --no-edit --cleanup= --ff --no-ff --ff-only --log? --no-log --stat
    --no-stat --squash --no-squash --verify-signatures --no-verify-signatures --summary --no-summary
    --autostash --no-autostash --allow-unrelated-histories --compact-summary ${SIGN} ${STRATEGY}`;
const TRACK = '-t --track? --no-track --guess --no-guess --detach -d --orphan= --conflict= -m --merge';
const SUBMODULES =
  '--recurse-submodules? --no-recurse-submodules --progress --no-progress --ignore-other-worktrees';

/** Harmless options of git. What a setting given by `-c` does is judged by the knowledge of git. */
export const options: OptionTable = {
  git: `
    -C! -c= -p -P --git-dir! --work-tree! --namespace= --no-pager --paginate --no-replace-objects --bare
    --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs --no-optional-locks
    --no-lazy-fetch --no-advice --html-path --man-path --info-path`,
  [`
    git log, git whatchanged, git show, git reflog, git range-diff, git stash list, git bisect view,
    git bisect visualize`]: `${LOG}
    --creation-factor= --no-dual-color`,
  'git rev-list': `
    ${LOG} --objects-edge --unpacked --disk-usage? --use-bitmap-index --in-commit-order --no-object-names
    --header --bisect`,
  'git diff, git diff-tree, git diff-index, git diff-files': `${DIFF} --stdin --pretty? --format= --always`,
  'git stash show': `${DIFF} --include-untracked --only-untracked`,
  'git shortlog': `
    ${LOG} -n -s -e -c -w? --numbered --summary --email --committer --group=`,
  [`
    git rev-parse, git describe, git ls-files, git ls-tree, git merge-base, git show-ref, git for-each-ref,
    git name-rev, git var, git count-objects, git check-ignore, git check-attr, git show-branch, git fsck,
    git merge-tree, git patch-id, git stripspace, git check-ref-format, git column, git version,
    git check-mailmap`]: '*',
  'git status': `
    -s -b -u? -z --short --branch --no-branch --show-stash --porcelain? --long --untracked-files?
    --ignore-submodules? --ignored? --column? --no-column --ahead-behind --no-ahead-behind --renames
    --no-renames --find-renames?`,
  'git blame, git annotate': `
    -L= -l -t -S< -p -M? -C? -w -e -f -n -s -c -b --root --reverse --porcelain --line-porcelain
    --incremental --encoding= --contents< --date= --show-email --show-name --show-number --ignore-rev=
    --ignore-revs-file< --abbrev= --color-lines --color-by-age --show-stats --score-debug --first-parent
    --since= --progress --no-progress`,
  'git grep': `
    -# -e= -E -F -P -G -i -w -n -l -L -c -H -o -p -W -I -a -z -r -A= -B= -C= -m= -f< --max-count=
    --max-depth= --and --or --not --all-match --cached --no-index --untracked --recurse-submodules
    --exclude-standard --no-exclude-standard --heading --break --column --line-number --name-only
    --files-with-matches --files-without-match --count --word-regexp --ignore-case --only-matching
    --show-function --function-context --threads= --text --perl-regexp --extended-regexp --fixed-strings
    --basic-regexp --invert-match --full-name --null --context= --after-context= --before-context=
    --recursive --no-recursive`,
  'git cat-file': `
    -p -t -s -e --batch? --batch-check? --batch-all-objects --buffer --follow-symlinks --unordered --path=
    --use-mailmap --filter= -z`,
  'git ls-remote': '-t --heads --branches --tags --refs --exit-code --get-url --sort= --symref',
  'git hash-object': '-t= -w --stdin --stdin-paths --path= --no-filters --literally',
  'git verify-commit, git verify-tag': '--raw --format=',
  'git cherry': '--abbrev=',
  'git help': '-a -g -c -m --all --guides --config --man --no-aliases --verbose',
  'git notes': '--ref=',
  'git notes add, git notes append':
    '-m= -F< -C= -c= --message= --file< --allow-empty --stripspace --no-stripspace --separator=',
  'git worktree list': '--porcelain -z',
  'git remote': '-v',
  'git remote show, git remote prune': '-n --dry-run',
  'git remote get-url, git remote update': '--push --all -p --prune',
  'git remote set-head': '-a --auto -d --delete',
  'git config, git config get, git config list, git config set': `
    -l -z --get --get-all --get-regexp --get-urlmatch --list --global --local --system --worktree
    --show-origin --show-scope --type= --bool --int --bool-or-int --path --expiry-date --no-type --null
    --name-only --includes --no-includes --default= --add --all --value= --fixed-value --regexp --show-names
    --url=`,
  'git lfs ls-files, git lfs status, git lfs track, git lfs env':
    '-l -s -a -n --all --long --size --name-only --porcelain --json',
  'git lfs pull, git lfs fetch': '-I= -X= -a -r --include= --exclude= --all --recent',
  'git sparse-checkout': '--cone --no-cone --sparse-index --no-sparse-index --stdin --skip-checks',
  'git interpret-trailers': `
    --trailer= --where= --if-exists= --if-missing= --only-trailers --only-input --unfold --parse
    --no-divider --trim-empty`,
  'git bundle create': '--all --branches --tags --remotes --progress --version=',
  'git bisect start': '--term-old= --term-new= --term-good= --term-bad= --first-parent --no-checkout',
  // what follows is a command of its own
  'git bisect run': '+',
  'git submodule foreach': '--recursive +',
  'git submodule status, git submodule summary':
    '--cached --recursive --files -n= --summary-limit= --for-status',
  'git submodule update, git submodule init, git submodule sync': `${JOBS}
    -N --init --recursive --remote --no-fetch --checkout --rebase --merge --depth= --recommend-shallow
    --no-recommend-shallow --single-branch --no-single-branch --filter=`,
  'git submodule add': '-b= --branch= --name= --depth= --progress',
  'git add, git stage': `
    -n -i -p -u -N -A --dry-run --interactive --patch --update --renormalize --intent-to-add --all --no-all
    --ignore-removal --no-ignore-removal --refresh --ignore-errors --ignore-missing --sparse
    --pathspec-from-file< --pathspec-file-nul --chmod=`,
  'git commit': `
    ${SIGN} -a -p -m= -F< -C= -c= -t< -z -e -i -o -u? --all --patch --message= --file< --reuse-message=
    --reedit-message= --fixup= --squash= --reset-author --short --branch --porcelain --long --null --author=
    --date= --template< --trailer= --allow-empty --allow-empty-message --cleanup= --edit --no-edit --amend
    --no-post-rewrite --include --only --pathspec-from-file< --pathspec-file-nul --untracked-files?
    --dry-run --status --no-status --verify`,
  'git fetch': FETCH,
  'git merge': `
    ${MERGE} -s= -m= -F< --message= --file< --into-name= --overwrite-ignore --verify ${SEQUENCE}`,
  'git pull': `${FETCH} ${MERGE} -r? --rebase? --no-rebase -s=`,
  'git rebase': `
    ${SIGN} ${STRATEGY} ${SEQUENCE} -s= -x= --exec= -i -m -n -r? --interactive --onto= --keep-base
    --edit-todo --show-current-patch --apply --empty= --keep-empty --no-keep-empty --reapply-cherry-picks
    --no-reapply-cherry-picks --allow-empty-message --merge --stat --no-stat --no-ff --force-rebase
    --fork-point --no-fork-point --ignore-whitespace --whitespace= --committer-date-is-author-date
    --ignore-date --reset-author-date --rebase-merges? --no-rebase-merges --autosquash --no-autosquash
    --autostash --no-autostash --reschedule-failed-exec --root --update-refs --no-update-refs
    --verify`,
  'git stash': `
    -p -S -k -u -m= --patch --staged --keep-index --no-keep-index --include-untracked
    --no-include-untracked --message= --index --pathspec-from-file< --pathspec-file-nul`,
  'git cherry-pick, git revert': `
    ${SIGN} ${STRATEGY} ${SEQUENCE} -e -x -r -m= -n --edit --no-edit --cleanup= --mainline= --no-commit --ff
    --allow-empty --allow-empty-message --keep-redundant-commits --empty= --reference`,
  'git am': `
    ${SIGN} ${SEQUENCE} -k -c -3 -u -i -C= -p= --keep --scissors --no-scissors --3way --no-3way --utf8
    --ignore-whitespace --whitespace= --exclude= --include= --directory= --reject --patch-format=
    --interactive --committer-date-is-author-date --ignore-date --resolved -r --retry --show-current-patch?
    --allow-empty --empty= --keep-cr`,
  'git apply': `
    -N -3 -z -p= -C= --stat --numstat --summary --check --index --cached --intent-to-add --3way
    --reject --unidiff-zero --apply --no-add --binary --exclude= --include= --ignore-space-change
    --ignore-whitespace --whitespace= --recount --directory= --allow-empty --allow-overlap --ours --theirs
    --union`,
  'git tag': `
    -a -s -u= -n? -l -m= -F< -e -i --annotate --sign --no-sign --local-user= --list --sort= --ignore-case
    --column? --no-column --contains= --no-contains= --merged= --no-merged= --points-at= --message= --file<
    --edit --cleanup= --format= --trailer= --create-reflog`,
  'git branch': `
    -c -m -l -r -a -u= -t -d -i -vv --copy --move --list --remotes --all --show-current --abbrev?
    --no-abbrev --column? --no-column --sort= --merged= --no-merged= --contains= --no-contains= --points-at=
    --format= --track? --no-track --set-upstream-to= --unset-upstream --delete --create-reflog --ignore-case
    --recurse-submodules`,
  'git switch': `${TRACK} ${SUBMODULES} -c= -C= --create= --force-create=`,
  'git checkout': `
    ${TRACK} ${SUBMODULES} -b= -B= -l -U= --unified= --inter-hunk-context= --overwrite-ignore
    --no-overwrite-ignore --overlay --no-overlay`,
  'git reset': `
    -N -p --soft --mixed --keep --intent-to-add --patch --refresh --no-refresh --pathspec-from-file<
    --pathspec-file-nul --recurse-submodules?`,
  'git restore': `
    -S -s= -p --staged --source= --progress --no-progress --ignore-unmerged --no-overlay --overlay
    --pathspec-from-file<`,
  'git worktree': '',
  'git worktree add': `
    -b= -B= -d --detach --checkout --no-checkout --guess-remote --no-guess-remote --track --no-track --lock
    --reason= --orphan`,
  'git worktree prune, git worktree lock': '-n --dry-run --expire= --reason=',
  'git gc': '--aggressive --auto --no-prune --keep-largest-pack --detach --no-detach --cruft --no-cruft',
  'git maintenance run': '--auto --task= --schedule=',
  'git repack, git pack-refs':
    '-a -d -A -l -b --all --prune --window= --depth= --threads= --cruft --write-midx --write-bitmap-index',
  'git update-index': `
    -z -g --refresh --add --remove --chmod= --assume-unchanged --no-assume-unchanged --skip-worktree
    --no-skip-worktree --really-refresh --again --ignore-submodules --unmerged --ignore-missing --stdin
    --split-index --no-split-index --untracked-cache --no-untracked-cache`,
  'git commit-tree': '-p= -m= -F< -S?',
  'git request-pull': '-p',
  'git push': `
    -u -n -f -o= -4 -6 --set-upstream --force --force-with-lease? --force-if-includes --no-force-with-lease --all
    --branches --tags --follow-tags --no-follow-tags --dry-run --porcelain --atomic --no-atomic --signed?
    --no-signed --progress --no-progress --ipv4 --ipv6 --thin --no-thin --verify --no-verify
    --recurse-submodules= --push-option=`,
  'git clone': `
    ${JOBS} -b= -o= -l -s -n --branch= --origin= --depth= --shallow-since= --shallow-exclude=
    --single-branch --no-single-branch --tags --no-tags --recurse-submodules? --recursive
    --shallow-submodules --no-shallow-submodules --remote-submodules --local --no-hardlinks --shared
    --mirror --bare --no-checkout --filter= --sparse --reject-shallow --no-reject-shallow --dissociate`,
  'git init': '-b= --initial-branch= --bare --object-format= --ref-format= --shared?',
  'git mv': '-n -k --dry-run --sparse',
  'git rm': '-n -r --cached --dry-run --ignore-unmatch --sparse --pathspec-from-file< --pathspec-file-nul',
  'git clean': '-f --force -n -d -x -X -e= --dry-run --exclude=',
  'git archive': '-# -l -o> --output> --format= --prefix= --list --worktree-attributes',
  'git format-patch': `
    ${LOG} -o> -n -N -k -s -v= --output-directory> --numbered --no-numbered --start-number= --keep-subject
    --stdout --thread? --no-thread --subject-prefix= --rfc? --reroll-count= --suffix= --signature=
    --no-signature --cover-letter --no-cover-letter --base= --signoff --attach? --inline?
    --ignore-if-in-upstream --zero-commit --interdiff= --range-diff= --in-reply-to= --to= --cc=`,
  'git subtree': '-P= -m= -b= --prefix= --message= --squash --rejoin --branch= --onto= --annotate=',
  'gitk, tig': LOG,
};
