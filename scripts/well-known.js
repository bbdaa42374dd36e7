// Writes a list of well-known packages, one a line: node scripts/well-known.js src/commands/well-known/npm.txt < names.txt
import { readFileSync, writeFileSync } from 'node:fs';

const [file] = process.argv.slice(2);
const names = [...new Set(readFileSync(0, 'utf8').split(/\s+/).filter(Boolean))].sort();
writeFileSync(file, `${names.join('\n')}\n`);
