import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../../../src/shared/errors/errors.ts';
import type { Services } from '../../../../../src/main/core/wire/services/services.ts';
import { useServers } from '../../../../support/servers.ts';
import { useServices } from '../../../../support/services.ts';

const servers = useServers();
const open = useServices();
const address = { provider: 'demo', dataset: 'wits' };
const once = { maxTries: 1 };
const find = { query: {}, sort: { timestamp: 1 }, limit: 10 };

/** Every function of both services. */
const calls: Readonly<Record<string, (services: Services) => Promise<unknown>>> = {
  find: ({ data }) => data.find(address, find, once).then(({ text }) => JSON.parse(text)),
  'find, unread': ({ data }) => data.findUnchecked(address, find, once),
  count: ({ data }) => data.count(address, {}, once),
  aggregate: ({ data }) => data.aggregate(address, { match: {}, sort: {}, limit: 10 }, once),
  pipeline: ({ data }) => data.pipeline(address, [{ $match: {} }], once),
  insert: ({ data }) => data.insert(address, Buffer.from('[{}]'), 1),
  datasets: ({ data }) => data.datasets({}, once),
  'datasets of companies': ({ data }) => data.companyDatasets(once),
  dataset: ({ data }) => data.dataset(address, once),
  'list of wells': ({ platform }) => platform.list('wells', {}, once),
  'list of assets': ({ platform }) => platform.list('assets', {}, once),
};

const deep = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const deepObject = (depth: number): string => '{"data":'.repeat(depth) + '1' + '}'.repeat(depth);
const polluting = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}';
const json = (text: string) => (response: ServerResponse) => {
  response.setHeader('content-type', 'application/json');
  response.end(text);
};

/** Responses that no service of the specification sends. */
const answers: Readonly<Record<string, (response: ServerResponse) => void>> = {
  nothing: json(''),
  'a number': json('1'),
  null: json('null'),
  'a text that never ends': json('"abc'),
  'lists in lists, ten thousand deep': json(deep(10_000)),
  'objects in objects, ten thousand deep': json(deepObject(10_000)),
  'lists in lists, a hundred thousand deep': json(deep(100_000)),
  'keys of prototypes': json(polluting),
  'a list of keys of prototypes': json(`[${polluting}]`),
  'records with keys of prototypes': json(
    `{"data":[{"id":1,"type":"well","attributes":${polluting},"relationships":${polluting},"__proto__":{"polluted":1}}]}`,
  ),
  'wrong types everywhere': json(
    '{"data":[null,1,"x",[],{},{"id":{}},{"id":[],"attributes":1},{"id":1e999,"attributes":{"name":{}}}],"count":{},"inserted_ids":{"length":1},"failed_count":"many","messages":1}',
  ),
  'a count that is no count': json('{"count":-1e308}'),
  'ids of more rows than were sent': json(
    JSON.stringify({ inserted_ids: Array.from({ length: 5000 }, String), failed_count: -3, messages: null }),
  ),
  'a hundred thousand ids': json(`{"inserted_ids":[${'1,'.repeat(100_000)}1]}`),
  'text that is not UTF-8': (response) =>
    response.end(Buffer.from([0x5b, 0x22, 0xff, 0xfe, 0xc0, 0x22, 0x5d])),
  'half a character': json('["\\ud800"]'),
  'a page of HTML': (response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<script>alert(1)</script>');
  },
  'a bomb that unpacks to 8 MB': (response) => {
    response.setHeader('content-encoding', 'gzip');
    response.end(bomb);
  },
  'a length that is a lie': (response) => {
    response.setHeader('content-length', '1000000');
    response.write('[]');
    response.socket?.destroy();
  },
  'a way elsewhere': (response) => {
    response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data' });
    response.end();
  },
  'a status that does not exist': (response) => {
    response.writeHead(799);
    response.end('{}');
  },
  'a problem as deep as a well': (response) => {
    response.writeHead(422, { 'content-type': 'application/json' });
    response.end(`{"message":${deepObject(5000)},"code":${deep(5000)}}`);
  },
};
const bomb = gzipSync(Buffer.alloc(8_000_000, 0x20));

/** The outcome of a call: its value, or the code of its error. */
async function outcomeOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return 'an answer';
  } catch (error) {
    return error instanceof AppError ? error.code : `thrown: ${String(error)}`;
  }
}

describe.each(Object.keys(answers))('a response that is %s', (kind) => {
  it('is accepted, or rejected with an error of the service, never an internal one', async () => {
    const server = await servers.http((_request, response) => {
      answers[kind]?.(response);
    });
    const services = open(server.url);
    for (const [name, call] of Object.entries(calls)) {
      const outcome = await outcomeOf(call(services));
      expect(outcome, name).not.toMatch(/^thrown|^internal$/);
    }
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});
