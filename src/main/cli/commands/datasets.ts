import { Option } from 'commander';
import type { Command } from 'commander';
import * as z from 'zod';
import { datasetType, datasetTypes } from '../../../shared/datasets.ts';
import type { Dataset } from '../../../shared/datasets.ts';
import type { Cli } from '../context.ts';
import { definitionOf } from '../definition.ts';
import { parseOptions, yesOrNo } from '../options.ts';
import { writeRecords } from '../records.ts';
import { withConnection } from '../session.ts';
import { tableLines } from '../table.ts';
import type { Column } from '../table.ts';

const formats = ['table', 'csv', 'ndjson'] as const;
const typedOptions = z.object({
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

/** `datasets [SEARCH]`: the definitions that can be seen. */
export function define(command: Command, cli: Cli): void {
  command
    .argument('[search]', 'part of a dataset’s name', '')
    .addOption(new Option('--type <type>', 'only of this type').choices(datasetTypes))
    .option('--plottable [yes|no]', 'only those that can be plotted')
    .option('--temporary [yes|no]', 'only temporary ones')
    .addOption(new Option('--format <format>', 'how to write them').choices(formats).default('table'))
    .action(
      cli.run(async (search: string, typed: unknown) => {
        const { format, ...filter } = parseOptions(typedOptions, typed);
        const found = await withConnection(cli, ({ client, connection, options }) =>
          client.datasets.list({ connection, search, ...filter }, options),
        );
        if (format === 'table') await cli.out.lines(tableLines(columns, found));
        else await writeRecords(cli.out, JSON.stringify(found.map(definitionOf)), format);
        return { summary: { count: found.length } };
      }),
    );
}
