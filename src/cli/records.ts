// Longer than 400 lines because it has the commands of nine kinds of records.
import type { Command } from 'commander';
import { Problem } from '../errors/problem.ts';
import { headOf, look } from '../kinds/look.ts';
import { shorten } from '../text/clip.ts';
import type { Decision, Entity, Fact, Finding, Note, Relation } from '../wire/routes.ts';
import { having } from '../wire/wire.ts';
import { wholeId } from './client.ts';
import type { Cli, Define } from './commands.ts';
import { projectHere, rootHere, textOf } from './here.ts';
import { each, id, listing, oneOf, share, sub, time, whole, wrongUsage } from './options.ts';
import { asCalled, called, percent, period, plain, short } from './print.ts';
import { details, list } from './table.ts';

// The commands of what agents know: facts, relations, decisions, findings, notes, channels, agents, observations.

const OF = ['-p, --project <name>', 'the project that it belongs to; without one it is your own'] as const;
const HERE = ['-p, --project <name>', 'default: the project here'] as const;
const asked = (command: Command, most: string) =>
  listing(command, most)
    .option('--as-of <time>', 'what was true then (a day, or ISO 8601)', time)
    .option('--recorded-as-of <time>', 'as Lore believed it then (a day, or ISO 8601)', time);
const within = (command: Command) =>
  command
    .option(...OF)
    .option('--from <time>', 'when it begins (default: now)', time)
    .option('--until <time>', 'when it ends', time);
const stated = (command: Command) =>
  within(command)
    .option('--tier <tier>', 'person, observed, agent or inferred')
    .option('--evidence <text>', 'what shows it');
const at = (command: Command) => command.option('--at <time>', 'when (default: now)', time);

const shown = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
const writer = ({ writtenBy: by }: Finding | Note) => by && `${by === 'agent' ? 'an' : 'a'} ${by}`;
const done = ({ outcome }: { outcome: string }, made = 'Set') =>
  outcome === 'confirmed' ? 'Confirmed' : made;
/** What was stated for no project is the person's own. */
const whose = ({ project }: { project: string | null }) =>
  project === null ? '\nIt is your own and holds in all projects; with -p <project> it is of one.' : '';
const holds = { holds: period };

/** Returns JSON that was given on the command line; what is none becomes `otherwise`. */
function parsed(given: string, otherwise: (cause: unknown) => unknown): unknown {
  try {
    return JSON.parse(given);
  } catch (cause) {
    return otherwise(cause);
  }
}

const erases = (
  command: Command,
  { io, call }: Cli,
  kind: 'facts' | 'relations' | 'decisions',
  text: string,
) =>
  sub(command, 'erase <id>', text).action(async (id) => {
    await call(`DELETE /v1/${kind}/{id}`, { params: { id } });
    io.answer({ id, done: 'erase' }, `Erased ${id}`);
  });

