import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';

/**
 * Returns the value of a text that is JSON with comments; a comma may follow the last item.
 *
 * Lines that are comments are taken out first. What is left is mostly plain JSON, which `JSON.parse` reads a hundred times
 * faster than the reader of JSON with comments.
 *
 * @throws Error that names the line of a syntax error: `line 3: CommaExpected`
 */
export function readJsonc(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\s*\/\/.*$/gm, ''));
  } catch {
    const errors: ParseError[] = [];
    const value: unknown = parse(text, errors, { allowTrailingComma: true });
    const [fault] = errors;
    if (!fault) return value;
    const line = text.slice(0, fault.offset).split('\n').length;
    throw new Error(`line ${line}: ${printParseErrorCode(fault.error)}`);
  }
}

// Data files with lists of words: JSON with comments, imported `with { type: 'text' }`. Each list is an array of texts with
// blanks between the words; `@name` stands for all words of another list of the file.

/**
 * Returns a function that returns a list of a file by its name, with the words of the lists that it includes.
 *
 * Call that function where a module is loaded: a name that the file does not have throws, and so fails every test.
 *
 * @param file its name, for errors
 * @example const words = readWordLists('{ "a": ["x y"], "b": ["@a z"] }', 'a file');
 * words('b') // x, y, z
 */
export function readWordLists(text: string, file: string): (name: string) => ReadonlySet<string> {
  const lists = readJsonc(text) as Record<string, string[]>;
  const made = new Map<string, ReadonlySet<string>>();

  function wordsOf(name: string): string[] {
    const texts = Object.hasOwn(lists, name) ? lists[name] : undefined;
    if (texts === undefined) throw new Error(`${file} has no list “${name}”`);
    return texts
      .flatMap((part) => part.split(' '))
      .flatMap((word) => (word.startsWith('@') ? wordsOf(word.slice(1)) : [word]));
  }

  return (name) => {
    const known = made.get(name);
    if (known) return known;
    const list = new Set(wordsOf(name));
    made.set(name, list);
    return list;
  };
}
