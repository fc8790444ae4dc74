import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { copyFile, mkdir, readdir, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openEngines } from '../../../../src/main/core/engines.ts';
import { countRepeats } from '../../../../src/main/core/duckdb/to-parquet.ts';
import { startProcess, type ProcessPort, type StartProcess } from '../../../../src/main/world/threads.ts';
import {
  windowPage,
  openSqlEngine,
  type SqlEngineOptions,
} from '../../../../src/main/core/duckdb/sql-engine.ts';
import { AppError, isAppError } from '../../../../src/shared/errors/errors.ts';
import { canMount, withSmallDisk } from '../../../support/small-disk.ts';
import { lawRuns, sampleOf } from '../../../support/sample.ts';

const folder = mkdtempSync(join(tmpdir(), 'wellbench-test-'));
const log = join(folder, 'log.parquet');
const stages = join(folder, 'stages.parquet');
const rounds = lawRuns(2);

const wholeLog = join(folder, 'whole', 'log.parquet');

beforeAll(async () => {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await mkdir(dirname(wholeLog));
  await connection.run(
    `COPY (SELECT i AS depth, hash(i) % 1000 AS rop FROM range(60000) r(i)) TO '${wholeLog}' (FORMAT parquet, ROW_GROUP_SIZE 20000)`,
  );
  await connection.run(`COPY (SELECT i AS stage FROM range(20) r(i)) TO '${stages}' (FORMAT parquet)`);
  connection.closeSync();
  instance.closeSync();
});
beforeEach(async () => {
  await rm(log, { recursive: true, force: true });
  await copyFile(wholeLog, log);
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

const tableOf = (name: string) => ({
  folder: null,
  table: { name, files: [join(folder, `${name}.parquet`)], isPartitioned: false, units: {} },
});

/** An engine over two tables, closed after `work`. */
async function withEngine(
  work: (engine: {
    readonly rows: (sql: string, signal?: AbortSignal) => Promise<number>;
    readonly pages: (sql: string) => ReturnType<ReturnType<typeof openSqlEngine>['run']>;
    /** Opens the same tables again. */
    readonly open: () => Promise<unknown>;
    readonly warnings: string[];
    readonly close: () => void;
    readonly kill: () => void;
  }) => Promise<void>,
  options: Partial<SqlEngineOptions> = {},
): Promise<void> {
  const warnings: string[] = [];
  const ports: ProcessPort[] = [];
  const engine = openSqlEngine({
    folder: join(folder, 'engine'),
    memoryMb: async () => 200,
    filesOf: async () => [],
    warn: (sentence) => warnings.push(sentence),
    ...options,
    start(name, env) {
      const port = (options.start ?? startProcess)(name, env);
      ports.push(port);
      return port;
    },
  });
  const open = async () => engine.open([tableOf('log'), tableOf('stages')]);
  await open();
  try {
    await work({
      warnings,
      open,
      pages: (sql) => engine.run(sql, windowPage(20_000), undefined),
      close: engine.close,
      kill: () => ports.at(-1)?.close(),
      async rows(sql, signal) {
        let rows = 0;
        for await (const { count } of engine.run(sql, windowPage(20_000), signal)) rows += count;
        return rows;
      },
    });
  } finally {
    engine.close();
  }
}

/** Sorts more than its memory holds: as few rows as that takes. */
const spilling = `SELECT count(*) FROM (SELECT hash(i) AS k, repeat('x', 40) || i AS t, row_number() OVER () FROM range(600000) r(i) ORDER BY k, t)`;
const endless = 'SELECT count(*) FROM range(1000000000000)';
const outcome = async (rows: Promise<unknown>): Promise<unknown> =>
  rows.catch((error: unknown) => (error instanceof AppError ? error.code : String(error)));

describe('statements of several windows', () => {
  it('fail and are canceled alone', async () => {
    await withEngine(async ({ rows, warnings }) => {
      const stop = new AbortController();
      const canceled = outcome(rows(endless, stop.signal));
      const slow = rows('SELECT sum(a.rop * b.stage) FROM log a, stages b GROUP BY a.depth');
      const failures = [
        'SELECT nothing FROM log',
        `SELECT error('no') FROM log`,
        'SELECT (depth::VARCHAR || $$x$$)::INTEGER FROM log',
        'SELEC',
        `SELECT * FROM '${log}'`,
        `SELECT repeat('x', 5000000000)`,
        'SELECT list(range) FROM range(100000000)',
      ].map(async (sql) => outcome(rows(sql)));
      stop.abort();
      expect(await Promise.all(failures)).toEqual(failures.map(() => 'invalid_input'));
      expect(await canceled).toBe('cancelled');
      expect(await slow).toBe(60_000);
      expect(warnings).toEqual([]);
    });
  });

  it('more than Node has threads do not wait for each other', async () => {
    await withEngine(async ({ rows }) => {
      const stop = new AbortController();
      const running = Array.from({ length: 6 }, async () => outcome(rows(endless, stop.signal)));
      expect(await rows('SELECT * FROM stages')).toBe(20);
      stop.abort();
      expect(await Promise.all(running)).toEqual(running.map(() => 'cancelled'));
    });
  });

  it('fail with an error to retry when the process ends, with a line in the log', async () => {
    await withEngine(async ({ rows, warnings, kill }) => {
      const running = ['depth', 'rop'].map(async (order) =>
        outcome(rows(`SELECT a.rop FROM log a, range(10) ORDER BY hash(a.${order}) LIMIT 15000`)),
      );
      kill();
      expect(await Promise.all(running)).toEqual(['sql_unavailable', 'sql_unavailable']);
      expect(warnings).toEqual([
        expect.stringMatching(/the engine process ended \(SIGKILL\), while it ran \d+ statements/),
      ]);
      expect(await rows('SELECT * FROM stages')).toBe(20);
    });
  });

  it('fail with an error to retry when the process ends after some of their rows', async () => {
    await withEngine(async ({ pages, rows, kill }) => {
      const [first, second] = [pages('SELECT * FROM log'), pages('SELECT * FROM log')];
      for (const each of [first, second]) expect((await each.next()).value?.count).toBe(20_000);
      kill();
      for (const each of [first, second])
        await expect(each.next()).rejects.toMatchObject({ code: 'sql_unavailable' });
      expect(await rows('SELECT * FROM stages')).toBe(20);
    });
  });

  it('spill apart from those of the tables that were open before', async () => {
    await withEngine(
      async ({ rows, open, warnings }) => {
        const running = [rows(spilling)];
        for (let round = 0; round < 2; round += 1) {
          await rows('SELECT 1');
          await open();
          running.push(rows(spilling));
        }
        expect(await Promise.all(running)).toEqual([1, 1, 1]);
        expect(warnings).toEqual([]);
      },
      { memoryMb: async () => 60 },
    );
  });

  it('end with a process that doesn’t respond to a cancel, and a line in the log', async () => {
    /** A process that never starts statements. */
    let isStuck = true;
    const startCall = Promise.withResolvers<void>();
    const start: StartProcess = (name, env) => {
      const port = startProcess(name, env);
      const send: ProcessPort['send'] = (message, transfer) => {
        if (isStuck && 'call' in message && message.call === 'start') startCall.resolve();
        else port.send(message, transfer);
      };
      return { ...port, send };
    };
    await withEngine(
      async ({ rows, warnings }) => {
        const stop = new AbortController();
        const running = outcome(rows('SELECT * FROM stages', stop.signal));
        await startCall.promise;
        stop.abort();
        expect(await running).toBe('cancelled');
        isStuck = false;
        expect(await rows('SELECT * FROM stages')).toBe(20);
        expect(warnings).toHaveLength(1);
      },
      { start, cancelMs: 20 },
    );
  });

  it('end with their process if one value takes all of the memory, and the next ones have another', async () => {
    const starting = Promise.withResolvers<number>();
    let listener: Parameters<ProcessPort['onMessage']>[0] = () => undefined;
    let isFirst = true;
    /** The statements that the first process has got. */
    const started: string[] = [];
    const start: StartProcess = (name, env) => {
      const port = startProcess(name, env);
      const isStuck = isFirst;
      isFirst = false;
      return {
        ...port,
        onMessage(receive) {
          listener = receive;
          port.onMessage(receive);
        },
        send(message, transfer) {
          if (!isStuck || !('call' in message && message.call === 'start')) port.send(message, transfer);
          else if ('id' in message) started[Number(message.id)] = JSON.stringify(message);
          if (Object.keys(started).length === 2)
            starting.resolve(started.findIndex((statement) => statement?.includes('repeat')));
        },
      };
    };
    await withEngine(
      async ({ rows, warnings }) => {
        const other = outcome(rows('SELECT * FROM stages'));
        const large = outcome(rows(`SELECT repeat('x', 4000000000)`));
        const event: never = 'stuck' as never;
        listener({ id: await starting.promise, event });
        expect(await large).toBe('invalid_input');
        expect(await other).toBe('sql_unavailable');
        expect(await rows('SELECT * FROM stages')).toBe(20);
        expect(warnings).toEqual([
          'The values of a SQL statement were too long for the memory. Its process was ended.',
        ]);
      },
      { start },
    );
  });

  it.runIf(lawRuns(1) > 1)(
    'of one value that takes all of the memory end within the limit and one gigabyte',
    async () => {
      for (const value of ['range(100000000)', `repeat('x', 4000000000)`])
        await withEngine(async ({ rows, warnings }) => {
          expect(await outcome(rows(`SELECT ${value}`))).toBe('invalid_input');
          expect(warnings).toHaveLength(1);
          expect(await rows('SELECT * FROM stages')).toBe(20);
        });
    },
  );

  it(`are ended ${rounds} times by closing the engine`, async () => {
    for (let round = 0; round < rounds; round += 1)
      await withEngine(async ({ rows, close }) => {
        const running = [endless, 'SELECT * FROM log ORDER BY rop', 'SELECT * FROM log'].map(async (sql) =>
          outcome(rows(sql)),
        );
        await rows('SELECT 1');
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 30));
        close();
        for (const ended of await Promise.all(running)) expect([60_000, 'sql_unavailable']).toContain(ended);
        expect(await rows('SELECT * FROM stages')).toBe(20);
      });
  });
});

