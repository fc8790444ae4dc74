import { Copy, Filter, X, ChevronRight } from 'lucide-react';
import { useCallback, useState, useMemo } from 'react';
import { stringifyJson, type JsonValue, isObject } from '../../../shared/json.ts';
import type { Loadable } from '../../state/loadable.ts';
import { Button } from '../../ui/button.tsx';
import { Failed, Loading } from '../../ui/view-states.tsx';
import { copyText } from '../../ui/clipboard.ts';
import { words } from '../../words/words.ts';
import type { FieldNames } from '../../../shared/channels/plain-names.ts';
import {
  type RecordView,
  type TimeZone,
  timeText,
  type WellNames,
  isAssetId,
  isLogId,
  assetPath,
  nameOfLog,
  nameOfWell,
  changedUnit,
  cellConverter,
} from '../records/shown-cells.ts';
import { useTab, useTabState } from '../../contexts.ts';
import { Button as PlainButton } from 'react-aria-components/Button';
import { Collection } from 'react-aria-components/Collection';
import { Tree, TreeItem, TreeItemContent } from 'react-aria-components/Tree';
import { visibleLine } from '../../../shared/errors/errors.ts';
import { pathId } from '../../../shared/column-paths.ts';
import { columnOrder, kindOf } from '../records/columns.ts';
import { cellTip, cellTone } from './grid-columns.ts';

interface RecordDetailProps {
  readonly record: Loadable<JsonValue>;
  readonly name: string;
  readonly shown: RecordView;
  /** The stored unit of a dotted path. */
  readonly unitOf: (path: string) => string | undefined;
  /** Filters by a value; absent: there is no query. */
  readonly onFilter?: ((part: RecordPart) => void) | undefined;
  readonly onRetry?: () => void;
  readonly onClose: () => void;
  /** Called with the result of an action, if nothing else shows it. */
  readonly onNotice: (message: string) => void;
}

export function RecordDetail(props: RecordDetailProps) {
  const { record, name, onRetry, onClose } = props;
  return (
    <section className="stack gap-0 full" aria-label={words.record.region}>
      <header className="record-head row between faint-below">
        <h3>
          {words.record.heading} <span className="quiet numbers">{name}</span>
        </h3>
        <Button variant="quiet" icon={X} aria-label={words.record.close} onPress={onClose} />
      </header>
      {record.status === 'loaded' ? (
        <RecordBody {...props} record={record.value} />
      ) : record.status === 'failed' ? (
        <Failed error={record.error} {...(onRetry ? { onRetry } : {})} />
      ) : (
        <Loading what={words.record.loading} />
      )}
    </section>
  );
}

type RecordBodyProps = Omit<RecordDetailProps, 'record'> & { readonly record: JsonValue };

/** The next record keeps the place, the selected part, and the parts that are expanded. */
function RecordBody(props: RecordBodyProps) {
  const [selected, setSelected] = useState<string | null>(null);
  return (
    <>
      <div className="record-body fill scroll pad-x-3 pad-y-2">
        <RecordTree {...props} onSelect={setSelected} />
      </div>
      <PartActions {...props} part={selected === null ? null : partWithId(props.record, selected)} />
    </>
  );
}

function PartActions(props: RecordBodyProps & { part: RecordPart | null }) {
  const { record, part, shown, onFilter, onNotice } = props;
  const copy = async (text: string, note = '') => {
    if (await copyText(text)) onNotice(words.results.copiedText + note);
  };
  // A copy has stored values: where the panel shows others, it says so.
  const storedNote = Object.keys(shown.changes).length === 0 ? '' : ` ${words.results.copiedStored(null)}`;
  const filterable = part !== null && part.parts === null && !part.isInArray;
  return (
    <div className="record-acts row wrap items-start gap-0 faint-above">
      <Button
        variant="quiet"
        icon={Copy}
        isDisabled={part === null}
        onPress={() => void copy(part?.path.join('.') ?? '')}
      >
        {words.record.copyPath}
      </Button>
      <Button
        variant="quiet"
        icon={Copy}
        onPress={() => void copy(stringifyJson(part ? part.value : record, 2), storedNote)}
      >
        {part ? words.record.copyValue : words.record.copyRecord}
      </Button>
      {onFilter && (
        <Button
          variant="quiet"
          isMultiline
          icon={Filter}
          isDisabled={!filterable}
          onPress={() => {
            if (part) onFilter(part);
          }}
        >
          {words.record.filter}
        </Button>
      )}
    </div>
  );
}

