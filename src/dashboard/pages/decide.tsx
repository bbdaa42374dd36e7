import { Clock, Lock } from 'lucide-preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ShownCheck } from '../../wire/routes.ts';
import { type Choice, useDashboard } from '../data/dashboard.ts';
import {
  decide,
  dropLate,
  dropUnsent,
  last,
  late,
  takeBack,
  type Unsent,
  unsent,
} from '../data/decisions.ts';
import { Button } from '../ui/button.tsx';
import { Options, Prose } from '../ui/prose.tsx';
import { useResource } from '../ui/resource.tsx';
import { Code, Failed } from '../ui/states.tsx';

// The decisions of a person about denied commands, on all parts of the page that show one.

const SAID: Record<Choice, string> = {
  once: 'Allowed once: the agent’s next try passes.',
  always: 'Always allowed in this folder from now on.',
  keep: 'Stays blocked: the agent is told why, and you are not asked again.',
};

/** The answers, the safe one first. None is filled: what overrules safety must not be the one that invites. */
const ANSWERS: Choice[] = ['keep', 'once', 'always'];

const spoken = (answer: Choice, denied: boolean): string =>
  ({ once: 'Allow once', always: 'Always allow here', keep: denied ? 'Keep blocked' : 'Block' })[answer];

type Question = {
  code: string;
  command: string;
  catastrophic: boolean;
  choices: Choice[];
  /** false: nobody could verify it */
  denied?: boolean;
  /** whether keeping it is an answer too where nobody can allow it: then it no longer waits */
  dismissed?: boolean;
};

/**
 * A command that was denied or could not be verified: all of it, the reason, and what a person may decide.
 */
export const Denied = ({ reason, ...question }: Question & { reason: string | null }) => (
  <div class="flex flex-col gap-2">
    <Command text={question.command} />
    {reason && <Reason text={reason} command={question.command} />}
    <Answers {...question} />
  </div>
);

/** What a person may decide about a command, or what they have decided as long as the server does not know of it. */
export function Answers({ code, command, catastrophic, choices, denied = true, dismissed = true }: Question) {
  const [busy, setBusy] = useState<Choice | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const press = async (answer: Choice) => {
    setBusy(answer);
    setError(null);
    await decide(code, command, answer).catch(setError);
    setBusy(null);
  };
  const mayAllow = choices.includes('once');
  const waits = unsent.value.find((one) => one.code === code);
  if (waits) return <Waits decision={waits} denied={denied} />;
  return (
    <>
      {!mayAllow && choices.length > 0 && (
        <p class="flex gap-2 text-sm text-bad">
          <Lock size={14} aria-hidden="true" class="mt-0.5 shrink-0" />
          {catastrophic
            ? 'Nobody can overrule this: it guards against what cannot be undone.'
            : 'It cannot be allowed here: part of it is private or too long to be shown.'}
        </p>
      )}
      {mayAllow && !choices.includes('always') && (
        <p class="text-sm text-muted">It runs files that may change, so it can only be allowed once.</p>
      )}
      <div class="flex flex-wrap gap-2 empty:hidden [&>*]:flex-auto [&>*]:px-2.5">
        {ANSWERS.filter((answer) => (mayAllow || dismissed) && choices.includes(answer)).map((answer) => (
          <Button
            key={answer}
            busy={busy === answer}
            disabled={busy !== null}
            onClick={() => void press(answer)}
            aria-label={`${spoken(answer, denied)}: ${command.slice(0, 200)}`}
          >
            {spoken(answer, denied)}
          </Button>
        ))}
      </div>
      {error && <Failed error={error} />}
    </>
  );
}

/** What the safe answer means, once below all commands that have it. */
export const KeepMeans = ({ denied = true }: { denied?: boolean }) => (
  <p class="border-t border-line px-4 py-2 text-xs text-muted">
    {spoken('keep', denied)}: this very command in this folder. The agent is told why, and you are not asked
    again.
  </p>
);

/** A decision that the server does not know of yet. */
function Waits({ decision, denied }: { decision: Unsent; denied: boolean }) {
  const { code, answer, until } = decision;
  return (
    <>
      <p role="status" class="flex gap-2 text-sm text-warn">
        <Clock size={14} aria-hidden="true" class="mt-0.5 shrink-0" />
        <span>
          Not sent yet: {spoken(answer, denied)}. It is sent when Lore can be reached again, and can be used
          until {new Date(until).toLocaleTimeString(undefined, { timeStyle: 'short' })}.
        </span>
      </p>
      <div>
        <Button onClick={() => dropUnsent(code)}>Take back</Button>
      </div>
    </>
  );
}

/** Takes a person's verdict on a command back. */
export function TakeBack({ code, command }: { code: string; command: string }) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  return (
    <>
      <Button
        busy={busy}
        aria-label={`Take back: ${command.slice(0, 200)}`}
        onClick={() => {
          setBusy(true);
          setError(null);
          takeBack(code)
            .catch(setError)
            .finally(() => setBusy(false));
        }}
      >
        Take back
      </Button>
      {error && <Failed error={error} />}
    </>
  );
}

/**
 * Decisions that came too late, until the person has read it; and the last one that holds.
 *
 * @param listed the commands that the page shows with what was decided, which need not be said twice
 */
