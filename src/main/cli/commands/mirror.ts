import { Option, type Command } from 'commander';
import * as z from 'zod';
import { invalidInput } from '../../../shared/errors/errors.ts';
import { columnNamesStyles, exportUnits } from '../../../shared/export/export.ts';
import { refuseErrors } from '../../../shared/language/lint/request.ts';
import { mirrorPartition } from '../../../shared/mirrors/partition.ts';
import type { Cli } from '../context.ts';
import { followJob } from '../jobs/follow.ts';
import { jobOutcome } from '../jobs/outcome.ts';
import {
  addForceOption,
  forceOption,
  gather,
  parseAddress,
  parseFolder,
  parseOptions,
  several,
  whole,
} from '../options.ts';
import { addParameterOptions, bindTyped, parameterOptions } from '../parameters.ts';
import { withConnection } from '../session.ts';

const typedOptions = z.object({
  ...parameterOptions,
  query: z.string(),
  fields: several.optional(),
  out: z.string(),
  ...forceOption,
  partition: z.enum(['day', 'month']).default('day'),
  overlap: z.string().default('2h'),
  columnNames: z.enum(columnNamesStyles).optional(),
  units: z.enum(exportUnits).optional(),
  concurrency: whole.optional(),
});

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
export function define(command: Command, cli: Cli): void {
  addForceOption(addParameterOptions(command), 'mirror of another query')
    .argument('<dataset>', 'provider/dataset')
    .requiredOption('--out <dir>', 'folder; new, empty, or a mirror of the same query, which is updated')
    .option('--query <json>', 'which records', '{}')
    .option('--fields <a,b>', 'fields; default: all', gather)
    .addOption(
      new Option(
        '--partition <period>',
        'a file for each well and day or month, in UTC; default: day',
      ).choices(['day', 'month']),
    )
    .option('--overlap <duration>', 'how far back to look for late records: 30m, 2h, 1d; default: 2h')
    .addOption(
      new Option('--column-names <style>', 'data.rop or data_rop; default: dotted').choices(
        columnNamesStyles,
      ),
    )
    .addOption(new Option('--units <system>', 'units of numbers; default: stored').choices(exportUnits))
    .option('--concurrency <n>', 'concurrent requests, 1 to 16')
    .action(
      cli.run(async (dataset: string, typed: unknown) => {
        const address = parseAddress(dataset);
        const { out, force, overlap, partition, ...options } = parseOptions(typedOptions, typed);
        const overlapMs = durationMs(overlap);
        const bound = bindTyped({ query: options.query }, options);
        refuseErrors({ kind: 'export', query: options.query, sort: '' });
        const folder = await parseFolder(out, 'out', { force, isMirror: true });
        const { path } = folder;
        return withConnection(cli, async (session) => {
          const { app, client, connection } = session;
          const { type } = await client.datasets.get({ connection, ...address }, session.options);
          const { token: target } = app.files.grantFolder(folder);
          const { job } = await client.export.start(
            {
              connection,
              ...address,
              ...options,
              ...bound,
              format: 'parquet',
              partition: mirrorPartition(type, partition),
              mirror: { overlapMs },
              target,
            },
            session.options,
          );
          cli.messages.say(`Job ${job} updates ${path}.`);
          return jobOutcome(await followJob(session, cli, job), app.files, cli);
        });
      }),
    );
}
