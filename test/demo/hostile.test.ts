import { request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Demo, startDemo } from '../../src/demo/index.ts';
import { bounded, limits, maxRecords, Work } from '../../src/demo/mongo.ts';
import { Problem } from '../../src/demo/service.ts';
import type { JsonValue } from '../../src/shared/json.ts';
import { ask } from '../conformance/target.ts';
import { clientOf, someRecords } from './client.ts';

let demo: Demo;
let client: ReturnType<typeof clientOf>;
beforeAll(async () => {
  demo = await startDemo({ records: 30_000 });
  client = clientOf(demo);
});
afterAll(() => demo.close());
const { workMs } = limits;

const pipeline = async (stages: JsonValue): Promise<{ status: number; text: string }> =>
  ask(
    { authorization: `API ${demo.apiKeys.read}` },
    `${demo.dataUrl}/api/v1/data/demo/wits/aggregate/pipeline/`,
    { body: { stages } },
  );
const alive = async (): Promise<boolean> =>
  (await client.platform('/v2/wells', { per_page: 1 })).status === 200;

describe('runaway aggregations are stopped, and the service continues', () => {
  const numbers = { $range: [0, 1000] };
  beforeAll(() => {
    limits.workMs = 400;
  });
  afterAll(() => {
    limits.workMs = workMs;
  });

  test.each<[string, JsonValue]>([
    ['a range of a billion numbers', [{ $limit: 1 }, { $project: { all: { $range: [0, 1_000_000_000] } } }]],
    ['records multiplied by unwinding', [{ $set: { a: numbers, b: numbers, c: numbers } }, { $unwind: '$a' }, { $unwind: '$b' }, { $unwind: '$c' }, { $count: 'n' }]],
    ['a text that doubles', [{ $limit: 1 }, { $project: { t: { $reduce: { input: { $range: [0, 60] }, initialValue: 'xx', in: { $concat: ['$$value', '$$value'] } } } } }]],
    ['densifying to the millionth', [{ $densify: { field: 'timestamp', range: { step: 0.000001, bounds: 'full' } } }, { $count: 'n' }]],
  ])('in the case of %s', async (_words, stages) => {
    const reply = await pipeline(stages);
    expect([400, 422]).toContain(reply.status);
    expect(await alive()).toBe(true);
  }); // oxfmt-ignore

  test('after work that takes too long', () => {
    const endless = (): boolean => /^(a+)+$/.test(`${'a'.repeat(50)}b`);
    expect(() => bounded(endless, 50)).toThrow(Problem);
    expect(bounded(() => 7, 50)).toBe(7);
  });

  test('after a request that scans too many records', () => {
    expect(() => new Work().countRecords(maxRecords + 1)).toThrow(Problem);
  });

  test('when the client has disconnected', async () => {
    let steps = 0;
    const work = new Work(() => steps > 0);
    const step = (): boolean => (steps += 1) > 0;
    const endless = work.repeat(step, false);
    await expect(endless).rejects.toThrow('the client has gone');
  });
});

describe('operations that must not run or be accessible', () => {
  test.each<[string, JsonValue]>([
    ['$where', [{ $match: { $where: 'process.exit()' } }]],
    ['$function', [{ $limit: 1 }, { $set: { a: { $function: { body: 'x => process.exit()', args: [], lang: 'js' } } } }]],
    ['$accumulator', [{ $group: { _id: null, a: { $accumulator: { init: 'x', accumulate: 'x', merge: 'x', lang: 'js' } } } }]],
    ['$lookup', [{ $lookup: { from: 'frac.confidential', as: 'x', pipeline: [] } }]],
    ['$unionWith', [{ $unionWith: 'northern/wits' }]],
    ['$graphLookup', [{ $graphLookup: { from: 'x', as: 'y' } }]],
    ['$documents', [{ $documents: [{ a: 1 }] }]],
    ['two operators in one stage', [{ $match: {}, $limit: 1 }]],
    ['an empty stage', [{}]],
    ['a limit of 0', [{ $limit: 0 }]],
    ['a sort by nothing', [{ $sort: {} }]],
    ['a sort direction of 3', [{ $sort: { a: 3 } }]],
  ])('are rejected: %s', async (_words, stages) => {
    expect([400, 403, 422]).toContain((await pipeline(stages)).status);
    expect(await alive()).toBe(true);
  }); // oxfmt-ignore

  test.each(['$merge', '$out', '$lookup', '$unionWith', '$graphLookup', '$documents', '$unheardOf'])(
    'include the stage %s, rejected by name, at any depth',
    async (name) => {
      expect((await pipeline([{ [name]: {} }])).status).toBe(403);
      expect((await pipeline([{ $facet: { inner: [{ [name]: {} }] } }])).status).toBe(403);
    },
  );

  test('include the prototype of objects', async () => {
    await client.data('demo/wits/', {
      query: '{"__proto__":{"polluted":1}}',
      sort: '{"__proto__":1}',
      limit: 1,
    });
    await client.data('demo/wits/', {
      query: {},
      sort: {},
      limit: 1,
      fields: '__proto__.polluted,constructor.prototype',
    });
    await client.insert(
      '[{"version":1,"asset_id":5003,"timestamp":1,"__proto__":{"polluted":1},"data":{"__proto__":{"polluted":1}}}]',
    );
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
    expect((await client.platform('/v2/constructor')).status).toBe(404);
    expect((await client.platform('/v2/wells', { sort: 'constructor' })).status).toBe(422);
  });
});

