import { describe, expect, it } from 'vitest';
import {
  groupFindings,
  findingCount,
  fixesOfAll,
} from '../../../../../src/renderer/features/upload/check/findings.ts';
import { AppError } from '../../../../../src/shared/errors/errors.ts';
import type { FileWarning } from '../../../../../src/shared/upload/upload.ts';
import { warningCodes, warningSeverities } from '../../../../../src/shared/upload/warnings.ts';
import { wellWith } from '../../../../support/wells.ts';
import { fileWith } from '../../../../main/features/upload/support/files.ts';
import { datasetOf, uploadTab } from '../window.ts';

const warning = (code: FileWarning['code']): FileWarning => ({ code, message: code, line: null, count: 1 });

describe('issues', () => {
  it('are grouped by severity, the most severe first, each code in one group', () => {
    const groups = groupFindings(warningCodes.map(warning), []);
    expect(groups.map(({ severity }) => severity)).toEqual(['blocking', 'suspicious', 'information']);
    for (const { severity, findings } of groups)
      for (const { code } of findings) expect(warningSeverities[code]).toBe(severity);
    expect(groups.flatMap(({ findings }) => findings)).toHaveLength(warningCodes.length);
  });

  it('that are the same for three columns or more are combined, with one fix for all', () => {
    const isNull = (column: string, cell = 'NULL') => ({ ...warning('null_words'), column, cell });
    const warnings = [
      isNull('a'),
      warning('preamble'),
      isNull('b'),
      isNull('a', '-'),
      isNull('c'),
      isNull('b', '-'),
    ];
    const [group] = groupFindings(warnings, []);
    const columns = group?.findings.map((finding) => finding.warnings.map(({ column }) => column));
    expect(columns).toEqual([['a', 'b', 'c'], [undefined], ['a'], ['b']]);
    expect(fixesOfAll([isNull('a'), isNull('b')])).toEqual([{ kind: 'keep_text', token: 'NULL' }]);
    expect(fixesOfAll([isNull('a'), isNull('b', '-')])).toEqual([]);
  });

  it('are counted as they are listed: one of several columns once, with each kind of row that would be rejected', () => {
    const inColumns = (code: FileWarning['code'], ...columns: string[]) =>
      columns.map((column) => ({ ...warning(code), column }));
    const warnings = [
      ...inColumns('sentinel_values', 'a', 'b', 'c'),
      ...inColumns('zone_missing', 'd', 'e', 'f'),
    ];
    const problem = { code: 'not_a_number', message: '', count: 3, lines: [2] } as const;
    const problems = ['a', 'b'].map((column) => ({ ...problem, lines: [2], column }));
    const [group] = groupFindings(warnings, problems);
    // Eight are reported; four are listed.
    expect([warnings.length + problems.length, group && findingCount(group)]).toEqual([8, 4]);
  });

  it('of rows that would be rejected are warnings', () => {
    const problem = { column: 'a', code: 'not_a_number', message: '', count: 3, lines: [2] };
    const [group, ...more] = groupFindings([], [problem]);
    expect(more).toEqual([]);
    expect(group && [group.severity, findingCount(group)]).toEqual(['suspicious', 1]);
  });
});

async function ready() {
  const tab = uploadTab({ dataset: datasetOf('time'), wells: [wellWith(5003)] });
  await tab.actions.accept(tab.grant(await fileWith('timestamp,ROP\n1767225600000,1\n1767225601000,2\n')));
  await tab.settled();
  return tab;
}

describe('a check', () => {
  it('starts automatically when its step opens, once, and again when the mapping changes', async () => {
    const tab = await ready();
    await tab.actions.goToStep('check');
    await tab.actions.goToStep('check');
    expect(tab.started.map(({ dryRun }) => dryRun)).toEqual([true]);
    tab.actions.mapColumn('ROP', { to: 'data.rop' });
    await tab.settled();
    expect(tab.started).toHaveLength(2);
    expect(tab.started[1]?.mapping?.columns).toEqual({ ROP: { to: 'data.rop' } });
    tab.actions.setExistingMode('insert');
    await tab.settled();
    expect(tab.started.at(-1)).toMatchObject({ dryRun: true, existing: 'insert' });
  });

  it('that is starting is not affected by a failed send, and the other way round', async () => {
    const tab = await ready();
    await tab.actions.check();
    const check = tab.actions.check();
    tab.refuse(new AppError('connection_read_only', { connection: 'North Ridge' }));
    await Promise.all([check, tab.actions.sendQueued()]);
    const { check: checked, send } = tab.state();
    // Neither stays “starting” forever, which would keep every button disabled.
    expect([checked.status, send.status]).not.toContain('starting');
    expect(send.status).toBe('failed');
  });

  it('that starts with a mapping from before a change is dropped', async () => {
    const tab = await ready();
    const check = tab.actions.check();
    tab.actions.mapColumn('ROP', { to: 'data.rop' });
    await check;
    await tab.settled();
    expect(tab.state().check.status).toBe('none');
  });
});
