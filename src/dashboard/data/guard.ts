import { api } from './api.ts';

/** Lets a guard rest, or act again. */
export const setGuard = ({ id, state }: { id: string; state: 'on' | 'paused' }) =>
  api('PATCH /v1/guards/{id}', { params: { id }, body: { state } });
