import { INTERPRETERS, words } from '../shell/names.ts';
import type { Invocation } from '../shell/types.ts';
import { type Surroundings, within } from '../shell/zones.ts';
import { wordsOf } from './arguments.ts';
import type { Options } from './options.ts';

// Which hosts a command talks to, and which of them are known: this machine, registries and forges, and what the
// project's own files name.

/** Programs that send something to the host that their words name, as a URL or by itself. */
const TALKERS = new Set(
  words(`
    curl curlie wget wget2 http https xh xhs aria2c nc ncat netcat socat telnet openssl websocat wscat grpcurl ftp lftp sftp
    dig nslookup host drill kdig getent ping ping6 traceroute tracepath whois finger mail mailx sendmail git ssh scp rsync`),
);
/** Programs that talk to the hosts of the URLs that they are given, if any. */
const FETCHERS = new Set(words('npm pnpm yarn npx pip pip3 uv poetry gem cargo go twine svn hg'));
/** Of the talkers, those whose words may also be files: a host needs a colon behind it. */
const COPIERS = /^(scp|rsync|sftp|git)$/;

const URL_HOST = /[a-z][a-z+]{1,9}:\/{2}(?:[^@/\s'"`]*@)?([^/:?#\s'"`]+)/gi;
const BARE_HOST = /^(?:TCP\d?:|UDP\d?:|SSL:|OPENSSL:)?(?:[^@\s/]*@)?([^\s/:?#@]*[\w)}]\.[\w-]+)(:|\/|\?|$)/i;
/** The end of a name that is known, whatever stands for the labels before it. */
const TAIL = /(?:[\w-]+\.)*[\w-]+\.[a-z][a-z\d-]+\.?$|\d+(?:\.\d+){3}$|^\[[\da-f:]+\]$|^localhost$/i;

/** Returns the hosts that a command talks to, as far as they are known. */
export function hostsOf(invocation: Invocation, table: Options): string[] {
  const { program, code } = invocation;
  if (code && isInterpreter(program)) return code.effects.includes('harmless') ? [] : urlsIn(code.text);
  if (FETCHERS.has(program)) return invocation.args.flatMap(({ text }) => urlsIn(text));
  if (!TALKERS.has(program)) return [];
  const { words: given, values } = wordsOf(invocation, table);
  const named = values
    .filter(({ option }) => /^(--url|-connect|-h|--host)$/.test(option))
    .map(({ arg }) => arg);
  return [...given, ...named].flatMap(({ text }) => {
    const urls = urlsIn(text);
    if (urls.length > 0) return urls;
    const bare = BARE_HOST.exec(text);
    if (!bare || (COPIERS.test(program) && bare[2] !== ':')) return [];
    return TAIL.exec(bare[1] as string)?.[0] ?? [];
  });
}

const isInterpreter = (program: string): boolean =>
  INTERPRETERS.some((name) =>
    name.endsWith('*') ? program.startsWith(name.slice(0, -1)) : program === name,
  );

const urlsIn = (text: string): string[] =>
  [...text.matchAll(URL_HOST)].flatMap(([, host = '']) => TAIL.exec(host)?.[0] ?? []);

const LOCAL =
  /^(localhost|127(\.\d+){3}|0\.0\.0\.0|\[::1?\]|host\.docker\.internal|.*\.(localhost|local|test))$/;
/** Registries of packages and images, forges, and the services of models. What they get is judged as before. */
const PUBLIC = words(`
  github.com githubusercontent.com gitlab.com bitbucket.org codeberg.org npmjs.org npmjs.com yarnpkg.com jsr.io deno.land pypi.org
  pythonhosted.org anaconda.org conda.io crates.io rust-lang.org golang.org rubygems.org maven.org apache.org gradle.org nuget.org
  packagist.org hex.pm pub.dev docker.io docker.com ghcr.io quay.io gcr.io debian.org ubuntu.com alpinelinux.org
  fedoraproject.org homebrew.sh brew.sh api.anthropic.com api.openai.com generativelanguage.googleapis.com`);
/** Files of a project that name the hosts that it talks to: remotes, manifests and settings. */
const NAMING = words(`
  .git/config package.json pyproject.toml Cargo.toml composer.json Gemfile pom.xml .npmrc docker-compose.yml docker-compose.yaml
  compose.yml compose.yaml .env .env.example .env.local .env.development README.md`);

/** Whether a host is this machine or a public registry, or stands in the project's own files. */
export function isKnownHost(host: string, place: Surroundings): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  if (LOCAL.test(name) || PUBLIC.some((known) => name === known || name.endsWith(`.${known}`))) return true;
  const pattern = new RegExp(`(^|[^\\w-])${name.replace(/[.[\]]/g, '\\$&')}($|[^\\w.-]|\\.(\\W|$))`, 'i');
  return NAMING.some((file) => pattern.test(textOf(`${place.root}/${file}`, place)));
}

const KEEPING = words('.env .env.local .env.production .env.development .env.staging');
const SETTING =
  /^[ \t]*(?:export[ \t]+)?\w{0,60}(?:key|token|secret|passw|pass|credential|dsn|url|auth|private)\w{0,40}[ \t]*=[ \t]*["']?([^\s"'#]{8,500})/gim;
/** Folders in which the parts of a project of several have settings of their own. */
const PARTS = words('apps packages services');
const MAX_PARTS = 8;
const MAX_VALUES = 100;

/** Returns the secret values in the project's own settings, so that one which was read before is known again. */
export function secretValues(place: Surroundings): string[] {
  const folders = PARTS.flatMap((part) =>
    (place.list?.(`${place.root}/${part}`) ?? [])
      .filter(({ kind }) => kind === 'folder')
      .slice(0, MAX_PARTS)
      .map(({ name }) => `${place.root}/${part}/${name}`),
  );
  return [place.root, place.cwd, ...folders]
    .flatMap((folder) => KEEPING.map((file) => textOf(`${folder}/${file}`, place)))
    .flatMap((text) => [...text.matchAll(SETTING)])
    .map(([, value = '']) => /:\/\/[^:@/]*:([^@]+)@/.exec(value)?.[1] ?? value)
    .filter(
      (value) => value.length >= 8 && /\d/.test(value) && /[a-z]/i.test(value) && !/^\$|:\/\//.test(value),
    )
    .slice(0, MAX_VALUES);
}

/** Only the owner's files are read. */
function textOf(path: string, place: Surroundings): string {
  if (!place.list || !within(path, place.root)) return '';
  try {
    return place.read?.(path, 'quietly')?.text ?? '';
  } catch {
    return '';
  }
}
