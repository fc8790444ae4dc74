import { holdsIsoText, millisecondsOf } from '../dates.ts';
import { scalarOf, type Scalar } from '../tree/scalars.ts';
import type { TreeNode } from '../tree/tree.ts';
import { replaceBy, type Case, type Rule } from './notes.ts';

// Seconds from 1973 to 5138; as milliseconds these lie within the first weeks to years of 1970.
const minSeconds = 100_000_000;
const maxSeconds = 99_999_999_999;

const isSeconds = (amount: number): boolean =>
  Number.isInteger(amount) && amount >= minSeconds && amount <= maxSeconds;

const isoOf = (ms: number): string => new Date(ms).toISOString().replace(/\.000Z$/, 'Z');

function timestampIsText(node: TreeNode, value: string, of: Case): void {
  const digits = /^\d{9,16}$/.test(value.trim()) ? Number(value.trim()) : undefined;
  const ms = digits === undefined ? millisecondsOf(value) : isSeconds(digits) ? digits * 1000 : digits;
  const better =
    digits === undefined ? (ms === undefined ? undefined : `ISODate("${isoOf(ms)}")`) : String(ms);
  of.note(node, {
    severity: 'warning',
    code: 'time_text',
    message: `timestamp is a number of milliseconds, so text never matches. Use ${better ?? 'ISODate("2024-01-31T06:00:00Z"), a number, or {{now-24h}}'}.`,
    fix: better === undefined ? undefined : replaceBy(node, better),
  });
}

function timestampIsSeconds(node: TreeNode, amount: number, of: Case): void {
  const ms = amount * 1000;
  of.note(node, {
    severity: 'warning',
    code: 'time_seconds',
    message: `${amount} looks like seconds (${isoOf(ms)}); timestamp is in milliseconds, where it is ${isoOf(amount)}. Use ${ms}.`,
    fix: replaceBy(node, String(ms)),
  });
}

function datetimeIsNumber(node: TreeNode, amount: number, of: Case): void {
  const ms = isSeconds(amount) ? amount * 1000 : amount;
  const isDate = Number.isSafeInteger(ms) && Math.abs(ms) <= 8.64e15 && Math.abs(ms) >= minSeconds;
  const better = `ISODate("${isDate ? isoOf(ms) : '2024-01-31T06:00:00Z'}")`;
  of.note(node, {
    severity: 'warning',
    code: 'datetime_number',
    message: `datetime holds text such as "2024-01-31T06:00:00.000Z", so a number never matches. Use ${better}.`,
    fix: isDate ? replaceBy(node, better) : undefined,
  });
}

function datetimeIsOtherText(node: TreeNode, value: string, of: Case): void {
  const ms = millisecondsOf(value);
  // Stored times are in UTC: a text with another offset is in the wrong place among them.
  if (ms !== undefined && /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+Z?)?$/.test(value)) return;
  const better = ms === undefined ? undefined : `ISODate("${isoOf(ms)}")`;
  of.note(node, {
    severity: 'warning',
    code: 'datetime_text',
    message: `datetime is compared as text, so use the form "2024-01-31T06:00:00.000Z": ${better ?? 'ISODate("2024-01-31T06:00:00Z")'}.`,
    fix: better === undefined ? undefined : replaceBy(node, better),
  });
}

function checkValue(node: TreeNode, field: string, value: Scalar, of: Case): void {
  if (field === 'timestamp') {
    if (value.kind === 'text') timestampIsText(node, value.value, of);
    if (value.kind === 'number' && isSeconds(Number(value.value)))
      timestampIsSeconds(node, Number(value.value), of);
  } else if (holdsIsoText(field)) {
    if (value.kind === 'number') datetimeIsNumber(node, Number(value.value), of);
    if (value.kind === 'text') datetimeIsOtherText(node, value.value, of);
  }
}

/** A time is compared with what it is stored as: Unix milliseconds, or ISO 8601 text in `datetime` (section 2.1). */
export const times: Rule = (node, role, of) => {
  if (role.is !== 'condition' && role.is !== 'value') return;
  const value = scalarOf(of.text, node);
  if (value) checkValue(node, role.field, value, of);
};
