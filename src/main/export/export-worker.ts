import { parentPort } from 'node:worker_threads';
import { appErrorFrom } from '../files/file-errors.ts';
import { ExportWriter } from './writing/export-writer.ts';
import { writerCall, type WriterCall, type WriterReply } from './writing/protocol.ts';

// The thread that an export's pages are read, formatted and written in, so that the core's own thread never stalls.

let writer: ExportWriter | null = null;

function opened(): ExportWriter {
  if (!writer) throw new Error('the export is not open');
  return writer;
}

function answer(call: WriterCall): unknown {
  if (call.method === 'write') return opened().write(call.at, call.content, call.origin);
  if (call.method === 'finishMore') return opened().finishMore();
  writer?.close();
  writer = call.method === 'open' ? new ExportWriter(call.spec, call.from) : null;
  return null;
}

parentPort?.on('message', (message: unknown) => {
  const call = writerCall.parse(message);
  const reply = (): WriterReply => {
    try {
      return { id: call.id, value: answer(call) };
    } catch (error) {
      return { id: call.id, value: null, error: appErrorFrom(error).toBody() };
    }
  };
  parentPort?.postMessage(reply(), []);
});
