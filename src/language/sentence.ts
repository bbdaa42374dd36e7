/** Something that a sentence names to the letter. */
export type Named = {
  /** as the person wrote it, without quotation marks and backticks */
  text: string;
  kind: 'command' | 'program' | 'package' | 'option' | 'path' | 'branch' | 'environment' | 'code';
};
