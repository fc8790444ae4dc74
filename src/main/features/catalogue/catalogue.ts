import * as z from 'zod';
import { createHash } from 'node:crypto';
import { join, dirname } from 'node:path';
import { company, type CatalogueEvent } from '../../../shared/contract/catalogue.ts';
import type { Connection } from '../../../shared/connections/connections.ts';
import type { calls } from '../../../shared/contract/contract.ts';
import { dataset } from '../../../shared/datasets/datasets.ts';
import { plainId } from '../../../shared/files/files.ts';
import { parseJson, stringifyJson } from '../../../shared/json.ts';
import { packWell } from '../../../shared/wells/packed-wells.ts';
import { packedWell, platformEntity } from '../../../shared/wells/wells.ts';
import { listCompanies } from '../../core/datasets/companies.ts';
import { getDataset, listDatasets } from '../../core/datasets/definitions.ts';
import type { ModuleHandlers } from '../../core/handlers.ts';
import type { CallOptions, Services } from '../../core/wire/services/services.ts';
import { checkFilter } from '../../core/wire/services/platform.ts';
import { toWell } from '../../core/wells/well.ts';
import { rm, createReadStream, mkdir } from '../../world/files.ts';
import { renameFile, writeWhole } from '../../core/files/disk.ts';
import { wallMs } from '../../world/time.ts';
import { createInterface } from 'node:readline';
import { isMissing } from '../../core/files/file-errors.ts';

/** A cached list: a head line, lines of items, and a last line that marks it complete. */
const format = 2;
const head = z.object({ format: z.literal(format), of: z.string(), form: z.string(), asOf: z.string() });
const foot = z.object({ digest: z.string() });

/** A cached list without its items. */
interface CachedList {
  /** When the service was queried: ISO 8601, UTC. */
  readonly asOf: string;
  /** The same for the same items in the same parts. */
  readonly digest: string;
}

class DamagedList extends Error {
  override readonly name = 'DamagedList';
}

/** Where a list is cached, and its source: addresses and credentials, so that another source's list isn't used. */
interface CachePlace {
  readonly path: string;
  readonly of: string;
}

/** Identifies the form of items; a list of another form isn't used. */
function formOf(item: z.ZodType): string {
  const schema = z.toJSONSchema(item, { io: 'output', unrepresentable: 'any' });
  return createHash('sha256').update(JSON.stringify(schema)).digest('hex').slice(0, 16);
}

/**
 * Reads a cached list: each part as JSON text of its items, in order. The items need no validation: the
 * digest proves that they are unchanged, the head has their form.
 * @returns null without a list of this source and form
 * @throws DamagedList when it has changed
 */
async function readCachedList(
  { path, of }: CachePlace,
  form: string,
): Promise<(CachedList & { readonly parts: readonly string[] }) | null> {
  const digest = createHash('sha256');
  let asOf: string | null = null;
  const parts: string[] = [];
  const file = createReadStream(path, 'utf8');
  const lines = createInterface({ input: file, crlfDelay: Infinity });
  try {
    for await (const line of lines) {
      if (asOf === null) {
        const value = parseLine(line);
        const parsedHead = head.safeParse(value);
        if (!parsedHead.success && !z.object({ format: z.int() }).safeParse(value).success)
          throw new DamagedList('it isn’t a stored list');
        if (!parsedHead.success || parsedHead.data.of !== of || parsedHead.data.form !== form) return null;
        asOf = parsedHead.data.asOf;
        continue;
      }
      if (line.startsWith('[')) {
        digest.update(line).update('\n');
        parts.push(line);
        continue;
      }
      const end = foot.safeParse(parseLine(line));
      const digestText = digest.digest('hex');
      if (!end.success || end.data.digest !== digestText) throw new DamagedList('its checksum doesn’t match');
      return { asOf, digest: digestText, parts };
    }
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  } finally {
    lines.close();
    file.destroy();
  }
  throw new DamagedList('it is cut off');
}

