import { Lock } from 'lucide-preact';
import { useState } from 'preact/hooks';
import type { ShownRule } from '../../../wire/routes.ts';
import { Card } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { Item, List } from '../../ui/list.tsx';
import { Loaded, useResource } from '../../ui/resource.tsx';
import { Empty } from '../../ui/states.tsx';
import { Badge, type Tone } from '../../ui/status-dot.tsx';

const TONES: Record<ShownRule['severity'], Tone> = { catastrophic: 'bad', high: 'warn', medium: 'quiet' };

/** The rules in force, the gravest first. */
export function Rules() {
  const [text, setText] = useState('');
  const answer = useResource([], 'GET /v1/commands/rules');
  const words = text.toLowerCase().split(/\s+/);
  return (
    <>
      <Field
        label="Search the rules"
        hideLabel
        placeholder="Search: push, delete, secret …"
        type="search"
        value={text}
        onInput={setText}
      />
      <Loaded of={answer} lines={8}>
        {({ rules, off, problems }) => {
          const found = rules.filter((rule) => {
            const all = `${rule.id} ${rule.severity} ${rule.reason} ${rule.instead}`.toLowerCase();
            return words.every((word) => all.includes(word));
          });
          return (
            <>
              {problems.map((problem) => (
                <p key={problem} role="alert" class="rounded-md bg-bad-soft px-3 py-2 text-sm text-bad">
                  {problem}
                </p>
              ))}
              {off.length > 0 && <p class="text-sm text-muted">Switched off by you: {off.join(', ')}</p>}
              <Card
                title={`${found.length} ${found.length === 1 ? 'rule' : 'rules'}`}
                aside={<Kinds rules={found} />}
                flush
              >
                {found.length === 0 ? (
                  <Empty title="No rule says that">
                    Commands that no rule knows are left to the model, or to you.
                  </Empty>
                ) : (
                  <List label="Rules">
                    {found.map((rule) => (
                      <RuleItem key={rule.id} rule={rule} />
                    ))}
                  </List>
                )}
              </Card>
            </>
          );
        }}
      </Loaded>
    </>
  );
}

const Kinds = ({ rules }: { rules: ShownRule[] }) => (
  <span class="flex items-center gap-1.5">
    <Lock size={12} aria-hidden="true" class="text-bad" />
    {rules.filter(({ overrulable }) => !overrulable).length} cannot be overruled
  </span>
);

const RuleItem = ({ rule }: { rule: ShownRule }) => (
  <Item
    title={
      <span class="flex items-baseline justify-between gap-3">
        <span class="min-w-0 font-mono text-sm">
          {!rule.overrulable && (
            <Lock
              size={12}
              role="img"
              aria-label="Cannot be overruled:"
              class="mr-1.5 mb-0.5 inline text-bad"
            />
          )}
          {rule.id}
        </span>
        <Badge tone={TONES[rule.severity]}>{rule.severity}</Badge>
      </span>
    }
    detail={
      <>
        <span class="block first-letter:uppercase">{rule.reason}.</span>
        <span class="block text-text">Instead: {rule.instead}.</span>
        {rule.source !== 'built in' && <span class="block text-xs">from {rule.source}</span>}
      </>
    }
  />
);
