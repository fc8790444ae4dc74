import { memo, type RefObject, useEffect, useRef, useState } from 'react';
import { headLimits, limitText } from '../../ui/plot/index.ts';
import { Button, type ButtonProps } from '../../ui/button.tsx';
import { Popup } from '../../ui/popup.tsx';
import { plotWords } from '../../words/plot.ts';
import type { TrackCurve } from './drawing.ts';
import type { PlotViewProps } from './plot-view.tsx';
import { Swatch } from './swatch.tsx';
import { ArrowLeftRight, RotateCcw } from 'lucide-react';
import type { CurveFill, CurveScale, CurveStyle, PlotChoice } from '../../../shared/tabs/plot.ts';
import { inputText, typedNumber, type TypedNumber } from '../../format/numbers.ts';
import { CheckBox } from '../../ui/check-box.tsx';
import { SelectField } from '../../ui/select-box.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { changedStyle, curveFillOf, factsOf } from './curve-scale.ts';
import { fieldName } from './names.ts';
import { movedCurve, styledCurve } from './tracks.ts';

interface CurveFormProps extends Pick<TrackHeadsProps, 'plot' | 'names' | 'choice' | 'tracks'> {
  readonly curve: TrackCurve;
}

/** Why a scale can't be used; undefined: it can. */
function problemOf(left: TypedNumber, right: TypedNumber, isLog: boolean): string | undefined {
  if (left == null || right == null) return plotWords.scales.noNumber();
  if (left === right) return plotWords.scales.sameLimits;
  return isLog && (left <= 0 || right <= 0) ? plotWords.scales.noLogarithm : undefined;
}

const limitsOf = ({ scale: { range } }: TrackCurve) => ({
  left: inputText(Number(range.from.toPrecision(4))),
  right: inputText(Number(range.to.toPrecision(4))),
});

/** Each valid change takes effect at once. */
export function CurveForm(props: CurveFormProps) {
  const { plot, names, choice, curve } = props;
  const { field, scale } = curve;
  const style = choice.curves?.[field];
  const isLog = scale.isLog ?? false;
  const [typed, setTyped] = useState<{ left: string; right: string } | null>(null);
  const shown = typed ?? limitsOf(curve);
  const problem = problemOf(typedNumber(shown.left), typedNumber(shown.right), isLog);
  const change = (part: CurveStyle) =>
    plot.actions.choose(styledCurve(choice, field, changedStyle(style, part, factsOf(names, field, null))));
  const setScale = (next: CurveScale | 'auto') => {
    setTyped(null);
    change({ scale: next });
  };
  const type = (part: Partial<typeof shown>) => {
    const next = { ...shown, ...part };
    setTyped(next);
    const [left, right] = [typedNumber(next.left), typedNumber(next.right)];
    if (left != null && right != null && !problemOf(left, right, isLog))
      change({ scale: { left, right, isLog } });
  };
  const setLog = (wanted: boolean) => {
    const { from, to } = scale.range;
    // A logarithm needs limits above 0.
    const [left, right] = !wanted || (from > 0 && to > 0) ? [from, to] : [0.2, Math.max(from, to, 2000)];
    setScale({ left, right, isLog: wanted });
  };
  return (
    <div className="curve-form stack">
      <div className="row items-end">
        {(['left', 'right'] as const).map((end) => (
          <TextField
            key={end}
            className="grow"
            label={plotWords.scales[end]}
            name={end}
            inputMode="decimal"
            value={shown[end]}
            onChange={(text) => type({ [end]: text })}
            problem={end === 'left' ? problem : undefined}
          />
        ))}
        <Button
          variant="quiet"
          icon={ArrowLeftRight}
          aria-label={plotWords.scales.swap}
          onPress={() => setScale({ left: scale.range.to, right: scale.range.from, isLog })}
        />
      </div>
      <CheckBox label={plotWords.scales.log} checked={isLog} onChange={setLog} />
      <CheckBox
        label={plotWords.scales.auto}
        checked={style?.scale === 'auto'}
        onChange={(isAuto) =>
          isAuto ? setScale('auto') : setScale({ left: scale.range.from, right: scale.range.to, isLog })
        }
      />
      <CheckBox
        label={plotWords.scales.wrap}
        checked={style?.isWrapped ?? false}
        onChange={(isWrapped) => change({ isWrapped })}
      />
      <FillFields {...props} onChange={change} />
      <TrackField {...props} />
      <Button
        variant="quiet"
        className="self-start"
        icon={RotateCcw}
        isDisabled={style === undefined}
        onPress={() => {
          setTyped(null);
          plot.actions.choose(styledCurve(choice, field, null));
        }}
      >
        {plotWords.scales.reset}
      </Button>
    </div>
  );
}

const fills = ['none', 'left', 'right', 'value'] as const;

