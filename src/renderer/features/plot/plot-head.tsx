import { useStore } from 'zustand';
import type { PlotChoice } from '../../../shared/tabs/plot.ts';
import { absentWells, alongLabel, alongOf, rangeText, wellsText } from './names.ts';
import type { PlotViewProps } from './plot-view.tsx';
import type { Scene } from './scene.ts';
import { plotWords } from '../../words/plot.ts';

/** The wells and the visible range of a plot, and its share of the records. */
export function PlotHead(props: PlotViewProps & { choice: PlotChoice; scene: Scene }) {
  const { scene, source, zone, names, coverage, askedWells } = props;
  const drawn = useStore(scene.store, (state) => state.drawn);
  const choice = drawn?.content.choice ?? props.choice;
  const along = alongOf(choice, source.fields, zone);
  const wells = drawn ? wellsText(drawn.content, names) : '';
  const absent = drawn ? absentWells(askedWells, drawn.content, names) : [];
  const range = drawn && rangeText(drawn.part.x, along, alongLabel(choice, along, names));
  return (
    <div className="plot-head">
      <h3 className="plot-title numbers" title={[wells, range].filter(Boolean).join(' · ') || undefined}>
        {wells && <span className="plot-wells">{wells}</span>}
        {absent.length > 0 && (
          <span className="plot-absent">{plotWords.absent(absent, drawn?.content.part !== null)}</span>
        )}
        <span className="plot-range quiet">{range}</span>
      </h3>
      {coverage}
    </div>
  );
}
