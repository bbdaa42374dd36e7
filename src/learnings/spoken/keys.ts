import { partsOf } from '../../incidents/ladder.ts';
import { branchesToKeep, keysOfPush, keysOnBranches } from './branches.ts';
import { DELETIONS } from './deeds.ts';
import { deedsOf } from './deeds-done.ts';
import { type SaidDeed, saidDeeds } from './deeds-said.ts';
import { fileKeysOf, unreadKeys } from './files.ts';
import { environmentsIn, IN_ENVIRONMENT, invocation, strictestKey } from './parts.ts';
import { isUnwanted, type Mention, toolsIn, withCodeMarks } from './tools.ts';
import { NEGATION } from './words.ts';

// The keys at which an agent is told what a person said in plain words.

/** Keys at which a lesson is told, and the keys of calls that already do what it says. */
export type LessonKeys = { at: Set<string>; done: Set<string> };

/** Groups of programs of which a project uses only one. */
const SUBSTITUTES = [
  'npm pnpm yarn bun',
  'pip pipenv uv poetry pdm conda',
  'jest vitest mocha',
  'docker podman nerdctl',
  'ts-node tsx',
  'mvn gradle',
  'eslint biome oxlint',
  'prettier biome dprint',
  'black ruff autopep8',
  'make just task rake',
].map((line) => line.split(' '));

const OCCASION =
  /\b(?:before|when|whenever|after|until|each|every|any|once|on|if|during|prior to|ahead of)(?: (?:you|we|the|a|an|each|every|any|next))?(?: (?:run(?:ning)?|call(?:ing)?|us(?:e|ing)))? $/i;
const NEEDS =
  /^s?(?: (?:in|on|against|to) (?:the )?[\w-]+(?: namespace| cluster| db| database| env| environment)?)? (?:must|should|needs?|requires?|ha(?:ve|s) to|only (?:go(?:es)?|happens?|after|before|when|once|if|with|from|in|on|by|via)|(?:is|are) only|never)\b/i;
const USE = /\b(?:use|using|with|via|through|run|by|call) $/i;

/**
 * Returns the keys of what a person said. If it names a program to use, it is told at calls of the substitutes ("use
 * pnpm": at npm). If it forbids a program or says what must come before one, it is told at calls of that program. If it
 * names a deed ("commit", "deploy"), it is told at the commands that do it.
 */
export function keysOfWords(lesson: string): LessonKeys {
  const text = withCodeMarks(lesson);
  const keys: LessonKeys = { at: new Set(), done: new Set() };
  const deeds = saidDeeds(text);
  const tools = toolsIn(text);
  addTools(keys, tools);
  addCommands(
    keys,
    text,
    tools,
    deeds.some(({ role }) => role !== 'wanted'),
  );
  for (const said of deeds) addDeed(keys, said);
  addFrozen(keys, text);
  addOptions(keys, text, deeds);
  addHooks(keys, text);
  addImages(keys, text);
  addDatabase(keys, text);
  addWrappers(keys, text);
  addScripts(keys, lesson);
  const isAtDeed = deeds.some(({ role }) => role === 'occasion');
  for (const key of [...fileKeysOf(lesson, isAtDeed), ...unreadKeys(lesson)]) keys.at.add(key);
  return keys;
}

function addTools({ at, done }: LessonKeys, mentions: Mention[]): void {
  const wanted = mentions.filter(({ polarity }) => polarity === 'wanted');
  const programs = wanted.flatMap(({ name }) => partsOf(name).map(({ program }) => program));
  for (const { name, code, polarity } of mentions) {
    if (polarity !== 'unwanted') continue;
    for (const part of code
      ? partsOf(name)
      : [{ program: name, path: name, args: [], env: [], around: [], writes: [] }]) {
      // the same program, called in another way: `bin/rails` and `bundle exec rails`
      const other = programs.includes(part.program) && part.args.length === 0;
      at.add(other ? `as ${[...part.around, part.path].join(' ')}` : strictestKey(part));
      if (part.args.length === 0 && !other)
        for (const how of ['looks with', 'around']) at.add(`${how} ${part.program}`);
    }
  }
  for (const { name, isMeans } of wanted) {
    if (!/^\w[\w-]*$/.test(name)) continue;
    done.add(`around ${name}`);
    if (isMeans) done.add(`program ${name}`);
  }
  const names = wanted.map(({ name }) => name);
  for (const name of names)
    for (const other of SUBSTITUTES.filter((set) => set.includes(name)).flat())
      if (!names.includes(other)) at.add(`program ${other}`);
}