const facts: Define = (command, cli) => {
  const { io, call } = cli;
  const value = { value: (f: Fact) => shown(f.value) };
  asked(command, '50')
    .option('-t, --type <type>', 'only this type')
    .option('-k, --key <key>', 'only this key')
    .action(async (query) => {
      const { facts } = await call('GET /v1/facts', { query });
      const names = 'id project type key value tier holds';
      list(io, facts, 'No facts.', names, { ...value, ...holds }, 'tier holds project');
    });
  stated(
    sub(command, 'set <type> <key> <value>', 'state a value (JSON, or a text); the same again confirms it'),
  )
    .option('--source <text>', 'where it was learned')
    .action(async (type, key, value, { from, until, ...options }) => {
      const said = { type, key, value: parsed(value, () => value), validFrom: from, validUntil: until };
      const fact = await call('PUT /v1/facts', { body: { ...said, ...options } });
      const told = `${fact.type} ${fact.key} = ${shown(fact.value)}, ${period(fact)} (tier ${fact.tier})`;
      io.answer(fact, `${done(fact)}: ${told}${whose(fact)}`);
    });
  at(sub(command, 'end <type> <key>', 'end a fact, without a new one').option(...OF)).action(
    async (type, key, options) => {
      const { fact } = await call('POST /v1/facts/end', { body: { type, key, ...options } });
      io.answer(fact, `Ended: ${type} ${key}${fact ? ` = ${shown(fact.value)}, ${period(fact)}` : ''}`);
    },
  );
  asked(sub(command, 'history <type> <key>', 'all that was ever believed of a key'), '500').action(
    async (type, key, options) => {
      const { facts } = await call('GET /v1/facts/history', { query: { type, key, ...options } });
      const believed = (f: Fact) =>
        f.recordedUntil === null ? null : `${f.recordedUntil.slice(0, 19)} (${f.closedBy})`;
      list(
        io,
        facts,
        `Nothing was ever known of ${type} ${key}.`,
        'recorded believed_until project value holds tier',
        { recorded: (f) => f.recordedAt.slice(0, 19), believed_until: believed, ...value, ...holds },
        'tier project',
      );
    },
  );
  sub(command, 'undo <type> <key>', 'undo the last change of a key')
    .option(...OF)
    .option('--id <id>', 'the change that stated this fact, if it is still the last one')
    .action(async (type, key, options) => {
      const { facts } = await call('POST /v1/facts/undo', { body: { type, key, ...options } });
      const now = facts.map((fact) => `  ${shown(fact.value)}, ${period(fact)} (tier ${fact.tier})`);
      io.answer(
        facts,
        [`Undone. ${type} ${key}:`, ...(now.length > 0 ? now : ['  no value now'])].join('\n'),
      );
    });
  erases(command, cli, 'facts', 'delete a fact permanently, with its history');
};

const named = ({ type, key }: Entity) => `${type} ${key}`;
const line = ({ from, relation, to }: Relation) => `${named(from)} ${relation} ${named(to)}`;

/** Lists relations, each with how far it is from where a search began. */
const listRelations = ({ io }: Cli, relations: (Relation & { hop?: number })[], none: string) =>
  list(
    io,
    relations,
    none,
    'id project relation attributes tier holds',
    {
      relation: (r) => `${r.hop === undefined ? '' : `${r.hop}: `}${line(r)}`,
      attributes: (r) => (Object.keys(r.attributes).length > 0 ? JSON.stringify(r.attributes) : null),
      ...holds,
    },
    'attributes tier project',
  );

const relations: Define = (command, cli) => {
  const { io, call } = cli;
  asked(command, '50').action(async (query) => {
    listRelations(cli, (await call('GET /v1/relations', { query })).relations, 'No relations.');
  });
  const edge = '<fromType> <fromKey> <relation> <toType> <toKey>';
  const edgeOf = ([fromType, fromKey, relation, toType, toKey]: string[]) => ({
    from: { type: fromType as string, key: fromKey as string },
    relation: relation as string,
    to: { type: toType as string, key: toKey as string },
  });
  within(sub(command, `set ${edge}`, 'state a relation'))
    .option('-a, --attributes <json>', 'a JSON object')
    .action(async (...given) => {
      const { from, until, attributes, project } = given[5];
      const wrong = (cause: unknown): never => {
        const detail = '--attributes must be a JSON object, such as \'{"port": 5432}\'.';
        throw new Problem({ status: 400, title: 'Bad request', detail, cause });
      };
      const more =
        attributes === undefined ? {} : { attributes: parsed(attributes, wrong) as Record<string, unknown> };
      const body = { ...edgeOf(given), project, validFrom: from, validUntil: until, ...more };
      const set = await call('PUT /v1/relations', { body });
      io.answer(set, `${done(set)}: ${line(set)}, ${period(set)}${whose(set)}`);
    });
  for (const [what, text, told] of [
    ['end', 'end a relation', 'Ended'],
    ['undo', 'undo the last change of a relation', 'Undone'],
  ] as const)
    sub(command, `${what} ${edge}`, text)
      .option(...OF)
      .action(async (...given) => {
        const body = { ...edgeOf(given), project: given[5].project };
        io.answer(
          await call(`POST /v1/relations/${what}`, { body }),
          `${told}: ${given.slice(0, 5).join(' ')}`,
        );
      });
  asked(sub(command, 'around <type> <key>', 'what an entity is related to'), '200')
    .option('--hops <n>', 'how far, 1 to 3', oneOf('1', '2', '3'), '1')
    .option('--direction <direction>', 'out, in or both', oneOf('out', 'in', 'both'), 'both')
    .action(async (type, key, options) => {
      const query = { type, key, ...options };
      const found = await call('GET /v1/relations/neighbourhood', { query });
      if (io.json) return io.print(found);
      listRelations(cli, found.relations, `Nothing is related to ${type} ${key}.`);
      if (found.truncated) io.log('There are more; --limit shows them.');
    });
  erases(command, cli, 'relations', 'delete a relation permanently, with its history');
};

