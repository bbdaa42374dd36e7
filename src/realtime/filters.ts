/** One condition of a filter. The database knows the operators (`lore.filter_condition`). */
export type Condition = { column: string; not: boolean; op: string; values: string[] };

/** Most values of `in`, as on Supabase. */
const MAX_VALUES = 100;

/**
 * Returns the conditions of a filter such as `status=eq.active,confidence=gte.0.5`, which must all hold; null if it is
 * malformed. Values that contain commas or brackets must be in double quotes.
 */
export function parseFilter(filter: string): Condition[] | null {
  const conditions = splitAtCommas(filter).map((text) => {
    const match = /^\s*([^=\s]+)=(not\.)?([a-z]+)\.(.*)$/s.exec(text);
    if (!match) return null;
    const [, column = '', not, op = '', value = ''] = match;
    if (op !== 'in') return { column, not: not !== undefined, op, values: [unquoted(value)] };
    const list = /^\((.+)\)$/s.exec(value.trim())?.[1];
    const values = list === undefined ? [] : splitAtCommas(list).map(unquoted);
    if (values.length === 0 || values.length > MAX_VALUES) return null;
    return { column, not: not !== undefined, op, values };
  });
  return conditions.every((condition) => condition !== null) ? conditions : null;
}

/** Splits at commas that are neither in double quotes nor in brackets. */
function splitAtCommas(text: string): string[] {
  const parts = [''];
  let [quoted, depth] = [false, 0];
  for (let i = 0; i < text.length; i++) {
    let char = text[i] as string;
    if (quoted && char === '\\') char += text[++i] ?? '';
    else if (char === '"') quoted = !quoted;
    else if (!quoted && char === '(') depth += 1;
    else if (!quoted && char === ')') depth -= 1;
    else if (!quoted && depth === 0 && char === ',') {
      parts.push('');
      continue;
    }
    parts[parts.length - 1] += char;
  }
  return parts;
}

function unquoted(value: string): string {
  const inner = /^"(.*)"$/s.exec(value.trim())?.[1];
  return inner === undefined ? value : inner.replace(/\\(.)/gs, '$1');
}
