import type { UploadProblem } from '../../../shared/upload/upload.ts';

/** How many lines of one problem are named. */
export const namedLines = 10;

/** Adds problems to a list by column and code, keeping the first lines of each. */
export function addProblems(list: Map<string, UploadProblem>, more: readonly UploadProblem[]): void {
  for (const { count, lines, ...what } of more) {
    const { column, code } = what;
    const key = JSON.stringify([column, code]);
    const known = list.get(key);
    if (!known) {
      list.set(key, { ...what, count, lines: lines.slice(0, namedLines) });
      continue;
    }
    known.count += count;
    if (known.lines.length < namedLines || (lines[0] ?? Infinity) < (known.lines.at(-1) ?? 0))
      known.lines = [...known.lines, ...lines].sort((a, b) => a - b).slice(0, namedLines);
  }
}