const rule = ({ condition, action }: Decision) => plain(`When ${condition}: ${action}`);

const decisions: Define = (command, cli) => {
  const { io, call } = cli;
  asked(command, '50').action(async (query) => {
    const { decisions } = await call('GET /v1/decisions', { query });
    const names = 'id project when=condition do=action conf.=confidence tier evidence holds';
    list(
      io,
      decisions,
      'No decisions.',
      names,
      { 'conf.': (d) => percent(d.confidence), ...holds },
      'evidence holds tier conf. project',
    );
  });
  stated(sub(command, 'add <condition> <action>', 'state a decision: when it applies, and what to do then'))
    .option('-s, --supersedes <id>', 'the decision that it replaces', id)
    .option('-c, --confidence <share>', '0 to 1', share)
    .option('--learned-from <text>', 'where it comes from')
    .action(async (condition, action, { from, until, confidence, supersedes, ...options }) => {
      const body = {
        ...{ condition, action, validFrom: from, validUntil: until, ...options },
        ...(confidence !== undefined && { confidence: Number(confidence) }),
        supersedes: await wholeId(cli.config, 'GET /v1/decisions/{id}', supersedes),
      };
      const made = await call('POST /v1/decisions', { body });
      io.answer(made, `${done(made, 'Decided')} ${short(made.id)}: ${rule(made)}${whose(made)}`);
    });
  sub(command, 'show <id>', 'a decision, its history, and what it amends or what amends it').action(
    async (id) => {
      const decision = await call('GET /v1/decisions/{id}', { params: { id } });
      if (io.json) return io.print(decision);
      io.log(rule(decision));
      details(io, decision, 'id project tier learned_from=learnedFrom evidence holds amended believed', {
        tier: (d) => `${d.tier}, confidence ${percent(d.confidence)}`,
        ...holds,
        amended: (d) =>
          d.amendments.map(({ id, newer, older, evidence, undoneAt }) => {
            const [how, other] = newer.id === d.id ? ['supersedes', older] : ['superseded by', newer];
            const state = undoneAt === null ? asCalled(`lore amendments undo ${short(id)}`) : 'undone';
            return `${how} ${short(other.id)} (“${evidence.words}”; ${state}): ${other.content}`;
          }),
        believed: (d) =>
          d.history.map((row) => {
            const until =
              row.recordedUntil === null ? 'still' : `until ${row.recordedUntil} (${row.closedBy})`;
            return `from ${row.recordedAt} ${until}: ${period(row)}`;
          }),
      });
    },
  );
  at(sub(command, 'end <id>', 'end a decision, without a new one')).action(async (id, body) => {
    const ended = await call('POST /v1/decisions/{id}/end', { params: { id }, body });
    io.answer(ended, `Ended: ${rule(ended)}, ${period(ended)}`);
  });
  erases(command, cli, 'decisions', 'delete it permanently; what it had replaced applies again');
};

const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'];
const STATUSES = ['open', 'in_progress', 'resolved', 'wont_fix', 'duplicate'];
const placeOf = ({ file, line }: Finding) => file && `${file}${line === null ? '' : `:${line}`}`;
const proposal = ({ proposedStatus: status, proposedBy: by }: Finding) =>
  status && `${status.replace('_', ' ')}${by === null ? '' : ` by episode ${short(by)}`}`;

