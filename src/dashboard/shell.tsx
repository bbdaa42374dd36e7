import { effect, signal } from '@preact/signals';
import {
  Brain,
  ChartLine,
  CircleEllipsis,
  GitFork,
  History,
  House,
  Search as SearchIcon,
  ShieldCheck,
  Smartphone,
} from 'lucide-preact';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { reachable } from './data/api.ts';
import { waiting } from './data/dashboard.ts';
import { live, seenAt } from './data/live.ts';
import { ago } from './ui/time.tsx';

/** All pages. `side` ones lie behind “More” on the cover screen, `more` ones everywhere. */
export const PAGES = [
  { href: '/', name: 'Now', icon: House, in: 'bar' },
  { href: '/plans', name: 'Plans', icon: GitFork, in: 'bar' },
  { href: '/learnings', name: 'Lessons', icon: Brain, in: 'bar' },
  { href: '/safety', name: 'Safety', icon: ShieldCheck, in: 'bar' },
  { href: '/sessions', name: 'Sessions', icon: History, in: 'side' },
  { href: '/search', name: 'Search', icon: SearchIcon, in: 'side' },
  { href: '/metrics', name: 'Metrics', icon: ChartLine, in: 'side' },
  { href: '/devices', name: 'Devices', icon: Smartphone, in: 'side' },
  { href: '/records', name: 'Records', in: 'more' },
  { href: '/nights', name: 'Nights', in: 'more' },
  { href: '/console', name: 'Console', in: 'more' },
] as const;

export type Theme = 'system' | 'light' | 'dark';

/** The theme that the person chose on this device. */
export const theme = signal<Theme>((localStorage.getItem('lore.theme') as Theme | null) ?? 'system');

effect(() => {
  localStorage.setItem('lore.theme', theme.value);
  document.documentElement.dataset.theme = theme.value;
});

/** The frame of every page: links to the other pages, and a line that says if the content may be old. */
export function Shell({ children }: { children: ComponentChildren }) {
  const [at] = useLocation();
  // before anything is painted: a list that somebody comes back to scrolls after that to where they were
  useLayoutEffect(() => {
    document.getElementById('page')?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, [at]);
  const here = (href: string) =>
    href === '/' ? at === '/' || at.startsWith('/projects') : at.startsWith(href);
  const open = PAGES.find(({ href }) => here(href))?.in;
  return (
    <div class="pr-[env(safe-area-inset-right)] open:pl-[calc(4.5rem+env(safe-area-inset-left))] desk:pl-[calc(13rem+env(safe-area-inset-left))]">
      <a
        href="#page"
        class="sr-only z-40 rounded-md bg-accent px-4 py-3 text-on-accent focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        Skip to the content
      </a>
      <nav
        aria-label="Pages"
        class="fixed inset-x-0 bottom-0 z-30 border-t border-line bg-card pb-[env(safe-area-inset-bottom)] pl-[env(safe-area-inset-left)] open:inset-y-0 open:right-auto open:w-[calc(4.5rem+env(safe-area-inset-left))] open:overflow-y-auto open:border-t-0 open:border-r open:pt-[calc(0.75rem+env(safe-area-inset-top))] desk:w-[calc(13rem+env(safe-area-inset-left))]"
      >
        <ul class="flex overflow-x-auto open:flex-col open:overflow-x-visible open:gap-1 open:px-1 desk:px-2">
          <li class="hidden px-3 pb-2 text-center font-semibold tracking-tight text-accent open:block desk:text-left desk:text-lg">
            Lore
          </li>
          {PAGES.filter((page) => page.in !== 'more').map((page) => (
            <li
              key={page.href}
              class={`min-w-max flex-1 open:min-w-0 ${page.in === 'bar' ? '' : 'hidden open:block'}`}
            >
              <Way {...page} current={here(page.href)} count={page.href === '/' ? waiting.value : 0} />
            </li>
          ))}
          <li class="min-w-max flex-1 open:min-w-0">
            <Way href="/more" name="More" icon={CircleEllipsis} current={at === '/more' || open === 'more'} />
          </li>
        </ul>
      </nav>
      <Away />
      <main
        id="page"
        tabIndex={-1}
        class="mx-auto max-w-5xl px-3 pt-[calc(0.75rem+env(safe-area-inset-top))] pb-[calc(5rem+env(safe-area-inset-bottom))] outline-none open:px-5 open:pt-[calc(1.25rem+env(safe-area-inset-top))] open:pb-8"
      >
        {children}
      </main>
    </div>
  );
}

type WayTo = { href: string; name: string; icon: typeof House; current: boolean; count?: number };

/** A link to a page. On the cover screen its icon is above its name, on a desktop next to it. */
const Way = ({ href, name, icon: Icon, current, count = 0 }: WayTo) => (
  <Link
    href={href}
    aria-current={current ? 'page' : undefined}
    class={`relative flex min-h-14 flex-col items-center justify-center gap-0.5 rounded-md text-xs desk:min-h-11 desk:flex-row desk:justify-start desk:gap-3 desk:px-3 desk:text-sm ${current ? 'font-medium text-accent open:bg-accent-soft' : 'text-muted hover:text-text'}`}
  >
    <Icon size={20} aria-hidden="true" />
    <span class="whitespace-nowrap">{name}</span>
    {count > 0 && (
      <span class="absolute top-1.5 left-1/2 ml-1.5 min-w-4.5 rounded-full bg-bad px-1 text-center text-xs font-medium text-card desk:static desk:ml-auto">
        {count}
        <span class="sr-only"> that need you</span>
      </span>
    )}
  </Link>
);

/**
 * Says that the content may be old, as long as that is so. It is drawn over the page, so that nothing jumps.
 */
function Away() {
  const away = live.value === 'away' || !reachable.value;
  return (
    <div role="status" aria-live="polite">
      {away && (
        <p class="fixed inset-x-0 bottom-[calc(3.6rem+env(safe-area-inset-bottom))] z-20 mx-auto w-fit rounded-full border border-line bg-warn-soft px-3 py-1 text-xs text-warn open:bottom-3">
          {reachable.value ? 'Connecting …' : 'Lore cannot be reached'}
          {seenAt.value !== null && ` · last seen ${ago(seenAt.value)}`}
        </p>
      )}
    </div>
  );
}
