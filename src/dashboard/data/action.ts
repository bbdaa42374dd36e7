import { type UseMutationResult, useMutation } from '@tanstack/preact-query';
import { readAnew, type Table } from './live.ts';

/**
 * Something that a press of a button does. When it is done, what shows rows of `tables` is read anew, without waiting until
 * the change is told.
 */
export const useAction = <Given = void, Answer = unknown>(
  tables: Table[],
  act: (given: Given) => Promise<Answer>,
): UseMutationResult<Answer, Error, Given> =>
  useMutation<Answer, Error, Given>({ mutationFn: act, onSuccess: () => readAnew(...tables) });