function FillFields(props: CurveFormProps & { readonly onChange: (part: CurveStyle) => void }) {
  const { names, choice, tracks, curve, onChange } = props;
  const fill = curveFillOf(choice.curves?.[curve.field], factsOf(names, curve.field, null));
  const [typed, setTyped] = useState<string | null>(null);
  const otherCurves = (tracks.find((curves) => curves.includes(curve)) ?? []).filter(
    (other) => other !== curve,
  );
  const options: { id: string; text: string }[] = [
    ...fills.map((id) => ({ id, text: plotWords.scales.fills[id] })),
    ...otherCurves.map(({ field, scale }) => ({
      id: `curve ${field}`,
      text: plotWords.scales.fillTo(scale.label),
    })),
  ];
  const select = (id: string) => {
    const field = id.startsWith('curve ') ? id.slice('curve '.length) : null;
    const fill = fills.find((option) => option === id);
    const middle = (curve.scale.range.from + curve.scale.range.to) / 2;
    const next: CurveFill =
      field !== null
        ? { to: 'curve', field }
        : fill === 'value'
          ? { to: 'value', value: Number(middle.toPrecision(3)) }
          : { to: fill ?? 'none' };
    setTyped(null);
    onChange({ fill: next });
  };
  return (
    <>
      <SelectField
        label={plotWords.scales.fill}
        value={fill.to === 'curve' ? `curve ${fill.field}` : fill.to}
        options={options}
        onChange={select}
      />
      {fill.to === 'value' && (
        <TextField
          label={plotWords.scales.fillValue}
          name="fill"
          inputMode="decimal"
          value={typed ?? inputText(fill.value)}
          problem={typed !== null && typedNumber(typed) == null ? plotWords.scales.noNumber() : undefined}
          onChange={(text) => {
            setTyped(text);
            const value = typedNumber(text);
            if (value != null) onChange({ fill: { to: 'value', value } });
          }}
        />
      )}
    </>
  );
}

function TrackField({ plot, names, choice, tracks, curve }: CurveFormProps) {
  const now = tracks.findIndex((curves) => curves.includes(curve));
  const isOnlyCurve = tracks[now]?.length === 1;
  const options = [
    ...tracks.map((curves, at) => ({
      id: String(at),
      text: plotWords.scales.trackOf(
        at + 1,
        curves.map(({ field }) => fieldName(field, { ...names, unitOf: () => undefined })).join(', '),
      ),
    })),
    ...(isOnlyCurve ? [] : [{ id: String(tracks.length), text: plotWords.scales.newTrack }]),
  ];
  const fields = tracks.map((curves) => curves.map(({ field }) => field));
  return (
    <SelectField
      label={plotWords.scales.track}
      value={String(now)}
      options={options}
      onChange={(to) => plot.actions.choose(movedCurve(choice, fields, curve.field, Number(to)))}
    />
  );
}

export interface TrackHeadsProps extends Pick<PlotViewProps, 'plot' | 'names'> {
  /** The current one: what is drawn can be that of an earlier moment. */
  readonly choice: PlotChoice;
  readonly tracks: readonly (readonly TrackCurve[])[];
  /** Width of the depth axis beside the first track, in pixels. */
  readonly axisWidth: number;
}

/**
 * The headings of tracks, as on a log print: name, unit, and limits of each curve; a button edits its scale. They stay as
 * they are while a zoom changes none of them.
 */
export const TrackHeads = memo(
  Headings,
  ({ tracks, ...one }, { tracks: otherTracks, ...other }) =>
    one.plot === other.plot &&
    one.names === other.names &&
    one.choice === other.choice &&
    one.axisWidth === other.axisWidth &&
    JSON.stringify(tracks) === JSON.stringify(otherTracks),
);

function Headings({ plot, names, choice, tracks, axisWidth }: TrackHeadsProps) {
  const [openField, setOpenField] = useState<string | null>(null);
  const heads = useRef<HTMLDivElement>(null);
  useFocusAfter(openField, heads);
  return (
    <section
      ref={heads}
      className="track-heads row items-stretch flex-none"
      aria-label={plotWords.scales.heading}
    >
      {tracks.map((curves, at) => (
        <div
          key={curves.map(({ field }) => field).join('\n')}
          className="track-head stack gap-0 to-end"
          style={at === 0 ? { paddingInlineStart: axisWidth } : {}}
        >
          {curves.map((curve) => (
            <Popup
              key={curve.field}
              heading={plotWords.scales.of(curve.scale.label)}
              placement="bottom"
              isOpen={openField === curve.field}
              onOpenChange={(isOpen) => setOpenField(isOpen ? curve.field : null)}
              trigger={curveHead(curve)}
            >
              {() => <CurveForm plot={plot} names={names} choice={choice} tracks={tracks} curve={curve} />}
            </Popup>
          ))}
        </div>
      ))}
    </section>
  );
}

/** The button that opened a form is another one once its curve is in another track: that one gets the focus. */
function useFocusAfter(openField: string | null, heads: RefObject<HTMLElement | null>): void {
  const closing = useRef<string | null>(null);
  useEffect(() => {
    const field = closing.current;
    closing.current = openField;
    if (openField !== null || field === null) return undefined;
    // After the form has given the focus to where it was.
    const timer = setTimeout(() => {
      const button = heads.current?.querySelector(`[data-field="${CSS.escape(field)}"]`);
      if (document.activeElement === document.body && button instanceof HTMLElement) button.focus();
    }, focusDelayMs);
    return () => clearTimeout(timer);
  }, [openField, heads]);
}

const focusDelayMs = 50;

/** A button with the heading of a curve. */
function curveHead({
  field,
  scale,
  color,
  dash,
}: TrackCurve): ButtonProps & { readonly 'data-field': string } {
  const { range, beyond } = scale;
  const [left, right] = [limitText(range.from), limitText(range.to)];
  const limits = headLimits(scale);
  const label = plotWords.scales.button(scale.label, left, right, scale.isLog ?? false);
  return {
    className: 'curve-head wide small',
    'data-field': field,
    'aria-label': beyond?.left || beyond?.right ? `${label}. ${plotWords.scales.beyond}` : label,
    children: (
      <>
        <span className="row gap-1 items-stretch between numbers">
          <span className="quiet">{limits.left}</span>
          <span className="ellipsis">{scale.label}</span>
          <span className="quiet">{limits.right}</span>
        </span>
        <Swatch color={color} dash={dash} isWide />
      </>
    ),
  };
}