describe('bodies', () => {
  const insertPath = '/api/v1/data/demo/uploads.time/';
  const send = (bytes: number, chunked: boolean): Promise<number> =>
    new Promise((answered, failed) => {
      const { port } = new URL(demo.dataUrl);
      const headers = {
        Authorization: `API ${demo.apiKeys.write}`,
        ...(chunked ? {} : { 'Content-Length': bytes }),
      };
      const sent = request({ port, method: 'POST', path: insertPath, headers, agent: false }, (response) => {
        response.resume();
        answered(response.statusCode ?? 0);
      });
      sent.on('error', failed);
      const piece = Buffer.alloc(1 << 20, ' ');
      const write = (left: number): void => {
        if (left <= 0) sent.end();
        else sent.write(piece.subarray(0, Math.min(left, piece.length)), () => write(left - piece.length));
      };
      write(bytes);
    });

  test.each([
    ['with its length', false],
    ['without its length', true],
  ])('over 64 MB are rejected with 413, %s', async (_words, chunked) => {
    expect(await send(64 * 1024 * 1024 + 1, chunked)).toBe(413);
  });

  test('of exactly 64 MB are read', async () => {
    expect(await send(64 * 1024 * 1024, false)).toBe(400);
  });

  test('that end in the middle have no effect', async () => {
    const { port } = new URL(demo.dataUrl);
    const before = await client.count('demo/uploads.time');
    await new Promise<void>((closed) => {
      const socket = connect(Number(port), '127.0.0.1', () => {
        const body = JSON.stringify(someRecords(10));
        socket.write(
          `POST ${insertPath} HTTP/1.1\r\nHost: x\r\nAuthorization: API ${demo.apiKeys.write}\r\nContent-Length: ${String(body.length)}\r\n\r\n`,
        );
        socket.write(body.slice(0, body.length / 2), () => socket.destroy());
      });
      socket.on('close', () => closed());
    });
    expect(await alive()).toBe(true);
    expect(await client.count('demo/uploads.time')).toBe(before);
  });
});

describe('the address', () => {
  test('is on this machine only', () => {
    expect(new URL(demo.dataUrl).hostname).toBe('127.0.0.1');
  });

  test.each(['/api/v1/data/%ZZ/wits/', '/api/v1/data/demo/%E0%A4%A/'])(
    'with invalid encoding returns 400: %s',
    async (path) => {
      const reply = await ask({ authorization: `API ${demo.apiKeys.read}` }, demo.dataUrl + path);
      expect(reply.status).toBe(400);
    },
  );

  test.each(['//', '/\\', '/?', '*', '/..', '/api/v1//dataset/'])(
    'with an unusual path returns 404: %s',
    async (path) => {
      const { port } = new URL(demo.dataUrl);
      const status = await new Promise<number | undefined>((answered, failed) => {
        const sent = request({ port, path, agent: false }, (response) =>
          answered(response.resume().statusCode),
        );
        sent.on('error', failed).end();
      });
      expect(status).toBe(404);
    },
  );

  test('of an insert without the slash is redirected with 307, which keeps method and body', async () => {
    const url = `${demo.dataUrl}/api/v1/data/demo/uploads.time`;
    const headers = { Authorization: `API ${demo.apiKeys.write}`, 'Content-Type': 'application/json' };
    const reply = await fetch(url, { method: 'POST', headers, body: JSON.stringify(someRecords(1)) });
    expect([reply.status, reply.redirected]).toEqual([200, true]);
  });

  test('may have plus signs for spaces, and encoded brackets', async () => {
    const target = { authorization: `API ${demo.apiKeys.read}` };
    const reply = await ask(
      target,
      `${demo.platformUrl}/v2/wells?search=Badger+Creek&fields%5B%5D=well.name`,
    );
    expect(reply.text).toContain('Badger Creek');
    expect(reply.text).not.toContain('asset_id');
  });

  test('may end with a slash, for both services', async () => {
    const target = { authorization: `API ${demo.apiKeys.read}` };
    expect((await ask(target, `${demo.platformUrl}/v2/wells/`)).status).toBe(200);
  });

  test('with an unsupported method returns 405 and lists the supported ones', async () => {
    const reply = await client.data('demo/wits/count/', {}, { method: 'DELETE' });
    expect([reply.status, reply.headers.get('Allow')]).toEqual([405, 'GET']);
  });

  test('with a port in use is an error at startup', async () => {
    await expect(startDemo({ port: Number(new URL(demo.dataUrl).port), records: 0 })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
  });
});
