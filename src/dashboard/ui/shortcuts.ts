import { signal } from '@preact/signals';
import { navigate } from 'wouter-preact/use-browser-location';

// Keys of one letter. They can be turned off, because software for dictation types letters too (WCAG 2.1.4).

const KEY = 'lore.shortcuts';
/** Whether the keys are on, on this device. */
export const shortcuts = signal<'on' | 'off'>(localStorage.getItem(KEY) === 'off' ? 'off' : 'on');

export function setShortcuts(to: 'on' | 'off'): void {
  shortcuts.value = to;
  localStorage.setItem(KEY, to);
}

/** Listens to the keys: `/` searches, `j` and `k` move in lists, Esc leaves. */
export function startShortcuts(): () => void {
  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const { target } = event;
    if (target instanceof HTMLElement && target.matches('input, textarea, select')) return;
    const act = ACTIONS[event.key];
    if (!act || shortcuts.value === 'off') return;
    act();
    event.preventDefault();
  };
  addEventListener('keydown', onKey);
  return () => removeEventListener('keydown', onKey);
}

/** A page that is opened for its search may have to be loaded first. */
const PATIENCE_MS = 2_000;

function focusSearch(until: number): void {
  const field = document.querySelector<HTMLInputElement>('main input[type=search]');
  if (field) field.focus();
  else if (performance.now() < until) requestAnimationFrame(() => focusSearch(until));
}

const ACTIONS: Record<string, () => void> = {
  '/': () => {
    if (document.querySelector('main input[type=search]') === null) navigate('/search');
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
  const firstIn = (item: HTMLElement) => item.querySelector<HTMLElement>('a[href], button');
  const items = [...document.querySelectorAll<HTMLElement>('main li')].filter(firstIn);
  const at = items.findIndex((item) => item.contains(document.activeElement));
  const next = items[at < 0 ? (by > 0 ? 0 : items.length - 1) : at + by];
  if (next) firstIn(next)?.focus();
}
