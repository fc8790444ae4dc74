import { Download } from 'lucide-react';
import { type RefObject, useCallback, useMemo, useState, useEffect } from 'react';
import { Form } from '../../ui/form.tsx';
import type { Calculation } from '../../../shared/calculated/calculated.ts';
import {
  isSameAddress,
  type DatasetType,
  depthPath,
  scopeFieldOf,
} from '../../../shared/datasets/datasets.ts';
import {
  canBlankNulls,
  depthUnits,
  type DepthUnit,
  type ExportOptions,
  exportFormats,
  type ColumnNames,
  type ExportFormat,
  type ExportUnits,
  type PartitionKey,
  presetOptions,
} from '../../../shared/export/export.ts';
import { rangeFieldOf, readRange, readScope, type Bound } from '../../../shared/language/text/conditions.ts';
import type { ComputesPath } from '../../../shared/language/text/summary.ts';
import type { FindTarget } from '../../../shared/query/query.ts';
import { csvOf } from '../../../shared/settings/settings.ts';
import { valueOr } from '../../state/loadable.ts';
import { useLoaded } from '../../state/resource.ts';
import { useTask, createLatestTask } from '../../state/latest-task.ts';
import { Button } from '../../ui/button.tsx';
import { CheckBox } from '../../ui/check-box.tsx';
import { OptionGroup } from '../../ui/option-group.tsx';
import { Failed } from '../../ui/view-states.tsx';
import { Popup, PopupAt } from '../../ui/popup.tsx';
import { SelectField } from '../../ui/select-box.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { words } from '../../words/words.ts';
import { useRenamedFields } from '../datasets/use-field-names.ts';
import { useFields, useFieldUnits } from '../datasets/field-catalogue.ts';
import { UnitOptions, NamesOptions } from './column-options.tsx';
import type { ExportQuery } from './export.ts';
import { type CalculatedState, unitsWithCalculated } from '../results/calculated-columns.ts';
import { suggestedName } from '../../format/file-name.ts';
import { namedFor } from '../../format/named-for.ts';
import { useApp, useAppState, useSessionState } from '../../contexts.ts';
import type { AppError } from '../../../shared/errors/errors.ts';
import type { WellIndex } from '../wells/well-index.ts';
import { listedWells, nameOrId } from '../wells/wells-state.ts';
import './export.css';
import { pathId } from '../../../shared/column-paths.ts';
import { type CsvStyle, csvStyle } from '../../../shared/csv.ts';
import { localZone } from '../../format/zoned.ts';

const w = words.export;

const styles = {
  plain: {},
  excel: { bom: true, escapeFormulas: true },
  decimalComma: { delimiter: ';', decimal: ',', bom: true, escapeFormulas: true },
  tabs: { delimiter: '\t', newline: 'LF' },
} as const satisfies Record<string, Partial<CsvStyle>>;
type StyleName = keyof typeof styles;
const styleNames = ['plain', 'excel', 'decimalComma', 'tabs'] as const satisfies StyleName[];

/** A CSV style by name; `own`: the user's settings, if they match no other style. */
type CsvChoice = StyleName | 'own';

const isSame = (a: CsvStyle, b: CsvStyle): boolean =>
  a.delimiter === b.delimiter &&
  a.decimal === b.decimal &&
  a.newline === b.newline &&
  a.bom === b.bom &&
  a.escapeFormulas === b.escapeFormulas;

export const choiceOf = (style: CsvStyle): CsvChoice =>
  styleNames.find((name) => isSame(csvStyle.parse(styles[name]), style)) ?? 'own';

/** The available styles; the user's first if it has no name. */
export const csvChoices = (current: CsvStyle): readonly CsvChoice[] =>
  choiceOf(current) === 'own' ? ['own', ...styleNames] : styleNames;

export const styleOf = (choice: CsvChoice, current: CsvStyle): CsvStyle =>
  choice === 'own' ? current : csvStyle.parse(styles[choice]);

/** What the file is for: a preset, or options of the user's own. */
const exportUses = ['excel', 'csv', 'las', 'pandas', 'reimport', 'custom'] as const;
type ExportUse = (typeof exportUses)[number];

/** How Parquet is divided into files, as well and period; `none`: one file. */
const partitionChoices = ['none', 'asset_id', 'day', 'month'] as const;
type PartitionChoice = (typeof partitionChoices)[number];

