import { ChevronLeft } from 'lucide-preact';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { waiting } from '../data/dashboard.ts';

/** A page: its name as the heading and the window's title, what belongs beside it, its cards. */
export function Page({
  title,
  back,
  aside,
  children,
}: {
  title: string;
  /** the page above this one: its address and name */
  back?: readonly [href: string, name: string];
  aside?: ComponentChildren;
  children: ComponentChildren;
}) {
  const count = waiting.value;
  useEffect(() => {
    document.title = `${count > 0 ? `(${count}) ` : ''}${title === 'Now' ? '' : `${title} · `}Lore`;
  }, [title, count]);
  return (
    <>
      <div class="flex min-h-11 items-center justify-between gap-3 pb-3">
        <div class="flex min-w-0 items-center">
          {back && (
            <Link
              href={back[0]}
              aria-label={`Back to ${back[1]}`}
              class="-my-1.5 -ml-3 flex size-11 shrink-0 items-center justify-center text-accent"
            >
              <ChevronLeft size={22} aria-hidden="true" />
            </Link>
          )}
          <h1 class="min-w-0 text-xl font-semibold tracking-tight">{title}</h1>
        </div>
        <div class="flex items-center gap-3">
          {aside}
          <span class="font-semibold tracking-tight text-accent open:hidden">Lore</span>
        </div>
      </div>
      <div class="flex flex-col gap-3">{children}</div>
    </>
  );
}

/** Two columns of cards where there is room, else one below the other. */
export const Columns = ({ children }: { children: ComponentChildren }) => (
  <div class="grid items-start gap-3 open:grid-cols-2 [&>*]:min-w-0">{children}</div>
);

/** One column of cards. */
export const Column = ({ children }: { children: ComponentChildren }) => (
  <div class="flex flex-col gap-3 [&>*]:min-w-0">{children}</div>
);

/** The one box of the page: a heading, at its right something small, and below it the content. */
export function Card({
  id,
  title,
  aside,
  children,
  flush = false,
}: {
  /** to link to it */
  id?: string;
  title?: string;
  aside?: ComponentChildren;
  children: ComponentChildren;
  /** the content touches the edges: for lists */
  flush?: boolean;
}) {
  return (
    <section
      id={id}
      class="@container scroll-mt-3 overflow-hidden rounded-lg border border-line bg-card"
      aria-label={title}
    >
      {title && (
        <header class="flex min-h-11 items-center justify-between gap-3 px-4 pt-2">
          <h2 class="text-sm font-semibold wrap-normal">{title}</h2>
          {aside && <div class="text-xs text-muted">{aside}</div>}
        </header>
      )}
      <div class={flush ? '' : `px-4 pb-4 ${title ? 'pt-1' : 'pt-4'}`}>{children}</div>
    </section>
  );
}
