import type { TextFile } from '../text/text-lines.ts';
import { append } from '../../../../../shared/lists.ts';

/** The items of one record in one frame. */
export interface Frame {
  /** Two digits. */
  readonly record: string;
  /** Values by their four-digit codes. */
  readonly items: ReadonlyMap<string, string>;
  /** The line of its `&&`, from 1. */
  readonly line: number;
  /** Whether a value has bytes that are invalid in the encoding. */
  readonly isDamaged: boolean;
}

/** Lines that don't fit the format, found while frames are read. */
export interface FrameFaults {
  otherLines: number;
  firstOtherLine: number | null;
  /** A line of a frame without its end. */
  openFrame: number | null;
}

/** Counters before the first frame. */
export const noFaults = (): FrameFaults => ({ otherLines: 0, firstOtherLine: null, openFrame: null });

/** Maximum number of items in a frame: those of the 99 records. */
const maxItems = 10_000;
const itemPattern = /^\s*(\d\d)(\d\d)(.*)$/;

/**
 * Reads the frames of a stream, from `&&` to `!!`; text between frames isn't data.
 * @throws AppError file_unreadable, cancelled
 */
export function* readFrames(text: TextFile, signal: AbortSignal, faults: FrameFaults): Generator<Frame[]> {
  let start: number | null = null;
  let records = new Map<string, Map<string, string>>();
  let count = 0;
  const damagedRecords = new Set<string>();
  const end = (): Frame[] => {
    const frames = [...records].map(([record, items]) => ({
      record,
      items,
      line: start ?? 1,
      isDamaged: damagedRecords.has(record),
    }));
    records = new Map();
    damagedRecords.clear();
    start = null;
    count = 0;
    return frames;
  };
  for (const { first, lines, damaged } of text.batches(signal)) {
    const frames: Frame[] = [];
    for (const [at, line] of lines.entries()) {
      const trimmed = line.trim();
      if (trimmed === '&&' || trimmed === '!!') {
        if (trimmed === '&&' && start !== null) faults.openFrame ??= start;
        append(frames, end());
        if (trimmed === '&&') start = first + at;
        continue;
      }
      if (start === null || trimmed === '') continue;
      const [, record = '', item = '', value = ''] = itemPattern.exec(line) ?? [];
      if (record === '' || ++count > maxItems) {
        faults.otherLines++;
        faults.firstOtherLine ??= first + at;
        continue;
      }
      if (damaged.has(first + at)) damagedRecords.add(record);
      const items = records.get(record) ?? new Map<string, string>();
      records.set(record, items.set(record + item, value.trim()));
    }
    if (frames.length > 0) yield frames;
  }
  if (start !== null) {
    faults.openFrame ??= start;
    const rest = end();
    if (rest.length > 0) yield rest;
  }
}
