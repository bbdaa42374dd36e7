import type { ShownRule, ShownVerdict } from '../../base/wire/routes.ts';
import { api } from '../data/api.ts';
import { takeBack } from '../data/dashboard.ts';
import { times, upper } from '../data/words.ts';
import type { RecordKind, Standing } from './kind.ts';

// What decides about commands: the verdicts that hold, and the rules.

export const verdictStanding = ({ decision, once }: ShownVerdict): Standing =>
  decision === 'deny'
    ? { tone: 'bad', word: 'Stays blocked' }
    : { tone: 'ok', word: once ? 'Allowed once' : 'Always allowed' };

const BY = { person: 'by a person', model: 'by the model', shape: 'because you let it run' };

export const verdict: RecordKind = {
  many: 'Verdicts',
  one: 'Verdict',
  about: 'What you, or the model, said about commands; each can be taken back',
  first: 'What you allow or keep blocked is listed here, with the shapes of commands that you let run.',
  tables: ['command_cache'],
  list: async ({ limit }, signal) =>
    (await api('GET /v1/commands/verdicts', { query: { limit }, ...signal })).verdicts.map((one) => ({
      id: one.code,
      title: one.command,
      code: true,
      detail: [
        one.decision === 'allow' && verdictStanding(one).word,
        BY[one.checkedBy],
        `used ${times(one.hitCount)}`,
        one.expiresAt && `holds until ${new Date(one.expiresAt).toLocaleDateString()}`,
      ],
      text: { person: null, model: one.reason, shape: `Fits ${one.reason} in ${one.cwd}` }[one.checkedBy],
      at: one.checkedAt,
      standing: verdictStanding(one),
      actions: [{ label: 'Take back', run: () => takeBack(one.code) }],
    })),
};

const SEVERITY: Record<ShownRule['severity'], Standing> = {
  catastrophic: { tone: 'bad', word: 'Cannot be overruled' },
  high: { tone: 'warn', word: 'High' },
  medium: { tone: 'quiet', word: 'Medium' },
};

export const policy: RecordKind = {
  many: 'Command rules',
  one: 'Command rule',
  about: 'What Lore denies by itself, and what it tells the agent to do instead',
  first: 'Every rule is switched off.',
  words: 'Search: push, delete, secret …',
  list: async ({ q = '' }, signal) => {
    const { rules, problems } = await api('GET /v1/commands/rules', signal);
    const fits = (rule: ShownRule) =>
      q
        .toLowerCase()
        .split(/\s+/)
        .every((word) => `${rule.id} ${rule.reason} ${rule.instead}`.toLowerCase().includes(word));
    return [
      ...problems.map((title) => ({ id: title, title, standing: { tone: 'bad', word: 'Problem' } as const })),
      ...rules.filter(fits).map((rule) => ({
        id: rule.id,
        title: `${upper(rule.reason)}.`,
        detail: [rule.id, rule.source !== 'built in' && `from ${rule.source}`],
        text: `Instead: ${rule.instead}.`,
        standing: SEVERITY[rule.severity],
      })),
    ];
  },
};
