import type { Config } from '../config.ts';
import type { JoinedProjects } from '../wire/routes.ts';
import { callServer } from './client.ts';
import { confirmed } from './confirm.ts';
import { asCalled } from './hint.ts';
import type { Io } from './io.ts';
import { ago, plain } from './print.ts';
import { table } from './table.ts';

/** Lists the projects, and which of them may be one. */
export async function listProjects(config: Config, io: Io): Promise<void> {
  const { projects } = await callServer(config, 'GET /v1/projects');
  if (io.json) return io.print({ projects });
  if (projects.length === 0) return io.log('No projects.');
  io.log(
    table(
      io,
      ['project', 'also', 'last active'],
      projects.map(({ name, also, lastActivity }) => [name, also.join(', '), ago(lastActivity)]),
      { whole: true },
    ),
  );
  for (const [one, other] of projects.flatMap(({ name, sameBeginning }) =>
    sameBeginning.filter((other) => name < other).map((other) => [name, other] as const),
  ))
    io.log(
      asCalled(
        plain(
          `${one} and ${other} began with the same commit. If they are one: lore projects join '${other}' '${one}'`,
        ),
      ),
    );
}

/** Shows what would be moved, asks, and joins the first project to the second one. */
export async function joinProjects(
  config: Config,
  io: Io,
  [from, into]: [string, string],
  { yes = false, dryRun = false }: { yes?: boolean; dryRun?: boolean },
): Promise<void> {
  const ask = (dry: boolean) =>
    callServer(config, 'POST /v1/projects/join', { body: { from, into, dryRun: dry } });
  if (!dryRun && !yes) {
    const would = await ask(true);
    const question = `This would be moved from ${plain(would.from)} to ${plain(would.into)}, and cannot be moved back:\n${reportOf(would)}\nJoin them?`;
    if (!(await confirmed(io, 'Joining projects', question))) return io.error('Nothing was moved.');
  }
  const joined = await ask(dryRun);
  if (io.json) return io.print(joined);
  const did = dryRun ? 'Would be moved' : 'Moved';
  io.log(`${did} from ${plain(joined.from)} to ${plain(joined.into)}:\n${reportOf(joined)}`);
}

function reportOf({ from, moved, stayed }: JoinedProjects): string {
  const lines = (counts: Record<string, number>) =>
    Object.entries(counts).map(([kind, n]) => `  ${String(n).padStart(7)} ${kind.replaceAll('_', ' ')}`);
  const rest = lines(stayed);
  const kept =
    rest.length === 0
      ? []
      : [`The other says these already; they stay, in “${plain(from)} (joined)”:`, ...rest];
  return [...(Object.keys(moved).length === 0 ? ['  nothing'] : lines(moved)), ...kept].join('\n');
}
