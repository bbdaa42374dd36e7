import { z } from 'zod';
import { EFFECTS } from '../shell/types.ts';
import type { Zone } from '../shell/zones.ts';

// The conditions of rules. policy/README.md explains each of them, and the form of the files that they stand in.

const ZONES = [
  'root',
  'home',
  'in-home',
  'cache',
  'system',
  'device',
  'sink',
  'temp',
  'project-root',
  'vcs',
  'regenerable',
  'project',
  'secret',
  'outside',
  'unknown',
] as const satisfies Zone[];

const list = z.array(z.string().min(1)).min(1);
const zones = z.array(z.enum(ZONES)).min(1);
const regex = z.string().refine(isRegex, 'must be a regular expression');

function isRegex(source: string): boolean {
  try {
    return source.length <= 2000 && new RegExp(source, 'i') instanceof RegExp;
  } catch {
    return false;
  }
}

export const When = z.strictObject({
  program: list.optional(),
  notProgram: list.optional(),
  sub: list.optional(),
  flags: z.array(list).optional(),
  notFlags: list.optional(),
  arg: regex.optional(),
  notArg: regex.optional(),
  everyArg: regex.optional(),
  line: regex.optional(),
  notLine: regex.optional(),
  calls: list.optional(),
  known: z.literal(true).optional(),
  zone: zones.optional(),
  within: zones.optional(),
  orRemote: z.literal(true).optional(),
  paths: z.enum(['all', 'first', 'rest', 'last', 'none']).optional(),
  script: regex.optional(),
  notScript: regex.optional(),
  harmlessScript: z.boolean().optional(),
  path: regex.optional(),
  writes: zones.optional(),
  writesTo: regex.optional(),
  runs: zones.optional(),
  remote: z.boolean().optional(),
  open: z.boolean().optional(),
  input: z.enum(['download', 'decoded', 'secret', 'pipe', 'text', 'plain']).optional(),
  stdin: regex.optional(),
  from: regex.optional(),
  notFrom: regex.optional(),
  executes: z.enum(['download', 'decoded', 'any']).optional(),
  code: z.array(z.enum(EFFECTS)).optional(),
  verbs: regex.optional(),
  notVerbs: regex.optional(),
  via: list.optional(),
  notVia: list.optional(),
  env: regex.optional(),
  notEnv: regex.optional(),
  signals: z
    .array(z.enum(['lore', 'project', 'other', 'unknown']))
    .min(1)
    .optional(),
  reaches: z
    .array(z.enum(['lore', 'unknown']))
    .min(1)
    .optional(),
  minWords: z.number().int().optional(),
  maxWords: z.number().int().optional(),
});
export type When = z.infer<typeof When>;

export const REGEX_FIELDS = [
  'arg',
  'notArg',
  'everyArg',
  'line',
  'notLine',
  'script',
  'notScript',
  'path',
  'writesTo',
  'stdin',
  'from',
  'notFrom',
  'verbs',
  'notVerbs',
  'env',
  'notEnv',
] as const satisfies (keyof When)[];

/**
 * A condition in force. `linear`: it comes from a file, so its patterns are matched in linear time and cannot stall the
 * server.
 */
export type LoadedWhen = When & { linear?: true };
