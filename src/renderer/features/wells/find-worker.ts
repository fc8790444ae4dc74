import type { FinderAnswer, FinderRequest } from './finder.ts';
import { WellIndex } from './well-index.ts';
import { wellsIn } from './well-text.ts';

// Runs in a worker: 50,000 wells are searched in a few milliseconds here, and sorted in some more, while the window
// goes on drawing. TypeScript's DOM library has no type for a worker's own scope; these two members are all we use.
interface WorkerScope {
  addEventListener(type: 'message', listener: (event: MessageEvent<FinderRequest>) => void): void;
  postMessage(answer: FinderAnswer, transfer: Transferable[]): void;
}
const scope = globalThis as unknown as WorkerScope;
const index = new WellIndex();

scope.addEventListener('message', ({ data: request }) => {
  if (request.ask === 'reset') index.reset();
  else if (request.ask === 'add') index.add(wellsIn(request.text));
  else {
    const positions = index.find(request.question);
    scope.postMessage({ id: request.id, positions }, [positions.buffer]);
  }
});
