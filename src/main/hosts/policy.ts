/**
 * Headers of every answer that a page of ours is made of, in every host: nothing may come from elsewhere, be framed or
 * be guessed at. Monaco and AG Grid set inline styles and use data: images and fonts; scripts only ever come from us.
 * @param carriers addresses beside the page's own that it may connect to
 */
export function policyHeaders(carriers: readonly string[] = []): Record<string, string> {
  const policy = [
    "default-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    ["connect-src 'self'", ...carriers].join(' '),
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  return {
    'Content-Security-Policy': policy,
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
  };
}