interface ExportChoice {
  readonly use: ExportUse;
  readonly format: ExportFormat;
  readonly csv: CsvChoice;
  /** An IANA zone; `raw`: unchanged. */
  readonly times: string;
  /** Whether a table has time and well first, and units in its header. */
  readonly isReadable: boolean;
  readonly units: ExportUnits;
  /** Whether null values such as -999.25 stay numbers in a table. */
  readonly keepsNulls: boolean;
  readonly columnNames: ColumnNames;
  readonly partition: PartitionChoice;
  /** Whether the names of wells follow their asset ids; never in a file to upload again. */
  readonly hasWellNames: boolean;
  /** Whether a row of a workbook has what engineers call the fields. */
  readonly hasPlainNames: boolean;
}

interface ChoiceContext {
  /** The tab's time zone; null: raw times. */
  readonly zone: string | null;
  readonly units: ReadonlyMap<string, string>;
  readonly userStyle: CsvStyle;
  /** The names that the user gave to fields, by dotted path; absent: none. */
  readonly renamed?: Readonly<Record<string, string>> | undefined;
}

interface FirstContext extends Omit<ChoiceContext, 'units'> {
  /** What the last file was for; null: there was none. */
  readonly last: string | null;
  /** Whether the dataset can have depths, which LAS needs. */
  readonly canBeLas: boolean;
}

/** The first choice: what the last file was for; at first Excel, unless the settings have a CSV style of another kind. */
export const firstChoice = ({ zone, userStyle, last, canBeLas }: FirstContext): ExportChoice => {
  const csv = choiceOf(userStyle);
  const lastUse = exportUses.find((use) => use === last && (use !== 'las' || canBeLas));
  return {
    use: lastUse ?? (csv === 'own' || csv === 'tabs' ? 'custom' : 'excel'),
    format: 'csv',
    csv,
    times: zone ?? 'raw',
    isReadable: true,
    units: 'stored',
    keepsNulls: false,
    columnNames: 'dotted',
    partition: 'none',
    hasWellNames: false,
    hasPlainNames: false,
  };
};

export function optionsOf(choice: ExportChoice, context: ChoiceContext): ExportOptions {
  const options = optionsOfUse(choice, context);
  const { format, layout } = options;
  if (format !== 'xlsx' || !choice.hasPlainNames) return options;
  return { ...options, layout: { ...layout, names: context.renamed ?? {} } };
}

function optionsOfUse(choice: ExportChoice, context: ChoiceContext): ExportOptions {
  const { zone, units, userStyle } = context;
  const { use, format, csv, times, isReadable, hasWellNames, columnNames } = choice;
  const unitsByField = Object.fromEntries(units);
  const converted = choice.units === 'stored' || use === 'reimport' ? {} : { units: choice.units };
  const kept = choice.keepsNulls ? { nullValues: 'keep' as const } : {};
  if (use === 'las') return { format: 'las', ...kept, ...converted };
  if (use === 'csv')
    return optionsOfUse(
      { ...choice, use: 'custom', format: 'csv', csv: 'own', times: zone ?? 'UTC', isReadable: true },
      context,
    );
  if (use !== 'custom')
    return {
      ...presetOptions(use, { timeZone: zone ?? 'UTC', units: unitsByField, decimal: userStyle.decimal }),
      ...kept,
      ...(hasWellNames && use !== 'reimport' && { wellNames: true }),
      ...converted,
    };
  return {
    format,
    ...kept,
    ...(hasWellNames && { wellNames: true }),
    ...(format === 'csv' && { csv: styleOf(csv, userStyle) }),
    ...(isTable(format) && isReadable && { layout: { timeAndWellFirst: true, units: unitsByField } }),
    ...(times !== 'raw' && { timeZone: times }),
    ...(format === 'parquet' && columnNames !== 'dotted' && { columnNames }),
    ...converted,
  };
}

/** By what the export is divided into files; undefined: one file. */
export function partitionOf({ use, format, partition }: ExportChoice): PartitionKey[] | undefined {
  if (use !== 'custom' || format !== 'parquet' || partition === 'none') return undefined;
  return partition === 'asset_id' ? ['asset_id'] : ['asset_id', partition];
}

/** Whether a format has a header for people, with an order of columns and units. */
const isTable = (format: ExportFormat): boolean => format === 'csv' || format === 'xlsx';

