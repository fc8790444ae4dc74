import { CircleAlert, CircleCheck, CircleDashed } from 'lucide-react';
import { Fragment, useId } from 'react';
import type { MatchedField } from '../../../../shared/upload/preview.ts';
import { visibleLine } from '../../../../shared/errors/errors.ts';
import { Button } from '../../../ui/button.tsx';
import { SelectBox } from '../../../ui/select-box.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { uploadWords } from '../../../words/upload.ts';
import { isFilled, fieldName } from './fields.ts';
import { WellBox } from '../../wells/well-box.tsx';
import { useTab, useTabState } from '../../../contexts.ts';
import { fileWellOf } from '../wells/file-wells.ts';
import { useTabWells } from '../../tabs/use-tab-wells.ts';

const w = uploadWords.columns;
const icons = { filled: CircleCheck, missing: CircleAlert, optional: CircleDashed };

/** A field of the dataset, its source, and a control to change the source. */
export function FieldRow({ field }: { field: MatchedField }) {
  const { actions } = useTab('upload');
  const constant = useTabState('upload', ({ choices }) => choices.constants[field.path]);
  const state = isFilled(field) ? 'filled' : field.required ? 'missing' : 'optional';
  const Icon = icons[state];
  const stateId = useId();
  const name = fieldName(field.path);
  return (
    <li className="upload-field gap-2 items-start" aria-label={name}>
      <span className="row gap-0 state" data-state={state}>
        <Icon size={16} aria-hidden />
        <span id={stateId} className="visually-hidden">
          {w.states[state]}
        </span>
      </span>
      {name === field.path ? (
        <code className="row gap-0 small mono">{visibleLine(field.path)}</code>
      ) : (
        <span className="row gap-0 wrap">
          {name}&nbsp;<code className="quiet small mono">{field.path}</code>
        </span>
      )}
      <SourceSelect field={field} typed={constant !== undefined} describedBy={stateId} />
      {constant !== undefined ? (
        <ConstantField field={field} text={constant} />
      ) : (
        <span className="row wrap">
          {field.kind === 'asset' && !isFilled(field) && (
            <WellBox
              label={w.valueFor(name)}
              assetId=""
              onChoose={(text) => actions.fill(field.path, { from: 'constant', text })}
            />
          )}
          {field.kind === 'asset' && !isFilled(field) && <WellProposals field={field} />}
          <JoinSuggestions field={field} />
          {!isFilled(field) &&
            field.likely.map((column) => (
              <Button key={column} onPress={() => actions.fill(field.path, { from: 'column', column })}>
                {w.likely(column)}
              </Button>
            ))}
        </span>
      )}
    </li>
  );
}

/** Offers to join a column of dates and a column of times of day into a timestamp. */
function JoinSuggestions({ field: { path, columns, joins } }: { field: MatchedField }) {
  const { actions } = useTab('upload');
  return joins.map(({ column, join }) => (
    <Fragment key={column}>
      {columns.length > 0 && <span className="tone-error">{w.onMidnight(column)}</span>}
      <Button onPress={() => actions.fill(path, { from: 'column', column, join })}>
        {w.dateWithTime(column, join.join(', '))}
      </Button>
    </Fragment>
  ));
}

const nothingId = 'nothing';
const nowhereId = 'nowhere';
const constantId = 'value';
const columnOptionId = 'column ';

interface SourceProps {
  readonly field: MatchedField;
  readonly typed: boolean;
  /** The id of the element that says whether the field is missing. */
  readonly describedBy: string;
}

function SourceSelect({ field, typed, describedBy }: SourceProps) {
  const { actions } = useTab('upload');
  const columns = useTabState('upload', ({ match }) => match.value?.columns);
  const [first] = field.columns;
  const isWithoutWell = useTabState('upload', ({ choices }) => choices.withoutWell === true);
  const none = field.isOfRecords && isWithoutWell ? nowhereId : nothingId;
  const value = first !== undefined ? `${columnOptionId}${first}` : typed ? constantId : none;
  const bestMatches = new Map(field.likely.map((column, at) => [column, at]));
  const rank = (column: string) => bestMatches.get(column) ?? bestMatches.size;
  const named = (columns ?? []).map(({ column }) => column).toSorted((a, b) => rank(a) - rank(b));
  const choose = (id: string) =>
    actions.fill(
      field.path,
      id === constantId
        ? { from: 'constant', text: '' }
        : id === nothingId || id === nowhereId
          ? { from: id }
          : { from: 'column', column: id.slice(columnOptionId.length) },
    );
  return (
    <SelectBox
      label={w.filledByNamed(fieldName(field.path))}
      describedBy={describedBy}
      value={value}
      options={[
        { id: nothingId, text: emptySourceText(field) },
        { id: constantId, text: w.oneValue },
        ...named.map((column) => ({ id: `${columnOptionId}${column}`, text: w.fromColumn(column) })),
        ...(field.isOfRecords ? [{ id: nowhereId, text: w.withoutWell }] : []),
      ]}
      onChange={choose}
    />
  );
}

function emptySourceText({ path, required, assumed }: MatchedField): string {
  if (assumed !== null) return w.assumed(assumed);
  return required && path !== 'version' ? w.choose : w.nothing;
}

function ConstantField({ field: { path, kind, columns }, text }: { field: MatchedField; text: string }) {
  const { actions } = useTab('upload');
  const issues = useTabState('upload', ({ match }) => match.value?.issues);
  const problem = issues?.find(({ place }) => place?.field === `mapping.constants.${path}`)?.message;
  const name = fieldName(path);
  const label = columns.length > 0 ? w.valueForBlanks(name) : w.valueFor(name);
  const change = (typed: string) => actions.fill(path, { from: 'constant', text: typed });
  if (kind === 'asset') return <WellBox label={label} assetId={text} problem={problem} onChoose={change} />;
  return (
    <TextField
      label={label}
      isLabelHidden
      name={path}
      value={text}
      onChange={change}
      problem={problem}
      className="max-field"
    />
  );
}

/** More selected wells are found by their name. */
const maxSelected = 3;

/** The wells that the file or the selection proposes for all rows. */
function WellProposals({ field }: { field: MatchedField }) {
  const { actions } = useTab('upload');
  const fileWell = useTabState('upload', fileWellOf);
  const selected = useTabWells();
  const named =
    fileWell === null || fileWell.from === 'rows'
      ? []
      : [{ ...fileWell, text: uploadWords.wells.proposed[fileWell.from](fileWell.name) }];
  const wells = selected.flatMap(({ assetId, name }) =>
    assetId === null || named.some((well) => well.assetId === assetId)
      ? []
      : [{ assetId, text: uploadWords.wells.proposed.selection(name) }],
  );
  return [...named, ...wells.slice(0, maxSelected)].map(({ assetId, text }) => (
    <Button
      key={assetId}
      onPress={() => actions.fill(field.path, { from: 'constant', text: String(assetId) })}
    >
      {text}
    </Button>
  ));
}
