import type { StoreApi } from 'zustand/vanilla';
import type { Action, TabCommands } from '../../commands/command-table.ts';
import type { TimeView } from './time-view.ts';

/** A view of records with times: a result, or a live view. */
interface TimesView {
  readonly store: Pick<StoreApi<{ readonly zone: TimeView }>, 'getState'>;
  readonly actions: {
    readonly show: (zone: TimeView) => void;
    readonly pickZone: (isPicking: boolean) => void;
  };
}

/** The commands for the time zone of displayed times. */
export function zoneCommands({ store, actions }: TimesView) {
  const show = (zone: TimeView) => (): Action =>
    store.getState().zone === zone ? null : () => actions.show(zone);
  return {
    zoneUtc: show('utc'),
    zoneLocal: show('local'),
    zoneWell: show('well'),
    zoneOther: () => () => actions.pickZone(true),
  } satisfies TabCommands;
}
