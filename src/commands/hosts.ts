import { programs } from '../shell/lists.ts';
import { isInterpreter, words } from '../shell/names.ts';
import { textOrNothing } from '../shell/project-files.ts';
import type { Invocation } from '../shell/types.ts';
import { type Surroundings, within } from '../shell/zones.ts';
import { wordsOf } from './arguments.ts';
import type { Options } from './options.ts';

// Which hosts a command talks to, and which of them are known: this machine, registries and forges, and what the
// project's own files name.

/** Programs that send something to the host that their words name, as a URL or by itself. */
const TALKERS = programs('talkers');
/** Of the talkers, those whose words may also be files: a host needs a colon behind it. */
const COPIERS = programs('talkers-with-files');
/** Programs for which an address is a text like any other. All others may talk to the hosts of the URLs they are given. */
const KEEPS_TO_ITSELF = programs('keep-to-themselves');
/** Programs whose options may hold texts with addresses in them: only their words say where they connect. */
const TALKS_BY_WORDS = programs('talkers-by-words');
/** Programs that connect to the host behind `-h`. */
const DATABASES = programs('database-clients');
/** Programs that fetch images or modules by names that begin with a host. */
const BY_NAME = programs('fetch-by-name');
const NAMED_HOST = /^(?:[a-z-]+:\/{2})?((?:[\w-]+\.)+[a-z][a-z\d-]+)(?::\d+)?\/[\w@]/i;