/** Whether times are text: Parquet has instants, a workbook dates, and LAS depths. */
const isText = (format: ExportFormat): boolean =>
  format === 'csv' || format === 'ndjson' || format === 'json';

/** The time zones to select from: the tab's first. */
export const zonesFor = (zone: string | null): readonly string[] => [
  ...new Set([...(zone === null ? [] : [zone]), 'UTC', localZone()]),
];

interface CustomOptionsProps {
  readonly value: ExportChoice;
  /** The tab's time zone; null: raw times. */
  readonly zone: string | null;
  readonly userStyle: CsvStyle;
  /** Whether the dataset can have depths, which LAS needs. */
  readonly canBeLas: boolean;
  /** Whether the records can be divided into several files. */
  readonly canDivide: boolean;
  readonly onChange: (changes: Partial<ExportChoice>) => void;
}

const formats = exportFormats.map((id) => ({ id, text: w.formats[id] }));

function CustomOptions({ value, zone, userStyle, canBeLas, canDivide, onChange }: CustomOptionsProps) {
  const { format, csv, times, isReadable } = value;
  return (
    <>
      <OptionGroup
        label={w.format}
        layout="line"
        value={format}
        options={formats.filter(({ id }) => id !== 'las' || canBeLas)}
        onChange={(selected) => onChange({ format: selected })}
      />
      <div className="columns gap-3">
        {format === 'csv' && (
          <OptionGroup
            label={w.csvStyle}
            layout="list"
            value={csv}
            options={csvChoices(userStyle).map((id) => ({ id, text: w.csvStyles[id] }))}
            onChange={(style) => onChange({ csv: style })}
          />
        )}
        {format === 'parquet' && <NamesOptions value={value} onChange={onChange} />}
        {format === 'parquet' && canDivide && (
          <SelectField
            label={w.partition}
            value={value.partition}
            options={partitionChoices.map((id) => ({ id, text: w.partitions[id] }))}
            onChange={(partition) => onChange({ partition })}
            {...(value.partition === 'none' ? {} : { note: w.folderText })}
          />
        )}
        {(format === 'xlsx' || isText(format)) && (
          <OptionGroup
            label={w.times}
            layout="list"
            value={format === 'xlsx' && times === 'raw' ? 'UTC' : times}
            options={[
              ...zonesFor(zone).map((id) => ({ id, text: format === 'xlsx' ? w.dates(id) : w.iso(id) })),
              ...(format === 'xlsx' ? [] : [{ id: 'raw', text: w.raw }]),
            ]}
            onChange={(zoneOrRaw) => onChange({ times: zoneOrRaw })}
          />
        )}
      </div>
      {isTable(format) && (
        <CheckBox
          label={w.readable}
          checked={isReadable}
          onChange={(checked) => onChange({ isReadable: checked })}
        />
      )}
    </>
  );
}

const idsOf = ({ columns }: CalculatedState): readonly string[] => columns.map(({ name }) => pathId([name]));

function fieldsWithCalculated(
  fields: readonly string[],
  calculated: CalculatedState,
  isCalculating: boolean,
): readonly string[] {
  const ids = idsOf(calculated);
  return [...fields.filter((field) => !ids.includes(field)), ...(isCalculating ? ids : [])];
}

/** A query whose fields are those that records have: calculated columns are not requested. */
function withoutCalculated(question: ExportQuery, calculated: CalculatedState): ExportQuery {
  if (question.kind === 'whole' || question.fields.length === 0) return question;
  const fields = fieldsWithCalculated(question.fields, calculated, false);
  // No fields would be all of them.
  return { ...question, fields: fields.length > 0 ? fields : ['_id'] };
}

interface CalculatedOptionProps {
  readonly calculated: CalculatedState;
  readonly isChecked: boolean;
  /** Whether the file can have them. */
  readonly isCalculable: boolean;
  /** Whether there is a result, whose columns they are calculated of. */
  readonly hasResult: boolean;
  readonly onChange: (isChecked: boolean) => void;
}

