/** The start of the substream of the workbook itself in BIFF8; the sheets follow it. */
const beginning = Buffer.from([0x09, 0x08, 0x10, 0x00, 0x00, 0x06, 0x05, 0x00]);
const substreamStart = 0x0809;
const substreamEnd = 0x000a;
const boundSheet = 0x0085;
/** Records that hold cells: formulas, numbers, texts, booleans, blanks. */
const cellRecords = new Set([
  0x0006, 0x00bd, 0x00be, 0x00d6, 0x00fd, 0x0201, 0x0203, 0x0204, 0x0205, 0x0207, 0x027e,
]);
/** An unused record number, which readers skip. */
const unusedRecord = 0x0fff;

interface ListedSheet {
  /** Position of its substream in the file. */
  readonly offset: number;
  readonly isHidden: boolean;
  readonly isWorksheet: boolean;
}

/** Calls back with each record from a position on, until the callback stops it or the bytes end. */
function eachRecord(
  bytes: Buffer,
  start: number,
  take: (kind: number, at: number, length: number) => boolean,
): void {
  for (let at = start; at >= 0 && at + 4 <= bytes.length;) {
    const length = bytes.readUInt16LE(at + 2);
    if (!take(bytes.readUInt16LE(at), at, length)) return;
    at += 4 + length;
  }
}

/**
 * The list of sheets, with properties that the library doesn't expose. It is read if it is contiguous, as programs
 * write it; otherwise it is empty.
 */
export function listedSheets(bytes: Buffer): ListedSheet[] {
  const start = bytes.indexOf(beginning);
  const sheets: ListedSheet[] = [];
  let isWhole = false;
  eachRecord(bytes, start, (kind, at, length) => {
    if (kind === boundSheet && length > 6 && at + 10 <= bytes.length)
      sheets.push({
        offset: start + bytes.readUInt32LE(at + 4),
        isHidden: ((bytes[at + 8] ?? 0) & 3) !== 0,
        isWorksheet: bytes[at + 9] === 0,
      });
    isWhole = kind === substreamEnd;
    return !isWhole;
  });
  return isWhole ? sheets : [];
}

/**
 * Removes the cells of charts within worksheets: the library would read the values stored in a chart as cells of the
 * sheet. Changes the bytes.
 */
export function removeChartCells(bytes: Buffer): void {
  for (const { offset, isWorksheet } of listedSheets(bytes)) {
    let depth = 0;
    if (!isWorksheet) continue;
    eachRecord(bytes, offset, (kind, at) => {
      if (kind === substreamStart) depth++;
      else if (kind === substreamEnd) depth--;
      else if (depth > 1 && cellRecords.has(kind)) bytes.writeUInt16LE(unusedRecord, at);
      return depth > 0;
    });
  }
}
