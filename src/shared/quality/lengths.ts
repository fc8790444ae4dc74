import { convert, unitPair } from '../channels/units.ts';
import type { IndexKind } from './quality-report.ts';

const pattern = /^\s*(\d+(?:\.\d*)?|\.\d+)\s*(ms|s|min|m|h|d|ft)?\s*$/i;

const milliseconds: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Whether a text is a length of the index: `30s`, `2h`, `0.5ft`, or a number in its unit. */
export const isLength = (text: string): boolean => pattern.test(text) && Number.parseFloat(text) > 0;

/**
 * A length of the index from its text.
 * @param kind of the index: `1m` is a minute of time, and a meter of depth
 * @param unit of the index; times are in seconds
 * @returns milliseconds for times, else units of the index; null if the text doesn't suit the index
 */
export function lengthOf(text: string, kind: IndexKind, unit: string | null): number | null {
  const [, number = '', suffix = ''] = pattern.exec(text) ?? [];
  const value = Number(number);
  if (number === '' || !(value > 0)) return null;
  const written = suffix.toLowerCase();
  if (kind === 'time') {
    const factor = milliseconds[written === '' ? 's' : written];
    return factor === undefined ? null : value * factor;
  }
  if (written === '') return value;
  if (kind !== 'depth' || (written !== 'm' && written !== 'ft')) return null;
  const pair = unitPair(written, unit ?? written);
  return pair ? (convert(value, pair.from, pair.to) ?? null) : null;
}
