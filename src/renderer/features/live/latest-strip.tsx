import { useMemo } from 'react';
import { useStore } from 'zustand';
import { words } from '../../words/words.ts';
import { fieldName, groupName } from '../plot/names.ts';
import { useNames } from '../plot/use-names.ts';
import { wellPath } from '../results/times/use-well-zones.ts';
import { latestValues } from './latest-values.ts';
import type { LiveTab } from './live-tab.ts';

/** The last value of each channel, one line for each well. */
export function LatestStrip({ tab }: { tab: LiveTab }) {
  const { records, subject, store } = tab;
  const version = useStore(store, (state) => state.version);
  const names = useNames(subject.connection, subject.dataset);
  const wells = useMemo(
    () => ({ version, of: latestValues(records, wellPath(subject.dataset)) }).of,
    [records, subject, version],
  );
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
              <span className="quiet">{fieldName(field, names)}</span> {String(value)}
            </dd>
          ))}
        </dl>
      ))}
    </section>
  );
}
