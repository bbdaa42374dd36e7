import { useSearchParams } from 'wouter-preact';
import { Choice } from '../ui/field.tsx';
import { Page } from '../ui/page.tsx';
import { Checks, OneCheck } from './safety/checks.tsx';
import { Rules } from './safety/rules.tsx';
import { Verdicts } from './safety/verdicts.tsx';

const PARTS = [
  ['checks', 'Checks'],
  ['verdicts', 'Verdicts'],
  ['rules', 'Rules'],
] as const;

/**
 * The commands that were denied or could not be verified, the verdicts of people and the model on them, and
 * the rules.
 */
export function Safety() {
  const [search, setSearch] = useSearchParams();
  const part = PARTS.find(([name]) => name === search.get('show'))?.[0] ?? 'checks';
  const code = search.get('check');
  return (
    <Page title="Safety">
      {code && <OneCheck key={code} code={code} />}
      <Choice
        label="What to show"
        value={part}
        options={PARTS}
        onChange={(show) => setSearch(show === 'checks' ? {} : { show }, { replace: true })}
      />
      {part === 'checks' && <Checks above={code} />}
      {part === 'verdicts' && <Verdicts />}
      {part === 'rules' && <Rules />}
    </Page>
  );
}
