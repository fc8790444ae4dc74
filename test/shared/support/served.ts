import { parentPort } from 'node:worker_threads';
import { AppError } from '../../../src/shared/errors/errors.ts';
import { nodePort, serve, type CallContext } from '../../../src/shared/threads.ts';

export const served = {
  add: ({ a, b }: { a: number; b: number }) => a + b,
  nothing: () => undefined,
  async count(to: number, { emit, signal }: CallContext<number>) {
    for (let at = 1; at <= to; at += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      signal.throwIfAborted();
      emit(at);
    }
    return 'counted';
  },
  doubled(numbers: Float64Array<ArrayBuffer>, { transfer }: CallContext) {
    const result = numbers.map((each) => each * 2);
    transfer([result.buffer]);
    return result;
  },
  refuse(file: string): never {
    throw new AppError('file_changed', { file });
  },
  fail(problem: string): never {
    throw new TypeError(problem);
  },
  async exit(code: number) {
    process.exit(code);
  },
};
export type Served = typeof served;

if (parentPort) serve(nodePort(parentPort), served);
