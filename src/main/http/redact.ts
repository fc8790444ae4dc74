const mask = '•••';

// Texts that look like secrets: a key or token in a header, a JWT, a password in a URL. A word after "API"
// isn't one, as in "API number".
const patterns: readonly [RegExp, string][] = [
  [/\b(API|Bearer|Basic|Negotiate|NTLM)\s+((?=[\w.~+/=-]*\d)[\w.~+/=-]{6,}|[\w.~+/=-]{20,})/gi, `$1 ${mask}`],
  [/\beyJ[\w-]{5,}\.[\w-]{5,}(\.[\w-]*)?/g, mask],
  [/(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@]+@/gi, `$1${mask}@`],
  [
    /("?\b(?:password|passwd|api_?key|refresh_token|jwt|auth_key)"?\s*[:=]\s*)("[^"]*"|[^\s,;&}]+)/gi,
    `$1${mask}`,
  ],
];

/**
 * Replaces the given secrets and everything that looks like a secret.
 * @param secrets texts to replace; shorter than 4 characters are ignored
 */
export function redact(text: string, secrets: readonly string[] = []): string {
  let redacted = text;
  // Longest first, so a secret that contains another one is replaced as a whole.
  for (const secret of [...secrets].sort((a, b) => b.length - a.length)) {
    if (secret.length >= 4) redacted = redacted.replaceAll(secret, mask);
  }
  for (const [pattern, replacement] of patterns) redacted = redacted.replace(pattern, replacement);
  return redacted;
}

/** Redacts every string in a JSON value; property names are unchanged. */
export function redactValue(value: unknown, secrets: readonly string[] = []): unknown {
  if (typeof value === 'string') return redact(value, secrets);
  if (Array.isArray(value)) return value.map((item) => redactValue(item, secrets));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, redactValue(item, secrets)]));
}
