import { useMutation } from '@tanstack/preact-query';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { queries } from '../data/api.ts';
import { useProjects } from '../data/dashboard.ts';
import { joined } from '../data/words.ts';
import { Button, Choice, Field } from '../ui/field.tsx';
import { Failed, Progress, Prose, StatusDot } from '../ui/states.tsx';
import { Ago } from '../ui/time.tsx';
import type { Action, Row } from './kind.ts';

/**
 * The one list of the page: records, or parts of one, line by line. It begins with some, and shows the others when somebody
 * asks.
 *
 * @param path where the pages of the rows are
 * @param brief only a few lines of each, and nothing to press
 * @param below what is shown below a row
 */
export function Rows<R extends Row>({
  label,
  rows,
  path,
  most = 20,
  brief = false,
  below,
}: {
  label: string;
  rows: R[];
  path?: string | undefined;
  most?: number;
  brief?: boolean;
  below?: (row: R) => ComponentChildren;
}) {
  const [all, setAll] = useState(false);
  const shown = all ? rows : rows.slice(0, most);
  return (
    <>
      <ul aria-label={label} class="divide-y divide-line">
        {shown.map((row) => (
          <RowItem
            key={row.id}
            row={{ ...row, href: row.href === undefined && path ? `${path}/${row.id}` : row.href }}
            brief={brief}
            below={below?.(row)}
          />
        ))}
      </ul>
      {shown.length < rows.length && (
        <div class="flex flex-col border-t border-line px-4 py-3">
          <Button onClick={() => setAll(true)}>Show {rows.length - shown.length} more</Button>
        </div>
      )}
    </>
  );
}

/** One line of a list: a dot or nothing, a title, a line below it, at the right the time. */
function RowItem({ row, brief, below }: { row: Row; brief: boolean; below: ComponentChildren }) {
  const { called } = useProjects();
  const { title, code, project, detail = [], text, at, standing, done, href } = row;
  const { indent = 0, actions = [] } = row;
  const alarm = standing && (standing.tone === 'bad' || standing.tone === 'warn') ? standing : null;
  const where = project === undefined || brief ? null : project === null ? 'all projects' : called(project);
  const said = joined([where, ...detail]);
  const line = (
    <>
      {standing && (
        <span class="flex h-5.5 shrink-0 items-center">
          <StatusDot
            tone={standing.tone}
            {...(!alarm && { label: standing.word })}
            busy={standing.busy ?? false}
          />
        </span>
      )}
      <span class="min-w-0 flex-[1_1_5.5rem]">
        <span
          class={`${brief ? 'line-clamp-3 text-sm' : 'line-clamp-6'} whitespace-pre-line ${code ? 'font-mono text-sm' : ''}`}
        >
          {code ? title : <Prose>{title}</Prose>}
        </span>
        {(alarm || said) && (
          <span class="line-clamp-3 text-sm text-muted">
            {alarm && (
              <span class={alarm.tone === 'bad' ? 'text-bad' : 'text-warn'}>
                {alarm.word}
                {said && ' · '}
              </span>
            )}
            <Prose>{said}</Prose>
          </span>
        )}
        {done && (
          <span class="mt-1.5 block">
            <Progress done={done[0]} total={done[1]} label={`${done[0]} of ${done[1]} steps done`} />
          </span>
        )}
        {text && (
          <span class={`mt-1 text-sm whitespace-pre-line ${brief ? 'line-clamp-2' : 'line-clamp-6'}`}>
            <Prose>{text}</Prose>
          </span>
        )}
      </span>
      {at && (
        <span class="ml-auto shrink-0 text-right text-xs leading-5.5 text-muted">
          <Ago at={at} />
        </span>
      )}
    </>
  );
  const more = below || (!brief && actions.length > 0);
  const shape = `flex w-full flex-wrap gap-x-3 px-4 py-2.5 text-left ${more ? 'pb-2' : 'min-h-11'}`;
  return (
    <li style={indent > 0 ? { paddingLeft: `${Math.min(indent, 4)}rem` } : undefined}>
      {href ? (
        <Link href={href} class={`${shape} hover:bg-sunk`}>
          {line}
        </Link>
      ) : (
        <div class={shape}>{line}</div>
      )}
      {more && (
        <div class={`pr-4 pb-3 ${standing ? 'pl-9.5' : 'pl-4'}`}>
          {below || <Actions actions={actions} />}
        </div>
      )}
    </li>
  );
}

