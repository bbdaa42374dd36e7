import { useMutation } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import type { SqlResult } from '../../base/wire/routes.ts';
import { api } from '../data/api.ts';
import { counted } from '../data/words.ts';
import { Button, Field } from '../ui/field.tsx';
import { Card, Page } from '../ui/page.tsx';
import { Failed } from '../ui/states.tsx';

/** Most rows that are shown. A person does not read more, and a browser cannot draw more at once. */
const MOST_ROWS = 500;

/** SQL that only reads, for the owner. */
export function Console() {
  const [query, setQuery] = useState('select * from incidents order by opened_at desc limit 20');
  const run = useMutation<SqlResult, Error>({ mutationFn: () => api('POST /v1/sql', { body: { query } }) });
  const start = (event: Event) => {
    event.preventDefault();
    run.mutate();
  };
  return (
    <Page title="Console">
      <Card>
        <form
          class="flex flex-col items-start gap-3 [&>label]:w-full"
          onSubmit={start}
          onKeyDown={(event) => event.key === 'Enter' && (event.ctrlKey || event.metaKey) && start(event)}
        >
          <Field label="SQL that reads" value={query} onInput={setQuery} rows={6} mono />
          <Button look="main" type="submit" busy={run.isPending} disabled={query.trim() === ''}>
            Run
          </Button>
          <p class="text-xs text-muted">
            Ctrl or ⌘ with Enter runs it. It changes nothing, and ends after 2 s.
          </p>
        </form>
      </Card>
      <div aria-live="polite">
        {run.error && <Failed error={run.error} />}
        {run.data && !run.error && <Result {...run.data} />}
      </div>
    </Page>
  );
}

const CELL = 'max-w-80 min-w-24 px-4 py-2 text-left align-top';

/** The rows, in a table that has its own scroll bars. */
const Result = ({ columns, rows, cut }: SqlResult) => (
  <Card
    title={counted(rows.length, 'row')}
    aside={cut ?? (rows.length > MOST_ROWS && `the first ${MOST_ROWS} shown`)}
    flush
  >
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
    <section class="max-h-[70dvh] overflow-auto" aria-label="Rows" tabIndex={0}>
      <table class="min-w-full text-sm">
        <tr class="sticky top-0 bg-card text-xs text-muted">
          {columns.map((column) => (
            <th key={column} scope="col" class={CELL}>
              {column}
            </th>
          ))}
        </tr>
        {rows.slice(0, MOST_ROWS).map((row, n) => (
          <tr key={n} class="border-t border-line">
            {columns.map((column) => (
              <td key={column} class={CELL}>
                {typeof row[column] === 'object' ? JSON.stringify(row[column]) : String(row[column])}
              </td>
            ))}
          </tr>
        ))}
      </table>
    </section>
  </Card>
);
