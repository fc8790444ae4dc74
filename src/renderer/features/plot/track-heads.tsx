import { memo, type RefObject, useEffect, useRef, useState } from 'react';
import { limitText } from '../../ui/plot/index.ts';
import { Button } from '../../ui/button.tsx';
import { Popup } from '../../ui/popup.tsx';
import { plotWords } from '../../words/plot.ts';
import { CurveForm } from './curve-form.tsx';
import type { TrackCurve } from './drawing.ts';
import type { PlotViewProps } from './plot-view.tsx';
import type { Content } from './content.ts';
import { Swatch } from './swatch.tsx';

export interface TrackHeadsProps extends Pick<PlotViewProps, 'plot' | 'names'> {
  readonly content: Content;
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
    one.content === other.content &&
    one.axisWidth === other.axisWidth &&
    JSON.stringify(tracks) === JSON.stringify(otherTracks),
);

function Headings({ plot, names, content, tracks, axisWidth }: TrackHeadsProps) {
  const [openField, setOpenField] = useState<string | null>(null);
  const heads = useRef<HTMLDivElement>(null);
  useFocusAfter(openField, heads);
  return (
    <section ref={heads} className="track-heads" aria-label={plotWords.scales.heading}>
      {tracks.map((curves, at) => (
        <div
          key={curves.map(({ field }) => field).join('\n')}
          className="track-head"
          style={at === 0 ? { paddingInlineStart: axisWidth } : {}}
        >
          {curves.map((curve) => (
            <Popup
              key={curve.field}
              heading={plotWords.scales.of(curve.scale.label)}
              placement="bottom"
              isOpen={openField === curve.field}
              onOpenChange={(isOpen) => setOpenField(isOpen ? curve.field : null)}
              trigger={<CurveHead curve={curve} />}
            >
              {() => <CurveForm plot={plot} names={names} content={content} tracks={tracks} curve={curve} />}
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

function CurveHead({ curve: { field, scale, color, dash, beyond } }: { curve: TrackCurve }) {
  const [left, right] = [limitText(scale.range.from), limitText(scale.range.to)];
  return (
    <Button
      variant="quiet"
      className="curve-head"
      data-field={field}
      aria-label={`${plotWords.scales.button(scale.label, left, right, scale.isLog ?? false)}${
        beyond.left || beyond.right ? `. ${plotWords.scales.beyond}` : ''
      }`}
    >
      <span className="curve-head-texts numbers">
        <span className="quiet">
          {beyond.left && plotWords.scales.cut.left} {left}
        </span>
        <span className="curve-head-name ellipsis">{scale.label}</span>
        <span className="quiet">
          {right} {beyond.right && plotWords.scales.cut.right}
        </span>
      </span>
      <Swatch color={color} dash={dash} isWide />
    </Button>
  );
}