const URL_HOST = /\b(?!sqlite\b|file\b)[a-z][a-z+]{1,9}:\/{2}(?:[^@/\s'"`]*@)?([^/:?#\s'"`]+)/gi;
const BARE_HOST = /^(?:TCP\d?:|UDP\d?:|SSL:|OPENSSL:)?(?:[^@\s/]*@)?([^\s/:?#@]*[\w)}]\.[\w-]+)(:|\/|\?|$)/i;
/** The end of a name that is known, whatever stands for the labels before it. */
const TAIL = /(?:[\w-]+\.)*[\w-]+\.[a-z][a-z\d-]+\.?$|\d+(?:\.\d+){3}$|^\[[\da-f:]+\]$|^localhost$/i;

/** Returns the hosts that a command talks to, as far as they are known. */
export function hostsOf(invocation: Invocation, table: Options): string[] {
  const { program, code, args } = invocation;
  if (code && isInterpreter(program)) return code.effects.includes('harmless') ? [] : urlsIn(code.text);
  if (KEEPS_TO_ITSELF.has(program)) return [];
  const mayName = args.some(({ text }) => /\w[.:]\S|@/.test(text));
  if (!mayName) return [];
  const { words: given, values } = wordsOf(invocation, table);
  const inUrls = (TALKS_BY_WORDS.has(program) ? given : args).flatMap(({ text }) => urlsIn(text));
  const named = (pattern: RegExp) =>
    values.filter(({ option }) => pattern.test(option)).flatMap(({ arg }) => bareHost(arg.text) ?? []);
  if (DATABASES.has(program)) return [...inUrls, ...named(/^(-h|--host)$/)];
  if (BY_NAME.has(program))
    return [...inUrls, ...given.flatMap(({ text }) => NAMED_HOST.exec(text)?.[1] ?? [])];
  if (!TALKERS.has(program)) return inUrls;
  const bare = given.flatMap(({ text }) => {
    if (urlsIn(text).length > 0 || (COPIERS.has(program) && !/^[^/]*\w:/.test(text))) return [];
    return bareHost(text) ?? [];
  });
  return [...inUrls, ...bare, ...named(/^(--url|-connect|-h|--host)$/)];
}

function bareHost(text: string): string | null {
  const [, host = ''] = BARE_HOST.exec(text) ?? [];
  return TAIL.exec(host)?.[0] ?? null;
}

const urlsIn = (text: string): string[] =>
  [...text.matchAll(URL_HOST)].flatMap(([, host = '']) => TAIL.exec(host)?.[0] ?? []);

const LOCAL =
  /^(localhost|127(\.\d+){3}|0\.0\.0\.0|\[::1?\]|host\.docker\.internal|.*\.(localhost|local|test))$/;
/** Registries of packages and images, forges, and the services of models. What they get is judged as before. */
const PUBLIC = words(`
  github.com githubusercontent.com gitlab.com bitbucket.org codeberg.org npmjs.org npmjs.com yarnpkg.com jsr.io deno.land pypi.org
  pythonhosted.org anaconda.org conda.io crates.io rust-lang.org golang.org rubygems.org maven.org apache.org gradle.org nuget.org
  packagist.org hex.pm pub.dev docker.io docker.com ghcr.io quay.io gcr.io mcr.microsoft.com public.ecr.aws registry.k8s.io debian.org ubuntu.com alpinelinux.org
  fedoraproject.org homebrew.sh brew.sh api.anthropic.com api.openai.com generativelanguage.googleapis.com`);
/** Files of a project that name the hosts that it talks to: remotes, manifests and settings. */
const NAMING = words(`
  .git/config package.json pyproject.toml Cargo.toml composer.json Gemfile pom.xml .npmrc docker-compose.yml docker-compose.yaml
  compose.yml compose.yaml .env .env.example .env.local .env.development README.md`);

/** What people look up: documentation, and the names that stand for any host in it. They hand nothing on to others. */
const REFERENCE = words(`
  python.org nodejs.org mozilla.org w3.org ietf.org rfc-editor.org whatwg.org schemastore.org json-schema.org go.dev gopkg.in
  uber.org k8s.io kubernetes.io ruby-lang.org php.net docs.rs kernel.org gnu.org postgresql.org sqlite.org wikipedia.org
  stackoverflow.com stackexchange.com typescriptlang.org react.dev vuejs.org tldp.org learn.microsoft.com
  swagger.io openapis.org rustup.rs astral.sh scoop.sh get.docker.com docs.oracle.com developer.apple.com developer.android.com swift.org scala-lang.org kotlinlang.org haskell.org elixir-lang.org`);
const REFERENCE_EXACTLY = new Set(
  words(`
    example.com www.example.com example.org www.example.org example.net www.example.net google.com www.google.com
    one.one.one.one 1.1.1.1 1.0.0.1 8.8.8.8 8.8.4.4 9.9.9.9`),
);

const isOf = (name: string, hosts: string[]): boolean =>
  hosts.some((known) => name === known || name.endsWith(`.${known}`));

/** Whether a host is this machine or a public registry, or stands in the project's own files. */
export function isKnownHost(host: string, place: Surroundings): boolean {
  const name = plainHost(host);
  if (LOCAL.test(name) || isOf(name, PUBLIC)) return true;
  const pattern = new RegExp(`(^|[^\\w-])${name.replace(/[.[\]]/g, '\\$&')}($|[^\\w.-]|\\.(\\W|$))`, 'i');
  return NAMING.some((file) => {
    const path = `${place.root}/${file}`;
    // what the session has written there was said by no person
    return !place.own?.written?.has(path) && pattern.test(textOf(path, place));
  });
}

/** Returns the hosts that a command talks to and that only a person can know. */
export const strangersOf = (invocation: Invocation, table: Options, place: Surroundings): string[] =>
  hostsOf(invocation, table)
    .map(plainHost)
    .filter((one) => isStranger(one, place));

/** Returns the name of a host as it is compared. */
export const plainHost = (host: string): string => host.toLowerCase().replace(/\.$/, '');

/** Addresses of a network of one's own, which nobody elsewhere can listen at. */
const PRIVATE = /^(10|172\.(1[6-9]|2\d|3[01])|192\.168)(\.\d+){2,3}$/;

const isStranger = (host: string, place: Surroundings): boolean =>
  !PRIVATE.test(host) && !REFERENCE_EXACTLY.has(host) && !isOf(host, REFERENCE) && !isKnownHost(host, place);

/** Only the owner's files are read. */
const textOf = (path: string, place: Surroundings): string =>
  place.list && within(path, place.root) ? textOrNothing(path, place, 'quietly') : '';
