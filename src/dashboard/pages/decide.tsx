import { Lock } from 'lucide-preact';
import { useEffect, useRef } from 'preact/hooks';
import { type Choice, decide, last, takeBack } from '../data/dashboard.ts';
import { upper } from '../data/words.ts';
import { Actions } from '../records/row.tsx';
import { Prose, useResource } from '../ui/states.tsx';

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

/** What a person may decide about a command. */
export function Answers({ code, command, catastrophic, choices, denied = true, dismissed = true }: Question) {
  const mayAllow = choices.includes('once');
  const answers = ANSWERS.filter((answer) => (mayAllow || dismissed) && choices.includes(answer));
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
      {answers.length > 0 && (
        <Actions
          about={command}
          actions={answers.map((answer) => ({
            label: spoken(answer, denied),
            run: () => decide(code, command, answer),
            // what holds from now on is one more press away
            rare: answer === 'always',
          }))}
        />
      )}
    </>
  );
}

/** Takes a person's verdict on a command back. */
export const TakeBack = ({ code, command }: { code: string; command: string }) => (
  <Actions about={command} actions={[{ label: 'Take back', run: () => takeBack(code) }]} />
);

/** Returns what gets the focus that the pressed button of the last decision had. */
export function useFocusOfLast<T extends HTMLElement>(code: string | undefined) {
  const place = useRef<T>(null);
  const { value: it } = last;
  useEffect(() => {
    // the button that was pressed is gone, or goes with the next answer of the server
    const pressed = `: ${it?.command.slice(0, 200)}`;
    const at = document.activeElement?.getAttribute('aria-label') ?? pressed;
    if (it && it.code === code && at.endsWith(pressed)) place.current?.focus();
  }, [it, code]);
  return place;
}

/**
 * The last decision, with a button to undo it.
 *
 * @param listed the commands that the page shows with what was decided, which need not be said twice
 */
export function Decided({ listed = [] }: { listed?: string[] }) {
  const { value: it } = last;
  const line = useFocusOfLast<HTMLDivElement>(it?.code);
  const held = useResource(['command_cache'], 'GET /v1/commands/verdicts', { query: { limit: 500 } });
  if (!it || listed.includes(it.code)) return null;
  const isThere = held.isFetching || held.data?.verdicts.some(({ code }) => code === it.code);
  const used = it.answer === 'once' && !isThere;
  return (
    <div
      ref={line}
      tabIndex={-1}
      role="status"
      class={`flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-1.5 text-sm outline-none last:border-b-0 ${used ? 'bg-sunk text-muted' : 'bg-ok-soft text-ok'}`}
    >
      <span class="min-w-0 flex-1">
        {used ? 'Allowed once, and used: the agent has run it.' : SAID[it.answer]}{' '}
        <span class="block truncate font-mono text-xs">{it.command}</span>
      </span>
      {!used && <TakeBack code={it.code} command={it.command} />}
    </div>
  );
}

/**
 * Returns why a command was denied, and what to do instead. The rule's name, and a quote of the whole line, which is shown
 * already, are left out.
 */
export function reasonOf(text: string, command: string): { why: string; instead: string | undefined } {
  const [said = '', instead] = text.replace(/ \([\w.-]+\)$/, '').split(/ Instead: /);
  const quoted = `“${command}” `;
  return { why: said.startsWith(quoted) ? said.slice(quoted.length) : said, instead };
}

/** Why a command was denied, and below it what to do instead. */
export function Reason({ text, command }: { text: string; command: string }) {
  const { why, instead } = reasonOf(text, command);
  return (
    <div class="text-sm">
      <p class="text-muted">
        <Prose>{upper(why)}</Prose>
      </p>
      {instead && <p>The agent was told instead: {instead}</p>}
    </div>
  );
}
