import type { Pages } from '../data/pages.ts';
import { Button } from './button.tsx';
import { Failed } from './states.tsx';

/** Below a list that comes in pages: asks for the next one. */
export function Older<T>({ of, what }: { of: Pages<T>; what: string }) {
  if (of.isFetchNextPageError && of.error) {
    return <Failed error={of.error} again={() => void of.fetchNextPage()} />;
  }
  if (!of.hasNextPage) return null;
  return (
    <div class="flex justify-center p-3">
      <Button busy={of.isFetchingNextPage} onClick={() => void of.fetchNextPage()}>
        {of.isFetchingNextPage ? 'Reading …' : what}
      </Button>
    </div>
  );
}
