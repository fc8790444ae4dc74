import type { AppError } from '../../shared/errors/errors.ts';
import type { Latest } from './latest.ts';

/** Something that is fetched: the four faces of a view are drawn from it. */
export type Loadable<T> =
  | { readonly face: 'idle' }
  | { readonly face: 'loading' }
  | { readonly face: 'full'; readonly value: T }
  | { readonly face: 'failed'; readonly error: AppError };

export const idle = { face: 'idle' } as const;
export const loading = { face: 'loading' } as const;
export const full = <T>(value: T) => ({ face: 'full', value }) as const;
export const failed = (error: AppError) => ({ face: 'failed', error }) as const;

/** What has been fetched, or what stands for nothing yet. */
export function valueOr<T>(loadable: Loadable<T>, otherwise: T): T {
  return loadable.face === 'full' ? loadable.value : otherwise;
}

/**
 * Runs a task, and shows a part of the state how it goes.
 * @returns what came; null: it failed, was given up, or a newer one replaced it
 */
export async function load<T>(
  task: Latest,
  call: (signal: AbortSignal) => Promise<T>,
  show: (part: Loadable<T>) => void,
): Promise<T | null> {
  const came: T[] = [];
  await task.run(call, {
    done(value) {
      came.push(value);
      show(full(value));
    },
    failed: (error) => show(failed(error)),
    cancelled: () => show(idle),
  });
  return came[0] ?? null;
}
