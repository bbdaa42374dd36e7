import type { PolicyVerdict } from '../../src/commands/types.ts';

// Where Lore has no opinion, Claude Code runs what it takes for harmless without asking anybody. So a command without an
// opinion counts as asked about only if this client would ask. The lists are those of version 2.1.330, read from its
// program; where its own check of options is finer, these are wider, so that no command counts as asked about wrongly.

const LOOKS = new Set(
  `cal uptime cat head tail wc stat strings hexdump od nl id uname free df du locale groups nproc basename dirname realpath
  cut paste tr column tac rev fold expand unexpand fmt comm cmp numfmt readlink diff true false sleep type expr seq tsort pr
  ls cd echo printf pwd whoami alias find grep egrep fgrep rg sort uniq file jq which date hostname man help info ps
  pgrep netstat ss lsof base64 sha1sum sha256sum md5sum test [ history cksum`.split(/\s+/),
);
/** Options with which a program that looks runs another one, writes, or sets something: about these the client asks. */
const ACTS =
  /^(-delete|-rm|-exec|-execdir|-ok|-okdir|-fprint0?|-fls|-fprintf|-files0-from|-o.*|--output(=.*)?|-O.*|--open.*|--pre(=.*)?|--hostname-bin|--upl.*|--exec.*|--compress-program.*|-w|-l)$/;
const GIT_LOOKS =
  /^(status|log|diff|show|blame|ls-files|ls-remote|ls-tree|rev-parse|rev-list|describe|shortlog|cat-file|grep|merge-base|for-each-ref)$/;
const GIT_LISTS =
  /^(config (--get|--list|-l)|(branch|tag)( (-a|-r|-v|-vv|-l|--list|--show-current))*$|remote( -v$|$| show| get-url)|(stash|worktree) list|reflog$)/;

/** Says whether the client would run a command on which Lore has no opinion without asking. */
export function clientRuns({ parts, invocations }: PolicyVerdict): boolean {
  if (parts.some((part) => part.asks) || parts.length !== invocations.length || invocations.length === 0)
    return false;
  return invocations.every(({ program, path, args, env, via, writes }) => {
    if (path !== program || via.length > 0 || env.length > 0) return false;
    if (writes.some(({ target }) => !target.text.startsWith('/dev/'))) return false;
    const words = args.map((arg) => arg.text);
    if (words.some((word) => /[$`]/.test(word))) return false;
    if (program === 'sed') return words[0] === '-n' && /^[\d,$]+p$/.test(words[1] ?? '');
    const acts = words.some(
      (word) =>
        ACTS.test(word) &&
        !(word === '-l' && /^(ls|wc|grep|rg)$/.test(program)) &&
        !(word === '-w' && /grep|rg|wc/.test(program)) &&
        !(/^-o/.test(word) && /grep|rg|find|ps/.test(program)),
    );
    if (program === 'git')
      return GIT_LISTS.test(words.join(' ')) || (GIT_LOOKS.test(words[0] ?? '') && !acts);
    return (
      LOOKS.has(program) &&
      !acts &&
      !(program === 'uniq' && words.filter((word) => !word.startsWith('-')).length > 1)
    );
  });
}
