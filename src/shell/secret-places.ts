// The names of files and folders that hold secrets, as data.

/** Joins lines into alternatives of a pattern, so that long lists stay readable. */
export const anyOf = (text: string) => text.trim().split(/\s+/).join('|');

/** The last words of names for examples: `.env.production.sample` has only the names of settings. */
const PLACEHOLDER =
  'examples?|samples?|templates?|tmpl|tpl|dist|defaults?|schema|placeholder|skeleton|spec|md|j2|erb|(?:example|sample|template|tmpl|default)\\.(?:\\w{1,6})';

/** Names of files and folders that hold secrets wherever they lie. */
const SECRET_NAMED = anyOf(`
  (?:prod|production|staging|stage|dev|development|local|live|secrets?|db|app|api|web|server|docker|deploy)?\\.env(?:[._-](?!(?:[\\w.-]*[._-])?(?:${PLACEHOLDER})$|test$|(?:d\\.)?[cm]?[jt]sx?$)[\\w.-]+)? \\.envs
  (?!process\\.|meta\\.)[\\w-]+\\.env \\.envrc
  \\.ssh(?!\\/(?:[\\w.*-]+\\.pub|known_hosts(?:\\.old)?)$) id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)? \\.gnupg \\.password-store
  (?![\\w.-]*(?:cert|chain|bundle|\\bca\\b|public|\\.pub)(?![\\w.-]*key))[\\w.-]+\\.pem
  [\\w.-]+\\.(?:key|p8|p12|pfx|ppk|jks|keystore|kdbx|agekey|ovpn|tfstate(?:\\.backup)?|tfvars(?:\\.json)?)
  \\.netrc _netrc \\.pgpass \\.pg_service\\.conf \\.my\\.cnf \\.git-credentials \\.npmrc \\.pypirc \\.htpasswd \\.vault-token
  \\.vault[-_]pass(?:word)?(?:\\.txt)? \\.dev\\.vars(?:\\.[\\w-]+)? local\\.settings\\.json \\.kamal\\/secrets[\\w.-]* \\.tokens? \\.Renviron
  cookies\\.txt (?:key|keystore|signing)\\.properties cypress\\.env\\.json rclone\\.conf wp-config\\.php passwords?\\.(?:txt|csv|json|md|xlsx)
  (?:token|credentials?|(?:api|access|secret|private|aws|root)[-_]?(?:[kK]ey|[tT]oken)s?)\\.(?:txt|csv) appsettings\\.(?:Production|Staging)\\.json
  \\.dockercfg \\.dockerconfigjson \\.s3cfg \\.boto \\.databrickscfg \\.terraformrc
  \\.terraform\\.d \\.azure \\.fly \\.(?:bash|zsh|sh|python|node_repl|mysql|psql|sqlite|irb|rediscli|mongo|dbshell)_?history
  \\.?credentials\\.(?:json|ya?ml|toml|ini|csv|db) service[-_]account[\\w-]*\\.json client_secrets?[\\w.-]*\\.json
  [\\w-]*firebase-adminsdk[\\w-]*\\.json auth\\.json token\\.json secrets?\\.(?:ya?ml|json|toml|ini|properties|txt)
  kubeconfig[\\w.-]* [\\w-]+\\.kubeconfig secrets\\/[\\w.-]+\\.(?:ya?ml|json|env|txt|toml|ini)
  \\.aws\\/(?:credentials|config|sso|cli) \\.docker\\/config\\.json \\.kube\\/(?!cache)[^/]+ \\.claude\\/settings\\.local\\.json
  \\.wrangler\\/config \\.cargo\\/credentials(?:\\.toml)? \\.gem\\/credentials \\.bundle\\/config \\.m2\\/settings[\\w-]*\\.xml
  \\.gradle\\/gradle\\.properties \\.composer\\/auth\\.json \\.nuget\\/NuGet\\.Config \\.lore\\/(?:key|(?:jwt-)?secret)
  \\.config\\/(?:gh|glab-cli|gcloud|op|doctl|hub|hcloud|rclone|sops|fly|stripe|heroku|netlify|configstore|github-copilot|containers\\/auth\\.json)
  playwright\\/\\.auth \\.auth\\/[\\w.-]+\\.json storage[-_]?state\\.json otr\\.private_key \\.bw_session
  \\.(?:master|secret|api|private)[-_]keys?(?:\\.txt)? \\.secrets?\\.(?:ya?ml|json|toml|env|baseline\\.raw) \\.secrets \\.npmrc_auth \\.tugboat
  [\\w.-]+\\.(?:tfstate\\.\\d+|kdb|mobileprovision|publishsettings|rdp|kirbi|keytab) \\.chef\\/[\\w.-]+ \\.passwd dataSources\\.local\\.xml
  credentials-config\\.json \\.?filezilla(?:\\.xml)? proftpdpasswd \\.pgadmin4? \\.cargo-credentials gcloud-service-key[\\w.-]*
  sftp-config\\.json \\.ftpconfig \\.remote-sync\\.json \\.[em]smtprc \\.mylogin\\.cnf \\.passwd-s3fs \\.sentryclirc \\.snowsql \\.jfrog
  [\\w.-]+\\.(?:pkcs12|pk12|psafe3|opvault|agilekeychain|keychain(?:-db)?|kwallet|bek) secring\\.\\w+ (?:recentservers|sitemanager)\\.xml
  secret_token\\.rb LocalSettings\\.php [\\w-]*accessKeys?\\.csv rootkey\\.csv application_default_credentials\\.json
  (?:gcp|gcloud|google|service|firebase)[-_](?:[\\w-]+[-_])?key\\.json ngrok\\.yml kaggle\\.json oauth_creds\\.json wallet\\.dat UTC--[\\w.-]+
  \\.supabase\\/access-token \\.cloudflared \\.?ansible_vault_pass[\\w.]* huggingface\\/(?:token|stored_tokens) hudson\\.util\\.Secret
  \\.local\\/share\\/(?:keyrings|kwalletd|fish\\/fish_history) \\.(?:mozilla|thunderbird)
  \\.config\\/(?:google-chrome|chromium|BraveSoftware|microsoft-edge)[\\w-]*`);
