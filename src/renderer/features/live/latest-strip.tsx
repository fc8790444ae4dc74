import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { words } from '../../words/words.ts';
import { fieldName, groupName } from '../plot/names.ts';
import { useShownUnits } from '../plot/use-names.ts';
import { cellConverter } from '../records/unit-changes.ts';
import { wellPath } from '../results/times/use-well-zones.ts';
import { latestValues } from './latest-values.ts';
import type { LiveTab } from './live-tab.ts';

/** The distinct texts of a list; the same array until they change. */
function useStableList(list: readonly string[]): readonly string[] {
  const [stable, setStable] = useState<readonly string[]>([]);
  const distinct = [...new Set(list)];
  const isSame = distinct.length === stable.length && distinct.every((text, at) => text === stable[at]);
  if (!isSame) setStable(distinct);
  return isSame ? stable : distinct;
}

/** The last value of each channel, one line for each well. */
export function LatestStrip({ tab }: { tab: LiveTab }) {
  const { records, subject, store } = tab;
  const version = useStore(store, (state) => state.version);
  const wells = useMemo(
    () => ({ version, of: latestValues(records, wellPath(subject.dataset)) }).of,
    [records, subject, version],
  );
  const channels = useStableList(wells.flatMap(({ values }) => values.map(({ field }) => field)));
  const { names, changes } = useShownUnits(subject.connection, subject.dataset, channels);
  return (
    // oxlint-disable-next-line no-noninteractive-tabindex -- what scrolls must be reached by the keyboard
    <section className="live-latest numbers" aria-label={words.live.latest} tabIndex={0}>
      {wells.map(({ well, values }) => (
        <dl key={well} className="live-latest-well">
          <dt className="live-latest-name">{groupName([well], names)}</dt>
          {values.map(({ field, value, behind }) => (
            <dd
              key={field}
              className={behind > 0 ? 'quiet' : undefined}
              title={behind > 0 ? words.live.behind(behind) : undefined}
            >
              <span className="quiet">{fieldName(field, names)}</span>{' '}
              {String(cellConverter(changes, field)?.(value) ?? value)}
            </dd>
          ))}
        </dl>
      ))}
    </section>
  );
}