export const Decided = ({ listed = [] }: { listed?: string[] }) => (
  <>
    {late.value.map(({ code, command, answer, why }) => (
      <div
        key={code}
        role="status"
        class="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-sunk px-4 py-1.5 text-sm text-muted last:border-b-0"
      >
        <span class="min-w-0 flex-1">
          Too late: {spoken(answer, true)}. {why}
          <span class="block truncate font-mono text-xs">{command}</span>
        </span>
        <Button onClick={() => dropLate(code)}>OK</Button>
      </div>
    ))}
    {!listed.includes(last.value?.code ?? '') && <Last />}
  </>
);

/** Returns what gets the focus that the pressed button of the last decision had. */
export function useFocusOfLast<T extends HTMLElement>(code: string | undefined) {
  const place = useRef<T>(null);
  const { value: it } = last;
  useEffect(() => {
    // the button that was pressed is gone
    if (it && it.code === code && document.activeElement === document.body) place.current?.focus();
  }, [it, code]);
  return place;
}

/** The last decision, with a button to undo it. */
function Last() {
  const { value: it } = last;
  const line = useFocusOfLast<HTMLDivElement>(it?.code);
  const state = useStateOf(it);
  if (!it || state === 'blocked again') return null;
  return (
    <div
      ref={line}
      tabIndex={-1}
      role="status"
      class={`flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-1.5 text-sm outline-none last:border-b-0 ${state === 'used' ? 'bg-sunk text-muted' : 'bg-ok-soft text-ok'}`}
    >
      <span class="min-w-0 flex-1">
        {state === 'used' ? 'Allowed once, and used: the agent has run it.' : SAID[it.answer]}{' '}
        <span class="block truncate font-mono text-xs">{it.command}</span>
      </span>
      {state === 'holds' && <TakeBack code={it.code} command={it.command} />}
    </div>
  );
}

/**
 * Returns what became of a decision: it holds; it was for once and is used up; or a command that came to wait since
 * then is what matters now.
 */
function useStateOf(it: { code: string; answer: Choice } | null): 'holds' | 'used' | 'blocked again' {
  const blocked =
    useDashboard().data?.waiting.flatMap(({ kind, at }) => (kind === 'command' ? [at] : [])) ?? [];
  const before = useRef({ of: null as typeof it, newest: '', again: false, used: false });
  if (before.current.of !== it) {
    const newest = blocked.reduce((one, at) => (at > one ? at : one), '');
    before.current = { of: it, newest, again: false, used: false };
  }
  const { current } = before;
  // By the time: what was denied before waits once more for a moment, from when its allowance is used up until the
  // call that used it is stored.
  if (blocked.some((at) => at > current.newest)) current.again = true;
  const held = useResource(['command_cache'], 'GET /v1/commands/verdicts', {
    query: { code: it?.code ?? '', limit: 1 },
    enabled: it?.answer === 'once',
  });
  if (current.again) return 'blocked again';
  const isThere = held.isFetching || held.data === undefined || held.data.verdicts.length > 0;
  // while it is read once more, it stays used up
  if (it?.answer === 'once' && !isThere) current.used = true;
  return current.used ? 'used' : 'holds';
}

/** Says what decided on a call: a person's rule, a lesson, or a rule for commands by its name. */
export function byWhat({ source, decision, rule, tool }: Decided): string {
  const what = tool === null ? '' : `${tool}: `;
  if (source === 'guard') return `${what}Your rule ${decision === 'ask' ? 'asked you' : 'stopped it'}`;
  if (source === 'lesson') return `${what}Held once for a lesson`;
  if (source === 'person') return `${what}You ${decision === 'allow' ? 'allowed' : 'blocked'} it`;
  if (source === 'model') return `${what}A model judged it`;
  return `${what}${rule === null ? 'No rule' : `The rule ${rule}`}`;
}
type Decided = Pick<ShownCheck, 'source' | 'decision' | 'rule' | 'tool'>;

/**
 * Why a command was denied, and on a line of its own what to do instead. The rules quote the part of the line
 * that they deny, and end with their name. A quote of the whole line is left out, because the line is shown
 * already. The name is only for people who look it up.
 */
export function Reason({ text, command }: { text: string; command: string }) {
  const [said = '', instead] = text.replace(/ \([\w.-]+\)$/, '').split(/ Instead: /);
  const quoted = `“${command}” `;
  const why = upper(said.startsWith(quoted) ? said.slice(quoted.length) : said);
  return (
    <div class="text-sm">
      <p class="text-muted">
        <Prose>{why}</Prose>
      </p>
      {instead && (
        <p>
          The agent was told instead: <Options>{instead}</Options>
        </p>
      )}
    </div>
  );
}

const upper = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Longer commands are shown in part until somebody wants to see them. */
const MANY_LINES = 8;
const MANY_LETTERS = 500;

/** A command in its own words; a long one opens. */
export function Command({ text }: { text: string }) {
  const [whole, setWhole] = useState(false);
  const lines = text.split('\n');
  const long = lines.length > MANY_LINES || text.length > MANY_LETTERS;
  if (!long || whole) return <Code>{text}</Code>;
  const part = lines.slice(0, MANY_LINES).join('\n').slice(0, MANY_LETTERS);
  return (
    <div>
      <Code>{`${part} …`}</Code>
      <button type="button" class="min-h-11 text-sm text-accent underline" onClick={() => setWhole(true)}>
        Show all of it: {lines.length} {lines.length === 1 ? 'line' : 'lines'}, {text.length} letters
      </button>
    </div>
  );
}
