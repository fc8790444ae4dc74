import { Plus, X } from 'lucide-react';
import { useMemo } from 'react';
import { useStore } from 'zustand';
import type { DatasetField } from '../../../../shared/datasets/fields.ts';
import {
  measureKinds,
  readSummary,
  writeSummary,
  type Grouping,
  type Measure,
  type MeasureKind,
  type Summary,
} from '../../../../shared/language/text/summary.ts';
import { useTab, useTabState } from '../../../contexts.ts';
import { Button } from '../../../ui/button.tsx';
import { ComboBox } from '../../../ui/combo-box.tsx';
import { PartsMenuButton } from '../../../ui/menu-button.tsx';
import { SelectBox } from '../../../ui/select-box.tsx';
import { Empty } from '../../../ui/view-states.tsx';
import { words } from '../../../words/words.ts';
import type { FieldNames } from '../../../../shared/channels/plain-names.ts';
import { useSynonyms } from '../../settings/use-synonyms.ts';
import { fieldOptions, matchingFields } from '../../datasets/field-options.ts';
import { useFieldNames } from '../../datasets/use-field-names.ts';
import { conditionsOfStages } from '../../datasets/conditions.ts';
import { useKnowledge } from '../editing/knowledge.ts';
import {
  calculatedMeasures,
  depthSteps,
  groupFields,
  otherGroupFields,
  isDepthPath,
  measuredFields,
  startingSummary,
  steppedPath,
  timeSteps,
  withOrder,
  type CalculatedMeasure,
  type SummarySubject,
} from './summary-choices.ts';
import './summary.css';

const w = words.summary;
const kinds = measureKinds.map((id) => ({ id, text: w.kinds[id] }));

export default function SummaryForm() {
  const tab = useTab('query');
  const { actions, dataset } = tab;
  const stages = useTabState('query', (state) => state.text.pipeline.stages);
  const start = useTabState('query', (state) => state.summaryStart);
  const { fields } = useKnowledge().base;
  const wellPath = tab.scopePath();
  const subject = useMemo(
    (): SummarySubject => ({ type: dataset.type, wellPath, fields }),
    [dataset.type, wellPath, fields],
  );
  const summary = useMemo(() => readSummary(stages), [stages]);
  const write = (next: Summary) =>
    actions.type('pipeline', { stages: writeSummary(withOrder(next, subject)) });
  const isFree = summary !== null || actions.isPipelineUnchanged();
  if (start !== null && isFree) return <p className="pad-x-3 pad-y-2 quiet">{w.noFields}</p>;
  if (!summary) {
    const replace = () => {
      const parts = start?.parts ?? null;
      const match = start?.match ?? conditionsOfStages(stages) ?? '{}';
      actions.beginSummary(writeSummary(startingSummary(subject, match, parts)));
      if (parts) void actions.run();
    };
    return (
      <Empty
        action={
          <>
            <Button onPress={() => actions.type('pipeline', { view: 'text' })}>{w.showQuery}</Button>
            <Button onPress={replace}>{w.replace}</Button>
          </>
        }
      >
        {w.unreadable}
      </Empty>
    );
  }
  return <SummaryBar summary={summary} subject={subject} onChange={write} />;
}

interface SummaryBarProps {
  readonly summary: Summary;
  readonly subject: SummarySubject;
  readonly onChange: (summary: Summary) => void;
}

function SummaryBar({ summary, subject, onChange }: SummaryBarProps) {
  const { actions, dataset } = useTab('query');
  const fieldNames = useFieldNames(dataset);
  const { measures, groups } = summary;
  const measured = useMemo(() => measuredFields(subject), [subject]);
  const { calculated } = useTab('query').results;
  const columns = useStore(calculated.store, (state) => state.columns);
  const calculable = useMemo(() => calculatedMeasures(columns, subject), [columns, subject]);
  const names = new Set(calculable.map(({ path }) => path));
  const otherNames = columns.map(({ name }) => name).filter((name) => !names.has(name));
  const [free] = measured;
  const setMeasures = (next: readonly Measure[]) => onChange({ ...summary, measures: next });
  return (
    <section className="summary-form row wrap pad-x-3 pad-y-2" aria-label={w.region}>
      {measures.length === 0 && <span>{w.records}</span>}
      {measures.map((measure, at) => (
        <MeasureChoice
          key={at}
          measure={measure}
          fields={measured}
          calculable={calculable}
          names={fieldNames}
          onChange={(next) => setMeasures(measures.with(at, next))}
          onRemove={() => setMeasures(measures.toSpliced(at, 1))}
        />
      ))}
      {free && (
        <Button
          variant="quiet"
          icon={Plus}
          aria-label={w.addMeasure}
          onPress={() => setMeasures([...measures, nextMeasure(measures, free.path)])}
        />
      )}
      <span className="quiet">{groups.length === 0 ? w.all : w.by}</span>
      {groups.map((group, at) => (
        <span key={group.path} className="summary-group row gap-1 box">
          {textOfGroup(group, subject, fieldNames)}
          <Button
            variant="quiet"
            icon={X}
            aria-label={w.removeGroup(textOfGroup(group, subject, fieldNames))}
            onPress={() => onChange({ ...summary, groups: groups.toSpliced(at, 1) })}
          />
        </span>
      ))}
      <GroupMenu
        subject={subject}
        groups={groups}
        names={fieldNames}
        onAdd={(group) => onChange({ ...summary, groups: [...groups, group] })}
      />
      <span className="push">
        <Button variant="quiet" onPress={() => actions.type('pipeline', { view: 'text' })}>
          {w.showQuery}
        </Button>
      </span>
      <p className="summary-note wide small quiet">
        {w.note} {groups.some(({ step }) => (step ?? 0) >= 86_400_000) && w.dayNote}{' '}
        {otherNames.length > 0 && w.notCalculable(otherNames)}
      </p>
    </section>
  );
}

