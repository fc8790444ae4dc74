import { valueUnder } from '../../../../shared/json.ts';
import { TriangleAlert, CircleCheck, Lightbulb, CircleAlert, CircleDashed } from 'lucide-react';
import type { MatchedColumn, MatchedField } from '../../../../shared/upload/preview.ts';
import { wellsBy, isSure, minConfidence, type FieldMatch } from '../../../../shared/upload/proposals.ts';
import { type ComboOption, ComboBox, type ComboBoxProps } from '../../../ui/combo-box.tsx';
import { shownUnit, symbolText, unitPair } from '../../../../shared/channels/units.ts';
import { useTabState, useTab } from '../../../contexts.ts';
import { uploadWords } from '../../../words/upload.ts';
import { type ColumnType, matchesOf, proposalFor, isFilled, fieldName } from './fields.ts';
import {
  find,
  kinds,
  textOf,
  useColumnChoice,
  useColumnKind,
  columnProblemText,
  formatLabel,
  isUnix,
  localTimeText,
  timeFormats,
} from './column-format.tsx';
import { unitText } from '../file/preview-columns.ts';
import { skipTarget, useTargets } from './targets.ts';
import {
  useEffect,
  useRef,
  useState,
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  Fragment,
  useId,
} from 'react';
import { Button } from '../../../ui/button.tsx';
import { visibleLine } from '../../../../shared/errors/errors.ts';
import { SelectBox } from '../../../ui/select-box.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { WellBox } from '../../wells/filters.tsx';
import { useUploadParts } from '../upload-parts.tsx';
import { valueOr } from '../../../state/loadable.ts';
import { fileWellOf } from '../wells/file-wells.ts';
import { useTabWells } from '../../tabs/use-tab-wells.ts';

export interface EditableCellProps extends Pick<
  ComboBoxProps,
  'label' | 'value' | 'text' | 'find' | 'allowsCustom' | 'onSelect'
> {
  /** What the cell shows, where that is not the text. */
  readonly children?: ReactNode;
  readonly className?: string;
}

/**
 * A value that is edited in place: a button until it is pressed, so that a list of thousands stays light, then a combo
 * box. Enter takes the value, Escape leaves it, and both return the focus to the button.
 */
export function EditableCell({ children, className, ...box }: EditableCellProps) {
  const [isEditing, setEditing] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const returnsFocus = useRef(false);
  /** Whether the focus leaves the cell: Tab takes the text, too, and goes to the next control. */
  const isLeaving = useRef(false);
  useEffect(() => {
    if (isEditing || !returnsFocus.current) return;
    returnsFocus.current = false;
    button.current?.focus();
  }, [isEditing]);
  const finish = () => {
    returnsFocus.current = !isLeaving.current;
    setEditing(false);
  };
  if (!isEditing)
    return (
      <button
        ref={button}
        type="button"
        className={`cell-button ellipsis round ${className ?? ''}`}
        aria-label={`${box.label}: ${box.text}`}
        onClick={() => setEditing(true)}
      >
        {children ?? box.text}
      </button>
    );
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    // The box has taken the text, or the option of its list, before. The button would be pressed by the same key.
    event.preventDefault();
    finish();
  };
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent<HTMLDivElement>) => {
    if (!currentTarget.contains(relatedTarget)) setEditing(false);
    isLeaving.current = false;
  };
  return (
    // oxlint-disable-next-line no-static-element-interactions -- it only follows keys and focus of the box in it
    <div
      className="cell-editor"
      onKeyDownCapture={({ key }) => (isLeaving.current = key === 'Tab')}
      onKeyDown={onKeyDown}
      onBlurCapture={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) isLeaving.current = true;
      }}
      onBlur={onBlur}
    >
      <ComboBox
        {...box}
        isLabelHidden
        size="small"
        hasInitialFocus
        onSelect={(value) => {
          box.onSelect(value);
          finish();
        }}
      />
    </div>
  );
}

const w = uploadWords.columns;

interface CellProps {
  readonly column: MatchedColumn;
}

export function TargetCell({ column: matched }: CellProps) {
  const { column, to, joinedTo } = matched;
  const targets = useTargets();
  const text = to === null && joinedTo !== null ? w.joinedTo(joinedTo) : targets.textOf(to);
  return (
    <div className="row gap-1">
      <EditableCell
        label={w.targetOf(column)}
        value={to ?? skipTarget}
        text={text}
        find={targets.find}
        allowsCustom
        onSelect={(target) => targets.select(column, target)}
        className="mono small"
      >
        {to === null && joinedTo === null ? (matched.isWellName ? w.wellNameSkipped : w.skipped) : text}
      </EditableCell>
      <MatchHint column={matched} />
    </div>
  );
}

