import type * as z from 'zod';
import type { CatalogueEvent } from '../../shared/catalogue.ts';
import { renameFile } from '../files/disk.ts';
import type { CallOptions } from '../services/services.ts';
import { DamagedList, ListToKeep, readKept, type Kept, type Place } from './kept-list.ts';

/** How often a service is asked when there is a kept list to go on with: the person is not to wait for the truth. */
const triesBehind = 2;

export interface Browsed<T> {
  /** Where the list is kept; null: it is not. */
  readonly place: Place | null;
  readonly item: z.ZodType<T>;
  /** Asks the service, part by part. */
  readonly ask: (options: CallOptions) => AsyncIterable<T[]>;
  /** Told what went wrong with keeping, in a sentence; the list itself does not suffer from it. */
  readonly warn: (sentence: string) => void;
}

/**
 * What was kept of a list, at once, then what the service says; that is kept in turn. A list that is the same as
 * before does not come again.
 * @throws AppError what the service throws
 */
export async function* browse<T>(
  browsed: Browsed<T>,
  signal: AbortSignal | undefined,
): AsyncGenerator<CatalogueEvent<T>> {
  const { place, ask } = browsed;
  const before = place ? yield* keptOf(browsed, place) : null;
  const fresh = new ListToKeep(place?.of ?? '', new Date().toISOString());
  const parts: T[][] = [];
  for await (const items of ask(before ? { signal, tries: triesBehind } : { signal })) {
    fresh.add(items);
    // Beside a whole list that is seen already, a half one would be a step back.
    if (before) parts.push(items);
    else yield { kind: 'items', source: 'service', items };
  }
  const { asOf, digest } = fresh.finish();
  if (place) {
    await fresh.write(place.path).catch((error: unknown) => {
      browsed.warn(`A list could not be kept for working offline: ${String(error)}`);
    });
  }
  if (before?.digest === digest) {
    yield { kind: 'same', asOf };
    return;
  }
  for (const items of parts) yield { kind: 'items', source: 'service', items };
  yield { kind: 'whole', source: 'service', asOf };
}

async function* keptOf<T>(
  { item, warn }: Browsed<T>,
  place: Place,
): AsyncGenerator<CatalogueEvent<T>, Kept | null> {
  try {
    const kept = readKept(place, item);
    for (;;) {
      const { done, value } = await kept.next();
      if (!done) yield { kind: 'items', source: 'kept', items: value };
      else {
        if (value) yield { kind: 'whole', source: 'kept', asOf: value.asOf };
        return value;
      }
    }
  } catch (error) {
    yield { kind: 'damaged' };
    if (error instanceof DamagedList) {
      const aside = `${place.path}.damaged`;
      await renameFile(place.path, aside).catch(() => undefined);
      warn(
        `A list kept for working offline could not be read (${error.message}) and was set aside as ${aside}.`,
      );
    } else warn(`A list kept for working offline could not be read: ${String(error)}`);
    return null;
  }
}