function CalculatedOption(props: CalculatedOptionProps) {
  const { calculated, isChecked, isCalculable, hasResult, onChange } = props;
  const { columns, facts } = calculated;
  const { noResult, stored, ordered } = w.calculatedNotes;
  const isOrdered = isChecked && [...facts.values()].some(({ needsRowsBefore }) => needsRowsBefore);
  const note = !isCalculable ? stored : !hasResult ? noResult : isOrdered ? ordered : undefined;
  return (
    <CheckBox
      label={w.calculated(columns.map(({ name }) => name))}
      checked={isChecked && hasResult}
      isDisabled={!isCalculable || !hasResult}
      {...(note === undefined ? {} : { note })}
      onChange={onChange}
    />
  );
}

interface ExportButtonProps {
  readonly target: FindTarget;
  /** The subject of the export, for the form's text. */
  readonly of: ExportQuery['kind'] | 'answer';
  /** The query at the start of the export, with parameters replaced. @throws AppError invalid_input */
  readonly question: () => Promise<ExportQuery>;
  /** The exported fields if they aren't all of the query's; null: all. */
  readonly fields: readonly string[] | null;
  /** The tab's time zone; null: raw times. */
  readonly zone: string | null;
  /** The first records of the result as a JSON array, with calculated columns or without; null: there are none. */
  readonly sample: (isCalculating: boolean) => Promise<string | null>;
  /** Whether the query of these records computes a path, which then has no unit of the dataset. */
  readonly computesPath: ComputesPath | undefined;
  readonly calculated: CalculatedState;
  /** What they are calculated of; null: there is no result. */
  readonly calculation: () => Calculation | null;
  /** The position of a form without a button, as from a menu. */
  readonly at?: RefObject<Element | null> | undefined;
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
}

export function ExportButton(props: ExportButtonProps) {
  const { at, isOpen, onOpenChange } = props;
  const close = () => onOpenChange(false);
  if (at)
    return isOpen ? (
      <PopupAt at={at} isWide heading={w.heading} placement="bottom end" onClose={close}>
        <ExportForm {...props} onStarted={close} />
      </PopupAt>
    ) : null;
  return (
    <Popup
      isWide
      heading={w.heading}
      trigger={{ variant: 'plain', icon: Download, children: words.query.export }}
      isOpen={isOpen}
      onOpenChange={onOpenChange}
    >
      {() => <ExportForm {...props} onStarted={close} />}
    </Popup>
  );
}

/** The wells and the range of a query, for the name of its file, as far as it is complete and names them. */
function useContentNames(
  type: DatasetType | null,
  depthUnit: string | undefined,
): (query: ExportQuery | null) => { readonly wells: readonly string[]; readonly range: string | null } {
  const listed = useSessionState('wells', listedWells);
  return (query) => {
    const conditions = query?.kind === 'find' ? query.query : null;
    if (!conditions) return { wells: [], range: null };
    const scope = readScope(conditions, scopeFieldOf(type));
    const wells = scope.kind === 'ids' ? scope.ids.map((id) => nameOrId(listed, id)) : [];
    return { wells, range: rangeText(conditions, type, depthUnit) };
  };
}

/** The range of a query as days or depths. */
export function rangeText(
  query: string,
  type: DatasetType | null,
  depthUnit: string | undefined,
): string | null {
  const field = rangeFieldOf(type);
  const range = field && readRange(query, field);
  if (range?.kind !== 'range') return null;
  const textOf = (bound: Bound | null, excludedMs = 0): string | null =>
    bound?.kind === 'time'
      ? new Date(bound.ms - excludedMs).toISOString().slice(0, 10)
      : bound?.kind === 'depth'
        ? String(bound.depth)
        : null;
  // No record of a day that only ends the range is in the file.
  const [from, to] = [textOf(range.from), textOf(range.to, range.includesTo ? 0 : 1)];
  const unit = field?.of === 'depth' && depthUnit !== undefined ? ` ${depthUnit}` : '';
  if (from === null && to === null) return null;
  if (from === null || to === null) return `${from === null ? 'to' : 'from'} ${from ?? to ?? ''}${unit}`;
  return `${from === to ? from : `${from} to ${to}`}${unit}`;
}

