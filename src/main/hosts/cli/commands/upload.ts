import * as z from 'zod';
import { isAppError } from '../../../../shared/errors/errors.ts';
import { sourceAt } from '../../../core/files/files.ts';
import { command, flag, option, withConnection } from '../command.ts';
import { jobOutcome, sayResume } from '../jobs/outcome.ts';
import { readMapping } from '../mapping-file.ts';
import { fileArgument, forceOption, parseOutput, readingOf, readingOptions } from '../file-options.ts';
import { concurrencyOption, datasetArgument, decimal, path, whole } from '../options.ts';
import { mappingWithWell, wellOption } from '../wells-of-file.ts';

/** `upload P/D FILE`: uploads the rows of a file as records, as a job. */
export const upload = command({
  arguments: { ...datasetArgument, ...fileArgument },
  options: {
    ...forceOption('rejects file'),
    mapping: option(path.optional(), '<file>', 'mapping file; default: by column name'),
    ...wellOption,
    dryRun: flag('validate the whole file without inserting'),
    existing: option(
      z.enum(['skip', 'insert']).optional(),
      '<what>',
      'skip or insert rows that already exist; default: skip',
    ),
    again: flag(
      'upload the file even if an earlier upload of it can be resumed; rows that it stored are skipped, or with --existing insert stored twice',
    ),
    settle: option(
      decimal.optional(),
      '<seconds>',
      'seconds between two reads that must both miss an unknown row before it is resent; default: 10. If the service stores the first copy even later, the row is duplicated',
    ),
    ...concurrencyOption,
    rejects: option(
      z.string().optional(),
      '<file>',
      'file for rejected rows; must not exist, unless you add --force',
    ),
    maxRejected: option(whole.optional(), '<n>', 'stop after this many rejected rows'),
    ...readingOptions,
  },
  async run(values, cli) {
    const { dataset, file, mapping: mappingFile, well, settle, rejects, force } = values;
    const { dryRun, existing, again, concurrency, maxRejected } = values;
    const reading = readingOf(values);
    const inputs = [file, ...(mappingFile === undefined ? [] : [mappingFile])];
    // undefined: rejected rows are written to the job's folder.
    const output =
      rejects === undefined ? undefined : await parseOutput(rejects, 'rejects', { force, inputs });
    return withConnection(cli, async (session) => {
      const { app, client, connection, options } = session;
      const { token: source } = await app.files.grantSource(sourceAt(file));
      const mapping = mappingFile === undefined ? null : await readMapping(mappingFile);
      const columns = { source, reading, address: dataset, mapping };
      const request = {
        connection,
        ...dataset,
        source,
        reading,
        mapping: well === undefined ? mapping : await mappingWithWell(session, well, columns),
        dryRun,
        existing,
        again,
        settleSeconds: settle,
        concurrency,
        rejects: output && app.files.grantTarget(output).token,
        maxRejected,
      };
      const { job } = await client.upload.start(request, options).catch((error: unknown) => {
        if (isAppError(error, 'upload_repeated')) sayResume(error, null, cli);
        throw error;
      });
      cli.messages.say(`Job ${job} ${dryRun ? 'validates' : 'inserts the rows of'} ${file}.`);
      return jobOutcome(session, cli, job);
    });
  },
});
