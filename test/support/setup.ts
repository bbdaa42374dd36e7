import { afterAll } from 'vitest';
import { watch } from './left-behind.ts';

// This is here because a setup file is run again for each test file. The hook is registered first, so it runs last.
const end = watch();
afterAll(() => end());
