import { useState } from 'preact/hooks';
import type { Plan, PlanChange } from '../../wire/routes.ts';
import { useAction } from '../data/action.ts';
import { api } from '../data/api.ts';
import { planTables } from '../data/plan.ts';
import { Button } from '../ui/button.tsx';
import { TextArea } from '../ui/field.tsx';
import { Failed } from '../ui/states.tsx';

/** What a person may do with a plan as a whole: put its goal in other words, complete it, or give it up. */
export function EndPlan({ plan }: { plan: Plan }) {
  const [goal, setGoal] = useState<string | null>(null);
  const change = useAction(planTables, async (body: PlanChange) => {
    await api('PATCH /v1/plans/{id}', { params: { id: plan.id }, body });
    setGoal(null);
  });
  return (
    <div class="mt-4 flex flex-col gap-3">
      {goal === null ? (
        <div class="flex flex-wrap gap-2">
          <Button busy={change.isPending} onClick={() => change.mutate({ status: 'completed' })}>
            Mark as completed
          </Button>
          <Button disabled={change.isPending} onClick={() => change.mutate({ status: 'failed' })}>
            Abandon
          </Button>
          <Button disabled={change.isPending} onClick={() => setGoal(plan.goal)}>
            Rename
          </Button>
        </div>
      ) : (
        <form
          class="flex flex-col gap-3"
          onSubmit={(event) => {
            event.preventDefault();
            change.mutate({ goal: goal.trim() });
          }}
          onKeyDown={(event) => event.key === 'Escape' && setGoal(null)}
        >
          <TextArea label="What the plan is for" rows={3} value={goal} onInput={setGoal} />
          <div class="flex gap-2">
            <Button look="main" type="submit" busy={change.isPending} disabled={goal.trim() === ''}>
              Save
            </Button>
            <Button disabled={change.isPending} onClick={() => setGoal(null)}>
              Cancel
            </Button>
          </div>
        </form>
      )}
      {change.error && <Failed error={change.error} />}
    </div>
  );
}
