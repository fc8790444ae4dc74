import { Option, type Command } from 'commander';
import * as z from 'zod';
import { datasetType, datasetTypes, type Dataset } from '../../../shared/datasets/datasets.ts';
import { addWellOptions, wellOptions, parseOptions, yesOrNo } from '../options.ts';
import type { Cli } from '../context.ts';
import { definitionOf } from './dataset.ts';
import { writeRecords } from '../records.ts';
import { withConnection, type ConnectedSession } from '../session.ts';
import { tableLines, type Column } from '../table.ts';

const formats = ['table', 'csv', 'ndjson'] as const;
const typedOptions = z.object({
  ...wellOptions,
  type: datasetType.optional(),
  plottable: yesOrNo.optional(),
  temporary: yesOrNo.optional(),
  format: z.enum(formats),
});

const columns: readonly Column<Dataset>[] = [
  { name: 'dataset', of: ({ provider, dataset }) => `${provider}/${dataset}` },
  { name: 'type', of: ({ typeSaid }) => typeSaid },
  { name: 'name', of: ({ friendlyName }) => friendlyName },
  { name: 'plottable', of: ({ plottable }) => (plottable ? 'yes' : 'no') },
  { name: 'records', of: ({ statistics }) => statistics.count },
];

/** `datasets [SEARCH]`: the visible definitions. */
export function define(command: Command, cli: Cli): void {
  command
    .argument('[search]', 'part of the dataset’s name', '')
    .addOption(new Option('--type <type>', 'this type only').choices(datasetTypes))
    .option('--plottable [yes|no]', 'plottable datasets only')
    .option('--temporary [yes|no]', 'temporary datasets only')
    .addOption(new Option('--format <format>', 'output format').choices(formats).default('table'));
  addWellOptions(command, 'datasets with records of').action(
    cli.run(async (search: string, typed: unknown) => {
      const { format, assetId, companyId, ...filter } = parseOptions(typedOptions, typed);
      const found = await withConnection(cli, async (session) => {
        const { client, connection, options } = session;
        const listed = await client.datasets.list({ connection, search, ...filter }, options);
        return assetId.length === 0 ? listed : holding(listed, { assetId, companyId }, session, cli);
      });
      if (format === 'table') await cli.out.lines(tableLines(columns, found));
      else await writeRecords(cli.out, JSON.stringify(found.map(definitionOf)), format);
      return { summary: { count: found.length } };
    }),
  );
}

/** The datasets with records of the wells; those that can't be read are omitted with a warning. */
async function holding(
  listed: readonly Dataset[],
  { assetId: assets, companyId: companies }: { assetId: number[]; companyId: number[] },
  { client, connection, options }: ConnectedSession,
  { messages }: Cli,
): Promise<Dataset[]> {
  const datasets = listed.map(({ provider, dataset, type }) => ({ provider, dataset, type }));
  const withRecords = new Set<string>();
  let checkedCount = 0;
  const answers = await client.datasets.holdings({ connection, assets, companies, datasets }, options);
  for await (const { provider, dataset, holds, problem } of answers) {
    checkedCount += 1;
    messages.progress(`${checkedCount} of ${listed.length} datasets checked`);
    if (holds === 'some') withRecords.add(`${provider}/${dataset}`);
    if (problem) messages.say(problem.message);
  }
  messages.clear();
  return listed.filter(({ provider, dataset }) => withRecords.has(`${provider}/${dataset}`));
}
