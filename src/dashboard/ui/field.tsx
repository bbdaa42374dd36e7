import { ChevronDown } from 'lucide-preact';

const BOX = 'w-full rounded-md border border-line bg-card px-3 text-base placeholder:text-muted';

type Common = {
  label: string;
  value: string;
  onInput: (value: string) => void;
  placeholder?: string;
  hideLabel?: boolean;
};

/** A line of text that a person writes, with its label. */
export const Field = ({
  label,
  value,
  onInput,
  placeholder,
  hideLabel,
  type = 'text',
  autocomplete = 'off',
}: Common & { type?: string; autocomplete?: string }) => (
  <label class="block">
    <span class={hideLabel ? 'sr-only' : 'mb-1 block text-sm text-muted'}>{label}</span>
    <input
      type={type}
      value={value}
      placeholder={placeholder}
      autocomplete={autocomplete}
      onInput={(event) => onInput(event.currentTarget.value)}
      class={`${BOX} min-h-11`}
    />
  </label>
);

/** A day up to today, on a line with its label. */
export const Day = ({ label, value, onInput }: Pick<Common, 'label' | 'value' | 'onInput'>) => (
  <label class={`${BOX} flex min-h-11 items-center gap-2 text-sm`}>
    <span class="shrink-0 text-muted">{label}</span>
    <input
      type="date"
      value={value}
      max={new Date().toLocaleDateString('sv')}
      onInput={(event) => onInput(event.currentTarget.value)}
      class="min-h-10 min-w-0 flex-1 bg-transparent text-right"
    />
  </label>
);

/** The same for several lines. */
export const TextArea = ({
  label,
  value,
  onInput,
  placeholder,
  hideLabel,
  rows = 4,
  mono = false,
}: Common & { rows?: number; mono?: boolean }) => (
  <label class="block">
    <span class={hideLabel ? 'sr-only' : 'mb-1 block text-sm text-muted'}>{label}</span>
    <textarea
      rows={rows}
      value={value}
      placeholder={placeholder}
      onInput={(event) => onInput(event.currentTarget.value)}
      class={`${BOX} py-2 ${mono ? 'font-mono text-sm' : ''}`}
    />
  </label>
);

/** A choice of one of a few. */
export const Choice = <T extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: T;
  options: readonly (readonly [T, string])[];
  onChange: (value: T) => void;
}) => (
  <fieldset aria-label={label} class="flex min-w-0 flex-wrap rounded-md bg-sunk">
    {options.map(([one, text]) => (
      <button
        type="button"
        key={one}
        aria-pressed={one === value}
        onClick={() => onChange(one)}
        class={`min-h-11 flex-1 p-1 text-sm whitespace-nowrap ${inPairs(options) ? 'basis-2/5 open:basis-0' : ''}`}
      >
        <span
          class={`flex min-h-9 items-center justify-center rounded-sm px-1 open:px-3 ${one === value ? 'bg-raised font-medium shadow-sm' : 'text-muted'}`}
        >
          {text}
        </span>
      </button>
    ))}
  </fieldset>
);

/** Whether four are too long for one row of a cover screen: then they stand two by two. */
const inPairs = (options: readonly (readonly [string, string])[]): boolean =>
  options.length === 4 && options.reduce((all, [, text]) => all + text.length, 0) > 30;

/** A choice of one of many, or of as many as there are. */
export const Select = <T extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: T;
  options: readonly (readonly [T, string])[];
  onChange: (value: T) => void;
}) => (
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
