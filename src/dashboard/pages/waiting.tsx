import { CircleCheck } from 'lucide-preact';
import { useRef } from 'preact/hooks';
import { api } from '../data/api.ts';
import { type Project, shortNames, type Waiting } from '../data/dashboard.ts';
import type { Row } from '../records/kind.ts';
import { Rows } from '../records/row.tsx';
import { Card } from '../ui/page.tsx';
import { Code } from '../ui/states.tsx';
import { Answers, Decided, Reason } from './decide.tsx';

type Needs = { waiting: Waiting[]; projects?: Project[]; proposed?: Row[] };

/**
 * What waits for the person, with the answers right there.
 *
 * @param projects if given, the name of its project is shown with each thing
 * @param proposed what waits to be accepted
 */
export function WaitingCard({ waiting, projects, proposed = [] }: Needs) {
  const names = shortNames(projects ?? []);
  const rows = useInPlace(waiting).map((one) => ({
    ...rowOf(one),
    one,
    detail: [projects && one.project && (names.get(one.project) ?? one.project), rowOf(one).detail?.[0]],
  }));
  return (
    <Card id="needs-you" title="Needs you" flush>
      <Decided />
      {waiting.length + proposed.length === 0 && (
        <p class="flex items-center gap-2 px-4 py-3 text-sm text-muted">
          <CircleCheck size={16} aria-hidden="true" class="shrink-0 text-ok" />
          Nothing needs you.
        </p>
      )}
      <Rows
        label="Needs you"
        rows={rows}
        most={5}
        below={({ one }) =>
          one.kind === 'command' ? (
            <div class="flex flex-col gap-2">
              <Code>{one.title}</Code>
              <Reason text={one.detail ?? ''} command={one.title} />
              <Answers {...one} code={one.id} command={one.title} />
            </div>
          ) : (
            one.kind === 'client' && <Code>{PERMIT.exec(one.title)?.[2] ?? one.title}</Code>
          )
        }
      />
      <Rows label="Proposed" rows={proposed} />
    </Card>
  );
}

/**
 * Returns what waits in the order in which this page saw it, and what nobody can allow at the end of what comes together.
 * So no other command appears under the finger just when a person decides.
 */
function useInPlace(waiting: Waiting[]): Waiting[] {
  const seen = useRef<string[]>([]);
  // nobody looks at the page, so the order may change
  if (document.hidden) seen.current = [];
  const fresh = waiting.filter(({ id }) => !seen.current.includes(id));
  fresh.sort((a, b) => Number(a.catastrophic) - Number(b.catastrophic));
  seen.current = [...seen.current, ...fresh.map(({ id }) => id)];
  return seen.current.flatMap((id) => waiting.find((one) => one.id === id) ?? []);
}

/** how the server words a client's question: the tool, and what it would do */
const PERMIT = /^Waits for a person to permit ([^:]+)(?:: (.*))?$/s;

function rowOf({ id, kind, detail, title, held, tool, at }: Waiting): Row {
  if (kind === 'command')
    return {
      id,
      at,
      title: held ? `Held by your rule${tool === null ? '' : `: ${tool}`}` : 'Blocked command',
    };
  if (kind === 'client')
    return {
      id,
      at,
      title: `Wants to use ${PERMIT.exec(title)?.[1] ?? 'a tool'}`,
      detail: [`${detail ? `${detail}. ` : ''}Answer it in the terminal where it runs.`],
    };
  const [plan = '', step = ''] = id.split('/');
  const params = { id: plan, number: step };
  const goOn = () => api('PATCH /v1/plans/{id}/steps/{number}', { params, body: { waitingFor: null } });
  return {
    id,
    at,
    title: (detail ?? 'Waiting').replace(/^waits for/, 'Waiting:'),
    detail: [`Step ${step}: ${title}`],
    actions: [{ label: 'Unblock', run: goOn }],
  };
}
