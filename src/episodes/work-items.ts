const MAX_ITEMS = 10;

/** Words before a hyphen and a number that name a standard, a version or a part, and no ticket. */
const NO_TICKET =
  /^(?:UTF|ISO|SHA|RFC|HTTP|TLS|AES|CVE|GPT|ES|UTC|GMT|PEP|CSS|HTML|PHASE|STEP|PART|PS|PG|NODE|PYTHON|JAVA)-/;

/** Returns the work items that a text names, such as `AB#1234`, `#12`, `JIRA-123` or `…/issues/12`, each once. */
export function workItemsIn(text: string): string[] {
  const found = [
    ...(text.match(/\bAB#\d{1,9}\b/g) ?? []),
    ...(text.match(/(?<![\w/.-])[A-Z][A-Z0-9]{1,9}-\d{1,7}\b(?![.-]\w)/g) ?? []).filter(
      (key) => !NO_TICKET.test(key),
    ),
    ...[...text.matchAll(/(?:(?:^|[\s([])#|\/(?:issues|pull|merge_requests)\/)(\d{1,7})\b/g)].map(
      ([, number]) => `#${number}`,
    ),
  ];
  return [...new Set(found)].slice(0, MAX_ITEMS);
}

/** Returns the work items that a branch is named after: `feature/AB#12-login`, `fix/JIRA-123-x`, `12-login`, `issue-12`. */
export function workItemsOfBranch(branch: string): string[] {
  const [key] = /(?<=^|[/_])(?:AB#\d{1,9}|[A-Z][A-Z0-9]{1,9}-\d{1,7})(?=$|[-_/])/.exec(branch) ?? [];
  if (key !== undefined) return NO_TICKET.test(key) ? [] : [key];
  // a date is not a work item
  const number = /(?:^|\/)(?:issue[-_]?|gh[-_]?|#)?(\d{1,7})(?=$|[-_])(?![-_]\d\d[-_]\d\d)/.exec(branch)?.[1];
  return number === undefined ? [] : [`#${number}`];
}
