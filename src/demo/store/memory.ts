import { getHeapStatistics } from 'node:v8';
import { invalid } from '../problem.ts';

const fullHeap = 0.8;

/** @throws Problem 422 if nearly all memory is in use */
export function checkMemory(): void {
  const { used_heap_size: used, heap_size_limit: most } = getHeapStatistics();
  if (used > most * fullHeap) throw invalid('stopped: it takes more memory than there is; ask for less');
}