/** Writes the lines of a cached list, which replaces the old one completely or not at all. */
async function writeList(path: string, lines: readonly string[]): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeWhole(
    path,
    lines.values().map((line) => `${line}\n`),
  );
}

function parseLine(line: string): unknown {
  try {
    return parseJson(line);
  } catch {
    throw new DamagedList('a line isn’t JSON');
  }
}

/** Number of tries when a cached list is available, so the user doesn't wait for the service. */
const maxTriesWithCache = 2;

interface BrowseOptions<T, Carried> {
  /** Where the list is cached; null: it isn't. */
  readonly cachePlace: CachePlace | null;
  readonly item: z.ZodType<T>;
  /** Requests the list from the service, in parts. */
  readonly requestParts: (options: CallOptions) => AsyncIterable<T[]>;
  /** The form of items in events: JSON text of a part, or the items. */
  readonly itemForm: (text: string, items: T[] | null) => Carried;
  /** Called when the list can't be cached; the list itself isn't affected. */
  readonly warn: (sentence: string) => void;
}

type ItemForm<Carried> =
  | Exclude<CatalogueEvent<never>, { kind: 'items' }>
  | ({ readonly kind: 'items'; readonly source: 'kept' | 'service' } & Carried);

/**
 * Yields the cached list at once, then the service's, which is cached. An unchanged list isn't repeated.
 * @throws AppError of the service
 */
async function* browse<T, Carried>(
  options: BrowseOptions<T, Carried>,
  signal: AbortSignal | undefined,
): AsyncGenerator<ItemForm<Carried>> {
  const { cachePlace, item, requestParts, itemForm, warn } = options;
  const form = formOf(item);
  const before = cachePlace ? yield* readCached(options, cachePlace, form) : null;
  const asOf = new Date(wallMs()).toISOString();
  const lines = [JSON.stringify({ format, of: cachePlace?.of, form, asOf })];
  const hash = createHash('sha256');
  const parts: Carried[] = [];
  for await (const items of requestParts(before ? { signal, maxTries: maxTriesWithCache } : { signal })) {
    const line = stringifyJson(items);
    lines.push(line);
    hash.update(line).update('\n');
    const part = itemForm(line, items);
    // A partial list would replace a complete cached one.
    if (before) parts.push(part);
    else yield { kind: 'items', source: 'service', ...part };
  }
  const digest = hash.digest('hex');
  if (cachePlace) {
    lines.push(JSON.stringify({ digest }));
    await writeList(cachePlace.path, lines).catch((error: unknown) => {
      warn(`A list couldn't be stored for offline use: ${String(error)}`);
    });
  }
  if (before?.digest === digest) {
    yield { kind: 'same', asOf };
    return;
  }
  for (const part of parts) yield { kind: 'items', source: 'service', ...part };
  yield { kind: 'whole', source: 'service', asOf };
}

async function* readCached<T, Carried>(
  { itemForm, warn }: BrowseOptions<T, Carried>,
  cachePlace: CachePlace,
  form: string,
): AsyncGenerator<ItemForm<Carried>, CachedList | null> {
  try {
    const cached = await readCachedList(cachePlace, form);
    if (!cached) return null;
    for (const text of cached.parts) yield { kind: 'items', source: 'kept', ...itemForm(text, null) };
    yield { kind: 'whole', source: 'kept', asOf: cached.asOf };
    return cached;
  } catch (error) {
    yield { kind: 'damaged' };
    if (error instanceof DamagedList) {
      const damagedPath = `${cachePlace.path}.damaged`;
      await renameFile(cachePlace.path, damagedPath).catch(() => undefined);
      warn(`A stored list couldn't be read (${error.message}) and was set aside as ${damagedPath}.`);
    } else warn(`A stored list couldn't be read: ${String(error)}`);
    return null;
  }
}