function ExportForm(props: ExportButtonProps & { onStarted: () => void }) {
  const { target, of, question, fields, zone, sample, computesPath, calculated, calculation, onStarted } =
    props;
  const { start } = useApp().exporting;
  const { downloadWhenDone } = useApp().jobs.actions;
  const fieldUnits = useFieldUnits(target);
  const units = useMemo(() => unitsWithCalculated(fieldUnits, calculated.facts), [fieldUnits, calculated]);
  const hasFields = useFields(target) !== null;
  const datasetType = useSessionState(
    'datasets',
    ({ list }) => valueOr(list, []).find((dataset) => isSameAddress(dataset, target))?.type ?? null,
  );
  const settings = useAppState('settings', (state) => state.values);
  const userStyle = useMemo(() => csvOf(settings), [settings]);
  const canBeLas = datasetType === null || datasetType === 'depth';
  const { places } = useApp().settings.actions;
  const [choice, setChoice] = useState(() =>
    firstChoice({ zone, userStyle, canBeLas, last: places.export.getItem('use') }),
  );
  const renamed = useRenamedFields(target);
  const options = useMemo(
    () => optionsOf(choice, { zone, units, userStyle, renamed }),
    [choice, zone, units, userStyle, renamed],
  );
  const [sampleUnits, sampleOptions] = useMemo(() => {
    const stored = new Map([...fieldUnits].filter(([path, unit]) => !computesPath?.(path, unit)));
    const all = unitsWithCalculated(stored, calculated.facts);
    return [all, optionsOf(choice, { zone, units: all, userStyle, renamed })];
  }, [fieldUnits, computesPath, calculated, choice, zone, userStyle, renamed]);
  const [today] = useState(() => new Date());
  const [typedName, setTypedName] = useState<string | null>(null);
  // Each render passes a new function.
  const [firstQuestion] = useState(() => question);
  const loadedQuery = valueOr(useLoaded(firstQuestion), null);
  const contentOf = useContentNames(datasetType, units.get(depthPath));
  const nameOf = (query: ExportQuery | null) =>
    typedName ??
    namedFor(suggestedName(target.dataset, today, undefined, contentOf(query)), options.format ?? 'csv');
  const fileName = nameOf(loadedQuery);
  const [depthUnit, setDepthUnit] = useState<DepthUnit | 'open'>('open');
  const { setField } = useApp().settings.actions;
  const needsDepthUnit = options.format === 'las' && hasFields && !units.has(depthPath);
  const [hasCalculated, setHasCalculated] = useState(true);
  const isCalculable = choice.use !== 'reimport' && partitionOf(choice) === undefined;
  const isCalculating = hasCalculated && isCalculable && calculated.columns.length > 0;
  const starting = useTask(async (_: void, signal) => {
    // The settings keep the unit, so that tables and plots have it too.
    if (needsDepthUnit && depthUnit !== 'open') await setField(target, depthPath, { unit: depthUnit });
    const query = await question();
    const job = await start(
      target,
      withoutCalculated(query, calculated),
      {
        // Enter can be pressed before the wells of the query are in the suggested name.
        fileName: namedFor(nameOf(query).trim(), options.format ?? 'csv'),
        partition: partitionOf(choice),
        ...(isCalculating && { calculation: calculation() ?? undefined }),
        ...options,
      },
      signal,
    );
    if (job === null) return;
    places.export.setItem('use', choice.use);
    downloadWhenDone(job);
    onStarted();
  });
  const change = (changes: Partial<ExportChoice>) => {
    const changed = { ...choice, ...changes };
    setChoice(changed);
    const { format = 'csv' } = optionsOf(changed, { zone, units, userStyle });
    setTypedName((name) => name && namedFor(name.trim(), format));
  };
  const checkBox = (name: 'hasWellNames' | 'hasPlainNames' | 'keepsNulls', label: string) => (
    <CheckBox label={label} checked={choice[name]} onChange={(isOn) => change({ [name]: isOn })} />
  );
  const firstRecords = useCallback(() => sample(isCalculating), [sample, isCalculating]);
  const sampleFields = useMemo(
    () => (fields ? fieldsWithCalculated(fields, calculated, isCalculating) : allFields),
    [fields, calculated, isCalculating],
  );
  const isNameless = fileName.trim() === '';
  const isDepthOpen = needsDepthUnit && depthUnit === 'open';
  return (
    <Form
      className="stack gap-3"
      data-help="export.md"
      onSubmit={() => {
        if (!isNameless && !isDepthOpen && !starting.isRunning) void starting.start();
      }}
    >
      <p className="quiet">{w.texts[of]}</p>
      {fields && <p className="export-only scroll break">{w.only(sampleFields)}</p>}
      <TextField
        label={w.fileName}
        name="fileName"
        value={fileName}
        onChange={setTypedName}
        problem={isNameless ? w.fileNameMissing : undefined}
      />
      <OptionGroup
        label={w.use}
        layout="line"
        value={choice.use}
        options={exportUses.filter((id) => id !== 'las' || canBeLas).map((id) => ({ id, text: w.uses[id] }))}
        onChange={(use) => change({ use })}
      />
      {choice.use === 'custom' ? (
        <CustomOptions
          value={choice}
          zone={zone}
          userStyle={userStyle}
          canBeLas={canBeLas}
          canDivide={of !== 'whole'}
          onChange={change}
        />
      ) : (
        <p className="quiet">{w.presetTexts[choice.use](zone ?? 'UTC')}</p>
      )}
      {choice.use !== 'reimport' && <UnitOptions value={choice} onChange={change} />}
      {choice.use !== 'reimport' && checkBox('hasWellNames', w.wellNames)}
      {options.format === 'xlsx' && checkBox('hasPlainNames', w.plainNames)}
      {calculated.columns.length > 0 && (
        <CalculatedOption
          calculated={calculated}
          isChecked={isCalculating}
          isCalculable={isCalculable}
          hasResult={calculation() !== null}
          onChange={setHasCalculated}
        />
      )}
      {needsDepthUnit && (
        <SelectField
          label={w.depthUnit}
          value={depthUnit}
          options={[{ id: 'open', text: w.depthUnitOpen }, ...depthUnits.map((id) => ({ id, text: id }))]}
          note={w.depthUnitNote}
          onChange={setDepthUnit}
        />
      )}
      {canBlankNulls(options.format ?? 'csv') && checkBox('keepsNulls', w.keepNulls)}
      {options.format !== 'parquet' && options.format !== 'las' && (
        <SampleText
          records={firstRecords}
          fields={sampleFields}
          units={sampleUnits}
          options={sampleOptions}
        />
      )}
      {starting.error && <Failed error={starting.error} isInForm />}
      <div className="row wrap">
        <Button type="submit" variant="primary" isDisabled={isDepthOpen} isPending={starting.isRunning}>
          {starting.isRunning ? w.starting : w.start}
        </Button>
        <Button variant="quiet" onPress={onStarted}>
          {words.cancel}
        </Button>
      </div>
    </Form>
  );
}

