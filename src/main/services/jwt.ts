/** The two dates of a token that matter here, in Unix milliseconds; null when the token does not say them. */
export interface TokenDates {
  readonly issued: number | null;
  readonly expires: number | null;
}

/** Reads `iat` and `exp` of a JWT without checking its signature: the service does that. Never throws. */
export function datesIn(jwt: string): TokenDates {
  try {
    const payload: unknown = JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString('utf8'));
    if (typeof payload !== 'object' || payload === null) return { issued: null, expires: null };
    const claims = payload as Record<string, unknown>;
    return { issued: milliseconds(claims['iat']), expires: milliseconds(claims['exp']) };
  } catch {
    return { issued: null, expires: null };
  }
}

function milliseconds(seconds: unknown): number | null {
  return typeof seconds === 'number' && Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : null;
}
