import { Worker } from 'node:worker_threads';
import { AppError } from '../../../../shared/errors/errors.ts';
import type { FileFormat } from '../../../../shared/upload/formats.ts';
import { nodePort, openThread } from '../../../../shared/threads.ts';
import type { Thread } from '../../../../shared/threads.ts';
import { startProcess, systemVariables, type StartProcess } from '../../processes/start-process.ts';
import { workerUrl } from '../../processes/workers.ts';
import { maxProcessMb } from './limits.ts';
import type { ConversionCalls } from './conversion-worker.ts';

/** A worker thread or a process that converts one file. */
export type ConversionThread = Pick<Thread<ConversionCalls>, 'calls' | 'close'>;

/** Opens a thread for a file of a format. */
export type OpenConversionThread = (format: FileFormat) => ConversionThread;

const youngMegabytes = 32;
/** Maximum heap of a thread, in megabytes. Old workbooks are read whole; all other formats stream. */
const maxMegabytes = (format: FileFormat): number => (format === 'xls' ? 1024 : 218);

/**
 * Opens the worker thread, or for Parquet, which native code reads, a process. Their memory is limited, so that a hostile
 * file ends them and not the application.
 */
export const openConversionThread =
  (start: StartProcess = startProcess): OpenConversionThread =>
  (format) =>
    openThread<ConversionCalls>(() =>
      format === 'parquet'
        ? start('parquet', systemVariables(process.env))
        : nodePort(
            new Worker(workerUrl('conversion'), {
              resourceLimits: {
                maxOldGenerationSizeMb: maxMegabytes(format),
                maxYoungGenerationSizeMb: youngMegabytes,
              },
            }),
          ),
    );

/** An error of the thread as a message: running out of memory, and a crash, are attributed to the file. */
export function conversionError(error: AppError, file: string, format: FileFormat): AppError {
  const reason = error.is('internal') ? failureOf(error.details.problem, format) : null;
  return reason === null ? error : new AppError('file_unsuitable', { file, reason }, { cause: error });
}

function failureOf(problem: string, format: FileFormat): string | null {
  if (/memory limit|out of memory/i.test(problem))
    return `reading it takes more than ${maxMegabytes(format) + youngMegabytes} MB of memory`;
  if (/process ended/.test(problem))
    return `it is damaged, or reading it takes more than ${maxProcessMb} MB of memory`;
  return null;
}
