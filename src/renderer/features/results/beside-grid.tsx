import { Suspense, type ReactNode } from 'react';
import { Group, Panel, Separator } from 'react-resizable-panels';
import { Loading } from '../../ui/view-states.tsx';
import { words } from '../../words/words.ts';

/** A grid, and what is looked at in it beside it, if anything is; the divider moves. */
export function BesideGrid({ beside, children }: { beside: ReactNode; children: ReactNode }) {
  return (
    <Group orientation="horizontal" className="answer-body">
      <Panel id="grid" minSize="140px">
        {children}
      </Panel>
      {beside && (
        <>
          <Separator className="divider divider-column" />
          <Panel
            id="record"
            defaultSize="300px"
            minSize="140px"
            maxSize="60%"
            groupResizeBehavior="preserve-pixel-size"
          >
            <Suspense fallback={<Loading what={words.record.loading} />}>{beside}</Suspense>
          </Panel>
        </>
      )}
    </Group>
  );
}
