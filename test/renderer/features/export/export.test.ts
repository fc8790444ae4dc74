import { describe, expect, it } from 'vitest';
import type { GrantedFile } from '../../../../src/shared/files/files.ts';
import { createExport } from '../../../../src/renderer/features/export/export.ts';

const target = { connection: 'sample', provider: 'demo', dataset: 'wits' };
const find = {
  kind: 'find',
  query: '{asset_id: 1}',
  sort: '{timestamp: -1}',
  fields: ['data.rop', 'timestamp', 'data.Hole Depth (ft), true'],
} as const;
const granted: GrantedFile = { token: 'a'.repeat(24), name: 'x.csv', bytes: null };

function exportTo(file: GrantedFile | null) {
  const sent: unknown[] = [];
  const api = {
    files: { chooseTarget: async () => file, chooseSources: async () => [] },
    export: {
      start: async (request: unknown) => {
        sent.push(request);
        return { job: 'export-12345678' };
      },
    },
  };
  return { sent, actions: createExport(api as never) };
}

describe('an export', () => {
  it('includes all matching records, with fields under their own names', async () => {
    const { sent, actions } = exportTo(granted);
    expect(await actions.start(target, find, { fileName: 'x.csv', format: 'csv' })).toBe('export-12345678');
    expect(sent).toEqual([
      {
        ...target,
        query: '{asset_id: 1}',
        sort: '{timestamp: -1}',
        fields: [...find.fields],
        format: 'csv',
        target: granted.token,
      },
    ]);
  });

  it('of an aggregate sends the query unchanged, in the selected format', async () => {
    const { sent, actions } = exportTo(granted);
    const aggregation = { kind: 'pipeline', stages: '[{ $limit: 1 }]' } as const;
    await actions.start(target, { kind: 'whole', aggregation }, { fileName: 'x', format: 'parquet' });
    expect(sent).toEqual([{ ...target, aggregation, format: 'parquet', target: granted.token }]);
  });

  it('is not started when the user cancels', async () => {
    const { sent, actions } = exportTo(null);
    expect(await actions.start(target, find, { fileName: 'x.csv', format: 'csv' })).toBeNull();
    expect(sent).toEqual([]);
  });
});
