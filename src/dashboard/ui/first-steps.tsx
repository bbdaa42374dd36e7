import type { ComponentChildren } from 'preact';
import { useDashboard, useProjects } from '../data/dashboard.ts';
import { Card } from './page.tsx';
import { Code, Empty } from './states.tsx';

/** What somebody does first, while Lore knows no project. */
export function FirstSteps() {
  const { command = 'lore init', attached = [] } = useDashboard().data?.attach ?? {};
  return (
    <Card title="Three steps to begin">
      <ol class="grid gap-4 grid-cols-[repeat(auto-fit,minmax(min(100%,12rem),1fr))]">
        {attached.length > 0 ? (
          <Step n={1} title="Lore is attached">
            {attached.join(', ')}
          </Step>
        ) : (
          <Step
            n={1}
            title={`Attach Lore to a project${/PATH$/.test(command) ? ' at PATH' : ', in its folder'}`}
          >
            <Code>{command}</Code>
          </Step>
        )}
        <Step n={2} title="Start your agent there">
          As you always do. Lore listens, and stops what cannot be undone.
        </Step>
        <Step n={3} title="Come back here">
          Errors that get fixed become lessons, and the next session is told before it makes the same mistake.
        </Step>
      </ol>
    </Card>
  );
}

const Step = ({ n, title, children }: { n: number; title: string; children: ComponentChildren }) => (
  <li class="text-sm text-muted">
    <p class="mb-1 text-base font-medium text-text">
      {n}. {title}
    </p>
    {children}
  </li>
);

/** A page that has nothing to show yet: how that comes, or the three first steps if Lore knows no project. */
export function NothingYet({ title, children }: { title: string; children?: ComponentChildren }) {
  const { names, known } = useProjects();
  const isNew = known && names.length === 0;
  return (
    <>
      <Card>
        <Empty title={title}>{!isNew && children}</Empty>
      </Card>
      {isNew && <FirstSteps />}
    </>
  );
}
