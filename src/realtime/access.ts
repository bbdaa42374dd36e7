/** Whom a token speaks for (`src/accounts/access-tokens.ts`). */
export type Grant = {
  /** null: nobody in particular, with a public key */
  userId: string | null;
  /** when it ends, in seconds since 1970 */
  exp: number;
  /** the key it was minted for */
  keyId: string | null;
};

export type Refused = { refused: 'malformed' | 'signature' | 'expired' | 'claims' | 'revoked' };

/** What the endpoint must be able to ask. */
export type Access = {
  /** Verifies a token by itself, without the database. */
  verify(token: string): Promise<Grant | Refused>;
  /**
   * Returns whether the account is open and the key not revoked.
   *
   * @throws the database's error
   */
  isLive(grant: Grant): Promise<boolean>;
};

/** What Supabase's Realtime says: the code of a refused join, and the words. */
export const WORDS: Record<Refused['refused'], { code: string; text: string }> = {
  malformed: { code: 'MalformedJWT', text: 'The token provided is not a valid JWT' },
  signature: { code: 'JwtSignatureError', text: 'Failed to validate JWT signature' },
  expired: { code: 'InvalidJWTToken', text: 'Token has expired' },
  claims: { code: 'InvalidJWTToken', text: 'Fields `role` and `exp` are required in JWT' },
  revoked: { code: 'Unauthorized', text: 'The key of this token was revoked' },
};
