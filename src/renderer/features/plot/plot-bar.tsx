import {
  Ellipsis,
  FileDown,
  ImageDown,
  type LucideIcon,
  Maximize,
  TextCursorInput,
  ZoomIn,
  ZoomOut,
} from 'lucide-react';
import { useMemo, useRef } from 'react';
import { useStore } from 'zustand';
import { maxPlotFields, type PlotChoice, type PlotKind, plotKinds } from '../../../shared/tabs/plot.ts';
import { Button } from '../../ui/button.tsx';
import { Chips } from '../../ui/chips.tsx';
import { OptionGroup } from '../../ui/option-group.tsx';
import { ComboBox } from '../../ui/combo-box.tsx';
import { Failed } from '../../ui/view-states.tsx';
import { MenuButton } from '../../ui/menu-button.tsx';
import { Popup } from '../../ui/popup.tsx';
import { SelectBox } from '../../ui/select-box.tsx';
import { Status } from '../../ui/status.tsx';
import { useWidthStep } from '../../ui/use-width.ts';
import { useTask } from '../../state/use-task.ts';
import { words } from '../../words/words.ts';
import { alongFields, inKind, shownFields } from './first-choice.ts';
import { zoomedBy } from './moving.ts';
import { alongOf, fieldName, groupName, type PlotNames } from './names.ts';
import type { PlotViewProps } from './plot-view.tsx';
import { dataName, pictureName, savePicture } from './saving.ts';
import { isTime } from './source.ts';
import type { Content, Scene } from './scene.ts';
import type { CsvHeads } from './csv.ts';

export interface PlotBarProps extends PlotViewProps {
  readonly choice: PlotChoice;
  readonly scene: Scene;
}

const kinds = plotKinds.map((id) => ({ id, text: words.plot.kinds[id] }));
const aligns = (['recorded', 'elapsed'] as const).map((id) => ({ id, text: words.plot.aligns[id] }));

/** The minimum widths, in pixels, for commands beside the fields, and for all fields. */
const widths = [540, 960] as const;

/** The fields and kind of a plot, and its commands, in one row: what has no room is in a popup or a menu. */
export function PlotBar(props: PlotBarProps) {
  const { plot, choice, type, source } = props;
  const bar = useRef<HTMLDivElement>(null);
  const widthStep = useWidthStep(bar, widths);
  const selectKind = (kind: PlotKind) => plot.actions.choose(inKind(kind, choice, type, source.fields));
  const kind = { label: words.plot.kind, value: choice.kind, options: kinds, onChange: selectKind };
  // The headings of tracks have the fields too.
  const hasFields = widthStep === 2 && choice.kind !== 'tracks';
  return (
    <div className="plot-bar" ref={bar}>
      {widthStep === 2 ? <OptionGroup layout="line" {...kind} /> : <SelectBox {...kind} />}
      {widthStep > 0 && <AlongBox {...props} />}
      {widthStep > 0 && <AlignBox {...props} />}
      {hasFields ? (
        <FieldPicker {...props} />
      ) : (
        <Popup
          heading={words.plot.fields}
          isWide
          trigger={<Button variant="quiet">{words.plot.fieldCount(choice.y.length)}</Button>}
        >
          {(close) => (
            // oxlint-disable-next-line no-static-element-interactions -- chips keep Escape to themselves
            <div
              className="plot-fields"
              onKeyDownCapture={({ key, target }) => {
                if (key === 'Escape' && target instanceof Element && target.closest('.chips')) close();
              }}
            >
              {widthStep === 0 && <AlongBox {...props} />}
              {widthStep === 0 && <AlignBox {...props} />}
              <FieldPicker {...props} />
            </div>
          )}
        </Popup>
      )}
      <Tools {...props} isMenu={widthStep === 0} hasText={widthStep === 2} />
    </div>
  );
}

function AlongBox({ plot, choice, source, type, names }: PlotBarProps) {
  const options = useMemo(
    () =>
      alongFields(type, source.fields).map((field) => ({
        id: field.id,
        text: isTime(field) ? field.id : fieldName(field.id, names),
      })),
    [type, source, names],
  );
  const name = words.plot.along[choice.kind];
  return (
    <span className="plot-along">
      <span className="quiet" aria-hidden>
        {name}
      </span>
      <SelectBox
        label={name}
        value={choice.x}
        options={options}
        onChange={(x) => plot.actions.choose({ ...choice, x })}
      />
    </span>
  );
}

/** Only for several wells in one plot. */
function AlignBox({ plot, choice, scene }: PlotBarProps) {
  const many = useStore(
    scene.store,
    ({ content }) => content.status === 'loaded' && content.value.groups.length > 1,
  );
  if (!many || choice.kind === 'scatter') return null;
  return (
    <span className="plot-along">
      <span className="quiet" aria-hidden>
        {words.plot.align}
      </span>
      <SelectBox
        label={words.plot.align}
        value={choice.align}
        options={aligns}
        onChange={(align) => plot.actions.choose({ ...choice, align })}
      />
    </span>
  );
}

