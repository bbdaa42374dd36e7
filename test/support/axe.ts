import axe from 'axe-core';
import type { Page } from 'playwright-core';

type Violation = { id: string; impact: string | null; help: string; nodes: { target: string[] }[] };

/** Returns what axe finds serious or critical in a page as it stands, a line each. */
export async function seriousFindings(page: Page, options: object = {}): Promise<string[]> {
  // evaluated by the debugger, which no policy of the page forbids
  await page.evaluate(axe.source);
  const asked = JSON.stringify({ resultTypes: ['violations'], ...options });
  const { violations } = (await page.evaluate(`axe.run(document, ${asked})`)) as { violations: Violation[] };
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, help, nodes }) => nodes.map(({ target }) => `${id} (${help}) at ${target.join(' ')}`));
}
