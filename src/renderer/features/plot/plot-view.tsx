import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { DatasetType } from '../../../shared/datasets/datasets.ts';
import type { PlotChoice } from '../../../shared/tabs/plot.ts';
import type { SaveFile } from '../../api/save.ts';
import { Empty, Failed, Loading } from '../../ui/view-states.tsx';
import { words } from '../../words/words.ts';
import { choiceFor, groupFields } from './first-choice.ts';
import { Charts } from './charts.tsx';
import type { PlotNames } from './names.ts';
import type { Plot } from './plot.ts';
import { PlotBar } from './plot-bar.tsx';
import { createScene } from './scene.ts';
import type { PlotSource } from './source.ts';
import { thinner } from './thinner.ts';
import './plot.css';

export interface PlotViewProps {
  /** The user's selections, stored with the tab. */
  readonly plot: Plot;
  /** The records; another object means other records. */
  readonly source: PlotSource;
  readonly type: DatasetType | null;
  readonly title: string;
  /** The zone of times, an IANA name. */
  readonly zone: string;
  readonly names: PlotNames;
  readonly save: SaveFile;
}

/** Records as a plot. */
export function PlotView(props: PlotViewProps) {
  const { plot, source, type } = props;
  const kept = useStore(plot.store, (state) => state.choice);
  const choice = useMemo(() => choiceFor(kept, type, source.fields), [kept, type, source]);
  if (!choice) return <Empty>{words.plot.nothing}</Empty>;
  return (
    <section className="plot-view" aria-label={words.plot.region}>
      <Shown {...props} choice={choice} />
    </section>
  );
}

function Shown(props: PlotViewProps & { choice: PlotChoice }) {
  const { source, type, choice } = props;
  const [scene] = useState(() => createScene(thinner));
  useEffect(() => () => scene.actions.close(), [scene]);
  useEffect(() => {
    void scene.actions.show(source, choice, groupFields(type, source.fields));
  }, [scene, source, type, choice]);
  const content = useStore(scene.store, (state) => state.content);
  return (
    <>
      <PlotBar {...props} scene={scene} />
      {content.status === 'failed' ? (
        <Failed error={content.error} />
      ) : content.status !== 'loaded' ? (
        <Loading what={words.plot.drawing} />
      ) : choice.y.length === 0 ? (
        <Empty>{words.plot.noFields}</Empty>
      ) : content.value.extent === null ? (
        <Empty>{words.plot.noPoints}</Empty>
      ) : (
        <Charts {...props} scene={scene} content={content.value} />
      )}
    </>
  );
}