const allFields: readonly string[] = [];

interface SampleTextProps {
  /** The first records of the result as a JSON array; null: there are none. */
  readonly records: () => Promise<string | null>;
  /** Empty: all. */
  readonly fields: readonly string[];
  readonly units: ReadonlyMap<string, string>;
  readonly options: ExportOptions;
}

/** A byte order mark is in the file, but has no shape. */
const visible = (text: string): string => text.replace(/^\uFEFF/, '').trimEnd();

function namesIn(records: string, { names }: WellIndex): Record<string, string> {
  const ids = records.matchAll(/"asset_id"\s*:\s*"?(\d{1,15})/g).map(([, id = '']) => id);
  return Object.fromEntries(ids.map((id) => [id, names.get(id)]).filter(([, name]) => name !== undefined));
}

/** The props have to stay the same objects while nothing changes. */
function SampleText({ records, fields, units, options }: SampleTextProps) {
  const { sample } = useApp().exporting;
  const listed = useSessionState('wells', listedWells);
  const [shown, setShown] = useState<string | AppError | null>('');
  useEffect(() => {
    const fieldUnits = Object.fromEntries(units);
    const task = createLatestTask();
    const read = async (signal: AbortSignal) => {
      const json = await records();
      return json && sample(json, namesIn(json, listed), fields, { ...options, fieldUnits }, signal);
    };
    void task.run(read, { onDone: setShown, onFailed: setShown });
    return task.drop;
  }, [records, sample, fields, units, options, listed]);
  if (shown === null) return <p className="quiet">{w.noSample}</p>;
  if (typeof shown !== 'string') return <p className="quiet">{shown.message}</p>;
  return (
    <div className="stack gap-1">
      <p className="field-label">{w.sample}</p>
      {/* oxlint-disable-next-line no-noninteractive-tabindex -- long lines scroll, by keyboard too */}
      <section className="scroll-x box pad-2" tabIndex={0} aria-label={w.sample}>
        <pre className="export-sample small mono">{visible(shown)}</pre>
      </section>
    </div>
  );
}
