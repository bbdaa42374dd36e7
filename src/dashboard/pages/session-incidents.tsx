import type { Incident } from '../../wire/routes.ts';
import type { Table } from '../data/live.ts';
import { counted } from '../data/session.ts';
import { Card } from '../ui/card.tsx';
import { Loaded, useResource } from '../ui/resource.tsx';
import { Code } from '../ui/states.tsx';
import { Badge, type Tone } from '../ui/status-dot.tsx';
import { Time } from '../ui/time.tsx';

const tables: Table[] = ['incidents'];

const STATUSES: Record<Incident['status'], readonly [Tone, string]> = {
  open: ['warn', 'open'],
  resolved: ['ok', 'resolved'],
  unresolved: ['bad', 'not resolved'],
};

/** What went wrong in a session, and what resolved it. */
export function SessionIncidents({ session }: { session: string }) {
  const incidents = useResource(tables, 'GET /v1/incidents', {
    query: { session, limit: 200 },
  });
  return (
    <Card
      title="What went wrong"
      aside={incidents.data && counted(incidents.data.incidents.length, 'error')}
      flush
    >
      <Loaded of={incidents} lines={2}>
        {({ incidents: all }) =>
          all.length === 0 ? (
            <p class="px-4 pb-4 text-sm text-muted">Nothing.</p>
          ) : (
            <ul class="divide-y divide-line">
              {[...all].reverse().map((incident) => (
                <IncidentItem key={incident.id} incident={incident} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  );
}

function IncidentItem({ incident }: { incident: Incident }) {
  const [tone, word] = STATUSES[incident.status];
  const { resolution, tried } = incident;
  const files = [...new Set(resolution?.edits.map(({ file }) => file) ?? [])];
  return (
    <li class="flex flex-col gap-2 px-4 py-3 text-sm">
      <p class="flex items-center justify-between gap-3">
        <span class="min-w-0 font-medium">
          {incident.toolName}
          {incident.errorType && <span class="font-normal text-muted"> · {incident.errorType}</span>}
        </span>
        <span class="flex shrink-0 items-center gap-2 text-xs text-muted">
          <Badge tone={tone}>{word}</Badge>
          <Time at={incident.openedAt} />
        </span>
      </p>
      {incident.target && <p class="font-mono text-code">{incident.target}</p>}
      <div class="line-clamp-6">
        <Code>{incident.error}</Code>
      </div>
      {resolution && (
        <div class="border-l-2 border-ok pl-3">
          <p class="text-ok">What resolved it</p>
          {files.map((file) => (
            <p key={file}>
              <span class="text-muted">edited </span>
              <span class="font-mono text-code">{file}</span>
            </p>
          ))}
          {[...resolution.commands, ...(resolution.command ? [resolution.command] : [])].map((command) => (
            <p key={command}>
              <span class="text-muted">ran </span>
              <span class="font-mono text-code">{command}</span>
            </p>
          ))}
          {resolution.said && <p>You said: {resolution.said}</p>}
        </div>
      )}
      {tried && tried.steps.length > 0 && (
        <div class="border-l-2 border-bad pl-3">
          <p class="text-bad">Tried in vain</p>
          {tried.steps.map((step) => (
            <p key={step} class="font-mono text-code">
              {step}
            </p>
          ))}
        </div>
      )}
    </li>
  );
}
