import { Button } from '../../ui/button.tsx';
import { Failed } from '../../ui/states.tsx';

/** At the end of a list that goes on. */
export const More = ({
  answer,
}: {
  answer: {
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    isFetchNextPageError: boolean;
    error: Error | null;
    fetchNextPage: () => unknown;
  };
}) =>
  answer.hasNextPage ? (
    <div class="flex flex-col border-t border-line px-4 py-3">
      {answer.isFetchNextPageError && answer.error && <Failed error={answer.error} />}
      <Button busy={answer.isFetchingNextPage} onClick={() => answer.fetchNextPage()}>
        Show more
      </Button>
    </div>
  ) : null;
