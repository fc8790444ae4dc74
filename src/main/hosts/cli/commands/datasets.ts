import * as z from 'zod';
import { datasetType, type Dataset, type DatasetAddress } from '../../../../shared/datasets/datasets.ts';
import { command, option, type Cli, withConnection, type ConnectedSession } from '../command.ts';
import { wellOptions, wellsOf, yesOrNo } from '../options.ts';
import { firstInWords } from '../../../../shared/lists.ts';
import { stringifyJson } from '../../../../shared/json.ts';
import { definitionOf } from './dataset.ts';
import { writeRecords } from '../output.ts';
import { tableFormats, tableLines, type Column } from '../table.ts';

const nameOf = ({ provider, dataset }: DatasetAddress): string => `${provider}/${dataset}`;

const columns: readonly Column<Dataset>[] = [
  { name: 'dataset', of: nameOf },
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
  async run({ format, assetId, companyId, type, ...filter }, cli) {
    const wells = wellsOf({ assetId, companyId });
    const { listed, untyped, unchecked } = await withConnection(cli, async (session) => {
      const { client, connection, options } = session;
      const all = await client.datasets.list({ connection, ...filter }, options);
      const visible = type === undefined ? all : all.filter((dataset) => dataset.type === type);
      const untyped = type === undefined ? [] : all.filter((dataset) => dataset.type === null).map(nameOf);
      if (assetId.length === 0) return { listed: visible, untyped, unchecked: [] };
      return { ...(await withRecordsOf(visible, wells, session, cli)), untyped };
    });
    if (untyped.length > 0)
      cli.messages.say(`Warning: Unknown type, not listed: ${firstInWords(untyped, 20)}`);
    if (format === 'table') await cli.out.lines(tableLines(columns, listed));
    else await writeRecords(cli.out, stringifyJson(listed.map(definitionOf)), format);
    const omitted = { ...(untyped.length > 0 && { untyped }), ...(unchecked.length > 0 && { unchecked }) };
    return { summary: { count: listed.length, ...omitted } };
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
  for await (const { holds, problem, ...address } of answers) {
    checkedCount += 1;
    messages.progress(`${checkedCount} of ${visible.length} datasets checked`);
    const name = nameOf(address);
    if (holds === 'some') withRecords.add(name);
    if (!problem) continue;
    unchecked.push(name);
    messages.say(`Warning: ${name} wasn’t checked for records: ${problem.message}`);
  }
  messages.clear();
  return {
    listed: visible.filter((dataset) => withRecords.has(nameOf(dataset))),
    unchecked,
  };
}
