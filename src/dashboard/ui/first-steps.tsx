import type { ComponentChildren } from 'preact';
import { Card } from '../../ui/card.tsx';
import { Code } from '../../ui/states.tsx';

/** What somebody does first, while Lore knows no project. */
export const FirstSteps = () => (
  <Card title="Three steps to begin">
    <ol class="grid gap-4 grid-cols-[repeat(auto-fit,minmax(min(100%,12rem),1fr))]">
      <Step n={1} title="Attach Lore to a project">
        <p class="mb-2">In the project’s folder:</p>
        <Code>lore init</Code>
      </Step>
      <Step n={2} title="Start your agent there">
        As you always do. Lore listens, and stops what cannot be undone.
      </Step>
      <Step n={3} title="Come back here">
        Errors that get fixed become lessons, and the next session is told before it makes the same mistake.
      </Step>
    </ol>
  </Card>
);

const Step = ({ n, title, children }: { n: number; title: string; children: ComponentChildren }) => (
  <li class="flex gap-3">
    <span
      aria-hidden="true"
      class="flex size-6 shrink-0 items-center justify-center rounded-full bg-accent-soft text-sm font-medium text-accent"
    >
      {n}
    </span>
    <div class="min-w-0 flex-1 text-sm text-muted">
      <p class="mb-1 text-base font-medium text-text">{title}</p>
      {children}
    </div>
  </li>
);
