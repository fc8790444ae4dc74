import { describe, expect, it } from 'vitest';
import { fixesFor } from '../../../../../src/renderer/features/upload/check/findings.ts';
import { uploadWords } from '../../../../../src/renderer/words/upload.ts';
import { problemCodes, warningCodes, type WarningCode } from '../../../../../src/shared/upload/warnings.ts';
import type { FileWarning } from '../../../../../src/shared/upload/upload.ts';

/** A warning as the engine reports it for a code, with every possible subject. */
const warning = (code: WarningCode, about: Partial<FileWarning> = {}): FileWarning => ({
  code,
  message: code,
  line: 7,
  column: 'a',
  cell: '-999.25',
  digits: 10,
  count: 3,
  choices: ['Big5'],
  ...about,
});

/** Warnings without a fix in the window. */
const withoutFix = [
  'mixed_newlines',
  'empty_columns',
  'header_differs',
  'rejects_unclear',
  'single_record',
  'records_damaged',
  'records_encrypted',
  'other',
];

describe('every warning', () => {
  it.each(warningCodes.filter((code) => code !== 'max_rejected'))(
    '%s has a fix, or a text that explains why it has none',
    (code) => {
      const fixes = fixesFor(warning(code));
      expect(fixes.length === 0).toBe(withoutFix.includes(code));
      expect(uploadWords.warnings.inFile[code] !== undefined).toBe(withoutFix.includes(code));
    },
  );

  it.each([
    ['ragged_rows', ['line', 'option', 'option']],
    ['filled_rows', ['line', 'option']],
    ['hash_rows', ['line', 'option']],
    ['escaped_formulas', ['line', 'option']],
    ['total_rows', ['line']],
    ['bad_quotes', ['line']],
    ['bad_bytes', ['line', 'option']],
    ['well_unresolved', ['wells', 'line']],
    ['blank_wells', ['leave_out_blanks', 'line']],
    ['repeated_rows', ['line']],
    ['existing_differ', ['records']],
    ['existing_unread', ['insert_all']],
    ['stored_twice', ['records']],
    ['preamble', ['option']],
    ['empty_name', ['column']],
    ['type_exceptions', ['null', 'text', 'line']],
    ['version_assumed', ['fields']],
  ] as const)('%s leads to %j', (code, kinds) => {
    expect(fixesFor(warning(code)).map(({ kind }) => kind)).toEqual(kinds);
  });

  it('without a line has no link to one, and a value that isn’t null isn’t offered as one', () => {
    expect(fixesFor(warning('bad_quotes', { line: null }))).toEqual([]);
    const ofText = fixesFor(warning('type_exceptions', { cell: 'A 264' }));
    expect(ofText.map(({ kind }) => kind)).toEqual(['text', 'line']);
    expect(fixesFor(warning('encoding_guessed', { choices: [], line: null }))).toEqual([
      { kind: 'option', option: 'encoding' },
    ]);
  });

  it('names what it counts, lines or rows, unless its message says how many', () => {
    const { foundIn } = uploadWords;
    expect(foundIn('preamble', 4, 1)).toBe('4 lines, line 1');
    expect(foundIn('several_wells', 2, null)).toBe('');
    expect(foundIn('ragged_rows', 1, 9)).toBe('1 row, line 9');
  });
});

it.each(problemCodes)(
  'the problem %s names the next step in the file when nothing in the window corrects it',
  (code) => {
    expect(uploadWords.correct.inFile[code]).toMatch(/\.$/);
  },
);
