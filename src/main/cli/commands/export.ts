import { extname } from 'node:path';
import { Option } from 'commander';
import type { Command } from 'commander';
import * as z from 'zod';
import type { DatasetAddress } from '../../../shared/datasets/datasets.ts';
import {
  columnNamesStyles,
  depthUnits,
  exportUnits,
  exportFormat,
  exportFormats,
  nullValueStyles,
  partitionKeys,
} from '../../../shared/export/export.ts';
import { exportPresets, presetOptions } from '../../../shared/export/presets.ts';
import type { ExportFormat, ExportOptions } from '../../../shared/export/export.ts';
import { refuseErrors } from '../../../shared/language/lint/request.ts';
import { targetAt } from '../../files/files.ts';
import type { Cli } from '../context.ts';
import { followJob } from '../jobs/follow.ts';
import { jobOutcome } from '../jobs/outcome.ts';
import {
  addForceOption,
  forceOption,
  formatOfFile,
  gather,
  parseAddress,
  parseOptions,
  parseOutput,
  parseFolder,
  several,
  whole,
} from '../options.ts';
import { addParameterOptions, bindTyped, parameterOptions } from '../parameters.ts';
import { withConnection, type ConnectedSession } from '../session.ts';

const partitionOption = several.pipe(z.array(z.enum(partitionKeys)).min(1));

const typedOptions = z.object({
  ...parameterOptions,
  query: z.string(),
  sort: z.string().optional(),
  stages: z.string().optional(),
  fields: several.optional(),
  out: z.string(),
  ...forceOption,
  preset: z.enum(exportPresets).optional(),
  format: exportFormat.optional(),
  concurrency: whole.optional(),
  timeZone: z.string().optional(),
  wellNames: z.boolean().optional(),
  delimiter: z
    .enum([',', ';', 'tab', '|'])
    .transform((option) => (option === 'tab' ? ('\t' as const) : option))
    .optional(),
  lineEnds: z
    .enum(['crlf', 'lf'])
    .transform((option) => (option === 'lf' ? ('LF' as const) : ('CRLF' as const)))
    .optional(),
  decimal: z.enum(['.', ',']).optional(),
  bom: z.boolean().optional(),
  escapeFormulas: z.boolean().optional(),
  columnNames: z.enum(columnNamesStyles).optional(),
  units: z.enum(exportUnits).optional(),
  nullValues: z.enum(nullValueStyles).optional(),
  depthUnit: z.enum(depthUnits).optional(),
  partition: partitionOption.optional(),
});

/** A preset writes its own format, except that the one for Excel writes CSV to a file that is named so. */
const presetFormat = (preset: ExportOptions | undefined, path: string): ExportFormat | undefined =>
  preset?.format === 'xlsx' && extname(path).toLowerCase() === '.csv' ? 'csv' : preset?.format;

/** The options that were given. */
const definedOptions = <T extends object>(options: T): Partial<T> => {
  const defined: Partial<T> = { ...options };
  for (const name in defined) if (defined[name] === undefined) delete defined[name];
  return defined;
};

/** The units of a dataset's fields, for the header. */
async function unitsOf({ client, connection, options }: ConnectedSession, address: DatasetAddress) {
  const { fields } = await client.datasets.fields({ connection, ...address }, options);
  return Object.fromEntries(fields.flatMap(({ path, unit }) => (unit === undefined ? [] : [[path, unit]])));
}

