import { useMutation } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { server } from '../data/server.ts';
import { sendLink } from '../data/session-of-auth.ts';
import { pair, signIn, signInByPassword } from '../data/sign-in.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Code, Failed } from '../ui/states.tsx';

/** What a browser sees that is not signed in, or no longer. */
export function SignedOut() {
  const { value: now } = signIn;
  const { supabase } = server.value;
  return (
    <main class="mx-auto flex min-h-dvh max-w-sm flex-col justify-center gap-4 px-5 py-8">
      <img src="/icon.svg" alt="" width={48} height={48} />
      <h1 class="text-xl font-semibold tracking-tight">
        {supabase ? 'Sign in to Lore' : 'Pair this device with Lore'}
      </h1>
      {now.state === 'out' && now.why && (
        <p role="alert" class="rounded-md bg-bad-soft px-3 py-2 text-sm text-bad">
          {now.why}
        </p>
      )}
      {supabase ? (
        <>
          <Account />
          <details>
            <summary class="cursor-pointer py-2 text-sm text-muted">Or pair this device</summary>
            <div class="flex flex-col gap-4 pt-2">
              <Pairing />
            </div>
          </details>
        </>
      ) : (
        <Pairing />
      )}
    </main>
  );
}

/** Signs in with Supabase Auth: by password, or by a link that is sent by mail. */
function Account() {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const link = useMutation<void, Error>({ mutationFn: () => sendLink(email.trim()) });
  const busy = signIn.value.state === 'pairing';
  return (
    <form
      class="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        void signInByPassword(email.trim(), password);
      }}
    >
      <Field label="E-mail" type="email" autocomplete="username" value={email} onInput={setEmail} />
      <Field
        label="Password"
        type="password"
        autocomplete="current-password"
        value={password}
        onInput={setPassword}
      />
      <Button look="main" type="submit" busy={busy} disabled={email.trim() === '' || password === ''}>
        {busy ? 'Signing in …' : 'Sign in'}
      </Button>
      <Button busy={link.isPending} disabled={email.trim() === ''} onClick={() => link.mutate()}>
        Send me a link instead
      </Button>
      {link.isSuccess && (
        <p role="status" class="text-sm text-ok">
          If there is an account with this address, a link is on its way. Open it in this browser.
        </p>
      )}
      {link.error && <Failed error={link.error} />}
    </form>
  );
}

/** Pairs this device by a link that a person has printed. */
function Pairing() {
  const [link, setLink] = useState('');
  const { value: now } = signIn;
  return (
    <>
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
        <Button
          look={server.value.supabase ? 'plain' : 'main'}
          type="submit"
          busy={now.state === 'pairing'}
          disabled={link.trim() === ''}
        >
          {now.state === 'pairing' ? 'Pairing …' : 'Pair'}
        </Button>
      </form>
    </>
  );
}
