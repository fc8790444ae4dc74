const cell = new DataView(new ArrayBuffer(8));

/** The least number that is greater than a finite one: there is none between the two. */
export function nextNumber(value: number): number {
  if (value === 0) return Number.MIN_VALUE;
  cell.setFloat64(0, value);
  cell.setBigInt64(0, cell.getBigInt64(0) + (value > 0 ? 1n : -1n));
  return cell.getFloat64(0);
}
