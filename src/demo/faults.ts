import { invalidInput } from '../shared/errors/errors.ts';
import { hashText, unit } from './random.ts';

const shapes = ['string', 'indexed', 'nested', 'none'] as const;
const kinds = ['all', 'reads', 'writes', 'platform', 'token'] as const;

/** The category of a request, for faults that affect only some. */
export type RequestKind = Exclude<(typeof kinds)[number], 'all'>;

const words: Partial<Record<string, readonly string[]>> = { message_shape: shapes, fault_on: kinds };

/** Every fault with the value that turns it off. Shares are from 0 to 1; times are in the unit of the name. */
export const noFaults = {
  /** Delay before every response, and the maximum that is added at random. */
  latency_ms: 0,
  jitter_ms: 0,
  /** Bytes per second of every response body; 0: no limit. */
  bandwidth: 0,
  /** Share of requests that get a 429. */
  rate_429: 0,
  /** Seconds in the `Retry-After` header of a 429; negative: no header. */
  retry_after: -1,
  /** Share of requests that get a 503. */
  rate_5xx: 0,
  /** Error responses are HTML pages, as proxies send them. */
  html_errors: false,
  /** Share of requests whose connection is reset before processing. */
  reset_before: 0,
  /** Share of inserts that are stored, after which the connection is reset. */
  reset_after_write: 0,
  /** Share of inserts whose first half is stored, followed by a 500. */
  fail_after_partial_write: 0,
  /** Share of inserts whose first half is stored, followed by a 422. */
  refuse_after_partial_write: 0,
  /** Inserts get a 504 at once and are stored after this delay; `fault_times` and `fault_after` apply too. */
  late_commit_ms: 0,
  /** Reads show the state of this long ago. */
  stale_reads_ms: 0,
  /** Share of responses whose body is cut in the middle. */
  truncate: 0,
  /** Share of the records of each insert that are not stored. */
  partial_failure: 0,
  /** How the `messages` of an insert report records that were not stored. */
  message_shape: 'indexed' as (typeof shapes)[number],
  /** The response to an insert omits one stored record from its ids and its count. */
  short_answer: false,
  /** Lifetime of access tokens; 0: seven days. */
  token_lifetime_s: 0,
  /** Access tokens are rejected, as if the session was ended elsewhere. */
  access_revoked: false,
  /** Refresh tokens are rejected. */
  refresh_revoked: false,
  /** Maximum number of records on a page of a platform list; 0: no maximum. */
  cap_per_page: 0,
  /** Platform lists return the first page whatever `page` is. */
  ignore_page: false,
  /** `include_count` returns no `Total` header. */
  no_total: false,
  /** 400 for queries without `asset_id` and `company_id`. */
  require_scope: false,
  /** 412 for sorts that no index supports. */
  require_index: false,
  /** Filters on `_id` never match. */
  ids_unmatchable: false,
  /** String filters on `datetime` never match. */
  datetime_unmatchable: false,
  /** Ids of platform resources are strings of digits. */
  string_ids: false,
  /** Records with equal sort values have a different order each time. */
  unstable_ties: false,
  /** Numbers of inserted records are rounded to single precision, and nulls are dropped. */
  rewrite_values: false,
  /** Maximum body of an insert in bytes, beyond which the response is 413. 0: 64 MB. */
  max_body: 0,
  /** Maximum number of times that faults with a share occur, in total; 0: no maximum. */
  fault_times: 0,
  /** Which requests the faults of any request affect: all, reads and writes of data, the platform's, the token's. */
  fault_on: 'all' as (typeof kinds)[number],
  /** Number of requests (or inserts) that each fault with a share skips first. */
  fault_after: 0,
};

/** The faults of a running demo; they can be changed at any time. */
export type Faults = typeof noFaults;
type FaultName = keyof Faults;
export const faultNames = Object.keys(noFaults) as FaultName[];

/** The faults whose value is the share of requests that they affect. */
type ShareFault = (typeof shareFaults)[number];
const shareFaults = [
  'rate_429',
  'rate_5xx',
  'reset_before',
  'reset_after_write',
  'fail_after_partial_write',
  'refuse_after_partial_write',
  'truncate',
] as const;

const invalidFault = (message: string): Error => invalidInput(message, { field: '--fault' });

/**
 * Reads a fault in the syntax of the command line, `NAME=VALUE`.
 * @throws AppError invalid_input with the list of names, or the range of the value
 */
export function parseFault(text: string): Partial<Faults> {
  const at = text.indexOf('=');
  const name = faultNames.find((faultName) => faultName === text.slice(0, Math.max(at, 0)));
  if (name === undefined)
    throw invalidFault(`“${text}” is no fault. Write NAME=VALUE with one of: ${faultNames.join(', ')}.`);
  return { [name]: readValue(name, text.slice(at + 1)) };
}

function readValue(name: FaultName, text: string): Faults[FaultName] {
  const usual = noFaults[name];
  if (typeof usual === 'boolean') {
    if (['true', '1', 'on', 'yes'].includes(text)) return true;
    if (['false', '0', 'off', 'no'].includes(text)) return false;
    throw invalidFault(`${name} is switched by true or false, not by “${text}”.`);
  }
  if (typeof usual === 'string') {
    const word = [...shapes, ...kinds].find((kind) => kind === text && words[name]?.includes(kind));
    if (word) return word;
    throw invalidFault(`${name} is one of ${words[name]?.join(', ') ?? ''}, not “${text}”.`);
  }
  if (name === 'retry_after' && text === 'none') return -1;
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value))
    throw invalidFault(`${name} takes a number, not “${text}”.`);
  const isShare = name === 'partial_failure' || shareFaults.some((shareFault) => shareFault === name);
  if (isShare && (value < 0 || value > 1)) throw invalidFault(`${name} is a share from 0 to 1, not ${text}.`);
  return value;
}

/** Validates faults from outside, one by one. @throws AppError invalid_input as {@link parseFault} does */
export function checkFaults(input: Record<string, unknown>): Partial<Faults> {
  const faults = Object.entries(input).map(([name, value]) => parseFault(`${name}=${String(value)}`));
  return Object.assign({}, ...faults) as Partial<Faults>;
}

/** Decides when faults occur: the same requests in the same order meet the same faults. */
export class FaultDice {
  readonly #seed: number;
  readonly #faults: Faults;
  readonly #throws = new Map<string, number>();
  #hits = 0;

  constructor(seed: number, faults: Faults) {
    this.#seed = seed;
    this.#faults = faults;
  }

  /** Whether a fault occurs for this request. */
  shouldFail(name: ShareFault | 'late_commit_ms'): boolean {
    const share = Math.min(1, this.#faults[name]);
    if (share <= 0) return false;
    const value = this.next(name);
    if ((this.#throws.get(name) ?? 0) <= this.#faults.fault_after) return false;
    if (this.#faults.fault_times > 0 && this.#hits >= this.#faults.fault_times) return false;
    if (value >= share) return false;
    this.#hits += 1;
    return true;
  }

  /** The next number, from 0 to 1, of the named sequence. */
  next(name: string): number {
    const throws = (this.#throws.get(name) ?? 0) + 1;
    this.#throws.set(name, throws);
    return unit(this.#seed, hashText(name), throws);
  }
}
