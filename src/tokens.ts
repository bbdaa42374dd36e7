/**
 * An upper estimate of a text's tokens: one for every three UTF-8 bytes. English and code run at three and a half to
 * four and a half bytes a token, other scripts at three or more, in the published BPE vocabularies (o200k, cl100k).
 */
export const estimateTokens = (text: string) => Math.ceil(Buffer.byteLength(text) / 3);
