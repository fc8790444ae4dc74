import { invalidInput } from '../shared/errors/errors.ts';

const shapes = ['string', 'indexed', 'nested', 'none'] as const;
const kinds = ['all', 'reads', 'writes', 'platform', 'token'] as const;

/** What a request is, for faults that strike only some. */
export type RequestKind = Exclude<(typeof kinds)[number], 'all'>;

/** The words that a fault can be set to. */
const words: Partial<Record<string, readonly string[]>> = { message_shape: shapes, fault_on: kinds };

/** Every fault with the value at which it does nothing. Shares go from 0 to 1, times are in the unit of the name. */
export const noFaults = {
  /** Wait before every answer, and up to so much more. */
  latency_ms: 0,
  jitter_ms: 0,
  /** Bytes a second of every answer's body; 0: as fast as it goes. */
  bandwidth: 0,
  /** Share of requests answered 429. */
  rate_429: 0,
  /** Seconds in the `Retry-After` of a 429; negative: no such header. */
  retry_after: -1,
  /** Share of requests answered 503. */
  rate_5xx: 0,
  /** Error answers are HTML pages, as proxies send them. */
  html_errors: false,
  /** Share of requests whose connection is reset before anything was done. */
  reset_before: 0,
  /** Share of inserts that are stored, and then the connection is reset. */
  reset_after_write: 0,
  /** Share of inserts of which the first half is stored, and then 500. */
  fail_after_partial_write: 0,
  /** Share of inserts of which the first half is stored, and then 422. */
  refuse_after_partial_write: 0,
  /** Inserts are answered 504 at once and stored so much later; `fault_times` and `fault_after` count for it too. */
  late_commit_ms: 0,
  /** Reads show the state of so long ago. */
  stale_reads_ms: 0,
  /** Share of answers whose body is cut in the middle. */
  truncate: 0,
  /** Share of records of each insert that are not stored. */
  partial_failure: 0,
  /** How the `messages` of an insert tell of records that were not stored. */
  message_shape: 'indexed' as (typeof shapes)[number],
  /** The answer to an insert leaves one stored record out of its ids and its count. */
  short_answer: false,
  /** Lifetime of access tokens; 0: seven days. */
  token_lifetime_s: 0,
  /** Access tokens are refused, as when a login was ended elsewhere. */
  access_revoked: false,
  /** Refresh tokens are refused. */
  refresh_revoked: false,
  /** The most records on a page of a platform list; 0: no such cap. */
  cap_per_page: 0,
  /** Platform lists give the first page whatever `page` says. */
  ignore_page: false,
  /** `include_count` gives no `Total` header. */
  no_total: false,
  /** 400 for queries without `asset_id` and `company_id`. */
  require_scope: false,
  /** 412 for sorts that no index gives. */
  require_index: false,
  /** Filters on `_id` never match. */
  ids_unmatchable: false,
  /** String filters on `datetime` never match. */
  datetime_unmatchable: false,
  /** Ids of platform resources are strings of digits. */
  string_ids: false,
  /** Records of equal sort values come in another order each time. */
  unstable_ties: false,
  /** Inserted numbers are rounded to single precision, nulls dropped. */
  rewrite_values: false,
  /** The largest body of an insert in bytes; beyond it 413. 0: 64 MB. */
  max_body: 0,
  /** How many times a fault with a share strikes at most, all together; 0: without end. */
  fault_times: 0,
  /** Which requests the faults of any request strike: all, reads and writes of data, the platform's, the token's. */
  fault_on: 'all' as (typeof kinds)[number],
  /** How many requests (or inserts) each fault with a share lets pass first. */
  fault_after: 0,
};

/** The faults of a running demo; they may be changed at any time. */
export type Faults = typeof noFaults;
export type FaultName = keyof Faults;
export const faultNames = Object.keys(noFaults) as FaultName[];

/** The faults whose value is the share of requests that they strike. */
export type ShareFault = (typeof shareFaults)[number];
const shareFaults = [
  'rate_429',
  'rate_5xx',
  'reset_before',
  'reset_after_write',
  'fail_after_partial_write',
  'refuse_after_partial_write',
  'truncate',
] as const;

/**
 * Reads a fault as the command line has it, `NAME=VALUE`.
 * @throws AppError invalid_input with the list of names, or what the value must be
 */
export function parseFault(text: string): Partial<Faults> {
  const at = text.indexOf('=');
  const name = faultNames.find((known) => known === text.slice(0, Math.max(at, 0)));
  if (name === undefined) {
    throw invalidInput(`“${text}” is no fault. Write NAME=VALUE with one of: ${faultNames.join(', ')}.`, {
      field: '--fault',
    });
  }
  return { [name]: readValue(name, text.slice(at + 1)) };
}

function readValue(name: FaultName, text: string): Faults[FaultName] {
  const usual = noFaults[name];
  if (typeof usual === 'boolean') {
    if (['true', '1', 'on', 'yes'].includes(text)) return true;
    if (['false', '0', 'off', 'no'].includes(text)) return false;
    throw invalidInput(`${name} is switched by true or false, not by “${text}”.`, { field: '--fault' });
  }
  if (typeof usual === 'string') {
    const word = [...shapes, ...kinds].find((known) => known === text && words[name]?.includes(known));
    if (word) return word;
    throw invalidInput(`${name} is one of ${words[name]?.join(', ') ?? ''}, not “${text}”.`, {
      field: '--fault',
    });
  }
  if (name === 'retry_after' && text === 'none') return -1;
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) {
    throw invalidInput(`${name} takes a number, not “${text}”.`, { field: '--fault' });
  }
  const share = name === 'partial_failure' || shareFaults.some((known) => known === name);
  if (share && (value < 0 || value > 1)) {
    throw invalidInput(`${name} is a share from 0 to 1, not ${text}.`, { field: '--fault' });
  }
  return value;
}

/**
 * Faults given from outside, checked one by one.
 * @throws AppError invalid_input as {@link parseFault} does
 */
export function checkFaults(given: Record<string, unknown>): Partial<Faults> {
  const texts = Object.entries(given).map(([name, value]) => `${name}=${String(value)}`);
  return Object.assign({}, ...texts.map((text) => parseFault(text))) as Partial<Faults>;
}
