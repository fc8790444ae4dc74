import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { CatalogueEvent } from '../../shared/contract/catalogue.ts';
import { AppError, toAppError } from '../../shared/errors/errors.ts';
import { append } from '../../shared/lists.ts';
import { failed, idle, loaded, loading, type Loadable } from './loadable.ts';

export interface Freshness {
  /** When the service sent the value, ISO 8601; null: it is not complete yet, or has no age. */
  readonly asOf: string | null;
  readonly isLoading: boolean;
  /** Whether the service has not confirmed the value yet: it's from the local store, from before the connection changed, or incomplete. */
  readonly isStale: boolean;
  /** Why the service could not confirm or send the value. */
  readonly error: AppError | null;
}

export const notLoaded: Freshness = { asOf: null, isLoading: false, isStale: false, error: null };

/** Loaded as soon as there is a value, which stays while it is loaded again, and if that fails or is canceled. */
export type Answer<T> = Loadable<T> & { readonly freshness: Freshness };

export const noAnswer: Answer<never> = { ...idle, freshness: notLoaded };

/** For views that don't show how current a value is: a value that could not be loaded again is a failure. */
export const valueOrFailure = <T>(answer: Answer<T>): Loadable<T> =>
  answer.freshness.error ? failed(answer.freshness.error) : answer;

/** What a stream has sent so far. @property value undefined: nothing that can be shown */
export interface Part<T> {
  readonly value: T | undefined;
  readonly freshness: Freshness;
}

/** What others change, such as logs and notes, may have changed after this time, in milliseconds. */
export const sharedMaxAgeMs = 60_000;

interface LoadOptions {
  /** Older values and failures are loaded again; default: no value is too old, each failure is. In milliseconds. */
  readonly maxAgeMs?: number;
  readonly isForReaders?: boolean;
}

interface Load {
  readonly controller: AbortController;
  readonly end: Promise<void>;
  /** Whether it ends with the last reader: an action that began it may need it longer. */
  readonly isForReaders: boolean;
}

/** Asks for the value of a key: once, or as a stream of parts, the last of which is the value. */
type Read<Key, T> = (key: Key, signal: AbortSignal) => Promise<T> | AsyncIterable<Part<T>>;

interface ResourceOptions<Key, T> {
  /** Keys with the same id are one key. */
  readonly idOf?: (key: Key) => unknown;
  readonly onChange?: (answer: Answer<T>, key: Key) => void;
}

/**
 * What the application says for keys, each loaded once for all who read it. A value that is loaded again stays until the
 * new one is complete. An answer that arrives after its load was replaced or dropped is ignored.
 */
export class Resource<Key, T> {
  readonly store = createStore<ReadonlyMap<unknown, Answer<T>>>()(() => new Map());
  readonly #read: Read<Key, T>;
  readonly #idOf: (key: Key) => unknown;
  readonly #onChange: (answer: Answer<T>, key: Key) => void;
  readonly #loads = new Map<unknown, Load>();
  readonly #keys = new Map<unknown, Key>();
  /** When values were loaded or set, or could not be loaded, in Unix milliseconds. */
  readonly #settledAt = new Map<unknown, number>();
  readonly #readerCounts = new Map<unknown, number>();

  constructor(
    read: Read<Key, T>,
    { idOf = (key) => key, onChange = () => {} }: ResourceOptions<Key, T> = {},
  ) {
    this.#read = read;
    this.#idOf = idOf;
    this.#onChange = onChange;
  }

  get(key: Key): Answer<T> {
    return this.of(this.store.getState(), key);
  }

