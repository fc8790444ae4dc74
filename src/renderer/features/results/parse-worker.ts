import { parseJson, type JsonValue } from '../../../shared/json.ts';
import { toTable } from './columns.ts';
import type { ParserAnswer, ParserRequest } from './parser.ts';

// Runs in a worker: a page of 10,000 records is parsed and turned here, and stays here, so that one record of it can
// be had whole. TypeScript's DOM library has no type for a worker's own scope; these two members are all we use of it.
interface WorkerScope {
  addEventListener(type: 'message', listener: (event: MessageEvent<ParserRequest>) => void): void;
  postMessage(answer: ParserAnswer, transfer: Transferable[]): void;
}
const scope = globalThis as unknown as WorkerScope;
const pages = new Map<number, readonly JsonValue[]>();

function answer(request: Extract<ParserRequest, { id: number }>): ParserAnswer {
  if (request.ask === 'record') {
    const record = pages.get(request.page)?.[request.row];
    return record === undefined
      ? { id: request.id, problem: 'the record is no longer held' }
      : { id: request.id, record };
  }
  const records = parseJson(request.text);
  if (!Array.isArray(records)) return { id: request.id, problem: 'the answer is not an array of records' };
  pages.set(request.id, records);
  return { id: request.id, table: toTable(records) };
}

scope.addEventListener('message', ({ data: request }) => {
  if (request.ask === 'release') {
    pages.delete(request.page);
    return;
  }
  let said: ParserAnswer;
  try {
    said = answer(request);
  } catch (error) {
    said = { id: request.id, problem: error instanceof Error ? error.message : String(error) };
  }
  const columns = 'table' in said ? said.table.columns : [];
  scope.postMessage(
    said,
    columns.flatMap(({ cells }) => (cells instanceof Float64Array ? [cells.buffer] : [])),
  );
});
