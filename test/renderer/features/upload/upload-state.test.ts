import { describe, expect, it } from 'vitest';
import {
  fileName,
  hasUnsavedWork,
  emptyUpload,
} from '../../../../src/renderer/features/upload/upload-state.ts';

describe('the name of a file to upload', () => {
  const name = 'rows\u202evsc.exe\u0085.csv';
  const shown = 'rows\\u202evsc.exe\\u0085.csv';

  it('is shown without characters that could disguise it, even before the file arrives', () => {
    const granted = { token: 'x'.repeat(32), name, bytes: 1 };
    expect(fileName({ ...emptyUpload, file: { status: 'ready', file: granted } })).toBe(shown);
    expect(fileName({ ...emptyUpload, nextFile: { status: 'transferring', name, bytes: 1 } })).toBe(shown);
    expect(fileName(emptyUpload)).toBeNull();
  });
});

it('closing the results of an upload loses no work, closing a file that is being transferred does', () => {
  const nextFile = { status: 'transferring', name: 'rig.csv', bytes: 1 } as const;
  const results = { ...emptyUpload, nextFile, send: { status: 'started', job: 'job-1' } as const };
  expect([{ ...emptyUpload, nextFile }, results].map(hasUnsavedWork)).toEqual([true, false]);
});
