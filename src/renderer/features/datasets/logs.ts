import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import * as z from 'zod';
import {
  isSameAddress,
  type DatasetAddress,
  datasetShapes,
  depthPath,
} from '../../../shared/datasets/datasets.ts';
import { pathId } from '../../../shared/column-paths.ts';
import type { Groups } from '../records/figures.ts';
import type { Api } from '../../api/api.ts';
import { useAppState, useSession, type Session } from '../../contexts.ts';
import { formatDepth } from '../../format/numbers.ts';
import type { SettingsState } from '../settings/settings.ts';
import { valueOr } from '../../state/loadable.ts';
import { Resource, sharedMaxAgeMs } from '../../state/resource.ts';
import { plotWords } from '../../words/plot.ts';
import type { Records } from '../records/records.ts';
import { fieldInPipeline } from '../../../shared/calculated/in-pipeline.ts';
import { parseRecords } from '../records/request.ts';
import { changedUnit, columnConverter, type LogNames, type UnitChanges } from '../records/shown-cells.ts';

const { scopeField } = datasetShapes.depth;
const logField = 'log_identifier';
const logPaths = [[scopeField], [logField]];

/** The wells and logs of loaded rows; empty: they have none. @throws AppError */
export async function logGroups(held: Pick<Records, 'groups' | 'shape'>): Promise<Groups['names']> {
  const ids = new Set(held.shape().columns.map(({ path }) => pathId(path)));
  return logPaths.every((path) => ids.has(pathId(path))) ? (await held.groups(logPaths)).names : [];
}

/** A log of a well; without depths in its records, it begins nowhere. */
const log = z.object({ _id: z.string(), from: z.number().nullable(), to: z.number().nullable() });
type Log = z.infer<typeof log>;

/**
 * The logs of a well in a dataset with ids of programs, as the service has them, in the order of their depths: one list, so
 * that all views number them alike.
 */
export type Logs = Resource<{ readonly address: DatasetAddress; readonly well: number }, readonly Log[]>;

/** Further wells show the ids of their logs: each list is a request. */
const maxWells = 50;

/** Whether a text is an id of a program, which tells a person nothing. */
const isHash = (text: string): boolean => /^(?=.*\d)(?=.*[a-f])[\da-f]{8,}(?:-[\da-f]+)*$/i.test(text);

const inOrder = (a: Log, b: Log): number =>
  (a.from ?? Infinity) - (b.from ?? Infinity) || (a._id < b._id ? -1 : 1);

/** The logs of the wells of a connection. A list that can't be read is empty, so that its ids are shown. */
export const createLogs = (
  api: { readonly query: Pick<Api['query'], 'pipeline'> },
  connection: string,
): Logs =>
  new Resource(
    async ({ address: { provider, dataset }, well }, signal): Promise<readonly Log[]> => {
      const depth = fieldInPipeline(depthPath);
      const stages = JSON.stringify([
        { $match: { [scopeField]: well } },
        { $group: { _id: `$${logField}`, from: { $min: depth }, to: { $max: depth } } },
      ]);
      const request = { connection, provider, dataset, stages, timeoutMs: 20_000 };
      const rows = await api.query.pipeline(request, { signal }).then(
        ({ records }) => parseRecords(records),
        () => [],
      );
      const logs = rows.flatMap((row) => log.safeParse(row).data ?? []);
      return logs.filter(({ _id }) => isHash(_id)).toSorted(inOrder);
    },
    { idOf: ({ address: { provider, dataset }, well }) => JSON.stringify([provider, dataset, well]) },
  );

/**
 * Reads the logs of wells that have some with ids of programs, unless they were read just now. Never rejects.
 * @param groups the wells and logs of records, as texts
 */
export async function loadLogs(logs: Logs, address: DatasetAddress, groups: Groups['names']): Promise<void> {
  const wells = groups.flatMap(([well = '', ...texts]) =>
    well !== '' && texts.some(isHash) ? [Number(well)] : [],
  );
  const unique = [...new Set(wells)].filter(Number.isSafeInteger).slice(0, maxWells);
  await Promise.all(unique.map((well) => logs.load({ address, well }, { maxAgeMs: sharedMaxAgeMs })));
}

/** How depths are shown, which are in the names of logs. */
interface ShownDepths {
  /** The unit in which they are stored; undefined: unknown. */
  readonly unit: string | undefined;
  readonly changes: UnitChanges;
}

/** The names of the logs of a dataset whose lists have been read: “log 2, 1,200–3,400 ft”. */
export function logNames(logs: Logs, address: DatasetAddress, { unit, changes }: ShownDepths): LogNames {
  const convert = columnConverter(changes, depthPath);
  const depthText = (depth: number): string => formatDepth(convert?.(depth) ?? depth);
  const shownUnit = changedUnit(changes, depthPath) ?? unit ?? '';
  const nameOf = ({ from, to }: Log, at: number): string => {
    const ends = from === null || to === null ? [] : [...new Set([from, to].map(depthText))];
    return plotWords.log(at + 1, ends.length > 0 ? `${ends.join('–')} ${shownUnit}`.trim() : '');
  };
  return new Map(
    logs.keys
      .filter((key) => isSameAddress(key.address, address))
      .map((key) => [
        String(key.well),
        new Map(valueOr(logs.get(key), []).map((entry, at) => [entry._id, nameOf(entry, at)])),
      ]),
  );
}

const noNames: LogNames = new Map();
const areShown = ({ values }: SettingsState): boolean => values.names !== 'fields';

/** Reads the logs of records, for their names outside of a view. Never rejects. */
export async function readLogNames(
  { logs, app: { settings } }: Pick<Session, 'logs' | 'app'>,
  address: DatasetAddress,
  groups: Groups['names'],
  depths: ShownDepths,
): Promise<LogNames> {
  if (!areShown(settings.store.getState())) return noNames;
  await loadLogs(logs, address, groups);
  return logNames(logs, address, depths);
}

/** The names of logs as they are read; none with the dataset's own names. */
export function useLogNames(address: DatasetAddress, { unit, changes }: ShownDepths): LogNames {
  const { logs } = useSession();
  const answers = useStore(logs.store);
  const isShown = useAppState('settings', areShown);
  return useMemo(
    () => (isShown && answers.size > 0 ? logNames(logs, address, { unit, changes }) : noNames),
    [isShown, answers, logs, address, unit, changes],
  );
}

/** Reads the logs of records for {@link useLogNames}. @param groups as for {@link loadLogs} */
export function useLogs(address: DatasetAddress, groups: Groups['names'] | undefined): void {
  const { logs } = useSession();
  const isShown = useAppState('settings', areShown);
  useEffect(() => {
    if (isShown && groups) void loadLogs(logs, address, groups);
  }, [isShown, logs, address, groups]);
}
