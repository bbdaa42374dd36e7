import { useMutation } from '@tanstack/preact-query';
import { encode } from 'uqr';
import type { Pairing } from '../../base/wire/routes.ts';
import { api } from '../data/api.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Code, Failed } from '../ui/states.tsx';
import { clock } from '../ui/time.tsx';

/** Shows a code with which another device signs in. */
export function PairAnother() {
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
