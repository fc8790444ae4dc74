import { unitWidth } from './encoding.ts';
import type { Layout } from './layout.ts';
import { recognise } from './recognise.ts';
import type { ScanRequest } from './scan.ts';
import { openSource } from './source.ts';
import type { Source } from './source.ts';

export interface DivideRequest extends ScanRequest {
  /** At most about so many bytes go into a part; a file that is not twice as long is not divided. */
  readonly partBytes: number;
}

/** A file in parts, each of whole lines. */
export interface Division {
  readonly layout: Layout;
  readonly parts: readonly { readonly from: number; readonly to: number }[];
  readonly bytes: number;
  readonly mtimeMs: number;
  readonly guessed: boolean;
}

/** With fewer, a thread would wait long for another that reads the last one. */
const fewestParts = 16;
const lookedThrough = 1 << 20;
const LF = 0x0a;

/** Whether the encoding of a file is no more than a guess from its start. */
export const isGuessed = ({ reading }: ScanRequest, { encoding }: Layout): boolean =>
  reading.encoding === undefined && encoding.name === 'UTF-8' && encoding.bom === 0;

/** Where the first line behind a position begins; null: there is no line end within a megabyte. */
function lineBehind(source: Source, position: number, window: Buffer): number | null {
  const got = source.read(window, 0, window.length, position);
  const found = window.subarray(0, got).indexOf(LF);
  return found < 0 ? null : position + found + 1;
}

/**
 * Divides a file at line ends, so that its parts can be read at the same time. That a line end may stand within quotes
 * shows when the part before it is read. For worker threads: it blocks.
 * @returns null for a file that has to be read as a whole
 * @throws AppError as {@link recognise}
 */
export function divide(request: DivideRequest): Division | null {
  const { path, fileName, reading, partBytes } = request;
  const source = openSource(path, fileName);
  try {
    const { bytes, mtimeMs } = source;
    if (bytes < 2 * partBytes || (reading.footerRows ?? 0) > 0) return null;
    const layout = recognise(fileName, source, reading);
    if (layout.jsonLines || layout.crEnds || unitWidth(layout.encoding) === 2) return null;
    const step = Math.ceil(Math.min(partBytes, Math.max(partBytes / 4, bytes / fewestParts)));
    const window = Buffer.alloc(lookedThrough);
    const starts = [layout.encoding.bom];
    for (let at = Math.max(step, layout.dataStart); at < bytes; at += step) {
      const start = lineBehind(source, at, window);
      if (start !== null && start < bytes && start > (starts.at(-1) ?? 0)) starts.push(start);
    }
    const parts = starts.map((from, index) => ({ from, to: starts[index + 1] ?? bytes }));
    return { layout, parts, bytes, mtimeMs, guessed: isGuessed(request, layout) };
  } finally {
    source.close();
  }
}
