import { type UseMutationResult, useMutation } from '@tanstack/preact-query';
import { readAnew, type Table } from './live.ts';

/**
 * The action of a button. When it is done, queries that show rows of `tables` are read anew, without waiting
 * for the message about the change.
 */
export const useAction = <Given = void, Answer = unknown>(
  tables: Table[],
  act: (given: Given) => Promise<Answer>,
): UseMutationResult<Answer, Error, Given> =>
  useMutation<Answer, Error, Given>({ mutationFn: act, onSuccess: () => readAnew(...tables) });
