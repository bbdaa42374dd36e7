import { useState } from 'preact/hooks';
import type { Guard, GuardRule } from '../../wire/routes.ts';
import { useAction } from '../data/action.ts';
import { changeGuard, setGuard } from '../data/guard.ts';
import { learningTables } from '../data/learning.ts';
import { counted } from '../data/session.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Choice, TextArea } from '../ui/field.tsx';
import { Pair, Pairs } from '../ui/pairs.tsx';
import { Prose } from '../ui/prose.tsx';
import { useResource } from '../ui/resource.tsx';
import { Code, Failed } from '../ui/states.tsx';
import { Badge } from '../ui/status-dot.tsx';
import { Ago } from '../ui/time.tsx';

const STATES = {
  on: { tone: 'ok', word: 'Acts' },
  paused: { tone: 'quiet', word: 'Paused' },
  refused: { tone: 'warn', word: 'Inactive' },
} as const;

const SOURCES: Record<Guard['source'], string> = {
  literal: 'plain rules, from the sentence',
  agent: 'an agent, from the sentence',
  model: 'a model, from the sentence',
  person: 'you',
};

/** Returns at which calls a lesson acts; undefined if it is no rule of a person's. */
export const useGuard = (lessonId: string): Guard | undefined =>
  useResource(learningTables, 'GET /v1/guards', { query: { lesson: lessonId } }).data?.guards[0];

const DID: Record<GuardRule['then'], string> = { deny: 'Stopped', ask: 'Asked about', tell: 'Told at' };

/** At which calls a person's rule acts. */
export function GuardCard({ guard }: { guard: Guard }) {
  const { id, about, state, reason, hits, lastHitAt, source, rule, inForce, everywhere } = guard;
  const set = useAction(learningTables, setGuard);
  const [editing, setEditing] = useState(false);
  const { tone, word } = inForce ? STATES[state] : { tone: 'quiet' as const, word: 'Ended' };
  return (
    <Card title="When it acts" aside={<Badge tone={tone}>{word}</Badge>}>
      <p>
        <Prose>{`${about.charAt(0).toUpperCase()}${about.slice(1)}.`}</Prose>
      </p>
      {reason && (
        <p class="mt-2 text-sm text-muted">
          {state === 'on' ? '' : 'Not now: '}
          {reason}.
        </p>
      )}
      <div class="mt-3">
        <Pairs>
          <Pair name={DID[rule.then]}>
            {hits === 0 ? 'no call yet' : counted(hits, 'call')}
            {lastHitAt && (
              <>
                , last <Ago at={lastHitAt} />
              </>
            )}
          </Pair>
          <Pair name="Written by">{SOURCES[source]}</Pair>
          {everywhere && <Pair name="Holds">in all your projects</Pair>}
        </Pairs>
      </div>
      <details class="mt-1">
        <summary class="flex min-h-11 items-center text-sm text-accent">Examples</summary>
        <p class="text-sm text-muted">It is about</p>
        {rule.breaks.map((one) => (
          <Code key={shown(one)}>{shown(one)}</Code>
        ))}
        <p class="mt-2 text-sm text-muted">and not about</p>
        {rule.keeps.map((one) => (
          <Code key={shown(one)}>{shown(one)}</Code>
        ))}
      </details>
      {inForce && editing && <Edit id={id} rule={rule} onDone={() => setEditing(false)} />}
      {inForce && !editing && (
        <div class="mt-2 flex flex-wrap gap-2">
          <Button
            busy={set.isPending}
            onClick={() => set.mutate({ id, state: state === 'on' ? 'paused' : 'on' })}
          >
            {state === 'on' ? 'Pause' : 'Resume'}
          </Button>
          <Button onClick={() => setEditing(true)}>Edit</Button>
        </div>
      )}
      {set.error && <Failed error={set.error} />}
    </Card>
  );
}

const THEN = [
  ['tell', 'Tell the agent'],
  ['ask', 'Ask me'],
  ['deny', 'Stop it'],
] as const;

/** Changes what happens at such a call, and at which calls. The examples say whether a change is what was meant. */
function Edit({ id, rule, onDone }: { id: string; rule: GuardRule; onDone: () => void }) {
  const [text, setText] = useState(JSON.stringify(rule, null, 2));
  const parsed = ruleIn(text);
  const save = useAction(learningTables, async (changed: GuardRule) => {
    await changeGuard({ id, rule: changed });
    onDone();
  });
  return (
    <form
      class="mt-2 flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (parsed) save.mutate(parsed);
      }}
    >
      <Choice
        label="What happens at such a call"
        value={parsed?.then ?? rule.then}
        options={THEN}
        onChange={(then) => setText(JSON.stringify({ ...(parsed ?? rule), then }, null, 2))}
      />
      <TextArea label="The rule as data" rows={10} mono value={text} onInput={setText} />
      <p class="text-sm text-muted">
        It is kept if it fits every call in <code>breaks</code> and none in <code>keeps</code>.
      </p>
      {save.error && <Failed error={save.error} />}
      <div class="flex gap-2">
        <Button look="main" type="submit" busy={save.isPending} disabled={parsed === null}>
          Save
        </Button>
        <Button disabled={save.isPending} onClick={onDone}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

/** Returns the rule that a text says; null while it is no JSON. The server says what else is wrong with it. */
function ruleIn(text: string): GuardRule | null {
  try {
    return JSON.parse(text) as GuardRule;
  } catch {
    return null;
  }
}

const shown = ({ tool, input }: GuardRule['breaks'][number]): string =>
  typeof input.command === 'string' ? input.command : `${tool} ${JSON.stringify(input)}`;
