import { useMutation } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import type { FindingChange, PatternChange } from '../../../wire/routes.ts';
import { api } from '../../data/api.ts';
import { queries } from '../../data/queries.ts';
import { AskFirst } from '../../ui/ask-first.tsx';
import { Button } from '../../ui/button.tsx';
import { TextArea } from '../../ui/field.tsx';
import { Failed } from '../../ui/states.tsx';
import type { Acted } from './kind.ts';

/** A change of a record. Lists and pages of records are read anew when it is made. */
const useChange = <Given,>(act: (given: Given) => Promise<unknown>) =>
  useMutation<unknown, Error, Given>({
    mutationFn: act,
    onSuccess: () => queries.invalidateQueries({ queryKey: [[], 'records'] }),
  });

/** What a person may do about a record; nothing where the API has nothing. */
export function Actions({ of }: { of: Acted }) {
  if (of.kind === 'finding') return <FindingActions of={of} />;
  if (of.kind === 'pattern') return <PatternActions of={of} />;
  const { validUntil, recordedUntil } = of.is;
  const isOver = recordedUntil !== null || (validUntil !== null && Date.parse(validUntil) <= Date.now());
  return isOver ? null : <End of={of} />;
}

/** Ends a fact, relation or decision. */
function End({ of }: { of: Exclude<Acted, { kind: 'finding' | 'pattern' }> }) {
  const end = useChange(() => {
    const project = of.is.project ?? undefined;
    if (of.kind === 'decision')
      return api('POST /v1/decisions/{id}/end', { params: { id: of.is.id }, body: {} });
    if (of.kind === 'fact') {
      const { type, key } = of.is;
      return api('POST /v1/facts/end', { body: { type, key, ...(project && { project }) } });
    }
    const { from, relation, to } = of.is;
    return api('POST /v1/relations/end', { body: { from, relation, to, ...(project && { project }) } });
  });
  return (
    <div class="mt-4">
      <AskFirst
        label="End it"
        question={`It no longer holds from now on, and no agent is told it. Its history stays.`}
        yes="End it"
        busy={end.isPending}
        onYes={() => end.mutate(undefined)}
      />
      {end.error && <Failed error={end.error} />}
    </div>
  );
}

const CLOSED = ['resolved', 'wont_fix', 'duplicate'];
const STATUS = { resolved: 'resolved', wont_fix: 'not to be fixed', duplicate: 'a duplicate' } as Record<
  string,
  string
>;

function FindingActions({ of: { is } }: { of: Extract<Acted, { kind: 'finding' }> }) {
  const [how, setHow] = useState('');
  const [closing, setClosing] = useState(false);
  const change = useChange(async (body: FindingChange) => {
    await api('PATCH /v1/findings/{id}', { params: { id: is.id }, body });
    setClosing(false);
  });
  const close = (status: 'resolved' | 'wont_fix') =>
    change.mutate({ status, ...(how.trim() !== '' && { resolution: how.trim() }) });
  return (
    <div class="mt-4 flex flex-col gap-3">
      {is.proposedStatus !== null && (
        <div class="flex flex-wrap items-center gap-2 rounded-md bg-warn-soft px-3 py-2 text-sm text-warn">
          <p class="flex-[1_1_12rem]">
            A task that changed its file seems to have left it{' '}
            {STATUS[is.proposedStatus] ?? is.proposedStatus}.
          </p>
          <Button
            busy={change.isPending}
            onClick={() => change.mutate({ status: is.proposedStatus as 'open' })}
          >
            Yes
          </Button>
          <Button busy={change.isPending} onClick={() => change.mutate({ proposedStatus: null })}>
            No
          </Button>
        </div>
      )}
      {closing ? (
        <>
          <TextArea label="How it was settled, if you like" rows={2} value={how} onInput={setHow} />
          <div class="flex flex-wrap gap-2">
            <Button busy={change.isPending} onClick={() => close('resolved')}>
              Resolved
            </Button>
            <Button busy={change.isPending} onClick={() => close('wont_fix')}>
              Won’t fix
            </Button>
            <Button onClick={() => setClosing(false)}>Cancel</Button>
          </div>
        </>
      ) : (
        <div class="flex flex-wrap gap-2">
          {CLOSED.includes(is.status) ? (
            <Button busy={change.isPending} onClick={() => change.mutate({ status: 'open' })}>
              Reopen
            </Button>
          ) : (
            <Button onClick={() => setClosing(true)}>Close …</Button>
          )}
        </div>
      )}
      {change.error && <Failed error={change.error} />}
    </div>
  );
}

function PatternActions({ of: { is } }: { of: Extract<Acted, { kind: 'pattern' }> }) {
  const change = useChange((body: PatternChange) =>
    api('PATCH /v1/patterns/{id}', { params: { id: is.id }, body }),
  );
  if (is.validUntil !== null && is.status === 'active') return null;
  return (
    <div class="mt-4">
      {is.status === 'rejected' ? (
        <Button busy={change.isPending} onClick={() => change.mutate({ status: 'active' })}>
          Take back
        </Button>
      ) : (
        <div class="flex flex-wrap gap-2">
          <Button busy={change.isPending} onClick={() => change.mutate({ pinned: !is.pinned })}>
            {is.pinned ? 'Unpin' : 'Pin'}
          </Button>
          <AskFirst
            label="Reject"
            question="No agent is told this pattern any more, also if it is seen again."
            yes="Reject it"
            busy={change.isPending}
            onYes={() => change.mutate({ status: 'rejected' })}
          />
        </div>
      )}
      {change.error && <Failed error={change.error} />}
    </div>
  );
}
