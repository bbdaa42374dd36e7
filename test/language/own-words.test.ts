import { describe, expect, test } from 'vitest';
import { isPersonsPrompt, ownWords } from '../../src/language/own-words.ts';
import { withoutWrappers } from '../../src/language/wrappers.ts';

const RULE = 'Always use yarn, never npm.';

describe('what is not the words of the person', () => {
  test.each([
    ['a teammate', `<teammate-message teammate_id="x">\n${RULE}\n</teammate-message>`],
    ['a channel, with the brackets of the frame', `‹channel source="chat">${RULE}</channel>`],
    ['a wrapper that was cut', `<system-reminder>\n${RULE}`],
    ['a wrapper that is not known yet', `<night-shift-note kind="a">${RULE}</night-shift-note>`],
    [
      'an announced wrapper',
      `Another session wrote:\n<cross-session-message from="a">\n${RULE}\n</cross-session-message>`,
    ],
    ['a relay', `Message from agent "helper": ${RULE}`],
    ['a hook', `Stop hook feedback:\n- [./check.sh]: ${RULE}`],
    ['a schedule', `Scheduled task: ${RULE}`],
    ['a conversation', `User: ${RULE}\nAssistant: ok`],
    ['a speaker in bold', `**Human**: ${RULE}`],
    ['a conversation of people', `Mira: ${RULE}\nTom: fine by me`],
    ['documentation', `The docs say: ${RULE}`],
    ['a document of others', `Here is the AGENTS.md of a friend:\n\nSome words.\n\n${RULE}`],
    ['a text that shall be written', `Write a test whose input text is: ${RULE}`],
    ['a quote', `> ${RULE}`],
    ['code', `\`\`\`\n${RULE}\n\`\`\``],
    ['a diff', `diff --git a/x b/x\n@@ -1 +1 @@\n-a\n+${RULE}`],
    ['a pasted review', `**Actionable comments posted: 3**\n${RULE}`],
    ['Lore, by its label', `[MEDIUM] ${RULE}`],
    ['Lore, by an id', `- ${RULE}\n  just now, 90 % sure (lore:abcd1234)`],
    ['the client', `Implement the following plan:\n\n# Plan\n${RULE}`],
  ])('%s', (_, prompt) => {
    expect(ownWords(prompt)).not.toContain(RULE);
  });
});

describe('what is', () => {
  test.each([
    ['behind a wrapper', `<task-notification>done</task-notification>\n${RULE}`],
    ['behind an error', `I get this error:\nERR! 404\n\n${RULE}`],
    ['after a document of others', `Here is the AGENTS.md of a friend:\n\nUse bun.\n\nOk, for us:\n${RULE}`],
    ['below “from now on the following rules apply:”', `From now on the following rules apply:\n${RULE}`],
  ])('%s', (_, prompt) => {
    expect(ownWords(prompt)).toContain(RULE);
  });

  test('markup that a person asks about is no wrapper', () => {
    expect(withoutWrappers('why is <my-widget> empty?')).toBe('why is <my-widget> empty?');
  });

  test('only a prompt that was typed is a person’s', () => {
    expect(
      isPersonsPrompt(
        '<task-notification>x</task-notification>\nRead the output file to retrieve the result: /tmp/x',
      ),
    ).toBe(false);
    expect(isPersonsPrompt('Message from agent "a": hello')).toBe(false);
    expect(isPersonsPrompt('<task-notification>x</task-notification>\nthanks')).toBe(true);
  });
});
