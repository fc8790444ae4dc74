import { describe, expect, it } from 'vitest';
import {
  AppError,
  invalidInput,
  isAppError,
  toAppError,
  type ErrorCode,
  type ErrorDetails,
  errorCodes,
  fromBody,
  keychainTrouble,
  refusalReason,
  unreachableReason,
} from '../../../src/shared/errors/errors.ts';
import { describePlace } from '../../../src/shared/errors/sentences.ts';

const service = 'data' as const;
const file = 'rows.csv';
const job = 'export-1';

const proxyAnswers = [
  {},
  { kind: 'socks' as const },
  { status: 502 },
  { status: 407 },
  { status: 407, asks: ['basic'] },
  { status: 407, asks: ['basic', 'ntlm'], gaveLogin: true },
  { status: 407, asks: ['negotiate', 'ntlm'] },
  { status: 407, asks: ['digest'] },
].map((answer) => ({ proxy: 'proxy.example:8080', ...answer }));

/** At least one set of details for every code, with and without optional ones. */
const samples: { [C in ErrorCode]: readonly ErrorDetails<C>[] } = {
  invalid_input: [
    { issues: [] },
    { issues: [{ message: 'A comma is missing. Write it.', place: { field: 'query', line: 3, column: 7 } }] },
  ],
  not_authenticated: [
    { service },
    { service: 'platform', status: 401, said: 'no such key' },
    ...refusalReason.options.flatMap((why) => [
      { service, why },
      { service, why, said: 'no' },
    ]),
  ],
  addresses_swapped: [{}],
  forbidden: [
    { service, status: 403 },
    { service, what: 'demo/wits' },
  ],
  not_found: [{ service }, { service, status: 404, what: 'demo/wits', said: 'nothing there' }],
  refused: [{ service }, { service, status: 422, said: 'limit is 0' }],
  too_many_requests: [
    { service },
    { service, status: 429, retryAfterMs: 86_400_000, until: '2026-11-29T06:00:00.000Z' },
  ],
  too_large: [{ service, status: 413 }],
  service_failed: [{ service }, { service: 'platform', status: 503, said: 'down' }],
  bad_answer: [{ service, problem: 'it is HTML' }],
  unreachable: [
    ...unreachableReason.options.map((reason) => ({ service, host: 'data.example', reason })),
    ...proxyAnswers.map((proxy) => ({ service, host: 'data.example', reason: 'proxy' as const, proxy })),
    ...['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID', 'ERR_TLS_CERT_ALTNAME_INVALID', 'OTHER'].map(
      (certificate) => ({
        service,
        host: 'data.example',
        reason: 'tls' as const,
        certificate,
      }),
    ),
  ],
  timed_out: [{ service, host: 'data.example', afterMs: 60_000 }],
  outcome_unknown: [{ rows: 1000, cause: 'the link was cut' }],
  cancelled: [{}],
  connection_unknown: [{ connection: 'field' }],
  keychain_unavailable: keychainTrouble.options.map((trouble) => ({ trouble })),
  connection_read_only: [{ connection: 'field' }],
  file_unreadable: [{ file, reason: 'it doesn’t exist' }],
  file_unsuitable: [
    { file, reason: 'it is binary' },
    { file, reason: 'it is empty', wanted: 'certificates' },
    { file, reason: 'it is not JSON', wanted: 'connections' },
    { file, reason: 'a quote is open', place: { line: 5 } },
  ],
  file_too_new: [{ file, format: 2 }],
  table_unsupported: [
    { table: file, use: 'read', features: ['deletionVectors'] },
    { table: file, use: 'update', features: ['delta.enableChangeDataFeed', 'delta.constraints.positive'] },
  ],
  file_changed: [{ file }],
  file_exists: [{ file }],
  disk_full: [{ file, writtenBytes: 0 }],
  file_unwritable: [{ file, reason: 'no permission' }],
  job_unknown: [{ job }],
  job_busy: [{ job }],
  job_too_new: [{ job, format: 9 }],
  job_state: [{ job, state: 'done', wanted: 'stopped' }],
  upload_repeated: [
    { file, job, isRunning: true },
    { file, job, isRunning: false },
    { file, job, isRunning: false, isUnfinished: true, isOther: true },
  ],
  upload_changed: [
    { file, parts: ['mapping'] },
    { file, parts: ['file', 'wells', 'existing'] },
  ],
  sql_unavailable: [{ reason: 'missing' }, { reason: 'stopped' }],
  internal: [{ problem: 'x is not a function' }],
};

