/** What `npm run build:functions` makes from src/server/functions/functions.ts. Stands alone, so that Deno checks the entries without it. */
export declare function serve(name: 'api' | 'security-check' | 'work' | 'nightly'): void;
