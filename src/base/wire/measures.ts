/** What people read for the names of measures, in the CLI and on the page alike. */
export const MEASURES: Record<string, string> = {
  capture: 'Work that was captured',
  suggestionsAccepted: 'Offers followed',
  recoveriesUsed: 'Fixes used at a failure',
  contextSkipped: 'Sessions that followed nothing',
  precision: 'Useful search results',
  breadcrumbsValid: 'Citations still valid',
};