function errorsOf<C extends ErrorCode>(code: C): AppError<C>[] {
  return samples[code].map((details) => new AppError(code, details));
}
const all = errorCodes.flatMap((code) => errorsOf(code).map((error) => [code, error] as const));

// Words that start a next step: the last sentence tells the user what to do.
const nextStep =
  /(?:^|[.?”)] )(?:Add|Allow|Ask|Change|Check|Choose|Correct|Enter|Free up|Install|List|Remove|Replace|Request|Retry|Run|Select|Send|Sign in|Start|Swap|Turn off|Unlock|Unset|Update|Upload|Wait|Write) ?[^.?]*[.?]$/;

describe('every error', () => {
  it.each(all)('%s has a message that ends in a next step', (_code, error) => {
    expect(error.message).toMatch(nextStep);
    expect(error.message).not.toMatch(/undefined|null|NaN|\[object|\s\s/);
  });

  it.each(all)('%s passes a process boundary unchanged', (code, error) => {
    const arrived = fromBody(JSON.parse(JSON.stringify(error.toBody())));
    expect(arrived).toBeInstanceOf(AppError);
    expect(arrived.code).toBe(code);
    expect(arrived.details).toStrictEqual(error.details);
    expect(arrived.message).toBe(error.message);
  });
});

describe('fromBody', () => {
  it.each([
    [undefined],
    [null],
    ['text'],
    [{}],
    [{ code: 'unheard_of', message: 'x', details: {} }],
    [{ code: 'cancelled', details: {} }],
  ])('treats %j as an internal error', (body) => {
    expect(fromBody(body)).toMatchObject({
      code: 'internal',
      details: { problem: 'received an invalid error' },
    });
  });

  it('keeps the message of a known code whose details are invalid', () => {
    const arrived = fromBody({ code: 'disk_full', message: 'No space.', details: { file: 5 } });
    expect(arrived).toMatchObject({ code: 'internal', details: { problem: 'No space.' } });
  });

  it('drops unknown details of the code', () => {
    const arrived = fromBody({
      code: 'file_exists',
      message: '',
      details: { file: 'a.csv', apiKey: 'secret' },
    });
    expect(arrived.details).toStrictEqual({ file: 'a.csv' });
  });
});

describe('toAppError', () => {
  it('returns an AppError unchanged', () => {
    const error = new AppError('file_exists', { file });
    expect(toAppError(error)).toBe(error);
  });

  it('maps an abort to canceled', () => {
    const { signal } = AbortSignalSource();
    expect(toAppError(signal.reason)).toMatchObject({ code: 'cancelled', cause: signal.reason });
  });

  it.each([
    [new TypeError('x is not a function'), 'x is not a function'],
    ['a text', 'a text'],
    [undefined, 'undefined'],
  ])('maps %s to internal, and keeps it as the cause', (thrown, problem) => {
    expect(toAppError(thrown)).toMatchObject({ code: 'internal', details: { problem }, cause: thrown });
  });
});

function AbortSignalSource(): AbortController {
  const controller = new AbortController();
  controller.abort();
  return controller;
}

describe('isAppError', () => {
  it('checks for the given code', () => {
    const error: unknown = new AppError('cancelled', {});
    expect(isAppError(error, 'cancelled')).toBe(true);
    expect(isAppError(error, 'internal')).toBe(false);
    expect(isAppError({ code: 'cancelled', details: {} }, 'cancelled')).toBe(false);
    expect(isAppError(null, 'cancelled')).toBe(false);
  });
});

describe('positions in words', () => {
  it.each([
    [undefined, ''],
    [{}, ''],
    [{ field: 'query', line: 3, column: 7 }, 'query, line 3, column 7'],
    [{ file, line: 5 }, 'rows.csv, line 5'],
    [{ file, byte: 0 }, 'rows.csv, byte 0'],
  ])('%j is “%s”', (at, words) => expect(describePlace(at)).toBe(words));

  it('come before the message of an issue, and several issues are listed in sequence', () => {
    expect(invalidInput('It is empty. Write it.', { field: 'sort' }).message).toBe(
      'sort: It is empty. Write it.',
    );
    expect(invalidInput('It is empty. Write it.').message).toBe('It is empty. Write it.');
    const two = new AppError('invalid_input', {
      issues: [{ message: 'One.' }, { message: 'Two.', place: { line: 2 } }],
    });
    expect(two.message).toBe('One. line 2: Two.');
  });
});
