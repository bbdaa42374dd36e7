import { useEffect, useRef } from 'preact/hooks';
import type { Offered } from '../../wire/routes.ts';
import { counted, sessionTables } from '../data/session.ts';
import { Card } from '../ui/card.tsx';
import { Item, List } from '../ui/list.tsx';
import { Prose } from '../ui/prose.tsx';
import { Loaded, useResource } from '../ui/resource.tsx';
import { Badge, type Tone } from '../ui/status-dot.tsx';
import { Time } from '../ui/time.tsx';
import { addressOfRecord } from './records/address.ts';

/** The most that one session is shown of. */
const MOST = 500;

/** What a session was told, event by event, with the tokens that it took and what came of it. */
export function SessionTold({ session }: { session: string }) {
  const told = useResource(sessionTables, 'GET /v1/sessions/{id}/offers', {
    params: { id: session },
    query: { limit: MOST },
  });
  const top = useRef<HTMLDivElement>(null);
  const isThere = told.data !== undefined;
  useEffect(() => {
    if (isThere && location.hash === '#told') top.current?.scrollIntoView();
  }, [isThere]);
  const offers = told.data?.offers ?? [];
  const tokens = offers.reduce((sum, one) => sum + one.tokens, 0);
  return (
    <div ref={top}>
      <Card
        title="What it was told"
        aside={offers.length > 0 && `${offers.length === MOST ? 'last ' : ''}${counted(tokens, 'token')}`}
        flush
      >
        <Loaded of={told} lines={3}>
          {() =>
            offers.length === 0 ? (
              <p class="px-4 pb-3 text-sm text-muted">
                Nothing. Lessons are told when they fit what the agent is about to do.
              </p>
            ) : (
              <List label="What it was told">
                {byAnswer(offers).map((some) => (
                  <Answer key={`${some[0]?.offeredAt} ${some[0]?.event}`} offers={some} />
                ))}
              </List>
            )
          }
        </Loaded>
      </Card>
    </div>
  );
}

/** Returns what was told together in the answer to one event, the oldest first. */
function byAnswer(offers: Offered[]): Offered[][] {
  const answers = new Map<string, Offered[]>();
  for (const one of offers) {
    const key = `${one.offeredAt} ${one.event}`;
    answers.set(key, [...(answers.get(key) ?? []), one]);
  }
  return [...answers.values()].reverse();
}

/** The events of the client, as a person would say them. */
const MOMENTS: Record<string, string> = {
  SessionStart: 'At its start',
  UserPromptSubmit: 'With a prompt',
  PreToolUse: 'Before a call',
  PostToolUse: 'After a call',
  PostToolUseFailure: 'After a call that failed',
  PostToolBatch: 'After some calls',
  SubagentStart: 'At the start of a subagent',
};

const OUTCOMES: Record<string, readonly [Tone, string]> = {
  helped: ['ok', 'helped'],
  failed: ['warn', 'did not help'],
  unused: ['quiet', 'not used'],
  unknown: ['quiet', 'followed, not verified'],
};

function Answer({ offers }: { offers: Offered[] }) {
  const [first] = offers;
  if (!first) return null;
  const tokens = offers.reduce((sum, one) => sum + one.tokens, 0);
  return (
    <Item
      title={
        <span class="flex justify-between gap-3 text-xs text-muted">
          <span>
            {MOMENTS[first.event] ?? first.event} · {counted(tokens, 'token')}
          </span>
          <Time at={first.offeredAt} />
        </span>
      }
    >
      <ul class="flex flex-col gap-2.5">
        {offers.map((one) => (
          <Told key={`${one.kind} ${one.sourceId} ${one.text}`} offer={one} />
        ))}
      </ul>
    </Item>
  );
}

function Told({ offer: { kind, sourceId, text, outcome } }: { offer: Offered }) {
  const [tone, word] = OUTCOMES[outcome ?? ''] ?? (['quiet', ''] as const);
  const href = addressOfRecord(kind, sourceId);
  return (
    <li class="text-sm">
      <span class="mb-0.5 flex flex-wrap items-center gap-2 text-xs text-muted">
        {href ? (
          <a href={href} class="-my-2 py-2 text-accent underline">
            {NAMES[kind]}
          </a>
        ) : (
          NAMES[kind]
        )}
        {word && <Badge tone={tone}>{word}</Badge>}
      </span>
      <span class="block whitespace-pre-line">
        <Prose>{text}</Prose>
      </span>
    </li>
  );
}

const NAMES: Record<Offered['kind'], string> = {
  rule: 'Your rule',
  'working-state': 'Where it was',
  step: 'Plan',
  note: 'Note',
  decision: 'Decision',
  lesson: 'Lesson',
  error: 'Known error',
  skill: 'Skill',
  finding: 'Finding',
  episode: 'Earlier work',
  pattern: 'Pattern',
  'hand-off': 'Hand-off',
  ask: 'Asked',
};
