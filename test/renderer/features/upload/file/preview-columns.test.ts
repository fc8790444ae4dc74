import { describe, expect, it } from 'vitest';
import { recordValueText } from '../../../../../src/renderer/features/upload/columns/column-format.tsx';
import {
  nameWithUnit,
  previewColumns,
} from '../../../../../src/renderer/features/upload/file/preview-columns.ts';
import { uploadWords } from '../../../../../src/renderer/words/upload.ts';
import { nullsOf } from '../../../../../src/shared/upload/null-tokens.ts';
import { fileWith } from '../../../../main/features/upload/support/files.ts';
import { datasetOf, uploadTab } from '../window.ts';

const previewWords = uploadWords.preview;

async function columnsOf(content: string, skip: string[] = [], nulls: string[] = []) {
  const tab = uploadTab({ dataset: datasetOf('reference') });
  await tab.actions.accept(tab.grant(await fileWith(content)));
  await tab.settled();
  for (const column of skip) tab.actions.mapColumn(column, { skip: true });
  if (nulls.length > 0) tab.actions.setNulls(nulls);
  await tab.settled();
  const { preview, inspection, match } = tab.state();
  if (preview.status !== 'loaded' || inspection.status !== 'loaded') throw new Error('the file was not read');
  return previewColumns(preview.value, inspection.value, match.value, null, nullsOf({ nulls }));
}

describe('the columns of the preview', () => {
  it('show a zero as a value: only blanks and null values are dimmed', async () => {
    const [, rop] = await columnsOf('rop,note\n0,a\n-999.250,b\n,c\n', [], ['-999.25']);
    const column = rop && 'children' in rop ? rop.children[0] : undefined;
    if (!column || !('tone' in column)) throw new Error('the column has no cells');
    expect([0, 1].map((row) => column.tone?.(row))).toEqual(['plain', 'null']);
  });

  it('show the cells unchanged, each under its target field', async () => {
    const [line, rop, note] = await columnsOf('rop,note\nft/h,-\n1.50,a\n2,b\n3,c\n', ['note']);
    expect(line && 'text' in line && [line.text(0), line.text(1)]).toEqual(['3', '4']);
    expect(rop && 'children' in rop && rop.header).toBe('data.rop');
    expect(note && 'children' in note && note.header).toBe(previewWords.skipped);
    const leaf = rop && 'children' in rop ? rop.children[0] : undefined;
    if (!leaf || !('text' in leaf)) throw new Error('the column has no cells');
    expect([leaf.header, leaf.align, leaf.text(0)]).toEqual(['rop [ft/h]', 'end', '1.50']);
  });

  it('show which cells are null, including the same number in another format', async () => {
    const [, first, second] = await columnsOf(
      'a,b\n-999.25,1\n-999.250,stuck\n2,x\n',
      [],
      ['-999.25', 'stuck'],
    );
    const leaves = [first, second].map((group) => (group && 'children' in group ? group.children[0] : group));
    const tones = leaves.map((leaf) =>
      leaf && 'tone' in leaf ? [0, 1, 2].map((row) => leaf.tone(row)) : [],
    );
    expect(tones).toEqual([
      ['null', 'null', 'plain'],
      ['plain', 'null', 'plain'],
    ]);
    const [leaf] = leaves;
    expect(leaf && 'cellTip' in leaf && leaf.cellTip(0)).toBe(previewWords.noValue('-999.25'));
  });

  it('have their unit once, and none without a unit', () => {
    expect(nameWithUnit('ROP', 'ft/h')).toBe('ROP [ft/h]');
    expect(nameWithUnit('ROP(ft/h)', 'ft/h')).toBe('ROP(ft/h)');
    expect(nameWithUnit('EditFlag', 'unitless')).toBe('EditFlag');
    expect(nameWithUnit('EditFlag', null)).toBe('EditFlag');
  });
});

describe('the preview of a value', () => {
  const time = { as: 'time', format: 'iso', zone: 'UTC', trim: null } as const;
  const text = { as: 'string', format: null, zone: null, trim: null } as const;
  it('is a date in UTC for a timestamp, the text itself for a text, and marks an invalid one', () => {
    expect(recordValueText('1475229841000', { kind: 'timestamp', reading: time })).toBe(
      '2016-09-30 10:04:01 UTC',
    );
    expect(recordValueText('"a \\"b\\""', { kind: 'auto', reading: text })).toBe('a "b"');
    expect(recordValueText('[1,2]', { kind: 'auto', reading: text })).toBe('[1,2]');
    expect(recordValueText(null, { kind: 'auto', reading: text })).toBe(uploadWords.columns.noValue);
  });

  it('is empty for wells by name, which are looked up later', () => {
    const asset = { as: 'asset', format: null, zone: null, trim: null } as const;
    expect(recordValueText(null, { kind: 'asset', reading: asset })).toBe('');
  });
});
