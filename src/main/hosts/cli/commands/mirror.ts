import * as z from 'zod';
import { invalidInput } from '../../../../shared/errors/errors.ts';
import { columnNamesStyles, exportUnits } from '../../../../shared/export/export.ts';
import { refuseErrors } from '../../../../shared/language/lint/request.ts';
import { mirrorPartition } from '../../../../shared/mirrors/partition.ts';
import { command, option } from '../command.ts';
import { jobOutcome } from '../jobs/outcome.ts';
import {
  concurrencyOption,
  datasetArgument,
  fieldsOption,
  forceOption,
  parseFolder,
  queryOption,
} from '../options.ts';
import { bindTyped, parameterOptions } from '../parameters.ts';
import { withConnection } from '../session.ts';

const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** @throws AppError invalid_input for a text that is no duration */
function durationMs(text: string): number {
  const { count, unit } = /^(?<count>\d{1,6})(?<unit>[mhd])$/.exec(text)?.groups ?? {};
  const factor = unit === 'm' || unit === 'h' || unit === 'd' ? unitMs[unit] : null;
  if (factor === null)
    throw invalidInput(`“${text}” isn’t a duration. Use minutes, hours, or days, such as 30m, 2h, or 1d.`, {
      field: 'overlap',
    });
  return Number(count) * factor;
}

/** `mirror P/D`: keeps a folder of Parquet files up to date. */
export const mirror = command({
  arguments: datasetArgument,
  options: {
    ...parameterOptions,
    ...forceOption('mirror of another query'),
    out: option(z.string(), '<dir>', 'folder; new, empty, or a mirror of the same query, which is updated'),
    ...queryOption,
    ...fieldsOption,
    partition: option(
      z.enum(['day', 'month']).optional(),
      '<period>',
      'a file for each well and day or month, in UTC; default: day',
    ),
    overlap: option(
      z.string().optional(),
      '<duration>',
      'how far back to look for late records: 30m, 2h, 1d; default: 2h',
    ),
    columnNames: option(
      z.enum(columnNamesStyles).optional(),
      '<style>',
      'data.rop or data_rop; default: dotted',
    ),
    units: option(z.enum(exportUnits).optional(), '<system>', 'units of numbers; default: stored'),
    ...concurrencyOption,
  },
  async run({ dataset, out, force, overlap = '2h', partition = 'day', ...values }, cli) {
    const overlapMs = durationMs(overlap);
    const bound = bindTyped({ query: values.query }, values);
    refuseErrors({ kind: 'export', query: values.query, sort: '' });
    const folder = await parseFolder(out, 'out', { force, isMirror: true });
    return withConnection(cli, async (session) => {
      const { app, client, connection, options } = session;
      const { type } = await client.datasets.get({ connection, ...dataset }, options);
      const request = {
        connection,
        ...dataset,
        ...values,
        ...bound,
        format: 'parquet',
        partition: mirrorPartition(type, partition),
        mirror: { overlapMs },
        target: app.files.grantFolder(folder).token,
      } as const;
      const { job } = await client.export.start(request, options);
      cli.messages.say(`Job ${job} updates ${folder.path}.`);
      return jobOutcome(session, cli, job);
    });
  },
});
