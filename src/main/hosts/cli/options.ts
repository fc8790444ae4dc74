import { resolve } from 'node:path';
import * as z from 'zod';
import { datasetAddress, maxAddressName, type DatasetAddress } from '../../../shared/datasets/datasets.ts';
import { invalidInput } from '../../../shared/errors/errors.ts';
import { readList, type ListOf } from '../../../shared/value-lists.ts';
import { listInput, option, parseOptions } from './command.ts';

export const whole = z
  .string()
  .regex(/^[+-]?\d{1,15}$/, { error: ({ input }) => `“${String(input)}” isn’t a whole number.` })
  .transform(Number);

/** A number, with or without a decimal point. */
export const decimal = z
  .string()
  .regex(/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i, {
    error: ({ input }) => `“${String(input)}” isn’t a number.`,
  })
  .transform(Number);

/** A Boolean: the option without a value means yes. */
export const yesOrNo = z
  .union([z.boolean(), z.enum(['true', 'false', 'yes', 'no'], 'Enter true or false.')])
  .transform((value) => value === true || value === 'true' || value === 'yes');

/** Several values: of a repeated option, or of lists as {@link readList} reads them. */
const listOf = (kind: ListOf) =>
  listInput
    .transform((texts) => [...new Set(texts.flatMap((text) => readList(text, kind)))])
    .pipe(z.array(z.string()).min(1, 'Enter at least one value.'));

/** Several texts, such as names of fields. */
export const textList = listOf('texts');

/** Several integers, such as ids. */
export const wholeList = <T extends z.ZodType<unknown, number>>(item: T) =>
  listOf('words').pipe(z.array(whole.pipe(item)).max(10_000));

const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/**
 * A duration such as 30m, 2h, or 1d, in milliseconds.
 * @param field the option, for the error
 * @throws AppError invalid_input
 */
export function durationMs(text: string, field: string): number {
  const { count, unit } = /^(?<count>\d{1,6})(?<unit>[mhd])$/.exec(text)?.groups ?? {};
  const factor = unit === 'm' || unit === 'h' || unit === 'd' ? unitMs[unit] : null;
  if (factor === null)
    throw invalidInput(`“${text}” isn’t a duration. Use minutes, hours, or days, such as 30m, 2h, or 1d.`, {
      field,
    });
  return Number(count) * factor;
}

/** The absolute path of a file or folder. */
export const path = z.string().transform((text) => resolve(text));

/** `P/D`: a provider and a dataset. */
export const address = z.string().transform((text, { addIssue }): DatasetAddress => {
  const slash = text.indexOf('/');
  const parsed = datasetAddress.safeParse({ provider: text.slice(0, slash), dataset: text.slice(slash + 1) });
  if (slash > 0 && parsed.success) return parsed.data;
  const tooLong = [text.slice(0, slash), text.slice(slash + 1)].find((name) => name.length > maxAddressName);
  if (slash > 0 && tooLong !== undefined) {
    const what = `The name “${tooLong}” has ${tooLong.length} characters`;
    addIssue(`${what}; a provider or a dataset can have up to ${maxAddressName}. Check the name.`);
    return z.NEVER;
  }
  addIssue(`“${text}” isn’t a dataset. Write provider/dataset, for example demo/wits.`);
  return z.NEVER;
});

/** The dataset of an argument that can also be a file. @throws AppError invalid_input */
export const parseAddress = (text: string): DatasetAddress =>
  parseOptions(z.object({ dataset: address }), { dataset: text }).dataset;

export const datasetArgument = { dataset: option(address, '<dataset>', 'provider/dataset') };

export const queryOption = { query: option(z.string().default('{}'), '<json>', 'which records') };

export const fieldsOption = { fields: option(textList.optional(), '<a,b>', 'fields; default: all') };

export const sortOption = {
  sort: option(z.string().optional(), '<json>', 'sort; default: the dataset’s index field, ascending'),
};

export const concurrencyOption = {
  concurrency: option(whole.optional(), '<n>', 'concurrent requests, 1 to 16'),
};

/** An option for a port to listen on. */
export const portOption = (text: string) => ({
  port: option(whole.pipe(z.int().min(0).max(65_535)).default(0), '<n>', text),
});

const ids = wholeList(z.int().min(0)).default([]);

/** Options for wells, and for their companies in datasets that belong to companies. */
export const wellOptions = (what: string) => ({
  assetId: option(ids, '<id>', `${what} these wells, by asset ID; comma-separated`),
  companyId: option(ids, '<id>', 'company IDs of these wells, for datasets that belong to companies'),
});

/**
 * The wells of {@link wellOptions}.
 * @throws AppError invalid_input for companies without wells, which would select nothing
 */
export function wellsOf({
  assetId: assets,
  companyId: companies,
}: z.infer<z.ZodObject<ReturnType<typeof wellOptions>>>) {
  if (companies.length > 0 && assets.length === 0)
    throw invalidInput('Companies without wells select nothing. Add the wells with --asset-id.', {
      field: 'company-id',
    });
  return { assets, companies };
}
