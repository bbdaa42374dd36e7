/** The user for whom a token is valid (`src/accounts/tokens.ts`). */
export type Grant = {
  /** null for a public key, which belongs to no user */
  userId: string | null;
  /** when it ends, in seconds since 1970 */
  exp: number;
  /** the key it was minted for */
  keyId: string | null;
  /** the user of Supabase Auth who signed in, and their address; null: Lore's own server minted it */
  authId: string | null;
  email: string | null;
};

export type Refused = {
  refused: 'malformed' | 'signature' | 'expired' | 'claims' | 'foreign' | 'anonymous' | 'revoked';
};

/** The checks that the endpoint needs. */
export type Access = {
  /** Verifies a token by itself, without the database. `userId` is as the token says it. */
  verify(token: string): Promise<Grant | Refused>;
  /**
   * Returns the grant with the account that the token is good for now; null when the account is closed, or the key
   * revoked.
   *
   * @throws the database's error
   */
  settle(grant: Grant): Promise<Grant | null>;
};

/** The code and the words with which Supabase's Realtime refuses a join. */
export const WORDS: Record<Refused['refused'], { code: string; text: string }> = {
  malformed: { code: 'MalformedJWT', text: 'The token provided is not a valid JWT' },
  signature: { code: 'JwtSignatureError', text: 'Failed to validate JWT signature' },
  expired: { code: 'InvalidJWTToken', text: 'Token has expired' },
  claims: { code: 'InvalidJWTToken', text: 'Fields `role` and `exp` are required in JWT' },
  foreign: {
    code: 'InvalidJWTToken',
    text: 'The token is of another project, or not of a user who signed in',
  },
  anonymous: { code: 'Unauthorized', text: 'Nobody signs in anonymously' },
  revoked: { code: 'Unauthorized', text: 'The key of this token was revoked' },
};
