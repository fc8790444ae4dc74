import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import type { Cli } from '../../../../../src/main/hosts/cli/command.ts';
import { exitCodes } from '../../../../../src/main/hosts/cli/exit-codes.ts';
import { describeProgress, stoppedOutcome } from '../../../../../src/main/hosts/cli/jobs/outcome.ts';
import { createOutput } from '../../../../../src/main/hosts/cli/output.ts';
import { createFiles } from '../../../../../src/main/core/files/files.ts';
import { errorCodes, invalidInput } from '../../../../../src/shared/errors/errors.ts';
import { job as jobSchema } from '../../../../../src/shared/jobs/jobs.ts';

const common = {
  id: '20261121-000000-abcdef',
  state: 'done',
  address: { provider: 'demo', dataset: 'wits' },
  connection: 'North Ridge',
  file: 'wits.csv',
  started: '2026-11-21T00:00:00.000Z',
  updated: '2026-11-21T00:00:01.000Z',
  progress: { rows: 10, totalRows: 10, bytes: 100, rate: 0, secondsLeft: null, nextTryMs: null },
  error: null,
  artifacts: [],
};
const exported = (rows: number, expected: number | null) => ({
  ...common,
  kind: 'export',
  result: { rows, bytes: 100, sha256: 'abc', expected, warnings: ['counted otherwise'] },
});
const failedExport = (error: object) => ({
  ...common,
  kind: 'export',
  state: 'failed',
  error,
  result: null,
});
const uploaded = (ledger: object) => ({
  ...common,
  kind: 'upload',
  result: {
    ledger: { rows: 10, accepted: 10, rejected: 0, unknown: 0, pending: 0, skipped: 0, ...ledger },
    dryRun: false,
    problems: [],
    warnings: [],
    footerRows: 0,
  },
});

/** The exit of a command whose job is in this state, with its stderr and stdout. */
async function outcomeOf(job: object, json = true, stdout = new PassThrough()) {
  const messages: string[] = [];
  const cli: Pick<Cli, 'json' | 'out' | 'messages' | 'resumeCommand'> = {
    json,
    resumeCommand: (id) => `wellbench jobs resume ${id}`,
    out: createOutput(stdout),
    messages: {
      say: (sentence) => messages.push(sentence),
      progress: () => undefined,
      clear: () => undefined,
    },
  };
  const outcome = await stoppedOutcome(jobSchema.parse(job), createFiles(), cli);
  stdout.end();
  return { outcome, messages, stdout: stdout.destroyed ? '' : await text(stdout) };
}

