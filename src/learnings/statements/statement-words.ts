// Words that tell a person's lasting statement from a wish for the work at hand. They are parts of regular
// expressions, which sentence-patterns.ts, lead-in.ts, masked.ts and own-words.ts put together.

/** Command-line tools and services that a person names when the way of working is meant. */
export const TOOLS =
  'npm|npx|pnpm|yarn|bun|bunx|deno|node|nvm|fnm|volta|corepack|nx|turbo|lerna|git|gh|glab|docker|docker-compose|podman|' +
  'kubectl|kubectx|helm|terraform|tofu|ansible|cmake|make|just|task|ninja|gradle|gradlew|maven|mvn|mvnw|cargo|rustup|' +
  'rustc|go|golangci-lint|python|python3|pip|pipenv|uv|poetry|conda|tox|nox|pytest|ruff|black|mypy|pyright|alembic|' +
  'django|ruby|bundle|rake|rspec|rubocop|rails|php|composer|phpunit|artisan|java|kotlin|dotnet|swift|mix|elixir|jest|' +
  'vitest|mocha|playwright|cypress|eslint|prettier|biome|oxlint|tsc|tsx|ts-node|vite|webpack|rollup|esbuild|babel|' +
  'psql|postgres|postgresql|mysql|mariadb|sqlite|mongo|mongodb|redis|redis-cli|rabbitmq|kafka|nginx|mailhog|localstack|' +
  'minio|curl|wget|httpie|ssh|rsync|sed|awk|grep|rg|ripgrep|fd|jq|bash|zsh|fish|powershell|vault|1password|op|aws|' +
  'gcloud|az|argo|argocd|jenkins|circleci|buildkite|artifactory|nexus|sops|direnv|asdf|mise|brew|apt|nix|prisma|' +
  'drizzle|knex|flyway|liquibase|sqlc|buf|protoc|moment|date-fns|dayjs|lodash|enzyme|storybook|chromatic|changesets|' +
  'goimports|gofmt|ts-ignore|typescript|openapi-generator|crowdin|renovate|dependabot|testcontainers|mailpit|eks|gke|s3|iam|' +
  'lefthook|husky|commitlint|semantic-release|sentry|datadog|vercel|netlify|fly|heroku|supabase|firebase|wrangler';

/** How the team works: version control, tests, builds, environments, conventions. */
export const WORKING =
  'commit(?:s|ted|ting)?|push(?:e[sd]|ing)?|pull requests?|prs?|mrs?|branch(?:es|ing)?|merg(?:es?|ing|ed)|' +
  'rebas(?:e[sd]?|ing)|squash(?:ing)?|amend(?:ing)?|cherry-pick|force-push|changelogs?|releases?|releasing|' +
  'deploy(?:s|ed|ing|ments?)?|hotfix(?:es)?|main|master|develop|trunk|ticket|tests?|testing|test suite|specs|' +
  'mock(?:s|ed|ing)?|fixtures?|snapshots?|coverage|e2e|ci|pipeline|builds?|lint(?:er|ing)?|formatter|codegen|' +
  'generated|compil(?:e|es|er|ing)|migrations?|lock ?files?|package-lock\\.json|dependenc(?:y|ies)|install|pre-commit|' +
  'hooks?|scripts?|makefile|vendored|staging|prod|production|databases?|db|vpn|tunnel|credentials|secrets?|tokens|' +
  '\\.env\\w*|env vars?|localhost|docker|containers?|cluster|sandbox|cron|nightly|worktrees?|codebase|repo|repository|' +
  'monorepo|workspace|conventions?|naming|file ?names|docstrings?|comments|default exports|type hints|strict mode|' +
  'tabs|spaces|emojis?|diff|shared branches|suite|test tenant|typing|packages?|tsconfig|submodules?|checkout|template|stylesheets|bashisms|sonar|no-verify|strict|logger|locales|license|network|new files|file by hand|by hand|co-authored-by|feature flags?|toolchain|versions?';

/** Words that speak of all the work, not of this piece of it. */
export const ALL_WORK =
  '(?:in|for|on|across) (?:this|the|our|that|any|every|all)(?: \\w+)? ' +
  '(?:repo|repository|project|projects|codebase|monorepo|workspace|team|company|org|machine|box|laptop|session)|' +
  'every time|each time|whenever|any ?time|every session|as a rule|in general|generally|by default|around here|' +
  'on principle|at all times|everywhere|without exception|across the board';

