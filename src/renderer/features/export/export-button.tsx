import { Download } from 'lucide-react';
import { type RefObject, useCallback, useMemo, useState, useEffect } from 'react';
import { Form } from 'react-aria-components/Form';
import type { Calculation } from '../../../shared/calculated/calculated.ts';
import { isSameAddress } from '../../../shared/datasets/datasets.ts';
import { depthPath } from '../../../shared/datasets/shapes.ts';
import {
  canBlankNulls,
  depthUnits,
  type DepthUnit,
  type ExportOptions,
} from '../../../shared/export/export.ts';
import type { FindTarget } from '../../../shared/query/query.ts';
import { csvOf } from '../../../shared/settings/settings.ts';
import { valueOr } from '../../state/loadable.ts';
import { useTask } from '../../state/use-task.ts';
import { Button } from '../../ui/button.tsx';
import { CheckBox } from '../../ui/check-box.tsx';
import { OptionGroup } from '../../ui/option-group.tsx';
import { Failed } from '../../ui/view-states.tsx';
import { Popup, PopupAt } from '../../ui/popup.tsx';
import { SelectField } from '../../ui/select-box.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { words } from '../../words/words.ts';
import { useFieldUnits } from '../datasets/use-field-units.ts';
import { UnitOptions } from './column-options.tsx';
import { CustomOptions } from './custom-options.tsx';
import { type ExportChoice, exportUses, firstChoice, optionsOf, partitionOf } from './export-choice.ts';
import { CalculatedOption } from './calculated-option.tsx';
import { fieldsWithCalculated, withoutCalculated } from './calculated.ts';
import type { ExportQuery } from './export.ts';
import type { CalculatedState } from '../results/calculated-columns.ts';
import { unitsWithCalculated } from '../results/computed-columns.ts';
import { suggestedName } from '../../format/file-name.ts';
import { namedFor } from '../../format/named-for.ts';
import { useApp, useAppState, useSessionState } from '../../contexts.ts';
import { createLatestTask } from '../../state/latest-task.ts';
import type { AppError } from '../../../shared/errors/errors.ts';
import type { WellIndex } from '../wells/well-index.ts';
import { listedWells } from '../wells/wells-state.ts';
import './export.css';

interface ExportButtonProps {
  readonly target: FindTarget;
  /** The subject of the export, for the form's text. */
  readonly of: ExportQuery['kind'] | 'answer';
  /**
   * The query at the start of the export, with parameters replaced.
   * @throws AppError invalid_input
   */
  readonly question: () => Promise<ExportQuery>;
  /** The exported fields if they aren't all of the query's; null: all. */
  readonly fields: readonly string[] | null;
  /** The tab's time zone; null: raw times. */
  readonly zone: string | null;
  /** The first records of the result as a JSON array, with calculated columns or without; null: there are none. */
  readonly sample: (isCalculating: boolean) => Promise<string | null>;
  /** The calculated columns of the result. */
  readonly calculated: CalculatedState;
  /** What they are calculated of; null: there is no result. */
  readonly calculation: () => Calculation | null;
  /** The position of a form without a button, as from a menu. */
  readonly at?: RefObject<Element | null> | undefined;
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
}

/** Exports all matching records. */
export function ExportButton(props: ExportButtonProps) {
  const { at, isOpen, onOpenChange } = props;
  const close = () => onOpenChange(false);
  if (at)
    return isOpen ? (
      <PopupAt at={at} isWide heading={words.export.heading} placement="bottom end" onClose={close}>
        <ExportForm {...props} onStarted={close} />
      </PopupAt>
    ) : null;
  return (
    <Popup
      isWide
      heading={words.export.heading}
      trigger={
        <Button icon={Download} data-tour="export">
          {words.query.export}
        </Button>
      }
      isOpen={isOpen}
      onOpenChange={onOpenChange}
    >
      {() => <ExportForm {...props} onStarted={close} />}
    </Popup>
  );
}

const uses = exportUses.map((id) => ({ id, text: words.export.uses[id] }));

