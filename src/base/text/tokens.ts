/**
 * Returns an upper estimate of a text's tokens: one per three UTF-8 bytes. In the published BPE vocabularies (o200k,
 * cl100k), English and code have 3.5 to 4.5 bytes per token, other scripts 3 or more.
 */
export const estimateTokens = (text: string) => Math.ceil(Buffer.byteLength(text) / 3);
