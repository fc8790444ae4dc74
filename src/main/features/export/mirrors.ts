import { createHash } from 'node:crypto';
import { basename, resolve } from 'node:path';
import * as z from 'zod';
import type { calls } from '../../../shared/contract/contract.ts';
import { invalidInput } from '../../../shared/errors/errors.ts';
import { exportRequest, mirrorOptions } from '../../../shared/export/export.ts';
import { jobId } from '../../../shared/jobs/jobs.ts';
import type { Mirror } from '../../../shared/contract/export.ts';
import type { ExportDependencies } from './export.ts';
import { readLastRun } from '../../core/write/write.ts';
import { appErrorFrom } from '../../core/files/file-errors.ts';
import type { Files } from '../../core/files/files.ts';
import { listReader, openSharedFile } from '../../core/files/shared-file.ts';
import type { Handler, ModuleHandlers } from '../../core/handlers.ts';

const format = 1;
/** Maximum number of listed mirrors; the oldest is dropped. */
const maxMirrors = 200;

const storedMirror = z.object({
  path: z.string(),
  connectionName: z.string(),
  job: jobId,
  request: exportRequest.omit({ target: true }).required({ partition: true }),
});
type StoredMirror = z.infer<typeof storedMirror>;

interface MirrorsDependencies {
  readonly dataFolder: string;
  readonly files: Pick<Files, 'grantFolder'>;
  readonly warn: (sentence: string) => void;
}

/** A path identifies a mirror; the window gets a digest of it instead. */
const idOf = ({ path }: Pick<StoredMirror, 'path'>): string =>
  createHash('sha256').update(path).digest('hex').slice(0, 12);

/** The update options of a folder that was exported without any. */
const noOptions = mirrorOptions.parse({});

async function contentOf({ path, request }: StoredMirror): Promise<Pick<Mirror, 'content' | 'problem'>> {
  try {
    const last = await readLastRun(path);
    const content = last && {
      ...last.run,
      verified: request.mirror ? last.run.verified : null,
      updated: new Date(last.timestamp).toISOString(),
    };
    return { content, problem: null };
  } catch (error) {
    return { content: null, problem: appErrorFrom(error).toBody() };
  }
}

/** The folders that exports wrote on this computer: `<data>/mirrors.json`. What they contain is in their logs. */
export function createMirrors({ dataFolder, files, warn }: MirrorsDependencies) {
  const { locked, read, write } = openSharedFile<readonly StoredMirror[]>({
    dataFolder,
    name: 'mirrors',
    format,
    nothing: [],
    read: listReader('mirrors', storedMirror),
    what: 'mirrors',
    warn,
  });

  const keepFolder: ExportDependencies['keepFolder'] = ({ path: given, connectionName, job, request }) => {
    const path = resolve(given);
    const { partition = [], ...rest } = request;
    const kept = storedMirror.parse({ path, connectionName, job, request: { ...rest, partition } });
    // The job runs without its place in the list.
    return locked(async (now) => {
      const otherMirrors = now.filter((entry) => entry.path !== path);
      await write({ mirrors: [kept, ...otherMirrors].slice(0, maxMirrors) });
    }).catch((error: unknown) => warn(appErrorFrom(error).message));
  };

  async function toMirror(stored: StoredMirror): Promise<Mirror> {
    const { path, connectionName, job, request } = stored;
    const { connection, provider, dataset, partition, mirror = noOptions } = request;
    const name = basename(path);
    return {
      id: idOf(stored),
      folder: files.grantFolder({ path, name }).token,
      name,
      connection: { id: connection, name: connectionName },
      provider,
      dataset,
      partition,
      overlapMs: mirror.overlapMs,
      job,
      ...(await contentOf(stored)),
    };
  }

  const handlers = (
    start: Handler<(typeof calls)['export']['start']>,
  ): ModuleHandlers<(typeof calls)['mirrors']> => ({
    list: async () => Promise.all((await read()).map(toMirror)),
    async update({ mirror }, context) {
      const stored = (await read()).find((entry) => idOf(entry) === mirror);
      if (!stored) throw invalidInput('The mirror is no longer in the list. Add it again.');
      const { path, request } = stored;
      const { token: target } = files.grantFolder({ path, name: basename(path) });
      return start({ ...request, mirror: request.mirror ?? noOptions, target }, context);
    },
    async remove({ mirror }) {
      await locked(async (now) => write({ mirrors: now.filter((entry) => idOf(entry) !== mirror) }));
      return {};
    },
  });

  return {
    keepFolder,
    handlers,
    /** The job that wrote a folder last; null: none on this computer. */
    async jobOf(path: string): Promise<string | null> {
      return (await read()).find((entry) => entry.path === resolve(path))?.job ?? null;
    },
  };
}