/** Adds the commands in code marks: those that are forbidden or that something is to be done at, and those to run. */
function addCommands({ at, done }: LessonKeys, text: string, tools: Mention[], hasDeed: boolean): void {
  for (const match of text.matchAll(/`([^`]{1,200})`/g)) {
    const code = (match[1] as string).trim();
    if (/^-/.test(code) || SUBSTITUTES.flat().includes(code)) continue;
    // read as a tool that is not wanted
    if (tools.some(({ name, polarity }) => name === code && polarity === 'unwanted')) continue;
    const words =
      text
        .slice(0, match.index)
        .split(/[.;:!?,](?=\s)|\s[–—-]\s|[()]|\b(?:but|instead(?! of))\b/)
        .at(-1) ?? '';
    const unwanted = NEGATION.test(words.replace(/\b(?:don['’]?t|never) forget\b/i, ''));
    for (const part of partsOf(code)) {
      if (unwanted || OCCASION.test(words) || NEEDS.test(text.slice(match.index + match[0].length))) {
        const global = /\bglobal(?:ly)? $/i.test(words) && /^(?:npm|pnpm|yarn)$/.test(part.program);
        at.add(global ? `${invocation(part)} + --global` : strictestKey(part));
        continue;
      }
      const strict = strictestKey(part);
      const more = strict.includes(' -') && !strict.startsWith('as ');
      // "run `go test` with `-race`" says how; calls with the option follow it
      if (/^s? (?:always )?(?:with|using) `?-/.test(text.slice(match.index + match[0].length))) {
        at.add(strict);
        continue;
      }
      // "`cargo publish` is done from CI" recommends no call
      if (/^ (?:is|are|goes|happens|gets) /.test(text.slice(match.index + match[0].length))) continue;
      done.add(more ? strict : invocation(part));
      if (hasDeed || !USE.test(words)) continue;
      // how it is to be called says something to whoever calls it otherwise
      if (more) at.add(invocation(part));
      for (const deed of deedsOf(part)) at.add(`for ${deed}`);
    }
  }
  // "the script is ops/seed.sh, call it with --dry-run"
  for (const [, script] of text.matchAll(
    /(?<![\w/.-])((?:[\w.-]+\/)+[\w-]+(?:\.(?:sh|py|rb|js))?)(?![\w/])/g,
  ))
    if (
      /\b(?:call|run|invoke|execute|start) (?:it|that)\b/i.test(text) ||
      isBannedScript(text, script as string)
    )
      at.add(`program ${script?.split('/').at(-1)}`);
}

