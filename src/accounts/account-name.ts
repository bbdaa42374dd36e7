import { z } from '@hono/zod-openapi';
import { redactText } from '../redaction/redact.ts';

/** A name of a person, a key or a device. Lists show it, so it must be no secret that was pasted in the wrong place. */
export const AccountName = z
  .string()
  .trim()
  .normalize('NFKC')
  .min(1)
  .max(100)
  .refine((name) => redactText(name) === name, 'looks like a secret, or holds what cannot be stored')
  .refine((name) => !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}]/u.test(name), 'has characters that cannot be seen');
