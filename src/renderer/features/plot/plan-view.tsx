import type { PlotOverlays } from './overlays/use-overlays.ts';
import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import type { PlotChoice } from '../../../shared/tabs/plot.ts';
import { Charts } from './charts.tsx';
import { groupFields } from './first-choice.ts';
import type { PlotViewProps } from './plot-view.tsx';
import type { Scene } from './scene.ts';

const noOverlays: PlotOverlays = { loaded: [], error: null, cut: [] };

interface PlanViewProps extends PlotViewProps {
  readonly plan: NonNullable<PlotChoice['plan']>;
  readonly scene: Scene;
}

/** The plan of a wellpath, with a zoom of its own. */
export function PlanView({ plan, scene, ...props }: PlanViewProps) {
  const { source, type, changes } = props;
  const planChoice = useMemo<PlotChoice>(
    () => ({ kind: 'scatter', x: plan.x, y: [plan.y], align: 'recorded', plan }),
    [plan],
  );
  useEffect(() => {
    void scene.actions.show(source, planChoice, groupFields(type, source.fields, true), changes);
  }, [scene, source, type, planChoice, changes]);
  const content = useStore(scene.store, (state) => state.content);
  if (content.status !== 'loaded' || content.value.extent === null) return null;
  return (
    <div className="plot-view-part">
      <Charts
        {...props}
        table={undefined}
        scene={scene}
        content={content.value}
        overlays={noOverlays}
        overlayOn={null}
      />
    </div>
  );
}