  /** The answer in a state of the store. */
  of(answers: ReadonlyMap<unknown, Answer<T>>, key: Key): Answer<T> {
    return answers.get(this.#idOf(key)) ?? noAnswer;
  }

  get keys(): readonly Key[] {
    return [...this.#keys.values()];
  }

  /** Whether a load has ever ended; still true while the value is loaded again. */
  hasSettled(key: Key): boolean {
    return this.#settledAt.has(this.#idOf(key));
  }

  /** Loads a value that isn't loaded or being loaded, could not be loaded, is stale, or is too old. Never rejects. */
  async load(key: Key, { maxAgeMs = Infinity, isForReaders = false }: LoadOptions = {}): Promise<void> {
    const { status, freshness } = this.get(key);
    const isOld = Date.now() - (this.#settledAt.get(this.#idOf(key)) ?? 0) > maxAgeMs;
    const isOpen = (freshness.error !== null || freshness.isStale) && maxAgeMs === Infinity;
    if ((status === 'loaded' || status === 'failed') && !freshness.isLoading && !isOpen && !isOld) return;
    await (this.#loads.get(this.#idOf(key))?.end ?? this.refresh(key, isForReaders));
  }

  /** Loads a value again; a running load is replaced. Never rejects. */
  async refresh(key: Key, isForReaders = false): Promise<void> {
    this.#abort(key);
    const controller = new AbortController();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#loads.set(this.#idOf(key), { controller, end: promise, isForReaders });
    this.#keys.set(this.#idOf(key), key);
    const { freshness, ...before } = this.get(key);
    this.#show(key, {
      ...(before.status === 'loaded' ? before : loading),
      freshness: { ...freshness, isLoading: true, error: null },
    });
    await this.#run(key, controller);
    resolve();
  }

  /** The value, loaded unless it is; one that could not be is loaded again. @throws AppError */
  async value(key: Key, options: LoadOptions = {}): Promise<T> {
    await (this.get(key).freshness.error ? this.load(key) : this.load(key, options));
    const answer = options.maxAgeMs === undefined ? this.get(key) : valueOrFailure(this.get(key));
    if (answer.status === 'loaded') return answer.value;
    throw this.get(key).freshness.error ?? new AppError('cancelled', {});
  }

  /** Loads a value again that was requested before, unless nobody did. Never rejects. */
  async update(key: Key): Promise<void> {
    if (this.get(key).status !== 'idle') await this.refresh(key);
  }

  /** The service or account has changed: values in use are reloaded now, others when next requested. */
  invalidate(isAffected: (key: Key) => boolean = () => true): void {
    for (const key of this.keys.filter(isAffected)) {
      const running = this.#loads.get(this.#idOf(key));
      if (running || this.#readerCounts.has(this.#idOf(key)))
        void this.refresh(key, running?.isForReaders ?? true);
      else this.forget(key);
    }
  }

  /** Loads a value for a reader. @returns stops the load, unless others read the value too, or an action began it */
  follow(key: Key): () => void {
    const id = this.#idOf(key);
    this.#readerCounts.set(id, (this.#readerCounts.get(id) ?? 0) + 1);
    void this.load(key, { isForReaders: true });
    return () => {
      const remaining = (this.#readerCounts.get(id) ?? 1) - 1;
      this.#readerCounts.set(id, remaining);
      if (remaining === 0) this.#readerCounts.delete(id);
      if (remaining === 0 && this.#loads.get(id)?.isForReaders && this.#abort(key)) this.#end(key, null);
    };
  }

  /** Sets the value, as after a change. A load that began before it would lack the change, so it is dropped. */
  set(key: Key, value: T): void {
    this.#abort(key);
    this.#settledAt.set(this.#idOf(key), Date.now());
    this.#show(key, { ...loaded(value), freshness: notLoaded });
  }

  /** Stops a load; what has arrived stays. */
  cancel(key: Key): void {
    this.#loads.get(this.#idOf(key))?.controller.abort();
  }

  /** Stops a load, and forgets its value, without a change that is shown. */
  forget(key: Key): void {
    this.#abort(key);
    this.#keys.delete(this.#idOf(key));
    this.#settledAt.delete(this.#idOf(key));
    const answers = new Map(this.store.getState());
    if (answers.delete(this.#idOf(key))) this.store.setState(answers, true);
  }

  /** Stops all loads and forgets all values, without a change that is shown. */
  clear(): void {
    for (const { controller } of this.#loads.values()) controller.abort();
    this.#loads.clear();
    this.#keys.clear();
    this.#settledAt.clear();
    this.store.setState(new Map(), true);
  }

  #abort(key: Key): boolean {
    this.#loads.get(this.#idOf(key))?.controller.abort();
    return this.#loads.delete(this.#idOf(key));
  }

  async #run(key: Key, controller: AbortController): Promise<void> {
    const { signal } = controller;
    const isCurrent = () => this.#loads.get(this.#idOf(key))?.controller === controller;
    const isFirst = this.get(key).status !== 'loaded';
    let error: AppError | null = null;
    try {
      const answer = this.#read(key, signal);
      const parts = Symbol.asyncIterator in answer ? answer : wholeOf(answer, signal);
      for await (const { value, freshness } of parts) {
        if (!isCurrent()) return;
        // A value on screen is replaced as a whole.
        if (!isFirst && freshness.isLoading && freshness.asOf === null) continue;
        const { freshness: _, ...before } = this.get(key);
        this.#settledAt.set(this.#idOf(key), Date.now());
        this.#show(key, { ...(value === undefined ? before : loaded(value)), freshness });
      }
    } catch (thrown) {
      error = signal.aborted ? null : toAppError(thrown);
    }
    if (!isCurrent()) return;
    this.#loads.delete(this.#idOf(key));
    if (error) this.#settledAt.set(this.#idOf(key), Date.now());
    this.#end(key, error);
  }

  #end(key: Key, error: AppError | null): void {
    const { freshness, ...answer } = this.get(key);
    if (answer.status === 'loaded' && !freshness.isLoading && error === null) return;
    const end = answer.status === 'loaded' ? answer : error ? failed(error) : idle;
    this.#show(key, { ...end, freshness: { ...freshness, isLoading: false, error } });
  }

  #show(key: Key, answer: Answer<T>): void {
    this.store.setState((answers) => new Map(answers).set(this.#idOf(key), answer), true);
    this.#onChange(answer, key);
  }
}

async function* wholeOf<T>(answer: Promise<T>, signal: AbortSignal): AsyncGenerator<Part<T>> {
  const value = await answer;
  if (!signal.aborted) yield { value, freshness: notLoaded };
}

/** The minimum interval between two parts of a list that is loading, in milliseconds. */
const minIntervalMs = 1000;

/**
 * The list in events of the catalogue: the stored one, then what the service sends, which is collected until it can replace
 * the stored list as a whole. Filtering, sorting, and rendering tens of thousands of items with each event costs more than
 * loading them, so a list that grows has a part once a second, and a stored one at its first and its last event. A list that
 * breaks off has a last part with all that arrived.
 */
export async function* listOf<Item, Value>(
  events: AsyncIterable<CatalogueEvent<Item>>,
  toValue: (items: readonly Item[]) => Value | undefined,
  signal: AbortSignal,
  now: () => number = Date.now,
): AsyncGenerator<Part<Value>> {
  let items: readonly Item[] = [];
  let replacement: Item[] = [];
  let freshness: Freshness = { ...notLoaded, isLoading: true };
  let shown: readonly Item[] | null = null;
  let value: Value | undefined;
  let shownAt = -Infinity;
  const part = (): Part<Value> => {
    if (items !== shown) value = toValue(items);
    shown = items;
    return { value: items.length === 0 && freshness.isLoading ? undefined : value, freshness };
  };
  let failure: unknown;
  try {
    for await (const event of events) {
      if (signal.aborted) break;
      if (event.kind === 'items') {
        if (event.source === 'service' && freshness.isStale) append(replacement, event.items);
        else items = [...items, ...event.items];
        if (now() - shownAt < (event.source === 'kept' ? Infinity : minIntervalMs)) continue;
      } else if (event.kind === 'damaged') {
        items = [];
        replacement = [];
      } else if (event.kind === 'whole' && event.source === 'kept') {
        freshness = { ...freshness, asOf: event.asOf, isStale: true };
      } else {
        // An empty replacement replaces a stored list too.
        if (event.kind === 'whole' && freshness.isStale) items = replacement;
        freshness = { ...notLoaded, asOf: event.asOf };
      }
      shownAt = now();
      yield part();
    }
  } catch (error) {
    failure = error;
  }
  if (items !== (shown ?? items)) yield part();
  if (failure !== undefined) throw failure;
}

/** The answer for a key while a component is shown, loaded again for another key. @param key null: none */
export function useResource<Key, T>(resource: Resource<Key, T>, key: Key | null): Answer<T> {
  useEffect(() => (key === null ? undefined : resource.follow(key)), [resource, key]);
  return useStore(resource.store, (answers) => (key === null ? noAnswer : resource.of(answers, key)));
}

/**
 * Runs a change. Its error is shown, until the next one begins. Never rejects.
 * @param show null: nothing has failed
 */
export async function perform(
  change: () => Promise<unknown>,
  show: (error: AppError | null) => void,
): Promise<void> {
  show(null);
  try {
    await change();
  } catch (error) {
    show(toAppError(error));
  }
}

/**
 * What a component loads while it is shown, and again for another function.
 * @param load a new function for something else; null: nothing
 */
export function useLoaded<T>(load: ((signal: AbortSignal) => Promise<T>) | null): Loadable<T> {
  const [resource] = useState(
    () => new Resource((call: (signal: AbortSignal) => Promise<T>, signal) => call(signal)),
  );
  const answer = useResource(resource, load);
  // What earlier functions loaded isn't read again.
  useEffect(() => () => void (load && resource.forget(load)), [resource, load]);
  return answer.status === 'idle' && load !== null ? loading : answer;
}
