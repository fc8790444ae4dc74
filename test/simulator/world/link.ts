import { STATUS_CODES } from 'node:http';
import type { Dispatcher } from 'undici';
import { demoSecrets, Tokens } from '../../../src/demo/auth.ts';
import { buildCatalogue, type Catalogue } from '../../../src/demo/datasets.ts';
import { FaultDice, noFaults, type Faults } from '../../../src/demo/faults.ts';
import { route } from '../../../src/demo/index.ts';
import { predicate, Work } from '../../../src/demo/mongo.ts';
import { buildWorld } from '../../../src/demo/platform/world.ts';
import { Params, Problem, reset, type Answer, type Service } from '../../../src/demo/service.ts';
import { isObject, parseJson, stringifyJson, type JsonObject } from '../../../src/shared/json.ts';
import type { Chance } from './chance.ts';
import { Process, type World } from './machine.ts';

// The link between computers and services, the services, and what goes wrong on both. The sample workspace answers requests;
// what it stores is also written down here, for the oracle.

/** What goes wrong with a request, by its number from 1. */
export const requestFaults = [
  // Nothing arrives at the service.
  'no_connection', 'reset_before', 'busy_429', 'down_503', 'gateway_502',
  // It arrives, and nobody hears of it.
  'lost_answer', 'late_answer', 'cut_answer', 'gateway_504', 'gateway_504_later', 'failed_500_after',
  // It arrives in part.
  'half_stored_500', 'half_stored_422', 'some_failed', 'some_failed_unnamed', 'some_missing', 'short_answer',
  // The answer is not one.
  'portal_page', 'not_json', 'expired_401',
  // The answer is old, or slow.
  'stale', 'slow', 'trickle',
  // The link is down for minutes.
  'outage',
] as const; // oxfmt-ignore
export type RequestFault =
  | (typeof requestFaults)[number]
  /** A page of records lacks some of them, as from a service whose parts don’t agree. */
  | 'lacking';

export interface FaultyRequest {
  /** Number of the request of its kind, from 1. */
  readonly at: number;
  /** Whether only inserts, or only other requests, are counted. */
  readonly of: 'inserts' | 'reads' | 'all';
  readonly kind: RequestFault;
  /** How many requests in a row meet it. */
  readonly times: number;
}

/** Reads may lack what is younger, in milliseconds. */
export const staleMs = 120_000;

/** Somebody else changes the records while they are read. */
export interface Change {
  /** Number of the request before which it happens, from 1. */
  readonly at: number;
  readonly kind: 'insert' | 'remove' | 'move';
  /** From 0 to 1: where in the dataset. */
  readonly place: number;
  readonly records: number;
}

/** A record that the service stored, as it was sent. */
export interface Stored {
  readonly id: string;
  readonly record: JsonObject;
  /** When, in milliseconds of the world. */
  readonly at: number;
  /** By whom: a process, or the history itself. */
  readonly by: string;
  removedAt: number | null;
}

const worldSeed = 7;
let platform: Service['world'] | undefined;
const platformOf = (): Service['world'] => (platform ??= buildWorld(worldSeed, 4, Date.UTC(2026, 10, 20)));

export const addresses = { data: 'http://127.0.0.1:1', platform: 'http://127.0.0.1:1/platform' } as const;
export const apiKey = demoSecrets(worldSeed).apiKeys.write;
export const { login } = demoSecrets(worldSeed);

type Handler = Dispatcher.DispatchHandler;
type Outcome = Answer | typeof reset;

interface Exchange {
  readonly process: Process;
  readonly request: Dispatcher.DispatchOptions;
  readonly handler: Handler;
  readonly controller: SimulatedController;
  readonly number: number;
  onEnd: () => void;
}

class SimulatedController {
  aborted = false;
  paused = false;
  reason: Error | null = null;
  rawHeaders = null;
  rawTrailers = null;

  pause(): void {
    this.paused = true;
  }

  resume(): void {
    this.paused = false;
  }

  abort(reason: Error): void {
    this.aborted = true;
    this.reason = reason;
  }
}

const networkError = (code: string): Error => Object.assign(new Error(`simulated ${code}`), { code });

