// What the scripts of sed and awk do besides changing text, as far as a few forms tell; all else is not known.

/** Longest script that is read, in characters. Nobody writes a longer one into a line. */
const MAX_SCRIPT = 4_000;

const ADDRESS = String.raw`(?:\d+(?:~\d+)?|\$|/(?:[^/\\\n[]|\\.|\[[^\]/]*\])*/I?)`;
/** A command of sed that neither runs nor reads or writes a file, with its addresses. */
const COMMAND = new RegExp(
  String.raw`[\s;{}]*(${ADDRESS}(?:\s*,\s*(?:${ADDRESS}|[+~]\d+))?\s*!?)?\s*(?:(s|y)([^\w\s\\[])((?:(?!\3)[^\\\n[]|\\.|\[\^?\]?[^\]\n]*\])*)\3((?:(?!\3)[^\\\n]|\\.)*)\3([gpiIm\d]*)|([=dDgGhHnNpPxl{]|[qQ]\d*)|([aic])(?:\\\n|[ \t\\])[^\n]*)[ \t}]*(?=[;\n}]|$)`,
  'y',
);

/** Whether a script of sed does nothing but change text. */
export function isPlainSed(script: string): boolean {
  if (script.length > MAX_SCRIPT) return false;
  let at = 0;
  while (at < script.length && !/^[\s;}]*$/.test(script.slice(at))) {
    COMMAND.lastIndex = at;
    const [whole = ''] = COMMAND.exec(script) ?? [];
    if (whole === '') return false;
    at += whole.length;
  }
  return true;
}

/** Whether a script of awk neither runs a command nor reads or writes a file. */
export function isPlainAwk(script: string): boolean {
  if (script.length > MAX_SCRIPT) return false;
  const bare = script
    .replaceAll('\\\n', ' ')
    .replace(/>\s*"\/dev\/std(out|err)"/g, '')
    .replace(/"(?:[^"\\\n]|\\.)*"/g, '""')
    .replace(/(^|[~(,{;&|!]\s*)\/(?:[^/\\\n]|\\.)+\//g, '$1""');
  const far =
    /\b(system|getline|close|fflush|extension|ENVIRON)\b|@|["\\/`]inet|(?<!\|)\|(?!\|)|\bprintf?\b[^;}\n)]*>/;
  return !far.test(bare) && !/["`]/.test(bare.replaceAll('""', ''));
}
