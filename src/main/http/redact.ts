const hidden = '•••';

// What looks like a secret even when nobody told us of it: a key or token in a header, a JWT, a password in
// an address.
const patterns: readonly [RegExp, string][] = [
  [/\b(API|Bearer|Basic|Negotiate|NTLM)\s+[\w.~+/=-]{6,}/gi, `$1 ${hidden}`],
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
  for (const secret of secrets) {
    if (secret.length >= 4) clean = clean.replaceAll(secret, hidden);
  }
  for (const [pattern, replacement] of patterns) clean = clean.replace(pattern, replacement);
  return clean;
}
