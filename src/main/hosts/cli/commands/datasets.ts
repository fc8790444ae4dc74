import * as z from 'zod';
import { datasetType, type Dataset } from '../../../../shared/datasets/datasets.ts';
import { command, option, type Cli, withConnection, type ConnectedSession } from '../command.ts';
import { wellOptions, wellsOf, yesOrNo } from '../options.ts';
import { stringifyJson } from '../../../../shared/json.ts';
import { definitionOf } from './dataset.ts';
import { writeRecords } from '../output.ts';
import { tableFormats, tableLines, type Column } from '../table.ts';

const columns: readonly Column<Dataset>[] = [
  { name: 'dataset', of: ({ provider, dataset }) => `${provider}/${dataset}` },
  { name: 'type', of: ({ typeSaid }) => typeSaid },
  { name: 'name', of: ({ friendlyName }) => friendlyName },
  { name: 'plottable', of: ({ plottable }) => (plottable ? 'yes' : 'no') },
  { name: 'records', of: ({ statistics }) => statistics.count },
];

/** `datasets [SEARCH]`: the visible definitions. */
export const datasets = command({
  arguments: { search: option(z.string().default(''), '[search]', 'part of the dataset’s name') },
  options: {
    type: option(datasetType.optional(), '<type>', 'only this type'),
    plottable: option(yesOrNo.optional(), '[yes|no]', 'only plottable datasets'),
    temporary: option(yesOrNo.optional(), '[yes|no]', 'only temporary datasets'),
    format: option(z.enum(tableFormats).default('table'), '<format>', 'output format'),
    ...wellOptions('only datasets with records of'),
  },
  async run({ format, assetId, companyId, ...filter }, cli) {
    const wells = wellsOf({ assetId, companyId });
    const { listed, unchecked } = await withConnection(cli, async (session) => {
      const { client, connection, options } = session;
      const visible = await client.datasets.list({ connection, ...filter }, options);
      if (assetId.length === 0) return { listed: visible, unchecked: [] };
      return withRecordsOf(visible, wells, session, cli);
    });
    if (format === 'table') await cli.out.lines(tableLines(columns, listed));
    else await writeRecords(cli.out, stringifyJson(listed.map(definitionOf)), format);
    return { summary: { count: listed.length, ...(unchecked.length > 0 && { unchecked }) } };
  },
});

/** The datasets with records of the wells, and those that can't be read, each with a warning. */
async function withRecordsOf(
  visible: readonly Dataset[],
  wells: ReturnType<typeof wellsOf>,
  { client, connection, options }: ConnectedSession,
  { messages }: Cli,
): Promise<{ readonly listed: Dataset[]; readonly unchecked: string[] }> {
  const request = {
    connection,
    ...wells,
    datasets: visible.map(({ provider, dataset, type }) => ({ provider, dataset, type })),
  };
  const withRecords = new Set<string>();
  const unchecked: string[] = [];
  let checkedCount = 0;
  const answers = await client.datasets.holdings(request, options);
  for await (const { provider, dataset, holds, problem } of answers) {
    checkedCount += 1;
    messages.progress(`${checkedCount} of ${visible.length} datasets checked`);
    const name = `${provider}/${dataset}`;
    if (holds === 'some') withRecords.add(name);
    if (!problem) continue;
    unchecked.push(name);
    messages.say(`Warning: ${name} wasn’t checked for records: ${problem.message}`);
  }
  messages.clear();
  return {
    listed: visible.filter(({ provider, dataset }) => withRecords.has(`${provider}/${dataset}`)),
    unchecked,
  };
}
