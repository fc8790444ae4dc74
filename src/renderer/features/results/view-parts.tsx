import { OptionGroup } from '../../ui/option-group.tsx';
import { words } from '../../words/words.ts';
import type { ResultsView } from '../../../shared/tabs/plot.ts';
import { Suspense, type ReactNode, useId } from 'react';
import { Group, Panel, Separator } from 'react-resizable-panels';
import { Loading } from '../../ui/view-states.tsx';

interface ViewSelectProps<T> {
  readonly value: T;
  readonly of: readonly T[];
  readonly onChange: (value: T) => void;
}

export function ViewSelect<V extends ResultsView>({ value, of, onChange }: ViewSelectProps<V>) {
  return (
    <span className="answer-views">
      <OptionGroup
        label={words.results.view}
        layout="line"
        value={value}
        options={of.map((id) => ({ id, text: words.results.views[id] }))}
        onChange={onChange}
      />
    </span>
  );
}

export function GridWithPanel({ panel, children }: { panel: ReactNode; children: ReactNode }) {
  const recordId = useId();
  const gridId = useId();
  return (
    <Group orientation="horizontal" className="fill full">
      <Panel id={gridId} minSize="140px">
        {children}
      </Panel>
      {panel && (
        <>
          <Separator className="divider divider-column" />
          <Panel
            id={recordId}
            defaultSize="300px"
            minSize="140px"
            maxSize="60%"
            groupResizeBehavior="preserve-pixel-size"
          >
            <Suspense fallback={<Loading what={words.record.loading} />}>{panel}</Suspense>
          </Panel>
        </>
      )}
    </Group>
  );
}
