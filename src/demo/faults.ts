import { invalidInput } from '../shared/errors/errors.ts';
import { hashText, unit } from './random.ts';

const shapes = ['string', 'indexed', 'nested', 'none'] as const;
const kinds = ['all', 'reads', 'writes', 'platform', 'token'] as const;

/** The category of a request, for faults that affect only some. */
export type RequestKind = Exclude<(typeof kinds)[number], 'all'>;

/** Every fault with the value that turns it off. Shares are from 0 to 1; times are in the unit of the name. */
export const noFaults = {
  latency_ms: 0, // Delay before every response
  jitter_ms: 0, // The maximum that is added to it at random
  bandwidth: 0, // Bytes per second of every response body; 0: no limit
  rate_429: 0, // Share of requests that get a 429
  retry_after: -1, // Seconds in the `Retry-After` header of a 429; negative: no header
  rate_5xx: 0, // Share of requests that get a 503
  html_errors: false, // Error responses are HTML pages, as proxies send them
  reset_before: 0, // Share of requests whose connection is reset before processing
  reset_after_write: 0, // Share of inserts that are stored, after which the connection is reset
  fail_after_partial_write: 0, // Share of inserts whose first half is stored, followed by a 500
  refuse_after_partial_write: 0, // Share of inserts whose first half is stored, followed by a 422
  late_commit_ms: 0, // Inserts get a 504 at once and are stored after this delay, `fault_times` at most
  stale_reads_ms: 0, // Reads show the state of this long ago
  truncate: 0, // Share of responses whose body is cut in the middle
  partial_failure: 0, // Share of the records of each insert that are not stored
  message_shape: 'indexed' as (typeof shapes)[number], // How `messages` report records that were not stored
  short_answer: false, // The response to an insert omits one stored record from its ids and its count
  token_lifetime_s: 0, // Lifetime of access tokens; 0: seven days
  access_revoked: false, // Access tokens are rejected, as if the session was ended elsewhere
  refresh_revoked: false, // Refresh tokens are rejected
  cap_per_page: 0, // Maximum number of records on a page of a platform list; 0: no maximum
  ignore_page: false, // Platform lists return the first page whatever `page` is
  no_total: false, // `include_count` returns no `Total` header
  require_scope: false, // 400 for queries without `asset_id` and `company_id`
  require_index: false, // 412 for sorts that no index supports
  ids_unmatchable: false, // Filters on `_id` never match
  datetime_unmatchable: false, // String filters on `datetime` never match
  string_ids: false, // Ids of platform resources are strings of digits
  unstable_ties: false, // Records with equal sort values have a different order each time
  rewrite_values: false, // Numbers of inserted records are rounded to single precision, and nulls are dropped
  max_body: 0, // Maximum body of an insert in bytes, beyond which the response is 413. 0: 64 MB
  fault_times: 0, // Maximum number of times that faults with a share occur, in total; 0: no maximum
  fault_on: 'all' as (typeof kinds)[number], // Which requests the faults of any request affect
  fault_after: 0, // Number of requests (or inserts) that each fault with a share skips first
};

/** The faults of a running demo; they can be changed at any time. */
export type Faults = typeof noFaults;
type FaultName = keyof Faults;
export const faultNames = Object.keys(noFaults) as FaultName[];

/** The faults whose value is the share of requests that they affect. */
const shareFaults = [
  'rate_429', 'rate_5xx', 'reset_before', 'reset_after_write', 'fail_after_partial_write', 'refuse_after_partial_write',
  'truncate',
] as const; // oxfmt-ignore
const shares: ReadonlySet<string> = new Set([...shareFaults, 'partial_failure']);
const invalidFault = (message: string): Error => invalidInput(message, { field: '--fault' });

/**
 * Reads a fault in the syntax of the command line, `NAME=VALUE`.
 * @throws AppError invalid_input with the list of names, or the range of the value
 */
export function parseFault(text: string): Partial<Faults> {
  const [, prefix, value = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  const name = faultNames.find((faultName) => faultName === prefix);
  if (name === undefined)
    throw invalidFault(`“${text}” is no fault. Write NAME=VALUE with one of: ${faultNames.join(', ')}.`);
  return { [name]: readValue(name, value) };
}

function readValue(name: FaultName, text: string): Faults[FaultName] {
  const usual = noFaults[name];
  if (typeof usual === 'boolean') {
    const isOn = /^(true|1|on|yes)$/.test(text);
    if (!isOn && !/^(false|0|off|no)$/.test(text))
      throw invalidFault(`${name} is switched by true or false, not by “${text}”.`);
    return isOn;
  }
  if (typeof usual === 'string') {
    const words = name === 'fault_on' ? kinds : shapes;
    const word = words.find((candidate) => candidate === text);
    if (!word) throw invalidFault(`${name} is one of ${words.join(', ')}, not “${text}”.`);
    return word;
  }
  if (name === 'retry_after' && text === 'none') return -1;
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value))
    throw invalidFault(`${name} takes a number, not “${text}”.`);
  if (shares.has(name) && (value < 0 || value > 1))
    throw invalidFault(`${name} is a share from 0 to 1, not ${text}.`);
  return value;
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
  shouldFail(name: (typeof shareFaults)[number] | 'late_commit_ms'): boolean {
    const { [name]: share, fault_after, fault_times } = this.#faults;
    if (share <= 0) return false;
    const value = this.next(name);
    if ((this.#throws.get(name) ?? 0) <= fault_after || value >= share) return false;
    if (fault_times > 0 && this.#hits >= fault_times) return false;
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
