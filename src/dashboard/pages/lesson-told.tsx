import type { Injection, WholeLearning } from '../../wire/routes.ts';
import { counted } from '../data/session.ts';
import { Card } from '../ui/card.tsx';
import { Item, List } from '../ui/list.tsx';
import { Badge, type Tone } from '../ui/status-dot.tsx';
import { Ago } from '../ui/time.tsx';

const OUTCOMES: Record<string, readonly [Tone, string]> = {
  helped: ['ok', 'helped'],
  failed: ['bad', 'did not help'],
  unused: ['quiet', 'not used'],
};

/**
 * The sessions that were told the lesson, each once, and what came of it there.
 *
 * @param isRule what comes of it is that it stops calls
 */
export function LessonTold({
  lesson: { injections, inSessions },
  isRule,
}: {
  lesson: WholeLearning;
  isRule: boolean;
}) {
  const sessions = bySession(injections);
  const left = inSessions.told > sessions.length ? `the last ${sessions.length} of ` : '';
  return (
    <Card
      title="Who was told"
      aside={inSessions.told > 0 && `${left}${counted(inSessions.told, 'session')}`}
      flush
    >
      {sessions.length === 0 ? (
        <p class="px-4 pb-4 text-sm text-muted">
          No session yet. It comes with a prompt, a call or a failure that it fits.
        </p>
      ) : (
        <List label="Sessions that were told, the newest first">
          {sessions.map(([last, ...before]) => (
            <Item
              key={last.sessionId}
              href={`/sessions/${last.session ?? last.sessionId}`}
              title={<span class="text-sm text-accent underline">Session {last.sessionId.slice(0, 8)}</span>}
              detail={whenTold([last, ...before])}
              aside={
                <>
                  <Ago at={last.injectedAt} />
                  {!isRule && (
                    <span class="flex flex-wrap justify-end gap-1">
                      {outcomesOf([last, ...before]).map(([tone, word]) => (
                        <Badge key={word} tone={tone}>
                          {word}
                        </Badge>
                      ))}
                    </span>
                  )}
                </>
              }
            />
          ))}
        </List>
      )}
    </Card>
  );
}

type Told = [last: Injection, ...before: Injection[]];

function bySession(injections: Injection[]): Told[] {
  const sessions = new Map<string, Told>();
  for (const one of injections) {
    const known = sessions.get(one.sessionId);
    if (known) known.push(one);
    else sessions.set(one.sessionId, [one]);
  }
  return [...sessions.values()];
}

/** “at its start, with a prompt”, in the order in which it was told */
const whenTold = (told: Told): string =>
  [...new Set(told.map(({ event }) => WHEN[event] ?? event))].reverse().join(', ');

/** Returns what came of it in a session: that it was not used counts only if nothing else came of it. */
function outcomesOf(told: Told): (readonly [Tone, string])[] {
  const came = new Set(told.map(({ outcome }) => outcome));
  const counting = (['helped', 'failed'] as const).filter((one) => came.has(one));
  const shown = counting.length > 0 ? counting : [told[0].outcome];
  return shown.map((one) => OUTCOMES[String(one)] ?? ['quiet', 'open']);
}

const WHEN: Record<string, string> = {
  SessionStart: 'at its start',
  UserPromptSubmit: 'with a prompt',
  PreToolUse: 'before a call',
  PostToolUse: 'after a call',
  PostToolUseFailure: 'after a failure',
  SubagentStart: 'as a subagent began',
};
