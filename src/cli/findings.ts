import type { Config } from '../config.ts';
import type { Finding, FindingChange, NewFinding } from '../wire/routes.ts';
import type { Query } from '../wire/wire.ts';
import { callServer, wholeId } from './client.ts';
import { projectHere } from './here.ts';
import type { Io } from './io.ts';
import { ago, plain } from './print.ts';
import { table } from './table.ts';

const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'];
const place = ({ file, line }: Finding) => (file === null ? '' : `${file}${line === null ? '' : `:${line}`}`);
const proposal = ({ proposedStatus: status, proposedBy: by }: Finding) =>
  status === null ? '' : `${status.replace('_', ' ')}${by === null ? '' : ` by episode ${by.slice(0, 8)}`}`;
const ids = (linked: { id: string }[]) => linked.map(({ id }) => id.slice(0, 8)).join(', ');

/** Lists findings, the severest first. */
export async function listFindings(
  config: Config,
  io: Io,
  options: Query<'GET /v1/findings'> & { all?: boolean },
): Promise<void> {
  const { all, ...rest } = options;
  const closed = all || rest.status !== undefined ? undefined : 'false';
  const before = await wholeId(config, 'GET /v1/findings/{id}', rest.before);
  const { findings } = await callServer(config, 'GET /v1/findings', { query: { ...rest, before, closed } });
  findings.sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
  if (io.json) return io.print(findings);
  if (findings.length === 0) return io.log(closed ? 'No open findings.' : 'No findings.');
  io.log(
    table(
      io,
      ['id', 'severity', 'status', 'project', 'finding', 'where', 'blocked by', 'proposed', 'when'],
      findings.map((f) => [
        f.id.slice(0, 8),
        f.severity,
        f.status,
        f.project,
        f.title,
        place(f),
        ids(f.blockedBy.filter(({ status }) => status === 'open' || status === 'in_progress')),
        proposal(f),
        ago(f.createdAt),
      ]),
      { drop: ['proposed', 'blocked by', 'project', 'status', 'when'] },
    ),
  );
}

function show(io: Io, finding: Finding): void {
  if (io.json) {
    io.print(finding);
    return;
  }
  const line = (name: string, value: string | null) =>
    value ? io.log(`  ${name.padEnd(11)}${plain(value)}`) : undefined;
  io.log(plain(finding.title));
  if (finding.detail !== '') io.log(plain(finding.detail));
  line('id', finding.id);
  line('project', finding.project);
  line('severity', finding.severity);
  line('status', finding.status);
  line('resolution', finding.resolution);
  line('where', place(finding));
  line('noticed by', finding.agent);
  line(
    'written by',
    finding.writtenBy && `${finding.writtenBy === 'agent' ? 'an' : 'a'} ${finding.writtenBy}`,
  );
  line('noticed', finding.createdAt);
  line('closed', finding.closedAt);
  line('proposed', proposal(finding));
  line('solved by', finding.solvedBy && `episode ${finding.solvedBy.slice(0, 8)}`);
  const { resembles } = finding;
  if (resembles) {
    line('resembles', `${resembles.id.slice(0, 8)} ${resembles.title} (resolved)`);
    line('', resembles.resolution);
    line('', resembles.episode && `episode ${resembles.episode.id.slice(0, 8)}: ${resembles.episode.line}`);
  }
  for (const [name, linked] of [
    ['blocks', finding.blocks],
    ['blocked by', finding.blockedBy],
    ['related to', finding.relatedTo],
  ] as const) {
    for (const other of linked) line(name, `${other.id.slice(0, 8)} ${other.title} (${other.status})`);
  }
}

export async function showFinding(config: Config, io: Io, id: string): Promise<void> {
  show(io, await callServer(config, 'GET /v1/findings/{id}', { params: { id } }));
}

export async function addFinding(
  config: Config,
  io: Io,
  title: string,
  options: Omit<NewFinding, 'title' | 'project' | 'line'> & { project?: string; line?: string },
): Promise<void> {
  const { project, line, ...rest } = options;
  const finding = await callServer(config, 'POST /v1/findings', {
    body: {
      title,
      ...rest,
      ...(line !== undefined && { line: Number(line) }),
      project: project ?? (await projectHere(config, io, { make: true })),
    },
  });
  if (io.json) return io.print(finding);
  io.log(`${finding.id.slice(0, 8)} kept (${finding.severity}, ${plain(finding.project)})`);
}

export async function changeFinding(
  config: Config,
  io: Io,
  id: string,
  change: FindingChange,
): Promise<void> {
  const finding = await callServer(config, 'PATCH /v1/findings/{id}', { params: { id }, body: change });
  if (io.json) return io.print(finding);
  io.log(`${finding.id.slice(0, 8)} is ${finding.status.replace('_', ' ')}`);
}

const LINKS = { blocks: 'blocks', 'blocked-by': 'blocked_by', 'related-to': 'related_to' } as const;

export async function linkFinding(
  config: Config,
  io: Io,
  id: string,
  kind: 'blocks' | 'blocked-by' | 'related-to',
  other: string,
  method: 'PUT' | 'DELETE',
): Promise<void> {
  const params = { id, kind: LINKS[kind], other };
  show(io, await callServer(config, `${method} /v1/findings/{id}/links/{kind}/{other}`, { params }));
}