/** Without regard to case, because on macOS and Windows `.Env` is `.env`. */
const SECRET_NAME = new RegExp(`(^|\\/)(?:${SECRET_NAMED})(\\/|$)`, 'i');
/** Case matters here: `Cookies` holds secrets, and `cookies.ts` does not. */
const SECRET_PLACE = new RegExp(
  [
    '^\\/etc\\/(?:g?shadow|sudoers|ssl\\/private|ssh\\/ssh_host_\\w+_key$|krb5\\.keytab|security\\/opasswd|wireguard|openvpn|ppp\\/\\w+-secrets|kubernetes\\/[\\w-]+\\.conf|rancher\\/\\w+\\/[\\w-]+\\.yaml$|NetworkManager\\/system-connections)',
    '^\\/(?:var\\/)?run\\/secrets\\/|^\\/var\\/backups\\/(?:g?shadow|passwd|group)',
    '^\\/proc\\/[^/]+(?:\\/task\\/[^/]+)?\\/(?:environ|mem)$|^\\/proc\\/k(?:core|msg)$',
    'Application Support\\/(?:Google|Firefox|BraveSoftware|Microsoft Edge|com\\.apple\\.TCC)',
    'Login Data|Cookies|cookies\\.sqlite|logins\\.json|key4\\.db|Keychains',
  ].join('|'),
);

