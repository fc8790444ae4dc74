const cell = new DataView(new ArrayBuffer(8));

/** The next larger double after a finite number. */
export function nextNumber(value: number): number {
  if (value === 0) return Number.MIN_VALUE;
  cell.setFloat64(0, value);
  cell.setBigInt64(0, cell.getBigInt64(0) + (value > 0 ? 1n : -1n));
  return cell.getFloat64(0);
}

/**
 * The `$lt` that a highest value of a field needs to be included itself. Timestamps are whole milliseconds, and a
 * service may refuse others; depths may lie as close to the value as numbers can.
 */
export const endAfter = (field: string, max: number): number =>
  field === 'timestamp' && Number.isSafeInteger(max) ? max + 1 : nextNumber(max);
