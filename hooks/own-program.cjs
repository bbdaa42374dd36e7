// @ts-check
// Agents are told to run `lore plan …`, and a Lore that runs from its folder is on nobody's PATH.
'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { textOf } = require('./plain-file.cjs');

const MAX_BYTES = 1024 * 1024;

/**
 * Puts Lore's program on the PATH of the agent's shell, where the client sources CLAUDE_ENV_FILE, if there is no `lore`
 * yet. It comes last, so that it hides no other program.
 */
function offerProgram() {
  const { CLAUDE_ENV_FILE: file, PATH = '' } = process.env;
  const folder = path.join(__dirname, '..', 'bin');
  if (!file || !fs.existsSync(path.join(folder, 'lore'))) return;
  const windows = process.platform === 'win32';
  const names = windows ? ['lore', 'lore.cmd', 'lore.exe'] : ['lore'];
  if (
    PATH.split(path.delimiter).some((dir) => names.some((name) => dir && fs.existsSync(path.join(dir, name))))
  )
    return;
  // the shell is bash on Windows too, which writes C:\lore as /c/lore
  const there = windows
    ? folder.replace(/^([a-z]):/i, (_, drive) => `/${drive.toLowerCase()}`).replaceAll('\\', '/')
    : folder;
  if (/[:\n]/.test(there)) return;
  const line = `export PATH="$PATH":'${there.replaceAll("'", "'\\''")}'\n`;
  // a session starts again after each compaction
  if (!textOf(file, MAX_BYTES).includes(line)) fs.appendFileSync(file, line);
}

module.exports = { offerProgram };
