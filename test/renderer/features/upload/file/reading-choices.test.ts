import { describe, expect, it } from 'vitest';
import {
  asDetected,
  chooseReading,
} from '../../../../../src/renderer/features/upload/file/reading-choices.ts';

describe('how a file is read', () => {
  it('is as detected but for what was chosen, until that is taken back', () => {
    const chosen = chooseReading(chooseReading(asDetected, 'delimiter', ';'), 'headerRow', '0');
    expect(chosen).toEqual({ delimiter: ';', headerRow: 0 });
    expect(chooseReading(chosen, 'delimiter', undefined)).toEqual({ headerRow: 0 });
  });
});
