import type { GuardRule } from '../../wire/routes.ts';
import { api } from './api.ts';

/** Lets a guard rest, or act again. */
export const setGuard = ({ id, state }: { id: string; state: 'on' | 'paused' }) =>
  api('PATCH /v1/guards/{id}', { params: { id }, body: { state } });

/** Changes at which calls a guard acts, and how. */
export const changeGuard = ({ id, rule }: { id: string; rule: GuardRule }) =>
  api('PUT /v1/guards/{id}', { params: { id }, body: rule });
