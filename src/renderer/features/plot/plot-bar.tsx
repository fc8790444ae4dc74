import {
  ArrowUpDown,
  Layers,
  Settings2,
  Ellipsis,
  FileDown,
  ImageDown,
  type LucideIcon,
  Maximize,
  Printer,
  TextCursorInput,
  ZoomIn,
  ZoomOut,
  LayoutTemplate,
} from 'lucide-react';
import { memo, useMemo, useRef, useState, useEffect, type RefObject } from 'react';
import { useStore } from 'zustand';
import {
  maxPlotFields,
  type PlotChoice,
  type PlotKind,
  plotKinds,
  type CrossplotChoice,
} from '../../../shared/tabs/plot.ts';
import { Button } from '../../ui/button.tsx';
import { Form } from '../../ui/form.tsx';
import { PrintedPage } from '../../ui/printed-page.tsx';
import { Chips, type ChipsProps } from '../../ui/chips.tsx';
import { OptionGroup } from '../../ui/option-group.tsx';
import { ComboBox } from '../../ui/combo-box.tsx';
import { Popup, PopupAt } from '../../ui/popup.tsx';
import { SelectBox, type SelectBoxProps, SelectField } from '../../ui/select-box.tsx';
import { useWidthStep } from '../../ui/use-width.ts';
import { plotWords } from '../../words/plot.ts';
import {
  alongFields,
  categoryFields,
  inKind,
  runsDown,
  shownFields,
  pathViews,
  lastName,
} from './first-choice.ts';
import { rangeOfPoints } from './extent.ts';
import { NotesButton } from '../notes/notes-button.tsx';
import { fieldName, alongOf, groupName, groupNames, type PlotNames } from './names.ts';
import type { OverlayAxis } from './overlays/chart-marks.ts';
import { OverlayPicker } from './overlays/overlay-picker.tsx';
import type { PlotOverlays } from './overlays/use-overlays.ts';
import type { PlotViewProps } from './plot-view.tsx';
import { isTime } from '../records/table.ts';
import type { PlotField } from './source.ts';
import type { Scene } from './scene.ts';
import { CheckBox } from '../../ui/check-box.tsx';
import { datasetName } from '../../../shared/datasets/datasets.ts';
import { useAppState, useApp, useSession } from '../../contexts.ts';
import { matchingFields } from '../datasets/field-options.ts';
import { useTask } from '../../state/latest-task.ts';
import { MenuButton } from '../../ui/menu-button.tsx';
import { Status } from '../../ui/status.tsx';
import { Failed } from '../../ui/view-states.tsx';
import type { CsvHeads } from './csv.ts';
import { zoomedBy } from './moving.ts';
import { dataName, pictureName, savePicture } from './saving.ts';
import { seriesOf, type Series } from './drawing.ts';
import { seriesColors, extentText } from '../../ui/plot/index.ts';
import type { Content, Drawn } from './content.ts';
import { dataUrlOf } from '../../api/files.ts';
import { formatCount } from '../../format/numbers.ts';
import { TextField } from '../../ui/text-field.tsx';
import { channelOf, type Synonyms } from '../../../shared/channels/channels.ts';
import type { SavedQuery } from '../../../shared/saved/saved.ts';
import { valueOr } from '../../state/loadable.ts';
import { useSynonyms } from '../settings/use-synonyms.ts';

/** The fields that a plot needs for its axes and colors. */
const usedFields = ({ kind, x, y, crossplot }: PlotChoice): string[] =>
  [kind === 'bars' ? [] : x, y, kind === 'scatter' ? (crossplot?.color ?? []) : []].flat();

