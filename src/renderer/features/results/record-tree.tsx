import { ChevronRight } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { Collection } from 'react-aria-components/Collection';
import { Tree, TreeItem, TreeItemContent } from 'react-aria-components/Tree';
import { stringifyJson, type JsonValue } from '../../../shared/json.ts';
import { visibleLine } from '../../../shared/errors/visible-text.ts';
import { words } from '../../words/words.ts';
import type { TimeZone } from '../records/cell-text.ts';
import type { FieldNames } from '../../../shared/channels/plain-names.ts';
import type { WellNames } from '../records/well-names.ts';
import type { UnitChanges } from '../records/unit-changes.ts';
import {
  initiallyOpen,
  partsOf,
  partMeasure,
  partTime,
  partWithId,
  recordParts,
  wellOfPart,
  type RecordPart,
} from './record-parts.ts';

/** The units of a record's numbers, as the table beside it shows them. */
export interface RecordUnits {
  /** The stored unit of a dotted path. */
  readonly unitOf: (path: string) => string | undefined;
  /** The columns that are shown in another unit. */
  readonly changes: UnitChanges;
}

interface RecordTreeProps {
  readonly record: JsonValue;
  readonly zone: TimeZone;
  readonly names: FieldNames;
  readonly wellNames: WellNames;
  readonly units: RecordUnits;
  readonly onSelect: (part: RecordPart | null) => void;
}

/** A record as a tree. Arrow keys move, expand, and collapse. */
export function RecordTree({ record, zone, names, wellNames, units, onSelect }: RecordTreeProps) {
  const parts = useMemo(() => recordParts(record), [record]);
  const [open, setOpen] = useState(() => new Set<string | number>(initiallyOpen(record)));
  if (parts.length === 0) return <span className="tree-value break">{stringifyJson(record)}</span>;
  const fold = (id: string) =>
    setOpen((before) =>
      before.has(id) ? new Set([...before].filter((openId) => openId !== id)) : new Set([...before, id]),
    );
  const render = (part: RecordPart) => (
    <TreeItem
      id={part.id}
      textValue={
        part.parts === null
          ? `${nameOfPart(part, names)} ${partTime(part.path, part.value, zone)?.text ?? partMeasure(part, units)?.text ?? stringifyJson(part.value)}`
          : nameOfPart(part, names)
      }
      className="tree-item hoverable focus-inside"
      onAction={() => fold(part.id)}
    >
      <TreeItemContent>
        <PartRow part={part} zone={zone} names={names} wellNames={wellNames} units={units} />
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
      dependencies={[open, zone, names, wellNames, units]}
      expandedKeys={open}
      onExpandedChange={(keys) => setOpen(new Set(keys))}
      selectionMode="single"
      selectionBehavior="replace"
      onSelectionChange={(keys) => {
        const [id] = keys === 'all' ? [] : keys;
        onSelect(id === undefined ? null : partWithId(record, String(id)));
      }}
    >
      {render}
    </Tree>
  );
}

type PartRowProps = Pick<RecordTreeProps, 'zone' | 'names' | 'wellNames' | 'units'> & {
  readonly part: RecordPart;
};

/** Items of arrays, and what is in them, have their own names. */
const nameOfPart = ({ id, name, isInArray }: RecordPart, names: FieldNames): string =>
  isInArray ? name : names(id).leaf;

function PartRow({ part, zone, names, wellNames, units }: PartRowProps) {
  const { id, path, value, parts } = part;
  const name = (
    <span className="tree-name" title={visibleLine(id)}>
      {visibleLine(nameOfPart(part, names))}
    </span>
  );
  if (parts === null) {
    const shown = partTime(path, value, zone) ?? partMeasure(part, units);
    const well = wellOfPart(path, value, wellNames);
    return (
      <span className="tree-line">
        <span className="tree-fold quiet" />
        {name}{' '}
        <span className={`tree-value break tree-${value === null ? 'null' : typeof value}`}>
          {shown ? <span title={shown.tip}>{shown.text}</span> : stringifyJson(value)}
        </span>
        {well !== undefined && <span className="quiet"> {visibleLine(well)}</span>}
      </span>
    );
  }
  return (
    <span className="tree-line">
      <Button slot="chevron" className="tree-fold quiet">
        <ChevronRight size={12} aria-hidden />
      </Button>
      {name} <span className="quiet">{Array.isArray(value) ? words.results.items(parts) : `{${parts}}`}</span>
    </span>
  );
}
