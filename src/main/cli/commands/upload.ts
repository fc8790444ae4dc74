import { resolve } from 'node:path';
import { Option, type Command } from 'commander';
import * as z from 'zod';
import type { ReadingOptions } from '../../../shared/upload/upload.ts';
import type { Job } from '../../../shared/jobs/jobs.ts';
import { sourceAt, type TargetPlace } from '../../files/files.ts';
import type { Cli } from '../context.ts';
import {
  addForceOption,
  addReadingOptions,
  decimal,
  forceOption,
  parseAddress,
  parseOptions,
  parsePath,
  parseOutput,
  parseReading,
  whole,
} from '../options.ts';
import { followJob } from '../jobs/follow.ts';
import { jobOutcome } from '../jobs/outcome.ts';
import { readMapping } from '../mapping-file.ts';
import { mappingWithWell, wellOption } from '../wells-of-file.ts';
import { withConnection, type ConnectedSession } from '../session.ts';

const typedOptions = z.object({
  mapping: z.string().optional(),
  well: wellOption.optional(),
  dryRun: z.boolean().default(false),
  existing: z.enum(['skip', 'insert']).optional(),
  settle: decimal.optional(),
  concurrency: whole.optional(),
  rejects: z.string().optional(),
  ...forceOption,
  maxRejected: whole.optional(),
});
type Typed = Omit<z.infer<typeof typedOptions>, 'rejects' | 'force'>;

interface Wanted {
  readonly dataset: string;
  readonly file: string;
  readonly reading: ReadingOptions;
  readonly typed: Typed;
  /** Where rejected rows are written; undefined: in the job's folder. */
  readonly output: TargetPlace | undefined;
}

/** Starts the job and follows it until it stops. */
async function upload(
  session: ConnectedSession,
  cli: Cli,
  { dataset, file, reading, typed, output }: Wanted,
): Promise<Job> {
  const { app, client, connection, options } = session;
  const { mapping: mappingFile, well, settle: settleSeconds, ...uploadOptions } = typed;
  const { token: source } = await app.files.grantSource(sourceAt(parsePath(file, 'file')));
  const address = parseAddress(dataset);
  const mapping = mappingFile === undefined ? null : await readMapping(parsePath(mappingFile, 'mapping'));
  const uploaded = { source, reading, address, mapping };
  const request = {
    ...uploadOptions,
    ...address,
    connection,
    source,
    reading,
    settleSeconds,
    mapping: well === undefined ? mapping : await mappingWithWell(session, well, uploaded),
    rejects: output && app.files.grantTarget(output).token,
  };
  const { job } = await client.upload.start(request, options);
  cli.messages.say(`Job ${job} ${uploadOptions.dryRun ? 'validates' : 'inserts the rows of'} ${file}.`);
  return followJob(session, cli, job);
}

function addUploadOptions(command: Command): Command {
  return addForceOption(command, 'rejects file')
    .option('--mapping <file>', 'mapping file; default: by column name')
    .option('--well <id>', 'asset ID of the well of all rows; header: the well that the file header names')
    .option('--dry-run', 'validate the whole file, insert nothing')
    .addOption(
      new Option('--existing <what>', 'what to do with rows that already exist; default: skip').choices([
        'skip',
        'insert',
      ]),
    )
    .option(
      '--settle <seconds>',
      'seconds between two reads that must both miss an unknown row before it is resent; default: 10. If the service stores the first copy even later, the row is duplicated',
    )
    .option('--concurrency <n>', 'concurrent requests, 1 to 16')
    .option('--rejects <file>', 'file for rejected rows; must not exist, unless you add --force')
    .option('--max-rejected <n>', 'stop after this many rejected rows');
}

/** `upload P/D FILE`: uploads the rows of a file as records, as a job. */
export function define(command: Command, cli: Cli): void {
  command
    .argument('<dataset>', 'provider/dataset')
    .argument('<file>', 'a CSV, Excel, LAS, WITSML, Parquet, or JSON file, or a text table');
  addReadingOptions(addUploadOptions(command)).action(
    cli.run(async (dataset: string, file: string, raw: unknown) => {
      parseAddress(dataset);
      const { rejects, force, ...typed } = parseOptions(typedOptions, raw);
      const inputs = [file, typed.mapping].filter((path) => path !== undefined).map((path) => resolve(path));
      const wanted: Wanted = {
        dataset,
        file,
        reading: parseReading(raw),
        typed,
        output: rejects === undefined ? undefined : await parseOutput(rejects, 'rejects', { force, inputs }),
      };
      return withConnection(cli, async (session) =>
        jobOutcome(await upload(session, cli, wanted), session.app.files, cli),
      );
    }),
  );
}
