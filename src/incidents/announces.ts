/** Lines that announce an error, name a test or count tests. Another line says what went wrong. */
const ANNOUNCEMENTS = new RegExp(
  [
    '[:,([{]$|!$|\\.\\.\\.$',
    '^\\W*FAIL\\b(?!.* - )|^--- FAIL',
    '^ERROR \\S+$',
    '^not ok \\d+ |^(?:# +)?Failed test ',
    '^npm (?:ERR!|error) code |^(?:Error: )?ERR_[A-Z_]+$',
    '^Failure/Error: |^TypeError: fetch failed$',
    '^FAILED \\S+\\.py\\S*$',
    '^(?:FAIL|ERROR): (?:test\\w*|\\w+ \\(.*\\))',
    '^\\W*[×✗✕✖✘●] (?!.*\\b(?:error|cannot|failed to|not found)\\b)|^● Test suite failed to run',
    '^\\S+ > .+ FAILED$|^\\d+\\) ',
    '\\baborted\\b',
    '^(?:exit status|Exit code) ',
    '^BUILD FAIL|did not run successfully',
    '^\\d+ (?:runs?|tests?|examples?|failed|passed)\\b|^(?:Test Files|Tests|Test Suites:|Tests:) +',
    '^test \\S+ \\.\\.\\. FAILED$',
    "^thread '.*' (?:\\(\\d+\\) )?panicked at ",
  ].join('|'),
  'u',
);

/** Whether a line of an error only announces it. */
export const isAnnouncement = (line: string): boolean => ANNOUNCEMENTS.test(line.trim());

/** Returns the first of an error's lines that says what went wrong; the first of all if none does. */
export function tellingLine(error: string): string {
  const lines = error.trim().split('\n');
  return lines.find((line) => !isAnnouncement(line)) ?? lines[0] ?? '';
}
