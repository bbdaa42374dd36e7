import { useState } from 'preact/hooks';
import { pair, signIn } from '../data/sign-in.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Code } from '../ui/states.tsx';

/** What a device sees that is not paired, or no longer. */
export function SignedOut() {
  const [link, setLink] = useState('');
  const { value: now } = signIn;
  return (
    <main class="mx-auto flex min-h-dvh max-w-sm flex-col justify-center gap-4 px-5 py-8">
      <img src="/icon.svg" alt="" width={48} height={48} />
      <h1 class="text-xl font-semibold tracking-tight">Pair this device with Lore</h1>
      {now.state === 'out' && now.why && (
        <p role="alert" class="rounded-md bg-bad-soft px-3 py-2 text-sm text-bad">
          {now.why}
        </p>
      )}
      <p class="text-muted">On the machine where Lore runs, type one of these:</p>
      <div>
        <Code>lore open</Code>
        <p class="mt-1 text-sm text-muted">opens this page there, signed in.</p>
      </div>
      <div>
        <Code>lore pair</Code>
        <p class="mt-1 text-sm text-muted">
          shows a QR code for your phone. The phone reaches Lore when it was started with{' '}
          <span class="font-mono">lore start --lan</span>.
        </p>
      </div>
      <form
        class="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          void pair(link.split('#pair=').at(-1) ?? '');
        }}
      >
        <Field label="Or paste the link that it printed" value={link} onInput={setLink} />
        <Button look="main" type="submit" busy={now.state === 'pairing'} disabled={link.trim() === ''}>
          {now.state === 'pairing' ? 'Pairing …' : 'Pair'}
        </Button>
      </form>
    </main>
  );
}