function FieldPicker({ plot, choice, source, names }: PlotBarProps) {
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
      <Chips
        label={words.plot.fields}
        chips={choice.y.map((id) => ({ id, text: fieldName(id, names) }))}
        onRemove={(ids) => plot.actions.remove(choice, new Set([...ids].map(String)))}
      />
      {canAddField ? (
        <ComboBox
          className="plot-add"
          label={words.plot.addField}
          isLabelHidden
          placeholder={words.plot.addField}
          value={null}
          text=""
          find={(typed) => {
            const wanted = typed.trim().toLowerCase();
            return left.filter(({ text }) => text.toLowerCase().includes(wanted));
          }}
          onSelect={(field) => plot.actions.add(choice, field)}
        />
      ) : (
        <span className="quiet">{words.plot.full(maxPlotFields)}</span>
      )}
    </>
  );
}

function Tools(props: PlotBarProps & { isMenu: boolean; hasText: boolean }) {
  const { scene, choice, source, zone, title, names, save, queryRange, isMenu, hasText } = props;
  const drawn = useStore(scene.store, (state) => state.drawn);
  const zoom = useStore(scene.store, (state) => state.part);
  const saving = useTask(async (what: string) => {
    if (what === 'csv') {
      const along = alongOf({ ...choice, align: 'recorded' }, source.fields, zone);
      const blob = await scene.actions.csv((content) => csvHeads(content, along.show === 'time', names));
      if (!blob) return '';
      const { content } = scene.store.getState();
      const name = dataName(title, content.status === 'loaded' ? content.value.part : source.part);
      await save(name, blob);
      return name;
    }
    if (!drawn) return '';
    const picture = await savePicture({
      drawn,
      fields: source.fields,
      zone,
      names,
      title,
      print: what === 'print',
    });
    await save(pictureName(title), picture);
    return pictureName(title);
  });
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
            text: words.plot.rangeToQuery,
            icon: TextCursorInput,
            isText: hasText,
            act: () => queryRange.use(zoom.x),
          },
        ]
      : []),
    { id: 'in', text: words.plot.zoomIn, icon: ZoomIn, act: () => zoomBy(1 / 1.5) },
    { id: 'out', text: words.plot.zoomOut, icon: ZoomOut, isDisabled: zoom === null, act: () => zoomBy(1.5) },
    {
      id: 'reset',
      text: words.plot.reset,
      icon: Maximize,
      isDisabled: zoom === null,
      act: () => scene.actions.zoom(null),
    },
  ];
  const files = [
    { id: 'theme', text: words.plot.pictures.theme, icon: ImageDown },
    { id: 'print', text: words.plot.pictures.print, icon: ImageDown },
    { id: 'csv', text: words.plot.csv, icon: FileDown },
  ];
  const select = (id: string) => {
    const tool = tools.find((each) => each.id === id);
    if (tool) tool.act();
    else void saving.start(id);
  };
  return (
    <span className="plot-tools">
      {isMenu ? (
        <MenuButton
          label={words.plot.more}
          icon={Ellipsis}
          items={[...tools.filter(({ isDisabled }) => !isDisabled), ...files]}
          onSelect={select}
        />
      ) : (
        <>
          {tools.map(({ id, text, icon, isDisabled = false, isText = false, act }) => (
            <Button
              key={id}
              variant="quiet"
              icon={icon}
              isDisabled={isDisabled}
              {...(isText ? {} : { 'aria-label': text })}
              onPress={act}
            >
              {isText ? text : undefined}
            </Button>
          ))}
          <MenuButton
            label={words.plot.picture}
            icon={ImageDown}
            items={files.filter(({ id }) => id !== 'csv')}
            onSelect={select}
          />
          <Button
            variant="quiet"
            icon={FileDown}
            aria-label={words.plot.csv}
            onPress={() => void saving.start('csv')}
          />
        </>
      )}
      <Status className="visually-hidden">{saving.value ? words.plot.saved(saving.value) : ''}</Status>
      {saving.error && <Failed error={saving.error} />}
    </span>
  );
}

interface Tool {
  readonly id: string;
  readonly text: string;
  readonly icon: LucideIcon;
  readonly isDisabled?: boolean;
  /** Whether the button shows its text. */
  readonly isText?: boolean;
  readonly act: () => void;
}

/** The headings of a plot's data: the paths of the fields, for other programs. */
function csvHeads({ choice, groups }: Content, time: boolean, names: PlotNames): CsvHeads {
  // They are as stored: where the plot shows another unit, the heading says so.
  const headOf = (field: string): string => {
    const unit = names.storedUnitOf?.(field);
    return unit === undefined ? field : words.plot.unit(field, unit);
  };
  return {
    x: headOf(choice.x),
    y: choice.y.map(headOf),
    group: groups.length > 1 ? words.plot.wellHead : undefined,
    groups: groups.map((group) => groupName(group, names)),
    time,
  };
}
