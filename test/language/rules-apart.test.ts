import { describe, expect, test } from 'vitest';
import { statementsIn } from '../../src/language/read-prompt.ts';
import { hookSession } from '../support/hook-session.ts';
import { sharedServer } from '../support/server.ts';

const server = await sharedServer();

// Each row: what a person types, and the rules that are kept of it, to the letter.

/** Sentences for which the rules were not changed after they had been written down here. */
const UNSEEN: [prompt: string, ...rules: string[]][] = [
  [
    'Always use uv for Python here, and never touch anything under migrations/.',
    'Always use uv for Python here',
    'never touch anything under migrations/.',
  ],
  [
    'Never rebase shared branches; always squash before merging.',
    'Never rebase shared branches',
    'always squash before merging.',
  ],
  [
    'Could you speed up the search, and from now on always write commit messages in English.',
    'from now on always write commit messages in English.',
  ],
  ["Implement the export and don't ever use moment here.", "don't ever use moment here."],
  [
    "Always run make lint before you commit and don't force push.",
    'Always run make lint before you commit',
    "don't force push.",
  ],
  ['Rename getUser to loadUser everywhere, but never edit src/generated/.', 'never edit src/generated/.'],
  ['Never log passwords or tokens.', 'Never log passwords or tokens.'],
  [
    'Always run the linter and the type checker before you commit.',
    'Always run the linter and the type checker before you commit.',
  ],
  [
    'Verwende hier immer pnpm, und committe niemals direkt auf main.',
    'Verwende hier immer pnpm',
    'committe niemals direkt auf main.',
  ],
  ['Ergänze einen Test für den Warenkorb und bearbeite nie CHANGELOG.md.', 'bearbeite nie CHANGELOG.md.'],
  ['Nie npm oder yarn benutzen.', 'Nie npm oder yarn benutzen.'],
  [
    'Utilise toujours yarn dans ce projet et ne fais jamais de force push.',
    'Utilise toujours yarn dans ce projet',
    'ne fais jamais de force push.',
  ],
  ["Ajoute une page d'aide et n'édite jamais package-lock.json.", "n'édite jamais package-lock.json."],
  [
    'Usa siempre poetry aquí y nunca hagas commit en main.',
    'Usa siempre poetry aquí',
    'nunca hagas commit en main.',
  ],
  ['Crea un endpoint nuevo, pero nunca modifiques schema.sql.', 'nunca modifiques schema.sql.'],
  [
    'Usa sempre pnpm qui e non modificare mai src/generated/.',
    'Usa sempre pnpm qui',
    'non modificare mai src/generated/.',
  ],
  ['Voeg een filter toe en gebruik nooit npm in deze repo.', 'gebruik nooit npm in deze repo.'],
  [
    'Sempre rode `make lint` antes do commit e nunca edite package-lock.json.',
    'Sempre rode `make lint` antes do commit',
    'nunca edite package-lock.json.',
  ],
];

const MENDED: typeof UNSEEN = [
  [
    'In this project always use pnpm instead of npm for installing packages, and never push to main.',
    'In this project always use pnpm instead of npm for installing packages',
    'never push to main.',
  ],
  ['Please fix the typo, and always use bun here.', 'always use bun here.'],
  ['Fix the login bug and never use any in TypeScript here.', 'never use any in TypeScript here.'],
  ["Don't edit CHANGELOG.md, ever.", "Don't edit CHANGELOG.md, ever."],
  [
    'Tidy up the imports in cart.ts, and never commit directly to main in this repo.',
    'never commit directly to main in this repo.',
  ],
  [
    'Räum die Importe auf und verwende in diesem Repo nie default exports.',
    'verwende in diesem Repo nie default exports.',
  ],
  ['Corrija o erro e nunca edite src/generated/.', 'nunca edite src/generated/.'],
  ['Use bun here and never push to main.', 'Use bun here', 'never push to main.'],
  ["Always use bun here, but don't touch the tests yet", 'Always use bun here'],
  ['Always use bun here, and please fix the typo in README.md', 'Always use bun here'],
  ['总是用 pnpm，并且永远不要推送到 main。', '总是用 pnpm', '永远不要推送到 main。'],
];

const ONE: string[] = [
  'never push to main or master',
  'always run lint and tests before committing',
  'always use pnpm, never npm',
  'When you install packages, always use pnpm.',
  'Existing migrations must never be edited, always add a new file.',
  'Utilise toujours pnpm pour les tests et les fixtures, jamais npm',
];

const kept = (prompt: string): string[] =>
  statementsIn(prompt, { first: false, before: null, did: [] })
    .filter(({ stands }) => stands !== null)
    .map(({ words }) => words);

describe('a sentence', () => {
  test.each([...UNSEEN, ...MENDED])('keeps its rules, each in its own words: %s', (prompt, ...rules) =>
    expect(kept(prompt)).toEqual(rules),
  );
  test.each(ONE)('whose clauses say one thing stays one rule: %s', (prompt) =>
    expect(kept(prompt)).toEqual([prompt]),
  );
  test.each([
    'Fix the button that is always red, and never mind the tests',
    'Write a parser that never throws and always returns a result.',
    "Keep the API stable and don't change the tests.",
    'The cart must never be empty, and the total is always positive.',
  ])('about the work at hand has none: %s', (prompt) => expect(kept(prompt)).toEqual([]));
});

test('what is said in one sentence stands as two rules in the next session, and the task as none', async () => {
  const { key } = await server.member();
  const session = hookSession(server, { key });
  await session.start();
  await session.prompt(
    'Please fix the typo, and in this project always use pnpm, and never push to main. No force pushes here.',
  );
  await session.stop('Done.');
  await server.settled();
  const next = hookSession(server, { key, cwd: session.cwd });
  const told = (await next.start()).hookSpecificOutput?.additionalContext ?? '';
  expect(told).toContain('in this project always use pnpm');
  expect(told).toContain('never push to main');
  expect(told).not.toContain('typo');
  expect(await next.decisionOn('git push origin main')).toBe('deny');
  expect(await next.decisionOn('git push origin feat/cart')).not.toBe('deny');
});
