import type { ColumnFacts, ColumnType } from '../reading/column-facts.ts';
import { areClocks } from '../reading/time-patterns.ts';
import { nameInWords } from '../reading/well-columns.ts';

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
  asset_id: /\b(?:asset|assetid|well|wellbore|wellname|api|uwi)\b/,
  'metadata.asset_id': /\b(?:asset|assetid|well|wellbore|wellname|api|uwi)\b/,
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

function score(path: string, candidate: Candidate): number {
  const pattern = names[path];
  const text = nameInWords(candidate.key).join(' ');
  const named = pattern?.test(text) === true ? 1 + 1 / (1 + text.length) : 0;
  switch (path) {
    case 'timestamp':
    case 'datetime': {
      const holds = candidate.type === 'time' || isUnixTime(candidate);
      return holds ? 2 + named : 0;
    }
    case 'measured_depth':
      return isNumeric(candidate) ? named : 0;
    case 'version':
    case 'stage_number':
      return candidate.type === 'integer' ? named : 0;
    default:
      return canIdentify(candidate) ? named : 0;
  }
}

/** Suggested columns for a field, by name and content; the most likely first. */
export function likelyColumns(path: string, candidates: readonly Candidate[]): string[] {
  return candidates
    .map((candidate) => ({ key: candidate.key, score: score(path, candidate) }))
    .filter((found) => found.score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, shown)
    .map(({ key }) => key);
}