it('a process that a job has left runs statements next, and no job gets one that has tables open', async () => {
  const ports: ProcessPort[] = [];
  const { engine, startTables } = openEngines({
    dataFolder: join(folder, 'data'),
    memory: async () => 'quarter',
    startProcess(name, env) {
      const port = startProcess(name, env);
      ports.push(port);
      return port;
    },
  });
  const from = join(folder, 'places.csv');
  await writeFile(from, '"A",1\n"A",1\n"B",1\n');
  const count = async () => countRepeats({ startTables, signal: undefined }, from);
  expect(await count()).toEqual(new Map([['A', 1]]));
  expect(await count()).toEqual(new Map([['A', 1]]));
  await engine.open([tableOf('log'), tableOf('stages')]);
  expect(ports).toHaveLength(1);
  engine.close();
  expect(await count()).toEqual(new Map([['A', 1]]));
  expect(ports).toHaveLength(2);
});

describe('the file of a table', () => {
  const replacements: [string, () => Promise<void>][] = [
    ['removed', () => rm(log)],
    ['truncated', () => truncate(log, 5000)],
    ['emptied', () => truncate(log, 0)],
    ['overwritten', () => writeFile(log, Buffer.alloc(300_000, 7))],
    ['a text', () => writeFile(log, 'depth,rop\n1,2\n')],
    ['another table', () => copyFile(stages, log)],
    [
      'a link to nothing',
      async () => {
        await rm(log);
        execFileSync('ln', ['-s', '/nowhere', log]);
      },
    ],
    [
      'a pipe',
      async () => {
        await rm(log);
        execFileSync('mkfifo', [log]);
      },
    ],
    [
      'a folder',
      async () => {
        await rm(log);
        await mkdir(log);
      },
    ],
    [
      'a Parquet file of a wrong size',
      async () => {
        // The length of the footer is before the last four bytes.
        await rename(log, `${log}.old`);
        await copyFile(`${log}.old`, log);
        const { size } = await import('node:fs').then(({ statSync }) => statSync(log));
        const length = Buffer.alloc(4);
        length.writeUInt32LE(0x7fffffff);
        const { open } = await import('node:fs/promises');
        const file = await open(log, 'r+');
        await file.write(length, 0, 4, size - 8);
        await file.close();
      },
    ],
  ];
  it.skipIf(process.platform === 'win32').each(sampleOf(replacements, 3))(
    'that is %s while statements run fails them at most, without its path',
    async (_, replace) => {
      await withEngine(async ({ rows }) => {
        const before = rows('SELECT a.*, b.stage FROM log a, stages b WHERE b.stage < 3').catch(
          (error: unknown) => error,
        );
        await rows('SELECT 1');
        await replace();
        const after = await rows('SELECT count(DISTINCT rop) FROM log').catch((error: unknown) => error);
        for (const result of [await before, after]) {
          if (typeof result === 'number') continue;
          if (!isAppError(result, 'invalid_input')) throw new Error(`another error: ${String(result)}`);
          expect(result.message).not.toContain(folder);
        }
        expect(await rows('SELECT * FROM stages')).toBe(20);
        await rm(log, { recursive: true, force: true });
      });
    },
  );
});

describe('the folder for temporary files', () => {
  it('is empty after the process has ended', async () => {
    const spills = async () =>
      (await readdir(join(folder, 'engine'), { recursive: true })).filter((name) => /duckdb_temp/.test(name));
    await withEngine(
      async ({ rows, kill }) => {
        const running = outcome(rows(spilling));
        while ((await spills()).length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
        kill();
        await running;
        await expect.poll(spills).toEqual([]);
      },
      { memoryMb: async () => 60 },
    );
  });

  it.skipIf(!canMount)('that is full ends the statement that needs it, and no other', async () => {
    const small = join(folder, 'small');
    await mkdir(small);
    await withSmallDisk(small, 4096, async () =>
      withEngine(
        async ({ rows }) => {
          const large = `SELECT hash(i) AS k, repeat('x', 400) || i AS t FROM range(400000) r(i) ORDER BY k, t`;
          const error = await rows(large).catch((cause: unknown) => cause);
          if (!(error instanceof AppError)) throw new Error(`no error: ${String(error)}`);
          expect(error.code).toBe('disk_full');
          expect(error.message).not.toContain(folder);
          expect(await rows('SELECT * FROM stages')).toBe(20);
        },
        { folder: small, memoryMb: async () => 60 },
      ),
    );
  });
});
