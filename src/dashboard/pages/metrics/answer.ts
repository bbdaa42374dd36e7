type Interval = { low: number; high: number };
type Side = Partial<Interval> & { n: number; value: number | null };

export type Compared = {
  memory: Side;
  withheld: Side;
  change: (Interval & { value: number }) | null;
  sentence: string;
};

export type Measure = {
  name: string;
  n: number;
  value: number | null;
  interval: Interval | null;
  target: { min: number | null; max: number | null } | null;
  met: boolean | null;
  sentence: string;
};

type Day = {
  day: string;
  sessions: number;
  repeating: number;
  errors: number;
  repeatedErrors: number;
  checks: number;
  checkMs: { p50: number | null; p95: number | null };
};

/** The part of the answer of `GET /v1/metrics` that the page shows. */
export type MetricsAnswer = {
  days: number;
  byDay: Day[];
  measures: Measure[];
  commands: { checks: number; latencyMs: { p50: number | null; p95: number | null } };
  comparison: {
    holdout: number;
    sessions: { memory: number; withheld: number; needed: number };
    enough: boolean;
    sentence: string;
    repeatedErrors: Compared;
    commandsToSuccess: Compared;
    duration: Compared;
    tokens: Compared;
  };
  llm: {
    configured: boolean;
    /** as it is written behind what the model made */
    model: string | null;
    state: string;
    dailyTokens: number;
    usedToday: number;
    leftToday: number;
    dailyCalls: number;
    callsToday: number;
    days: {
      day: string;
      purpose: string;
      model: string;
      requests: number;
      failures: number;
      inputTokens: number;
      outputTokens: number;
    }[];
  };
};