/** "Don't use scripts/old.sh"; not "never run scripts/seed.py against prod", which says where. */
function isBannedScript(text: string, script: string): boolean {
  const at = text.indexOf(script);
  const after = text.slice(at + script.length);
  return (
    isUnwanted(text.slice(0, at).replace(/`$/, '')) &&
    !/^`?\s+(?:against|unless|without|except|if|when|on|in|with|from)\b/.test(after)
  );
}

function addDeed(keys: LessonKeys, said: SaidDeed): void {
  const add = ({ at, done }: { at: string[]; done: string[] }) => {
    for (const key of at) keys.at.add(key);
    for (const key of done) keys.done.add(key);
  };
  if (said.deed === 'push') add(keysOfPush(said));
  else if (said.deed === 'delete') add({ at: deletionKeys(said), done: [] });
  else if (/^(?:commit|merge|pr)$/.test(said.deed)) add(keysOnBranches(said));
  else add({ at: inEnvironments(said.deed, said), done: [] });
}

/** Returns the keys of a deed, for the environments that its sentence names; those under a negation come first. */
function inEnvironments(deed: string, { sentence }: SaidDeed): string[] {
  if (!IN_ENVIRONMENT.test(deed)) return [`for ${deed}`];
  const words = sentence
    .flatMap((clause) => clause.words)
    .filter(
      ({ text, code }, i, all) =>
        !code &&
        /^(?:prod|production|staging|dev|live|qa|uat)$/.test(text) &&
        !(text === 'live' && !/^(?:on|to|in|the)$/.test(all[i - 1]?.text ?? '')) &&
        !/^(?:builds?|dependencies|deps|server)$/.test(all[i + 1]?.text ?? '') &&
        !(all[i - 1]?.text === 'in' && all[i - 2]?.text === 'also'),
    );
  const banned = words.filter(({ negated }) => negated);
  const named = environmentsIn((banned.length > 0 ? banned : words).map(({ text }) => text));
  return named.length === 0 ? [`for ${deed}`] : [...named, '?'].map((place) => `for ${deed} in ${place}`);
}

function deletionKeys(said: SaidDeed): string[] {
  const { clause, at } = said;
  const object: string[] = [];
  for (const { text, code } of clause.words.slice(at + 1, at + 8)) {
    if (/^(?:from|in|with|before|on|to|by|and)$/.test(text) && !code) break;
    object.push(text);
  }
  const all = object.some((word) => /^(?:anything|everything)$/.test(word));
  // a stash is dropped too, but who speaks of anything means data
  const named = DELETIONS.filter(
    ({ name, objects }) => (all && name !== 'stash') || object.some((word) => objects.test(word)),
  ).map(({ name }) => name);
  return named.flatMap((name) => {
    if (name !== 'branch') return inEnvironments(`delete ${name}`, said);
    const branches = branchesToKeep(said);
    return branches.length > 0 ? branches.map((branch) => `delete @${branch}`) : ['for delete branch'];
  });
}

/** "main is frozen until Monday" is about pushes to it. */
function addFrozen({ at }: LessonKeys, text: string): void {
  for (const [, name] of text.matchAll(
    /(?<![\w/-])(main|master|develop|trunk|staging|(?:release|hotfix)\/[\w.*-]+)`? (?:branch(?:es)? )?(?:is|are) (?:now )?(?:frozen|locked|protected)\b/gi,
  ))
    for (const branch of [name?.toLowerCase(), '']) at.add(`git push @${branch}`);
  // "leave the gh-pages branch alone", "don't touch the release branch"
  for (const [, alone, untouched] of text.matchAll(
    /\bleave (?:the )?`?([\w/*-]+)`? branch alone\b|\b(?:never|don['’]?t|do not) (?:touch|change|mess with) (?:the )?`?([\w/*-]+)`? branch\b/gi,
  ))
    for (const deed of ['git push', 'delete']) at.add(`${deed} @${(alone ?? untouched)?.toLowerCase()}`);
}

/** "Never run it without `-x`" wants the option. */
const NEVER_WITHOUT = /\b(?:never|don['’]?t|do not|no|not)\b[^.;]*\bwithout\b/i;

/**
 * Returns the keys of the command that is always to be called with an option: "run pytest always with -n auto". None if
 * its sentence names no command or several.
 */
function commandsToCallSo(text: string, at: number): string[] {
  const start = Math.max(
    0,
    ...[...text.slice(0, at).matchAll(/[.;!?](?=\s)/g)].map(({ index }) => index + 1),
  );
  const sentence = text.slice(start).split(/[.;!?](?=\s)/)[0] ?? '';
  if (!/\b(?:always|every time|each time)\b/i.test(sentence) && !NEVER_WITHOUT.test(sentence)) return [];
  const named = toolsIn(sentence).filter(
    ({ name, polarity }) => polarity !== 'unwanted' && !name.startsWith('-'),
  );
  const [part, ...others] = named.length === 1 ? partsOf(named[0]?.name ?? '') : [];
  return part && others.length === 0
    ? [part.args.length > 0 ? invocation(part) : `program ${part.program}`]
    : [];
}

/** Adds the options that are named. Calls with a forbidden one are told; calls with a wanted one follow the lesson. */
function addOptions({ at, done }: LessonKeys, text: string, deeds: SaidDeed[]): void {
  for (const match of text.matchAll(
    /`(?:(--?[a-zA-Z][\w-]*)(?:[= ][^`]*)?|[^`]*)`|(?<![\w-])(--[a-z][\w-]*|(?<=[\s(])-[a-zA-Z][\w-]*)/g,
  )) {
    const option = match[1] ?? match[2];
    // the options of a command are read with it
    if (option === undefined) continue;
    const before =
      text
        .slice(0, match.index)
        .split(/[.;:!?,](?=\s)/)
        .at(-1) ?? '';
    if (!NEGATION.test(before.replace(NEVER_WITHOUT, ''))) {
      done.add(`with ${option}`);
      for (const key of commandsToCallSo(text, match.index)) {
        at.add(key);
        done.delete(key);
      }
    }
    // "never push with --force" is a key of pushes
    else if (!(deeds.some(({ deed }) => deed === 'push') && /^(?:--force|-f)$/.test(option))) {
      at.add(`with ${option}`);
      for (const { deed } of deeds) at.delete(`for ${deed}`);
    }
  }
  if (deeds.some(({ deed }) => deed === 'merge') && /^\W*(?:always |please )*squash\b/i.test(text)) {
    done.add('with --squash');
    done.add('git merge + --squash');
  }
  if (
    deeds.some(({ deed }) => deed === 'pr') &&
    /\bdrafts?\b/i.test(text) &&
    !/\b(?:no|not|never) (?:\w+ )?drafts?\b/i.test(text)
  )
    done.add('with --draft');
}

function addImages({ at }: LessonKeys, text: string): void {
  if (
    /\b(?:docker|container|oci) images?\b|\bimages?\b[^.;]*\b(?:registry|`?latest`?|dockerfile)\b/i.test(
      text,
    ) &&
    /\b(?:tag|tagged|tags|build|built|push|pushed|base|registry|latest|scan|scanned)\b/i.test(text)
  )
    at.add('for image');
}

/** "through the wrapper ./mvnw", "only via `bin/rails`": told where the program is called without it. */
function addWrappers({ at, done }: LessonKeys, text: string): void {
  for (const [before, path = ''] of text.matchAll(
    /\b(?:through|via|with|use|using|only) (?:the )?(?:[\w-]+ )?(?:wrapper )?[(`]*((?:\.\/|bin\/)+[a-z][\w-]*|mvnw|gradlew)(?![\w/-]|\.\w)/gi,
  )) {
    if (NEGATION.test(before)) continue;
    const name = path.split('/').at(-1) as string;
    at.add(`as ${name.replace(/^(mvn|gradle)w$/, '$1')}`);
    done.add(`as ${path}`);
  }
  // "run rubocop with bundle exec, same for rspec"
  for (const [, name, wrapper] of text.matchAll(
    /\b(?:run|call|use|invoke) `?([a-z][\w-]*)`? (?:with|through|via|under) `?(bundle exec|poetry run|uv run|pipenv run|npx|nix)\b/gi,
  )) {
    const [, other] = /\bsame (?:goes )?(?:for|with) `?([a-z][\w-]*)/i.exec(text) ?? [];
    for (const program of [name, other]) if (program) at.add(`as ${program.toLowerCase()}`);
    done.add(`around ${wrapper?.split(' ')[0]?.toLowerCase()}`);
  }
}

/** "Don't skip the pre-commit hooks" is about the options and variables that do. */
function addHooks({ at }: LessonKeys, text: string): void {
  if (
    /\b(?:never|don['’]?t|do not|no|not)\b[^.;]*\b(?:skip|bypass|disabl|circumvent)\w*\b[^.;]*\bhooks?\b/i.test(
      text,
    )
  )
    for (const name of ['--no-verify', 'HUSKY', 'SKIP', 'LEFTHOOK']) at.add(`with ${name}`);
}

/** "The seed script has no prompt, so ask me before you run it" is about the tasks and scripts of that name. */
function addScripts({ at }: LessonKeys, lesson: string): void {
  for (const sentence of lesson.split(/[.!?](?=\s|$)/))
    for (const [, name = ''] of sentence.matchAll(/\b([a-z]\w+) (?:script|job|task|target)\b/gi))
      if (
        new RegExp(
          `\\b(?:before|when|whenever|if|never|don['’]?t|do not|not)(?: (?:you|we|ever|every|each))* (?:re-?)?(?:run|call|start|execut|trigger|invok|kick|launch|fir)\\w* (?:it|that|(?:the |our )?${name} (?:script|job|task|target))\\b`,
          'i',
        ).test(sentence)
      )
        at.add(`task ${name.toLowerCase()}`);
}

/** "don't touch the prod db" is about changes there, and not about looking. */
function addDatabase({ at }: LessonKeys, text: string): void {
  const match =
    /\b(?:touch|change|modify|write to|writing to|alter|update|mess with|edit|run sql|writes? (?:on|to|against)|queries (?:on|against))\b[^.;]*?\b(prod|production|live|staging)\b[^.;]{0,20}\b(?:db|database|data)\b/i.exec(
      text,
    );
  const [place] = environmentsIn([match?.[1] ?? '']);
  if (place) at.add(`for change database in ${place}`);
  const anything =
    /\b(?:never|don['’]?t|do not|no|not)\b[^.;]*\b(?:anything|any commands?|commands?) (?:on|in|against|at) (?:the )?(prod|production|staging)\b(?! (?:builds?|code|branch|bundle|mode))/i.exec(
      text,
    );
  const [where] = environmentsIn([anything?.[1] ?? '']);
  if (where) at.add(`in ${where}`);
  const touched =
    /\b(?:touch|touching|chang(?:e|ing)|mess(?:ing)? with|do(?:ing)? anything (?:to|on|in)) (?:the )?(prod|production|staging)\b(?! (?:builds?|code|branch|bundle|mode|config|files?))/i.exec(
      text,
    );
  const [changed] = environmentsIn([touched?.[1] ?? '']);
  if (changed) at.add(`changes in ${changed}`);
}