/** What editors and people add to the name of a file that they keep: `~`, `.bak`, `.old`, ` copy 2`, `.2026-01-31`. */
const KEPT_END =
  /(?:~|#|[._ -](?:bak|bkp?|backup|old|orig(?:inal)?|save[d]?|sw[a-z]|cop(?:y|ie)|prev(?:ious)?|tmp|temp|rej|gz|bz2|xz|zst|zip|7z|\d{1,14}|\d{4}-\d\d-\d\d)|[._ -]copy[ _-]\d{1,3}| ?\(\d{1,3}\))+$/i;
/** The same before the ending: `secrets.old.yml`. */
const KEPT_INSIDE = /[._ -](?:bak|backup|old|orig|copy|prev)(?=\.\w{1,10}$)/i;
const KEPT_BEGIN = /(^|\/)(?:copy of |#|\.#)(?=[^/]+$)/i;
/** How editors name a file that is open: `.secrets.yml.swp`. */
const SWAP = /(^|\/)\.([^/]+)\.sw[a-z]$/i;

const isSecret = (path: string): boolean => SECRET_NAME.test(path) || SECRET_PLACE.test(path);

/** Whether a path names what holds secrets: by its own name, or as the backup or copy of such a file. */
export function isSecretPath(path: string): boolean {
  if (isSecret(path)) return true;
  const first = path.replace(KEPT_BEGIN, '$1').replace(KEPT_END, '').replace(KEPT_INSIDE, '');
  return (first !== path && isSecret(first)) || (SWAP.test(path) && isSecret(path.replace(SWAP, '$1$2')));
}

/**
 * Names of files that hold secrets in some projects and none in others, so that what is in them decides: settings, and
 * keys without an ending.
 */
const UNDECIDED = new RegExp(
  `(^|\\/)(?:${anyOf(`
  database\\.(?:ya?ml|json|php|ini) \\.?mcp(?:[-_.]\\w+)?\\.json \\.git\\/config \\.gitconfig \\.gitmodules \\.git\\/(?:FETCH_HEAD|credentials)
  (?:docker-)?compose[\\w.-]*\\.ya?ml \\.yarnrc(?:\\.yml)? pip\\.(?:conf|ini) \\.condarc nuget\\.config \\.bunfig\\.toml \\.curlrc \\.wgetrc
  [\\w.-]*(?:config|settings|secret|credential|passw|token|api[-_]?key|account|connection|datasource|values|prod|staging|application|local|firebase|service|auth)[\\w.-]*\\.(?:ya?ml|jsonc?|toml|ini|conf|cfg|cnf|properties|xml|plist|exs|http|rest|txt|csv)
  web\\.config profiles\\.ya?ml omniauth\\.rb carrierwave\\.rb knife\\.rb config\\.php robomongo\\.json WebServers\\.xml \\.muttrc \\.trc \\.tconn
  [\\w.-]*(?:deploy|key|private|secret|token|passw|credential)[\\w-]*(?:_rsa|_ed25519|_ecdsa|_dsa)? \\.?keys?\\/[\\w.-]+ certs?\\/[\\w.-]+
  `)})$`,
  'i',
);
/** Files that tools write from what others published, and examples. */
const NEVER =
  /(^|\/)(node_modules|tests?|specs?|__tests__|fixtures?|__fixtures__|mocks?|examples?|samples?|docs?)\/|(^|\/)(tsconfig[\w.-]*|[\w.-]*\.schema|[\w.-]*(lock|example|sample|template))\.\w+$|\.(?:example|sample|template|dist)$/i;

/** Whether the name of a file leaves open that it holds secrets, so that its content decides. */
export const mayBeSecret = (path: string): boolean =>
  UNDECIDED.test(path.replace(KEPT_END, '')) && !NEVER.test(path);

/**
 * Hidden files and folders in a home folder that are known to hold no secrets. All other hidden ones may hold
 * some.
 */
const PLAIN_HIDDEN = new RegExp(
  `^(?:${anyOf(`
  \\.(?:bashrc|bash_profile|bash_aliases|bash_login|bash_logout|profile|zshrc|zshenv|zprofile|zlogin|kshrc|cshrc|inputrc|p10k\\.zsh)
  \\.(?:vimrc|gvimrc|vim|emacs|emacs\\.d|nanorc|tmux|tmux\\.conf|screenrc|editorconfig|dircolors|hushlogin|oh-my-zsh)
  \\.(?:gitconfig|gitignore|gitignore_global|gitattributes|gitmessage|eslintrc[\\w.]*|prettierrc[\\w.]*)
  \\.(?:nvmrc|node-version|python-version|ruby-version|tool-versions|DS_Store|Trash|fonts|themes|icons|terminfo)
  \\.(?:cache|nvm|npm|pnpm-store|yarn|bun|deno|cargo|rustup|pyenv|rbenv|rvm|asdf|sdkman|volta|jenv|goenv|nodenv|go|dotnet)
  \\.(?:conda|virtualenvs|venv|oh-my-zsh|fzf|rye|pub-cache|cocoapods|sbt|ivy2|stack|cabal|opam|mix|hex|julia|gem|rubygems)
  \\.(?:m2\\/(?:repository|wrapper)|gradle\\/(?:caches|wrapper|daemon|init\\.d)|nuget\\/packages|kube\\/cache)
  \\.ssh\\/(?:[\\w.*-]+\\.pub|known_hosts(?:\\.old)?)$ \\.vscode(?:-server)?\\/extensions
  \\.claude\\/(?:CLAUDE\\.md|settings\\.json|agents|commands|skills|hooks|projects|plans|todos|plugins|rules)
  \\.lore\\/(?:rules\\.json|[\\w.-]+\\.log|logs|models)
  \\.local\\/(?:bin|lib|include|state|opt|src|pipx)
  \\.local\\/share\\/(?:applications|fonts|man|mise|pnpm|uv|virtualenvs|nvim|bash-completion|fnm|pipx|icons|mime|zsh)
  \\.config\\/(?:nvim|alacritty|kitty|wezterm|ghostty|starship\\.toml|htop|btop|bat|tmux|zsh|helix|ripgrep|fontconfig|lazygit)
  \\.config\\/(?:fish\\/(?:config\\.fish|functions|conf\\.d|completions)|git\\/(?:config|ignore|attributes)|karabiner|yamllint|i3|sway)
  \\.config\\/(?:Code\\/User\\/(?:settings|keybindings)\\.json|systemd|autostart|user-dirs\\.dirs|mimeapps\\.list|zed|black|flake8|ruff)
  `)})(\\/|$)|^\\.(?:config|local|local\\/share|claude|lore|m2|gradle|vscode)$`,
);

/** Where tools keep what signs a person in, in folders that hold no other secrets. */
const KEEPS_KEY = /(^|\/)(\.?credentials(\.\w+)?|hex\.config|auth\.(json|toml))$|^\.cabal\/config$/;

/** Whether a path below a home folder is known to hold no secrets. */
export const isPlainHidden = (inHome: string): boolean =>
  PLAIN_HIDDEN.test(inHome) && !KEEPS_KEY.test(inHome);

/** Files in a home folder that hold secrets. Patterns such as `~/.aw?/cred*` are tested against them. */
export const HOME_SECRETS = [
  '.ssh/id_rsa',
  '.ssh/id_ed25519',
  '.aws/credentials',
  '.kube/config',
  '.docker/config.json',
  '.gnupg/secring.gpg',
  '.config/gh/hosts.yml',
  '.config/gcloud/credentials.db',
];
export const SECRET_NAMES = [
  '.env',
  '.netrc',
  '.npmrc',
  '.pgpass',
  '.git-credentials',
  'id_rsa',
  'id_ed25519',
];
export const SYSTEM_SECRETS = [
  '/etc/shadow',
  '/etc/gshadow',
  '/etc/sudoers',
  '/proc/1/environ',
  '/proc/self/environ',
];
