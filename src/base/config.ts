import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { Problem } from './errors/problem.ts';

const port = z.coerce.number().int().min(0).max(65_535);
const count = z.coerce.number().int().min(0);
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

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}

/** Whether a key of a Supabase project is secret: nobody but servers may see it. */
function isSecretKey(key: string): boolean {
  if (key.startsWith('sb_secret_')) return true;
  try {
    return (
      JSON.parse(atob((key.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/'))).role ===
      'service_role'
    );
  } catch {
    return false;
  }
}

/** The model of Gemini that is asked, unless GEMINI_MODEL names another. */
export const GEMINI_MODEL = 'gemini-3.5-flash-lite';
/** The model that the person's own Claude Code is asked for, unless LORE_MODEL_NAME names another. */
const CLAUDE_MODEL = 'haiku';

const Environment = z
  .object({
    LORE_HOME: z.string().min(1).optional(),
    LORE_HOST: z.string().min(1).default('127.0.0.1'),
    LORE_PORT: port.default(4747),
    LORE_URL: url.optional(),
    LORE_KEY: z
      .string()
      .regex(/^[\x21-\x7e]{20,200}$/, 'must be 20 to 200 visible ASCII characters')
      .optional(),
    LORE_SECRET: z
      .string()
      .regex(/^[\x21-\x7e]{32,200}$/, 'must be 32 to 200 visible ASCII characters')
      .optional(),
    LORE_LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('warn'),
    LORE_MODEL_DIR: z.string().min(1).optional(),
    LORE_MODEL_HUB: url.optional(),
    LORE_EMBEDDING_MODEL: z
      .string()
      .regex(/^\w[\w.-]*\/\w[\w.-]*$/, 'must be a name on the hub such as Xenova/all-MiniLM-L6-v2')
      .optional(),
    LORE_EMBEDDING_URL: url.optional(),
    LORE_EMBEDDING_KEY: z.string().min(1).optional(),
    LORE_WAKE_SECRET: z
      .string()
      .regex(/^[\x21-\x7e]{32,200}$/, 'must be 32 to 200 visible ASCII characters')
      .optional(),
    LORE_JOURNAL: z.enum(['on', 'off']).default('on'),
    LORE_SYNC: z.enum(['on', 'off']).default('off'),
    LORE_FAIL_MODE: z.enum(['open', 'closed']).default('open'),
    LORE_HOLD: z.enum(['on', 'off']).default('on'),
    LORE_CHECK_SENDER: z.enum(['on', 'off']).default('on'),
    LORE_HOLDOUT: z.coerce.number().min(0).max(1).default(0),
    LORE_INJECT_TOKENS: z.coerce.number().int().min(100).max(2500).default(800),
    LORE_MASK: z.enum(['on', 'off']).default('off'),
    LORE_MASK_CHARS: z.coerce.number().int().min(1000).max(1_000_000).default(8000),
    LORE_OUTPUT_DAILY_MB: z.coerce.number().int().min(0).max(1_000_000).default(200),
    LORE_BACKUP: z.enum(['on', 'off']).default('on'),
    LORE_PUSH_SERVICES: origins.default([]),
    LORE_RETENTION_DAYS: z.coerce.number().int().min(0).max(36_500).default(90),
    LORE_STEP_LEASE_SECONDS: z.coerce.number().int().min(1).max(86_400).default(900),
    CLAUDE_CONFIG_DIR: z.string().min(1).optional(),
    DATABASE_URL: z
      .string()
      .regex(/^postgres(ql)?:\/\//, 'must begin with postgres:// or postgresql://')
      .optional(),
    LORE_MIGRATE_URL: z
      .string()
      .regex(/^postgres(ql)?:\/\//, 'must begin with postgres:// or postgresql://')
      .optional(),
    LORE_LISTEN_URL: z
      .string()
      .regex(/^postgres(ql)?:\/\//, 'must begin with postgres:// or postgresql://')
      .optional(),
    SUPABASE_URL: url.optional(),
    LORE_PAGE_ORIGINS: origins.optional(),
    SUPABASE_ANON_KEY: z
      .string()
      .min(1)
      .refine(
        (key) => !isSecretKey(key),
        'must be the public key: this one is secret, and pages would get it',
      )
      .optional(),
    SUPABASE_JWKS: z
      .string()
      .refine(isJson, 'must be JSON: the keys of /auth/v1/.well-known/jwks.json')
      .optional(),
    SUPABASE_JWT_ISSUER: z.string().min(1).optional(),
    SUPABASE_JWT_SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
    LORE_MODEL: z.enum(['claude', 'gemini', 'openai', 'none']).optional(),
    LORE_MODEL_URL: url.optional(),
    LORE_MODEL_NAME: z.string().min(1).max(200).optional(),
    LORE_MODEL_KEY: z.string().min(1).optional(),
    LORE_MODEL_TIMEOUT_MS: count.min(1).max(110_000).optional(),
    LORE_MODEL_DAILY_TOKENS: count.optional(),
    LORE_MODEL_DAILY_CALLS: count.optional(),
    GEMINI_API_KEY: z.string().min(1).optional(),
    GEMINI_MODEL: z.string().min(1).default(GEMINI_MODEL),
    GEMINI_BASE_URL: url.optional(),
    // what these two were called until 0.3.0; a budget that somebody set still holds
  })
  .check(({ value: e, issues }) => {
    const wanted = (field: keyof typeof e, why: string) => {
      if (e[field] === undefined)
        issues.push({ code: 'custom', input: undefined, path: [field], message: `must be set ${why}` });
    };
    if (e.LORE_MODEL === 'gemini') wanted('GEMINI_API_KEY', 'with LORE_MODEL=gemini');
    if (e.LORE_MODEL === 'openai') wanted('LORE_MODEL_URL', 'with LORE_MODEL=openai');
    if (e.SUPABASE_JWKS !== undefined) wanted('SUPABASE_URL', 'with SUPABASE_JWKS');
    if (e.SUPABASE_JWT_ISSUER !== undefined) wanted('SUPABASE_URL', 'with SUPABASE_JWT_ISSUER');
    if (e.LORE_MIGRATE_URL !== undefined) wanted('DATABASE_URL', 'with LORE_MIGRATE_URL');
    if (e.LORE_LISTEN_URL !== undefined) wanted('DATABASE_URL', 'with LORE_LISTEN_URL');
    if (e.LORE_MODEL_URL !== undefined) wanted('LORE_MODEL_NAME', 'with LORE_MODEL_URL');
  });

/** The environment variables that a server is configured by. */
export const VARIABLES = Object.keys(Environment.shape);

export type Config = {
  /** the data folder: embedded database, owner's key, models, journal */
  home: string;
  host: string;
  port: number;
  /** the address at which clients (CLI, hooks) find the server */
  url: string;
  key: string | undefined;
  /** keys the codes of verdicts; servers that share a database share it */
  secret: string | undefined;
  logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  modelDir: string | undefined;
  modelHub: string | undefined;
  /** name of the embedding model on the hub; undefined: the usual one */
  embeddingModel: string | undefined;
  /** where Edge Functions get vectors of that model, by OpenAI's protocol, and its key; undefined: they search by words */
  embeddingUrl: string | undefined;
  embeddingKey: string | undefined;
  /** who knows it may start the Edge Functions that work behind the answers */
  wakeSecret: string | undefined;
  /** the largest number of tokens that one hook answer may add to the agent's context */
  injectTokens: number;
  /** do not take what a process of an agent sends for a person's prompt (only on Linux, and on this machine) */
  checkSender: boolean;
  /** hold a call once if a lesson that a person told, or that has proved itself, is about it */
  hold: boolean;
  /** share of sessions (0–1) that are offered nothing, so that the others can be compared with them */
  holdout: number;
  /** show the agent an extract of a shell command's long output, and keep the output */
  mask: boolean;
  /** outputs above this many characters are masked */
  maskChars: number;
  /** most bytes of tool outputs (deflated) that are stored for a user in a UTC day */
  dailyOutputBytes: number;
  /** raw events and checks of commands are deleted after this many days; 0: never */
  /** whether a copy of an embedded database is made each day */
  backup: boolean;
  retentionDays: number;
  /**
   * a plan's step is free again if its agent was silent for this many seconds, unless its claim says
   * otherwise
   */
  stepLeaseSeconds: number;
  /** answer a hook once it is in a file of the data folder, and store it in the database after the answer */
  journal: boolean;
  /** wait until the disk has what is acknowledged, so that a loss of power takes nothing back */
  sync: boolean;
  /** Claude Code's own folder; the transcripts of its projects lie there */
  clientFolder: string;
  /** deny shell commands that could not be judged, instead of leaving the decision to the client */
  failClosed: boolean;
  databaseUrl: string | undefined;
  /** connects as the role that owns Lore's tables, to migrate and to make indexes, if `databaseUrl` does not */
  migrateUrl: string | undefined;
  /** hears notifications, where `databaseUrl` leads through a transaction pooler, which passes none on */
  listenUrl: string | undefined;
  /** origins of push services of the person's own, which may be in their network, and need no https */
  pushServices: string[];
  /** where the page may be besides at this server: browsers let pages of these origins ask it */
  pageOrigins: string[];
  supabase: {
    /** the project with whose Auth people sign in, and whose Realtime clients connect to; with its public key */
    url: string | undefined;
    anonKey: string | undefined;
    /** signs access tokens, also those of Auth where its older secret is in use; undefined: one in the data folder does */
    jwtSecret: string | undefined;
    /** the keys that sign Auth's tokens, as JSON; undefined: they are fetched */
    jwks: string | undefined;
    /** what Auth calls itself in tokens, if not by `url` */
    issuer: string | undefined;
  };
  /** the language model: who is asked, and how much */
  model: {
    /** undefined: Gemini if there is a key, else `openai` if there is an address, else Claude Code if its owner agreed */
    choice: 'claude' | 'gemini' | 'openai' | 'none' | undefined;
    /** tokens (input and output) and calls per user and UTC day; undefined calls: as many as usual for the provider */
    dailyTokens: number;
    dailyCalls: number | undefined;
    timeoutMs: { gemini: number; other: number };
    gemini: { apiKey: string | undefined; model: string; baseUrl: string | undefined };
    /** an endpoint that speaks OpenAI's protocol; null: none */
    openai: { url: string; model: string; key: string | undefined } | null;
    claude: { model: string; timeoutMs: number };
  };
};

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
  const e = parsed.data;
  return {
    home: resolve(person.cwd, e.LORE_HOME ?? join(person.home, '.lore')),
    host: e.LORE_HOST,
    port: e.LORE_PORT,
    url: (e.LORE_URL ?? `http://127.0.0.1:${e.LORE_PORT}`).replace(/\/+$/, ''),
    key: e.LORE_KEY,
    secret: e.LORE_SECRET,
    logLevel: e.LORE_LOG_LEVEL,
    modelDir: e.LORE_MODEL_DIR === undefined ? undefined : resolve(person.cwd, e.LORE_MODEL_DIR),
    modelHub: e.LORE_MODEL_HUB,
    embeddingModel: e.LORE_EMBEDDING_MODEL,
    embeddingUrl: e.LORE_EMBEDDING_URL,
    embeddingKey: e.LORE_EMBEDDING_KEY,
    wakeSecret: e.LORE_WAKE_SECRET,
    injectTokens: e.LORE_INJECT_TOKENS,
    hold: e.LORE_HOLD === 'on',
    checkSender: e.LORE_CHECK_SENDER === 'on',
    holdout: e.LORE_HOLDOUT,
    mask: e.LORE_MASK === 'on',
    maskChars: e.LORE_MASK_CHARS,
    dailyOutputBytes: e.LORE_OUTPUT_DAILY_MB * 1_000_000,
    backup: e.LORE_BACKUP === 'on',
    retentionDays: e.LORE_RETENTION_DAYS,
    stepLeaseSeconds: e.LORE_STEP_LEASE_SECONDS,
    journal: e.LORE_JOURNAL === 'on',
    sync: e.LORE_SYNC === 'on',
    failClosed: e.LORE_FAIL_MODE === 'closed',
    clientFolder: e.CLAUDE_CONFIG_DIR ?? join(person.home, '.claude'),
    databaseUrl: e.DATABASE_URL,
    migrateUrl: e.LORE_MIGRATE_URL,
    listenUrl: e.LORE_LISTEN_URL,
    pushServices: e.LORE_PUSH_SERVICES,
    pageOrigins: e.LORE_PAGE_ORIGINS ?? [],
    supabase: {
      url: e.SUPABASE_URL?.replace(/\/+$/, ''),
      anonKey: e.SUPABASE_ANON_KEY,
      jwtSecret: e.SUPABASE_JWT_SECRET,
      jwks: e.SUPABASE_JWKS,
      issuer: e.SUPABASE_JWT_ISSUER,
    },
    model: modelOf(e),
  };
}

function modelOf(e: z.infer<typeof Environment>): Config['model'] {
  const other = e.LORE_MODEL_TIMEOUT_MS ?? 60_000;
  const { LORE_MODEL_URL: url, LORE_MODEL_NAME: name } = e;
  return {
    choice: e.LORE_MODEL,
    dailyTokens: e.LORE_MODEL_DAILY_TOKENS ?? 500_000,
    dailyCalls: e.LORE_MODEL_DAILY_CALLS,
    timeoutMs: { gemini: e.LORE_MODEL_TIMEOUT_MS ?? 20_000, other },
    gemini: { apiKey: e.GEMINI_API_KEY, model: e.GEMINI_MODEL, baseUrl: e.GEMINI_BASE_URL },
    openai: url && name ? { url, model: name, key: e.LORE_MODEL_KEY } : null,
    claude: { model: (e.LORE_MODEL === 'claude' && name) || CLAUDE_MODEL, timeoutMs: other },
  };
}
