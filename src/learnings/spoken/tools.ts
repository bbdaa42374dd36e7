import { TOOLS as NAMES } from '../statements/statement-words.ts';

// Which programs a person wants and which not: "use tofu instead of terraform", "no more npm/yarn", "black is gone".

/** Names that are also plain words. They count in code marks, and right behind words that want or forbid a tool. */
const PLAIN_WORDS =
  'make|just|task|go|node|swift|mix|fly|fish|op|moment|vault|nexus|black|bun|poetry|rake|bundle|rails|django|python|java|' +
  'find|drizzle|argo|elixir|ruby|php|git|direnv|supabase|firebase|enzyme|storybook|knex|volta|proto|ninja|bash|kotlin';
/** Names that no command is called by. */
const NO_PROGRAMS =
  /^(?:django|java|kotlin|postgres|postgresql|mongo|mongodb|redis|rabbitmq|kafka|nginx|mailhog|localstack|minio|jenkins|circleci|buildkite|artifactory|nexus|moment|date-fns|dayjs|lodash|enzyme|storybook|chromatic|ts-ignore|typescript|renovate|dependabot|testcontainers|mailpit|eks|gke|s3|iam|sentry|datadog|elixir|1password|ripgrep|drizzle|ninja|babel|php)$/;
const MORE =
  'rm|find|hub|cat|mv|cp|kubectx|pip3|nerdctl|wget|xargs|perl|tsx|npx|pnpx|virtualenv|venv|dprint|autopep8|isort|flake8|pylint|tslint|' +
  'sudo|scp|ftp|vim|nano|emacs|subl|ant|bazel|pulumi|serverless|sbt|lein|stack|cabal|mariadb|mysqldump|pg_dump|apt-get|yum|dnf|' +
  'snap|choco|easy_install|nosetests|unittest|karma|jasmine|ava|tap|gulp|grunt|parcel|tox|invoke|fabric|screen|tmux|htop|ls|eza|bat|trash|kill|pkill|killall|chmod';

const ALL = new Set([...NAMES.split('|'), ...MORE.split('|')].filter((name) => !NO_PROGRAMS.test(name)));
/** All but git, whose commands have names of their own. */
const OTHERS = [...ALL].filter((name) => name !== 'git').join('|');
const PLAIN = new Set([
  ...PLAIN_WORDS.split('|'),
  ...MORE.split('|').filter((name) =>
    /^(?:cat|find|ant|stack|tap|screen|snap|bat|ls|kill|invoke|fabric|trash|parcel|ava|lein|hub)$/.test(name),
  ),
]);

/** Subcommands that people say with their program: "each terraform apply", "no bare pip installs". */
const SUBCOMMANDS =
  'install|appl(?:y|ies)|destroy|plan|build|run|up|down|add|test|exec|delete|publish|deploy|upgrade|migrate|prune|reset|stash|clean|' +
  'checkout|pull|fetch|init|update|sync|ci|rm|login|generate|compose|prune|vendor|tidy|audit|link|uninstall|remove|rollback|' +
  'drop|bisect|cherry-pick|restore|revert|gc|blame|amend|worktree|submodule|import|taint|refresh|state|rollout|scale|drain|cordon|edit|patch|create|force-push|commit|merge|rebase|push|tag';
const COMMAND = new RegExp(
  `(?<![\\w./@\`-])(${OTHERS}) ((?:${SUBCOMMANDS})(?: (?:up|down|fix|run))?)(?:e?s)?(?![\\w/])((?: --?[\\w-]+)*)`,
  'gi',
);

/** A program with an option, or with rights: "no kill -9", "no chmod 777". */
const WITH_OPTION = new RegExp(
  `(?<![\\w./@-])(?:git (?:reset|clean|add|checkout)|${OTHERS})(?: --?[a-z0-9][\\w-]*)+(?![\\w=])|\\bchmod (?:[0-7]{3,4}|[ugoa]*[+=][rwxs]+)`,
  'g',
);

/**
 * Returns a text in which commands that stand there as plain words have code marks, and commands of git that have a name
 * of their own have none: "no bare pip installs" becomes "no bare `pip install`", and "`git push`" becomes "push".
 */
export const withCodeMarks = (text: string): string =>
  text.replace(/`git (push|commit|merge|rebase|stash|tag|pull|branch)`/gi, '$1').replace(
    /(`[^`]*`)|([^`]+)/g,
    (_, code, rest: string) =>
      code ??
      rest
        .replace(/\bgit (?=(?:push|commit|merge|rebase|stash|tag|pull|cherry-pick)(?:e?s|ing)?\b)/gi, '')
        .replace(/\b(?:bundle exec|poetry run|uv run) [a-z][\w-]*/g, '`$&`')
        .replace(WITH_OPTION, '`$&`')
        .replace(COMMAND, (whole, tool: string, sub: string, options: string) =>
          PLAIN.has(tool.toLowerCase()) && !/^(?:make|go|bundle|rails|python|fly)$/i.test(tool)
            ? whole
            : `\`${tool.toLowerCase()} ${sub.toLowerCase().replace(/^applies$/, 'apply')}${options}\``,
        ),
  );