/** The plot of a saved query with these fields, or those of the same channels; null: one is missing. */
export function fittingPlot(
  choice: PlotChoice,
  fields: readonly PlotField[],
  synonyms: Synonyms,
): PlotChoice | null {
  const channelName = (id: string): string | undefined => channelOf(lastName(id), { synonyms })?.channel.name;
  const fieldFor = (id: string): string | null => {
    if (fields.some((field) => field.id === id)) return id;
    const channel = channelName(id);
    const same =
      channel === undefined ? undefined : fields.find((field) => channelName(field.id) === channel);
    return same?.id ?? null;
  };
  const color = choice.crossplot?.color ?? null;
  const fieldsById = new Map(usedFields(choice).map((id) => [id, fieldFor(id)]));
  // Two fields of a channel can't be one.
  if ([...fieldsById.values()].includes(null) || new Set(fieldsById.values()).size < fieldsById.size)
    return null;
  const named = (id: string): string => fieldsById.get(id) ?? fieldFor(id) ?? id;
  return {
    ...choice,
    x: named(choice.x),
    y: choice.y.map(named),
    ...(choice.others && { others: choice.others.map(named) }),
    ...(choice.tracks && { tracks: choice.tracks.map((track) => track.map(named)) }),
    ...(choice.curves && {
      curves: Object.fromEntries(
        Object.entries(choice.curves).map(([id, style]) => [
          named(id),
          style.fill?.to === 'curve'
            ? { ...style, fill: { ...style.fill, field: named(style.fill.field) } }
            : style,
        ]),
      ),
    }),
    ...(choice.crossplot && {
      crossplot: { ...choice.crossplot, color: color === null ? null : named(color) },
    }),
  };
}

export const absentFields = (choice: PlotChoice, fields: readonly PlotField[]): string[] =>
  usedFields(choice).filter((id) => !fields.some((field) => field.id === id));

/** The saved queries whose plots these records can have. */
const offersOf = (queries: readonly SavedQuery[], fields: readonly PlotField[], synonyms: Synonyms) =>
  queries.flatMap(({ id, name, look }) => {
    const choice = look?.plot ? fittingPlot(look.plot, fields, synonyms) : null;
    return choice ? [{ id, name, choice }] : [];
  });

function SavedPlots({ plot, source }: PlotBarProps) {
  const { saved } = useApp();
  const list = useAppState('saved', (state) => state.list);
  const synonyms = useSynonyms();
  useEffect(() => {
    if (saved.store.getState().list.status === 'idle') void saved.actions.load();
  }, [saved]);
  const { queries } = valueOr(list, { queries: [], folders: [], problem: null });
  const offers = offersOf(queries, source.fields, synonyms);
  if (offers.length === 0) return null;
  return (
    <MenuButton
      label={plotWords.savedPlots}
      icon={LayoutTemplate}
      items={offers.map(({ id, name, choice }) => ({
        id,
        text: name,
        run: () => plot.actions.choose(choice),
      }))}
    />
  );
}

const w = plotWords.page;

interface PrintFormProps {
  readonly at: RefObject<Element | null>;
  readonly onClose: () => void;
  /** The picture of the plot, dark on white. */
  readonly picture: () => Promise<Blob>;
  readonly drawn: Drawn;
  readonly series: readonly Series[];
  /** Where the data come from, such as dataset and connection. */
  readonly source: string;
  /** The name of a file without its ending, which the dialog of the browser proposes. */
  readonly name: string;
}

interface Page {
  readonly picture: string;
  readonly note: string;
  /** When it was made, Unix milliseconds. */
  readonly at: number;
}

/** Asks for a note, and prints a page with the plot, its values, and where they come from. */
function PrintForm(props: PrintFormProps) {
  const { at, onClose, picture } = props;
  const isWide = props.drawn.content.choice.kind !== 'tracks';
  const [note, setNote] = useState('');
  const page = useTask(async (text: string): Promise<Page> => {
    // An address that the content security policy allows.
    return { picture: await dataUrlOf(await picture()), note: text.trim(), at: Date.now() };
  });
  return (
    <PopupAt at={at} heading={w.heading} placement="bottom end" onClose={onClose}>
      <Form className="stack gap-3" onSubmit={() => void page.start(note)}>
        <TextField label={w.note} name="note" value={note} rows={4} onChange={setNote} />
        <p className="quiet">{w.about}</p>
        {page.error && <Failed error={page.error} />}
        <Button variant="primary" type="submit" isDisabled={page.isRunning}>
          {w.print}
        </Button>
      </Form>
      {page.value && (
        // Another page, as for a changed note, is printed too.
        <PrintedPage key={page.value.at} name={props.name} isWide={isWide} onPrinted={onClose}>
          <PlotPage {...props} page={page.value} />
        </PrintedPage>
      )}
    </PopupAt>
  );
}

