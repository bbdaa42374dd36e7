import type { Command } from 'commander';
import type { Config } from '../config.ts';
import type { Io } from './io.ts';
import { id, oneOf, share, time, whole } from './options.ts';

/** Adds the commands for facts, relations and decisions. */
export function addKnowledgeCommands(program: Command, config: () => Config, io: Io): void {
  addFacts(program, config, io);
  addRelations(program, config, io);
  addDecisions(program, config, io);
}

/** The options of every list and history. */
const asked = (command: Command, limit: string): Command =>
  command
    .option('-p, --project <name>', "this project's and your own")
    .option('-n, --limit <n>', 'most results', whole(1), limit)
    .option('--as-of <time>', 'what was true then (a day, or ISO 8601)', time)
    .option('--recorded-as-of <time>', 'as Lore believed it then (a day, or ISO 8601)', time);

/** The options of every statement. */
const stated = (command: Command): Command =>
  command
    .option('-p, --project <name>', 'the project that it belongs to; without one it is your own')
    .option('--from <time>', 'when it begins (default: now)', time)
    .option('--until <time>', 'when it ends', time)
    .option('--tier <tier>', 'person, observed, agent or inferred')
    .option('--evidence <text>', 'what shows it');

const subject = (command: Command): Command =>
  command.argument('<type>', 'what kind of thing').argument('<key>', 'which one, and what about it');

function addFacts(program: Command, config: () => Config, io: Io): void {
  const facts = asked(
    program
      .command('facts')
      .enablePositionalOptions()
      .description('list facts; or: set, end, history, undo, erase')
      .option('-t, --type <type>', 'only this type')
      .option('-k, --key <key>', 'only this key'),
    '50',
  ).action(async (options) => (await import('./facts.ts')).listFacts(config(), io, options));
  stated(subject(facts.command('set')).argument('<value>', 'JSON, or a text'))
    .option('--source <text>', 'where it was learned')
    .description('state a value: it replaces the one before; the same again confirms it')
    .action(async (type, key, value, options) =>
      (await import('./facts.ts')).setFact(config(), io, { type, key }, value, options),
    );
  subject(facts.command('end'))
    .option('-p, --project <name>', 'the project that it belongs to')
    .option('--at <time>', 'when (default: now)', time)
    .description('end a fact, without a new one')
    .action(async (type, key, options) =>
      (await import('./facts.ts')).endFact(config(), io, { type, key }, options),
    );
  asked(subject(facts.command('history')), '500')
    .description('all that was ever believed of a key')
    .action(async (type, key, options) =>
      (await import('./facts.ts')).factHistory(config(), io, { type, key }, options),
    );
  subject(facts.command('undo'))
    .option('-p, --project <name>', 'the project that it belongs to')
    .option('--id <id>', 'the change that stated this fact, if it is still the last one')
    .description('undo the last change of a key')
    .action(async (type, key, options) =>
      (await import('./facts.ts')).undoFact(config(), io, { type, key }, options),
    );
  facts
    .command('erase')
    .argument('<id>')
    .description('delete a fact permanently, with its history')
    .action(async (id) => (await import('./facts.ts')).eraseFact(config(), io, id));
}

const edge = (command: Command): Command =>
  command
    .argument('<fromType>')
    .argument('<fromKey>')
    .argument('<relation>')
    .argument('<toType>')
    .argument('<toKey>')
    .option('-p, --project <name>', 'the project that it belongs to; without one it is your own');

function addRelations(program: Command, config: () => Config, io: Io): void {
  const relations = asked(
    program
      .command('relations')
      .enablePositionalOptions()
      .description('list relations between entities; or: set, end, around, undo, erase'),
    '50',
  ).action(async (options) => (await import('./relations.ts')).listRelations(config(), io, options));
  edge(relations.command('set'))
    .option('-a, --attributes <json>', 'a JSON object')
    .option('--from <time>', 'when it begins (default: now)', time)
    .option('--until <time>', 'when it ends', time)
    .description('state a relation')
    .action(async (...given) =>
      (await import('./relations.ts')).setRelation(config(), io, given.slice(0, 5), given[5]),
    );
  for (const [name, description] of [
    ['end', 'end a relation'],
    ['undo', 'undo the last change of a relation'],
  ] as const) {
    edge(relations.command(name))
      .description(description)
      .action(async (...given) =>
        (await import('./relations.ts')).changeRelation(config(), io, name, given.slice(0, 5), given[5]),
      );
  }
  asked(relations.command('around').argument('<type>').argument('<key>'), '200')
    .option('--hops <n>', 'how far, 1 to 3', oneOf('1', '2', '3'), '1')
    .option('--direction <direction>', 'out, in or both', oneOf('out', 'in', 'both'), 'both')
    .description('what an entity is related to')
    .action(async (type, key, options) =>
      (await import('./relations.ts')).around(config(), io, { type, key }, options),
    );
  relations
    .command('erase')
    .argument('<id>')
    .description('delete a relation permanently, with its history')
    .action(async (id) => (await import('./relations.ts')).eraseRelation(config(), io, id));
}

function addDecisions(program: Command, config: () => Config, io: Io): void {
  const decisions = asked(
    program
      .command('decisions')
      .enablePositionalOptions()
      .description('list current decisions; or: add, show, end, erase'),
    '50',
  ).action(async (options) => (await import('./decisions.ts')).listDecisions(config(), io, options));
  stated(
    decisions
      .command('add')
      .argument('<condition>', 'when it applies')
      .argument('<action>', 'what to do then'),
  )
    .option('-s, --supersedes <id>', 'the decision that it replaces', id)
    .option('-c, --confidence <share>', '0 to 1', share)
    .option('--learned-from <text>', 'where it comes from')
    .description('state a decision')
    .action(async (condition, action, options) =>
      (await import('./decisions.ts')).addDecision(config(), io, { condition, action }, options),
    );
  decisions
    .command('show')
    .argument('<id>', 'id or its first 8 characters', id)
    .description('a decision, its history, and what it amends or what amends it')
    .action(async (id) => (await import('./decisions.ts')).showDecision(config(), io, id));
  decisions
    .command('end')
    .argument('<id>')
    .option('--at <time>', 'when (default: now)', time)
    .description('end a decision, without a new one')
    .action(async (id, options) => (await import('./decisions.ts')).endDecision(config(), io, id, options));
  decisions
    .command('erase')
    .argument('<id>')
    .description('delete it permanently; what it had replaced applies again')
    .action(async (id) => (await import('./decisions.ts')).eraseDecision(config(), io, id));
}
