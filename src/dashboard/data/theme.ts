import { effect, signal } from '@preact/signals';

export type Theme = 'system' | 'light' | 'dark';

/** The theme that the person chose on this device. */
export const theme = signal<Theme>((localStorage.getItem('lore.theme') as Theme | null) ?? 'system');

effect(() => {
  localStorage.setItem('lore.theme', theme.value);
  document.documentElement.dataset.theme = theme.value;
});
