import { describe, expect, it } from 'vitest';
import { writeError } from '../../../../src/main/core/files/file-errors.ts';

const failure = (code: string) => Object.assign(new Error(code), { code });

describe('an error while writing a file', () => {
  it.each([
    ['ENOSPC', 'disk_full'],
    ['EEXIST', 'file_exists'],
    ['EACCES', 'file_unwritable'],
    // An error that Windows has no name for.
    ['UNKNOWN', 'file_unwritable'],
  ])('%s is %s', (code, ours) => {
    expect(writeError(failure(code), 'a.csv')).toMatchObject({ code: ours, details: { file: 'a.csv' } });
  });

  it('from outside the file system is unchanged', () => {
    const other = failure('ERR_INVALID_ARG_TYPE');
    expect(writeError(other, 'a.csv')).toBe(other);
  });
});
