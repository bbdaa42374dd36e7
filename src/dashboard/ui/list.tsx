import type { ComponentChildren, JSX } from 'preact';
import { Link } from 'wouter-preact';

/** The one list of the page. Its items are `Item`s. */
export const List = ({ label, children }: { label: string; children: ComponentChildren }) => (
  <ul aria-label={label} class="divide-y divide-line">
    {children}
  </ul>
);

/** One line of a list: a dot or nothing, a title, a line below it, at the right something small. */
export function Item({
  href,
  lead,
  title,
  detail,
  aside,
  children,
  onOpen,
  place,
}: {
  /** where it leads, if it does */
  href?: string | undefined;
  lead?: ComponentChildren;
  title: ComponentChildren;
  detail?: ComponentChildren;
  aside?: ComponentChildren;
  /** below, over the whole width: buttons, for example */
  children?: ComponentChildren;
  /** is called before it leads anywhere */
  onOpen?: () => void;
  /** where this line is, in a long list of which only the lines in view are drawn */
  place?: JSX.HTMLAttributes<HTMLLIElement> & { [data: `data-${string}`]: number };
}) {
  const line = (
    <>
      {lead && <span class="flex h-5.5 shrink-0 items-center">{lead}</span>}
      <span class="min-w-0 flex-[1_1_5.5rem]">
        <span class="block">{title}</span>
        {detail && <span class="block text-sm text-muted">{detail}</span>}
      </span>
      {aside && <span class="ml-auto shrink-0 text-right text-xs leading-5.5 text-muted">{aside}</span>}
    </>
  );
  const shape = `flex w-full flex-wrap gap-x-3 px-4 py-2.5 text-left ${children ? 'pb-2' : 'min-h-11'}`;
  return (
    <li {...place}>
      {href ? (
        <Link href={href} {...(onOpen && { onClick: onOpen })} class={`${shape} hover:bg-sunk`}>
          {line}
        </Link>
      ) : (
        <div class={shape}>{line}</div>
      )}
      {children && <div class="px-4 pb-3">{children}</div>}
    </li>
  );
}
