// A Supabase Edge Function that answers POST {command, cwd, root?}, sent with a user's access token, like the server's
// POST /v1/commands/check. It judges by rules, and by the model if GEMINI_API_KEY is set. It remembers nothing.
import { securityCheck } from './app.ts';

declare const Deno: {
  env: { get(name: string): string | undefined };
  serve(handler: (request: Request) => Response | Promise<Response>): unknown;
};

/** All environment variables that it reads, so that it needs permission for these alone. */
const NAMES = [
  'SUPABASE_JWKS',
  'SUPABASE_URL',
  'SUPABASE_ANON_KEY',
  'SUPABASE_JWT_SECRET',
  'JWT_SECRET',
  'LORE_FAIL_MODE',
  'LORE_SECRET',
  'GEMINI_API_KEY',
  'GEMINI_MODEL',
  'GEMINI_BASE_URL',
  'GEMINI_DAILY_TOKENS',
  'LORE_MODEL_DAILY_TOKENS',
];

const app = securityCheck(Object.fromEntries(NAMES.map((name) => [name, Deno.env.get(name)])));
Deno.serve((request) => app.fetch(request));
