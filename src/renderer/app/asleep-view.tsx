import { useStore } from 'zustand';
import { Button } from '../ui/button.tsx';
import { Empty, Failed, Loading } from '../ui/faces.tsx';
import { useSession } from '../state/contexts.ts';
import { words } from '../words/words.ts';
import type { AsleepTab, Tab } from './tabs.ts';

/** A tab on its way back, or why it can't come back: it never just vanishes. */
export function AsleepView({ tab, model }: { tab: Tab; model: AsleepTab }) {
  const waking = useStore(model.store, (state) => state.waking);
  const { wake } = useSession().keeping.actions;
  const { close } = useSession().tabs.actions;
  const closing = <Button onPress={() => close(tab.id)}>{words.tabs.actions.close}</Button>;
  switch (waking.face) {
    case 'asleep':
    case 'waking':
      return <Loading what={words.tabs.waking(tab.title)} />;
    case 'failed':
      return (
        <>
          <Failed error={waking.error} onRetry={() => void wake(tab.id)} />
          <Empty action={closing}>{words.tabs.notBack}</Empty>
        </>
      );
    case 'unreadable':
      return <Empty action={closing}>{words.tabs.unreadable}</Empty>;
    case 'unknown':
      return <Empty action={closing}>{words.tabs.unknownKind}</Empty>;
  }
}