/** The record of the selected row; until it is loaded, the one before. */
export function RecordOfRow() {
  const { actions } = useTab('results');
  const { onFilter } = useTab('links');
  const shown = useTab('shown');
  const stored = useTabState('results', (state) => state.units);
  const unitOf = useCallback((path: string) => stored.get(path), [stored]);
  const record = useTabState('results', (state) => state.record);
  const row = useTabState('results', ({ recordRow, selected }) => recordRow ?? selected ?? 0);
  const filter = async ({ path, value }: RecordPart) => {
    if (!(await onFilter(path.join('.'), value))) actions.showNotice(words.results.notFiltered);
  };
  const isFind = useTabState('results', ({ lastResult }) => lastResult?.request.kind === 'find');
  return (
    <RecordDetail
      record={record}
      shown={shown}
      unitOf={unitOf}
      name={words.record.number(row + 1)}
      onRetry={() => void actions.select(row)}
      onClose={() => void actions.select(null)}
      onNotice={actions.showNotice}
      onFilter={isFind ? (part) => void filter(part) : undefined}
    />
  );
}

interface RecordTreeProps extends Pick<RecordBodyProps, 'record' | 'shown' | 'unitOf'> {
  readonly onSelect: (id: string | null) => void;
}

function RecordTree(props: RecordTreeProps) {
  const { record, shown, unitOf, onSelect } = props;
  const { names, wellNames, logNames } = shown;
  const parts = useMemo(() => recordParts(record), [record]);
  const [toggled, setToggled] = useState<ReadonlySet<string | number>>(new Set());
  const open = useMemo(
    () => new Set<string | number>(initiallyOpen(record)).symmetricDifference(toggled),
    [record, toggled],
  );
  if (parts.length === 0) return <span className="tree-value break">{stringifyJson(record)}</span>;
  const toggle = (id: string) => setToggled((before) => before.symmetricDifference(new Set([id])));
  const meaningOf = ({ path, value }: RecordPart): string | undefined =>
    isLogId(path) && isObject(record)
      ? nameOfLog(logNames, record[pathId(assetPath)], value)
      : wellOfPart(path, value, wellNames);
  const render = (part: RecordPart) => (
    <TreeItem
      id={part.id}
      textValue={
        part.parts === null
          ? `${nameOfPart(part, names)} ${partText(part, shown, unitOf)?.text ?? stringifyJson(part.value)}`
          : nameOfPart(part, names)
      }
      className="tree-item hoverable focus-inside"
      onAction={() => toggle(part.id)}
    >
      <TreeItemContent>
        <PartRow part={part} shown={shown} unitOf={unitOf} meaning={meaningOf(part)} />
      </TreeItemContent>
      {part.parts !== null && part.parts > 0 && (
        // One part shows that there are some; the rest is read when the array is expanded.
        <Collection items={partsOf(part.value, part).slice(0, open.has(part.id) ? undefined : 1)}>
          {render}
        </Collection>
      )}
    </TreeItem>
  );
  return (
    <Tree
      aria-label={words.record.tree}
      className="results-tree"
      items={parts}
      dependencies={[open, shown, unitOf]}
      expandedKeys={open}
      onExpandedChange={(keys) => setToggled(new Set(initiallyOpen(record)).symmetricDifference(keys))}
      selectionMode="single"
      selectionBehavior="replace"
      onSelectionChange={(keys) => {
        const [id] = keys === 'all' ? [] : keys;
        onSelect(id === undefined ? null : String(id));
      }}
    >
      {render}
    </Tree>
  );
}

type PartRowProps = Pick<RecordTreeProps, 'shown' | 'unitOf'> & {
  readonly part: RecordPart;
  /** The name of the well or log of an id; undefined: it has none. */
  readonly meaning: string | undefined;
};

/** Items of arrays, and what is in them, have their own names. */
const nameOfPart = ({ id, name, isInArray }: RecordPart, names: FieldNames): string =>
  isInArray ? name : names(id).leaf;

function PartRow({ part, shown, unitOf, meaning }: PartRowProps) {
  const { id, value, parts } = part;
  const name = (
    <span className="tree-name" title={visibleLine(id)}>
      {visibleLine(nameOfPart(part, shown.names))}
    </span>
  );
  if (parts === null) {
    const text = partText(part, shown, unitOf);
    return (
      <span className="tree-line">
        <span className="tree-fold quiet" />
        {name}{' '}
        <span className={`tree-value break tree-${value === null ? 'null' : typeof value}`}>
          {text ? <span title={text.tip}>{text.text}</span> : stringifyJson(value)}
        </span>
        {meaning !== undefined && <span className="quiet"> {visibleLine(meaning)}</span>}
      </span>
    );
  }
  return (
    <span className="tree-line">
      <PlainButton slot="chevron" className="tree-fold quiet">
        <ChevronRight size={12} aria-hidden />
      </PlainButton>
      {name} <span className="quiet">{Array.isArray(value) ? words.results.items(parts) : `{${parts}}`}</span>
    </span>
  );
}

