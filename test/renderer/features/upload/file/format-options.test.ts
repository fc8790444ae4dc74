import { describe, expect, it } from 'vitest';
import {
  detectedFormat,
  setFormatOption,
} from '../../../../../src/renderer/features/upload/file/format-options.ts';

describe('the file format', () => {
  it('is as detected except for the user’s selections, until they are reset', () => {
    const chosen = setFormatOption(setFormatOption(detectedFormat, 'delimiter', ';'), 'headerRow', '0');
    expect(chosen).toEqual({ delimiter: ';', headerRow: 0 });
    expect(setFormatOption(chosen, 'delimiter', undefined)).toEqual({ headerRow: 0 });
  });
});
