import { Option, type Command } from 'commander';
import * as z from 'zod';
import type {
  DatasetAddress,
  DatasetExtent,
  DatasetFields,
  Dataset,
} from '../../../shared/datasets/datasets.ts';
import type { ErrorBody } from '../../../shared/errors/errors.ts';
import { parseJson, stringifyJson, type JsonValue } from '../../../shared/json.ts';
import type { DatasetField } from '../../../shared/datasets/fields.ts';
import { addWellOptions, wellOptions, parseAddress, parseOptions } from '../options.ts';
import type { Cli, Outcome } from '../context.ts';
import { writeRecords } from '../records.ts';
import { withConnection } from '../session.ts';
import { tableLines, type Column } from '../table.ts';

const formats = ['table', 'csv', 'ndjson'] as const;
const typedOptions = z.object({
  ...wellOptions,
  fields: z.boolean().default(false),
  extent: z.boolean().default(false),
  format: z.enum(formats),
});
type Typed = z.infer<typeof typedOptions>;

const percent = (share: number | undefined): string | null =>
  share === undefined ? null : `${Math.round(share * 100)} %`;
const columns: readonly Column<DatasetField>[] = [
  { name: 'field', of: ({ path }) => path },
  { name: 'types', of: ({ types }) => types.join(', ') },
  { name: 'unit', of: ({ unit }) => unit },
  { name: 'null', of: ({ nulls }) => percent(nulls) },
  { name: 'absent', of: ({ absent }) => percent(absent) },
  { name: 'example', of: ({ example }) => example },
];

/** `dataset P/D`: one definition, as JSON; `--fields` and `--extent` add what its records show. */
export function define(command: Command, cli: Cli): void {
  command
    .argument('<dataset>', 'provider/dataset')
    .option('--fields', 'fields, from its type, its definition, and sample records')
    .option('--extent', 'number of records and their range in time or depth')
    .addOption(new Option('--format <format>', 'output format of fields').choices(formats).default('table'));
  addWellOptions(command, 'with --fields or --extent: records of these wells only,').action(
    cli.run(async (dataset: string, options: unknown) => {
      const address = parseAddress(dataset);
      const typed = parseOptions(typedOptions, options);
      if (typed.fields) return writeFields(cli, address, typed);
      if (typed.extent) return writeExtent(cli, address, typed);
      const found = await withConnection(cli, ({ client, connection, options }) =>
        client.datasets.get({ connection, ...address }, options),
      );
      await cli.out.lines([JSON.stringify(definitionOf(found), null, 2)]);
      return { summary: { count: 1 } };
    }),
  );
}

async function writeFields(
  cli: Cli,
  address: DatasetAddress,
  { assetId: assets, companyId: companies, format }: Typed,
): Promise<Outcome> {
  const found: DatasetFields = await withConnection(cli, ({ client, connection, options }) =>
    client.datasets.fields({ connection, ...address, assets, companies }, options),
  );
  const { fields, sampled, of, scope } = found;
  say(cli, found);
  if (of === 'any' && assets.length > 0)
    cli.messages.say('These wells have no records. Records of other wells were read.');
  if (format === 'table') await cli.out.lines(tableLines(columns, fields));
  else await writeRecords(cli.out, JSON.stringify(fields), format);
  return { summary: { count: fields.length, sampled, of, scope } };
}

async function writeExtent(
  cli: Cli,
  address: DatasetAddress,
  { assetId: assets, companyId: companies }: Typed,
): Promise<Outcome> {
  const found: DatasetExtent = await withConnection(cli, ({ client, connection, options }) =>
    client.datasets.extent({ connection, ...address, assets, companies }, options),
  );
  say(cli, found);
  const { problem: _said, first, last, ...rest } = found;
  const parsed = (text: string | null): JsonValue => (text === null ? null : parseJson(text));
  await cli.out.lines([stringifyJson({ ...rest, first: parsed(first), last: parsed(last) })]);
  return { summary: { count: found.count } };
}

/** Prints why a part of the result is missing. */
function say({ messages }: Cli, { problem }: { readonly problem?: ErrorBody | undefined }): void {
  if (problem) messages.say(problem.message);
}

/** A definition with the names of the specification (section 2.2), and its address first. */
export function definitionOf(dataset: Dataset): object {
  const { statistics } = dataset;
  return {
    dataset: `${dataset.provider}/${dataset.dataset}`,
    id: dataset.id,
    company_id: dataset.companyId,
    provider: dataset.provider,
    name: dataset.dataset,
    friendly_name: dataset.friendlyName,
    description: dataset.description,
    data_type: dataset.typeSaid,
    plottable: dataset.plottable,
    temporary: dataset.temporary,
    permission_workflow: dataset.permissions,
    indexes: dataset.indexes,
    statistics: {
      size: statistics.size,
      count: statistics.count,
      storage_size: statistics.storageSize,
      index_size: statistics.indexSize,
    },
    schema: dataset.schema,
  };
}
