// POST {command, cwd, root?} with a user's access token: what POST /v1/commands/check answers, as a Supabase Edge
// Function. By rules, and by the model where GEMINI_API_KEY is set; nothing is remembered.
import { securityCheck } from './app.ts';

declare const Deno: {
  env: { get(name: string): string | undefined };
  serve(handler: (request: Request) => Response | Promise<Response>): unknown;
};

/** All that it reads, so that it can be given no more. */
const NAMES = [
  'SUPABASE_JWKS',
  'SUPABASE_JWT_SECRET',
  'JWT_SECRET',
  'LORE_FAIL_MODE',
  'GEMINI_API_KEY',
  'GEMINI_MODEL',
  'GEMINI_BASE_URL',
  'GEMINI_DAILY_TOKENS',
];

const app = securityCheck(Object.fromEntries(NAMES.map((name) => [name, Deno.env.get(name)])));
Deno.serve((request) => app.fetch(request));
