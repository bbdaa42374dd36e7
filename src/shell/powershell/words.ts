// Longer words of PowerShell as words of bash: quotes, variables, and paths of Windows.

/** A word of PowerShell. */
export type Word = {
  /** what it says, with variables as they are written */
  text: string;
  /** the same as one word of bash */
  bash: string;
  /** it belongs to the argument before it: `a, b` */
  more: boolean;
};

/** A part of a word: text, a variable, or what commands print. */
export type Piece = { text: string } | { variable: string } | { printed: string };

/** Folders of Windows that its variables name. `$env:HOMEDRIVE` and the like are only the letter of a drive. */
const FOLDERS: Record<string, string> = {
  USERPROFILE: '"$HOME"',
  HOMEPATH: '"$HOME"',
  APPDATA: '"$HOME"/AppData/Roaming',
  LOCALAPPDATA: '"$HOME"/AppData/Local',
  TEMP: '"$TMPDIR"',
  TMP: '"$TMPDIR"',
  SYSTEMROOT: '/Windows',
  WINDIR: '/Windows',
  PROGRAMDATA: '/ProgramData',
  HOMEDRIVE: '',
  SYSTEMDRIVE: '',
};

/** Variables of PowerShell that are there without being set. */
const KNOWN: Record<string, string> = {
  home: '"$HOME"',
  pwd: '"$PWD"',
  null: "''",
  true: 'true',
  false: 'false',
};

/** Returns the name under which bash knows a variable of PowerShell, where the case of a name does not count. */
export function nameInBash(variable: string): string {
  const [scope = '', name] = variable.split(/:(.*)/s);
  const plain = (text: string) => text.replace(/\W/g, '_') || '_';
  if (name === undefined) return plain(scope === '_' ? 'item' : scope.toLowerCase());
  return scope.toLowerCase() === 'env' ? plain(name.toUpperCase()) : plain(name.toLowerCase());
}

function variableInBash(variable: string): string {
  const name = nameInBash(variable);
  if (/^env:/i.test(variable)) return FOLDERS[name] ?? `"$${name}"`;
  return KNOWN[name] ?? `"$${name}"`;
}

/** Returns text as bash reads it literally, but for patterns of file names, which PowerShell's own commands follow. */
export const quoted = (text: string): string =>
  text
    .split(/([*?]+)/)
    .map((part) =>
      part === '' || /^[\w@%+=:,./*?-]+$/.test(part) ? part : `'${part.replaceAll("'", "'\\''")}'`,
    )
    .join('');

/** Returns a path of Windows as one of Unix: `C:\Users\dev\x` is `/Users/dev/x`, and a drive is the root folder. */
export const unixPath = (path: string): string =>
  path
    .replace(/^(?:\\\\[?.]\\)?[a-z]:(?=[\\/]|$)/i, (_, at: number, all: string) =>
      at === 0 && /^[^\\/]*:$/.test(all) ? '/' : '',
    )
    .replaceAll('\\', '/');

/** Puts a word together. */
export function toWord(pieces: Piece[], more: boolean): Word {
  const text = pieces
    .map((piece) =>
      'text' in piece ? piece.text : 'variable' in piece ? `$${piece.variable}` : piece.printed,
    )
    .join('');
  const bash = pieces
    .map((piece, i) => {
      if ('variable' in piece) return variableInBash(piece.variable);
      if ('printed' in piece) return `"$(${piece.printed})"`;
      const path = i === 0 ? unixPath(piece.text) : piece.text.replaceAll('\\', '/');
      if (i > 0 || !/^~(\/|$)/.test(path)) return quoted(path);
      return `"$HOME"${quoted(path.slice(1))}`;
    })
    .join('');
  return { text, bash: bash === '' ? "''" : bash, more };
}

/** Returns a word that says just this. */
export const wordOf = (text: string): Word => toWord([{ text }], false);
