import { parentPort } from 'node:worker_threads';
import { appErrorFrom } from '../../files/file-errors.ts';
import type { CsvCall, CsvResult, FromWorker, ToWorker } from './csv-calls.ts';
import { createCsvService } from './csv-service.ts';
import type { Prepared } from '../preparing/prepare.ts';

const service = createCsvService();

function answer(message: ToWorker): CsvResult<CsvCall> {
  const { id } = message;
  const calls = service.calls((bytes) => post({ id, kind: 'progress', bytes }));
  switch (message.call) {
    case 'scan':
      return calls.scan(message.request);
    case 'preview':
      return calls.preview(message.request);
    case 'stat':
      return calls.stat(message.request);
    case 'hash':
      return calls.hash(message.request);
    case 'open':
      return calls.open(message.request);
    case 'prepare':
      return calls.prepare(message.request);
    case 'survey':
      return calls.survey(message.request);
    case 'existing':
      return calls.existing(message.request);
    case 'existingPage':
      return calls.existingPage(message.request);
    case 'keepExisting':
      return calls.keepExisting(message.request);
    case 'printRows':
      return calls.printRows(message.request);
    case 'printPage':
      return calls.printPage(message.request);
    case 'rejects':
    default:
      return calls.rejects(message.request);
  }
}

/** Bodies are handed over, not copied, unless they stand in memory that is shared. */
function post(message: FromWorker): void {
  const result = message.kind === 'done' ? message.result : null;
  const buffers = isPrepared(result)
    ? [result.lines.buffer, ...(result.body?.buffer instanceof ArrayBuffer ? [result.body.buffer] : [])]
    : [];
  parentPort?.postMessage(message, buffers);
}

const isPrepared = (result: CsvResult<CsvCall>): result is Prepared =>
  typeof result === 'object' && result !== null && 'body' in result;

parentPort?.on('message', (message: ToWorker) => {
  try {
    post({ id: message.id, kind: 'done', result: answer(message) });
  } catch (error) {
    post({ id: message.id, kind: 'failed', error: appErrorFrom(error).toBody() });
  }
});
