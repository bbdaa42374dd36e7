import { type RunnerTestFile, type RunnerTestSuite, TestRunner, type VitestTestRunner } from 'vitest';
import { watch } from './left-behind.ts';
import { Missing, needs } from './needs.ts';

/**
 * Fails a file that leaves something behind. Vitest runs no `afterAll` of a file whose tests are all skipped, so this is
 * no hook, and it runs theirs: else the next file would be blamed.
 */
export default class Runner extends TestRunner {
  declare onTaskUpdate: NonNullable<VitestTestRunner['onTaskUpdate']>;
  private end: ReturnType<typeof watch> | undefined;

  onBeforeCollect() {
    this.end = watch();
  }

  override async importFile(path: string, source: 'collect' | 'setup') {
    try {
      return await super.importFile(path, source);
    } catch (error) {
      if (!(error instanceof Missing)) throw error;
      return needs(error.message, false).test('all of this file', undefined);
    }
  }

  override async onAfterRunSuite(suite: RunnerTestSuite) {
    await super.onAfterRunSuite(suite);
    if (suite.file === suite) await this.check(suite.file);
  }

  override async onAfterRunFiles(files: RunnerTestFile[] = []) {
    for (const file of files.filter(() => this.end)) {
      await this.check(file, TestRunner.getSuiteHooks(file)?.afterAll);
      await this.onTaskUpdate([[file.id, file.result, file.meta]], []);
    }
    super.onAfterRunFiles();
  }

  private async check(file: RunnerTestFile, hooks: ((...args: never[]) => unknown)[] = []) {
    const { end } = this;
    this.end = undefined;
    try {
      for (const hook of hooks.toReversed()) await hook();
      await end?.();
    } catch (error) {
      const { name, message, stack = '' } = error as Error;
      // vitest still holds the old result, so it is changed in place
      const errors = [...(file.result?.errors ?? []), { name, message, stack }];
      file.result = Object.assign(file.result ?? {}, { state: 'fail' as const, errors });
    }
  }
}
