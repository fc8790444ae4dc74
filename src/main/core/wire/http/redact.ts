const mask = '•••';

// Texts that look like secrets: a key or token in a header, a JWT, a password in a URL. A word after "API"
// isn't one, as in "API number".
const patterns: readonly [RegExp, string][] = [
  [/\b(API|Bearer|Basic|Negotiate|NTLM)\s+((?=[\w.~+/=-]*\d)[\w.~+/=-]{6,}|[\w.~+/=-]{20,})/gi, `$1 ${mask}`],
  [/\beyJ[\w-]{5,4000}\.[\w-]{5,}(\.[\w-]*)?/g, mask],
  [/(\b[a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/@]+@/gi, `$1${mask}@`],
  [
    /("?\b(?:password|passwd|api_?key|refresh_token|jwt|auth_key)"?\s*[:=]\s*)("[^"]*"|[^\s,;&}]+)/gi,
    `$1${mask}`,
  ],
];

// Words of error messages. In "The password is •••", the mask would reveal that the password is the missing word.
const messageWords = new Set(
  (
    'access account address administrator admin authentication authorization authorized blocked cannot check code ' +
    'company connection contact correct credentials denied disabled email error exist expired failed field forbidden ' +
    'found host incorrect internal invalid locked login match message missing name null password permission please ' +
    'refused rejected request required revoked secret server service session sign signed status support token true ' +
    'unauthorized unknown user username valid value wrong your'
  ).split(' '),
);

/** A short word of letters is a secret only as a whole word: "pass" isn't one in "password". */
function hide(text: string, secret: string): string {
  if (secret.length < 4 || messageWords.has(secret.toLowerCase())) return text;
  if (secret.length >= 8 || !/^\p{L}+$/u.test(secret)) return text.replaceAll(secret, mask);
  return text.replace(new RegExp(`(?:(?<=%[\\dA-Fa-f]{2})|(?<!\\p{L}))${secret}(?!\\p{L})`, 'gu'), mask);
}

/**
 * Replaces the given secrets and everything that looks like a secret.
 * @param secrets texts to replace, except those shorter than 4 characters, and words of which messages consist
 */
export function redact(text: string, secrets: readonly string[] = []): string {
  let redacted = text;
  // Longest first, so a secret that contains another one is replaced as a whole.
  for (const secret of [...secrets].sort((a, b) => b.length - a.length)) {
    redacted = hide(redacted, secret);
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

/** Decodes a user or a password in an address. One that isn't percent-encoded, such as `100%`, stays as it is. */
export function decodePart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