/** `export P/D`: all matching records, to a file, as a job. */
export function define(command: Command, cli: Cli): void {
  addForceOption(addParameterOptions(command), 'file, or a folder that Wellbench wrote')
    .argument('<dataset>', 'provider/dataset')
    .requiredOption('--out <file>', 'file to write; must not exist, unless you add --force')
    .option('--query <json>', 'which records', '{}')
    .option('--sort <json>', 'sort; default: the dataset’s index field, ascending')
    .option('--stages <json>', 'pipeline stages, instead of a query')
    .option('--fields <a,b>', 'fields; default: all', gather)
    .addOption(
      new Option(
        '--preset <use>',
        'format, CSV, and time options by use; other options take precedence',
      ).choices(exportPresets),
    )
    .addOption(
      new Option('--format <format>', 'default: from the file name, otherwise csv').choices(exportFormats),
    )
    .addOption(new Option('--delimiter <d>', 'CSV delimiter; default: comma').choices([',', ';', 'tab', '|']))
    .addOption(
      new Option('--line-ends <e>', 'CSV line endings; default: crlf (RFC 4180)').choices(['crlf', 'lf']),
    )
    .addOption(new Option('--decimal <sign>', 'CSV decimal separator; default: point').choices(['.', ',']))
    .option('--bom', 'add a byte order mark to CSV, for Excel')
    .option('--escape-formulas', 'escape CSV text that a spreadsheet would run as a formula')
    .option('--well-names', 'write the names of wells beside their asset IDs')
    .addOption(
      new Option(
        '--column-names <style>',
        'Parquet column names: data.rop or data_rop; default: dotted',
      ).choices(columnNamesStyles),
    )
    .option(
      '--partition <a,b>',
      'write a folder of Parquet files divided by asset_id and by day or month, in UTC',
      gather,
    )
    .addOption(new Option('--units <system>', 'units of numbers; default: stored').choices(exportUnits))
    .addOption(
      new Option(
        '--null-values <style>',
        'numbers such as -999.25 in CSV, Excel, and LAS: blank, or as stored; default: blank',
      ).choices(nullValueStyles),
    )
    .addOption(
      new Option(
        '--depth-unit <unit>',
        'unit of the stored depths, for LAS; needed if the dataset has none',
      ).choices(depthUnits),
    )
    .option('--concurrency <n>', 'concurrent requests, 1 to 16')
    .option(
      '--time-zone <zone>',
      'write timestamps as ISO 8601 in this time zone; default: unchanged. Parquet has instants',
    )
    .action(
      cli.run(async (dataset: string, typed: unknown) => {
        const address = parseAddress(dataset);
        const {
          out,
          force,
          preset,
          format,
          stages,
          delimiter,
          lineEnds,
          decimal,
          bom,
          escapeFormulas,
          ...exportOptions
        } = parseOptions(typedOptions, typed);
        const csv = definedOptions({ delimiter, newline: lineEnds, decimal, bom, escapeFormulas });
        const { query, sort } = exportOptions;
        const bound = bindTyped({ query, sort, stages }, exportOptions);
        const answerTo =
          bound.stages === undefined ? undefined : ({ kind: 'pipeline', stages: bound.stages } as const);
        if (!answerTo) refuseErrors({ kind: 'export', query, sort: sort ?? '' });
        const output = exportOptions.partition
          ? await parseFolder(out, 'out', { force, isMirror: false })
          : await parseOutput(out, 'out', { force });
        const { path } = output;
        return withConnection(cli, async (session) => {
          const { app, client, connection, options } = session;
          const { token: target } = exportOptions.partition
            ? app.files.grantFolder(output)
            : app.files.grantTarget(targetAt(path, force));
          const { timeZone } = exportOptions;
          const byPreset =
            preset &&
            presetOptions(preset, {
              timeZone: timeZone ?? 'UTC',
              units: preset === 'excel' ? await unitsOf(session, address) : {},
              decimal: decimal ?? '.',
            });
          const request = {
            connection,
            ...address,
            ...exportOptions,
            ...bound,
            answerTo,
            layout: byPreset?.layout,
            timeZone: timeZone ?? byPreset?.timeZone,
            csv: { ...byPreset?.csv, ...csv },
            format:
              format ??
              presetFormat(byPreset, path) ??
              (exportOptions.partition ? 'parquet' : formatOfFile(path)),
            target,
          };
          const { job } = await client.export.start(request, options);
          cli.messages.say(`Job ${job} writes ${path}.`);
          return jobOutcome(await followJob(session, cli, job), session.app.files, cli);
        });
      }),
    );
}