/**
 * What a person may do: a button each. One that needs an answer first opens a form in their place.
 *
 * @param about what they are about, for those who hear the page
 */
export function Actions({ actions, about }: { actions: Action[]; about?: string }) {
  const [open, setOpen] = useState<string | null>(null);
  const [more, setMore] = useState(false);
  const [, navigate] = useLocation();
  const act = useMutation<unknown, Error, { action: Action; values: Record<string, string> }>({
    mutationFn: ({ action, values }) => action.run(values),
    onSuccess: async (answer) => {
      setOpen(null);
      if (typeof answer === 'string') navigate(answer, { replace: true });
      // a change of one record may change others
      await queries.invalidateQueries();
    },
  });
  const asked = actions.find(({ label }) => label === open);
  return (
    <div class="flex flex-col gap-2">
      {asked ? (
        <Asked
          key={asked.label}
          action={asked}
          busy={act.isPending}
          onDo={(values) => act.mutate({ action: asked, values })}
          onCancel={() => setOpen(null)}
        />
      ) : (
        <div class="flex flex-wrap gap-2">
          {actions
            .filter(({ rare }) => more || !rare)
            .map((action) => (
              <Button
                key={action.label}
                look={action.look ?? 'plain'}
                {...(about && { 'aria-label': `${action.label}: ${about.slice(0, 200)}` })}
                {...(action.pressed !== undefined && { 'aria-pressed': action.pressed })}
                busy={act.isPending && act.variables.action.label === action.label}
                onClick={() => {
                  act.reset();
                  if (action.fields || action.question) setOpen(action.label);
                  else act.mutate({ action, values: {} });
                }}
              >
                {action.label}
              </Button>
            ))}
          {!more && actions.some(({ rare }) => rare) && (
            <Button
              aria-label={`More answers${about ? `: ${about.slice(0, 200)}` : ''}`}
              onClick={() => setMore(true)}
            >
              …
            </Button>
          )}
        </div>
      )}
      {act.error && <Failed error={act.error} />}
    </div>
  );
}

function Asked({
  action: { label, look, question, fields = [], yes = label },
  busy,
  onDo,
  onCancel,
}: {
  action: Action;
  busy: boolean;
  onDo: (values: Record<string, string>) => void;
  onCancel: () => void;
}) {
  const form = useRef<HTMLFormElement>(null);
  const [values, setValues] = useState(
    Object.fromEntries(fields.map(({ name, value = '' }) => [name, value])),
  );
  useEffect(() => form.current?.querySelector<HTMLElement>('input, textarea, button')?.focus(), []);
  return (
    <form
      ref={form}
      aria-label={label}
      class="flex flex-col gap-3 rounded-md bg-sunk p-3"
      onSubmit={(event) => {
        event.preventDefault();
        onDo(values);
      }}
      onKeyDown={({ key }) => key === 'Escape' && onCancel()}
    >
      {question && (
        <p class="text-sm" role="alert">
          {question}
        </p>
      )}
      {fields.map(({ name, label: of, rows, mono = false, options }) => {
        const value = values[name] ?? '';
        const set = (to: string) => setValues({ ...values, [name]: to });
        if (options) return <Choice key={name} label={of} value={value} options={options} onChange={set} />;
        return (
          <Field key={name} label={of} value={value} onInput={set} mono={mono} {...(rows && { rows })} />
        );
      })}
      <div class="flex gap-2">
        <Button look={look === 'bad' ? look : 'main'} type="submit" busy={busy}>
          {yes}
        </Button>
        <Button disabled={busy} onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
