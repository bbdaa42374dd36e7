import { afterAll } from 'vitest';
import { cleanUp } from './left-behind.ts';

// Here, because only this file is run anew for each test file.
afterAll(cleanUp);
