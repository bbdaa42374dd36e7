import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { estimateTokens } from '../../src/base/text/tokens.ts';
import { outputError } from '../../src/incidents/detect.ts';
import { errorSignatureOf } from '../../src/incidents/incidents.ts';
import { lastingSentence } from '../../src/learnings/asking/lasting.ts';
import { askAboutError, askAboutOpenError, askAboutWords, wayOf } from '../../src/learnings/asking/lines.ts';
import {
  noteError,
  notePassed,
  noteSpoken,
  noteTurnEnd,
  nothingOpen,
} from '../../src/learnings/asking/open-errors.ts';
import { callOf } from '../../src/learnings/guards/call.ts';
import { ownWords } from '../../src/sessions/author.ts';
import type { HookEvent } from '../../src/sessions/hook-event.ts';
import { lineOfTool } from '../../src/shell/line.ts';

// How often recorded sessions would be asked, and what that costs: npm run eval:asking -- <folder> …
// A folder is a project: JSON files {rows}, in order of time, each row a {prompt}, {say} or {call, input, output, failed?,
// rejected?}. Each question is printed, to be read.

type Row = {
  prompt?: string;
  say?: string;
  call?: string;
  input?: Record<string, unknown>;
  output?: string;
  failed?: boolean;
  rejected?: boolean;
};

const PLACE = { root: null, cwd: null, home: '/home/person', tmp: '/tmp', branch: null };
const way = wayOf('lore', '1a2b3c4d');

function askedIn(rows: Row[]): string[] {
  const asking = nothingOpen();
  const asked: string[] = [];
  const once = (signature: string, line: string) => {
    if (asking.asked.has(signature)) return;
    asking.asked.add(signature);
    asked.push(line);
  };
  for (const { prompt, call, input, output = '', failed, rejected } of rows) {
    if (prompt !== undefined) {
      noteTurnEnd(asking);
      if (ownWords(prompt).trim() === '') continue;
      const sentence = lastingSentence(prompt);
      if (sentence !== null) asked.push(askAboutWords(sentence, way));
      else if (asking.left) once(asking.left.signature, askAboutOpenError(asking.left, way));
      noteSpoken(asking);
    }
    if (call === undefined || rejected) continue;
    const event = {
      hook_event_name: failed ? 'PostToolUseFailure' : 'PostToolUse',
      session_id: 'x',
      tool_name: call,
      tool_input: input,
      tool_use_id: String(Math.random()),
      tool_response: { stdout: output, stderr: '' },
    } as unknown as HookEvent;
    const line = lineOfTool(call, input);
    const error = failed
      ? output.replace(/<\/?tool_use_error>/g, '')
      : outputError(call, line, event.tool_response);
    const signature = error === null ? null : errorSignatureOf(event, { target: null, error });
    if (signature) noteError(asking, signature, line);
    const gone = error === null ? notePassed(asking, event, line, () => callOf(event, PLACE).changes) : null;
    if (gone) once(gone.signature, askAboutError(gone, way));
  }
  return asked;
}

for (const folder of process.argv.slice(2)) {
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  const tokens = files.sort().map((name) => {
    const lines = askedIn(JSON.parse(readFileSync(join(folder, name), 'utf8')).rows);
    for (const line of lines) console.log(`${name}  ${line.split(' Would one ')[0]?.slice(0, 220)}`);
    return lines.reduce((sum, line) => sum + estimateTokens(line), 0);
  });
  tokens.sort((a, b) => a - b);
  const mean = tokens.reduce((sum, n) => sum + n, 0) / Math.max(1, tokens.length);
  console.log(
    `${folder}: ${tokens.length} sessions; tokens of asking: median ${tokens[tokens.length >> 1]}, mean ${Math.round(mean)}, most ${tokens.at(-1)}`,
  );
}
