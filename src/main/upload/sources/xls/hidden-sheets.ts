/** How each substream of a BIFF8 workbook begins; the first one is that of the workbook itself. */
const beginning = Buffer.from([0x09, 0x08, 0x10, 0x00, 0x00, 0x06, 0x05, 0x00]);
const boundSheet = 0x0085;
const substreamEnd = 0x000a;

/**
 * Which worksheets are hidden, in their order, by the list of sheets at the workbook's beginning. The list is read where
 * it lies in one piece, as programs write it; otherwise no sheet counts as hidden.
 */
export function hiddenSheets(bytes: Buffer): boolean[] {
  const hidden: boolean[] = [];
  let at = bytes.indexOf(beginning);
  while (at >= 0 && at + 4 <= bytes.length) {
    const kind = bytes.readUInt16LE(at);
    const length = bytes.readUInt16LE(at + 2);
    if (kind === substreamEnd) return hidden;
    if (kind === boundSheet && length > 6 && at + 10 <= bytes.length && bytes[at + 9] === 0)
      hidden.push(((bytes[at + 8] ?? 0) & 3) !== 0);
    at += 4 + length;
  }
  return [];
}
