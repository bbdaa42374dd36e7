const MAX_ITEMS = 10;

/** Text that looks like the key of a ticket, but is not. */
const STANDARDS =
  /^(?:UTF|ISO|SHA|RFC|HTTP|HTTPS|TLS|SSL|AES|RSA|MD|CVE|GPT|ES|IEEE|BASE|INT|UINT|FLOAT|UTC|GMT|ECMA|PEP|CP|LATIN|WIN|X|ARM|AMD|H|T|V|P|CSS|HTML|IPV|COVID|PHASE|STEP|PART|TODO|ED|HS|RS|PS|PG|NODE|PYTHON|JAVA)-/;

/** Returns the work items that a text names, such as `AB#1234`, `#12` and `JIRA-123`, each once. */
export function workItemsIn(text: string): string[] {
  const found = [
    ...(text.match(/\bAB#\d{1,9}\b/g) ?? []),
    ...(text.match(/(?<![\w/.-])[A-Z][A-Z0-9]{1,9}-\d{1,7}\b(?![.-]\w)/g) ?? []).filter(
      (key) => !STANDARDS.test(key),
    ),
    // A colour is not a work item: `#fff` has letters, `#333` and `#336699` follow a word for colours. That word is short:
    // without a limit a text of one long word would take seconds.
    ...[...text.matchAll(/(\S{0,60})(\s|^|[([])#(\d{1,7})\b(?![a-zA-Z])/g)].flatMap(
      ([, before = '', , number]) =>
        /colou?r|background|fill|stroke|:$/i.test(before) ? [] : [`#${number}`],
    ),
    ...[...text.matchAll(/\/(?:issues|pull|merge_requests)\/(\d{1,7})\b/g)].map(([, number]) => `#${number}`),
  ];
  return [...new Set(found)].slice(0, MAX_ITEMS);
}

/** Returns the work items that a branch is named after: `feature/AB#12-login`, `fix/JIRA-123`, `12-login`, `issue-12`. */
export function workItemsOfBranch(branch: string): string[] {
  const keys = workItemsIn(branch.replace(/[/_]/g, ' ')).concat(
    [...branch.matchAll(/(?:^|[/_])([A-Z][A-Z0-9]{1,9}-\d{1,7})(?=$|[-_/])/g)].flatMap(([, key = '']) =>
      STANDARDS.test(key) ? [] : [key],
    ),
  );
  if (keys.length > 0) return [...new Set(keys)].slice(0, MAX_ITEMS);
  // a date is not a work item
  const number = /(?:^|\/)(?:issue[-_]?|gh[-_]?|#)?(\d{1,7})(?=$|[-_])(?![-_]\d\d[-_]\d\d)/.exec(branch)?.[1];
  return number === undefined ? [] : [`#${number}`];
}
