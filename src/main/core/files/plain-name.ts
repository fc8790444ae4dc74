import { createHash } from 'node:crypto';

/** Maximum length of a name, in bytes: systems allow 255, and files beside it have longer names. */
const maxBytes = 200;

/** Names of devices on Windows, with any extension. */
const device = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/**
 * A name to show and to save under: no folders, no device, no characters that change how it is shown, never empty or
 * too long.
 */
export function plainName(text: string | null): string {
  const last = (text ?? '').split(/[/\\]/).at(-1) ?? '';
  const clean = last.replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029<>:"|?*]/gu, '').toWellFormed();
  const short = shorten(clean.replace(device, '_$&'));
  return short === '' || short === '.' || short === '..' ? 'file' : short;
}

/** The name of a connection's file or folder: its id, or a digest of one that isn't plain. */
export const connectionName = (id: string): string =>
  /^[A-Za-z0-9-]{1,64}$/.test(id) ? id : createHash('sha256').update(id).digest('hex');

/** The beginning of a text, and the ending of its name, within {@link maxBytes}. */
function shorten(name: string): string {
  if (Buffer.byteLength(name) <= maxBytes) return name;
  const extension = /\.[\w-]{1,10}$/.exec(name)?.[0] ?? '';
  let shortName = '';
  for (const character of name.slice(0, name.length - extension.length)) {
    if (Buffer.byteLength(shortName + character + extension) > maxBytes) break;
    shortName += character;
  }
  return shortName + extension;
}