/** A field or an array item, with its path. */
export interface RecordPart {
  readonly id: string;
  readonly path: readonly string[];
  readonly name: string;
  readonly value: JsonValue;
  /** The number of its parts; null: a plain value. */
  readonly parts: number | null;
  /** Whether the path includes an array: no condition can refer to a single item. */
  readonly isInArray: boolean;
}

export function partsOf(value: JsonValue, of?: Pick<RecordPart, 'path' | 'isInArray'>): RecordPart[] {
  const base = of?.path ?? [];
  const isInArray = (of?.isInArray ?? false) || Array.isArray(value);
  const named = Array.isArray(value)
    ? value.map((part, at): [string, JsonValue] => [String(at), part])
    : isObject(value)
      ? Object.entries(value)
      : [];
  return named.map(([name, part]) => {
    const path = [...base, name];
    return { id: pathId(path), path, name, value: part, parts: partCount(part), isInArray };
  });
}

/**
 * The parts of a record in the order of the table's columns: the position, the well, and the values, and then what all
 * records of a dataset share.
 */
export const recordParts = (record: JsonValue): RecordPart[] =>
  columnOrder(
    partsOf(record).map((part) => ({
      ...part,
      characters: typeof part.value === 'string' ? part.value.length : 0,
    })),
  );

function partCount(value: JsonValue): number | null {
  if (Array.isArray(value)) return value.length;
  return isObject(value) ? Object.keys(value).length : null;
}

/** A time in the zone, as in the grid, with its raw value as a tooltip; null: not a time, or raw. */
export function partTime(
  path: readonly string[],
  value: JsonValue,
  zone: TimeZone,
): { readonly text: string; readonly tip: string } | null {
  if (typeof value !== 'number' && typeof value !== 'string') return null;
  const kind = kindOf(path, [value]);
  const time = timeText(value, kind, zone);
  return time === null
    ? null
    : { text: words.record.time(time, zone ?? ''), tip: cellTip(value, kind, zone) };
}

/**
 * A number with its unit, converted as in the table, with the stored number as a tooltip; null: another value, or one
 * without a known unit. Numbers in lists have no columns, so they are as stored.
 */
export function partMeasure(
  { path, value, isInArray }: RecordPart,
  { unitOf, changes }: Pick<RecordView, 'changes'> & Pick<RecordTreeProps, 'unitOf'>,
): { readonly text: string; readonly tip: string } | null {
  const stored = unitOf(path.join('.'));
  if (isInArray || stored === undefined || (typeof value !== 'number' && typeof value !== 'bigint'))
    return null;
  if (kindOf(path, [value]) === 'time' || cellTone(value) === 'sentinel') return null;
  const id = pathId(path);
  const shown = cellConverter(changes, id)?.(value) ?? value;
  const text = `${stringifyJson(shown)} ${changedUnit(changes, id) ?? stored}`;
  return { text, tip: words.results.storedTip(stringifyJson(value), stored) };
}

/** A time, or a number with its unit; null: another value. */
const partText = (part: RecordPart, { zone, changes }: RecordView, unitOf: RecordTreeProps['unitOf']) =>
  partTime(part.path, part.value, zone) ?? partMeasure(part, { unitOf, changes });

/** The name of the well of an asset id; undefined: unknown, or another value. */
export const wellOfPart = (path: readonly string[], value: JsonValue, names: WellNames): string | undefined =>
  isAssetId(path) ? nameOfWell(names, value) : undefined;

// Longer lists start collapsed, because rendering them takes time.
const maxInitialParts = 60;

/** The objects that start expanded: all except long ones and arrays. */
export function initiallyOpen(record: JsonValue): string[] {
  const open = (parts: readonly RecordPart[]): string[] =>
    parts
      .filter(
        ({ value, parts: count }) => count !== null && count <= maxInitialParts && !Array.isArray(value),
      )
      .flatMap((part) => [part.id, ...open(partsOf(part.value, part))]);
  return open(partsOf(record));
}

export function partWithId(record: JsonValue, id: string): RecordPart | null {
  let parts = partsOf(record);
  for (;;) {
    const next = parts.find((part) => id === part.id || id.startsWith(`${part.id}.`));
    if (!next || next.id === id) return next ?? null;
    parts = partsOf(next.value, next);
  }
}
