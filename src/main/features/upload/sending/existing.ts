import { join } from 'node:path';
import { scopeFieldOf } from '../../../../shared/datasets/datasets.ts';
import { AppError, isAppError } from '../../../../shared/errors/errors.ts';
import type { JobProgress } from '../../../../shared/jobs/jobs.ts';
import { stringifyJson, type JsonObject } from '../../../../shared/json.ts';
import { endAfter } from '../../../../shared/next-number.ts';
import { exists, renameFile } from '../../../core/files/disk.ts';
import { withBound } from '../../../core/requests.ts';
import { findInPages } from '../../../core/reading/reading.ts';
import type { CallOptions, DataService } from '../../../core/wire/services/services.ts';
import { type CsvThread, type UploadPlan, comparisonOf } from '../../../core/mapping/mapping.ts';
import { rm } from '../../../world/files.ts';

type Comparison = ReturnType<typeof comparisonOf>;
type Survey = Awaited<ReturnType<CsvThread['calls']['survey']>>;

const maxRecords = 10_000;
/** Number of records of the first page where each can have megabytes. */
const largeRecords = 4;
/** Size of a page, in characters of JSON: the worker thread parses it whole. */
const pageLength = 6 << 20;

/** Number of records of the first page to request. */
export const firstPageSize = ({ fold }: Pick<UploadPlan['rules'], 'fold'>): number =>
  fold ? largeRecords : maxRecords;

/** Number of records of the page after one with these. @param length of its JSON */
export const nextPageSize = (length: number, records: number): number =>
  Math.max(1, Math.min(maxRecords, Math.floor((pageLength * records) / Math.max(1, length))));

/** Of more records, only those are kept in memory that can match a row of the file, which is read once more for it. */
export const manyRecords = 1_000_000;
const fileName = 'existing';

interface ReadExistingOptions {
  readonly plan: UploadPlan;
  readonly thread: CsvThread;
  readonly data: Pick<DataService, 'count' | 'find' | 'pageSizes'>;
  readonly folder: string;
  readonly options: CallOptions;
  /** Number of records that are kept whatever they are. */
  readonly many: number;
  /** Called before the first page, after each, and without counts at the end. */
  readonly report: (counts: JobProgress['existing']) => void;
}

const instead = 'to skip this check, insert all rows (--existing insert)';

/** The part of the dataset in which rows of the file can already exist. */
function scopeQuery({ type }: UploadPlan, { assets, range }: Survey, { index }: Comparison): JsonObject {
  const scope = scopeFieldOf(type);
  const place = index?.join('.');
  return {
    ...(assets
      ? { [scope]: assets.length === 1 && assets[0] !== undefined ? assets[0] : { $in: [...assets] } }
      : {}),
    ...(place && range ? { [place]: { $gte: range.min, $lt: endAfter(place, range.max) } } : {}),
  };
}

/** The fields to request; all of them if a name can't be in the comma-separated list. */
export function fieldsOf({ paths, key }: Comparison): string[] {
  const names = new Set([...paths, ...key].map((path) => path.join('.')));
  return [...names].some((name) => name.includes(',')) ? [] : [...names];
}

/** Whether an earlier run of the job read the existing records. */
export const isExistingRead = (folder: string): Promise<boolean> => exists(join(folder, fileName));

/** Has the next run read the existing records again, after one that stored nothing: others may have stored since. */
export const forgetExisting = (folder: string): Promise<void> => rm(join(folder, fileName), { force: true });

/**
 * Reads the existing records of the part of the dataset for the file, before the first row is sent, into the worker
 * thread, with their ids. A copy in the job's folder serves later runs, so that records that this job stored never
 * count as existing.
 * @returns false: there are too many of them to be read where all rows are inserted anyway
 * @throws AppError forbidden if the dataset may not be read; invalid_input if more records can match a row than
 * {@link ExistingRecords} keeps; bad_answer if other numbers of them come than are counted
 */
