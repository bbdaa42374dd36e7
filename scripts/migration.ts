// Writes the migration of the version that is being made, from what changed in src/**/schema.ts and sql/ since the last
// release. It replaces what was written for this version before.
//   npm run migration -- --name=what_it_does
//   npm run migration -- --checksums   to be run after an unreleased migration was edited by hand
import { parseArgs } from 'node:util';
import { openScratch, writeChecksums, writeMigration } from './migrations.ts';

const root = process.cwd();
const { values } = parseArgs({
  options: { name: { type: 'string' }, checksums: { type: 'boolean' } },
});
if (values.checksums) {
  writeChecksums(root);
} else if (/^\w+$/.test(values.name ?? '')) {
  const tag = await writeMigration(root, await openScratch(), values.name as string);
  console.log(tag === null ? 'Nothing changed.' : `drizzle/${tag}.sql`);
} else {
  console.error('Say what it does: npm run migration -- --name=what_it_does');
  process.exitCode = 1;
}
