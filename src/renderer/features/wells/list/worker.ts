import { createWellHost } from './host.ts';
import type { WellAnswer, WellRequest } from './protocol.ts';

// Runs in a worker: 50,000 wells are held, searched and sorted here, and the window draws those it shows. TypeScript's
// DOM library has no type for a worker's own scope; these two members are all we use.
interface WorkerScope {
  addEventListener(type: 'message', listener: (event: MessageEvent<WellRequest>) => void): void;
  postMessage(answer: WellAnswer, transfer: Transferable[]): void;
}
const scope = globalThis as unknown as WorkerScope;
const host = createWellHost();

scope.addEventListener('message', ({ data: request }) => {
  const answer = host(request);
  if (answer) scope.postMessage(answer, []);
});
