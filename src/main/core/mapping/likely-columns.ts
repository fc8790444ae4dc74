import type { ColumnFacts, ColumnType } from '../tables/tables.ts';
import { canNameWells, nameInWords } from '../records/column-names.ts';
import { areClocks } from '../records/time-patterns.ts';

/** A column with the facts for suggestions. */
export interface Candidate {
  readonly key: string;
  readonly type: ColumnType['type'];
  readonly facts: ColumnFacts;
}

const shown = 3;

const names: Readonly<Record<string, RegExp>> = {
  timestamp: /\b(?:date|time|timestamp|datetime|utc|gmt)\b/,
  datetime: /\b(?:date|time|timestamp|datetime|utc|gmt)\b/,
  measured_depth: /\b(?:md|dept|depth|mdepth|dmea|measured depth|hole depth)\b/,
  log_identifier: /\b(?:log|run|pass|logid|identifier)\b/,
  version: /\bversion\b/,
  stage_number: /\bstage\b/,
};

const isNumeric = ({ type }: Candidate): boolean => type === 'integer' || type === 'number';

/** Integers with the number of digits of Unix times. */
const isUnixTime = ({ facts: { counts, digits } }: Candidate): boolean =>
  counts.integer > 0 && (digits[10] ?? 0) + (digits[13] ?? 0) > counts.integer / 2;

/** Whether a column can contain ids or names: neither times nor measurements. */
const canIdentify = ({ type, facts: { patterns } }: Candidate): boolean =>
  (type === 'integer' || type === 'string') && !areClocks(patterns);

/** How well a column fits a field: by its name, from 0 to 2, and whether it has the content that the field needs. */
function fitOf(path: string, candidate: Candidate): { readonly named: number; readonly holds: boolean } {
  const text = nameInWords(candidate.key).join(' ');
  // The unit of a gamma ray is API, too.
  const isNamed = /(?:^|\.)asset_id$/.test(path) ? canNameWells(candidate.key) : names[path]?.test(text);
  const named = isNamed === true ? 1 + 1 / (1 + text.length) : 0;
  switch (path) {
    case 'timestamp':
    case 'datetime':
      return { named, holds: candidate.type === 'time' || isUnixTime(candidate) };
    case 'measured_depth':
      return { named, holds: isNumeric(candidate) };
    case 'version':
    case 'stage_number':
      return { named, holds: candidate.type === 'integer' };
    default:
      return { named, holds: canIdentify(candidate) };
  }
}

/** Suggested columns for a field, by name and content; the most likely first. */
export function likelyColumns(path: string, candidates: readonly Candidate[]): string[] {
  const isTime = path === 'timestamp' || path === 'datetime';
  return candidates
    .map((candidate) => ({ key: candidate.key, ...fitOf(path, candidate) }))
    .filter(({ named, holds }) => holds && (named > 0 || isTime))
    .sort((a, b) => b.named - a.named)
    .slice(0, shown)
    .map(({ key }) => key);
}

/** The only column whose name and content fit a field; null: none, or several do. */
export function certainColumn(path: string, candidates: readonly Candidate[]): string | null {
  const fitting = candidates.filter((candidate) => {
    const { named, holds } = fitOf(path, candidate);
    return holds && named > 0;
  });
  return fitting.length === 1 ? (fitting[0]?.key ?? null) : null;
}
