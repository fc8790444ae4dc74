import { describe, expect, it } from 'vitest';
import {
  detectedFormat,
  setFormatOption,
} from '../../../../../src/renderer/features/upload/file/format-options.ts';

describe('how a file is read', () => {
  it('is as detected except for what was selected, until that is taken back', () => {
    const chosen = setFormatOption(setFormatOption(detectedFormat, 'delimiter', ';'), 'headerRow', '0');
    expect(chosen).toEqual({ delimiter: ';', headerRow: 0 });
    expect(setFormatOption(chosen, 'delimiter', undefined)).toEqual({ headerRow: 0 });
  });
});