/** A figure of the last field that it doesn't have yet. */
function nextMeasure(measures: readonly Measure[], firstPath: string): Measure {
  const path = measures.at(-1)?.path ?? firstPath;
  const used = measures.filter((measure) => measure.path === path).map(({ kind }) => kind);
  return { path, kind: measureKinds.find((kind) => !used.includes(kind)) ?? 'mean' };
}

function textOfGroup(
  { path, step }: Grouping,
  { wellPath, fields }: SummarySubject,
  names: FieldNames,
): string {
  if (step === null) return path === wellPath ? w.well : names(path).line;
  const unit = fields.find((field) => field.path === path)?.unit;
  return w.every(step, isDepthPath(path), unit);
}

interface MeasureChoiceProps {
  readonly measure: Measure;
  readonly fields: readonly DatasetField[];
  readonly calculable: readonly CalculatedMeasure[];
  readonly names: FieldNames;
  readonly onChange: (measure: Measure) => void;
  readonly onRemove: () => void;
}

function MeasureChoice(props: MeasureChoiceProps) {
  const { measure, fields, calculable, names, onChange, onRemove } = props;
  const { kind, path } = measure;
  const synonyms = useSynonyms();
  const options = fieldOptions([...calculable, ...fields], names);
  const name = names(path).line;
  const select = (next: string) => {
    const calculated = calculable.find((column) => column.path === next)?.calculated;
    onChange({ kind, path: next, ...(calculated === undefined ? {} : { calculated }) });
  };
  return (
    <span className="row gap-1">
      <SelectBox
        label={w.kindOf(name)}
        value={kind}
        options={kinds}
        onChange={(next: MeasureKind) => onChange({ ...measure, kind: next })}
      />
      <span className="quiet">{w.of}</span>
      <ComboBox
        className="summary-field"
        label={w.field(w.kinds[kind])}
        isLabelHidden
        value={path}
        text={name}
        find={(typed) => (typed === name ? options : matchingFields(options, typed, synonyms))}
        onSelect={select}
      />
      <Button
        variant="quiet"
        icon={X}
        aria-label={w.removeMeasure(w.measure(kind, name))}
        onPress={onRemove}
      />
    </span>
  );
}

interface GroupMenuProps {
  readonly subject: SummarySubject;
  readonly groups: readonly Grouping[];
  readonly names: FieldNames;
  readonly onAdd: (group: Grouping) => void;
}

/** The groups that a summary doesn't have yet. */
function GroupMenu({ subject, groups, names, onAdd }: GroupMenuProps) {
  const isFree = (path: string) => groups.every((group) => group.path !== path);
  const stepped = steppedPath(subject.type);
  const groupsOf = (some: readonly DatasetField[]) =>
    some.filter(({ path }) => isFree(path)).map(({ path }): Grouping => ({ path, step: null }));
  const fieldGroups = groupsOf(groupFields(subject));
  const otherGroups = groupsOf(otherGroupFields(subject));
  const steps = stepped !== null && isDepthPath(stepped) ? depthSteps : timeSteps;
  const stepGroups =
    stepped !== null && isFree(stepped) ? steps.map((step): Grouping => ({ path: stepped, step })) : [];
  const { wellPath } = subject;
  const wells: Grouping[] = wellPath !== null && isFree(wellPath) ? [{ path: wellPath, step: null }] : [];
  const itemsOf = (kind: string, some: readonly Grouping[]) =>
    some.map((group, at) => ({
      id: `${kind} ${at}`,
      text: textOfGroup(group, subject, names),
      run: () => onAdd(group),
    }));
  const parts = [
    { id: 'well', heading: w.region, items: itemsOf('well', wells) },
    { id: 'steps', heading: w.steps, items: itemsOf('step', stepGroups) },
    { id: 'fields', heading: w.fields, items: itemsOf('field', fieldGroups) },
    { id: 'others', heading: w.otherFields, items: itemsOf('other', otherGroups) },
  ].filter(({ items }) => items.length > 0);
  if (parts.length === 0) return null;
  return (
    <PartsMenuButton label={w.addGroup} icon={Plus} parts={() => parts}>
      {groups.length === 0 ? w.addGroup : null}
    </PartsMenuButton>
  );
}
