import { parentPort } from 'node:worker_threads';
import { nodePort, serve, type CallContext } from '../../../../shared/threads.ts';
import { appErrorFrom } from '../../files/file-errors.ts';
import { hashFile, type NamedFile } from '../reading/source.ts';
import { convert, type ConversionProgress, type ConversionRequest } from './convert.ts';

const progressEveryMs = 250;

export type ConversionCalls = ReturnType<typeof createConversionService>;

/** The calls of the worker thread that converts files. */
export function createConversionService() {
  return {
    /** The SHA-256 of a whole file. */
    hash: ({ path, fileName }: NamedFile) => hashFile(path, fileName),
    convert(request: ConversionRequest, { signal, emit }: CallContext<ConversionProgress>) {
      let last = 0;
      const onProgress = (progress: ConversionProgress): void => {
        const now = performance.now();
        if (now - last < progressEveryMs) return;
        last = now;
        emit(progress);
      };
      return convert(request, { signal, onProgress });
    },
  };
}

if (parentPort) serve(nodePort(parentPort), createConversionService(), appErrorFrom);
