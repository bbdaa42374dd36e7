import type { ComponentChildren } from 'preact';

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
