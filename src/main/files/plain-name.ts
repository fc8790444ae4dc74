/** A name to show and to save under: no folders, no characters that change how it is shown, never empty. */
export function plainName(given: string | null): string {
  const last = (given ?? '').split(/[/\\]/).at(-1) ?? '';
  const clean = last.replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029<>:"|?*]/gu, '').slice(0, 200);
  return clean === '' || clean === '.' || clean === '..' ? 'file' : clean;
}
