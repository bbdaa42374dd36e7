import type { ComponentChildren } from 'preact';

const LOOKS = {
  main: 'bg-accent text-on-accent hover:opacity-90',
  plain: 'border border-line bg-card hover:bg-sunk',
  bad: 'border border-line bg-card text-bad hover:bg-bad-soft',
  link: '-mx-3.5 text-accent underline',
} as const;

/** The one button: 44 px high, as a thumb needs. While `busy`, it takes no second press. */
export const Button = ({
  look = 'plain',
  busy = false,
  type = 'button',
  disabled = false,
  onClick,
  children,
  ...rest
}: {
  look?: keyof typeof LOOKS;
  busy?: boolean;
  type?: 'button' | 'submit';
  disabled?: boolean;
  onClick?: () => unknown;
  children: ComponentChildren;
  'aria-label'?: string;
  'aria-pressed'?: boolean;
}) => (
  <button
    type={type}
    disabled={disabled || busy}
    aria-busy={busy}
    onClick={onClick}
    class={`inline-flex min-h-11 items-center justify-center gap-2 rounded-md px-3.5 text-sm font-medium disabled:opacity-60 ${LOOKS[look]}`}
    {...rest}
  >
    {children}
  </button>
);
