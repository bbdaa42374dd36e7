import { useMutation } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import type { SqlResult } from '../../wire/routes.ts';
import { api } from '../data/api.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { TextArea } from '../ui/field.tsx';
import { Page } from '../ui/page.tsx';
import { Loaded, useResource } from '../ui/resource.tsx';
import { Empty, Failed } from '../ui/states.tsx';
import { duration } from '../ui/time.tsx';

const EXAMPLES = [
  [
    'Lessons used most',
    `select lesson, usage_count, round(confidence::numeric, 2) as confidence
from learnings where valid_until is null
order by usage_count desc limit 20`,
  ],
  [
    'Errors that came most often',
    `select signature_text, count(*) as times, max(opened_at) as last
from incidents group by signature_text
order by times desc limit 20`,
  ],
  [
    'Denied commands',
    `select command, rule, reason, checked_at
from command_checks where decision = 'deny'
order by checked_at desc limit 20`,
  ],
  [
    'Size of the tables',
    `select relname as "table", n_live_tup as rows,
  pg_size_pretty(pg_total_relation_size(relid)) as size
from pg_stat_user_tables
order by pg_total_relation_size(relid) desc limit 20`,
  ],
] as const;

/** Most rows that are shown. A person does not read more, and a browser cannot draw more at once. */
const MOST_ROWS = 500;

/** SQL that only reads, for the owner. */
export function Console() {
  const me = useResource([], 'GET /v1/me');
  return (
    <Page title="Console">
      <Loaded of={me}>
        {({ role }) =>
          role === 'owner' ? (
            <Reading />
          ) : (
            <Card>
              <Empty title="The console is the owner’s">
                Free SQL could ask more of the server than a member may, so only the owner of this server has
                it. All you know and did is on the other pages.
              </Empty>
            </Card>
          )
        }
      </Loaded>
    </Page>
  );
}

function Reading() {
  const [query, setQuery] = useState<string>(EXAMPLES[0][1]);
  const run = useMutation<{ answer: SqlResult; ms: number }, Error, string>({
    mutationFn: async (asked) => {
      const began = performance.now();
      return {
        answer: await api('POST /v1/sql', { body: { query: asked } }),
        ms: performance.now() - began,
      };
    },
  });
  const start = (asked: string) => {
    if (asked.trim() !== '') run.mutate(asked);
  };
  return (
    <>
      <Card>
        <div class="-mx-4 flex gap-2 overflow-x-auto px-4 pb-3">
          {EXAMPLES.map(([name, text]) => (
            <span key={name} class="shrink-0">
              <Button
                onClick={() => {
                  setQuery(text);
                  start(text);
                }}
              >
                {name}
              </Button>
            </span>
          ))}
        </div>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            start(query);
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
            event.preventDefault();
            start(query);
          }}
        >
          <TextArea label="SQL that reads" value={query} onInput={setQuery} rows={6} mono />
          <div class="mt-3 flex items-center gap-3">
            <span class="shrink-0">
              <Button look="main" type="submit" busy={run.isPending} disabled={query.trim() === ''}>
                {run.isPending ? 'Running …' : 'Run'}
              </Button>
            </span>
            <span class="text-xs text-muted">
              <span class="hidden open:inline">Ctrl or ⌘ with Enter runs it. </span>It changes nothing, and
              ends after 2 s.
            </span>
          </div>
        </form>
      </Card>
      <div aria-live="polite">
        {run.error && <Failed error={run.error} />}
        {run.data && !run.error && <Result {...run.data} />}
      </div>
    </>
  );
}

/** The rows, in a table that has its own scroll bars. */
function Result({ answer: { columns, rows, cut }, ms }: { answer: SqlResult; ms: number }) {
  const shown = rows.slice(0, MOST_ROWS);
  const isNumber = (column: string) => shown.every((row) => typeof (row[column] ?? 0) === 'number');
  return (
    <Card
      title={`${rows.length.toLocaleString()} ${rows.length === 1 ? 'row' : 'rows'}`}
      aside={`${duration(ms)}${rows.length > MOST_ROWS ? ` · the first ${MOST_ROWS} shown` : ''}`}
      flush
    >
      {cut !== null && <p class="px-4 pb-3 text-sm text-muted">{cut}</p>}
      {rows.length === 0 ? (
        <Empty title="No row fits" />
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <section class="max-h-[70dvh] overflow-auto" aria-label="Rows" tabIndex={0}>
          <table class="min-w-full text-sm">
            <thead class="sticky top-0 bg-card text-xs text-muted">
              <tr>
                {columns.map((column) => (
                  <th
                    key={column}
                    scope="col"
                    class={`border-b border-line px-4 py-2 font-medium whitespace-nowrap ${isNumber(column) ? 'text-right' : 'text-left'}`}
                  >
                    {column}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody class="divide-y divide-line">
              {shown.map((row, n) => (
                <tr key={n}>
                  {columns.map((column) => (
                    <td
                      key={column}
                      class={`max-w-80 px-4 wrap-break-word py-2 align-top ${isNumber(column) ? 'text-right whitespace-nowrap' : ''}`}
                    >
                      <Value of={row[column]} />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </Card>
  );
}

function Value({ of }: { of: unknown }) {
  if (of === null || of === undefined) return <span class="text-muted">null</span>;
  if (typeof of === 'object') return <span class="font-mono text-xs">{JSON.stringify(of)}</span>;
  const text = String(of);
  // an instant, to the second
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(text)) {
    return (
      <time dateTime={text} class="whitespace-nowrap">
        {text.slice(0, 19).replace('T', ' ')}
      </time>
    );
  }
  return <span class={text.length > 24 ? 'inline-block min-w-48' : ''}>{text}</span>;
}
