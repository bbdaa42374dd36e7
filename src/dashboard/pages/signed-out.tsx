import { useMutation } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { server } from '../data/server.ts';
import { sendLink } from '../data/session-of-auth.ts';
import { pair, signIn, signInByPassword } from '../data/sign-in.ts';
import { Button, Field } from '../ui/field.tsx';
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
      {supabase && <Account />}
      {supabase && <h2 class="pt-4 text-sm text-muted">Or pair this device</h2>}
      <Pairing />
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
  const busy = signIn.value.state === 'pairing';
  return (
    <form
      class="flex flex-col gap-3 text-sm text-muted"
      onSubmit={(event) => {
        event.preventDefault();
        void pair(link.split('#pair=').at(-1) ?? '');
      }}
    >
      <p>On the machine where Lore runs, this opens the page, signed in:</p>
      <Code>lore open</Code>
      <p>This shows a QR code for your phone, if Lore was started with lore start --lan:</p>
      <Code>lore pair</Code>
      <Field label="Or paste the link that it printed" value={link} onInput={setLink} />
      <Button
        look={server.value.supabase ? 'plain' : 'main'}
        type="submit"
        busy={busy}
        disabled={link.trim() === ''}
      >
        {busy ? 'Pairing …' : 'Pair'}
      </Button>
    </form>
  );
}