/** Words that bind a wish to the work at hand. */
export const LOCAL =
  'just this once|this once|this time|only once|for now|for the moment|for today|right now|temporar(?:y|ily)|' +
  'tomorrow|for the time being|in (?:this|that|your last) (?:pr|mr|commit|test|file|case|function|method|' +
  'branch|change|diff|one|component|page|view|class|query|loop|patch|step|round)|for (?:this|these)' +
  '(?! (?:repo|repository|project|codebase|monorepo|workspace|team|company|machine)\\b)(?: \\w+)?|never ?mind|' +
  "no need to|kidding|a joke|it'?s fine|not yet|yet|first try|forget (?:it|that|what)|diesmal|nur jetzt|cette fois|esta vez|por ahora";

/**
 * Parts of the product: a sentence about one of these says how the product shall behave, not how the team
 * works.
 */
export const PRODUCT =
  'buttons?|modals?|dialogs?|menus?|men[uú]|forms?|fields?|pages?|lists?|tables?|columns?|rows?|cells?|headers?|' +
  'footers?|tooltips?|labels?|inputs?|icons?|sidebar|toolbar|navbar|tabs? bar|cards?|toasts?|spinners?|charts?|' +
  'filters?|exports?|parsers?|endpoints?|responses?|messages?|emails?|users?|admins?|visitors?|customers?|invoices?|' +
  'orders?|carts?|caches?|apps?|application|components?|widgets?|dropdowns?|checkbox(?:es)?|links?|images?|avatars?|' +
  'titles?|headings?|text|texte?|colou?rs?|fonts?|scroll|screen|view|totals?|prices?|dates?|timeout|retries|' +
  'functions?|methods?|class|classes|validators?|validation|api response|payload|handlers?|workers?|jobs?|queues?|' +
  'layout|grid|badge|banner|counter|search|results?|items?|bot[oó]n|schaltfl\u00e4che|seite|liste';

/** First words of a task: something is to be made or changed. */
export const TASK =
  'add|implement|write|create|build|refactor|fix|change|rename|move|make|set|update|remove|delete|drop|replace|' +
  'convert|extract|split|generate|design|draft|explain|show|find|check|look|investigate|debug|review|summari[sz]e|' +
  'connect|migrate|upgrade|bump|introduce|support|handle|let|try|revert|undo|continue|go|open|close|read|tell|list|' +
  'call|put|give|document|translate|port|test|deploy|release|commit|push|merge|rebase|run|start|stop|restart|install';

/** Verbs of the agent's own work. After "always" or "never" they speak of how it works. */
export const AGENT_VERB =
  'commit|push|force-push|pull|merge|rebase|amend|squash|tag|sign|branch|run|rerun|re-run|use|ask|edit|touch|modify|' +
  'install|deploy|format|lint|check out|switch|make a branch|create (?:a |new )?(?:branch|file|files|migration)s?|' +
  'start|mock|stub|skip|disable|prefer|work|test|build|regenerate|source|activate|rm|sudo|bump|pin|explain|answer|' +
  'reply|respond|reformat|revert|show me|tell me|tell us|speak|leave|put|name|import|log|hardcode|write|add|go through|open|release|' +
  'update|change|remove|delete|drop|reset|bypass|ignore|suppress|downgrade|upgrade|publish|apply|do|check|print|' +
  'read|look|verify|confirm|guess|assume|invent|copy|kill|restart|stage|stash|cherry-pick|call|wrap|type';

/** Verbs after "we" that tell what the team does as a matter of course. */
export const PRACTICE_VERB =
  'use|using|prefer|commit|push|squash|rebase|merge|branch|deploy|release|ship|write|name|store|put|keep|run|test|' +
  'mock|stub|import|pin|follow|stick|avoid|edit|touch|do|go|switched|moved|migrated|dropped|work|tag|sign|format|' +
  'lint|publish|version|install|allow|support|host|cut|review|add|log|hardcode|call|start';

