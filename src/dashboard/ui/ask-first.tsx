import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from './button.tsx';

/** A button that asks before it does what is not easily taken back. */
export function AskFirst({
  label,
  question,
  yes,
  busy = false,
  onYes,
  children,
}: {
  label: string;
  question: string;
  /** what the button says that does it */
  yes: string;
  busy?: boolean;
  onYes: () => void;
  /** what else is asked, such as why */
  children?: ComponentChildren;
}) {
  const [asking, setAsking] = useState(false);
  if (!asking) {
    return (
      <Button look="bad" busy={busy} onClick={() => setAsking(true)}>
        {label}
      </Button>
    );
  }
  return (
    <fieldset class="flex w-full flex-col gap-3 rounded-md bg-sunk p-3">
      <legend class="sr-only">{label}</legend>
      <p class="text-sm" role="alert">
        {question}
      </p>
      {children}
      <div class="flex gap-2">
        <Button
          look="bad"
          busy={busy}
          onClick={() => {
            setAsking(false);
            onYes();
          }}
        >
          {yes}
        </Button>
        <Button disabled={busy} onClick={() => setAsking(false)}>
          Cancel
        </Button>
      </div>
    </fieldset>
  );
}
