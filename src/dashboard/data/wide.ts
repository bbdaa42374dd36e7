import { signal } from '@preact/signals';

// the breakpoint `open` of styles.css
const open = matchMedia('(min-width: 37.5rem)');

/** Whether there is room for two columns: the phone is unfolded, or the device is not a phone. */
export const wide = signal(open.matches);
open.addEventListener('change', () => {
  wide.value = open.matches;
});
