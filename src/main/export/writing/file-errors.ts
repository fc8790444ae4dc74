import { AppError } from '../../../shared/errors.ts';
import { isDiskFull } from '../../files/disk.ts';

const reasons: Record<string, string> = {
  ENOENT: 'its folder is not there',
  ENOTDIR: 'its folder is not there',
  EACCES: 'you may not write there',
  EPERM: 'you may not write there',
  EROFS: 'the drive can only be read',
  EIO: 'the drive does not answer',
  ENODEV: 'the drive is gone',
  ENXIO: 'the drive is gone',
  ESTALE: 'the network drive is gone',
  EFBIG: 'the drive does not hold files this large',
  ENAMETOOLONG: 'its name is too long',
  EBUSY: 'another program holds it',
  EISDIR: 'it is a folder',
};

/**
 * An error of the file system in our words: `disk_full`, `file_exists` or `file_unwritable`. What is not of the file
 * system comes back as it is.
 * @param file the file's name for people, without its folder
 */
export function fileError(error: unknown, file: string, writtenBytes: number): unknown {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return error;
  if (isDiskFull(error)) return new AppError('disk_full', { file, writtenBytes }, { cause: error });
  if (error.code === 'EEXIST') return new AppError('file_exists', { file }, { cause: error });
  const reason = reasons[error.code];
  return reason === undefined ? error : new AppError('file_unwritable', { file, reason }, { cause: error });
}