function PlotPage({ page, drawn, series, source }: PrintFormProps & { page: Page }) {
  const { content, lines } = drawn;
  const left = content.lines.reduce((sum, { tokens }) => sum + tokens, 0);
  return (
    <>
      <img src={page.picture} alt="" />
      {page.note !== '' && <p className="print-page-note">{page.note}</p>}
      <table className="numbers">
        <thead>
          <tr>
            <th scope="col">{plotWords.line}</th>
            <th scope="col">{plotWords.lowest}</th>
            <th scope="col">{plotWords.highest}</th>
            <th scope="col">{plotWords.points}</th>
          </tr>
        </thead>
        <tbody>
          {series.map(({ name: line }, index) => {
            const seen = lines[index]?.values;
            return (
              <tr key={line}>
                <th scope="row">{line}</th>
                <td>{seen ? extentText(seen.from) : plotWords.noValue}</td>
                <td>{seen ? extentText(seen.to) : plotWords.noValue}</td>
                <td>{formatCount(content.lines[index]?.count ?? 0)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <footer>
        {[
          source,
          ...(left > 0 ? [plotWords.tokens(left)] : []),
          w.made(new Date(page.at).toISOString()),
        ].join(' · ')}
      </footer>
    </>
  );
}

export function PlotTools(props: PlotBarProps & { isMenu: boolean; hasText: boolean }) {
  const { scene, planScene, choice, source, zone, names } = props;
  const { queryRange, overlays, overlayOn, isMenu, hasText } = props;
  const { save } = useApp();
  const { connection } = useSession();
  const title = datasetName(props.dataset);
  const drawn = useStore(scene.store, (state) => state.drawn);
  const connectionName = useAppState('connections', ({ open }) => open.get(connection)?.name);
  const zoom = useStore(scene.store, (state) => state.part);
  const pictureOfDrawn = (of: Drawn, print: boolean) =>
    savePicture({
      drawn: of,
      plan: of.content.choice.plan ? planScene.store.getState().drawn : null,
      fields: source.fields,
      zone,
      names,
      title,
      overlays: overlays.loaded,
      areMarksAcross: overlayOn?.isAcross ?? false,
      statistics: scene.store.getState().statistics,
      print,
      requestedWells: props.requestedWells,
    });
  const saving = useTask(async (what: string) => {
    if (what === 'csv') {
      const along = alongOf({ ...choice, align: 'recorded' }, source.fields, zone);
      const blob = await scene.actions.csv((content) => csvHeads(content, along.show === 'time', names));
      const { content } = scene.store.getState();
      if (!blob || content.status !== 'loaded') return '';
      const name = dataName(title, content.value);
      await save(name, blob);
      return name;
    }
    if (!drawn) return '';
    await save(pictureName(title), await pictureOfDrawn(drawn, what === 'print'));
    return pictureName(title);
  });
  const place = useRef<HTMLSpanElement>(null);
  const [printed, setPrinted] = useState<Drawn | null>(null);
  const zoomBy = (by: number) => {
    if (drawn) scene.actions.zoom(zoomedBy(drawn, drawn.content, { do: 'zoom', by }, null));
  };
  const isRange =
    queryRange?.field === choice.x && (choice.kind === 'scatter' || choice.align === 'recorded');
  const tools: Tool[] = [
    ...(isRange && zoom
      ? [
          {
            id: 'range',
            text: plotWords.rangeToQuery,
            icon: TextCursorInput,
            isText: hasText,
            run: () => queryRange.use(zoom.x),
          },
        ]
      : []),
    { id: 'in', text: plotWords.zoomIn, icon: ZoomIn, run: () => zoomBy(1 / 1.5) },
    { id: 'out', text: plotWords.zoomOut, icon: ZoomOut, isDisabled: zoom === null, run: () => zoomBy(1.5) },
    {
      id: 'reset',
      text: plotWords.reset,
      icon: Maximize,
      isDisabled: zoom === null,
      run: () => scene.actions.zoom(null),
    },
  ];
  const saved = (id: string, text: string, icon = ImageDown): Tool => ({
    id,
    text,
    icon,
    run: () => void saving.start(id),
  });
  const pictures = [
    saved('theme', plotWords.pictures.theme),
    saved('print', plotWords.pictures.print),
    { id: 'page', text: plotWords.page.button, icon: Printer, run: () => setPrinted(drawn) },
  ];
  const csv = saved('csv', plotWords.csv, FileDown);
  const button = ({ id, text, icon, isDisabled = false, isText = false, run }: Tool) => (
    <Button
      key={id}
      variant="quiet"
      icon={icon}
      isDisabled={isDisabled}
      {...(isText ? { children: text } : { 'aria-label': text })}
      onPress={run}
    />
  );
  return (
    <span className="row gap-0 push" ref={place}>
      {isMenu ? (
        <MenuButton
          label={plotWords.more}
          icon={Ellipsis}
          items={[...tools.filter(({ isDisabled }) => !isDisabled), ...pictures, csv]}
        />
      ) : (
        <>
          {tools.map(button)}
          <MenuButton label={plotWords.picture} icon={ImageDown} items={pictures} />
          {button(csv)}
        </>
      )}
      <Status className="visually-hidden">{saving.value ? plotWords.saved(saving.value) : ''}</Status>
      {saving.error && <Failed error={saving.error} />}
      {printed && (
        <PrintForm
          at={place}
          onClose={() => setPrinted(null)}
          picture={() => pictureOfDrawn(printed, true)}
          drawn={printed}
          series={seriesOf(printed.content, names, seriesColors)}
          source={plotWords.page.source(title, connectionName ?? connection)}
          name={pictureName(title).replace(/\.png$/, '')}
        />
      )}
    </span>
  );
}

interface Tool {
  readonly id: string;
  readonly text: string;
  readonly icon: LucideIcon;
  readonly run: () => void;
  readonly isDisabled?: boolean;
  /** Whether the button shows its text. */
  readonly isText?: boolean;
}

/** The headings of a plot's data: the paths of the fields, for other programs. */
function csvHeads({ choice, groups }: Content, time: boolean, names: PlotNames): CsvHeads {
  // They are as stored: where the plot shows another unit, the heading says so.
  const headOf = (field: string): string => {
    const unit = names.storedUnitOf?.(field);
    return unit === undefined ? field : plotWords.unit(field, unit);
  };
  return {
    x: headOf(choice.x),
    y: choice.y.map(headOf),
    group: groups.length > 1 ? plotWords.wellHead : undefined,
    groups: groupNames(groups, { ...names, logNames: undefined }),
    time,
  };
}

const plain: CrossplotChoice = {
  color: null,
  isLogX: false,
  isLogY: false,
  hasRegression: false,
  hasHistograms: false,
};

const flags = ['isLogX', 'isLogY', 'hasRegression', 'hasHistograms'] as const;

export function CrossplotOptions({ plot, choice, source, names }: PlotBarProps) {
  const now = choice.crossplot ?? plain;
  const path = pathViews(source.fields);
  const change = (part: Partial<CrossplotChoice>): void =>
    plot.actions.choose({ ...choice, crossplot: { ...now, ...part } });
  return (
    <Popup heading={plotWords.crossplot.heading} trigger={{ icon: Settings2 }}>
      {() => (
        <div className="curve-form stack">
          <SelectField
            label={plotWords.crossplot.color}
            value={now.color ?? ''}
            options={[
              { id: '', text: plotWords.crossplot.noColor },
              ...shownFields(source.fields).map(({ id }) => ({ id, text: fieldName(id, names) })),
            ]}
            onChange={(color) => change({ color: color === '' ? null : color })}
          />
          {flags.map((flag) => (
            <CheckBox
              key={flag}
              label={plotWords.crossplot[flag]}
              checked={now[flag]}
              onChange={(isOn) => change({ [flag]: isOn })}
            />
          ))}
          {(path ?? choice.plan) && (
            <CheckBox
              label={plotWords.crossplot.plan}
              checked={choice.plan !== undefined}
              onChange={(isOn) =>
                plot.actions.choose(isOn ? { ...choice, ...path } : { ...choice, plan: undefined })
              }
            />
          )}
        </div>
      )}
    </Popup>
  );
}

export interface PlotBarProps extends Omit<PlotViewProps, 'coverage' | 'table'> {
  readonly choice: PlotChoice;
  readonly scene: Scene;
  /** That of the plan beside the section of a wellpath. */
  readonly planScene: Scene;
  readonly overlays: PlotOverlays;
  readonly overlayOn: OverlayAxis | null;
}

const aligns = (['recorded', 'elapsed'] as const).map((id) => ({ id, text: plotWords.aligns[id] }));

/** The minimum widths, in pixels, for commands beside the fields, the axis, all fields, and words beside the icons. */
const widths = [540, 720, 960, 1240] as const;

/** In one row: what has no room is in a popup or a menu. Each zoom renders the plot, and not its bar. */
export const PlotBar = memo(function PlotBar(props: PlotBarProps) {
  const { plot, choice } = props;
  const bar = useRef<HTMLDivElement>(null);
  const widthStep = useWidthStep(bar, widths);
  // The headings of tracks have the fields too.
  const hasFields = widthStep > 2 && choice.kind !== 'tracks';
  return (
    <div className="plot-bar toolbar" ref={bar}>
      <KindBox {...props} isWide={widthStep > 2} />
      {widthStep > 1 && <AlongBox {...props} />}
      {widthStep > 1 && <AlignBox {...props} />}
      {hasFields ? (
        <FieldPicker {...props} overflow="scroll" />
      ) : (
        <Popup
          heading={plotWords.fields}
          isWide
          trigger={{ children: plotWords.fieldCount(choice.y.length) }}
        >
          {(close) => (
            // oxlint-disable-next-line no-static-element-interactions -- chips keep Escape to themselves
            <div
              className="stack"
              onKeyDownCapture={({ key, target }) => {
                if (key === 'Escape' && target instanceof Element && target.closest('.chips')) close();
              }}
            >
              {widthStep < 2 && <AlongBox {...props} />}
              {widthStep < 2 && <AlignBox {...props} />}
              <FieldPicker {...props} overflow="wrap" />
            </div>
          )}
        </Popup>
      )}
      {choice.kind === 'scatter' && <CrossplotOptions {...props} />}
      {choice.kind !== 'tracks' && (
        <Button
          variant="quiet"
          icon={ArrowUpDown}
          aria-label={plotWords.reversed}
          aria-pressed={runsDown(choice)}
          onPress={() => plot.actions.choose({ ...choice, isReversed: !runsDown(choice) })}
        />
      )}
      <SavedPlots {...props} />
      <OverlaysButton {...props} isIcon={widthStep < 4} />
      <PlotNotes {...props} isIcon={widthStep < 4} />
      <PlotTools {...props} isMenu={widthStep === 0} hasText={widthStep === 4} />
    </div>
  );
});

interface KindBoxProps extends Pick<PlotBarProps, 'plot' | 'choice' | 'dataset' | 'source'> {
  readonly isWide: boolean;
}

export function KindBox({ plot, choice, dataset: { type }, source, isWide }: KindBoxProps) {
  const hasCategories = categoryFields(type, source.fields).length > 0;
  const kind = {
    label: plotWords.kind,
    value: choice.kind,
    options: plotKinds
      .filter((id) => id !== 'bars' || hasCategories)
      .map((id) => ({ id, text: plotWords.kinds[id] })),
    onChange: (next: PlotKind) => plot.actions.choose(inKind(next, choice, type, source.fields)),
  };
  return isWide ? <OptionGroup layout="line" {...kind} /> : <SelectBox {...kind} />;
}

function OverlaysButton({ isIcon, ...props }: PlotBarProps & { isIcon: boolean }) {
  const { choice, overlayOn } = props;
  const count = (choice.overlays ?? []).filter(({ along }) => along === overlayOn?.along).length;
  const text = plotWords.overlays.button(count);
  return (
    <Popup
      heading={plotWords.overlays.heading}
      isWide
      trigger={{ icon: Layers, [isIcon ? 'aria-label' : 'children']: text }}
    >
      {() => <OverlayPicker {...props} axis={overlayOn} />}
    </Popup>
  );
}

/** A new note is on the range in view. */
function PlotNotes({
  plot,
  scene,
  overlays,
  overlayOn,
  names,
  zone,
  isIcon,
}: PlotBarProps & { isIcon: boolean }) {
  const content = useStore(scene.store, (state) => state.content);
  const zoom = useStore(scene.store, (state) => state.part);
  const { extent, lines } = valueOr(content, null) ?? { extent: null, lines: [] };
  if (!extent) return null;
  const { x, y } = { ...extent, ...zoom };
  const range = overlayOn?.isAcross ? (y ?? extent.y) : rangeOfPoints(x, lines);
  return (
    <NotesButton
      isIcon={isIcon}
      call={plot.addNote}
      wells={overlays.wells.map((id) => ({ id, name: groupName([id], names) }))}
      axis={
        overlayOn && {
          along: overlayOn.along,
          zone,
          unit: overlayOn.along === 'depth' ? (names.unitOf(overlayOn.field) ?? null) : null,
          range,
        }
      }
    />
  );
}

function AlongBox({ plot, choice, source, dataset: { type }, names }: PlotBarProps) {
  const options = useMemo(
    () =>
      alongFields(type, source.fields).map((field) => ({
        id: field.id,
        text: isTime(field) ? names.field(field.id).line : fieldName(field.id, names),
      })),
    [type, source, names],
  );
  return (
    <LabeledSelect
      label={plotWords.along[choice.kind]}
      value={choice.x}
      options={options}
      onChange={(x) => plot.actions.choose({ ...choice, x })}
    />
  );
}

export function LabeledSelect<Id extends string>(props: SelectBoxProps<Id>) {
  return (
    <span className="plot-along row">
      <span className="plot-along-label flex-none quiet" aria-hidden>
        {props.label}
      </span>
      <SelectBox size="small" {...props} />
    </span>
  );
}

/** Shown for several wells in one plot, or to undo an alignment selected for several. */
function AlignBox({ plot, choice, scene }: PlotBarProps) {
  const many = useStore(
    scene.store,
    ({ content }) => content.status === 'loaded' && content.value.groups.length > 1,
  );
  if ((!many && choice.align === 'recorded') || choice.kind === 'scatter') return null;
  return (
    <LabeledSelect
      label={plotWords.align}
      value={choice.align}
      options={aligns}
      onChange={(align) => plot.actions.choose({ ...choice, align })}
    />
  );
}

function FieldPicker(props: PlotBarProps & Pick<ChipsProps, 'overflow'>) {
  const { plot, choice, source, names, overflow } = props;
  const synonyms = useSynonyms();
  const left = useMemo(
    () =>
      shownFields(source.fields)
        .filter(({ id }) => !choice.y.includes(id))
        .map(({ id }) => ({ id, text: fieldName(id, names) })),
    [source, choice.y, names],
  );
  const canAddField = choice.y.length < maxPlotFields;
  return (
    <>
      <div className="plot-chips min-0">
        <Chips
          label={plotWords.fields}
          isLabelHidden
          overflow={overflow}
          // Axes and series show the units.
          chips={choice.y.map((id) => ({ id, text: names.field(id).line, title: fieldName(id, names) }))}
          onRemove={(ids) => plot.actions.remove(choice, new Set([...ids].map(String)))}
        />
      </div>
      {canAddField ? (
        <ComboBox
          className="plot-add"
          size="small"
          label={plotWords.addField}
          isLabelHidden
          placeholder={plotWords.addField}
          value={null}
          text=""
          find={(typed) => matchingFields(left, typed, synonyms)}
          onSelect={(field) => plot.actions.add(choice, field)}
        />
      ) : (
        <span className="quiet">{plotWords.full(maxPlotFields)}</span>
      )}
    </>
  );
}
