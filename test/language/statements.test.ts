import { describe, expect, test } from 'vitest';
import { statementsIn } from '../../src/language/read-prompt.ts';
import { SENTENCES } from './sentences.ts';

const turn = (did: string[] = []) => ({ first: false, before: null, did });
const standing = (prompt: string, did: string[] = []) =>
  statementsIn(prompt, turn(did)).filter(({ stands }) => stands !== null);

describe.each(Object.entries(SENTENCES))('in %s', (_, { kept, local }) => {
  test.each(kept)('stands: %s', (sentence) => {
    const [statement] = standing(sentence);
    expect(statement).toBeDefined();
    // a quotation is one, to the letter
    expect(sentence).toContain(statement?.words);
  });
  test.each(local)('does not stand: %s', (sentence) => {
    expect(standing(sentence)).toEqual([]);
  });
});

describe('a prompt', () => {
  test('with two rules is two statements, each in its own words', () => {
    const prompt =
      'We use pnpm here, not npm, for installing packages. Always run npm run lint before you commit.';
    expect(standing(prompt).map(({ words }) => words)).toEqual([
      'We use pnpm here, not npm, for installing packages.',
      'Always run npm run lint before you commit.',
    ]);
  });

  test('with a second thought is cut where it begins', () => {
    expect(
      standing('Fix the total in the cart, and from now on use yarn, never npm').map(({ words }) => words),
    ).toEqual(['from now on use yarn, never npm']);
  });

  test('that asks to keep the sentence before in mind makes that one stand', () => {
    expect(standing('Release news go to #ship-log. Keep that in mind.')).toMatchObject([
      { words: 'Release news go to #ship-log.', stands: 'remember' },
    ]);
  });

  test('that opens a list with “from now on:” makes its lines stand', () => {
    expect(
      standing('From now on:\n- use pnpm, never npm\n- commit messages in English').map(({ words }) => words),
    ).toEqual(['use pnpm, never npm', 'commit messages in English']);
  });

  test('that is a long specification tells how the product shall be', () => {
    const filler = 'The export has a header row and one row for each order. '.repeat(30);
    expect(standing(`${filler}The export must never hold test data.`)).toEqual([]);
    expect(standing(`${filler}\nRemember: we deploy with \`make release\` only.`)).toHaveLength(1);
  });
});

describe('a correction', () => {
  test.each([
    ['not npm: pnpm', ['npm install zod']],
    ['nein, pnpm statt npm', ['npm install zod']],
    ['no! use `make test-lite` for tests', ['uv run manage.py test orders']],
    ['wrong file: config/a.json is generated from config/src', ['edit config/a.json']],
  ])('names what was done: %s', (prompt, did) => {
    expect(standing(prompt, did).length).toBeGreaterThan(0);
  });
  test.each([
    ['no, I meant the other table', ['npm install zod']],
    ['no, make it blue', ['edit src/button.tsx']],
    ['nein, die andere Tabelle', ['edit src/table.tsx']],
  ])('of something else is about the work at hand: %s', (prompt, did) => {
    expect(standing(prompt, did)).toEqual([]);
  });
});
