/**
 * The part of an exported file that depends only on its records: all of it, or the part of a workbook before the
 * sheet "About", which has the time of the export.
 */
export function recordsPart(format: string, bytes: Buffer): Buffer {
  return format === 'xlsx' ? bytes.subarray(0, bytes.indexOf('xl/worksheets/sheet2.xml')) : bytes;
}
