import { createThinning, type ThinningAnswer, type ThinningRequest } from './thinning.ts';

// Runs in a worker: a million points are sorted and thinned here and stay here; the window gets what it draws.
// TypeScript's DOM library has no type for a worker's own scope; these two members are all we use of it.
interface WorkerScope {
  addEventListener(type: 'message', listener: (event: MessageEvent<ThinningRequest>) => void): void;
  postMessage(answer: ThinningAnswer, transfer: Transferable[]): void;
}
const scope = globalThis as unknown as WorkerScope;
const thinning = createThinning();

scope.addEventListener('message', ({ data: request }) => {
  if (request.ask === 'release') {
    thinning.release(request.plot);
    return;
  }
  let said: ThinningAnswer;
  try {
    said = thinning.answer(request);
  } catch (error) {
    said = { id: request.id, problem: error instanceof Error ? error.message : String(error) };
  }
  const drawn = 'drawn' in said ? said.drawn : 'first' in said ? (said.first?.lines ?? []) : [];
  scope.postMessage(
    said,
    drawn.flatMap(({ x, y }) => [x.buffer, y.buffer]),
  );
});
