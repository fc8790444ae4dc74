import type { ColumnFacts, Example } from './column-facts.ts';
import { joinFeet } from './foot.ts';
import { maxDistinct } from './gathering.ts';
import type { Finding, RowFinding } from './gathering.ts';
import type { Part } from './scan-part.ts';

/** A number at most as many of which are remembered of a column. */
const mostSentinels = 8;

interface Extreme extends Example {
  readonly value: number;
}

const moved = <T extends { readonly line: number }>(one: T, by: number): T =>
  by === 0 ? one : { ...one, line: one.line + by };

/** The first of two findings, and how often it was found in both. */
function joinFindings(
  a: Finding | null | undefined,
  b: Finding | null | undefined,
  by: number,
): Finding | null {
  if (!a || !b) return a ?? (b ? moved(b, by) : null);
  return { count: a.count + b.count, line: a.line };
}

function joinRecords<K extends string, T>(
  a: Readonly<Partial<Record<K, T>>>,
  b: Readonly<Partial<Record<K, T>>>,
  join: (a: T | undefined, b: T | undefined) => T,
): Record<K, T> {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]) as Set<K>;
  return Object.fromEntries([...names].map((name) => [name, join(a[name], b[name])])) as Record<K, T>;
}

/** The one that is further out; of two that are equal the first. */
function further(
  a: Extreme | null,
  b: Extreme | null,
  by: number,
  isFurther: (b: number, a: number) => boolean,
) {
  if (!b) return a;
  return a === null || isFurther(b.value, a.value) ? moved(b, by) : a;
}
const below = (b: number, a: number): boolean => b < a;
const above = (b: number, a: number): boolean => b > a;

const lesser = (a: string | null, b: string | null): string | null =>
  a === null || (b !== null && b < a) ? b : a;
const greater = (a: string | null, b: string | null): string | null =>
  a === null || (b !== null && b > a) ? b : a;

function joinSentinels(a: ColumnFacts['sentinels'], b: ColumnFacts['sentinels']): Map<string, number> {
  const all = new Map(a);
  for (const [text, count] of b)
    if (all.size < mostSentinels || all.has(text)) all.set(text, (all.get(text) ?? 0) + count);
  return all;
}

/** The patterns that the texts of both parts fit. */
const joinPatternsOf = (a: ColumnFacts['patterns'], b: ColumnFacts['patterns']): ColumnFacts['patterns'] =>
  a === null || b === null ? (a ?? b) : a.filter((pattern) => b.includes(pattern));

function joinNulls(a: ColumnFacts['nulls'], b: ColumnFacts['nulls'], by: number): ColumnFacts['nulls'] {
  const all = new Map(a);
  for (const [text, found] of b) {
    const joined = joinFindings(all.get(text), found, by);
    if (joined) all.set(text, joined);
  }
  return all;
}

function joinFacts(a: ColumnFacts, b: ColumnFacts, by: number): ColumnFacts {
  return {
    counts: joinRecords(a.counts, b.counts, (one = 0, other = 0) => one + other),
    firsts: {
      ...Object.fromEntries(Object.entries(b.firsts).map(([kind, one]) => [kind, moved(one, by)])),
      ...a.firsts,
    },
    min: further(a.min, b.min, by, below),
    max: further(a.max, b.max, by, above),
    minComma: further(a.minComma, b.minComma, by, below),
    maxComma: further(a.maxComma, b.maxComma, by, above),
    minText: lesser(a.minText, b.minText),
    maxText: greater(a.maxText, b.maxText),
    excelDamage: a.excelDamage
      ? { ...a.excelDamage, count: a.excelDamage.count + (b.excelDamage?.count ?? 0) }
      : b.excelDamage && { ...b.excelDamage, first: moved(b.excelDamage.first, by) },
    zoneless: a.zoneless + b.zoneless,
    patterns: joinPatternsOf(a.patterns, b.patterns),
    digits: a.digits.map((count, length) => count + (b.digits[length] ?? 0)),
    sentinels: joinSentinels(a.sentinels, b.sentinels),
    nulls: joinNulls(a.nulls, b.nulls, by),
    outerBlanks: joinFindings(a.outerBlanks, b.outerBlanks, by),
    lostCharacters: joinFindings(a.lostCharacters, b.lostCharacters, by),
  };
}

function joinDistinct(
  a: ReadonlyMap<string, Finding> = new Map(),
  b: ReadonlyMap<string, Finding> = new Map(),
  by: number,
): ReadonlyMap<string, Finding> {
  const all = new Map(a);
  for (const [value, found] of b) {
    const joined = joinFindings(all.get(value), found, by);
    if (joined && (all.size <= maxDistinct || all.has(value))) all.set(value, joined);
  }
  return all;
}

/** What two parts that follow one another tell together, as if they had been read as one. */
export function joinParts(a: Part, b: Part): Part {
  const by = a.lines;
  return {
    rows: a.rows + b.rows,
    lines: a.lines + b.lines,
    columns: a.columns.map((facts, index) => {
      const others = b.columns[index];
      return others ? joinFacts(facts, others, by) : facts;
    }),
    endings: joinRecords(a.endings, b.endings, (one = 0, other = 0) => one + other),
    findings: joinRecords<RowFinding, Finding>(
      a.findings,
      b.findings,
      (one, other) => joinFindings(one, other, by) ?? { count: 0, line: 0 },
    ),
    comments: joinFindings(a.comments, b.comments, by),
    foot: joinFeet(a.foot, b.foot, by),
    footer: b.footer && moved(b.footer, by),
    distinct: joinRecords(a.distinct, b.distinct, (one, other) => joinDistinct(one, other, by)),
    damaged: a.damaged || b.damaged,
  };
}