function showFinding({ io }: Cli, finding: Finding) {
  if (io.json) return io.print(finding);
  io.log(plain(finding.title));
  if (finding.detail !== '') io.log(plain(finding.detail));
  const linked = (to: Finding['blocks']) =>
    to.map(({ id, title, status }) => `${short(id)} ${title} (${status})`);
  details(
    io,
    finding,
    'id project severity status resolution where noticed_by=agent written_by noticed=createdAt closed=closedAt proposed solved_by blocks blocked_by related_to',
    {
      where: placeOf,
      written_by: writer,
      proposed: proposal,
      solved_by: (f) => f.solvedBy && `episode ${short(f.solvedBy)}`,
      blocks: (f) => linked(f.blocks),
      blocked_by: (f) => linked(f.blockedBy),
      related_to: (f) => linked(f.relatedTo),
    },
  );
}

const findings: Define = (command, cli) => {
  const { io, call } = cli;
  const severity = oneOf(...SEVERITIES);
  listing(command)
    .option('-s, --status <status>', STATUSES.join(', '), oneOf(...STATUSES))
    .option('--severity <severity>', SEVERITIES.join(', '), severity)
    .option('--all', 'also those that are closed')
    .option('--before <id>', 'the page after this finding', id)
    .action(async ({ all, before, ...rest }) => {
      const closed = all || rest.status !== undefined ? undefined : ('false' as const);
      const last = await wholeId(cli.config, 'GET /v1/findings/{id}', before);
      const { findings } = await call('GET /v1/findings', { query: { ...rest, before: last, closed } });
      findings.sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
      list(
        io,
        findings,
        closed ? 'No open findings.' : 'No findings.',
        'id severity status project finding=title where blocked_by proposed when=createdAt',
        {
          where: placeOf,
          blocked_by: (f) =>
            f.blockedBy.filter(({ status }) => STATUSES.indexOf(status) < 2).map(({ id }) => id),
          proposed: proposal,
        },
        'proposed blocked_by project status when',
      );
    });
  const show = (id: string) => call('GET /v1/findings/{id}', { params: { id } });
  sub(command, 'show <id>', 'a finding, whole').action(async (id) => showFinding(cli, await show(id)));
  sub(command, 'add <title>', 'add a problem that was noticed')
    .option(...HERE)
    .option('-d, --detail <text>', 'what is wrong, and how it was seen')
    .option('--severity <severity>', `${SEVERITIES.join(', ')}; default: medium`, severity)
    .option('--file <path>', 'where')
    .option('--line <n>', 'where in the file', whole(1))
    .option('--agent <name>', 'who noticed it')
    .option('--blocks <id>', 'findings that wait for this one; may be repeated', each)
    .option('--blocked-by <id>', 'findings that come first; may be repeated', each)
    .option('--related-to <id>', 'findings that have to do with it; may be repeated', each)
    .action(async (title, { project, line, ...rest }) => {
      const of = project ?? (await projectHere(cli.config, io, { make: true }));
      const body = { title, ...rest, ...(line !== undefined && { line: Number(line) }), project: of };
      const finding = await call('POST /v1/findings', { body });
      io.answer(finding, `${short(finding.id)} kept (${finding.severity}, ${plain(finding.project)})`);
    });
  const change = async (id: string, body: object) => {
    const finding = await call('PATCH /v1/findings/{id}', { params: { id }, body });
    io.answer(finding, `${short(finding.id)} is ${finding.status.replace('_', ' ')}`);
  };
  sub(command, 'start <id>', 'mark it as in progress').action((id) => change(id, { status: 'in_progress' }));
  sub(command, 'resolve <id> [resolution]', 'close it, and say what was done')
    .option(
      '-s, --status <status>',
      'resolved, wont_fix or duplicate',
      oneOf(...STATUSES.slice(2)),
      'resolved',
    )
    .action((id, resolution, { status }) => change(id, { status, resolution }));
  sub(command, 'decline <id>', 'decline what an episode proposed').action((id) =>
    change(id, { proposedStatus: null }),
  );
  for (const [name, method, text] of [
    ['link', 'PUT', 'link it to another one: blocks, blocked-by or related-to'],
    ['unlink', 'DELETE', 'take the link away'],
  ] as const)
    sub(command, `${name} <id> <kind> <other>`, text).action(async (id, kind: string, other) => {
      const params = { id, kind: kind.replace('-', '_') as 'blocks', other };
      showFinding(cli, await call(`${method} /v1/findings/{id}/links/{kind}/{other}`, { params }));
    });
};

