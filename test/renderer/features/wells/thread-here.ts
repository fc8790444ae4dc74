import {
  createWellThread,
  type ThreadOfWells,
  type WellThread,
} from '../../../../src/renderer/features/wells/list/client.ts';
import type { FoundWells } from '../../../../src/renderer/features/wells/list/found-wells.ts';
import { createWellHost } from '../../../../src/renderer/features/wells/list/host.ts';
import type { WellAnswer, WellRequest } from '../../../../src/renderer/features/wells/list/protocol.ts';
import type { Well } from '../../../../src/shared/wells/wells.ts';

/** The worker of the wells, on this thread. */
export function workerHere() {
  const host = createWellHost();
  const sent: WellRequest[] = [];
  let hear: (event: { data: WellAnswer }) => void = () => {};
  let die: (event: { message?: string }) => void = () => {};
  const worker: ThreadOfWells = {
    postMessage(request) {
      sent.push(structuredClone(request));
      const answer = host(request);
      if (answer) queueMicrotask(() => hear({ data: structuredClone(answer) }));
    },
    terminate: () => undefined,
    addEventListener(type: 'message' | 'error', listener: typeof hear & typeof die) {
      if (type === 'message') hear = listener;
      else die = listener;
    },
  };
  return { worker, sent, die: () => die({ message: 'out of memory' }) };
}

export const threadHere = (): WellThread => createWellThread(() => workerHere().worker);

/** The wells that were found, as far as they are at hand. */
export const wellsOf = (found: FoundWells | null): Well[] | null =>
  found && Array.from({ length: found.length }, (_, row) => found.at(row)).flatMap((well) => well ?? []);