export type Mention = {
  name: string;
  code: boolean;
  polarity: 'wanted' | 'unwanted' | null;
  /** it is what something is done with: "builds go through bazel" */
  isMeans: boolean;
};

const FILLERS =
  '(?:(?:the|a|an|any|your|our|own|old|plain|bare|raw|global|globally|installed|system|direct|legacy|standalone|stock|ever|use|using|run|running|calling|call|to|more|default|local|single|reach|for|invoke|straight|vanilla|ordinary|normal|real)\\s+)*';
const UNWANTED = new RegExp(
  `(?:\\binstead of|\\brather than|\\bin place of|\\bnot|\\bno(?: more| longer)?|\\bnever(?: use| run| call| invoke)?|\\bdon['’]?t(?: ever)? (?:use|run|call|invoke|touch|reach for|let)|\\bdo not (?:use|run|call|invoke)|\\bstop (?:using|running|calling)|\\bavoid|\\bnor|\\bditch(?:ed)?|\\bdropped|\\b(?:away|moved|switched|migrated|moving|switching|came) (?:away |over )?from|\\breplaced?|\\bforget(?: about)?|\\bban(?:ned)?)\\s+${FILLERS}$`,
  'i',
);
/** Whether what stands before the name of a program says that it is not to be used. */
export const isUnwanted = (before: string): boolean => UNWANTED.test(before);
const OVER = new RegExp(
  `\\b(?:prefer|use|favou?r|choose|pick|want|like)\\b[^.;]*\\bover\\s+${FILLERS}$`,
  'i',
);
/** "Never deploy with kubectl" forbids no other call of it. */
const AS_MEANS = /\b(?:never|don['’]?t|do not|not|no)\b[^,;.]*\b(?:with|via|through|using|by) $/i;
const TO = new RegExp(`\\bprefer\\b[^.;]*\\bto\\s+${FILLERS}$`, 'i');
const WANTED = new RegExp(
  `(?:\\b(?:use|using|prefer|favou?r|with|via|through|only|run|(?:default|defaults|moved|switched|switch|move|migrated|stick|back) to|(?:now|are|['’]re|is|went|stay|all) on)\\s+${FILLERS}|^\\W*(?:please |pls )?)$`,
  'i',
);
const IS_GONE =
  /^(?:\s+\w+)?\s+(?:is|are|was|were|got)(?: \w+)? (?:banned|deprecated|gone|forbidden|not allowed|no longer|out|dead|off[- ]limits|retired|removed|unsupported|prohibited|obsolete|not used|not ok|wrong|a no-?go)\b|^\s+is(?:n['’]?t| not| never)\b/i;

const SAME = /\bsame (?:goes )?(?:for|with) $/i;

/** Returns the programs that a text names in code marks or by a known name, and whether they are wanted. */
export function toolsIn(text: string): Mention[] {
  const found: Mention[] = [];
  let end = 0;
  for (const match of text.matchAll(/`([^`]{1,200})`|(?<![\w./@-])[a-z][\w-]*(?!\/?\w|[.@]\w)/gi)) {
    const code = match[1] !== undefined;
    const name = code ? (match[1] as string).trim() : match[0].toLowerCase();
    if (!code && !ALL.has(name)) continue;
    const before =
      text
        .slice(Math.max(0, match.index - 120), match.index)
        .split(/[.;!?](?=\s)/)
        .at(-1) ?? '';
    const after = text.slice(match.index + match[0].length, match.index + match[0].length + 60);
    const isBanned = UNWANTED.test(before) || (!PLAIN.has(name) && /\bdon['’]?t $/i.test(before));
    const last = found.at(-1);
    const joined = /^\s*(?:\/|,|,? ?or|,? ?and|,? ?nor)\s*$/.test(text.slice(end, match.index));
    const ends =
      /^\s*(?:$|[.,;:!?)/—–-]|(?:for|in|here|on|or|and|anymore|any more|directly|everywhere|only|calls?|commands?|binary|wrapper|at|to|when|please|pls|now|but|is|are|was|because|since|as|installs?)\b)/i.test(
        after,
      );
    const polarity =
      IS_GONE.test(after) || isBanned || OVER.test(before) || TO.test(before)
        ? 'unwanted'
        : (joined || SAME.test(before)) && last?.polarity === 'unwanted'
          ? 'unwanted'
          : (WANTED.test(before) && !AS_MEANS.test(before)) || /^\s+(?:only|everywhere)\b/i.test(after)
            ? 'wanted'
            : null;
    if (!code && PLAIN.has(name) && (polarity === null || !ends)) continue;
    found.push({
      name,
      code,
      polarity,
      isMeans: !AS_MEANS.test(before) && /\b(?:with|via|through|using) $/i.test(before),
    });
    end = match.index + match[0].length;
  }
  return found;
}
