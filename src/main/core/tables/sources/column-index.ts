import type { SourceColumn, SourceIndex } from './source.ts';

const depthNames =
  /^(?:dept|depth|md|tvd|tvdss|mdepth|depth[_ ]?md|dmea|dbtm|measured[_ ]?depth|hole[_ ]?depth|bit[_ ]?depth)$/i;
const timeNames = /^(?:time|date|datetime|date[_ ]?time|etim|timestamp|elapsed[_ ]?time)$/i;
const depthUnits = /^(?:m|f|ft|feet|meters?|metres?|km|cm|in|\.1in|0\.1 ?in)$/i;
const timeUnits = /^(?:s|sec|secs|seconds?|ms|min|h|hr|hours?|d|days?|hhmmss)$/i;

/**
 * The index of a table, if its first column is a depth or a time.
 * @param fromUnit whether a unit of length or time makes a column the index, whatever its name
 * @returns null if neither name nor unit says so
 */
export function indexOfFirst(columns: readonly SourceColumn[], fromUnit: boolean): SourceIndex | null {
  const [first] = columns;
  if (!first) return null;
  const { name, unit } = first;
  if (timeNames.test(name)) return { name, unit, kind: 'time' };
  if (depthNames.test(name)) return { name, unit, kind: 'depth' };
  if (!fromUnit || unit === null) return null;
  if (depthUnits.test(unit)) return { name, unit, kind: 'depth' };
  return timeUnits.test(unit) ? { name, unit, kind: 'time' } : null;
}