const detected = 'auto';

export function TypeCell({ column, type }: CellProps & { readonly type: ColumnType | undefined }) {
  const { value, change } = useColumnKind(column);
  const detectedText = type === undefined ? '' : w.types[type];
  // Fields of the envelope have their own types.
  if (column.to === null || column.kind !== 'auto')
    return <div className="ellipsis quiet">{detectedText}</div>;
  const options = kinds.map((id): ComboOption =>
    id === detected ? { id, text: detectedText, note: w.detectedNote } : { id, text: w.kinds[id] },
  );
  return (
    <EditableCell
      label={w.typeOf(column.column)}
      value={value}
      text={textOf(options, value)}
      find={find(options)}
      onSelect={(id) => {
        const kind = kinds.find((kind) => kind === id);
        if (kind) change(kind);
      }}
      className={value === detected ? 'quiet' : ''}
    />
  );
}

/** The ids of the options to convert values and to store them unchanged. */
const convert = '\u0000convert';
const asIs = '\u0000as is';

export const conversionText = ({ from, to }: { readonly from: string; readonly to: string }): string =>
  w.conversion(symbolText(from), symbolText(to));

export function UnitCell({ column }: CellProps) {
  const { choice, update } = useColumnChoice(column);
  const { proposals } = useUploadParts('proposals');
  const fieldUnit = valueOr(proposals, null)?.fields.find(({ path }) => path === column.to)?.unit;
  const unit = unitText(column.unit);
  const { conversion, unitWarning } = column;
  const isAsIs = choice.convert === false;
  const text = conversion ? conversionText(conversion) : unit !== '' && isAsIs ? w.asIs(unit) : unit;
  if (column.to === null || (column.kind !== 'auto' && column.kind !== 'number'))
    return <span className="quiet">{unit}</span>;
  const pair = column.unit === null || !fieldUnit ? undefined : unitPair(column.unit, fieldUnit);
  const options: readonly ComboOption[] =
    pair && pair.from !== pair.to
      ? [
          { id: convert, text: w.convert(shownUnit(pair.from), shownUnit(pair.to)) },
          { id: asIs, text: w.storeAsIs },
        ]
      : [];
  const setUnit = (typed: string) => {
    const isOption = typed === asIs || typed === convert;
    update({
      ...(isOption ? {} : { unit: typed || undefined }),
      convert: typed === asIs ? false : undefined,
      // That of the dataset.
      fieldUnit: undefined,
    });
  };
  return (
    <EditableCell
      label={w.unitOf(column.column)}
      value={choice.unit ?? unit}
      text={choice.unit ?? unit}
      find={() => options}
      allowsCustom
      onSelect={setUnit}
    >
      {unitWarning !== undefined ? (
        <span className="tone-warning" title={unitWarning}>
          <TriangleAlert size={12} aria-hidden /> {text}
          {fieldUnit && ` ${w.inField(symbolText(fieldUnit))}`}
        </span>
      ) : text !== '' ? (
        text
      ) : fieldUnit ? (
        <span className="quiet">{w.noUnitInField(symbolText(fieldUnit))}</span>
      ) : (
        <span className="cell-empty quiet">{w.noUnit}</span>
      )}
    </EditableCell>
  );
}

/** The format of times, or what wells are matched by. */
export function FormatCell({ column }: CellProps) {
  if (column.kind === 'asset') return <WellMatchCell column={column} />;
  if (
    column.to !== null &&
    (column.reading?.as === 'time' || column.choices.length > 0 || isTimeKind(column))
  )
    return <TimeFormatCell column={column} />;
  return null;
}

const isTimeKind = ({ kind }: MatchedColumn): boolean => kind === 'timestamp' || kind === 'datetime';

function WellMatchCell({ column }: CellProps) {
  const { choice, update } = useColumnChoice(column);
  const by = choice.by ?? 'id';
  const options = wellsBy.options.map((id): ComboOption => ({ id, text: w.by[id] }));
  return (
    <EditableCell
      label={w.wellsByOf(column.column)}
      value={by}
      text={w.by[by]}
      find={find(options)}
      onSelect={(id) => {
        const mode = wellsBy.safeParse(id);
        if (mode.success) update({ by: mode.data, wells: undefined });
      }}
    />
  );
}

