import { createHmac } from 'node:crypto';
import type { Config } from '../config.ts';

/**
 * Returns the secret that signs access tokens: SUPABASE_JWT_SECRET, else one that is derived from the server's, so that
 * servers that share a database take each other's tokens.
 *
 * @param secret LORE_SECRET, or the one in the data folder
 */
export const tokenSecret = ({ supabase }: Pick<Config, 'supabase'>, secret: string): string =>
  supabase.jwtSecret ?? createHmac('sha256', secret).update('lore: access tokens').digest('base64url');
