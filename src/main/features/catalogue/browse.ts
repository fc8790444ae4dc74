import type * as z from 'zod';
import type { CatalogueEvent } from '../../../shared/catalogue/catalogue.ts';
import { renameFile } from '../../core/files/disk.ts';
import type { CallOptions } from '../../core/wire/services/services.ts';
import {
  DamagedList,
  formOf,
  CachedListWriter,
  readCachedList,
  type CachedList,
  type CachePlace,
} from './cached-list.ts';
import { wallMs } from '../../world/time.ts';

/** Number of tries when a cached list is available, so the user doesn't wait for the service. */
const maxTriesWithCache = 2;

export interface BrowseOptions<T, Carried> {
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

export type ItemForm<Carried> =
  | Exclude<CatalogueEvent<never>, { kind: 'items' }>
  | ({ readonly kind: 'items'; readonly source: 'kept' | 'service' } & Carried);

/**
 * Yields the cached list at once, then the service's, which is cached. An unchanged list isn't repeated.
 * @throws AppError of the service
 */
export async function* browse<T, Carried>(
  options: BrowseOptions<T, Carried>,
  signal: AbortSignal | undefined,
): AsyncGenerator<ItemForm<Carried>> {
  const { cachePlace, item, requestParts, itemForm, warn } = options;
  const form = formOf(item);
  const before = cachePlace ? yield* readCached(options, cachePlace, form) : null;
  const newList = new CachedListWriter(cachePlace?.of ?? '', form, new Date(wallMs()).toISOString());
  const parts: Carried[] = [];
  for await (const items of requestParts(before ? { signal, maxTries: maxTriesWithCache } : { signal })) {
    const part = itemForm(newList.add(items), items);
    // A partial list would replace a complete cached one.
    if (before) parts.push(part);
    else yield { kind: 'items', source: 'service', ...part };
  }
  const { asOf, digest } = newList.finish();
  if (cachePlace) {
    await newList.write(cachePlace.path).catch((error: unknown) => {
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
