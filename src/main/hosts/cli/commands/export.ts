import * as z from 'zod';
import type { DatasetAddress } from '../../../../shared/datasets/datasets.ts';
import { invalidInput } from '../../../../shared/errors/errors.ts';
import { withoutUndefined } from '../../../../shared/json.ts';
import {
  columnNamesStyles,
  depthUnits,
  exportUnits,
  exportFormat,
  nullValueStyles,
  partitionKeys,
  exportPresets,
  presetOptions,
  manifestOf,
} from '../../../../shared/export/export.ts';
import { refuseErrors } from '../../../../shared/language/lint/request.ts';
import { targetAt } from '../../../core/files/files.ts';
import { command, option, serviceNow, withConnection, type ConnectedSession } from '../command.ts';
import { jobOutcome } from '../jobs/outcome.ts';
import { forceOption, formatOfFile, outOption, parseFolder, parseOutput } from '../file-options.ts';
import {
  concurrencyOption,
  datasetArgument,
  fieldsOption,
  queryOption,
  sortOption,
  textList,
} from '../options.ts';
import { bindTyped, parameterOptions } from '../parameters.ts';

/** The units of a dataset's fields, for the header. */
async function unitsOf({ client, connection, options }: ConnectedSession, address: DatasetAddress) {
  const { fields } = await client.datasets.fields({ connection, ...address }, options);
  return Object.fromEntries(fields.flatMap(({ path, unit }) => (unit === undefined ? [] : [[path, unit]])));
}

const optionalFlag = (text: string) => option(z.boolean().optional(), '', text);

/** `export P/D`: all matching records, to a file, as a job. */
export const exportRecords = command({
  arguments: datasetArgument,
  options: {
    ...parameterOptions,
    ...forceOption('file, or a folder that Wellbench wrote'),
    out: option(z.string(), '<file>', outOption),
    ...queryOption,
    ...sortOption,
    stages: option(z.string().optional(), '<json>', 'pipeline stages, instead of a query'),
    ...fieldsOption,
    preset: option(
      z.enum(exportPresets).optional(),
      '<use>',
      'format, CSV, and time options by use; the file name and other options take precedence',
    ),
    format: option(exportFormat.optional(), '<format>', 'default: from the file name, otherwise csv'),
    delimiter: option(
      z
        .enum([',', ';', 'tab', '|'])
        .transform((name) => (name === 'tab' ? ('\t' as const) : name))
        .optional(),
      '<d>',
      'CSV delimiter; default: comma',
    ),
    lineEnds: option(
      z
        .enum(['crlf', 'lf'])
        .transform((name) => (name === 'lf' ? ('LF' as const) : ('CRLF' as const)))
        .optional(),
      '<e>',
      'CSV line endings; default: crlf (RFC 4180)',
    ),
    decimal: option(z.enum(['.', ',']).optional(), '<sign>', 'CSV decimal separator; default: point'),
    bom: optionalFlag('add a byte order mark to CSV, for Excel'),
    escapeFormulas: optionalFlag('escape CSV text that a spreadsheet would run as a formula'),
    wellNames: optionalFlag('write the names of wells beside their asset IDs'),
    columnNames: option(
      z.enum(columnNamesStyles).optional(),
      '<style>',
      'Parquet column names: data.rop or data_rop; default: dotted',
    ),
    partition: option(
      textList.pipe(z.array(z.enum(partitionKeys))).optional(),
      '<a,b>',
      'write a Delta Lake table: Parquet files by asset_id and by day or month, in UTC',
    ),
    units: option(z.enum(exportUnits).optional(), '<system>', 'units of numbers; default: stored'),
    nullValues: option(
      z.enum(nullValueStyles).optional(),
      '<style>',
      'numbers such as -999.25 in CSV, Excel, and LAS: blank, or as stored; default: blank',
    ),
    depthUnit: option(
      z.enum(depthUnits).optional(),
      '<unit>',
      'unit of the stored depths, for LAS; required if the dataset has none',
    ),
    ...concurrencyOption,
    timeZone: option(
      z.string().optional(),
      '<zone>',
      'write timestamps as ISO 8601 in this time zone; default: unchanged. Parquet contains instants',
    ),
  },
  async run(values, cli) {
    const { dataset, out, force, preset, format, stages, ...rest } = values;
    const { delimiter, lineEnds, decimal, bom, escapeFormulas, ...exportOptions } = rest;
    const csv = withoutUndefined({ delimiter, newline: lineEnds, decimal, bom, escapeFormulas });
    const { query, sort, partition, timeZone } = exportOptions;
    for (const [name, isSet] of Object.entries({ query: query !== '{}', sort: sort !== undefined }))
      if (stages !== undefined && isSet)
        throw invalidInput(`--${name} doesn’t work with --stages. Write it as a stage.`, { field: name });
    const bind = bindTyped({ query, sort, stages }, exportOptions);
    if (stages === undefined) refuseErrors({ kind: 'export', query, sort: sort ?? '' });
    const output = partition
      ? await parseFolder(out, 'out', { force, isMirror: false })
      : await parseOutput(out, 'out', { force, besides: (path) => [manifestOf(path)] });
    const { path } = output;
    return withConnection(cli, async (session) => {
      const { app, client, connection, options } = session;
      const bound = await bind(() => serviceNow(session, dataset));
      const aggregation =
        bound.stages === undefined ? undefined : ({ kind: 'pipeline', stages: bound.stages } as const);
      const { token: target } = partition
        ? app.files.grantFolder(output)
        : app.files.grantTarget(targetAt(path, force));
      const byPreset =
        preset &&
        presetOptions(preset, {
          timeZone: timeZone ?? 'UTC',
          units: preset === 'excel' ? await unitsOf(session, dataset) : {},
          decimal: decimal ?? '.',
        });
      const request = {
        connection,
        ...dataset,
        ...exportOptions,
        ...bound,
        aggregation,
        layout: byPreset?.layout,
        nullValues: exportOptions.nullValues ?? byPreset?.nullValues,
        timeZone: timeZone ?? byPreset?.timeZone,
        csv: { ...byPreset?.csv, ...csv },
        format: format ?? (partition ? 'parquet' : (formatOfFile(path) ?? byPreset?.format ?? 'csv')),
        target,
      };
      const { job, unfinished } = await client.export.start(request, options);
      cli.messages.say(`Job ${job} writes ${path}.`);
      if (unfinished !== undefined)
        cli.messages.say(
          `This starts from the first record. Job ${unfinished} wrote part of the same file and can be resumed: ${cli.resumeCommand(unfinished)}`,
        );
      return jobOutcome(session, cli, job);
    });
  },
});
