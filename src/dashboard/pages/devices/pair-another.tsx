import { useMutation } from '@tanstack/preact-query';
import { useEffect, useState } from 'preact/hooks';
import { encode } from 'uqr';
import type { Pairing } from '../../../wire/routes.ts';
import { api } from '../../data/api.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Code, Failed } from '../../ui/states.tsx';

/**
 * Shows a code with which another device signs in.
 *
 * @param known how many devices there are. If there is one more, the code was used and is no longer shown
 * @param watch reads that number anew
 */
export function PairAnother({ known, watch }: { known: number | undefined; watch: () => void }) {
  const [before, setBefore] = useState<number>();
  const pairing = useMutation<Pairing, Error>({ mutationFn: () => api('POST /v1/pairings') });
  const come = pairing.data && known !== undefined && before !== undefined && known > before;
  const waits = pairing.data !== undefined && !come;
  useEffect(() => {
    if (!waits) return;
    const timer = setInterval(watch, 2_000);
    return () => clearInterval(timer);
  }, [waits]);
  const make = () => {
    setBefore(known);
    pairing.mutate();
  };
  return (
    <Card title="Pair another device">
      {come ? (
        <p role="status" class="pb-3 text-sm text-ok">
          A new device is signed in. It is listed above.
        </p>
      ) : (
        pairing.data && <Shown {...pairing.data} />
      )}
      {!pairing.data && (
        <p class="pb-3 text-sm text-muted">
          Shows a code that signs one device in as you, once and for five minutes.
        </p>
      )}
      <Button look={pairing.data ? 'plain' : 'main'} busy={pairing.isPending} onClick={make}>
        {pairing.data ? 'Make a new code' : 'Show a code'}
      </Button>
      {pairing.error && <Failed error={pairing.error} />}
    </Card>
  );
}

/** The code as a picture and as a link, until it expires. */
function Shown({ url, expiresAt }: Pairing) {
  const left = useSecondsUntil(expiresAt);
  if (left <= 0) return <p class="pb-3 text-sm text-warn">The code has expired.</p>;
  return (
    <div class="flex flex-col gap-3 pb-3 open:flex-row open:items-start">
      <QrCode text={url} />
      <div class="min-w-0 flex-1">
        <p class="text-sm">Point the camera of the other device at it, or open this link there:</p>
        <div class="my-2">
          <Code>{url}</Code>
        </div>
        {/^https?:\/\/(localhost|127\.|\[::1\])/.test(url) && (
          <p class="pb-2 text-sm text-warn">
            This address reaches Lore only on this machine. For a phone, start it with{' '}
            <span class="font-mono">lore start --lan</span>.
          </p>
        )}
        <p class="text-sm text-muted">
          Works once, for {Math.floor(left / 60)}:{String(left % 60).padStart(2, '0')} more.
        </p>
      </div>
    </div>
  );
}

function useSecondsUntil(at: string): number {
  const left = () => Math.max(0, Math.round((Date.parse(at) - Date.now()) / 1_000));
  const [seconds, setSeconds] = useState(left);
  useEffect(() => {
    setSeconds(left());
    const timer = setInterval(() => setSeconds(left()), 1_000);
    return () => clearInterval(timer);
  }, [at]);
  return seconds;
}

/** Cameras read dark on light, so its colours do not follow the theme. */
const LIGHT = { fill: '#ffffff' };
const DARK = { fill: '#000000' };

function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 2 });
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return (
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
  );
}