export async function readExisting(request: ReadExistingOptions): Promise<boolean> {
  const { plan, thread, folder } = request;
  const comparison = comparisonOf(plan.rules, plan.type);
  const path = join(folder, fileName);
  const isComplete = await isExistingRead(folder);
  await thread.calls.existing({ comparison, load: isComplete ? path : null, skip: plan.existing === 'skip' });
  if (isComplete) return true;
  try {
    if (!(await isEmpty(request, comparison))) {
      const scope = scopeFieldOf(plan.type).split('.');
      const survey = await thread.calls.survey({ scope, index: comparison.index });
      const query = scopeQuery(plan, survey, comparison);
      if (!(await readPages(request, comparison, query))) return false;
    }
  } catch (error) {
    if (!isAppError(error, 'forbidden')) throw error;
    const what = `reading ${plan.address.provider}/${plan.address.dataset}, which Wellbench needs to find existing records; ${instead}`;
    throw new AppError('forbidden', { ...error.details, what }, { cause: error });
  }
  await thread.calls.keepExisting({ to: `${path}.partial` });
  await renameFile(`${path}.partial`, path);
  return true;
}

/** Whether the part of the dataset for the file is empty, as far as that is known without reading it again. */
async function isEmpty(
  { plan, data, options }: Pick<ReadExistingOptions, 'plan' | 'data' | 'options'>,
  comparison: Comparison,
): Promise<boolean> {
  if (!plan.bounds) return false;
  try {
    return (await data.count(plan.address, scopeQuery(plan, plan.bounds, comparison), options)) === 0;
  } catch (error) {
    // Bounds have wells between those of the file, which may be forbidden.
    if (isAppError(error, 'forbidden')) return false;
    throw error;
  }
}

const wrongCount = (expected: number, what: string): AppError =>
  new AppError('bad_answer', {
    service: 'data',
    problem: `of ${expected} existing records, ${what}; ${instead}`,
  });

async function readPages(
  { plan, thread, data, options, many, report }: ReadExistingOptions,
  comparison: Comparison,
  query: JsonObject,
): Promise<boolean> {
  const expected = await data.count(plan.address, query, options);
  if (expected === 0) return true;
  // With all rows inserted, they serve only to find rows without a response.
  if (expected > many && plan.existing === 'insert') return false;
  if (expected > many) await thread.calls.keepMatching();
  report({ read: 0, total: expected });
  const fields = fieldsOf(comparison);
  const name = comparison.index?.join('.') ?? null;
  const sort: JsonObject = name === null ? { _id: 1 } : { [name]: 1, _id: 1 };
  let window = query;
  let limit = firstPageSize(plan.rules);
  let skip = 0;
  let seen = 0;
  let before = '';
  for (;;) {
    const find = { query: window, sort, limit, skip, fields };
    const { text } = await findInPages(data, plan.address, find, options);
    // A service that ignores `skip` sends the same page endlessly; without ids only the text shows that.
    if (skip > 0 && text === before) break;
    before = text;
    const page = await thread.calls.existingPage({ text });
    limit = nextPageSize(text.length, page.records);
    seen += page.newRecords;
    if (page.newRecords === 0) break;
    report({ read: seen, total: expected });
    // A page that has all is enough; windows that begin at its last value would leave records out, and read others twice.
    if (!page.isInOrder && seen === expected) break;
    if (!page.isInOrder) throw wrongCount(expected, 'some arrived out of order');
    // Others may store records meanwhile, but not endlessly.
    if (seen > 2 * Math.max(expected, many)) throw wrongCount(expected, `${seen} arrived`);
    if (name !== null && page.last !== null) {
      window = withBound(query, name, { op: '$gte', value: stringifyJson(page.last) });
      skip = page.atLast;
    } else skip += page.records;
  }
  report(undefined);
  if (seen < expected) throw wrongCount(expected, `only ${seen} could be read`);
  return true;
}
