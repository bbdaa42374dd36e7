const MAX_LENGTH = 200;
const MAX_STARS = 6;

/**
 * Returns a regular expression for a whole path that a pattern stands for: `*` stays within one name, and `**` does not.
 * Null if matching it could take long.
 */
export function globPattern(glob: string): RegExp | null {
  const stars = glob.replace(/\*+/g, '*').split('*').length - 1;
  if (glob.length > MAX_LENGTH || stars > MAX_STARS) return null;
  const parts = glob.match(/\*\*\/|\*+|\?|\[!?[^\]/]+\]|\{[^{}]*\}|[\s\S]/g) ?? [];
  try {
    return new RegExp(`^${parts.map(source).join('')}$`);
  } catch {
    return null;
  }
}

function source(part: string): string {
  if (part === '**/') return '(?:.*/)?';
  if (part.startsWith('**')) return '.*';
  if (part === '*') return '[^/]*';
  if (part === '?') return '[^/]';
  if (/^\[.+\]$/.test(part)) return `[${part.slice(1, -1).replace(/^!/, '^').replace(/[\\[]/g, '\\$&')}]`;
  if (/^\{.*\}$/.test(part))
    return `(?:${part
      .slice(1, -1)
      .split(',')
      .map((one) => (one.match(/\*|\?|[\s\S]/g) ?? []).map(source).join(''))
      .join('|')})`;
  return part.replace(/[.+^${}()|\\[\]*?]/g, '\\$&');
}
