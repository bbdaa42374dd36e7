import { effect } from '@preact/signals';
import { QueryObserver } from '@tanstack/preact-query';
import type { Dashboard } from '../../wire/routes.ts';
import { dashboardQuery, waiting } from './dashboard.ts';
import { notifyOfNew, renewPush } from './notifications.ts';
import { queries } from './queries.ts';
import { signIn } from './sign-in.ts';

/** Keeps the badges at the number of things that wait for the person, also while the page is hidden. */
export function startBadge(): () => void {
  const badge = effect(() => {
    const { value: count } = waiting;
    // not every browser has badges, and it refuses if the page is not installed
    const set = count > 0 ? navigator.setAppBadge?.(count) : navigator.clearAppBadge?.();
    void set?.catch(() => {});
  });
  const reading = effect(() => {
    if (signIn.value.state !== 'in') {
      waiting.value = 0;
      return;
    }
    const show = (data: Dashboard | undefined) => {
      if (!data) return;
      waiting.value = data.counts.waiting;
      notifyOfNew(data);
    };
    void renewPush().catch(() => {});
    const observer = new QueryObserver(queries, dashboardQuery);
    show(observer.getCurrentResult().data);
    return observer.subscribe(({ data }) => show(data));
  });
  return () => {
    badge();
    reading();
  };
}
