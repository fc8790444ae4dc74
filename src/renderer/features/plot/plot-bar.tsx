import { ArrowUpDown, Layers } from 'lucide-react';
import { useMemo, useRef } from 'react';
import { useStore } from 'zustand';
import { maxPlotFields, type PlotChoice, type PlotKind, plotKinds } from '../../../shared/tabs/plot.ts';
import { Button } from '../../ui/button.tsx';
import { Chips, type ChipsProps } from '../../ui/chips.tsx';
import { OptionGroup } from '../../ui/option-group.tsx';
import { ComboBox } from '../../ui/combo-box.tsx';
import { Popup } from '../../ui/popup.tsx';
import { SelectBox, type SelectBoxProps } from '../../ui/select-box.tsx';
import { useWidthStep } from '../../ui/use-width.ts';
import { plotWords } from '../../words/plot.ts';
import { CrossplotOptions } from './crossplot-options.tsx';
import { alongFields, inKind, runsDown, shownFields } from './first-choice.ts';
import { fieldName } from './names.ts';
import type { OverlayAxis } from './overlays/chart-marks.ts';
import { OverlayPicker } from './overlays/overlay-picker.tsx';
import type { PlotOverlays } from './overlays/use-overlays.ts';
import { PlotTools } from './plot-tools.tsx';
import { SavedPlots } from './saved-plots.tsx';
import type { PlotViewProps } from './plot-view.tsx';
import { isTime } from './source.ts';
import type { Scene } from './scene.ts';

export interface PlotBarProps extends PlotViewProps {
  readonly choice: PlotChoice;
  readonly scene: Scene;
  /** That of the plan beside the section of a wellpath. */
  readonly planScene: Scene;
  readonly overlays: PlotOverlays;
  readonly overlayOn: OverlayAxis | null;
}

const kinds = plotKinds.map((id) => ({ id, text: plotWords.kinds[id] }));
const aligns = (['recorded', 'elapsed'] as const).map((id) => ({ id, text: plotWords.aligns[id] }));

/** The minimum widths, in pixels, for commands beside the fields, for the axis, and for all fields. */
const widths = [540, 720, 960] as const;

/** The fields and kind of a plot, and its commands, in one row: what has no room is in a popup or a menu. */
export function PlotBar(props: PlotBarProps) {
  const { plot, choice, type, source } = props;
  const bar = useRef<HTMLDivElement>(null);
  const widthStep = useWidthStep(bar, widths);
  const selectKind = (kind: PlotKind) => plot.actions.choose(inKind(kind, choice, type, source.fields));
  const kind = { label: plotWords.kind, value: choice.kind, options: kinds, onChange: selectKind };
  // The headings of tracks have the fields too.
  const hasFields = widthStep === 3 && choice.kind !== 'tracks';
  return (
    <div className="plot-bar" ref={bar}>
      {widthStep === 3 ? <OptionGroup layout="line" {...kind} /> : <SelectBox {...kind} />}
      {widthStep > 1 && <AlongBox {...props} />}
      {widthStep > 1 && <AlignBox {...props} />}
      {hasFields ? (
        <FieldPicker {...props} overflow="scroll" />
      ) : (
        <Popup
          heading={plotWords.fields}
          isWide
          trigger={<Button variant="quiet">{plotWords.fieldCount(choice.y.length)}</Button>}
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
      <OverlaysButton {...props} isIcon={widthStep < 2} />
      <PlotTools {...props} isMenu={widthStep === 0} hasText={widthStep === 3} />
    </div>
  );
}

function OverlaysButton({ isIcon, ...props }: PlotBarProps & { isIcon: boolean }) {
  const { choice, overlayOn } = props;
  const count = (choice.overlays ?? []).filter(({ along }) => along === overlayOn?.along).length;
  const text = plotWords.overlays.button(count);
  return (
    <Popup
      heading={plotWords.overlays.heading}
      isWide
      trigger={
        <Button variant="quiet" icon={Layers} {...(isIcon ? { 'aria-label': text } : {})}>
          {isIcon ? undefined : text}
        </Button>
      }
    >
      {() => <OverlayPicker {...props} axis={overlayOn} />}
    </Popup>
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
  return (
    <LabeledSelect
      label={plotWords.along[choice.kind]}
      value={choice.x}
      options={options}
      onChange={(x) => plot.actions.choose({ ...choice, x })}
    />
  );
}

function LabeledSelect<Id extends string>(props: SelectBoxProps<Id>) {
  return (
    <span className="plot-along">
      <span className="plot-along-label quiet" aria-hidden>
        {props.label}
      </span>
      <SelectBox size="small" {...props} />
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
      <div className="plot-chips">
        <Chips
          label={plotWords.fields}
          isLabelHidden
          overflow={overflow}
          chips={choice.y.map((id) => ({ id, text: fieldName(id, names) }))}
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
          find={(typed) => {
            const wanted = typed.trim().toLowerCase();
            return left.filter(({ text }) => text.toLowerCase().includes(wanted));
          }}
          onSelect={(field) => plot.actions.add(choice, field)}
        />
      ) : (
        <span className="quiet">{plotWords.full(maxPlotFields)}</span>
      )}
    </>
  );
}
