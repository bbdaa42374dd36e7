/** The user for whom a token is valid (`src/accounts/access-tokens.ts`). */
export type Grant = {
  /** null for a public key, which belongs to no user */
  userId: string | null;
  /** when it ends, in seconds since 1970 */
  exp: number;
  /** the key it was minted for */
  keyId: string | null;
};

export type Refused = { refused: 'malformed' | 'signature' | 'expired' | 'claims' | 'revoked' };

/** The checks that the endpoint needs. */
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

/** The code and the words with which Supabase's Realtime refuses a join. */
export const WORDS: Record<Refused['refused'], { code: string; text: string }> = {
  malformed: { code: 'MalformedJWT', text: 'The token provided is not a valid JWT' },
  signature: { code: 'JwtSignatureError', text: 'Failed to validate JWT signature' },
  expired: { code: 'InvalidJWTToken', text: 'Token has expired' },
  claims: { code: 'InvalidJWTToken', text: 'Fields `role` and `exp` are required in JWT' },
  revoked: { code: 'Unauthorized', text: 'The key of this token was revoked' },
};
