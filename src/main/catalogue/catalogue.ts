import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { company } from '../../shared/catalogue/catalogue.ts';
import type { Connection } from '../../shared/connections/connections.ts';
import type { calls } from '../../shared/contract/contract.ts';
import { dataset } from '../../shared/datasets/datasets.ts';
import { parseJson } from '../../shared/json.ts';
import { packWell } from '../../shared/wells/packed-wells.ts';
import { packedWell, platformEntity } from '../../shared/wells/wells.ts';
import { getDataset, listDatasets } from '../datasets/definitions.ts';
import type { RoomHandlers } from '../handlers.ts';
import type { CallOptions, Services } from '../services/services.ts';
import { checkFilter } from '../services/checks.ts';
import { toWell } from '../wells/well.ts';
import { browse } from './browse.ts';
import { companiesOf } from './companies.ts';
import type { Place } from './kept-list.ts';

export interface CatalogueDependencies {
  /** Where lists are kept, each connection's in a folder of its own. */
  readonly folder: string;
  readonly connection: (connectionId: string) => Connection;
  readonly services: (connectionId: string) => Services;
  readonly warn: (sentence: string) => void;
}

export interface Catalogue {
  readonly handlers: RoomHandlers<(typeof calls)['catalogue']>;
  /** Throws away what was kept of a connection, its marks too. */
  forget(connectionId: string): Promise<void>;
}

/**
 * What there is to choose from, kept on disk for each connection, so that it is there at once and also with no link.
 * The sample workspace is always at hand, and made anew at each start: nothing is kept of it.
 */
export function createCatalogue(by: CatalogueDependencies): Catalogue {
  const { folder, services, warn } = by;
  const placeOf = (id: string, name: string, more = ''): Place | null => {
    const { sample, dataUrl, platformUrl, email = '' } = by.connection(id);
    if (sample || !/^[\w-]{1,64}$/.test(id)) return null;
    return { path: join(folder, id, `${name}.ndjson`), of: [dataUrl, platformUrl, email, more].join(' ') };
  };
  const list = <T>(
    place: Place | null,
    item: z.ZodType<T>,
    ask: (options: CallOptions) => AsyncIterable<T[]>,
    signal: AbortSignal | undefined,
  ) => {
    const items = z.array(item);
    const carry = (text: string, at: T[] | null) => ({ items: at ?? items.parse(parseJson(text)) });
    return browse({ place, item, ask, carry, warn }, signal);
  };

  return {
    handlers: {
      async wells({ connection, filter }, { signal }) {
        const ask = async function* wells(options: CallOptions) {
          const { platform } = services(connection);
          for await (const part of platform.pages('wells', filter, options))
            yield part.map((entity) => packWell(toWell(entity)));
        };
        const place = isEmpty(filter) ? placeOf(connection, 'wells') : null;
        return browse({ place, item: packedWell, ask, carry: (text) => ({ text }), warn }, signal);
      },
      async entities({ connection, resource, filter }, { signal }) {
        const checked = checkFilter(resource, filter);
        const ask = later((options) => services(connection).platform.pages(resource, checked, options));
        const place = isEmpty(filter) ? placeOf(connection, resource) : null;
        return list(place, platformEntity, ask, signal);
      },
      async companies({ connection }, { signal }) {
        const ask = once((options) => companiesOf(services(connection).data, options));
        return list(placeOf(connection, 'companies'), company, ask, signal);
      },
      async datasets({ connection }, { signal }) {
        const ask = once((options) => listDatasets(services(connection).data, {}, options));
        return list(placeOf(connection, 'datasets'), dataset, ask, signal);
      },
      async dataset({ connection, ...address }, { signal }) {
        const ask = once(async (options) => [await getDataset(services(connection).data, address, options)]);
        const said = `${address.provider}/${address.dataset}`;
        const name = `dataset-${createHash('sha256').update(said).digest('hex').slice(0, 24)}`;
        return list(placeOf(connection, name, said), dataset, ask, signal);
      },
    },
    async forget(connectionId) {
      const place = /^[\w-]{1,64}$/.test(connectionId) ? join(folder, connectionId) : null;
      if (place) await rm(place, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

const isEmpty = (filter: object): boolean => Object.keys(filter).length === 0;

/** A list that comes in one piece. */
const once = <T>(ask: (options: CallOptions) => Promise<T[]>) =>
  async function* whole(options: CallOptions): AsyncGenerator<T[]> {
    yield await ask(options);
  };

/** Asks when the list is read, so that what can't be asked fails there, behind what was kept. */
const later = <T>(ask: (options: CallOptions) => AsyncIterable<T[]>) =>
  async function* read(options: CallOptions): AsyncGenerator<T[]> {
    yield* ask(options);
  };
