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

/** Only the tokenizers of transformers.js are used. Its main file would also load onnxruntime-web and sharp. */
declare module '@xenova/transformers/src/tokenizers.js' {
  export { PreTrainedTokenizer } from '@xenova/transformers';
}
