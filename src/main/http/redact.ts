const hidden = '•••';

// What looks like a secret even when nobody told us of it: a key or token in a header, a JWT, a password in
// an address. A word behind "API" is none: "API number".
const patterns: readonly [RegExp, string][] = [
  [
    /\b(API|Bearer|Basic|Negotiate|NTLM)\s+((?=[\w.~+/=-]*\d)[\w.~+/=-]{6,}|[\w.~+/=-]{20,})/gi,
    `$1 ${hidden}`,
  ],
  [/\beyJ[\w-]{5,}\.[\w-]{5,}(\.[\w-]*)?/g, hidden],
  [/(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@]+@/gi, `$1${hidden}@`],
  [
    /("?\b(?:password|passwd|api_?key|refresh_token|jwt|auth_key)"?\s*[:=]\s*)("[^"]*"|[^\s,;&}]+)/gi,
    `$1${hidden}`,
  ],
];

/** The text without the secrets given and without anything that looks like one. */
export function redact(text: string, secrets: readonly string[] = []): string {
  let clean = text;
  // What is part of something longer goes with it.
  for (const secret of [...secrets].sort((a, b) => b.length - a.length)) {
    if (secret.length >= 4) clean = clean.replaceAll(secret, hidden);
  }
  for (const [pattern, replacement] of patterns) clean = clean.replace(pattern, replacement);
  return clean;
}

/** The same for every text in a value that becomes JSON; its names stay. */
export function redactValue(value: unknown, secrets: readonly string[] = []): unknown {
  if (typeof value === 'string') return redact(value, secrets);
  if (Array.isArray(value)) return value.map((item) => redactValue(item, secrets));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, redactValue(item, secrets)]));
}