/** Things of the team whose rule a sentence may give ("PRs go against develop"). */
export const RULED =
  'prs?|pull requests|mrs?|commits?|commit messages?|commit titles?|pr titles?|branches|branch names?|releases|tests?|' +
  'unit tests|e2e tests|integration tests|test files?|migrations?|changelog entries|file ?names|docstrings?|comments|' +
  'public functions|imports|secrets|env vars|feature flags|fixtures|snapshots|dependencies|hotfixes|tags|deploys|' +
  'deployments|errors in logs|logs|the ci|ci|generated (?:code|files)|config files?|the docs';

/** Services and places that are somewhere, at a port or behind something. */
export const INFRA =
  'databases?|db|staging|prod|production|redis|postgres|mysql|mongo|kafka|rabbitmq|server|api|socket|host|service|' +
  'cluster|queue broker|broker|registry|artifactory|proxy|gateway|mailhog|smtp|sandbox|bucket|vault|dashboard|port|' +
  'cache server|backend|frontend|env|environment|replica|mock server|dev server|emulator|nightly job|cron|docker|' +
  'daemon|docs|grafana|metrics|logs|bastion|tunnel|admin|s3|minio|localstack';

/** What a wish names that is no fact of the project, though it "is in" a place. */
export const FAULT =
  'error|errors|bug|problem|issue|typo|failure|exception|crash|fault|cursor|mistake|warning|culprit|leak|stack ?trace';

/** "remember …": the person asks to be remembered. Stripped from the lesson. */
export const REMEMBER = [
  '(?:please |pls |and |also |just )*remember (?:this |it )?for (?:all|every|any|the next|next|later|future|the other) (?:sessions?|times?|tasks?)(?:,|:| -| –) ?',
  '(?:please |pls |and |also |just )*(?:do )?remember(?:,|:| -| –| that) (?:this: |this, )?',
  '(?:please |pls |just )*(?:always )?keep in mind(?:,|:)? (?:that )?',
  '(?:please |pls )*bear in mind(?:,|:)? (?:that )?',
  '(?:please |pls )*(?:make|take) a (?:mental )?note(?: of this)?(?:,|:| -| –)? (?:that )?',
  '(?:please )?note(?: to self)?(?::| that) ?',
  "(?:please |and )?(?:don'?t|do not|never) forget(?:,|:| that) ",
  '(?:just )?for (?:future|later|your) reference(?:,|:| -| –)? ?',
  '(?:just )?for the record(?:,|:| -| –)? ?',
  'merk dir(?: bitte)?(?:,|:) (?:dass )?',
  'denk daran(?:,|:) (?:dass )?',
  'retiens(?: bien)?(?:,|:)? (?:que )?',
  'souviens-toi(?:,|:)? (?:que )?',
  'recuerda(?:,|:)? (?:que )?',
];

/** "from now on …": a standing instruction. Stripped from the lesson. */
export const STANDING = [
  '(?:so )?(?:from now on|from here on(?: out)?|going forward|moving forward|henceforth|from this point on)',
  '(?:for|in) (?:the )?(?:future|next time)(?: sessions?| runs?| changes?)?(?: though)?',
  'next time(?: though)?',
  '(?:in general|generally|as a (?:general )?rule|as always)',
  '(?:ab jetzt|von jetzt an|ab sofort|künftig|in zukunft|grundsätzlich)(?: bitte)?',
  "(?:désormais|dorénavant|à partir de maintenant|à l'avenir)",
  '(?:a partir de ahora|de ahora en adelante|en adelante)',
];

