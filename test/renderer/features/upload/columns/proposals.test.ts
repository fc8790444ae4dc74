import { describe, expect, it } from 'vitest';
import {
  noChoices,
  type MappingChoices,
} from '../../../../../src/renderer/features/upload/columns/mapping-choices.ts';
import { withProposals } from '../../../../../src/renderer/features/upload/columns/fields.ts';
import type { DatasetType } from '../../../../../src/shared/datasets/datasets.ts';
import type { UploadMatch } from '../../../../../src/shared/upload/preview.ts';
import type { ColumnProposal, FieldMatch } from '../../../../../src/shared/upload/proposals.ts';
import { fileWith } from '../../../../main/features/upload/support/files.ts';
import { datasetOf, uploadTab } from '../window.ts';

const match = (field: string, more: Partial<FieldMatch> = {}): FieldMatch => ({
  field,
  why: 'mnemonic',
  confidence: 0.95,
  unit: null,
  fieldUnit: null,
  factor: null,
  ...more,
});
const proposal = (column: string, more: Partial<ColumnProposal> = {}): ColumnProposal => ({
  column,
  match: null,
  others: [],
  newField: `data.${column.toLowerCase()}`,
  isEmpty: false,
  ...more,
});

/** The choices after the proposals for columns that the engine sends to these targets. */
function filled(
  targets: Readonly<Record<string, string | null>>,
  proposals: readonly ColumnProposal[],
  { choices = {}, type = 'time' }: { choices?: Partial<MappingChoices>; type?: DatasetType } = {},
) {
  const columns = Object.entries(targets).map(([column, to]) => ({
    column,
    to,
    isWellName: column === 'well_name',
  }));
  const matched = { columns } as unknown as UploadMatch;
  const all = { ...noChoices, ...choices };
  return withProposals(all, matched, proposals, type)?.columns ?? null;
}

describe('what is proposed for columns', () => {
  it('is the field of a sure match with the conversion, a new field for others, and nothing for empty ones', () => {
    const wob = match('data.weight_on_bit', { unit: 'kN', fieldUnit: 'klbf' });
    expect(
      filled({ WOB: 'data.WOB', Odd: 'data.Odd', X: 'data.X' }, [
        proposal('WOB', { match: wob }),
        proposal('Odd', { match: match('data.other', { confidence: 0.7 }) }),
        proposal('X', { isEmpty: true }),
      ]),
    ).toEqual({
      WOB: { to: 'data.weight_on_bit', unit: 'kN', fieldUnit: 'klbf' },
      Odd: { to: 'data.odd' },
      X: { skip: true, isEmpty: true },
    });
  });

  it('has no conversion between equal or unknown units', () => {
    for (const units of [
      { unit: 'kN', fieldUnit: 'kN' },
      { unit: 'kN', fieldUnit: null },
    ])
      expect(filled({ A: 'data.A' }, [proposal('A', { match: match('data.b', units) })])).toEqual({
        A: { to: 'data.b' },
      });
  });

  it('is a field of the dataset for a column that is skipped as the well names of an export', () => {
    const own = proposal('well_name', { match: match('data.well_name') });
    expect(filled({ well_name: null }, [own])).toEqual({ well_name: { to: 'data.well_name' } });
    expect(filled({ well_name: null }, [proposal('well_name')])).toBeNull();
  });

  it('leaves what the user, the column’s own name, a join, or a skip decides', () => {
    const sure = (column: string) => proposal(column, { match: match('data.x') });
    expect(
      filled(
        { A: 'data.mine', 'data.b': 'data.b', C: 'data.C', D: null },
        ['A', 'data.b', 'C', 'D'].map(sure),
        { choices: { columns: { A: { to: 'data.mine', join: ['C'] } } } },
      ),
    ).toBeNull();
  });

  it('does not fill a field twice, nor one with a constant', () => {
    const rop = proposal('ROPA', { match: match('data.rop') });
    expect(filled({ 'data.rop': 'data.rop', ROPA: 'data.ROPA' }, [rop])).toBeNull();
    expect(filled({ ROPA: 'data.ROPA' }, [rop], { choices: { constants: { 'data.rop': '1' } } })).toBeNull();
  });

  it('fills in thousands of columns after those that were chosen, in the order of the file', () => {
    const names = Array.from({ length: 10_000 }, (_, at) => `C${at}`);
    const chosen = { Mine: { to: 'data.mine' }, C0: { to: 'data.first' } } as const;
    const columns = filled(
      Object.fromEntries(names.map((name) => [name, `data.${name}`])),
      names.map((name, at) => proposal(name, { isEmpty: at % 2 === 1 })),
      { choices: { columns: chosen } },
    );
    expect(Object.entries(columns ?? {})).toEqual([
      ...Object.entries(chosen),
      ...names
        .slice(1)
        .map((name, at) => [name, at % 2 === 0 ? { skip: true, isEmpty: true } : { to: `data.c${at + 1}` }]),
    ]);
  });

  it('leaves times to the required fields, and uncertain columns of a reference dataset to their list', () => {
    expect(filled({ T: 'data.T' }, [proposal('T', { match: match('timestamp') })])).toBeNull();
    expect(filled({ A: 'data.A' }, [proposal('A')], { type: 'reference' })).toBeNull();
    const sure = proposal('A', { match: match('data.b') });
    expect(filled({ A: 'data.A' }, [sure], { type: 'reference' })).toEqual({ A: { to: 'data.b' } });
  });
});

describe('datasets that a file fits', () => {
  it.each([
    [null, 'loaded'],
    [datasetOf('time'), 'idle'],
  ])('are loaded only while they are shown: with the dataset %j they are %s', async (dataset, status) => {
    const tab = uploadTab({ dataset });
    await tab.actions.accept(tab.grant(await fileWith('Time,ROP\n2026-01-02T03:04:05Z,12.5\n')));
    await tab.settled();
    expect(tab.state().fittingDatasets.status).toBe(status);
  });
});
