import { factorOf, unitOf } from '../../../../shared/channels/units.ts';
import {
  connections,
  dailySummary,
  daysAgainstDepth,
  meanByTop,
  resampleAll,
  statePeriods,
  timeInStates,
} from '../../../../shared/sql/recipes.ts';
import type { SqlColumn } from '../../../../shared/sql/sql.ts';
import { rowsOfList, wellpath } from '../../../../shared/sql/wellpath.ts';
import {
  joinByTime,
  movingAverage,
  pivot,
  resample,
  topByWell,
  type SqlFunction,
} from '../../../../shared/sql/write-sql.ts';
import {
  isMeasured,
  isText,
  isTime,
  noColumn,
  type Choices,
  type ReadChoices,
  type TableFacts,
} from './recipe-choices.ts';

const number = (value: string): number | null =>
  /^[+-]?\d{1,9}(?:\.\d{1,9})?$/.test(value.trim()) ? Number(value) : null;
const positive = (value: string): number | null => {
  const read = number(value);
  return read !== null && read > 0 ? read : null;
};
const whole = (value: string): number | null => (/^\d{1,6}$/.test(value.trim()) ? Number(value) : null);

/** The names of the wells of a column with ids or with names. */
function namesOf(
  { name, type }: SqlColumn,
  { texts }: TableFacts,
  wellNames: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const values = new Set((texts[name] ?? []).map((text) => text.trim().toLowerCase()));
  const isNamed = isText({ type });
  return new Map(
    [...wellNames].filter(([id, wellName]) => values.has(isNamed ? wellName.trim().toLowerCase() : id)),
  );
}

/**
 * The statement of the choices; null: something is missing.
 * @param wellNames by asset id as text, for a table with ids and another one with names
 */
export function statementOf(
  choices: Choices,
  read: ReadChoices,
  facts: TableFacts,
  wellNames: ReadonlyMap<string, string>,
): string | null {
  const { kind, step, texts, only } = choices;
  const { chosen, column, per } = read;
  const [table, other] = [read.table?.name, read.other?.name];
  if (table === undefined) return null;
  const orNull = (choice: Parameters<ReadChoices['chosen']>[0]): string | null => chosen(choice) || null;
  const [time, well, value, hole] = [chosen('time'), orNull('well'), column('value'), column('hole')];
  const maxGap = positive(texts.maxGap);
  const states =
    time && chosen('state') && maxGap ? { table, time, well, state: chosen('state'), maxGap } : null;
  const bothWells = () => {
    const [ownWell, otherWell] = [column('well'), column('otherWell')];
    if (!ownWell || !otherWell) return null;
    const wells = { own: ownWell.name, other: otherWell.name };
    if (isText(ownWell) === isText(otherWell)) return wells;
    return {
      ...wells,
      named: { idsIn: isText(ownWell) ? 'other' : 'own', names: namesOf(ownWell, facts, wellNames) } as const,
    };
  };
  const list = read.list === noColumn ? null : { column: read.list, fields: facts.lists[read.list] ?? [] };
  const functions: readonly SqlFunction[] =
    choices.function === 'several' ? ['mean', 'min', 'max'] : [choices.function];
  switch (kind) {
    case 'resample':
      return time && value ? resample({ table, time, well, values: [value], functions, step }) : null;
    case 'resampleAll': {
      const index = column('index');
      if (!index) return null;
      const depth = isTime(index) ? null : positive(texts.depthStep);
      const values = (read.table?.columns ?? []).filter(
        (column) => isMeasured(column) && column.name !== index.name,
      );
      if (values.length === 0 || (!isTime(index) && depth === null)) return null;
      return resampleAll({
        table,
        index,
        well,
        values,
        step: depth === null ? { time: step } : { depth },
      });
    }
    case 'states':
      return states && timeInStates(states);
    case 'periods':
      return states && statePeriods({ ...states, depth: hole ?? null, only: only || null });
    case 'connections': {
      const [bit, tolerance] = [column('bit'), number(texts.tolerance)];
      return states && hole && bit && read.inSlips && tolerance !== null
        ? connections({ ...states, hole, bit, inSlips: read.inSlips, tolerance })
        : null;
    }
    case 'tops': {
      const [top, label] = [column('top'), chosen('label')];
      if (other === undefined || !hole || !value || !top || !label) return null;
      const [from, to] = [unitOf(top.unit ?? ''), unitOf(hole.unit ?? '')];
      const factor = from && to ? (factorOf(from, to) ?? null) : 1;
      if (factor === null) return null;
      return meanByTop({
        table,
        depth: hole,
        value,
        tops: other,
        top,
        label,
        factor,
        wells: bothWells(),
      });
    }
    case 'daily': {
      const hours = number(texts.hours);
      return time && hole && value && hours !== null
        ? dailySummary({ table, time, well, depth: hole, value, hours })
        : null;
    }
    case 'days':
      return time && hole ? daysAgainstDepth({ table, time, well, depth: hole }) : null;
    case 'join': {
      const [otherTime, add] = [chosen('otherTime'), chosen('add')];
      return time && other !== undefined && otherTime && add
        ? joinByTime({ table, time, other, otherTime, add: [add], wells: bothWells() })
        : null;
    }
    case 'pivot': {
      const [rows, columns, order] = [column('rowsBy'), chosen('columnsBy'), time || chosen('rowsBy')];
      const depth = positive(texts.depthStep);
      if (!rows || !columns || !value || read.values.length === 0) return null;
      if (read.hasDepthSteps(rows) && depth === null) return null;
      return pivot({
        table,
        rows,
        step: isTime(rows) ? { time: step } : read.hasDepthSteps(rows) && depth !== null ? { depth } : null,
        well: [rows.name, columns].includes(well ?? '') ? null : well,
        columns,
        values: read.values,
        value,
        functions,
        order,
      });
    }
    case 'average': {
      const rows = whole(texts.rows);
      return chosen('order') && value && rows !== null
        ? movingAverage({ table, order: chosen('order'), well, value, rows })
        : null;
    }
    case 'top': {
      const rows = whole(texts.topRows);
      return value && well !== null && rows !== null ? topByWell({ table, well, value, rows }) : null;
    }
    case 'list':
      return list && rowsOfList({ table, well, ...list });
    case 'path': {
      const [depth, inclination, azimuth] = [chosen('depth'), chosen('inclination'), chosen('azimuth')];
      const [length, section] = [positive(per), number(texts.section)];
      if (!depth || !inclination || !azimuth || !length || (section === null && texts.section.trim()))
        return null;
      const survey = orNull('survey');
      return wellpath({ table, well, survey, list, depth, inclination, azimuth, per: length, section });
    }
  }
}
