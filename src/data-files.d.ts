// Data that stands beside the code: `import text from './lists.jsonc' with { type: 'text' }`. esbuild puts the text into the
// bundle, Deno reads the file, and vitest.config.ts does the same for tests.

declare module '*.jsonc' {
  const text: string;
  export default text;
}

declare module '*.txt' {
  const text: string;
  export default text;
}
