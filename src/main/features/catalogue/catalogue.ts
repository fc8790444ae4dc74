import * as z from 'zod';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { company } from '../../../shared/catalogue/catalogue.ts';
import type { Connection } from '../../../shared/connections/connections.ts';
import type { calls } from '../../../shared/contract/contract.ts';
import { dataset } from '../../../shared/datasets/datasets.ts';
import { parseJson } from '../../../shared/json.ts';
import { packWell } from '../../../shared/wells/packed-wells.ts';
import { packedWell, platformEntity } from '../../../shared/wells/wells.ts';
import { listCompanies } from '../../core/datasets/companies.ts';
import { getDataset, listDatasets } from '../../core/datasets/definitions.ts';
import type { ModuleHandlers } from '../../core/handlers.ts';
import type { CallOptions, Services } from '../../core/wire/services/services.ts';
import { checkFilter } from '../../core/wire/services/checks.ts';
import { toWell } from '../../core/wells/well.ts';
import { browse } from './browse.ts';
import type { CachePlace } from './cached-list.ts';
import { rm } from '../../world/files.ts';

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
 * and offline. The sample workspace isn't cached: it is always available and created at each start.
 */
export function createCatalogue({
  folder,
  connection: connectionOf,
  services,
  warn,
}: CatalogueDependencies): Catalogue {
  const placeOf = (id: string, name: string, more = ''): CachePlace | null => {
    const { sample, dataUrl, platformUrl, email = '' } = connectionOf(id);
    if (sample || !plainId.test(id)) return null;
    return { path: join(folder, id, `${name}.ndjson`), of: [dataUrl, platformUrl, email, more].join(' ') };
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
      if (plainId.test(connectionId))
        await rm(join(folder, connectionId), { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** Ids that are names of folders; lists of others aren't cached. */
const plainId = /^[\w-]{1,64}$/;

const isEmpty = (filter: object): boolean => Object.keys(filter).length === 0;

/** Wraps a list that isn't paged. */
const singlePart = <T>(requestParts: (options: CallOptions) => Promise<T[]>) =>
  async function* parts(options: CallOptions): AsyncGenerator<T[]> {
    yield await requestParts(options);
  };
