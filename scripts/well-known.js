// Writes a list of well-known packages as data: node scripts/well-known.js src/commands/well-known/npm.ts < names.txt
// The names stand one a line on standard input. The comments at the top of the file are kept.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const [file] = process.argv.slice(2);
const width = 108;
const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
const head = /^(\/\/.*\n)*/.exec(before)[0];
const names = [...new Set(readFileSync(0, 'utf8').split(/\s+/).filter(Boolean))].sort();
const lines = [''];
for (const name of names) {
  if (lines.at(-1).length + 1 + name.length > width) lines.push('');
  lines[lines.length - 1] += lines.at(-1) === '' ? name : ` ${name}`;
}
writeFileSync(file, `${head}export const NAMES = \`\n${lines.join('\n')}\n\`;\n`);
