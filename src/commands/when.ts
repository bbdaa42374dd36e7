import { z } from 'zod';
import { EFFECTS } from '../shell/types.ts';
import { ZONES } from '../shell/zones.ts';

// The conditions of rules. policy/README.md explains each of them, and the form of the files that they stand in.

const list = z.array(z.string().min(1)).min(1);
const words = list.optional();
const zones = z.array(z.enum(ZONES)).min(1).optional();
const pattern = z.string().refine(isRegex, 'must be a regular expression').optional();
const count = z.number().int().optional();

function isRegex(source: string): boolean {
  try {
    return source.length <= 5000 && new RegExp(source, 'i') instanceof RegExp;
  } catch {
    return false;
  }
}

export const When = z.strictObject({
  program: words,
  notProgram: words,
  sub: words,
  flags: z.array(list).optional(),
  notFlags: words,
  arg: pattern,
  notArg: pattern,
  everyArg: pattern,
  line: pattern,
  notLine: pattern,
  known: z.literal(true).optional(),
  zone: zones,
  within: zones,
  orRemote: z.literal(true).optional(),
  paths: z.enum(['all', 'first', 'rest', 'last', 'none']).optional(),
  script: pattern,
  path: pattern,
  writes: zones,
  writesTo: pattern,
  runs: zones,
  remote: z.boolean().optional(),
  open: z.boolean().optional(),
  input: z.enum(['secret', 'pipe', 'text', 'plain']).optional(),
  stdin: pattern,
  from: pattern,
  notFrom: pattern,
  executes: pattern,
  code: z.array(z.enum(EFFECTS)).optional(),
  verbs: pattern,
  notVerbs: pattern,
  via: words,
  notVia: words,
  env: pattern,
  notEnv: pattern,
  signals: z.array(z.enum(['lore', 'unknown'])).optional(),
  reaches: z.array(z.enum(['lore', 'unknown'])).optional(),
  minWords: count,
  maxWords: count,
});
export type When = z.infer<typeof When>;

/** The conditions that are patterns. */
export const isPattern = (field: string): boolean =>
  (When.shape as Record<string, unknown>)[field] === pattern;

/**
 * A condition in force. `linear`: it comes from a file, so its patterns are matched in linear time and cannot stall the
 * server.
 */
export type LoadedWhen = When & { linear?: true };
