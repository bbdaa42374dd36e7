import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';

/** A page: its name as the heading and the window's title, what belongs beside it, its cards. */
export function Page({
  title,
  aside,
  children,
}: {
  title: string;
  aside?: ComponentChildren;
  children: ComponentChildren;
}) {
  useEffect(() => {
    document.title = title === 'Lore' ? title : `${title} · Lore`;
  }, [title]);
  return (
    <>
      <div class="flex min-h-11 items-center justify-between gap-3 pb-3">
        <h1 class="text-xl font-semibold tracking-tight">{title}</h1>
        {aside}
      </div>
      <div class="flex flex-col gap-3">{children}</div>
    </>
  );
}

/** Cards in one column on the cover screen, in two where there is room. */
export const Columns = ({ children }: { children: ComponentChildren }) => (
  <div class="grid gap-3 open:grid-cols-2 [&>*]:min-w-0">{children}</div>
);