export class Link {
  static readonly #links = new WeakMap<World, Link>();
  readonly #world: World;
  readonly #chance: Chance;
  readonly service: Service;
  readonly catalogue: Catalogue;
  readonly #stored = new Map<string, Stored[]>();
  faults: readonly FaultyRequest[] = [];
  changes: readonly Change[] = [];
  /** Whether all goes well from now on. */
  isCalm = false;
  readonly counts = { all: 0, inserts: 0, reads: 0 };
  #downUntil = 0;
  /** Maximum number of records in a response, whatever was requested; a service may have one. */
  pageCap = 10_000;
  /** How far reads lag behind, in milliseconds. */
  lagMs = 0;
  /** How many times as long each request takes. */
  pace = 1;
  /** Whether a page lacked records that the service has. */
  hasLacked = false;
  /** The dataset that changes. */
  dataset = 'demo/uploads.time';
  #changeNumber = 0;
  #lastRead: number | null = null;

  constructor(world: World) {
    this.#world = world;
    this.#chance = world.chance;
    const faults: Faults = { ...noFaults, token_lifetime_s: 60 };
    this.catalogue = buildCatalogue(0);
    this.service = {
      world: platformOf(),
      catalogue: this.catalogue,
      tokens: new Tokens(worldSeed, faults),
      faults,
      dice: new FaultDice(worldSeed, faults),
      admin: false,
      later: (ms, work) => void world.after(ms, work, null),
    };
    Link.#links.set(world, this);
  }

  static of(world: World): Link {
    const link = Link.#links.get(world);
    if (!link) throw new Error('the world has no link');
    return link;
  }

  /** All records that a dataset ever had, in the order in which they were stored. */
  stored(dataset: string): readonly Stored[] {
    return this.#stored.get(dataset) ?? [];
  }

  /** The records that a dataset has. */
  present(dataset: string): Stored[] {
    return this.stored(dataset).filter(({ removedAt }) => removedAt === null);
  }

  /** Stores records without any check. */
  put(dataset: string, records: readonly JsonObject[], by = 'somebody else'): void {
    const ids = this.#collection(dataset).insert(records);
    this.#remember(dataset, records, ids, by);
  }

  remove(dataset: string, stored: Stored): void {
    this.#collection(dataset).remove(predicate({ _id: stored.id }));
    stored.removedAt = this.#world.now;
  }

