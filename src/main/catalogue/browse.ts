import type * as z from 'zod';
import type { CatalogueEvent } from '../../shared/catalogue/catalogue.ts';
import { renameFile } from '../files/disk.ts';
import type { CallOptions } from '../services/services.ts';
import { DamagedList, formOf, ListToKeep, readKept, type Kept, type Place } from './kept-list.ts';

/** How often a service is asked when there is a kept list to go on with: the person is not to wait for the truth. */
const triesBehind = 2;

export interface Browsed<T, Carried> {
  /** Where the list is kept; null: it is not. */
  readonly place: Place | null;
  readonly item: z.ZodType<T>;
  /** Asks the service, part by part. */
  readonly ask: (options: CallOptions) => AsyncIterable<T[]>;
  /** What goes out of a part: of its JSON text, or of its items where they are at hand. */
  readonly carry: (text: string, items: T[] | null) => Carried;
  /** Told what went wrong with keeping, in a sentence; the list itself does not suffer from it. */
  readonly warn: (sentence: string) => void;
}

/** An event whose items go out as they are carried. */
export type Carrying<Carried> =
  | Exclude<CatalogueEvent<never>, { kind: 'items' }>
  | ({ readonly kind: 'items'; readonly source: 'kept' | 'service' } & Carried);

/**
 * What was kept of a list, at once, then what the service says; that is kept in turn. A list that is the same as
 * before does not come again.
 * @throws AppError what the service throws
 */
export async function* browse<T, Carried>(
  browsed: Browsed<T, Carried>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Carrying<Carried>> {
  const { place, item, ask, carry, warn } = browsed;
  const form = formOf(item);
  const before = place ? yield* keptOf(browsed, place, form) : null;
  const fresh = new ListToKeep(place?.of ?? '', form, new Date().toISOString());
  const parts: Carried[] = [];
  for await (const items of ask(before ? { signal, maxTries: triesBehind } : { signal })) {
    const part = carry(fresh.add(items), items);
    // Beside a whole list that is seen already, a half one would be a step back.
    if (before) parts.push(part);
    else yield { kind: 'items', source: 'service', ...part };
  }
  const { asOf, digest } = fresh.finish();
  if (place) {
    await fresh.write(place.path).catch((error: unknown) => {
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

async function* keptOf<T, Carried>(
  { carry, warn }: Browsed<T, Carried>,
  place: Place,
  form: string,
): AsyncGenerator<Carrying<Carried>, Kept | null> {
  try {
    const kept = await readKept(place, form);
    if (!kept) return null;
    for (const text of kept.parts) yield { kind: 'items', source: 'kept', ...carry(text, null) };
    yield { kind: 'whole', source: 'kept', asOf: kept.asOf };
    return kept;
  } catch (error) {
    yield { kind: 'damaged' };
    if (error instanceof DamagedList) {
      const aside = `${place.path}.damaged`;
      await renameFile(place.path, aside).catch(() => undefined);
      warn(`A stored list couldn't be read (${error.message}) and was set aside as ${aside}.`);
    } else warn(`A stored list couldn't be read: ${String(error)}`);
    return null;
  }
}