/** Words before a statement that do not belong to it. */
export const LEAD_IN = [
  '(?:no+pe|no+|nah|nein|non)(?: no+)*(?: mate| dude| sorry| thanks| thank you| please)?(?:[,.:;!]+| -| –| —) *',
  '(?:better|rather|please|maybe|lieber) (?:not|nicht)(?:[,.:;!]+| -| –| —) *',
  "(?:that|this)(?:'?s| is) (?:wrong|incorrect|not (?:right|true|correct))(?:[,.:;!]+| -| –| —) *",
  "(?:nope|nah|no) (?=use |run |it'?s |its |don'?t |dont |never |we |you |always |that'?s |the wrong |not )",
  '(?:ok|okay|hey|hi|hello|alright|well|hmm+|hm|ah|oh|uh|um)[,.:!]? ',
  '(?:look|listen|sorry|careful|heads up|nice|great|cool|thanks|right|sure|attention|important)[,.:!]+ ',
  '(?:but|and|also|so|then|actually|again|plus|or rather|instead)[,:]? ',
  '(?:please|pls|plz|kindly|bitte|por favor|stp|svp)[,:]? ',
  '(?:btw|by the way|fyi|just fyi|psa|side note|one (?:more )?thing|reminder|hint|tip|nb|n\\.b\\.)[,:]? (?:that )?',
  '(?:i (?:already )?(?:told|said to) you(?: already| before| that| again)*|(?:as )?(?:i )?(?:said|mentioned)(?: before)?|' +
    'like i said|i repeat)[,:]? (?:to )?',
  '(?:can|could|would|will) you (?:please )?(?=always|never|stop|not )',
  "(?:that'?s|this is) not how we (?:do|work|roll)[^:,.]{0,30}[:,.] *",
  '(?:just )?so you know[,:]? ',
  '(?:make sure|ensure|be sure)(?: that)?(?: you| to)? (?=always|never|we )',
];

/** Feedback that may stand before the statement of what is right: "wrong branch, we branch off develop". */
export const WRONG =
  "(?:(?:that|this|it)(?:'?s| is| was)|you(?:'re| are| were|r)?(?: \\w+)?(?: in| on| at)?)? ?(?:still )?(?:the |a )?" +
  '(?:wrong|incorrect) (?:file|folder|dir|directory|branch|tool|command|config|database|db|port|repo|env|' +
  'environment|version|package manager|host|server|cluster|context|package|script|place|test runner|account|remote|one)';

/** The beginning of a line that a program printed. */
export const OUTPUT_LINE =
  '^(?:npm (?:err!|warn|error|notice)|yarn (?:error|warn)|at \\S+ \\(|at .+:\\d+|error[:[ ]|err[:!]|warn(?:ing)?[: [(]|info[: []|debug[: []|' +
  'fatal[: ]|\\[(?:info|warn|error|debug|\\d)|\\d{4}-\\d\\d-\\d\\d[t ]\\d|\\d\\d:\\d\\d:\\d\\d|[$%#>] |>>> |[+-]{3} |@@ |diff --git|' +
  'traceback|file "|e   |failed |fail |pass |passed |✓|✗|✕|×|●|❯|⎯|├|└|│|\\||=== |--- |\\*{3,}|\\w+(?:error|exception)[: (]|caused by|' +
  "hint:|note: run|remote: |to https?:|exit code|exited with|\\S+:\\d+:\\d+|\\S+\\.\\w{1,4}:\\d+|process exited|panic:|thread ')";

/** How the agent speaks and behaves. */
export const MANNER =
  'answers?|replies|reply|bullet points|bullets|explanations?|summar(?:y|ies)|english|german|french|spanish|emojis?|' +
  'concise|verbose|brief|short|permission|confirmation|jargon|tone|todo|plan first|step by step|questions?';

/** Words that turn a sentence into a rule. */
export const RULE_WORDS =
  'always|never|every|each|all|any|only|ever|everywhere|no longer|anymore|any more|not allowed|forbidden|prohibited|' +
  'required|mandatory|must|must not|yourself|directly|nothing|nobody|otherwise|or else|for a reason|on purpose|' +
  "that's why|so (?:we|you|no|that|use|never|don't|tests|they|it)|therefore|instead|rather than|because|since";

/** Words of the passing state of the work: what fails, what is missing, what is done. */
export const STATUS =
  'fails?|failing|failed|red|green|broken|crash(?:es|ed|ing)?|hangs?|returns?|throws?|still|since yesterday|wrong|' +
  'missing|empty|too|fine|good|ok|done|ready|outdated|unused|slow|late|stuck|looks|null|undefined|nan|undone|again|' +
  'weird|strange|off|perfect|great|better|worse|correct|twice|async|new|unclear|duplicated?|typos?|works now|here it is|now|pass';

/** One piece of the work: what is said of "the test" is said of this one. */
export const PIECE =
  'test|spec|migration|script|commit|comment|hook|diff|branch|fixture|mock|pr|mr|snapshot|commit message|variable|' +
  'function|method|class|component|endpoint|constant|query|loop|import|readme|name|type|return type|prop|param|' +
  'parameter|argument|regex|condition|helper|file|snippet|line|value|version|example';
