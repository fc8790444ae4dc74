/**
 * Headers of every response of the page, in every host: nothing from other origins, no framing, no sniffing.
 * Monaco and AG Grid set inline styles and use data: images and fonts; scripts come only from the
 * application.
 * @param carriers addresses beside its own that the page may connect to
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
