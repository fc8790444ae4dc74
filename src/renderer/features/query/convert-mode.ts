import { nameOf } from '../../../shared/language/scope.ts';
import type { FindText, QuestionMode, QuestionText } from '../../../shared/query/question.ts';
import { readList, writeList } from '../../../shared/value-lists.ts';
import { objectOutlineOf, textOf } from '../../../shared/language/text/edits.ts';
import { words } from '../../words/words.ts';
import { splitPipeline } from '../../../shared/language/text/pipeline.ts';

export interface ConvertedQuery {
  readonly text: QuestionText;
  /** Inputs or stages that were omitted. */
  readonly omitted: readonly string[];
}

const isBlank = (text: string) => text.trim() === '' || objectOutlineOf(text)?.items.length === 0;
const isWholeNumber = (text: string) => /^\s*\d+\s*$/.test(text);
/** A text that others can follow on the same line: a comment at its end would hide them. */
const withLineEnd = (text: string) => (/\/\/[^\n\r]*$/.test(text) ? `${text}\n` : text.trim());

const projectOf = (fields: string): string => {
  const paths = readList(fields, 'words');
  return paths.length === 0 ? '' : `{ ${paths.map((path) => `${nameOf(path)}: 1`).join(', ')} }`;
};

/** The paths of a projection that only includes fields; null: it does more. */
function fieldsOf(project: string): string | null {
  if (isBlank(project)) return '';
  const entries = objectOutlineOf(project)?.items;
  if (!entries?.every(({ value }) => ['1', 'true'].includes(textOf(project, value)))) return null;
  return writeList(
    entries.map(({ key }) => key),
    'words',
  );
}

/** The parts of a query, in the order of the stages of an aggregate. */
const order = ['match', 'sort', 'skip', 'limit', 'group', 'project'] as const;
type QueryParts = Readonly<Record<(typeof order)[number], string>>;

function stagesOf(parts: QueryParts): string {
  const written = { ...parts, match: isBlank(parts.match) ? '{}' : parts.match };
  const lines = order
    // As typed: a parameter is filled in when it runs, and what is no number is reported.
    .filter((name) => name === 'match' || !isBlank(parts[name]))
    .filter((name) => name !== 'skip' || Number(parts.skip) !== 0)
    .map((name) => `  { $${name}: ${withLineEnd(written[name])} },\n`);
  return `[\n${lines.join('')}]\n`;
}

/** The stages of a pipeline as parts, as long as they are in the order of an aggregate. */
function partsOf(stages: string): { parts: QueryParts; omitted: string[] } | null {
  const pieces = splitPipeline(stages);
  if (!pieces) return null;
  const parts = { match: '', sort: '', skip: '', limit: '', group: '', project: '' };
  const omitted: string[] = [];
  let next = 0;
  for (const { on, text } of pieces.stages) {
    if (!on) continue;
    const [entry, ...otherEntries] = objectOutlineOf(text)?.items ?? [];
    const key = entry?.key ?? '';
    const name = order.slice(next).find((name) => `$${name}` === key);
    // After an omitted stage, nothing means the same.
    if (!entry || otherEntries.length > 0 || !name || omitted.length > 0) omitted.push(key || text);
    else {
      parts[name] = textOf(text, entry.value);
      next = order.indexOf(name) + 1;
    }
  }
  return { parts, omitted };
}

/** The sort and the limit that a find has before anybody sets them. */
type InitialOptions = Pick<FindText, 'sort' | 'limit'>;

/** The parts of a find, without a sort and a limit that nobody set: they would apply before grouping. */
const partsOfFind = (
  { query, sort, skip, limit, fields }: FindText,
  initial: InitialOptions,
): QueryParts => ({
  match: query,
  sort: sort.trim() === initial.sort.trim() ? '' : sort,
  skip,
  limit: limit.trim() === initial.limit.trim() ? '' : limit,
  group: '',
  project: projectOf(fields),
});

function toFind(parts: QueryParts, initial: InitialOptions): { find: FindText; omitted: string[] } {
  const { match: query, sort, limit, skip } = parts;
  const fields = isBlank(parts.group) ? fieldsOf(parts.project) : null;
  const omitted = [
    ...(isBlank(parts.group) ? [] : ['$group']),
    ...(fields === null && !isBlank(parts.project) ? ['$project'] : []),
    ...(['skip', 'limit'] as const).flatMap((part) =>
      isBlank(parts[part]) || isWholeNumber(parts[part]) ? [] : [`$${part}`],
    ),
  ];
  const find = {
    query,
    sort: isBlank(sort) ? initial.sort : sort,
    fields: fields ?? '',
    limit: isWholeNumber(limit) ? limit : initial.limit,
    skip: isWholeNumber(skip) ? skip : '0',
  };
  return { find, omitted };
}

/** The modes between which a query is converted. */
export type ServiceMode = Exclude<QuestionMode, 'sql' | 'aggregate'>;

/** A mode if it can be converted; otherwise null. */
export const serviceMode = (mode: QuestionMode | null): ServiceMode | null =>
  mode === 'find' || mode === 'pipeline' ? mode : null;

/**
 * Converts a query to another mode. A find converts completely to a pipeline; a pipeline converts as far as its
 * first stages are those of a find. A sort and a limit that nobody set stay in finds.
 * @returns null: the stages can't be read
 */
export function convertMode(
  question: QuestionText,
  from: ServiceMode,
  to: ServiceMode,
  initial: InitialOptions,
): ConvertedQuery | null {
  const { find, pipeline } = question;
  const read =
    from === 'pipeline' ? partsOf(pipeline.stages) : { parts: partsOfFind(find, initial), omitted: [] };
  if (!read) return null;
  const { parts, omitted } = read;
  if (to === 'pipeline')
    return { text: { ...question, pipeline: { ...pipeline, stages: stagesOf(parts) } }, omitted };
  const converted = toFind(parts, initial);
  return { text: { ...question, find: converted.find }, omitted: [...omitted, ...converted.omitted] };
}

/** The draft of a pipeline as comments, which follow another pipeline; blank if there is nothing in it. */
function draftComments(stages: string): string {
  if (splitPipeline(stages)?.stages.length === 0) return '';
  const lines = [words.query.earlierPipeline, ...stages.trim().split(/\r\n|[\n\r\u2028\u2029]/)];
  return `\n${lines.map((line) => `// ${line}`.trimEnd()).join('\n')}\n`;
}

/**
 * A query that the window can show: an aggregate, which the command line can save, as the pipeline that
 * returns the same. What was typed as a pipeline beside it follows as comments.
 * @param initial the pipeline that nobody typed
 * @param defaultLimit that of records that aren't grouped
 * @returns the same query if it is no aggregate
 */
export function withoutAggregate(
  question: QuestionText,
  initial: string,
  defaultLimit: number,
): QuestionText {
  const { mode, aggregate, pipeline } = question;
  if (mode !== 'aggregate') return question;
  const limit = isBlank(aggregate.limit) && isBlank(aggregate.group) ? String(defaultLimit) : aggregate.limit;
  const draft = pipeline.stages === initial ? '' : draftComments(pipeline.stages);
  const stages = stagesOf({ ...aggregate, limit }) + draft;
  return { ...question, mode: 'pipeline', pipeline: { ...pipeline, stages, view: 'text' } };
}
