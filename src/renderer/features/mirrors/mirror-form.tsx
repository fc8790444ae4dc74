import { useState } from 'react';
import { Form } from 'react-aria-components/Form';
import type { Dataset } from '../../../shared/datasets/datasets.ts';
import { queryOfWells } from '../../../shared/language/scope.ts';
import { canBeDivided } from '../../../shared/mirrors/partition.ts';
import { useApp, useAppState, useSession } from '../../contexts.ts';
import { minuteMs } from '../../state/use-now.ts';
import { useTask } from '../../state/use-task.ts';
import { Button } from '../../ui/button.tsx';
import { OptionGroup } from '../../ui/option-group.tsx';
import { SelectField } from '../../ui/select-box.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { Failed } from '../../ui/view-states.tsx';
import { words } from '../../words/words.ts';
import { NamesOptions, UnitOptions } from '../export/column-options.tsx';
import type { MirrorChoice } from './mirrors.ts';
import { useSelectedWells } from '../tabs/use-tab-wells.ts';

const w = words.mirrors;
/** In milliseconds. */
const overlaps = {
  '30m': 30 * minuteMs,
  '2h': 120 * minuteMs,
  '12h': 720 * minuteMs,
  '1d': 1440 * minuteMs,
} as const;
type Overlap = keyof typeof overlaps;
const overlapIds = ['30m', '2h', '12h', '1d'] as const satisfies readonly Overlap[];

/** The choices for a new mirror of a dataset. */
export function MirrorForm({ dataset }: { dataset: Dataset }) {
  const { start } = useApp().mirrors.actions;
  const { connection } = useSession();
  const usesDialog = useAppState('workspace', ({ files }) => files === 'dialog');
  const selected = useSelectedWells();
  const [wells, setWells] = useState<'all' | 'selected'>('all');
  const [overlap, setOverlap] = useState<Overlap>('2h');
  const [rest, setRest] = useState<Pick<MirrorChoice, 'period' | 'columnNames' | 'units' | 'folderName'>>({
    period: 'day',
    columnNames: 'dotted',
    units: 'stored',
    folderName: dataset.dataset,
  });
  const set = (change: Partial<typeof rest>) => setRest((before) => ({ ...before, ...change }));
  const address = `${dataset.provider}/${dataset.dataset}`;
  const assetIds = wells === 'all' ? [] : selected.map(({ assetId }) => assetId);
  const starting = useTask((query: string) =>
    start({ ...rest, connection, dataset, overlapMs: overlaps[overlap], query }),
  );
  const isNameless = !usesDialog && rest.folderName.trim() === '';
  return (
    <Form
      className="mirror-form stack gap-3"
      aria-label={w.formLabel(address)}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isNameless && !starting.isRunning) void starting.start(queryOfWells(dataset.type, assetIds));
      }}
    >
      <h3>{w.formLabel(address)}</h3>
      {selected.length > 0 && (
        <OptionGroup
          label={w.wells}
          layout="line"
          value={wells}
          options={[
            { id: 'all', text: w.allWells },
            { id: 'selected', text: w.selectedWells(selected.length) },
          ]}
          onChange={setWells}
        />
      )}
      <div className="mirror-choices">
        {canBeDivided(dataset.type) && (
          <>
            <SelectField
              label={w.files}
              value={rest.period}
              options={(['day', 'month'] as const).map((id) => ({ id, text: w.periods[id] }))}
              onChange={(period) => set({ period })}
            />
            <SelectField
              label={w.overlap}
              value={overlap}
              options={overlapIds.map((id) => ({ id, text: w.overlaps[id] }))}
              onChange={setOverlap}
            />
          </>
        )}
        <UnitOptions value={rest} onChange={set} />
        <NamesOptions value={rest} onChange={set} />
      </div>
      {!canBeDivided(dataset.type) && <p className="quiet">{w.noTime}</p>}
      {!usesDialog && (
        <TextField
          label={w.folderName}
          name="folderName"
          value={rest.folderName}
          onChange={(folderName) => set({ folderName })}
          note={w.folderNote}
          problem={isNameless ? w.folderMissing : undefined}
        />
      )}
      {starting.error && <Failed error={starting.error} />}
      <div className="row">
        <Button type="submit" variant="primary" isPending={starting.isRunning}>
          {usesDialog ? w.selectFolder : w.start}
        </Button>
      </div>
    </Form>
  );
}
