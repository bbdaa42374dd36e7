import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { navigate } from 'wouter-preact/use-browser-location';
import { Button } from './button.tsx';

// Keys of one letter. They can be turned off, because software for dictation types letters too (WCAG 2.1.4).

const KEY = 'lore.shortcuts';
const isOn = signal(localStorage.getItem(KEY) !== 'off');

const SHORTCUTS = [
  ['/', 'Search'],
  ['j', 'Next in the list'],
  ['k', 'Previous in the list'],
  ['?', 'Show these'],
  ['Esc', 'Close or leave'],
] as const;

/** Listens to the keys, and shows what they are when somebody asks. */
export function Shortcuts() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (isTyping(event.target) || dialog.current?.open) return;
      const act = ACTIONS[event.key];
      // the keys themselves are always shown, or nobody could turn them on again
      if (event.key === '?') dialog.current?.showModal();
      else if (act && isOn.value) act();
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-label="Keyboard shortcuts"
      class="m-auto w-72 max-w-[calc(100vw-2rem)] rounded-lg border border-line bg-card p-5 text-text backdrop:bg-shade"
    >
      <h2 class="mb-3 font-semibold">Keyboard shortcuts</h2>
      <dl class="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-2 text-sm">
        {SHORTCUTS.map(([key, what]) => (
          <>
            <dt key={key}>
              <kbd class="inline-block min-w-7 rounded-sm bg-sunk px-2 text-center font-mono">{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </>
        ))}
      </dl>
      <div class="mt-4 flex flex-wrap gap-2">
        {/* the first has the focus: Enter closes */}
        <Button onClick={() => dialog.current?.close()}>Close</Button>
        <Button
          aria-pressed={isOn.value}
          onClick={() => {
            isOn.value = !isOn.value;
            localStorage.setItem(KEY, isOn.value ? 'on' : 'off');
          }}
        >
          {isOn.value ? 'Turn off' : 'Turn on'}
        </Button>
      </div>
    </dialog>
  );
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]');

const SEARCH = 'main input[type=search]';
/** A page that is opened for its search may have to be loaded first. */
const PATIENCE_MS = 2_000;

function focusSearch(until: number): void {
  const field = document.querySelector<HTMLInputElement>(SEARCH);
  if (field) field.focus();
  else if (performance.now() < until) requestAnimationFrame(() => focusSearch(until));
}

const ACTIONS: Record<string, () => void> = {
  '/': () => {
    if (document.querySelector(SEARCH) === null) navigate('/search');
    focusSearch(performance.now() + PATIENCE_MS);
  },
  j: () => move(1),
  k: () => move(-1),
  // what is being written is closed by its own form
  Escape: () => {
    if (document.querySelector('main form') === null)
      document.querySelector<HTMLElement>('main a[aria-label^="Back to"]')?.click();
  },
};

/** Focuses the first thing that can be pressed in the next item of a list, or in the one before. */
function move(by: 1 | -1): void {
  const items = [...document.querySelectorAll<HTMLElement>('main li')].filter((item) => firstIn(item));
  const at = items.findIndex((item) => item.contains(document.activeElement));
  const next = items[at < 0 ? (by > 0 ? 0 : items.length - 1) : at + by];
  if (next) firstIn(next)?.focus();
}

const firstIn = (item: HTMLElement): HTMLElement | null => item.querySelector<HTMLElement>('a[href], button');
