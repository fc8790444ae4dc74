import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { DatasetType } from '../../../../../src/shared/datasets/datasets.ts';
import { parseJson, type JsonObject } from '../../../../../src/shared/json.ts';

/** The service's behavior for one insert. */
export type Reaction =
  /** Stores all but the records at these positions. */
  | {
      readonly do: 'store';
      readonly fail?: readonly number[];
      readonly messages?: 'indexed' | 'string' | 'none';
    }
  /** Stores this many records, then responds with an error, or cuts the connection. */
  | {
      readonly do: 'status';
      readonly status: number;
      readonly stored?: 'none' | 'half' | 'all';
      readonly retryAfter?: string;
    }
  | { readonly do: 'reset'; readonly stored: 'none' | 'half' | 'all' }
  /** Stores all and responds only when the promise resolves. */
  | { readonly do: 'wait'; readonly until: Promise<void> };

export interface SinkOptions {
  readonly type?: DatasetType;
  /** Called for each insert: its number from 0, its records, and its size in bytes. */
  readonly react?: (insert: number, records: readonly JsonObject[], bytes: number) => Reaction;
}

export interface Sink {
  readonly server: ReturnType<typeof createServer>;
  readonly stored: JsonObject[];
  /** The records of each insert that arrived. */
  readonly inserts: (readonly JsonObject[])[];
  react: (insert: number, records: readonly JsonObject[], bytes: number) => Reaction;
}

/** A data service for one dataset that stores what it receives and fails on demand. */
export function createSink({ type = 'time', react = () => ({ do: 'store' }) }: SinkOptions = {}): Sink {
  const definition = {
    id: 1,
    company_id: 1,
    provider: 'p',
    name: 'p#d',
    data_type: type,
    plottable: true,
    temporary: false,
    indexes: [],
    schema: {},
    permission_workflow: {},
    statistics: {},
    description: '',
    friendly_name: 'd',
  };
  const sink: Sink = {
    server: createServer((request, response) => void handle(request, response)),
    stored: [],
    inserts: [],
    react,
  };
  let ids = 0;
  const keep = (records: readonly JsonObject[], how: 'none' | 'half' | 'all'): void => {
    sink.stored.push(
      ...records.slice(
        0,
        how === 'all' ? records.length : how === 'half' ? Math.floor(records.length / 2) : 0,
      ),
    );
  };
  const answerStored = (
    response: ServerResponse,
    records: readonly JsonObject[],
    { fail = [], messages = 'indexed' }: Extract<Reaction, { do: 'store' }>,
  ): void => {
    const bad = new Set(fail);
    const good = records.filter((_, at) => !bad.has(at));
    sink.stored.push(...good);
    const responseBody = {
      indexed: fail.map((index) => ({ index, message: 'no good' })),
      string: fail.map(() => 'no good'),
      none: [],
    }[messages];
    response.end(
      JSON.stringify({
        inserted_ids: good.map(() => String(++ids).padStart(24, '0')),
        failed_count: bad.size,
        messages: responseBody,
      }),
    );
  };
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    response.setHeader('content-type', 'application/json');
    if (request.method === 'GET') return void response.end(JSON.stringify(definition));
    const records = parseJson(body.toString()) as JsonObject[];
    const insert = sink.inserts.push(records) - 1;
    const reaction = sink.react(insert, records, body.length);
    switch (reaction.do) {
      case 'store':
        return answerStored(response, records, reaction);
      case 'wait':
        await reaction.until;
        return answerStored(response, records, { do: 'store' });
      case 'reset':
        keep(records, reaction.stored);
        return void request.socket.resetAndDestroy();
      case 'status':
      default:
        keep(records, reaction.stored ?? 'none');
        if (reaction.retryAfter !== undefined) response.setHeader('retry-after', reaction.retryAfter);
        response.statusCode = reaction.status;
        return void response.end(JSON.stringify({ code: reaction.status, message: 'as told' }));
    }
  }
  return sink;
}
