import * as z from 'zod';
import { invalidInput } from '../shared/errors/errors.ts';
import { hashText, unit } from './random.ts';

const number = z.string().trim().min(1, 'a number').transform(Number).pipe(z.number('a number')).default(0);
const share = number.refine((value) => value >= 0 && value <= 1, 'a share from 0 to 1');
const flag = z.stringbool('true or false').default(false);
const oneOf = <const W extends readonly string[]>(...words: W) => z.enum(words, `one of ${words.join(', ')}`);
const seconds = z.preprocess((text) => (text === 'none' ? '-1' : text), number).default(-1);
const shape = oneOf('string', 'indexed', 'nested', 'none').default('indexed');
const kind = oneOf('all', 'reads', 'writes', 'platform', 'token').default('all');

/** How every fault is written, and the value that turns it off. Shares are from 0 to 1; times are in the unit of the name. */
const forms = z.object({
  latency_ms: number, // Delay before every response
  jitter_ms: number, // The maximum that is added to it at random
  bandwidth: number, // Bytes per second of every response body; 0: no limit
  rate_429: share, // Share of requests that get a 429
  retry_after: seconds, // Seconds in the `Retry-After` header of a 429; negative: no header
  rate_5xx: share, // Share of requests that get a 503
  html_errors: flag, // Error responses are HTML pages, as proxies send them
  reset_before: share, // Share of requests whose connection is reset before processing
  reset_after_write: share, // Share of inserts that are stored, after which the connection is reset
  fail_after_partial_write: share, // Share of inserts whose first half is stored, followed by a 500
  refuse_after_partial_write: share, // Share of inserts whose first half is stored, followed by a 422
  late_commit_ms: number, // Inserts get a 504 at once and are stored after this delay, `fault_times` at most
  stale_reads_ms: number, // Reads show the state of this long ago
  truncate: share, // Share of responses whose body is cut in the middle
  partial_failure: share, // Share of the records of each insert that are not stored
  message_shape: shape, // How `messages` report records that were not stored
  short_answer: flag, // The response to an insert omits one stored record from its ids and its count
  token_lifetime_s: number, // Lifetime of access tokens; 0: seven days
  access_revoked: flag, // Access tokens are rejected, as if the session was ended elsewhere
  refresh_revoked: flag, // Refresh tokens are rejected
  cap_per_page: number, // Maximum number of records on a page of a platform list; 0: no maximum
  ignore_page: flag, // Platform lists return the first page whatever `page` is
  no_total: flag, // `include_count` returns no `Total` header
  require_scope: flag, // 400 for queries without `asset_id` and `company_id`
  require_index: flag, // 412 for sorts that no index supports
  ids_unmatchable: flag, // Filters on `_id` never match
  datetime_unmatchable: flag, // String filters on `datetime` never match
  string_ids: flag, // Ids of platform resources are strings of digits
  unstable_ties: flag, // Records with equal sort values have a different order each time
  rewrite_values: flag, // Numbers of inserted records are rounded to single precision, and nulls are dropped
  max_body: number, // Maximum body of an insert in bytes, beyond which the response is 413. 0: 64 MB
  fault_times: number, // Maximum number of times that faults with a share occur, in total; 0: no maximum
  fault_on: kind, // Which requests the faults of any request affect
  fault_after: number, // Number of requests (or inserts) that each fault with a share skips first
});

/** The faults of a running demo; they can be changed at any time. */
export type Faults = z.infer<typeof forms>;
export const noFaults: Faults = forms.parse({});
export const faultNames = forms.keyof().options;

/**
 * Reads a fault in the syntax of the command line, `NAME=VALUE`.
 * @throws AppError invalid_input with the list of names, or the form of the value
 */
export function parseFault(text: string): Partial<Faults> {
  const invalidFault = (message: string): Error => invalidInput(message, { field: '--fault' });
  const [, prefix, value = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  const name = faultNames.find((faultName) => faultName === prefix);
  if (name === undefined)
    throw invalidFault(`“${text}” isn’t a fault. Write NAME=VALUE with one of: ${faultNames.join(', ')}.`);
  const { data, error } = forms.shape[name].safeParse(value);
  if (error) throw invalidFault(`${name} must be ${error.issues[0]?.message ?? ''}, not “${value}”.`);
  return { [name]: data };
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

  shouldFail(name: keyof Faults): boolean {
    const { [name]: share, fault_after, fault_times } = this.#faults;
    if (typeof share !== 'number' || share <= 0) return false;
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
