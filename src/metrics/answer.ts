import { z } from '@hono/zod-openapi';

// What GET /v1/metrics answers.

const number = z.number();
const unknown = z.number().nullable();
/** Returns an object of numbers. */
const numbers = <Name extends string>(...names: Name[]) =>
  z.object(Object.fromEntries(names.map((name) => [name, number])) as Record<Name, typeof number>);

const interval = { low: number, high: number };
/** with its 95 % interval */
const Share = z.object({ n: number, value: unknown, low: number.optional(), high: number.optional() });
const Medians = z.object({ commands: unknown, seconds: unknown, tokens: unknown });
const Percentiles = z.object({ p50: unknown, p95: unknown });

export const Comparison = z.object({
  /** sessions that have ended, with memory and without; `needed` for an answer */
  sessions: numbers('memory', 'withheld', 'needed'),
  /** whether errors repeated less with memory; `none`: no sessions are compared, `few`: too few to say */
  answer: z.enum(['yes', 'no', 'chance', 'few', 'none']),
  sentence: z.string(),
  /** sessions that met an error which their project had met before; the change is a difference of shares */
  repeatedErrors: z.object({
    memory: Share,
    withheld: Share,
    change: z.object({ value: number, ...interval }).nullable(),
    sentence: z.string(),
  }),
  medians: z.object({ memory: Medians, withheld: Medians }),
  /** the same share in this period and in the one before it, which says nothing about why */
  periods: z.object({ now: Share, before: Share, sentence: z.string() }),
});

export const Measure = z.object({
  name: z.string(),
  n: number,
  /** a share (0–1); null: nothing was counted */
  value: unknown,
  target: z.object({ min: unknown, max: unknown }).nullable(),
  /** whether it reaches its target; null: it has none, or too little was counted to say */
  met: z.boolean().nullable(),
  sentence: z.string(),
});

export const Told = z.object({
  sessions: number,
  tokens: number,
  /** of the tokens of a session */
  median: unknown,
  byKind: z.array(
    numbers('told', 'sessions', 'tokens', 'helped', 'failed', 'unused', 'withheld').extend({
      kind: z.string(),
    }),
  ),
});

/** a day of UTC on which something was counted */
export const Day = z.object({
  day: z.string(),
  sessions: number,
  /** sessions that met an error which their project had met before */
  repeating: number,
  errors: number,
  repeatedErrors: number,
  checks: number,
  /** milliseconds that commands waited for their verdict */
  checkMs: Percentiles,
});

export const Metrics = z
  .object({
    days: number,
    comparison: Comparison.extend({ holdout: number }),
    told: Told,
    measures: z.array(Measure),
    /** the oldest first */
    byDay: z.array(Day),
    /** `held`: stopped by a person's rule or a lesson; `safetyRate`: allowed ÷ (allowed + denied) */
    commands: numbers(
      'checks',
      'allowed',
      'held',
      'heldRight',
      'heldWrong',
      'denied',
      'unverified',
      'overrides',
    ).extend({
      safetyRate: unknown,
      byRule: z.record(z.string(), number),
      bySource: z.record(z.string(), number),
      latencyMs: Percentiles,
    }),
    /** what notes and lessons cite, as it was last looked at; `validRate`: the share that is not dead */
    freshness: numbers('links', 'changed', 'dead', 'unknown').extend({ validRate: unknown }),
    /** what the model cost, by day and purpose, and what is left of today's budget */
    llm: numbers('dailyTokens', 'usedToday', 'leftToday', 'dailyCalls', 'callsToday').extend({
      configured: z.boolean(),
      provider: z.string(),
      model: z.string().nullable(),
      state: z.string(),
      days: z.array(
        numbers('requests', 'failures', 'inputTokens', 'outputTokens').extend({
          day: z.string(),
          purpose: z.string(),
          model: z.string(),
        }),
      ),
    }),
  })
  .openapi('Metrics');
