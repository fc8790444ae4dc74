import * as z from 'zod';
import { isAppError } from '../../../shared/errors/errors.ts';
import { isObject, stringifyJson } from '../../../shared/json.ts';
import type { DatasetField } from '../../../shared/datasets/fields.ts';
import { mayCountNumbers } from '../../../shared/language/lint/rules.ts';
import { readScope } from '../../../shared/language/text/conditions.ts';
import { parseRelaxedArray } from '../../../shared/language/relaxed.ts';
import { defaultSort } from '../../../shared/language/scope.ts';
import type { Cli } from './context.ts';
import { option } from './command.ts';
import { decimal } from './options.ts';
import { recordFormats } from './records.ts';
import type { Dataset, DatasetAddress } from '../../../shared/datasets/datasets.ts';
import { getDataset } from '../../core/datasets/definitions.ts';
import { once } from '../../core/once.ts';
import type { ConnectedSession } from './session.ts';
import { setTimeout as wait } from 'node:timers/promises';
import { noKnowledge } from '../../../shared/language/knowledge.ts';
import { lintRequest, type LintedRequest } from '../../../shared/language/lint/request.ts';
import { describePlace } from '../../../shared/errors/sentences.ts';

export const timeoutOption = {
  timeout: option(
    decimal.transform((seconds) => Math.round(seconds * 1000)).optional(),
    '<seconds>',
    'timeout in seconds; default: 60',
  ),
};

/** Options of every read of records. */
export const readOptions = {
  format: option(z.enum(recordFormats).default('ndjson'), '<format>', 'output format of records'),
  ...timeoutOption,
};

/** Failures of reading a definition that reading records need not have. */
const definitionFailures = ['service_failed', 'timed_out', 'bad_answer'] as const;

/**
 * The sort to use: the option, else the dataset's index field, ascending. Only the definition has the index field, so a
 * read without a sort waits for it; other reads are sent concurrently. A user who may not read the definition can still
 * read records; they come unsorted, with a warning.
 * @param sort the sort option; undefined: none
 * @throws AppError of reading the definition, because a different order of records would be hard to notice
 */
export async function sortOrDefault(
  sort: string | undefined,
  definition: Definition,
  { messages }: Cli,
): Promise<string> {
  if (sort !== undefined) return sort;
  try {
    return defaultSort((await definition()).type);
  } catch (error) {
    if (isAppError(error, 'forbidden')) {
      messages.say(`${error.message} The records are unsorted; set a sort with --sort.`);
      return '{}';
    }
    if (definitionFailures.some((code) => isAppError(error, code)))
      messages.say(
        'The default sort depends on the definition of the dataset. Set --sort to read without it.',
      );
    throw error;
  }
}

type Definition = () => Promise<Dataset>;

/**
 * Number of tries to read a definition, few because it is only advice. A default sort depends on it, but on a bad
 * link an early error is better, and the user can specify a sort.
 */
const maxTries = 2;

/** The definition of a dataset, which is requested once, on the first call. @throws AppError from the call */
export const definitionOnce = (address: DatasetAddress, { data, options }: ConnectedSession): Definition =>
  once(async () => getDataset(data(), address, { ...options, maxTries }));

/** How long to wait for the definition after the response has arrived, in milliseconds. */
const definitionWaitMs = 250;
/** The same for the fields: a mean that counts -999.25 is wrong, and their sample takes several requests. */
const fieldsWaitMs = 3000;

/** What advice about a read depends on. */
interface Advice {
  readonly definition: Definition;
  /** The fields of the dataset. Requested for computations only. */
  readonly fields?: () => Promise<readonly DatasetField[]>;
}

/**
 * The fields of a dataset in the records of the wells that a computation names, if it may count numbers such as -999.25.
 * @param match the query of its records
 */
export function fieldsFor(
  computation: string | undefined,
  match: string,
  address: DatasetAddress,
  { data, options }: ConnectedSession,
): Pick<Advice, 'fields'> {
  if (computation === undefined || !mayCountNumbers(computation)) return {};
  const scope = readScope(match, 'asset_id');
  const assets = scope.kind === 'ids' ? [...scope.ids] : [];
  return {
    async fields() {
      // Loaded on use: its table of channels is large.
      const { readFields } = await import('../../core/datasets/fields/fields.ts');
      return (await readFields(data(), { ...address, assets }, options.signal)).fields;
    },
  };
}

/** The query of the first stage of a pipeline as text; all records if it has none. @throws AppError invalid_input */
export function matchOfStages(stages: string): string {
  const [first] = parseRelaxedArray(stages, 'stages');
  return isObject(first) && isObject(first['$match']) ? stringifyJson(first['$match']) : '{}';
}

/**
 * Runs a read, and prints likely mistakes on stderr: those that the editor of the window underlines, by the dataset's
 * type and indexes. The definition is requested concurrently and can fail; then only the checks that don't need it run.
 * The fields are requested for means, sums, and the like, which null values such as -999.25 distort. Platform ids are not recognized, because wells are not listed here.
 * @throws AppError what `read` throws
 */
export async function withAdvice<T>(
  request: LintedRequest,
  { definition, fields }: Advice,
  { messages }: Pick<Cli, 'messages'>,
  read: () => Promise<T>,
): Promise<T> {
  const requested = definition().catch(() => null);
  const sampled = fields?.().catch(() => []);
  try {
    return await read();
  } finally {
    const dataset = await Promise.race([requested, wait(definitionWaitMs, null, { ref: false })]);
    const sampledFields = await Promise.race([sampled ?? [], wait(fieldsWaitMs, [], { ref: false })]);
    const knowledge = {
      ...noKnowledge,
      ...(dataset && { type: dataset.type, indexes: dataset.indexes }),
      fields: sampledFields,
    };
    for (const { severity, message, field, line, column } of lintRequest(request, knowledge)) {
      const place = line === undefined || column === undefined ? { field } : { field, line, column };
      if (severity === 'warning') messages.say(`Warning: ${describePlace(place)}: ${message}`);
    }
  }
}
