/** A name to show and to save under: no folders, no control characters, never empty. */
export function plainName(given: string | null): string {
  const last = (given ?? '').split(/[/\\]/).at(-1) ?? '';
  // oxlint-disable-next-line no-control-regex -- control characters are what is to go
  const clean = last.replace(/[\u0000-\u001f\u007f<>:"|?*]/g, '').slice(0, 200);
  return clean === '' || clean === '.' || clean === '..' ? 'file' : clean;
}
