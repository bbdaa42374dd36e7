import { afterAll } from 'vitest';
import { watch } from './left-behind.ts';

// Here, because only this file is run anew for each test file. Registered first, it is run last.
const end = watch();
afterAll(() => end());
