import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { Problem } from './errors/problem.ts';
import { objectIn } from './text/json.ts';

const integer = z.coerce.number().int();
const count = integer.min(0);
const onOff = z.enum(['on', 'off']);
const text = z.string().min(1);
const visible = (least: number) =>
  z
    .string()
    .regex(new RegExp(`^[\\x21-\\x7e]{${least},200}$`), `must be ${least} to 200 visible ASCII characters`);
const postgres = z.string().regex(/^postgres(ql)?:\/\//, 'must begin with postgres:// or postgresql://');
const url = z.url({ protocol: /^https?$/ });
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

/** Variables that say nothing without another one. */
const NEEDS = [
  ['SUPABASE_JWKS', 'SUPABASE_URL'],
  ['SUPABASE_JWT_ISSUER', 'SUPABASE_URL'],
  ['LORE_MIGRATE_URL', 'DATABASE_URL'],
  ['LORE_LISTEN_URL', 'DATABASE_URL'],
  ['LORE_MODEL_URL', 'LORE_MODEL_NAME'],
] as const;

const Environment = z
  .object({
    LORE_HOME: text.optional(),
    LORE_HOST: text.default('127.0.0.1'),
    LORE_PORT: count.max(65_535).default(4747),
    LORE_TLS_PORT: count.min(1).max(65_535).optional(),
    LORE_URL: url.optional(),
    LORE_KEY: visible(20).optional(),
    LORE_SECRET: visible(32).optional(),
    LORE_LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('warn'),
    LORE_MODEL_DIR: text.optional(),
    LORE_EMBEDDING_URL: url.optional(),
    LORE_EMBEDDING_KEY: text.optional(),
    LORE_WAKE_SECRET: visible(32).optional(),
    LORE_JOURNAL: onOff.default('on'),
    LORE_SYNC: onOff.default('off'),
    LORE_FAIL_MODE: z.enum(['open', 'closed']).default('open'),
    LORE_HOLD: onOff.default('on'),
    LORE_CHECK_SENDER: onOff.default('on'),
    LORE_HOLDOUT: z.coerce.number().min(0).max(1).default(0),
    LORE_INJECT_TOKENS: integer.min(100).max(2500).default(800),
    LORE_MASK: onOff.default('off'),
    LORE_MASK_CHARS: integer.min(1000).max(1_000_000).default(8000),
    LORE_OUTPUT_DAILY_MB: integer.min(0).max(1_000_000).default(200),
    LORE_BACKUP: onOff.default('on'),
    LORE_PUSH_SERVICES: origins.default([]),
    LORE_RETENTION_DAYS: integer.min(0).max(36_500).default(90),
    LORE_STEP_LEASE_SECONDS: integer.min(1).max(86_400).default(900),
    CLAUDE_CONFIG_DIR: text.optional(),
    DATABASE_URL: postgres.optional(),
    LORE_MIGRATE_URL: postgres.optional(),
    LORE_LISTEN_URL: postgres.optional(),
    SUPABASE_URL: url.optional(),
    LORE_PAGE_ORIGINS: origins.default([]),
    SUPABASE_ANON_KEY: text
      .refine(
        (key) => !isSecretKey(key),
        'must be the public key: this one is secret, and pages would get it',
      )
      .optional(),
    SUPABASE_JWKS: z
      .string()
      .refine(
        (text) => objectIn(`{"keys":${text}}`) !== null,
        'must be JSON: the keys of /auth/v1/.well-known/jwks.json',
      )
      .optional(),
    SUPABASE_JWT_ISSUER: text.optional(),
    SUPABASE_JWT_SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
    LORE_MODEL: z.enum(['claude', 'gemini', 'openai', 'none']).optional(),
    LORE_MODEL_URL: url.optional(),
    LORE_MODEL_NAME: text.max(200).optional(),
    LORE_MODEL_KEY: text.optional(),
    LORE_MODEL_TIMEOUT_MS: count.min(1).max(110_000).optional(),
    LORE_MODEL_DAILY_TOKENS: count.default(500_000),
    LORE_MODEL_DAILY_CALLS: count.optional(),
    GEMINI_API_KEY: text.optional(),
    GEMINI_MODEL: text.default(GEMINI_MODEL),
    GEMINI_BASE_URL: url.optional(),
  })
  .check(({ value: e, issues }) => {
    const wanted = (field: keyof typeof e, why: string) => {
      if (e[field] === undefined)
        issues.push({ code: 'custom', input: undefined, path: [field], message: `must be set with ${why}` });
    };
    if (e.LORE_MODEL === 'gemini') wanted('GEMINI_API_KEY', 'LORE_MODEL=gemini');
    if (e.LORE_MODEL === 'openai') wanted('LORE_MODEL_URL', 'LORE_MODEL=openai');
    for (const [given, needs] of NEEDS) if (e[given] !== undefined) wanted(needs, given);
  });

/** The environment variables that a server is configured by. */
export const VARIABLES = Object.keys(Environment.shape);

export type Config = ReturnType<typeof configOf>;

/**
 * Returns the whole configuration, read from environment variables and validated. An empty variable counts as unset.
 *
 * @param person where their home is, and what relative paths begin at
 * @throws Problem (400) that names every wrong variable and says what it must be
 */
export function readConfig(
  env: Record<string, string | undefined>,
  person = { home: homedir(), cwd: process.cwd() },
): Config {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = Environment.safeParse(set);
  if (!parsed.success) {
    const errors = parsed.error.issues.map((issue) => ({
      field: issue.path.join('.'),
      message: issue.message,
    }));
    throw new Problem({
      status: 400,
      title: 'Bad configuration',
      detail: errors.map((e) => `${e.field}: ${e.message}`).join('; '),
      errors,
    });
  }
  return configOf(parsed.data, person);
}

function configOf(e: z.infer<typeof Environment>, person: { home: string; cwd: string }) {
  return {
    /** the data folder: embedded database, owner's key, journal */
    home: resolve(person.cwd, e.LORE_HOME ?? join(person.home, '.lore')),
    host: e.LORE_HOST,
    port: e.LORE_PORT,
    /** where others in the network reach it by https; undefined: not at all */
    tlsPort: e.LORE_TLS_PORT,
    /** the address at which clients (CLI, hooks) find the server */
    url: (e.LORE_URL ?? `http://127.0.0.1:${e.LORE_PORT}`).replace(/\/+$/, ''),
    key: e.LORE_KEY,
    /** keys the codes of verdicts; servers that share a database share it */
    secret: e.LORE_SECRET,
    logLevel: e.LORE_LOG_LEVEL,
    modelDir: e.LORE_MODEL_DIR === undefined ? undefined : resolve(person.cwd, e.LORE_MODEL_DIR),
    /** where Edge Functions, in which no model runs, get vectors */
    embeddingUrl: e.LORE_EMBEDDING_URL,
    embeddingKey: e.LORE_EMBEDDING_KEY,
    /** who knows it may start the Edge Functions that work behind the answers */
    wakeSecret: e.LORE_WAKE_SECRET,
    /** the largest number of tokens that one hook answer may add to the agent's context */
    injectTokens: e.LORE_INJECT_TOKENS,
    /** hold a call once if a lesson that a person told, or that has proved itself, is about it */
    hold: e.LORE_HOLD === 'on',
    /** do not take what a process of an agent sends for a person's prompt (only on Linux, and on this machine) */
    checkSender: e.LORE_CHECK_SENDER === 'on',
    /** share of sessions (0–1) that are offered nothing, so that the others can be compared with them */
    holdout: e.LORE_HOLDOUT,
    /** show the agent an extract of a shell command's long output, and keep the output */
    mask: e.LORE_MASK === 'on',
    /** outputs above this many characters are masked */
    maskChars: e.LORE_MASK_CHARS,
    /** most bytes of tool outputs (deflated) that are stored for a user in a UTC day */
    dailyOutputBytes: e.LORE_OUTPUT_DAILY_MB * 1_000_000,
    /** whether a copy of an embedded database is made each day */
    backup: e.LORE_BACKUP === 'on',
    /** raw events and checks of commands are deleted after this many days; 0: never */
    retentionDays: e.LORE_RETENTION_DAYS,
    /** a plan's step is free again if its agent was silent for this many seconds, unless its claim says otherwise */
    stepLeaseSeconds: e.LORE_STEP_LEASE_SECONDS,
    /** answer a hook once it is in a file of the data folder, and store it in the database after the answer */
    journal: e.LORE_JOURNAL === 'on',
    /** wait until the disk has what is acknowledged, so that a loss of power takes nothing back */
    sync: e.LORE_SYNC === 'on',
    /** deny shell commands that could not be judged, instead of leaving the decision to the client */
    failClosed: e.LORE_FAIL_MODE === 'closed',
    /** Claude Code's own folder; the transcripts of its projects lie there */
    clientFolder: e.CLAUDE_CONFIG_DIR ?? join(person.home, '.claude'),
    databaseUrl: e.DATABASE_URL,
    /** connects as the role that owns Lore's tables, to migrate and to make indexes, if `databaseUrl` does not */
    migrateUrl: e.LORE_MIGRATE_URL,
    /** hears notifications, where `databaseUrl` leads through a transaction pooler, which passes none on */
    listenUrl: e.LORE_LISTEN_URL,
    /** origins of push services of the person's own, which may be in their network, and need no https */
    pushServices: e.LORE_PUSH_SERVICES,
    /** where the page may be besides at this server: browsers let pages of these origins ask it */
    pageOrigins: e.LORE_PAGE_ORIGINS,
    supabase: {
      /** the project with whose Auth people sign in, and whose Realtime clients connect to; with its public key */
      url: e.SUPABASE_URL?.replace(/\/+$/, ''),
      anonKey: e.SUPABASE_ANON_KEY,
      /** signs access tokens, also those of Auth where its older secret is in use; undefined: one in the data folder does */
      jwtSecret: e.SUPABASE_JWT_SECRET,
      /** the keys that sign Auth's tokens, as JSON; undefined: they are fetched */
      jwks: e.SUPABASE_JWKS,
      /** what Auth calls itself in tokens, if not by `url` */
      issuer: e.SUPABASE_JWT_ISSUER,
    },
    model: modelOf(e),
  };
}

/** The language model: who is asked, and how much. */
function modelOf(e: z.infer<typeof Environment>) {
  const other = e.LORE_MODEL_TIMEOUT_MS ?? 60_000;
  const { LORE_MODEL_URL: url, LORE_MODEL_NAME: name } = e;
  return {
    /** undefined: Gemini if there is a key, else `openai` if there is an address, else Claude Code if its owner agreed */
    choice: e.LORE_MODEL,
    /** tokens (input and output) and calls per user and UTC day; undefined calls: as many as usual for the provider */
    dailyTokens: e.LORE_MODEL_DAILY_TOKENS,
    dailyCalls: e.LORE_MODEL_DAILY_CALLS,
    timeoutMs: { gemini: e.LORE_MODEL_TIMEOUT_MS ?? 20_000, other },
    gemini: { apiKey: e.GEMINI_API_KEY, model: e.GEMINI_MODEL, baseUrl: e.GEMINI_BASE_URL },
    /** an endpoint that speaks OpenAI's protocol; null: none */
    openai: url && name ? { url, model: name, key: e.LORE_MODEL_KEY } : null,
    claude: { model: (e.LORE_MODEL === 'claude' && name) || CLAUDE_MODEL, timeoutMs: other },
  };
}
