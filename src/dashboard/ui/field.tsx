import { ChevronDown } from 'lucide-preact';
import type { ComponentChildren, JSX } from 'preact';
import { useProjects } from '../data/dashboard.ts';

const BOX = 'w-full rounded-md border border-line bg-card px-3 text-base placeholder:text-muted';

/** A text that a person writes, with its label: a line, or several if `rows` says how many. */
export function Field({
  label,
  value,
  onInput,
  hideLabel = false,
  mono = false,
  rows,
  ...rest
}: {
  label: string;
  value: string;
  onInput: (value: string) => void;
  hideLabel?: boolean;
  mono?: boolean;
  rows?: number;
  type?: JSX.InputHTMLAttributes<HTMLInputElement>['type'];
  placeholder?: string;
  autocomplete?: 'username' | 'current-password';
}) {
  const write = (event: { currentTarget: { value: string } }) => onInput(event.currentTarget.value);
  const shape = `${BOX} ${rows ? 'py-2' : 'min-h-11'} ${mono ? 'font-mono text-sm' : ''}`;
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: it is one of the two below
    <label class="block">
      <span class={hideLabel ? 'sr-only' : 'mb-1 block text-sm text-muted'}>{label}</span>
      {rows ? (
        <textarea rows={rows} value={value} onInput={write} class={shape} />
      ) : (
        <input value={value} onInput={write} class={shape} autocomplete="off" {...rest} />
      )}
    </label>
  );
}

type Options<T extends string> = {
  label: string;
  value: T;
  options: readonly (readonly [T, string])[];
  onChange: (value: T) => void;
  /** shows the label above */
  named?: boolean;
};

/** A choice of one of a few. */
export const Choice = <T extends string>({ label, value, options, onChange, named }: Options<T>) => (
  <div>
    {named && (
      <p aria-hidden="true" class="pb-1 text-sm text-muted">
        {label}
      </p>
    )}
    <fieldset aria-label={label} class="flex min-w-0 flex-wrap rounded-md bg-sunk">
      {options.map(([one, text]) => (
        <button
          type="button"
          key={one}
          aria-pressed={one === value}
          onClick={() => onChange(one)}
          class="min-h-11 flex-1 p-1 text-sm whitespace-nowrap"
        >
          <span
            class={`flex min-h-9 items-center justify-center rounded-sm px-1.5 open:px-3 ${one === value ? 'bg-raised font-medium shadow-sm' : 'text-muted'}`}
          >
            {text}
          </span>
        </button>
      ))}
    </fieldset>
  </div>
);

/** A choice of one of many, or of as many as there are. */
export const Select = <T extends string>({ label, value, options, onChange }: Options<T>) => (
  <label class="relative block min-w-0">
    <span class="sr-only">{label}</span>
    <ChevronDown
      size={16}
      aria-hidden="true"
      class="pointer-events-none absolute top-3.5 right-3 text-muted"
    />
    <select
      value={value}
      onChange={(event) => onChange(event.currentTarget.value as T)}
      class={`${BOX} min-h-11 appearance-none truncate pr-9 text-sm`}
    >
      {options.map(([one, text]) => (
        <option key={one} value={one}>
          {text}
        </option>
      ))}
    </select>
  </label>
);

/** Chooses one project, or all of them (an empty name). */
export function ProjectFilter({ value, onChange }: { value: string; onChange: (name: string) => void }) {
  const { names, called } = useProjects();
  const known = value === '' || names.includes(value) ? names : [value, ...names];
  return (
    <Select
      label="Project"
      value={value}
      onChange={onChange}
      options={[['', 'All projects'], ...known.map((name) => [name, called(name)] as const)]}
    />
  );
}

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
