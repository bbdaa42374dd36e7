import type { Config } from '../config.ts';
import { callServer, wholeId } from './client.ts';
import { projectHere } from './here.ts';
import { ago, type Output, plain, print, queryOf, table } from './print.ts';

type Linked = { id: string; title: string; status: string }[];
type Finding = {
  id: string;
  project: string;
  title: string;
  detail: string;
  severity: string;
  status: string;
  resolution: string | null;
  file: string | null;
  line: number | null;
  agent: string | null;
  createdAt: string;
  closedAt: string | null;
  proposedStatus: string | null;
  proposedBy: string | null;
  solvedBy: string | null;
  resembles: {
    id: string;
    title: string;
    resolution: string | null;
    episode: { id: string; line: string } | null;
  } | null;
  blocks: Linked;
  blockedBy: Linked;
  relatedTo: Linked;
};

const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'];
const place = ({ file, line }: Finding) => (file === null ? '' : `${file}${line === null ? '' : `:${line}`}`);
const proposal = ({ proposedStatus: status, proposedBy: by }: Finding) =>
  status === null ? '' : `${status.replace('_', ' ')}${by === null ? '' : ` by episode ${by.slice(0, 8)}`}`;
const ids = (linked: Linked) => linked.map(({ id }) => id.slice(0, 8)).join(', ');

/** Lists findings, the severest first. */
export async function listFindings(
  config: Config,
  output: Output,
  options: {
    project?: string;
    status?: string;
    severity?: string;
    all?: boolean;
    before?: string;
    limit: string;
  },
): Promise<void> {
  const { all, ...rest } = options;
  const closed = all || rest.status !== undefined ? undefined : 'false';
  const before = await wholeId(config, '/v1/findings', rest.before);
  const path = `/v1/findings?${queryOf({ ...rest, before, closed })}`;
  const { findings } = await callServer<{ findings: Finding[] }>(config, 'GET', path);
  findings.sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
  if (output.json) return print(findings);
  if (findings.length === 0) return console.log(closed ? 'No open findings.' : 'No findings.');
  console.log(
    table(
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
    ),
  );
}

function show(output: Output, finding: Finding): void {
  if (output.json) {
    print(finding);
    return;
  }
  const line = (name: string, value: string | null) =>
    value ? console.log(`  ${name.padEnd(11)}${plain(value)}`) : undefined;
  console.log(plain(finding.title));
  if (finding.detail !== '') console.log(plain(finding.detail));
  line('id', finding.id);
  line('project', finding.project);
  line('severity', finding.severity);
  line('status', finding.status);
  line('resolution', finding.resolution);
  line('where', place(finding));
  line('noticed by', finding.agent);
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

const pathOf = (id: string) => `/v1/findings/${encodeURIComponent(id)}`;

export async function showFinding(config: Config, output: Output, id: string): Promise<void> {
  show(output, await callServer<Finding>(config, 'GET', pathOf(id)));
}

export async function addFinding(
  config: Config,
  output: Output,
  title: string,
  options: {
    project?: string;
    detail?: string;
    severity?: string;
    file?: string;
    line?: string;
    agent?: string;
    blocks?: string[];
    blockedBy?: string[];
    relatedTo?: string[];
  },
): Promise<void> {
  const { project, line, ...rest } = options;
  const finding = await callServer<Finding>(config, 'POST', '/v1/findings', {
    title,
    ...rest,
    ...(line !== undefined && { line: Number(line) }),
    project: project ?? (await projectHere(config)),
  });
  if (output.json) return print(finding);
  console.log(`${finding.id.slice(0, 8)} kept (${finding.severity}, ${plain(finding.project)})`);
}

export async function changeFinding(
  config: Config,
  output: Output,
  id: string,
  change: { status: string; resolution?: string } | { proposedStatus: null },
): Promise<void> {
  const finding = await callServer<Finding>(config, 'PATCH', pathOf(id), change);
  if (output.json) return print(finding);
  console.log(`${finding.id.slice(0, 8)} is ${finding.status.replace('_', ' ')}`);
}

export async function linkFinding(
  config: Config,
  output: Output,
  id: string,
  kind: string,
  other: string,
  method: 'PUT' | 'DELETE',
): Promise<void> {
  const path = `${pathOf(id)}/links/${encodeURIComponent(kind.replaceAll('-', '_'))}/${encodeURIComponent(other)}`;
  show(output, await callServer<Finding>(config, method, path));
}
