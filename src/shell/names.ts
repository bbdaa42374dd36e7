// Names of programs that more than one file speaks of, each list written once.

/** A list written as words with blanks between them. */
export const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');

/** Programs that run text as a shell script. */
export const SHELLS: ReadonlySet<string> = new Set(words('sh bash rbash zsh dash ash ksh mksh fish'));

/** After a pipe these print some of the lines that they read, whole. */
export const LINE_FILTERS: ReadonlySet<string> = new Set(words('sort uniq head tail grep egrep fgrep shuf'));

/** The program that a path names: lower case, without folder and `.exe`. */
export const baseName = (path: string): string =>
  (path.split('/').pop() ?? '').toLowerCase().replace(/\.exe$/, '');
