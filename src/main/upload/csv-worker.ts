import { parentPort } from 'node:worker_threads';
import { toAppError } from '../../shared/errors.ts';
import type { CsvCalls, CsvCall, CsvResult, FromWorker, ToWorker } from './csv-calls.ts';
import { hashFile } from './reading/hash.ts';
import { scan } from './reading/scan.ts';
import { openSource } from './reading/source.ts';
import type { Source } from './reading/source.ts';
import { createPreparer } from './sending/prepare.ts';
import type { Preparation, Prepared, PrepareRequest } from './sending/prepare.ts';
import { writeRejects } from './sending/rejects.ts';

/** The file that `open` opened. */
interface Opened {
  readonly source: Source;
  readonly preparation: Preparation;
  readonly prepare: (request: PrepareRequest) => Prepared;
}

let opened: Opened | null = null;

function theOpened(): Opened {
  if (!opened) throw new Error('the file has not been opened');
  return opened;
}

const calls = (onBytes: (bytes: number) => void): CsvCalls => ({
  scan: (request) => scan(request, onBytes),
  stat({ path, fileName }) {
    const source = openSource(path, fileName);
    source.close();
    return { bytes: source.bytes, mtimeMs: source.mtimeMs };
  },
  hash: ({ path, fileName }) => hashFile(path, fileName),
  open({ path, ...preparation }) {
    opened?.source.close();
    const source = openSource(path, preparation.fileName);
    opened = { source, preparation, prepare: createPreparer(source, preparation) };
    return null;
  },
  prepare: (request) => theOpened().prepare(request),
  rejects(request) {
    const { source, preparation } = theOpened();
    return writeRejects(source, preparation, request);
  },
});

function answer(message: ToWorker): CsvResult<CsvCall> {
  const { id } = message;
  const all = calls((bytes) => post({ id, kind: 'progress', bytes }));
  switch (message.call) {
    case 'scan':
      return all.scan(message.request);
    case 'stat':
      return all.stat(message.request);
    case 'hash':
      return all.hash(message.request);
    case 'open':
      return all.open(message.request);
    case 'prepare':
      return all.prepare(message.request);
    case 'rejects':
    default:
      return all.rejects(message.request);
  }
}

function post(message: FromWorker): void {
  const result = message.kind === 'done' ? message.result : null;
  const buffers = isPrepared(result)
    ? [result.lines.buffer, ...(result.body ? [result.body.buffer] : [])]
    : [];
  parentPort?.postMessage(message, buffers);
}

const isPrepared = (result: CsvResult<CsvCall>): result is Prepared =>
  typeof result === 'object' && result !== null && 'lines' in result;

parentPort?.on('message', (message: ToWorker) => {
  try {
    post({ id: message.id, kind: 'done', result: answer(message) });
  } catch (error) {
    post({ id: message.id, kind: 'failed', error: toAppError(error).toBody() });
  }
});
