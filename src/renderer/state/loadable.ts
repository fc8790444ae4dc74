import type { AppError } from '../../shared/errors/errors.ts';
import type { LatestTask } from './latest-task.ts';

export type Loadable<T> =
  | { readonly status: 'idle' }
  | { readonly status: 'loading' }
  | { readonly status: 'loaded'; readonly value: T }
  | { readonly status: 'failed'; readonly error: AppError };

export const idle = { status: 'idle' } as const;
export const loading = { status: 'loading' } as const;
export const loaded = <T>(value: T) => ({ status: 'loaded', value }) as const;
export const failed = (error: AppError) => ({ status: 'failed', error }) as const;

export function valueOr<T>(loadable: Loadable<T>, fallback: T): T {
  return loadable.status === 'loaded' ? loadable.value : fallback;
}

/** @returns the value; null: the task failed, was canceled, or was replaced by a newer one */
export async function load<T>(
  task: LatestTask,
  call: (signal: AbortSignal) => Promise<T>,
  show: (part: Loadable<T>) => void,
): Promise<T | null> {
  const results: T[] = [];
  await task.run(call, {
    onDone(value) {
      results.push(value);
      show(loaded(value));
    },
    onFailed: (error) => show(failed(error)),
    onCanceled: () => show(idle),
  });
  return results[0] ?? null;
}