const notes: Define = (command, cli) => {
  const { io, call } = cli;
  listing(command)
    .option('--channel <name>', 'only this channel')
    .option('--agent <name>', 'only notes of this agent')
    .option('--type <type>', 'reflection, decision, pattern or policy')
    .option('--mention <name>', 'only notes that mention this agent')
    .option('--before <id>', 'the page after this note', id)
    .action(async ({ type, before, ...rest }) => {
      const last = await wholeId(cli.config, 'GET /v1/notes/{id}', before);
      const query = { ...rest, before: last, messageType: type };
      const { notes } = await call('GET /v1/notes', { query });
      const first = ({ stale, content }: Note) =>
        `${stale.length > 0 ? 'STALE ' : ''}${shorten(content.trim().split('\n', 1)[0] ?? '', 200)}`;
      const names = 'id when=createdAt channel from=sender type=messageType note';
      list(io, notes, 'No notes.', names, { note: first }, 'type channel from');
    });
  sub(command, 'show <id>', 'a note, whole').action(async (id) => {
    const note = await call('GET /v1/notes/{id}', { params: { id } });
    if (io.json) return io.print(note);
    io.log(`${plain(note.content)}\n`);
    details(
      io,
      note,
      'id project channel from=sender written_by type=messageType mentions written=createdAt replaces=supersedes replaced=validUntil STALE cites',
      {
        project: (n) => n.project ?? 'none: found from all projects',
        written_by: writer,
        STALE: (n) => n.stale.map(({ ref, state }) => `${ref} ${state}`),
        cites: (n) =>
          Object.entries(n.metadata.breadcrumbs ?? {}).map(
            ([name, list]) => `${name}: ${Array.isArray(list) ? list.join(', ') : JSON.stringify(list)}`,
          ),
      },
    );
  });
  sub(command, 'add [text...]', 'keep a note; without a text, standard input')
    .option(...HERE)
    .option('--everywhere', 'for no project: found from all of them (needs --agent)')
    .option('--channel <name>', 'default: the channel of the agent')
    .option('--agent <name>', 'who writes')
    .option('--type <type>', 'reflection, decision, pattern or policy')
    .option('--confidence <share>', '0 to 1', share)
    .option('--mention <name>', 'whom it is for; the same as @name in the text; may be repeated', each)
    .option('--file <path>', 'files that it is about, as path or path#symbol; may be repeated', each)
    .option('--commit <hash>', 'commits that it is about; may be repeated', each)
    .option('--supersedes <id>', 'the note that it replaces', id)
    .action(
      async (
        words,
        { project, everywhere, type, confidence, mention, file, commit, supersedes, ...rest },
      ) => {
        const content = await textOf(io, words);
        if (content === '')
          throw wrongUsage('Say what to note: lore notes add "…", or through standard input.');
        const breadcrumbs = { ...(file && { modified_files: file }), ...(commit && { commits: commit }) };
        const body = {
          ...{ content, ...rest },
          ...(!everywhere && { project: project ?? (await projectHere(cli.config, io, { make: true })) }),
          supersedes: await wholeId(cli.config, 'GET /v1/notes/{id}', supersedes),
          ...(type && { messageType: type }),
          ...(confidence && { confidence: Number(confidence) }),
          ...(mention && { mentions: mention }),
          metadata: file || commit ? { breadcrumbs } : {},
        };
        const note = having('id', await call('POST /v1/notes', { body }));
        const where = plain(note.project ?? 'found from all projects');
        const mentions = note.mentions.length > 0 ? `\nmentions ${plain(note.mentions.join(', '))}` : '';
        io.answer(note, `${short(note.id)} kept in ${plain(note.channel)} (${where})${mentions}`);
      },
    );
};

const channels: Define = (command, cli) =>
  command.option('-p, --project <name>', 'only this project').action(async (query) => {
    const { channels } = await cli.call('GET /v1/channels', { query });
    list(cli.io, channels, 'No channels.', 'channel=name notes last=lastActivity agents', {}, 'agents');
  });

