import { effect } from '@preact/signals';
import { QueryObserver } from '@tanstack/preact-query';
import { dashboardQuery, waiting } from './dashboard.ts';
import { renewPush } from './notifications.ts';
import { queries } from './queries.ts';
import { signIn } from './sign-in.ts';

/** Keeps the badges at the number of things that wait for the person, also while the page is hidden. */
export function startBadge(): () => void {
  return effect(() => {
    if (signIn.value.state !== 'in') return show(0);
    void renewPush().catch(() => {});
    const observer = new QueryObserver(queries, dashboardQuery);
    show(observer.getCurrentResult().data?.counts.waiting);
    return observer.subscribe(({ data }) => show(data?.counts.waiting));
  });
}

function show(count: number | undefined): void {
  if (count === undefined) return;
  waiting.value = count;
  // not every browser has badges, and it refuses if the page is not installed
  const set = count > 0 ? navigator.setAppBadge?.(count) : navigator.clearAppBadge?.();
  void set?.catch(() => {});
}