describe('a command whose job ends', () => {
  it.each([
    ['an export of all rows', exported(10, 10), 0],
    ['an export without a count', exported(10, null), 0],
    ['an export whose count differs', exported(10, 11), 3],
    ['an upload of all rows', uploaded({}), 0],
    ['an upload with rows that already existed', uploaded({ skipped: 4 }), 0],
    ['an upload with rejected rows', uploaded({ accepted: 9, rejected: 1 }), 3],
    ['an upload with unknown rows', uploaded({ accepted: 9, unknown: 1 }), 3],
  ])('reports %s', async (_what, job, exitCode) => {
    const { outcome } = await outcomeOf(job);
    expect(outcome).toMatchObject({ exitCode, summary: { job: common.id, state: 'done' } });
    expect(outcome.error).toBeUndefined();
  });

  it('has a summary and an error for a failed job, which can be resumed', async () => {
    const error = { code: 'disk_full', message: '', details: { file: 'wits.csv', writtenBytes: 5 } };
    const { outcome, messages } = await outcomeOf(failedExport(error));
    expect(outcome.summary).toMatchObject({ rows: 10, sha256: null, file: null, manifest: null });
    expect(outcome.error).toMatchObject({ code: 'disk_full' });
    expect(messages.at(-1)).toContain(`jobs resume ${common.id}`);
  });

  it('says nothing of resuming an export whose records don’t fit its format', async () => {
    const error = invalidInput('A LAS file has one log.', { field: 'query' }).toBody();
    const { outcome, messages } = await outcomeOf(failedExport(error));
    expect(outcome.error).toMatchObject({ code: 'invalid_input' });
    expect(messages).toEqual([]);
  });

  it.each([
    ['an upload that sent rows', uploaded({ accepted: 4, pending: 6 }), 'file_unreadable', 1],
    ['an upload with rows that may be stored', uploaded({ accepted: 0, unknown: 4 }), 'invalid_input', 1],
    ['an upload that sent nothing', uploaded({ accepted: 4, skipped: 4 }), 'file_unreadable', undefined],
    ['an export whose file another program created', exported(0, null), 'file_exists', 1],
    ['an export whose records don’t fit its format', exported(0, null), 'invalid_input', undefined],
  ])('exits with 2 only if nothing was sent or written: %s', async (_what, job, code, exitCode) => {
    const details =
      code === 'invalid_input' ? { issues: [] } : { file: 'a.csv', reason: 'the drive is gone' };
    const error = { code, message: '', details };
    const { outcome } = await outcomeOf({ ...job, state: 'failed', error });
    expect(outcome).toMatchObject({ error: { code } });
    expect(outcome.exitCode).toBe(exitCode);
  });

  it.each(['cancelled', 'interrupted'])('reports a %s job as canceled', async (state) => {
    const { outcome } = await outcomeOf({ ...uploaded({ accepted: 4, pending: 6 }), state });
    expect(outcome).toMatchObject({ summary: { accepted: 4, pending: 6 }, error: { code: 'cancelled' } });
  });

  it('sends warnings to stderr, and a readable summary to stdout without --json', async () => {
    const { messages, stdout } = await outcomeOf(exported(10, 10), false);
    expect(messages).toEqual(['Warning: counted otherwise']);
    expect(stdout).toContain('rows: 10\n');
    expect((await outcomeOf(exported(10, 10))).stdout).toBe('');
  });
});

describe('without a reader of stdout', () => {
  const withoutReader = (job: object) => outcomeOf(job, false, new PassThrough().destroy());

  it('keeps the exit code of rejected rows, and the error of a failed job', async () => {
    expect((await withoutReader(uploaded({ accepted: 9, rejected: 1 }))).outcome).toMatchObject({
      exitCode: 3,
    });
    const error = { code: 'disk_full', message: '', details: { file: 'wits.csv', writtenBytes: 5 } };
    const { outcome, messages } = await withoutReader(failedExport(error));
    expect(outcome.error).toMatchObject({ code: 'disk_full' });
    expect(messages.at(-1)).toContain(`jobs resume ${common.id}`);
  });
});

describe('exit codes', () => {
  it('exist for each error, as the command line documents', () => {
    const by = (code: number) => errorCodes.filter((error) => exitCodes[error] === code);
    expect(by(4)).toEqual(['not_authenticated', 'forbidden']);
    expect(by(130)).toEqual(['cancelled']);
    expect(by(3)).toEqual(['outcome_unknown']);
    expect(by(2)).toEqual(expect.arrayContaining(['invalid_input', 'file_unsuitable', 'connection_unknown']));
    expect(by(0)).toEqual([]);
  });
});

describe('the progress of a job', () => {
  const { progress } = jobSchema.parse(exported(10, 10));

  it.each([
    ['export', { rows: 1, totalRows: null }, '1 row'],
    ['export', { rows: 12_000, totalRows: 100_000 }, '12,000 of 100,000 rows (12%)'],
    ['quality', { rows: 1, totalRows: 1 }, '1 of 1 record (100%)'],
    ['quality', { rows: 2, totalRows: null, rate: 5 }, '2 records, 5 records/s'],
  ] as const)('of kind %s: %j', (kind, change, words) => {
    expect(describeProgress({ kind, result: null, progress: { ...progress, ...change } })).toBe(words);
  });
});