function TimeFormatCell({ column }: CellProps) {
  const { choice, setText } = useColumnChoice(column);
  const { choices, reading } = column;
  const format = choice.format ?? reading?.format ?? '';
  const fitting = choices.map((fit): ComboOption => ({
    id: fit.format,
    text: formatLabel(fit.format),
    note: localTimeText(fit.local),
  }));
  const otherFormats = timeFormats.filter(({ id }) => !fitting.some((fit) => fit.id === id));
  const options = [...fitting, ...otherFormats];
  const zone = reading === null || isUnix(reading.format) ? null : reading.zone;
  const text = textOf(options, format);
  return (
    <EditableCell
      label={w.formatOf(column.column)}
      value={format}
      text={text}
      find={find(options)}
      allowsCustom
      onSelect={(text) => setText('format', text)}
    >
      {reading === null && choice.format === undefined ? (
        <span className="tone-error">{columnProblemText(column, undefined) ?? w.choose}</span>
      ) : (
        <>
          {text}
          {zone !== null && <span className="quiet"> {zone}</span>}
        </>
      )}
    </EditableCell>
  );
}

const matchW = uploadWords.columns.proposals;

function reasonText({ why, confidence, unit, fieldUnit }: FieldMatch): string {
  const reason = matchW.reason(why, Math.round(confidence * 100));
  if (unit === null || unit === fieldUnit) return reason;
  if (fieldUnit === null) return `${reason}. ${matchW.noFieldUnit(symbolText(unit))}`;
  return `${reason}. ${matchW.converts(symbolText(unit), symbolText(fieldUnit))}`;
}

/** Why a column goes to its field; or a field that it may belong to, which one press selects. */
export function MatchHint({ column }: { readonly column: MatchedColumn }) {
  const { actions } = useTab('upload');
  const state = useUploadParts('match', 'proposals');
  const match = proposalFor(state, column.column)?.match;
  if (!match) return null;
  const isTaken = state.match.value?.columns.some(({ to }) => to === match.field) ?? false;
  const reason = reasonText(match);
  if (column.to === match.field)
    return (
      <span className="flex-none quiet" title={reason}>
        <CircleCheck size={12} aria-hidden />
        <span className="visually-hidden">{reason}</span>
      </span>
    );
  // A sure match was proposed before, and the user selected something else; two columns can't fill one field.
  if (isSure(match) || isTaken || match.confidence < minConfidence) return null;
  return (
    <span title={reason}>
      <Button
        variant="quiet"
        size="small"
        icon={Lightbulb}
        className="flex-none small"
        aria-label={matchW.use(match.field, column.column)}
        onPress={() => actions.selectMatch(column.column, match)}
      >
        {matchW.suggestion(match.field)}
      </Button>
    </span>
  );
}

export function MatchList({ column }: { readonly column: MatchedColumn }) {
  const { actions } = useTab('upload');
  const proposal = useTabState('upload', (state) => proposalFor(state, column.column));
  const matches = matchesOf(proposal).filter(({ confidence }) => confidence >= minConfidence);
  if (matches.length === 0) return null;
  return (
    <section aria-label={matchW.heading}>
      <h3>{matchW.heading}</h3>
      <ul className="stack gap-0">
        {matches.map((match) => (
          <li key={match.field}>
            <Button
              variant="quiet"
              aria-pressed={column.to === match.field}
              onPress={() => actions.selectMatch(column.column, match)}
            >
              <span className="mono small">{match.field}</span>
            </Button>
            <span className="quiet small"> {reasonText(match)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const icons = { filled: CircleCheck, missing: CircleAlert, optional: CircleDashed };

export function FieldRow({ field }: { field: MatchedField }) {
  const { actions } = useTab('upload');
  const constant = useTabState('upload', ({ choices }) => valueUnder(choices.constants, field.path));
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
        <ConstantField field={field} text={String(constant)} />
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
  const match = useTabState('upload', (state) => state.match);
  const isWithoutWell = useTabState('upload', (state) => state.choices.withoutWell === true);
  const [first] = field.columns;
  const none = field.isOfRecords && isWithoutWell ? nowhereId : nothingId;
  const value = first !== undefined ? `${columnOptionId}${first}` : typed ? constantId : none;
  const bestMatches = new Map(field.likely.map((column, at) => [column, at]));
  const rank = (column: string) => bestMatches.get(column) ?? bestMatches.size;
  const named = (match.value?.columns ?? [])
    .map(({ column }) => column)
    .toSorted((a, b) => rank(a) - rank(b));
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
  const change = (typed: string) => actions.setConstant(path, typed);
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