  #collection(dataset: string) {
    const known = this.catalogue.all.get(dataset);
    if (!known) throw new Error(`there is no dataset ${dataset}`);
    return known.collection;
  }

  #remember(dataset: string, records: readonly JsonObject[], ids: readonly string[], by: string): void {
    const all = this.#stored.get(dataset) ?? [];
    this.#stored.set(dataset, all);
    records.forEach((record, at) =>
      all.push({ id: ids[at] ?? '', record, at: this.#world.now, by, removedAt: null }),
    );
  }

  send(
    process: Process,
    request: Dispatcher.DispatchOptions,
    handler: Handler,
    open: Set<AbortController>,
  ): void {
    const stop = new AbortController();
    open.add(stop);
    const controller = new SimulatedController();
    const isInsert = request.method === 'POST' && /^\/api\/v1\/data\/[^/]+\/[^/]+\/$/.test(request.path);
    this.counts.all += 1;
    const kind = isInsert ? 'inserts' : 'reads';
    this.counts[kind] += 1;
    const number = this.counts.all;
    const fault = this.isCalm
      ? undefined
      : this.faults.find(({ at, of, times }) => {
          const count = of === 'all' ? this.counts.all : of === kind ? this.counts[of] : 0;
          return count >= at && count < at + times;
        })?.kind;
    for (const change of this.changes) if (change.at === number && !this.isCalm) this.change(change);
    const exchange: Exchange = { process, request, handler, controller, number, onEnd: () => undefined };
    this.#world.note(
      `request ${number}: ${request.method} ${decodeURIComponent(request.path).slice(0, 160)}${fault ? ` [${fault}]` : ''}`,
      process.name,
    );
    if (fault === 'outage' && this.#world.now >= this.#downUntil)
      this.#downUntil = this.#world.now + this.#chance.scale(1000, 600_000);
    exchange.onEnd = () => void open.delete(stop);
    stop.signal.addEventListener('abort', () => this.#end(exchange, networkError('UND_ERR_DESTROYED')));
    this.#after(exchange, this.#latency() / 2, () => this.#begin(exchange, fault, isInsert));
  }

  #latency(): number {
    const usual = this.#chance.is(0.05) ? this.#chance.integer(100, 4000) : this.#chance.integer(2, 60);
    return usual * this.pace;
  }

  /** Lets something happen at the computer, unless its process is dead or gave up. */
  #after({ process, controller }: Exchange, ms: number, run: () => void): void {
    this.#world.after(
      ms,
      () => {
        if (!controller.aborted) run();
      },
      process,
    );
  }

  #end({ handler, controller, number, process, onEnd }: Exchange, error: Error): void {
    onEnd();
    if (controller.aborted) return;
    this.#world.note(`request ${number}: no answer, ${error.message}`, process.name);
    controller.abort(error);
    process.enter(() => handler.onResponseError?.(controller, error));
  }

  #begin(exchange: Exchange, fault: RequestFault | undefined, isInsert: boolean): void {
    const { handler, controller } = exchange;
    if (fault === 'no_connection' || (!this.isCalm && this.#world.now < this.#downUntil)) {
      exchange.onEnd();
      controller.abort(networkError('ECONNREFUSED'));
      exchange.handler.onResponseError?.(null as never, networkError('ECONNREFUSED'));
      return;
    }
    handler.onRequestStart?.(controller, {});
    if (controller.aborted) return;
    // What happens at the service happens whether or not the process lives.
    this.#world.after(this.#latency() / 2, () => void this.#arrive(exchange, fault, isInsert), null);
  }

  async #arrive(exchange: Exchange, fault: RequestFault | undefined, isInsert: boolean): Promise<void> {
    const chance = this.#chance;
    const plain = (status: number, headers: Record<string, string> = {}): Answer => ({
      status,
      body: JSON.stringify({ code: status, message: `simulated ${status}` }),
      headers,
    });
    // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- with all others it arrives
    switch (fault) {
      case 'reset_before':
        return this.#reset(exchange);
      case 'busy_429':
        return this.#answer(
          exchange,
          plain(429, chance.is(0.5) ? { 'Retry-After': String(chance.integer(0, 90)) } : {}),
        );
      case 'down_503':
        return this.#answer(exchange, plain(503));
      case 'gateway_502':
        return this.#answer(exchange, {
          status: 502,
          body: '<html><h1>502 Bad Gateway</h1></html>',
          headers: { 'Content-Type': 'text/html' },
        });
      case 'expired_401':
        return this.#answer(exchange, plain(401));
      case 'portal_page':
        return this.#answer(exchange, {
          status: 200,
          body: '<!doctype html><html><body>Sign in to the hotel</body></html>',
          headers: { 'Content-Type': 'text/html' },
        });
      case 'not_json':
        return this.#answer(exchange, { status: 200, body: '[{"_id":"66', headers: {} });
      case 'gateway_504_later':
        if (isInsert) {
          this.#world.after(chance.scale(100, 8000), () => void this.#process(exchange, fault), null);
          return this.#answer(exchange, plain(504));
        }
        break;
      case 'half_stored_500':
      case 'half_stored_422':
        if (isInsert) {
          await this.#process(exchange, fault);
          return this.#answer(exchange, plain(fault === 'half_stored_500' ? 500 : 422));
        }
        break;
      default:
    }
    const outcome = await this.#process(exchange, fault);
    if (outcome === reset) return this.#reset(exchange);
    // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- all others are of the answer
    switch (fault) {
      case 'lost_answer':
        return this.#reset(exchange);
      case 'gateway_504':
        return this.#answer(exchange, plain(504));
      case 'failed_500_after':
        return this.#answer(exchange, plain(500));
      case 'late_answer':
        this.#world.after(chance.integer(61_000, 1_000_000), () => this.#answer(exchange, outcome), null);
        return undefined;
      case undefined:
      default:
        return this.#answer(exchange, fault === 'lacking' ? this.#lacking(outcome) : outcome, fault);
    }
  }

  /** A page without some of its records, but never an empty one, which would be the end. */
  #lacking(page: Answer): Answer {
    const records = page.status === 200 ? parseJson(page.body) : null;
    if (!Array.isArray(records) || records.length < 2) return page;
    const from = this.#chance.integer(0, records.length - 1);
    const count = this.#chance.scale(1, records.length - 1);
    records.splice(from, count);
    this.hasLacked = true;
    return { ...page, body: stringifyJson(records) };
  }

  /** The service does what was requested. */
  async #process({ request, process }: Exchange, fault: RequestFault | undefined): Promise<Outcome> {
    const [path = '', query = ''] = request.path.split('?');
    const search = new URLSearchParams(query);
    const sent = request.body instanceof Uint8Array ? Buffer.from(request.body).toString() : '';
    const { service, text, records } = this.#asStored(request, path, sent, fault);
    const params = this.#capped(search);
    const lagMs = fault === 'stale' ? this.#chance.scale(1000, 60_000) : this.isCalm ? 0 : this.lagMs;
    const faults = { ...service.faults, stale_reads_ms: lagMs };
    try {
      const headers = request.headers as Readonly<Record<string, string>> | undefined;
      const answer = await Process.outside(() =>
        route({ ...service, faults }, path, headers?.['authorization'], {
          method: request.method,
          params: new Params(params),
          search: params,
          work: new Work(),
          body: async () => text,
        }),
      );
      if (records && answer !== reset && answer.status === 200)
        return this.#inserted(path, records, answer, process.name, fault);
      if (answer !== reset) this.#noteRead(answer);
      return answer;
    } catch (error) {
      const problem =
        error instanceof Problem
          ? error
          : new Problem(500, error instanceof Error ? error.message : String(error));
      return {
        status: problem.status,
        body: JSON.stringify(problem.body ?? { code: problem.status, message: problem.message }),
        headers: problem.headers,
      };
    }
  }

  /** A service may return fewer records than requested. */
  #capped(search: URLSearchParams): URLSearchParams {
    const limit = Number(search.get('limit') ?? 0);
    if (limit <= this.pageCap) return search;
    const capped = new URLSearchParams(search);
    capped.set('limit', String(this.pageCap));
    return capped;
  }

  /** What arrives of an insert. */
  #asStored(
    request: Dispatcher.DispatchOptions,
    path: string,
    sent: string,
    fault: RequestFault | undefined,
  ) {
    const { service } = this;
    if (request.method !== 'POST' || !/\/data\/[^/]+\/[^/]+\/$/.test(path)) {
      if (sent === '' || !path.endsWith('/list/')) return { service, text: sent, records: null };
      const body = parseJson(sent);
      if (!isObject(body)) return { service, text: sent, records: null };
      return {
        service,
        text: JSON.stringify({ ...body, limit: Math.min(Number(body['limit']), this.pageCap) }),
        records: null,
      };
    }
    const parsed = parseJson(sent);
    const all = (Array.isArray(parsed) ? parsed : []).filter((record) => isObject(record));
    const isPart =
      fault === 'half_stored_500' ||
      fault === 'half_stored_422' ||
      fault === 'some_failed' ||
      fault === 'some_failed_unnamed' ||
      fault === 'some_missing';
    const records = isPart ? all.filter(() => this.#chance.is(0.5)) : all;
    return { service, text: JSON.stringify(records), records: { all, kept: records } };
  }

  #inserted(
    path: string,
    { all, kept }: { readonly all: readonly JsonObject[]; readonly kept: readonly JsonObject[] },
    answer: Answer,
    by: string,
    fault: RequestFault | undefined,
  ): Answer {
    const [, provider = '', name = ''] = /\/data\/([^/]+)\/([^/]+)\/$/.exec(path) ?? [];
    const content = parseJson(answer.body);
    const ids =
      isObject(content) && Array.isArray(content['inserted_ids']) ? content['inserted_ids'].map(String) : [];
    this.#remember(`${decodeURIComponent(provider)}/${decodeURIComponent(name)}`, kept, ids, by);
    this.#world.note(`the service stores ${kept.length} of ${all.length} records`, 'service');
    if (fault === 'short_answer')
      return {
        ...answer,
        body: JSON.stringify({ inserted_ids: ids.slice(1), failed_count: 0, messages: [] }),
      };
    if (fault !== 'some_failed' && fault !== 'some_failed_unnamed') return answer;
    const failed = all.flatMap((record, index) =>
      kept.includes(record) ? [] : [{ index, message: 'the record could not be stored' }],
    );
    const messages = fault === 'some_failed' ? failed : [];
    return { ...answer, body: JSON.stringify({ inserted_ids: ids, failed_count: failed.length, messages }) };
  }

  #reset(exchange: Exchange): void {
    this.#after(exchange, this.#latency() / 2, () => this.#end(exchange, networkError('ECONNRESET')));
  }

  #answer(exchange: Exchange, outcome: Outcome, fault?: RequestFault): void {
    if (outcome === reset) {
      this.#reset(exchange);
      return;
    }
    const { handler, controller, number, process } = exchange;
    const body = Buffer.from(outcome.body);
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(body.length),
      date: new Date(this.#world.epoch + this.#world.now).toUTCString(),
      ...Object.fromEntries(
        Object.entries(outcome.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
      ),
    };
    const delay = fault === 'slow' ? this.#chance.integer(5000, 58_000) : this.#latency() / 2;
    this.#after(exchange, delay, () => {
      this.#world.note(`request ${number}: ${outcome.status}, ${body.length} bytes`, process.name);
      handler.onResponseStart?.(controller, outcome.status, headers, STATUS_CODES[outcome.status] ?? '');
      const cutAt = fault === 'cut_answer' ? Math.floor(body.length * this.#chance.next()) : body.length;
      const parts = fault === 'trickle' ? 5 : 1;
      const send = (part: number): void => {
        if (controller.aborted) return;
        const [from, to] = [Math.floor((cutAt * part) / parts), Math.floor((cutAt * (part + 1)) / parts)];
        // Whoever receives it may take its memory.
        if (to > from)
          handler.onResponseData?.(controller, Buffer.from(Uint8Array.prototype.slice.call(body, from, to)));
        if (part + 1 < parts) this.#after(exchange, this.#chance.integer(1000, 20_000), () => send(part + 1));
        else if (fault === 'cut_answer') this.#end(exchange, networkError('UND_ERR_SOCKET'));
        else {
          exchange.onEnd();
          handler.onResponseEnd?.(controller, {});
        }
      };
      send(0);
    });
  }

  /** Where the reader is: the time of the last record of an answer. */
  #noteRead({ body }: Answer): void {
    const at = body.lastIndexOf('"timestamp":');
    if (at >= 0) this.#lastRead = Number.parseInt(body.slice(at + '"timestamp":'.length), 10);
  }

  /** Somebody else changes the dataset: half of all times where it is being read. */
  change({ kind, place, records }: Omit<Change, 'at'>): void {
    const present = this.present(this.dataset);
    const here = present.findIndex(({ record }) => record['timestamp'] === this.#lastRead);
    const isHere = place < 0.5 && here >= 0;
    const from = isHere
      ? Math.max(0, here - Math.floor(place * 2 * records))
      : Math.floor(place * present.length);
    const chosen = present.slice(from, from + records);
    this.#world.note(
      `somebody else: ${kind} ${kind === 'insert' ? records : chosen.length} records`,
      'service',
    );
    if (kind !== 'insert') for (const stored of chosen) this.remove(this.dataset, stored);
    const like = chosen[0] ?? present.at(-1);
    if (kind === 'remove' || !like) return;
    const copies = Array.from({ length: kind === 'insert' ? records : chosen.length }, (_, at) => {
      this.#changeNumber += 1;
      const source = kind === 'move' ? (chosen[at] ?? like) : like;
      const time =
        Number(source.record['timestamp']) + (kind === 'move' ? 60_000 * this.#chance.integer(-30, 30) : 0);
      return { ...source.record, timestamp: time, data: { n: 1e6 + this.#changeNumber } };
    });
    this.put(this.dataset, copies);
  }
}
