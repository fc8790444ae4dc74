import { nameOf } from '../../../shared/language/scope.ts';
import type { AggregateText, FindText, QuestionMode, QuestionText } from '../../../shared/query/question.ts';
import { defaultLimit, fieldPaths } from './query-request.ts';
import { objectIn, textOf } from '../../../shared/language/text/outline.ts';
import { takeApart } from '../../../shared/language/text/pipeline.ts';

/** What of one mode can be asked in another, and which of its parts can't. */
export interface Carried {
  readonly text: QuestionText;
  /** The inputs, or stages, that stay behind. */
  readonly left: readonly string[];
}

const isBlank = (text: string) => text.trim() === '' || objectIn(text)?.items.length === 0;
const isWhole = (text: string) => /^\s*\d+\s*$/.test(text);
/** A text that something can follow on the same line: a comment at its end would swallow it. */
const closed = (text: string) => (/\/\/[^\n\r]*$/.test(text) ? `${text}\n` : text.trim());

const projectOf = (fields: string): string => {
  const paths = fieldPaths(fields);
  return paths.length === 0 ? '' : `{ ${paths.map((path) => `${nameOf(path)}: 1`).join(', ')} }`;
};

/** The paths of a projection that only keeps fields; null: it does more than that. */
function fieldsOf(project: string): string | null {
  if (isBlank(project)) return '';
  const entries = objectIn(project)?.items;
  if (!entries?.every(({ value }) => ['1', 'true'].includes(textOf(project, value)))) return null;
  return entries.map(({ key }) => key).join(', ');
}

interface Parts {
  readonly match: string;
  readonly sort: string;
  readonly skip: string;
  readonly limit: string;
  readonly group: string;
  readonly project: string;
}

function stagesOf({ match, sort, skip, limit, group, project }: Parts): string {
  const lines = [
    `{ $match: ${isBlank(match) ? '{}' : closed(match)} }`,
    ...(isBlank(sort) ? [] : [`{ $sort: ${closed(sort)} }`]),
    ...(isWhole(skip) && Number(skip) > 0 ? [`{ $skip: ${skip.trim()} }`] : []),
    ...(isWhole(limit) ? [`{ $limit: ${limit.trim()} }`] : []),
    ...(isBlank(group) ? [] : [`{ $group: ${closed(group)} }`]),
    ...(isBlank(project) ? [] : [`{ $project: ${closed(project)} }`]),
  ];
  return `[\n${lines.map((line) => `  ${line},\n`).join('')}]\n`;
}

const order = ['$match', '$sort', '$skip', '$limit', '$group', '$project'] as const;

/** What the stages of a pipeline come to as parts, as long as they stand in the order in which an aggregate works. */
function partsOf(stages: string): { parts: Parts; left: string[] } | null {
  const pieces = takeApart(stages);
  if (!pieces) return null;
  const found = new Map<string, string>();
  const left: string[] = [];
  let next = 0;
  for (const { on, text } of pieces.stages) {
    if (!on) continue;
    const [entry, ...others] = objectIn(text)?.items ?? [];
    const key = entry?.key ?? '';
    const place = order.findIndex((name, at) => at >= next && name === key);
    // Behind a stage that stays, nothing means the same any more.
    if (!entry || others.length > 0 || place < 0 || left.length > 0) left.push(key || text);
    else {
      found.set(key, textOf(text, entry.value));
      next = place + 1;
    }
  }
  const of = (name: (typeof order)[number]) => found.get(name) ?? '';
  const [match, sort, skip, limit, group, project] = order.map(of);
  return {
    parts: {
      match: match ?? '',
      sort: sort ?? '',
      skip: skip ?? '',
      limit: limit ?? '',
      group: group ?? '',
      project: project ?? '',
    },
    left,
  };
}

/** A blank limit is the usual one, which only a pipeline has to be told. */
const limitOf = (limit: string) => (limit.trim() === '' ? String(defaultLimit) : limit);

const partsOfFind = ({ query, sort, skip, limit, fields }: FindText): Parts => ({
  match: query,
  sort,
  skip,
  limit: limitOf(limit),
  group: '',
  project: projectOf(fields),
});

const orOld = (text: string, old: string) => (isWhole(text) ? text : old);

function toFind(parts: Parts, old: FindText): { find: FindText; left: string[] } {
  const fields = isBlank(parts.group) ? fieldsOf(parts.project) : null;
  const left = [
    ...(isBlank(parts.group) ? [] : ['$group']),
    ...(fields === null && !isBlank(parts.project) ? ['$project'] : []),
  ];
  const { match: query, sort } = parts;
  const limit = orOld(parts.limit, old.limit);
  return { find: { query, sort, fields: fields ?? '', limit, skip: orOld(parts.skip, '0') }, left };
}

const toAggregate = (parts: Parts, old: AggregateText): AggregateText => ({
  ...parts,
  limit: orOld(parts.limit, old.limit),
  skip: orOld(parts.skip, '0'),
});

/**
 * What is asked in one mode, put into another. A find and an aggregate are wholly a pipeline; the other way only the
 * stages from the begin that stand in that order are carried. Null: the stages can't be read.
 */
export function carried(question: QuestionText, from: QuestionMode, to: QuestionMode): Carried | null {
  const { find, aggregate, pipeline } = question;
  const read =
    from === 'pipeline'
      ? partsOf(pipeline.stages)
      : {
          parts: from === 'find' ? partsOfFind(find) : { ...aggregate, limit: limitOf(aggregate.limit) },
          left: [],
        };
  if (!read) return null;
  const { parts, left } = read;
  if (to === 'pipeline')
    return { text: { ...question, pipeline: { ...pipeline, stages: stagesOf(parts) } }, left };
  if (to === 'aggregate') return { text: { ...question, aggregate: toAggregate(parts, aggregate) }, left };
  const made = toFind(parts, find);
  return { text: { ...question, find: made.find }, left: [...left, ...made.left] };
}