export interface CatalogueDependencies {
  /** Root folder of cached lists, with one folder for each connection. */
  readonly folder: string;
  readonly connection: (connectionId: string) => Connection;
  readonly services: (connectionId: string) => Services;
  readonly warn: (sentence: string) => void;
}

export interface Catalogue {
  readonly handlers: ModuleHandlers<(typeof calls)['catalogue']>;
  /** Removes the cached lists and marks of a connection. */
  removeConnection(connectionId: string): Promise<void>;
}

/**
 * Lists of wells, companies, and datasets, cached on disk for each connection, so they are available at once
 * and offline. The sample workspace isn't cached: it is always available and created at each start. Nor is a connection
 * whose id can't be the name of a folder.
 */
export function createCatalogue({
  folder,
  connection: connectionOf,
  services,
  warn,
}: CatalogueDependencies): Catalogue {
  const placeOf = (id: string, name: string, more = ''): CachePlace | null => {
    const { sample, dataUrl, platformUrl, email = '', replacedAt } = connectionOf(id);
    if (sample || !plainId.safeParse(id).success) return null;
    return {
      path: join(folder, id, `${name}.ndjson`),
      of: [dataUrl, platformUrl, email, more, ...(replacedAt === undefined ? [] : [replacedAt])].join(' '),
    };
  };
  const list = <T>(
    cachePlace: CachePlace | null,
    item: z.ZodType<T>,
    requestParts: (options: CallOptions) => AsyncIterable<T[]>,
    signal: AbortSignal | undefined,
  ) => {
    const items = z.array(item);
    const itemForm = (text: string, at: T[] | null) => ({ items: at ?? items.parse(parseJson(text)) });
    return browse({ cachePlace, item, requestParts, itemForm, warn }, signal);
  };

  return {
    handlers: {
      async wells({ connection, filter }, { signal }) {
        const requestParts = async function* wells(options: CallOptions) {
          const { platform } = services(connection);
          for await (const part of platform.pages('wells', filter, options))
            yield part.map((entity) => packWell(toWell(entity)));
        };
        const cachePlace = isEmpty(filter) ? placeOf(connection, 'wells') : null;
        return browse(
          { cachePlace, item: packedWell, requestParts, itemForm: (text) => ({ text }), warn },
          signal,
        );
      },
      async entities({ connection, resource, filter }, { signal }) {
        const checkedFilter = checkFilter(resource, filter);
        // Requested when it is read, so that an error comes after the cached part.
        const requestParts = async function* entities(options: CallOptions) {
          yield* services(connection).platform.pages(resource, checkedFilter, options);
        };
        const place = isEmpty(filter) ? placeOf(connection, resource) : null;
        return list(place, platformEntity, requestParts, signal);
      },
      async companies({ connection }, { signal }) {
        const requestParts = singlePart((options) => listCompanies(services(connection).data, options));
        return list(placeOf(connection, 'companies'), company, requestParts, signal);
      },
      async datasets({ connection }, { signal }) {
        const requestParts = singlePart((options) => listDatasets(services(connection).data, {}, options));
        return list(placeOf(connection, 'datasets'), dataset, requestParts, signal);
      },
      async dataset({ connection, ...address }, { signal }) {
        const requestParts = singlePart(async (options) => [
          await getDataset(services(connection).data, address, options),
        ]);
        const datasetName = `${address.provider}/${address.dataset}`;
        const name = `dataset-${createHash('sha256').update(datasetName).digest('hex').slice(0, 24)}`;
        return list(placeOf(connection, name, datasetName), dataset, requestParts, signal);
      },
    },
    async removeConnection(connectionId) {
      if (plainId.safeParse(connectionId).success)
        await rm(join(folder, connectionId), { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

const isEmpty = (filter: object): boolean => Object.keys(filter).length === 0;

/** Wraps a list that isn't paged. */
const singlePart = <T>(requestParts: (options: CallOptions) => Promise<T[]>) =>
  async function* parts(options: CallOptions): AsyncGenerator<T[]> {
    yield await requestParts(options);
  };
