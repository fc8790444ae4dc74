import * as z from 'zod';
import type { Dataset } from '../../../../shared/datasets/datasets.ts';
import type { DatasetExtent, DatasetFields } from '../../../../shared/contract/catalogue.ts';
import { invalidInput, type ErrorBody } from '../../../../shared/errors/errors.ts';
import { parseJson, stringifyJson, type JsonValue } from '../../../../shared/json.ts';
import type { DatasetField } from '../../../../shared/datasets/fields.ts';
import { command, flag, option, type Cli, type Outcome, withConnection } from '../command.ts';
import { datasetArgument, wellOptions, wellsOf } from '../options.ts';
import { writeRecords } from '../output.ts';
import { tableFormats, tableLines, type Column } from '../table.ts';

const percent = (share: number | undefined): string | null =>
  // 100% are all.
  share === undefined ? null : `${Math.floor(Number((share * 100).toPrecision(12)))}%`;
const columns: readonly Column<DatasetField>[] = [
  { name: 'field', of: ({ path }) => path },
  { name: 'types', of: ({ types }) => types.join(', ') },
  { name: 'unit', of: ({ unit }) => unit },
  { name: 'null', of: ({ nulls }) => percent(nulls) },
  { name: 'absent', of: ({ absent }) => percent(absent) },
  { name: 'example', of: ({ example }) => example },
];

/** `dataset P/D`: one definition, as JSON; `--fields` and `--extent` add what its records show. */
export const dataset = command({
  arguments: datasetArgument,
  options: {
    fields: flag('list fields, from the type, the definition, and sample records'),
    extent: flag('show the number of records and their range in time or depth'),
    format: option(z.enum(tableFormats).default('table'), '<format>', 'output format of fields'),
    ...wellOptions('with --fields or --extent: only records of'),
  },
  async run({ dataset: address, fields, extent, format, ...values }, cli) {
    const wells = wellsOf(values);
    const { assets } = wells;
    if (assets.length > 0 && !fields && !extent)
      throw invalidInput('A definition doesn’t depend on wells. Add --fields or --extent.', {
        field: 'asset-id',
      });
    return withConnection(cli, async ({ client, connection, options }) => {
      const request = { connection, ...address, ...wells };
      if (fields) return writeFields(cli, await client.datasets.fields(request, options), { assets, format });
      if (extent) return writeExtent(cli, await client.datasets.extent(request, options));
      const definition = await client.datasets.get({ connection, ...address }, options);
      await cli.out.lines([stringifyJson(definitionOf(definition), 2)]);
      return { summary: { count: 1 } };
    });
  },
});

async function writeFields(
  cli: Cli,
  result: DatasetFields,
  { assets, format }: { assets: readonly number[]; format: (typeof tableFormats)[number] },
): Promise<Outcome> {
  const { fields, sampled, of, scope, more, problem } = result;
  sayProblem(cli, result);
  if (of === 'any' && assets.length > 0)
    cli.messages.say('These wells have no records. Showing fields of other wells.');
  if (more) cli.messages.say('Warning: Not all fields are listed.');
  if (format === 'table') await cli.out.lines(tableLines(columns, fields));
  else await writeRecords(cli.out, JSON.stringify(fields), format);
  return {
    summary: { count: fields.length, sampled, of, scope, ...(more && { more }), ...(problem && { problem }) },
  };
}

async function writeExtent(cli: Cli, extent: DatasetExtent): Promise<Outcome> {
  sayProblem(cli, extent);
  const { first, last, ...rest } = extent;
  const parsed = (text: string | null): JsonValue => (text === null ? null : parseJson(text));
  await cli.out.lines([stringifyJson({ ...rest, first: parsed(first), last: parsed(last) })]);
  return { summary: { count: extent.count } };
}

function sayProblem({ messages }: Cli, { problem }: { readonly problem?: ErrorBody | undefined }): void {
  if (problem) messages.say(problem.message);
}

/** A definition with the names of the specification (section 2.2), and its address first. */
export function definitionOf(definition: Dataset): object {
  const { statistics } = definition;
  return {
    dataset: `${definition.provider}/${definition.dataset}`,
    id: definition.id,
    company_id: definition.companyId,
    provider: definition.provider,
    name: definition.dataset,
    friendly_name: definition.friendlyName,
    description: definition.description,
    data_type: definition.typeSaid,
    plottable: definition.plottable,
    temporary: definition.temporary,
    permission_workflow: definition.permissions,
    indexes: definition.indexes,
    statistics: {
      size: statistics.size,
      count: statistics.count,
      storage_size: statistics.storageSize,
      index_size: statistics.indexSize,
    },
    schema: definition.schema,
  };
}
