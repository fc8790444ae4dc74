/** The longest name, in bytes: systems take 255, and what is made beside a file adds to its name. */
const maxBytes = 200;

/** Names that Windows takes for devices, whatever ending follows. */
const device = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/**
 * A name to show and to save under: no folders, no device, no characters that change how it is shown, never empty or
 * too long.
 */
export function plainName(given: string | null): string {
  const last = (given ?? '').split(/[/\\]/).at(-1) ?? '';
  const clean = last.replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029<>:"|?*]/gu, '').toWellFormed();
  const short = shortened(clean.replace(device, '_$&'));
  return short === '' || short === '.' || short === '..' ? 'file' : short;
}

/** The beginning of a text, and the ending of its name, within {@link maxBytes}. */
function shortened(name: string): string {
  if (Buffer.byteLength(name) <= maxBytes) return name;
  const ending = /\.[\w-]{1,10}$/.exec(name)?.[0] ?? '';
  let kept = '';
  for (const character of name.slice(0, name.length - ending.length)) {
    if (Buffer.byteLength(kept + character + ending) > maxBytes) break;
    kept += character;
  }
  return kept + ending;
}
