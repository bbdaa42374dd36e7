import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { badFields, type FieldError } from './errors/problem.ts';
import './errors/zod-words.ts';
import { objectIn } from './text/json.ts';

const isOne = (wanted: string) => (given: string) => given === wanted;
const onOff = (usual: 'on' | 'off') => z.enum(['on', 'off']).default(usual).transform(isOne('on'));
const count = z.coerce.number().int().min(0);
const text = z.string().min(1);
const visible = (least: number) =>
  z
    .string()
    .regex(new RegExp(`^[\\x21-\\x7e]{${least},200}$`), `must be ${least} to 200 visible ASCII characters`);
const postgres = z.string().regex(/^postgres(ql)?:\/\//, 'must begin with postgres:// or postgresql://');
const url = z.url({ protocol: /^https?$/, error: 'must be an address that begins with http:// or https://' });
const address = url.transform((given) => given.replace(/\/+$/, ''));
const IS_SECRET = 'must be the public key: this one is secret, and pages would get it';
const NO_JWKS = 'must be JSON: the keys of /auth/v1/.well-known/jwks.json';
const isOrigin = (text: string): boolean =>
  !text.includes('*') && URL.canParse(text) && new URL(text).origin === text;

/** Exact origins: what a browser sends as `origin`. A pattern would let in who nobody thought of. */
const origins = z
  .string()
  .transform((text) => text.split(/[\s,]+/).filter((origin) => origin !== ''))
  .refine(
    (all) => all.every(isOrigin),
    'must be exact origins such as https://lore.example.com, separated by commas',
  );

/** Whether a key of a Supabase project is secret: nobody but servers may see it. */
const isSecretKey = (key: string): boolean =>
  key.startsWith('sb_secret_') ||
  objectIn(Buffer.from(key.split('.')[1] ?? '', 'base64url').toString())?.role === 'service_role';

/** The model of Gemini that is asked, unless GEMINI_MODEL names another. */
export const GEMINI_MODEL = 'gemini-3.5-flash-lite';
/** The model that the person's own Claude Code is asked for, unless LORE_MODEL_NAME names another. */
const CLAUDE_MODEL = 'haiku';

/** What a person may set: the variable, and what it must be. A name is what the rest of Lore calls it. */
const SERVER = {
  /** the data folder: embedded database, owner's key, journal; undefined: .lore in the person's home */
  home: ['LORE_HOME', text.optional()],
  host: ['LORE_HOST', text.default('127.0.0.1')],
  port: ['LORE_PORT', count.max(65_535).default(4747)],
  /** where others in the network reach it by https; undefined: not at all */
  tlsPort: ['LORE_TLS_PORT', count.min(1).max(65_535).optional()],
  /** the address at which clients (CLI, hooks) find the server; undefined: the port of this machine */
  url: ['LORE_URL', address.optional()],
  key: ['LORE_KEY', visible(20).optional()],
  /** keys the codes of verdicts; servers that share a database share it */
  secret: ['LORE_SECRET', visible(32).optional()],
  logLevel: ['LORE_LOG_LEVEL', z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('warn')],
  modelDir: ['LORE_MODEL_DIR', text.optional()],
  /** where Edge Functions, in which no model runs, get vectors */
  embeddingUrl: ['LORE_EMBEDDING_URL', url.optional()],
  embeddingKey: ['LORE_EMBEDDING_KEY', text.optional()],
  /** who knows it may start the Edge Functions that work behind the answers */
  wakeSecret: ['LORE_WAKE_SECRET', visible(32).optional()],
  /** answer a hook once it is in a file of the data folder, and store it in the database after the answer */
  journal: ['LORE_JOURNAL', onOff('on')],
  /** wait until the disk has what is acknowledged, so that a loss of power takes nothing back */
  sync: ['LORE_SYNC', onOff('off')],
  /** deny shell commands that could not be judged, instead of leaving the decision to the client */
  failClosed: ['LORE_FAIL_MODE', z.enum(['open', 'closed']).default('open').transform(isOne('closed'))],
  /** hold a call once if a lesson that a person told, or that has proved itself, is about it */
  hold: ['LORE_HOLD', onOff('on')],
  /** do not take what a process of an agent sends for a person's prompt (only on Linux, and on this machine) */
  checkSender: ['LORE_CHECK_SENDER', onOff('on')],
  /** share of sessions (0–1) that are offered nothing, so that the others can be compared with them */
  holdout: ['LORE_HOLDOUT', z.coerce.number().min(0).max(1).default(0)],
  /** the largest number of tokens that one hook answer may add to the agent's context */
  injectTokens: ['LORE_INJECT_TOKENS', count.min(100).max(2500).default(800)],
  /** show the agent an extract of a shell command's long output, and keep the output */
  mask: ['LORE_MASK', onOff('off')],
  /** outputs above this many characters are masked */
  maskChars: ['LORE_MASK_CHARS', count.min(1000).max(1_000_000).default(8000)],
  /** most bytes of tool outputs (deflated) that are stored for a user in a UTC day */
  dailyOutputBytes: [
    'LORE_OUTPUT_DAILY_MB',
    count
      .max(1_000_000)
      .default(200)
      .transform((mb) => mb * 1e6),
  ],
  /** whether a copy of an embedded database is made each day */
  backup: ['LORE_BACKUP', onOff('on')],
  /** origins of push services of the person's own, which may be in their network, and need no https */
  pushServices: ['LORE_PUSH_SERVICES', origins.default([])],
  /** raw events and checks of commands are deleted after this many days; 0: never */
  retentionDays: ['LORE_RETENTION_DAYS', count.max(36_500).default(90)],
  /** a plan's step is free again if its agent was silent for this many seconds, unless its claim says otherwise */
  stepLeaseSeconds: ['LORE_STEP_LEASE_SECONDS', count.min(1).max(86_400).default(900)],
  /** Claude Code's own folder, in which the transcripts of its projects lie; undefined: .claude in the person's home */
  clientFolder: ['CLAUDE_CONFIG_DIR', text.optional()],
  databaseUrl: ['DATABASE_URL', postgres.optional()],
  /** connects as the role that owns Lore's tables, to migrate and to make indexes, if `databaseUrl` does not */
  migrateUrl: ['LORE_MIGRATE_URL', postgres.optional()],
  /** hears notifications, where `databaseUrl` leads through a transaction pooler, which passes none on */
  listenUrl: ['LORE_LISTEN_URL', postgres.optional()],
  /** where the page may be besides at this server: browsers let pages of these origins ask it */
  pageOrigins: ['LORE_PAGE_ORIGINS', origins.default([])],
} as const;

const SUPABASE = {
  /** the project with whose Auth people sign in, and whose Realtime clients connect to; with its public key */
  url: ['SUPABASE_URL', address.optional()],
  anonKey: ['SUPABASE_ANON_KEY', text.refine((key) => !isSecretKey(key), IS_SECRET).optional()],
  /** signs access tokens, also those of Auth where its older secret is in use; undefined: one in the data folder does */
  jwtSecret: ['SUPABASE_JWT_SECRET', z.string().min(32).optional()],
  /** the keys that sign Auth's tokens, as JSON; undefined: they are fetched */
  jwks: ['SUPABASE_JWKS', text.refine((keys) => objectIn(`{"keys":${keys}}`) !== null, NO_JWKS).optional()],
  /** what Auth calls itself in tokens, if not by `url` */
  issuer: ['SUPABASE_JWT_ISSUER', text.optional()],
} as const;

/** The language model: who is asked, and how much. */
const MODEL = {
  /** undefined: Gemini if there is a key, else `openai` if there is an address, else Claude Code if its owner agreed */
  choice: ['LORE_MODEL', z.enum(['claude', 'gemini', 'openai', 'none']).optional()],
  url: ['LORE_MODEL_URL', url.optional()],
  name: ['LORE_MODEL_NAME', text.max(200).optional()],
  key: ['LORE_MODEL_KEY', text.optional()],
  timeoutMs: ['LORE_MODEL_TIMEOUT_MS', count.min(1).max(110_000).optional()],
  /** tokens (input and output) and calls per user and UTC day; undefined calls: as many as usual for the provider */
  dailyTokens: ['LORE_MODEL_DAILY_TOKENS', count.default(500_000)],
  dailyCalls: ['LORE_MODEL_DAILY_CALLS', count.optional()],
  geminiKey: ['GEMINI_API_KEY', text.optional()],
  gemini: ['GEMINI_MODEL', text.default(GEMINI_MODEL)],
  geminiUrl: ['GEMINI_BASE_URL', url.optional()],
} as const;

type Table = Record<string, readonly [variable: string, schema: z.ZodType]>;
type Read<T extends Table> = { [K in keyof T]: z.output<T[K][1]> };

/** Variables that say nothing without another one. */
const NEEDS = [
  ['SUPABASE_JWKS', 'SUPABASE_URL'],
  ['SUPABASE_JWT_ISSUER', 'SUPABASE_URL'],
  ['LORE_MIGRATE_URL', 'DATABASE_URL'],
  ['LORE_LISTEN_URL', 'DATABASE_URL'],
  ['LORE_MODEL_URL', 'LORE_MODEL_NAME'],
  ['LORE_MODEL=gemini', 'GEMINI_API_KEY'],
  ['LORE_MODEL=openai', 'LORE_MODEL_URL'],
] as const;

/** The environment variables that a server is configured by. */
export const VARIABLES = [SERVER, SUPABASE, MODEL].flatMap((table: Table) =>
  Object.values(table).map(([variable]) => variable),
);

export type Config = ReturnType<typeof readConfig>;

/**
 * Returns the whole configuration, read from environment variables and validated. An empty variable counts as unset.
 *
 * @param person where their home is, and what relative paths begin at
 * @throws Problem (400) that names every wrong variable and says what it must be
 */
export function readConfig(
  env: Record<string, string | undefined>,
  person = { home: homedir(), cwd: process.cwd() },
) {
  const errors: FieldError[] = [];
  const read = <T extends Table>(table: T): Read<T> => {
    const values = Object.entries(table).map(([name, [field, schema]]) => {
      const { data, error } = schema.safeParse(env[field] || undefined);
      for (const { message } of error?.issues ?? []) errors.push({ field, message });
      return [name, data];
    });
    return Object.fromEntries(values);
  };
  const [own, supabase, { url: modelUrl, name, key, timeoutMs, geminiKey, gemini, geminiUrl, ...model }] = [
    read(SERVER),
    read(SUPABASE),
    read(MODEL),
  ];
  for (const [given, field] of NEEDS) {
    const [variable = '', value] = given.split('=');
    if (env[variable] && (value ?? env[variable]) === env[variable] && !env[field])
      errors.push({ field, message: `must be set with ${given}` });
  }
  if (errors.length > 0) throw badFields(errors, 'Bad configuration');
  const other = timeoutMs ?? 60_000;
  return {
    ...own,
    home: resolve(person.cwd, own.home ?? join(person.home, '.lore')),
    url: own.url ?? `http://127.0.0.1:${own.port}`,
    modelDir: own.modelDir && resolve(person.cwd, own.modelDir),
    clientFolder: own.clientFolder ?? join(person.home, '.claude'),
    supabase,
    model: {
      ...model,
      timeoutMs: { gemini: timeoutMs ?? 20_000, other },
      gemini: { apiKey: geminiKey, model: gemini, baseUrl: geminiUrl },
      /** an endpoint that speaks OpenAI's protocol; null: none */
      openai: modelUrl && name ? { url: modelUrl, model: name, key } : null,
      claude: { model: (model.choice === 'claude' && name) || CLAUDE_MODEL, timeoutMs: other },
    },
  };
}