function ExportForm(props: ExportButtonProps & { onStarted: () => void }) {
  const { target, of, question, fields, zone, sample, calculated, calculation, onStarted } = props;
  const { start } = useApp().exporting;
  const { downloadWhenDone } = useApp().jobs.actions;
  const fieldUnits = useFieldUnits(target.connection, target);
  const units = useMemo(() => unitsWithCalculated(fieldUnits, calculated.facts), [fieldUnits, calculated]);
  const catalogue = useApp().fields.actions;
  const hasFields = useAppState(
    'fields',
    (state) => catalogue.of(state, target.connection, target) !== undefined,
  );
  const datasetType = useSessionState(
    'datasets',
    ({ list }) => valueOr(list, []).find((dataset) => isSameAddress(dataset, target))?.type ?? null,
  );
  const settings = useAppState('settings', (state) => state.values);
  const userStyle = useMemo(() => csvOf(settings), [settings]);
  const [choice, setChoice] = useState(() => firstChoice({ zone, userStyle }));
  const [fileName, setFileName] = useState(() => {
    const { format = 'csv' } = optionsOf(choice, { zone, units, userStyle });
    return namedFor(suggestedName(target.dataset, new Date()), format);
  });
  const options = useMemo(
    () => optionsOf(choice, { zone, units, userStyle }),
    [choice, zone, units, userStyle],
  );
  const [depthUnit, setDepthUnit] = useState<DepthUnit | 'open'>('open');
  const { setFieldUnit } = useApp().settings.actions;
  const needsDepthUnit = options.format === 'las' && hasFields && !units.has(depthPath);
  const [hasCalculated, setHasCalculated] = useState(true);
  const isCalculable = choice.use !== 'reimport' && partitionOf(choice) === undefined;
  const isCalculating = hasCalculated && isCalculable && calculated.columns.length > 0;
  const starting = useTask(async (_: void, signal) => {
    // The settings keep the unit, so that tables and plots have it too.
    if (needsDepthUnit && depthUnit !== 'open') await setFieldUnit(target, depthPath, depthUnit);
    const job = await start(
      target,
      withoutCalculated(await question(), calculated),
      {
        fileName: namedFor(fileName.trim(), options.format ?? 'csv'),
        partition: partitionOf(choice),
        ...(isCalculating && { calculation: calculation() ?? undefined }),
        ...options,
      },
      signal,
    );
    if (job === null) return;
    downloadWhenDone(job);
    onStarted();
  });
  const change = (changes: Partial<ExportChoice>) => {
    const changed = { ...choice, ...changes };
    setChoice(changed);
    const { format = 'csv' } = optionsOf(changed, { zone, units, userStyle });
    setFileName((name) => namedFor(name.trim(), format));
  };
  const firstRecords = useCallback(() => sample(isCalculating), [sample, isCalculating]);
  const sampleFields = useMemo(
    () => (fields ? fieldsWithCalculated(fields, calculated, isCalculating) : allFields),
    [fields, calculated, isCalculating],
  );
  const isNameless = fileName.trim() === '';
  const isDepthOpen = needsDepthUnit && depthUnit === 'open';
  return (
    <Form
      className="export-form stack gap-3"
      data-help="export.md"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isNameless && !isDepthOpen && !starting.isRunning) void starting.start();
      }}
    >
      <p className="quiet">{words.export.texts[of]}</p>
      {fields && <p className="export-only">{words.export.only(sampleFields)}</p>}
      <TextField
        label={words.export.fileName}
        name="fileName"
        value={fileName}
        onChange={setFileName}
        problem={isNameless ? words.export.fileNameMissing : undefined}
      />
      <OptionGroup
        label={words.export.use}
        layout="line"
        value={choice.use}
        options={uses}
        onChange={(use) => change({ use })}
      />
      {choice.use === 'custom' ? (
        <CustomOptions
          value={choice}
          zone={zone}
          userStyle={userStyle}
          canBeLas={datasetType === null || datasetType === 'depth'}
          canDivide={of !== 'whole'}
          onChange={change}
        />
      ) : (
        <p className="quiet">{words.export.presetTexts[choice.use](zone ?? 'UTC')}</p>
      )}
      {choice.use !== 'reimport' && <UnitOptions value={choice} onChange={change} />}
      {choice.use !== 'reimport' && (
        <CheckBox
          label={words.export.wellNames}
          checked={choice.hasWellNames}
          onChange={(hasWellNames) => change({ hasWellNames })}
        />
      )}
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
          label={words.export.depthUnit}
          value={depthUnit}
          options={[
            { id: 'open', text: words.export.depthUnitOpen },
            ...depthUnits.map((id) => ({ id, text: id })),
          ]}
          note={words.export.depthUnitNote}
          onChange={setDepthUnit}
        />
      )}
      {canBlankNulls(options.format ?? 'csv') && (
        <CheckBox
          label={words.export.keepNulls}
          checked={choice.keepsNulls}
          onChange={(keepsNulls) => change({ keepsNulls })}
        />
      )}
      {options.format !== 'parquet' && options.format !== 'las' && (
        <SampleText records={firstRecords} fields={sampleFields} units={units} options={options} />
      )}
      {starting.error && <Failed error={starting.error} isInForm />}
      <div className="row wrap">
        <Button
          type="submit"
          variant="primary"
          data-tour="export"
          isDisabled={isDepthOpen}
          isPending={starting.isRunning}
        >
          {starting.isRunning ? words.export.starting : words.export.start}
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
  /** Units by field. */
  readonly units: ReadonlyMap<string, string>;
  readonly options: ExportOptions;
}

/** A byte order mark is in the file, but has no shape. */
const visible = (text: string): string => text.replace(/^\uFEFF/, '').trimEnd();

/** The names of the wells in records. */
function namesIn(records: string, { names }: WellIndex): Record<string, string> {
  const ids = records.matchAll(/"asset_id"\s*:\s*"?(\d{1,15})/g).map(([, id = '']) => id);
  return Object.fromEntries(ids.map((id) => [id, names.get(id)]).filter(([, name]) => name !== undefined));
}

/** The first records as the export would write them. The props have to stay the same objects while nothing changes. */
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
    void task.run(read, { onDone: setShown, onFailed: setShown, onCanceled: () => undefined });
    return task.drop;
  }, [records, sample, fields, units, options, listed]);
  if (shown === null) return <p className="quiet">{words.export.noSample}</p>;
  if (typeof shown !== 'string') return <p className="quiet">{shown.message}</p>;
  return (
    <div className="stack gap-1">
      <p className="field-label">{words.export.sample}</p>
      {/* oxlint-disable-next-line no-noninteractive-tabindex -- long lines scroll, by keyboard too */}
      <section className="export-sample" tabIndex={0} aria-label={words.export.sample}>
        <pre>{visible(shown)}</pre>
      </section>
    </div>
  );
}
