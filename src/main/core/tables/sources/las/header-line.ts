import { timeUnitPattern } from './time-unit.ts';

/** A line of a header section: `MNEM.UNIT  VALUE : DESCRIPTION {FORMAT} | ASSOCIATION`. */
export interface HeaderLine {
  readonly name: string;
  readonly unit: string | null;
  readonly value: string;
  readonly description: string;
  /** Of LAS 3.0: `F`, `S`, `E`, a date pattern; null: none. */
  readonly format: string | null;
}

/** A unit follows the period at once; only forms such as `1000 lbf` and `0.1 kN.m` contain a blank. */
const unitPattern = /^(?:\d*\.?\d+ (?=[A-Za-z])\S+|[^\s:]*)/;
const formatPattern = /\{([^{}]*)\}\s*$/;
const association = /\|[^|]*$/;

/** The colon that ends the value: the first that isn't part of a time of day or an address. */
function valueEnd(text: string): number {
  for (let at = text.indexOf(':'); at >= 0; at = text.indexOf(':', at + 1)) {
    const isInTime =
      /(?:^|[^\d.])\d{1,2}$/.test(text.slice(0, at)) && /^[0-5]\d(?!\d)/.test(text.slice(at + 1));
    if (!isInTime && !text.startsWith('//', at + 1)) return at;
  }
  return -1;
}

/**
 * The period after the mnemonic; one in brackets, as in `NMR[1..5]`, or before another one, as in `Cond..MS/M`, is part
 * of it.
 */
function nameEnd(line: string): number {
  const colon = line.indexOf(':');
  const end = colon < 0 ? line.length : colon;
  let depth = 0;
  // `DEPT..1IN` has the unit .1IN.
  const double = line.replaceAll(/\[[^[\]]*\]/g, (part) => ' '.repeat(part.length)).search(/\.\.(?!\d)/);
  if (double >= 0 && double < end) return double + 1;
  for (let at = 0; at < end; at++) {
    const char = line[at];
    if (char === '[') depth++;
    else if (char === ']') depth--;
    else if (char === '.' && depth <= 0) return at;
  }
  return -1;
}

/**
 * Parses a line of a header section, also without period or colon, as some programs write them.
 * @returns null for any other line; a curve can have an empty name
 */
export function parseHeaderLine(text: string): HeaderLine | null {
  // A period before a mnemonic that is followed by another period is a typing error.
  const line = /^\.\S+\s+\.\S/.test(text) ? text.slice(1) : text;
  const period = nameEnd(line);
  const colon = line.indexOf(':');
  const name = line.slice(0, period >= 0 ? period : colon >= 0 ? colon : undefined).trim();
  if (name === '' && period < 0) return null;
  const behind = period >= 0 ? line.slice(period + 1) : colon >= 0 ? line.slice(colon) : '';
  const unit = (timeUnitPattern.exec(behind) ?? unitPattern.exec(behind))?.[0] ?? '';
  const rest = behind.slice(unit.length);
  const end = valueEnd(rest);
  // Without a colon, two blanks or tabs separate value and description.
  const parts = end < 0 ? rest.trim().split(/\s{2,}/) : [rest.slice(0, end), rest.slice(end + 1)];
  let description = (parts[1] ?? '').trim();
  if (association.test(description) && formatPattern.test(description.replace(association, '')))
    description = description.replace(association, '').trimEnd();
  const format = formatPattern.exec(description)?.[1]?.trim() ?? null;
  return {
    name,
    unit: unit === '' ? null : unit,
    value: (parts[0] ?? '').trim().replaceAll(/\s+/g, ' '),
    description: description.replace(formatPattern, '').trim(),
    format,
  };
}
