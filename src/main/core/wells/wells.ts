import type { calls } from '../../../shared/contract/contract.ts';
import { AppError } from '../../../shared/errors/errors.ts';
import type { ModuleHandlers } from '../handlers.ts';
import type { Services, CallOptions, PlatformService } from '../wire/services/services.ts';
import { join } from 'node:path';
import {
  noMarks,
  withMarks,
  wellMarks,
  type WellMarks,
  type WellMarksChange,
  type PlatformEntity,
  type Well,
  apiDigits,
  isApiNumber,
} from '../../../shared/wells/wells.ts';
import type { ResolvedName } from '../../../shared/contract/catalogue.ts';
import { renameFile, writeWhole } from '../files/disk.ts';
import { withFileLock } from '../files/lock.ts';
import { createQueue } from '../queue.ts';
import { readOwnText } from '../files/regular-file.ts';
import { plainId } from '../../../shared/files/files.ts';
import { jsonOrNull } from '../../../shared/json.ts';
import { runForEach } from '../../../shared/lists.ts';
import { wellsByApiNumber } from './api-numbers.ts';
import { toWell } from './well.ts';
import { mkdir } from '../../world/files.ts';

/** The marks of wells for each connection: a small file beside its catalogue. */
export type MarkStore = ReturnType<typeof openMarks>;

/** How long another process may be busy with the marks, in milliseconds. */
const patienceMs = 10_000;

/** @param folder has a folder for each connection, removed with the connection */
export function openMarks(folder: string) {
  // The id is a folder name; marks of an invalid id aren't saved.
  const placeOf = (id: string): string | null => (plainId.safeParse(id).success ? join(folder, id) : null);
  async function stored(place: string): Promise<WellMarks> {
    const path = join(place, 'marks.json');
    const text = await readOwnText(path, 'marks.json');
    if (text === null) return noMarks;
    const marks = wellMarks.safeParse(jsonOrNull(text)).data;
    // They are a convenience: damaged ones are set aside, and the list does without.
    if (!marks) await renameFile(path, `${path}.damaged`).catch(() => undefined);
    return marks ?? noMarks;
  }
  // Not in the folder of a connection, which is removed with it.
  const lock = join(folder, 'marks.lock');
  const reason = 'another process is changing it';
  const busy = () => new AppError('file_unwritable', { file: 'marks.json', reason, isBusy: true });
  const queue = createQueue();
  return {
    /** Marks that can't be read now, such as while a virus scanner has the file, are left as they are. */
    async read(connection: string): Promise<WellMarks> {
      const place = placeOf(connection);
      return place === null ? noMarks : stored(place).catch(() => noMarks);
    },
    /**
     * Changes the stored marks, in order, while no other process does.
     * @throws AppError `file_unwritable` when the lock isn’t released in time; `file_unreadable`
     * @throws what the file system refuses
     */
    async change(connection: string, changes: readonly WellMarksChange[]): Promise<WellMarks> {
      const place = placeOf(connection);
      if (place === null) return changes.reduce(withMarks, noMarks);
      return queue(() =>
        withFileLock(lock, patienceMs, busy, async () => {
          const changed = wellMarks.parse(changes.reduce(withMarks, await stored(place)));
          await mkdir(place, { recursive: true, mode: 0o700 });
          await writeWhole(join(place, 'marks.json'), JSON.stringify(changed));
          return changed;
        }),
      );
    },
  };
}

export interface WellsDependencies {
  readonly services: (connectionId: string) => Services;
  readonly marks: MarkStore;
}

/** Handlers for names and marks of wells. */
export function createWells({ services, marks }: WellsDependencies): ModuleHandlers<(typeof calls)['wells']> {
  return {
    resolve: async ({ connection, names }, { signal }) =>
      resolveNames(services(connection).platform, names, { signal }),
    marks: async ({ connection }) => marks.read(connection),
    mark: async ({ connection, changes }) => marks.change(connection, changes),
  };
}

/** How many names are looked up at the same time, and how many numbers in one request. */
const atOnce = 4;
const inOneRequest = 50;
/** Maximum number of candidates for one name. */
const maxOffered = 25;

const isNumber = (name: string): boolean => /^(?:0|[1-9]\d{0,8})$/.test(name);
const isSameName = (a: string | null, b: string): boolean =>
  a !== null && a.trim().toLocaleLowerCase() === b.trim().toLocaleLowerCase();

/**
 * Resolves names, API numbers, and asset ids. An API number is matched exactly, without dashes, else by its
 * first digits, as far as the shorter one of both says; a name must be the well's name. A number of up to nine digits
 * without zeros before it is an asset id, else a name, never the platform's id of a well (specification, section 1.4).
 * @throws AppError of the platform service
 */
export async function resolveNames(
  platform: PlatformService,
  names: readonly string[],
  options: CallOptions,
): Promise<ResolvedName[]> {
  const distinct = [...new Set(names)];
  const wellsByName = new Map<string, Well[]>();
  const numbers = distinct.filter(isApiNumber);
  for (let from = 0; from < numbers.length; from += inOneRequest) {
    const part = numbers.slice(from, from + inOneRequest);
    for (const [name, wells] of await byApiNumbers(platform, part, options)) wellsByName.set(name, wells);
  }
  const left = distinct.filter((name) => !wellsByName.has(name));
  await runForEach(left, atOnce, async (name) => {
    wellsByName.set(name, await byName(platform, name, options));
  });
  return names.map((name) => ({ name, wells: wellsByName.get(name) ?? [] }));
}

/** The wells with exactly these API numbers; names without one are skipped. */
async function byApiNumbers(
  platform: PlatformService,
  names: readonly string[],
  options: CallOptions,
): Promise<Map<string, Well[]>> {
  const assets = await platform.list(
    'assets',
    { types: ['well'], api_number: names.map(apiDigits) },
    options,
  );
  const wells = await wellsOfAssets(platform, assets, options);
  const groups = new Map<string, Well[]>();
  for (const name of names) {
    const exact = wells.filter(
      ({ apiNumber }) => apiNumber !== null && apiDigits(apiNumber) === apiDigits(name),
    );
    if (exact.length > 0) groups.set(name, exact);
  }
  return groups;
}

async function byName(platform: PlatformService, name: string, options: CallOptions): Promise<Well[]> {
  if (isApiNumber(name)) {
    const { matching } = await wellsByApiNumber(platform, name, options);
    const assets = matching.map(({ asset }) => asset);
    return (await wellsOfAssets(platform, assets, options)).slice(0, maxOffered);
  }
  if (isNumber(name)) {
    // Only the first page: a service that ignores the filter sends all wells.
    const page = await platform.pages('wells', { asset_id: [Number(name)] }, options).next();
    const wells = page.done ? [] : page.value.map(toWell).filter(({ assetId }) => assetId === Number(name));
    if (wells.length > 0) return wells.slice(0, maxOffered);
  }
  const wells = (await platform.list('wells', { search: name.trim() }, options)).map(toWell);
  const exact = wells.filter((well) => isSameName(well.name, name) || isSameName(well.identifier, name));
  return exact.slice(0, maxOffered);
}

/** An asset's id is the asset id of its well. */
async function wellsOfAssets(
  platform: PlatformService,
  assets: readonly PlatformEntity[],
  options: CallOptions,
): Promise<Well[]> {
  const ids = new Set(assets.map(({ id }) => id));
  if (ids.size === 0) return [];
  const wells = await platform.list('wells', { asset_id: [...ids] }, options);
  // A service that doesn't support the filter returns all of them.
  return wells.map(toWell).filter(({ assetId }) => assetId !== null && ids.has(assetId));
}
