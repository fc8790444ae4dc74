import { AppError } from '../../../shared/errors/errors.ts';

/**
 * A module that needs the engine's library, which is missing on some computers.
 * @throws AppError `sql_unavailable` if it can't be loaded
 */
export const loadWithLibrary = async <T>(module: Promise<T>): Promise<T> =>
  module.catch((cause: unknown) => {
    throw new AppError('sql_unavailable', { reason: 'missing' }, { cause });
  });