const agents: Define = (command, cli) =>
  command.action(async () => {
    const { agents } = await cli.call('GET /v1/agents');
    list(cli.io, agents, 'No agents.', 'agent=name notes last_active=lastActive projects', {}, 'projects');
  });

/** Looks at what the notes and lessons of the project here cite, reports what is seen, and says what is stale. */
const freshness: Define = (command, cli) =>
  command.option(...HERE).action(async ({ project }) => {
    const { io, call } = cli;
    // as many citations as one report may contain
    const query = { project: project ?? (await projectHere(cli.config, io)), limit: 500 };
    const { citations } = await call('GET /v1/freshness', { query });
    if (citations.length === 0)
      return io.answer({ looked: 0, stale: 0, citations }, 'Nothing here is cited by a note or a lesson.');
    const root = rootHere(io);
    const looked = citations.map(({ kind, id, ref }) => ({ kind, id, ref, ...look(root, ref) }));
    const report = await call('POST /v1/freshness', { body: { head: headOf(root), looked } });
    const now = (await call('GET /v1/freshness', { query })).citations;
    const stale = now.flatMap(({ kind, id, ref, state }) =>
      state === 'changed' || state === 'gone'
        ? `${state.padEnd(7)}  ${plain(ref.replace(/^(file|symbol):/, ''))}  (${called(kind)} ${short(id)})`
        : [],
    );
    const sum = `${report.looked} looked at, ${report.stale} of them stale`;
    io.answer({ ...report, citations: now }, [...stale, sum].join('\n'));
  });

const obs: Define = (command, { io, call }) =>
  command
    .argument('[id]', 'as cited: [obs:1a2b3c4d5e6f]; without it, the last ones are listed')
    .option('-l, --lines <range>', 'lines from-to, counted from 1')
    .option('-g, --grep <words>', 'only lines that hold all of these words')
    .option('-C, --context <n>', 'lines around each match', whole(0))
    .option('-s, --session <id>', 'list those of this session')
    .option('-p, --project <name>', 'list those of this project')
    .option('-n, --limit <n>', 'most to list', whole(1), '20')
    .action(async (id, { lines: range, grep: q, context, limit, session, project }) => {
      if (id === undefined) {
        const answer = await call('GET /v1/observations', { query: { limit, session, project } });
        if (io.json) return io.print(answer);
        const what = {
          what: ({ tool, about }: { tool: string; about: string }) => `${tool} ${about.split('\n', 1)[0]}`,
        };
        const names = 'id characters lines masked when=at what';
        return list(io, answer.observations, 'No observations.', names, what, 'lines characters');
      }
      const query = { ...(range !== undefined && rangeOf(range)), q, context };
      const found = await call('GET /v1/observations/{id}', { params: { id }, query });
      const { content, matches, next, lines, whole } = found;
      const span = content.length === 0 ? '0' : `${content[0]?.number}-${content.at(-1)?.number}`;
      const said = [
        // by this beginning, `outputText` on the server recognises an observation that is read again
        `[obs:${found.id}] lines ${span} of ${lines}`,
        ...(matches === null ? [] : [`${matches} match`]),
        ...(whole ? [] : ['its middle was too long to be kept']),
      ];
      const texts = content.map(
        ({ number, text, match }) => `${number}${match && context !== undefined ? ':' : ''}\t${plain(text)}`,
      );
      const to = next === null || q !== undefined ? lines : Math.min(next + 199, lines);
      const more = next === null ? [] : [`[more: the same with --lines ${next}-${to}]`];
      io.answer(found, [said.join(', '), ...texts, ...more].join('\n'));
    });

/** @throws Problem (400) if the text is neither a line number nor a range */
function rangeOf(text: string): { from: string; to: string } {
  const [, from, dash, to] = /^(\d{1,8})(?:(-)(\d{0,8}))?$/.exec(text.trim()) ?? [];
  if (from === undefined) {
    const detail = `--lines ${text}: must be a line or a range such as 100-200.`;
    throw new Problem({ status: 400, title: 'Bad range', detail });
  }
  return { from, to: dash === undefined ? from : to || String(Number(from) + 199) };
}

export const commands = { facts, relations, decisions, findings, notes, channels, agents, freshness, obs };
