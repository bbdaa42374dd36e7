import { useMutation } from '@tanstack/preact-query';
import { encode } from 'uqr';
import type { Pairing } from '../../base/wire/routes.ts';
import { api } from '../data/api.ts';
import { canNotify, notifying, startNotifying, stopNotifying } from '../data/notifications.ts';
import { leave, signIn } from '../data/sign-in.ts';
import type { Action } from '../records/kind.ts';
import { Rows } from '../records/row.tsx';
import { theme } from '../shell.tsx';
import { Button, Choice } from '../ui/field.tsx';
import { Card, Page } from '../ui/page.tsx';
import { setShortcuts, shortcuts } from '../ui/shortcuts.ts';
import { Code, Empty, Failed, Loaded, useResource } from '../ui/states.tsx';
import { clock } from '../ui/time.tsx';
import { Permissions, Voice } from './settings.tsx';

/** The devices with access: this browser and the others of this person. */
export function Devices() {
  const me = useResource([], 'GET /v1/me');
  // changes of keys are not sent to the page
  const keys = useResource([], 'GET /v1/keys', { refetchMs: 5_000 });
  const devices = keys.data?.keys.filter(({ scope, revokedAt }) => scope === 'device' && revokedAt === null);
  const here = devices?.find(({ id }) => id === me.data?.keyId);
  const others = devices?.filter(({ id }) => id !== me.data?.keyId) ?? [];
  // a code is made with a key, and who signed in has none
  const canPair = signIn.value.state === 'in' && signIn.value.key !== null;
  return (
    <Page title="Devices">
      <Card title="This device" flush>
        <Loaded of={me} lines={1}>
          {({ name, role }) => (
            <Rows
              label="This device"
              rows={[
                {
                  id: 'here',
                  title: here?.name ?? 'This browser',
                  detail: [`Signed in as ${name}${name === role ? '' : `, ${role}`}`],
                  actions: [{ label: 'Sign out here', run: () => leave(here?.id) }],
                },
              ]}
            />
          )}
        </Loaded>
        <div class="flex flex-col gap-3 border-t border-line px-4 py-3">
          <Choice
            label="Theme"
            named
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
          <Choice
            label="Keys: / searches, j and k move in lists, Esc leaves"
            value={shortcuts.value}
            onChange={setShortcuts}
            options={[
              ['on', 'Keys on: / j k Esc'],
              ['off', 'Keys off'],
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
              <Rows
                label="Other devices"
                rows={others.map(({ id, name, createdAt, lastUsedAt }) => ({
                  id,
                  title: name,
                  detail: [
                    `paired ${clock(createdAt)}`,
                    lastUsedAt === null ? 'not used yet' : `last used ${clock(lastUsedAt)}`,
                  ],
                  actions: [revoke(id)],
                }))}
              />
            )
          }
        </Loaded>
      </Card>
      {canPair && <PairAnother />}
      <Permissions />
      <Voice />
    </Page>
  );
}

const revoke = (id: string): Action => ({
  label: 'Revoke',
  look: 'bad',
  question: 'It is signed out at once, and can only come back by a new code.',
  yes: 'Revoke it',
  run: () => api('DELETE /v1/keys/{id}', { params: { id } }),
});

/** Sets whether this browser shows notifications of blocked commands. */
function Notifications() {
  const turn = useMutation<void, Error>({
    mutationFn: () => (notifying.value ? stopNotifying() : startNotifying()),
  });
  return (
    <div class="flex flex-wrap items-center justify-between gap-3 border-t border-line px-4 py-3">
      <div class="min-w-0 flex-[1_1_12rem]">
        <p>Notifications{canNotify && `: ${notifying.value ? 'on' : 'off'}`}</p>
        <p class="text-sm text-muted">
          {canNotify
            ? 'Of blocked commands. Also while this page is closed; encrypted for this browser, by the push service of its maker.'
            : 'Browsers allow them only on this machine, or where Lore is reached by https.'}
        </p>
      </div>
      {canNotify && (
        <Button busy={turn.isPending} onClick={() => turn.mutate()}>
          {notifying.value ? 'Turn off' : 'Turn on'}
          <span class="sr-only"> notifications</span>
        </Button>
      )}
      {turn.error && <Failed error={turn.error} />}
    </div>
  );
}

/** Shows a code with which another device signs in. */
function PairAnother() {
  const pairing = useMutation<Pairing, Error>({ mutationFn: () => api('POST /v1/pairings') });
  return (
    <Card title="Pair another device">
      <div class="flex flex-col items-start gap-3">
        {pairing.data ? (
          <Shown {...pairing.data} />
        ) : (
          <p class="text-sm text-muted">
            Shows a code that signs one device in as you, once and for five minutes.
          </p>
        )}
        <Button
          look={pairing.data ? 'plain' : 'main'}
          busy={pairing.isPending}
          onClick={() => pairing.mutate()}
        >
          {pairing.data ? 'Make a new code' : 'Show a code'}
        </Button>
      </div>
      {pairing.error && <Failed error={pairing.error} />}
    </Card>
  );
}

/** Cameras read dark on light, so its colours do not follow the theme. */
const LIGHT = { fill: '#ffffff' };
const DARK = { fill: '#000000' };

/** The code as a picture and as a link. */
function Shown({ url, expiresAt }: Pairing) {
  const { data, size } = encode(url, { ecc: 'M', border: 2 });
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  const isHere = /^https?:\/\/(localhost|127\.|\[::1\])/.test(url);
  return (
    <div class="flex w-full flex-col gap-3 text-sm open:flex-row">
      <svg
        role="img"
        aria-label="QR code of the link"
        viewBox={`0 0 ${size} ${size}`}
        class="mx-auto aspect-square w-full max-w-60 shrink-0 rounded-md open:mx-0"
        shape-rendering="crispEdges"
      >
        <rect width={size} height={size} style={LIGHT} />
        <path d={path} style={DARK} />
      </svg>
      <div class="flex min-w-0 flex-1 flex-col gap-2">
        <p>Point the camera of the other device at it, or open this link there:</p>
        <Code>{url}</Code>
        {isHere && (
          <p class="text-warn">
            This address reaches Lore only on this machine. For a phone, start it with lore start --lan.
          </p>
        )}
        <p class="text-muted">Works once, until {clock(expiresAt)}.</p>
      </div>
    </div>
  );
}
