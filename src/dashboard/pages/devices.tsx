import { useMutation, useQueryClient } from '@tanstack/preact-query';
import { Laptop, Smartphone } from 'lucide-preact';
import { useState } from 'preact/hooks';
import type { Key } from '../../wire/routes.ts';
import { api } from '../data/api.ts';
import {
  canNotify,
  notifying,
  pushed,
  refused,
  startNotifying,
  stopNotifying,
} from '../data/notifications.ts';
import { leave, signIn } from '../data/sign-in.ts';
import { theme } from '../data/theme.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Choice } from '../ui/field.tsx';
import { Item, List } from '../ui/list.tsx';
import { Page } from '../ui/page.tsx';
import { Loaded, useResource } from '../ui/resource.tsx';
import { Empty, Failed } from '../ui/states.tsx';
import { Badge } from '../ui/status-dot.tsx';
import { Time } from '../ui/time.tsx';
import { PairAnother } from './devices/pair-another.tsx';
import { Permissions } from './devices/permissions.tsx';
import { Voice } from './devices/voice.tsx';

/** The keys of this person. Their changes are not sent to the page. */
const useKeys = (refetchMs: number) => useResource([], 'GET /v1/keys', { refetchMs });

/** The devices with access: this browser and the others of this person. */
export function Devices() {
  const me = useResource([], 'GET /v1/me');
  const keys = useKeys(30_000);
  const devices = keys.data?.keys.filter(({ scope, revokedAt }) => scope === 'device' && revokedAt === null);
  const here = devices?.find(({ id }) => id === me.data?.keyId);
  // a code is made with a key, and who signed in has none
  const canPair = signIn.value.state === 'in' && signIn.value.key !== null;
  const others = devices?.filter(({ id }) => id !== me.data?.keyId) ?? [];
  return (
    <Page title="Devices">
      <Card title="This device" flush>
        <Loaded of={me} lines={1}>
          {({ name, role }) => (
            <List label="This device">
              <Item
                lead={<Sort name={here?.name ?? ''} />}
                title={here?.name ?? 'This browser'}
                detail={`Signed in as ${name}${name === role ? '' : `, ${role}`}`}
                aside={<Badge tone="ok">here</Badge>}
              >
                <SignOut keyId={here?.id} />
              </Item>
            </List>
          )}
        </Loaded>
        <div class="border-t border-line px-4 py-3">
          <p class="pb-2 text-sm text-muted">Theme</p>
          <Choice
            label="Theme"
            value={theme.value}
            onChange={(chosen) => {
              theme.value = chosen;
            }}
            options={[
              ['system', 'System'],
              ['light', 'Light'],
              ['dark', 'Dark'],
            ]}
          />
        </div>
        <Notifications />
      </Card>
      <Card title="Other devices" aside={others.length > 0 && `${others.length}`} flush>
        <Loaded of={keys} lines={2}>
          {() =>
            others.length === 0 ? (
              <Empty title="No other device">
                {canPair
                  ? 'Pair your phone below. It is signed in by one look at a code.'
                  : 'On your phone, open this page and sign in.'}
              </Empty>
            ) : (
              <List label="Other devices">
                {others.map((device) => (
                  <Device key={device.id} device={device} />
                ))}
              </List>
            )
          }
        </Loaded>
      </Card>
      {canPair && <PairAnother known={devices?.length} watch={() => void keys.refetch()} />}
      <Permissions />
      <Voice />
    </Page>
  );
}

/** Sets whether this browser shows notifications of what waits for the person. */
function Notifications() {
  const why = !canNotify
    ? 'Browsers allow them only on this machine, or where Lore is reached by https.'
    : refused.value
      ? 'The browser refuses them. Its settings of this page can allow them again.'
      : pushed.value
        ? 'Also while this page is closed. What is sent is encrypted for this browser; the push service of its maker passes it on.'
        : notifying.value
          ? 'Only while this page is open in the background: this browser has no push service.'
          : 'Blocked commands, also while this page is closed; steps that wait, while it is open in the background.';
  return (
    <div class="flex items-center justify-between gap-4 border-t border-line px-4 py-3">
      <div class="min-w-0">
        <p>Notifications{canNotify && !refused.value ? `: ${notifying.value ? 'on' : 'off'}` : ''}</p>
        <p class="text-sm text-muted">{why}</p>
      </div>
      {canNotify && !refused.value && (
        <span class="shrink-0">
          <Button onClick={() => void (notifying.value ? stopNotifying() : startNotifying())}>
            {notifying.value ? 'Turn off' : 'Turn on'}
            <span class="sr-only"> notifications</span>
          </Button>
        </span>
      )}
    </div>
  );
}

function Sort({ name }: { name: string }) {
  const Icon = /android|iphone|ipad|phone/i.test(name) ? Smartphone : Laptop;
  return <Icon size={18} aria-hidden="true" />;
}

/** Ends the key of this browser and forgets it. */
const SignOut = ({ keyId }: { keyId: string | undefined }) => (
  <Button onClick={() => void leave(keyId)}>Sign out here</Button>
);

const LastUsed = ({ at }: { at: string }) => (
  <>
    <span class="block">last used</span>
    <Time at={at} />
  </>
);

/** A device whose key can be ended. It asks once more first, because this cannot be undone. */
function Device({ device: { id, name, createdAt, lastUsedAt } }: { device: Key }) {
  const [asked, setAsked] = useState(false);
  const known = useQueryClient();
  const revoke = useMutation<void, Error>({
    mutationFn: () => api('DELETE /v1/keys/{id}', { params: { id } }),
    onSuccess: () => known.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === 'GET /v1/keys' }),
  });
  return (
    <Item
      lead={<Sort name={name} />}
      title={name}
      detail={`Paired ${new Date(createdAt).toLocaleDateString(undefined, { dateStyle: 'medium' })}`}
      aside={lastUsedAt === null ? 'not used yet' : <LastUsed at={lastUsedAt} />}
    >
      {asked ? (
        <fieldset aria-label={`Revoke ${name}?`} class="rounded-md bg-sunk p-3">
          <p class="pb-2 text-sm">It is signed out at once, and can only come back by a new code.</p>
          <div class="flex flex-wrap gap-2">
            <Button look="bad" busy={revoke.isPending} onClick={() => revoke.mutate()}>
              Revoke it
            </Button>
            <Button onClick={() => setAsked(false)}>Keep it</Button>
          </div>
          {revoke.error && <Failed error={revoke.error} />}
        </fieldset>
      ) : (
        <Button look="bad" aria-label={`Revoke ${name}`} onClick={() => setAsked(true)}>
          Revoke
        </Button>
      )}
    </Item>
  );
}
