import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

/**
 * Says at the end of a run how many tests were skipped, and what they would have needed. Their files are listed in the
 * file that LORE_SKIPPED_FILES names, so that another run can make up for them.
 */
export default class WhatWasSkipped implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]) {
    const counts = new Map<string, { tests: number; files: Set<string> }>();
    for (const module of modules)
      for (const test of module.children.allTests('skipped')) {
        const what = test.meta().needs;
        if (what === undefined) continue; // left out by -t or .only
        const count = counts.get(what) ?? { tests: 0, files: new Set() };
        count.tests += 1;
        counts.set(what, { ...count, files: count.files.add(module.relativeModuleId) });
      }
    // what wants a database runs again with one
    const others = [...counts].filter(([what]) => !what.includes('PostgreSQL'));
    const files = others.flatMap(([, count]) => [...count.files]);
    const { LORE_SKIPPED_FILES } = process.env;
    if (LORE_SKIPPED_FILES) writeFileSync(LORE_SKIPPED_FILES, [...new Set(files), ''].join('\n'));
    if (counts.size === 0) return;
    console.log('\n Skipped, because something is missing here:');
    for (const [what, { tests, files }] of counts)
      console.log(`   ${what}: ${tests} tests in ${files.size} files`);
  }
}
